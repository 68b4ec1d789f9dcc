//! The time of one call: three seconds from its begin, asked wherever the work looks at its watch. It knows no work.

use std::time::{Duration, Instant};

use fault::{Phase, Stop, Watch};

use crate::limits::CALL_SECONDS_MAX;

/// Time since some moment that stays the same.
pub(crate) type Clock = Box<dyn Fn() -> Duration + Send + Sync>;

/// The clock of the machine.
pub(crate) fn machine() -> Clock {
    let since = Instant::now();
    Box::new(move || since.elapsed())
}

/// The watch of a caller together with the time of this call.
pub(crate) struct CallTime<'a> {
    watch: &'a dyn Watch,
    clock: &'a Clock,
    began: Duration,
}

impl<'a> CallTime<'a> {
    pub(crate) fn begin(watch: &'a dyn Watch, clock: &'a Clock) -> Self {
        CallTime { watch, clock, began: clock() }
    }
}

impl Watch for CallTime<'_> {
    fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }

    /// Only the caller's own: this call's is told by [`Watch::check`], on a clock that tests can turn.
    fn deadline(&self) -> Option<Instant> {
        self.watch.deadline()
    }

    fn step(&self, phase: Phase, done: u64, total: u64) {
        self.watch.step(phase, done, total);
    }

    fn check(&self) -> Result<(), Stop> {
        self.watch.check()?;
        let spent = (self.clock)().saturating_sub(self.began);
        if spent > Duration::from_secs(CALL_SECONDS_MAX) { Err(Stop::TooLate) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fault::Unwatched;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn three_seconds_are_in_time_and_one_nanosecond_more_is_not() {
        static NANOS: AtomicU64 = AtomicU64::new(7);
        let clock: Clock = Box::new(|| Duration::from_nanos(NANOS.load(Ordering::Relaxed)));
        let time = CallTime::begin(&Unwatched, &clock);
        for (nanos, expected) in
            [(2_999_999_999, Ok(())), (3_000_000_000, Ok(())), (3_000_000_001, Err(Stop::TooLate))]
        {
            NANOS.store(7 + nanos, Ordering::Relaxed);
            assert_eq!(time.check(), expected, "{nanos}");
        }
    }

    #[test]
    fn a_caller_that_has_gone_stops_the_call_before_its_time() {
        struct Gone;
        impl Watch for Gone {
            fn cancelled(&self) -> bool {
                true
            }
            fn deadline(&self) -> Option<Instant> {
                None
            }
            fn step(&self, _phase: Phase, _done: u64, _total: u64) {}
        }
        assert_eq!(CallTime::begin(&Gone, &machine()).check(), Err(Stop::Cancelled));
    }
}
