//! Work on many items at once, consumed in order: the result never depends on the number of threads.
//! It knows neither files nor redaction.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Threads that work at once, the consuming one among them.
const THREADS_MAX: usize = 4;
/// Items that may be begun before the one that is consumed next is there.
const AHEAD_MAX: usize = 256;
/// Weight of the results that may wait for their turn before nothing new is begun, in bytes. What is already being
/// worked on comes on top.
const WAITING_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Runs `work` for every number below `count` on a few threads and hands the results to `consume` on this thread,
/// in order. `weigh` tells what a result costs to keep, in bytes. The first error of `consume` ends the work that
/// has not begun and is returned.
///
/// The calling thread works too whenever the next result is not there yet, so it hardly ever sleeps: waking threads
/// costs more than reading a small file.
///
/// # Errors
/// The first one of `consume`.
///
/// # Panics
/// As `work` and `consume` do.
pub fn in_order<T: Send, E>(
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    weigh: impl Fn(&T) -> usize + Sync,
    mut consume: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX).min(count);
    if threads <= 1 {
        return (0..count).try_for_each(|index| consume(index, work(index)));
    }
    let queue = Queue::new(count);
    let work = |index| {
        let result = catch_unwind(AssertUnwindSafe(|| work(index)));
        let bytes = result.as_ref().map_or(0, &weigh);
        queue.put(index, result, bytes);
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| {
                while let Some(index) = queue.take() {
                    work(index);
                }
            });
        }
        // Whatever ends this closure, an error or a panic of `consume`, must also end the threads.
        let _closing = Closing(&queue);
        for index in 0..count {
            let result = loop {
                match queue.next_step(index) {
                    NextStep::Consume(result) => break result,
                    NextStep::Work(index) => work(index),
                }
            };
            match result {
                Ok(result) => consume(index, result)?,
                Err(panic) => resume_unwind(panic),
            }
        }
        Ok(())
    })
}

type Finished<T> = Result<T, Box<dyn Any + Send>>;

/// What the consuming thread does next.
enum NextStep<T> {
    Consume(Finished<T>),
    Work(usize),
}

struct Queue<T> {
    state: Mutex<State<T>>,
    /// The result that the consuming thread waits for is there.
    ready: Condvar,
    /// There is room for new work, or none will come.
    room: Condvar,
    count: usize,
}

struct State<T> {
    next: usize,
    consumed: usize,
    /// Results by number, with their weight.
    waiting: BTreeMap<usize, (Finished<T>, usize)>,
    waiting_bytes: usize,
    is_consumer_asleep: bool,
    asleep: usize,
    is_closed: bool,
}

impl<T> State<T> {
    /// The next number to work on. The one that is consumed next may always be begun.
    fn begin(&mut self, count: usize) -> Option<usize> {
        let has_room = self.next < self.consumed + AHEAD_MAX && self.waiting_bytes < WAITING_BYTES_MAX;
        if self.next < count && (has_room || self.next == self.consumed) {
            self.next += 1;
            return Some(self.next - 1);
        }
        None
    }

    /// Whether it is worth waking those who wait for room: not for a single place, which another would take.
    fn has_much_room(&self) -> bool {
        self.next <= self.consumed + AHEAD_MAX / 2 && self.waiting_bytes <= WAITING_BYTES_MAX / 2
    }
}

impl<T> Queue<T> {
    fn new(count: usize) -> Self {
        let state = State {
            next: 0,
            consumed: 0,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            is_consumer_asleep: false,
            asleep: 0,
            is_closed: false,
        };
        Queue { state: Mutex::new(state), ready: Condvar::new(), room: Condvar::new(), count }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next number to work on, once there is room; none when nothing is left.
    fn take(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.is_closed || state.next >= self.count {
                return None;
            }
            if let Some(index) = state.begin(self.count) {
                return Some(index);
            }
            state.asleep += 1;
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.asleep -= 1;
        }
    }

    fn put(&self, index: usize, result: Finished<T>, bytes: usize) {
        let mut state = self.lock();
        state.waiting.insert(index, (result, bytes));
        state.waiting_bytes += bytes;
        if state.is_consumer_asleep && index == state.consumed {
            self.ready.notify_one();
        }
    }

    /// The result of `index`, or something to do until it is there. All before `index` are consumed.
    fn next_step(&self, index: usize) -> NextStep<T> {
        let mut state = self.lock();
        loop {
            state.consumed = index;
            if let Some((result, bytes)) = state.waiting.remove(&index) {
                state.waiting_bytes -= bytes;
                if state.asleep > 0 && state.has_much_room() {
                    self.room.notify_all();
                }
                return NextStep::Consume(result);
            }
            if let Some(index) = state.begin(self.count) {
                return NextStep::Work(index);
            }
            state.is_consumer_asleep = true;
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.is_consumer_asleep = false;
        }
    }
}

struct Closing<'q, T>(&'q Queue<T>);

impl<T> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_come_in_order_and_all_of_them() {
        let mut seen = Vec::new();
        let ended: Result<(), ()> = in_order(
            1_000,
            |index| {
                // Uneven work shuffles the order in which threads finish.
                (0..index % 7 * 1_000).fold(index, |sum, n| sum ^ n ^ n)
            },
            |_| 0,
            |index, result| {
                assert_eq!(index, result);
                seen.push(result);
                Ok(())
            },
        );
        assert_eq!(ended, Ok(()));
        assert!(seen.iter().copied().eq(0..1_000));
    }

    #[test]
    fn an_error_ends_the_work_that_has_not_begun() {
        let begun = AtomicUsize::new(0);
        let ended = in_order(
            100_000,
            |_| begun.fetch_add(1, Ordering::Relaxed),
            |_| 0,
            |index, _| if index == 10 { Err("enough") } else { Ok(()) },
        );
        assert_eq!(ended, Err("enough"));
        assert!(begun.load(Ordering::Relaxed) <= 11 + AHEAD_MAX);
    }

    #[test]
    fn a_panic_in_a_thread_reaches_the_caller_and_no_one_waits_for_ever() {
        let ended = catch_unwind(|| {
            in_order(50, |index| assert_ne!(index, 20, "broken on purpose"), |()| 0, |_, ()| Ok::<(), ()>(()))
        });
        assert!(ended.is_err());
    }

    #[test]
    fn heavy_results_do_not_pile_up() {
        let waiting = AtomicUsize::new(0);
        let most = AtomicUsize::new(0);
        let ended: Result<(), ()> = in_order(
            500,
            |_| {
                let now = waiting.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
            },
            |()| WAITING_BYTES_MAX,
            |_, ()| {
                waiting.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            },
        );
        assert_eq!(ended, Ok(()));
        // One that waits fills the room; each thread may have begun one before, and one more is always begun.
        assert!(most.load(Ordering::SeqCst) <= THREADS_MAX + 2);
    }

    #[test]
    fn what_does_not_fit_beside_another_is_still_worked_on() {
        let mut seen = 0;
        let ended: Result<(), ()> = in_order(
            50,
            |index| index,
            |_| usize::MAX / 64,
            |index, result| {
                seen += usize::from(index == result);
                Ok(())
            },
        );
        assert_eq!((ended, seen), (Ok(()), 50));
    }
}
