//! Work on many files at once, consumed in order: the result never depends on the number of threads.
//! It knows neither files nor redaction.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Threads that work at once, the consuming one not counted.
const THREADS_MAX: usize = 4;
/// Results that may wait for their turn, per thread. It bounds memory, not speed.
const WAITING_PER_THREAD: usize = 4;

/// Runs `work` for every number below `count` on a few threads and hands the results to `consume` on this thread,
/// in order. The first error of `consume` ends the work that has not begun and is returned.
pub(crate) fn in_order<T: Send, E>(
    count: usize,
    work: impl Fn(usize) -> T + Sync,
    mut consume: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX).min(count);
    if threads <= 1 {
        return (0..count).try_for_each(|index| consume(index, work(index)));
    }
    let queue = Queue::new(count, threads * WAITING_PER_THREAD);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(index) = queue.take() {
                    queue.put(index, catch_unwind(AssertUnwindSafe(|| work(index))));
                }
            });
        }
        // Whatever ends this closure, an error or a panic of `consume`, must also end the threads.
        let _closing = Closing(&queue);
        for index in 0..count {
            match queue.await_result(index) {
                Ok(result) => consume(index, result)?,
                Err(panic) => resume_unwind(panic),
            }
        }
        Ok(())
    })
}

type Finished<T> = Result<T, Box<dyn Any + Send>>;

struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    count: usize,
    window: usize,
}

struct State<T> {
    next: usize,
    consumed: usize,
    waiting: BTreeMap<usize, Finished<T>>,
    is_closed: bool,
}

impl<T> Queue<T> {
    fn new(count: usize, window: usize) -> Self {
        let state = State { next: 0, consumed: 0, waiting: BTreeMap::new(), is_closed: false };
        Queue { state: Mutex::new(state), changed: Condvar::new(), count, window }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next number to work on, once it is near enough to what is being consumed.
    fn take(&self) -> Option<usize> {
        let mut state = self.lock();
        loop {
            if state.is_closed || state.next >= self.count {
                return None;
            }
            if state.next < state.consumed + self.window {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn put(&self, index: usize, result: Finished<T>) {
        self.lock().waiting.insert(index, result);
        self.changed.notify_all();
    }

    fn await_result(&self, index: usize) -> Finished<T> {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.waiting.remove(&index) {
                state.consumed = index + 1;
                self.changed.notify_all();
                return result;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

struct Closing<'q, T>(&'q Queue<T>);

impl<T> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
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
            |index, _| if index == 10 { Err("enough") } else { Ok(()) },
        );
        assert_eq!(ended, Err("enough"));
        assert!(begun.load(Ordering::Relaxed) <= 11 + THREADS_MAX * (WAITING_PER_THREAD + 1));
    }

    #[test]
    fn a_panic_in_a_thread_reaches_the_caller_and_no_one_waits_for_ever() {
        let ended = catch_unwind(|| {
            in_order(50, |index| assert_ne!(index, 20, "broken on purpose"), |_, ()| Ok::<(), ()>(()))
        });
        assert!(ended.is_err());
    }
}
