//! One queue, first in first out, worked off by one thread of its own, so that the connection stays answerable while
//! a call runs (protocol.md 3). It does not know what the work is.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::flight::Flight;

/// Stack of a worker in bytes: pattern compilers and parsers recurse.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// A piece of work that belongs to a call. The work answers by itself and does not panic.
pub(crate) struct Job {
    pub(crate) flight: Arc<Flight>,
    pub(crate) work: Box<dyn FnOnce() + Send>,
}

/// The queue is full.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Busy;

/// The queue and its worker.
pub(crate) struct Lane {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    work: Condvar,
    idle: Notify,
    admitted_max: Option<usize>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    running: bool,
    closed: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut state = self.state();
        loop {
            while state.waiting.is_empty() && !state.closed {
                state = self.work.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let Some(job) = state.waiting.pop_front() else { return };
            state.running = true;
            drop(state);
            (job.work)();
            state = self.state();
            state.running = false;
            self.idle.notify_waiters();
        }
    }
}

impl Lane {
    /// Starts the worker. At most `admitted_max` jobs are held, the running one included.
    ///
    /// # Errors
    /// When the operating system starts no thread.
    pub(crate) fn start(name: &str, admitted_max: Option<usize>) -> io::Result<Lane> {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            work: Condvar::new(),
            idle: Notify::new(),
            admitted_max,
        });
        let worker = Arc::clone(&shared);
        std::thread::Builder::new()
            .name(name.to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || worker.run())?;
        Ok(Lane { shared })
    }

    /// Puts a job at the end of the queue.
    pub(crate) fn submit(&self, job: Job) -> Result<(), Busy> {
        let mut state = self.shared.state();
        let held = state.waiting.len() + usize::from(state.running);
        if self.shared.admitted_max.is_some_and(|max| held >= max) {
            return Err(Busy);
        }
        state.waiting.push_back(job);
        self.shared.work.notify_one();
        Ok(())
    }

    /// Lets waiting jobs of calls that were taken back leave the queue.
    pub(crate) fn sweep(&self) {
        let mut left = Vec::new();
        let mut state = self.shared.state();
        let mut at = 0;
        while at < state.waiting.len() {
            if state.waiting[at].flight.is_cancelled() {
                left.extend(state.waiting.remove(at));
            } else {
                at += 1;
            }
        }
        drop(state);
        drop(left);
    }

    /// Ends when nothing runs and nothing waits.
    pub(crate) async fn idle(&self) {
        loop {
            let idle = self.shared.idle.notified();
            {
                let state = self.shared.state();
                if !state.running && state.waiting.is_empty() {
                    return;
                }
            }
            idle.await;
        }
    }
}

impl Drop for Lane {
    /// The worker ends after the job it runs; what waits is dropped.
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.closed = true;
        let waiting = std::mem::take(&mut state.waiting);
        self.shared.work.notify_one();
        drop(state);
        drop(waiting);
    }
}
