//! Turns the steps of a running call into progress notifications that a client can trust: strictly increasing, first
//! between 1 and 10, last 100, never a flood (spec project.md 13). It does not know what the work is.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use fault::Phase;
use serde_json::{Value, json};

use super::flight::{Flight, Wire};

/// Points that an intermediate notification must gain.
const STEP_POINTS: u8 = 5;
/// Time that must pass before an intermediate notification.
const STEP_TIME: Duration = Duration::from_millis(250);
/// The largest first value.
const FIRST_MAX: u8 = 10;

/// The progress of one call that gave a token.
pub(crate) struct Progress {
    token: Value,
    flight: Arc<Flight>,
    wire: Arc<Wire>,
    sent: Mutex<Sent>,
}

#[derive(Default)]
struct Sent {
    last: Option<(u8, Instant)>,
    done: u64,
    total: u64,
}

impl Progress {
    pub(crate) fn new(token: Value, flight: Arc<Flight>, wire: Arc<Wire>) -> Self {
        Progress { token, flight, wire, sent: Mutex::default() }
    }

    /// A step was reached at `now`.
    pub(crate) fn step(&self, phase: Phase, done: u64, total: u64, now: Instant) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        (sent.done, sent.total) = (done, total);
        let points = points(phase, done, total);
        let value = match sent.last {
            None => points.min(FIRST_MAX),
            Some((last, at)) if points < last.saturating_add(STEP_POINTS) || now < at + STEP_TIME => return,
            Some(_) => points,
        };
        sent.last = Some((value, now));
        self.tell(value, phase.as_str(), done, total);
    }

    /// The call has its result: 100 is said, and before it a first value when there was none.
    pub(crate) fn done(&self, now: Instant) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if sent.last.is_none() {
            self.tell(1, Phase::Selecting.as_str(), 0, 0);
        }
        sent.last = Some((100, now));
        self.tell(100, "done", sent.done, sent.total);
    }

    fn tell(&self, value: u8, phase: &str, done: u64, total: u64) {
        if self.flight.is_cancelled() {
            return;
        }
        self.wire.send(&json!({
            "jsonrpc": "2.0",
            "method": "notifications/progress",
            "params": {
                "progressToken": self.token,
                "progress": value,
                "total": 100,
                "message": format!("{phase} {done}/{total}"),
            },
        }));
    }
}

/// The share of the whole that is behind, from 1 to 99.
fn points(phase: Phase, done: u64, total: u64) -> u8 {
    let (from, to) = match phase {
        Phase::Fetching => (1, 1),
        Phase::Selecting => (1, 9),
        Phase::Scanned => (10, 10),
        Phase::Transforming => (11, 60),
        Phase::Analyzing | Phase::Writing => (61, 99),
    };
    let share = match phase {
        // While the selection grows nobody knows the total.
        Phase::Selecting if total == 0 => 0,
        _ if total == 0 => to - from,
        _ => u8::try_from(u128::from(done.min(total)) * u128::from(to - from) / u128::from(total))
            .unwrap_or(to - from),
    };
    from + share
}

#[cfg(test)]
mod tests;
