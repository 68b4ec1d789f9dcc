//! The calls that are under way, and the one door through which bytes leave. Whatever is sent goes through here, so
//! that an id is answered once and a call that was taken back is not answered at all. It knows no method.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{ErrorData, JsonRpcError, RequestId, ServerJsonRpcMessage};
use serde::Serialize;
use tokio::sync::{Notify, mpsc};

/// Bytes that may wait for a slow reader before no further line is read.
const UNSENT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of requests that may be under way before no further line is read.
const UNDER_WAY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// One request that was read and not yet answered.
#[derive(Debug)]
pub(crate) struct Flight {
    line_bytes: usize,
    cancelled: AtomicBool,
    told: Notify,
}

impl Flight {
    /// Whether the caller took it back.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Ends when the caller takes it back.
    pub(crate) async fn cancelled(&self) {
        loop {
            let told = self.told.notified();
            if self.is_cancelled() {
                return;
            }
            told.await;
        }
    }

    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.told.notify_waiters();
    }
}

/// An id that is already under way.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InFlight;

/// Both ends of a connection as the rest of the engine sees them.
pub(crate) struct Wire {
    out: mpsc::UnboundedSender<Option<Vec<u8>>>,
    unsent_bytes: AtomicUsize,
    flights: Mutex<Flights>,
    /// Told whenever something left: a line was written or a flight has ended.
    moved: Notify,
    broken: AtomicBool,
}

#[derive(Default)]
struct Flights {
    by_id: HashMap<RequestId, Arc<Flight>>,
    line_bytes: usize,
}

impl Wire {
    /// A wire, and the end from which the writer takes lines until it meets `None`.
    pub(crate) fn new() -> (Arc<Wire>, mpsc::UnboundedReceiver<Option<Vec<u8>>>) {
        let (out, lines) = mpsc::unbounded_channel();
        let wire = Wire {
            out,
            unsent_bytes: AtomicUsize::new(0),
            flights: Mutex::default(),
            moved: Notify::new(),
            broken: AtomicBool::new(false),
        };
        (Arc::new(wire), lines)
    }

    fn flights(&self) -> MutexGuard<'_, Flights> {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request whose line had `line_bytes`.
    pub(crate) fn depart(&self, id: &RequestId, line_bytes: usize) -> Result<Arc<Flight>, InFlight> {
        let mut flights = self.flights();
        let flight = match flights.by_id.entry(id.clone()) {
            Entry::Occupied(_) => return Err(InFlight),
            Entry::Vacant(place) => Arc::clone(place.insert(Arc::new(Flight {
                line_bytes,
                cancelled: AtomicBool::new(false),
                told: Notify::new(),
            }))),
        };
        flights.line_bytes += line_bytes;
        Ok(flight)
    }

    /// Takes a call back; an unknown id is ignored.
    pub(crate) fn cancel(&self, id: &RequestId) {
        let flight = self.flights().by_id.get(id).cloned();
        if let Some(flight) = flight {
            flight.cancel();
        }
    }

    /// Takes everything back that is still under way.
    pub(crate) fn cancel_all(&self) {
        let all: Vec<_> = self.flights().by_id.values().cloned().collect();
        for flight in all {
            flight.cancel();
        }
    }

    /// Sends the answer to a request and ends its flight; nothing is sent for a call that was taken back.
    pub(crate) fn answer(&self, message: &ServerJsonRpcMessage) {
        let id = match message {
            ServerJsonRpcMessage::Response(response) => Some(&response.id),
            ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = id {
            let mut flights = self.flights();
            let Some(flight) = flights.by_id.remove(id) else { return };
            flights.line_bytes -= flight.line_bytes;
            // Still under the lock, so that a cancellation cannot come between the question and the sending.
            if !flight.is_cancelled() {
                self.send(message);
            }
        }
        self.moved.notify_waiters();
    }

    /// Answers a line that never became a request under way.
    pub(crate) fn refuse(&self, id: Option<RequestId>, error: ErrorData) {
        self.send(&JsonRpcError::new(id, error));
    }

    /// Sends one message as one line.
    pub(crate) fn send(&self, message: &impl Serialize) {
        let Ok(mut line) = serde_json::to_vec(message) else { return };
        line.push(b'\n');
        self.unsent_bytes.fetch_add(line.len(), Ordering::AcqRel);
        // A writer that is gone has marked the wire as broken; what is sent after that has no reader.
        let _ = self.out.send(Some(line));
    }

    /// The writer says that a line has left.
    pub(crate) fn left(&self, line_bytes: usize) {
        self.unsent_bytes.fetch_sub(line_bytes, Ordering::AcqRel);
        self.moved.notify_waiters();
    }

    /// Ends when another line may be read.
    pub(crate) async fn room(&self) {
        self.until(|wire| {
            wire.unsent_bytes.load(Ordering::Acquire) <= UNSENT_BYTES_MAX
                && wire.flights().line_bytes <= UNDER_WAY_BYTES_MAX
        })
        .await;
    }

    /// Ends when nothing is under way.
    pub(crate) async fn quiet(&self) {
        self.until(|wire| wire.flights().by_id.is_empty()).await;
    }

    /// Ends when nobody reads what is written any more.
    pub(crate) async fn broken(&self) {
        self.until(|wire| wire.broken.load(Ordering::Acquire)).await;
    }

    /// The writer says that nobody reads any more.
    pub(crate) fn mark_broken(&self) {
        self.broken.store(true, Ordering::Release);
        self.moved.notify_waiters();
    }

    /// Lets the writer end after what was sent so far.
    pub(crate) fn finish(&self) {
        let _ = self.out.send(None);
    }

    async fn until(&self, reached: impl Fn(&Wire) -> bool) {
        loop {
            // Created before the question, so that no telling in between is missed.
            let moved = self.moved.notified();
            if reached(self) {
                return;
            }
            moved.await;
        }
    }
}
