//! How many requests of a kind are answered in a second. It does not know what a request is.

use std::time::{Duration, Instant};

/// A bucket that fills again with time.
#[derive(Debug)]
pub(crate) struct Pace {
    most: u32,
    left: f64,
    per_second: f64,
    at: Instant,
}

impl Pace {
    /// `most` at once, and `per_second` from then on.
    pub(crate) fn new(most: u32, per_second: u32, now: Instant) -> Pace {
        Pace { most, left: f64::from(most), per_second: f64::from(per_second), at: now }
    }

    /// Whether one more is within the pace; it counts when it is.
    pub(crate) fn admits(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at);
        self.at = now;
        self.left = (self.left + passed.as_secs_f64() * self.per_second).min(f64::from(self.most));
        // What is as good as a whole one counts as one.
        let admitted = self.left > 1.0 - 1e-9;
        if admitted {
            self.left = (self.left - 1.0).max(0.0);
        }
        admitted
    }
}

/// Whether a listener has come to its end: nobody authorised asked for `idle`, or it has lived for `life`.
pub(crate) fn is_over(
    now: Instant,
    started: Instant,
    last_asked: Instant,
    idle: Duration,
    life: Duration,
) -> bool {
    now.saturating_duration_since(last_asked) >= idle || now.saturating_duration_since(started) >= life
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{IDLE_MINUTES, LIFE_HOURS_MAX, REQUESTS_PER_SECOND_MAX, WRONG_TOKENS_MAX};

    #[test]
    fn fifty_requests_are_answered_in_a_second_and_then_one_every_fiftieth() {
        let start = Instant::now();
        let mut pace = Pace::new(REQUESTS_PER_SECOND_MAX, REQUESTS_PER_SECOND_MAX, start);
        assert_eq!((0..100).filter(|_| pace.admits(start)).count(), 50);
        let later = start + Duration::from_millis(100);
        assert_eq!((0..100).filter(|_| pace.admits(later)).count(), 5);
        assert_eq!((0..100).filter(|_| pace.admits(start + Duration::from_secs(60))).count(), 50);
    }

    #[test]
    fn from_the_64th_wrong_token_on_one_a_second_is_told() {
        let start = Instant::now();
        let mut pace = Pace::new(WRONG_TOKENS_MAX, 1, start);
        assert_eq!((0..1_000).filter(|_| pace.admits(start)).count(), 63);
        for second in 1..5 {
            let now = start + Duration::from_secs(second);
            assert_eq!((0..100).filter(|_| pace.admits(now)).count(), 1);
        }
    }

    #[test]
    fn a_listener_ends_after_half_an_hour_without_a_request_or_after_eight_hours() {
        let start = Instant::now();
        let (idle, life) =
            (Duration::from_secs(IDLE_MINUTES * 60), Duration::from_secs(LIFE_HOURS_MAX * 3600));
        let at = |minutes: u64| start + Duration::from_secs(minutes * 60);
        assert!(!is_over(at(29), start, start, idle, life));
        assert!(is_over(at(30), start, start, idle, life));
        assert!(!is_over(at(479), start, at(470), idle, life));
        assert!(is_over(at(480), start, at(479), idle, life));
    }
}
