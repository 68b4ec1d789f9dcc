//! What a running call looks at: whether it was taken back, how long it may still take, and where its steps are told.
//! It does not know what the call does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fault::{Phase, Watch};

use super::flight::Flight;
use super::progress::Progress;

/// The watch of one call. Its time stands still while a remote project is fetched, which has limits of its own.
pub(crate) struct CallWatch {
    flight: Arc<Flight>,
    time_max: Option<Duration>,
    deadline: Mutex<Option<Instant>>,
    progress: Option<Progress>,
}

impl CallWatch {
    /// A call that begins now and may take `time_max`.
    pub(crate) fn new(flight: Arc<Flight>, time_max: Option<Duration>, progress: Option<Progress>) -> Self {
        let deadline = Mutex::new(time_max.map(|time| Instant::now() + time));
        CallWatch { flight, time_max, deadline, progress }
    }

    /// The call has its result.
    pub(crate) fn done(&self) {
        if let Some(progress) = &self.progress {
            progress.done(Instant::now());
        }
    }

    fn locked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for CallWatch {
    fn cancelled(&self) -> bool {
        self.flight.is_cancelled()
    }

    fn deadline(&self) -> Option<Instant> {
        *self.locked()
    }

    fn step(&self, phase: Phase, done: u64, total: u64) {
        let now = Instant::now();
        if let Some(time) = self.time_max {
            let mut deadline = self.locked();
            match (phase, *deadline) {
                (Phase::Fetching, _) => *deadline = None,
                (_, None) => *deadline = Some(now + time),
                _ => {}
            }
        }
        if let Some(progress) = &self.progress {
            progress.step(phase, done, total, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::flight::Wire;
    use fault::Stop;
    use rmcp::model::RequestId;

    fn watch(time_max: Option<Duration>) -> (CallWatch, Arc<Wire>) {
        let (wire, _) = Wire::new();
        let flight = wire.depart(&RequestId::Number(1), 1).expect("nothing is under way");
        (CallWatch::new(flight, time_max, None), wire)
    }

    #[test]
    fn a_call_has_its_time_and_no_more() {
        assert_eq!(watch(Some(Duration::from_secs(3_600))).0.check(), Ok(()));
        assert_eq!(watch(Some(Duration::ZERO)).0.check(), Err(Stop::TooLate));
        assert_eq!(watch(None).0.check(), Ok(()));
    }

    #[test]
    fn time_stands_still_while_a_remote_project_is_fetched() {
        let (watch, _) = watch(Some(Duration::ZERO));
        watch.step(Phase::Fetching, 0, 1);
        assert_eq!(watch.check(), Ok(()));
        watch.step(Phase::Selecting, 0, 1);
        assert_eq!(watch.check(), Err(Stop::TooLate), "the time begins again after the fetching");
    }

    #[test]
    fn a_call_that_was_taken_back_stops_before_it_is_late() {
        let (watch, wire) = watch(Some(Duration::ZERO));
        wire.cancel(&RequestId::Number(1));
        assert_eq!(watch.check(), Err(Stop::Cancelled));
    }
}
