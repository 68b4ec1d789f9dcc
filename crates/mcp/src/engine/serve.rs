//! The life of one connection, from the first line to a clean end. It starts what the other files of the engine do and
//! decides when it is over; it reads no message.

use std::io::{self, Write as _};
use std::panic::PanicHookInfo;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::flight::Wire;
use super::handler::Handler;
use super::lane::Lane;
use super::transport::{LineTransport, read_lines, write_lines};
use crate::catalog::Surface;

/// Requests between the transport and the service loop.
const HANDED_ON_MAX: usize = 32;
/// How long running work may take to stop at the end.
const SETTLE_TIME: Duration = Duration::from_millis(50);
/// How long a slow reader is waited for after the end of input.
const DRAIN_TIME: Duration = Duration::from_secs(1);
/// How long a reader is waited for after a signal.
const HURRIED_DRAIN_TIME: Duration = Duration::from_millis(20);

/// Where a line goes that is for the person who runs the server.
pub trait Diagnostics: Send + Sync {
    /// A call panicked. One line, without any project text.
    fn call_panicked(&self);
}

/// What a connection needs beside its streams.
pub struct Settings<F> {
    /// Ends when the process is asked to end.
    pub stop: F,
    /// Where trouble is told.
    pub diagnostics: Arc<dyn Diagnostics>,
}

/// Serves `surface` until the input ends, the reader is gone or `settings.stop` ends. All of them are a normal end.
///
/// # Errors
/// When the operating system starts no thread.
pub async fn serve<S: Surface>(
    surface: Arc<S>,
    settings: Settings<impl Future<Output = ()>>,
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> io::Result<()> {
    let limits = surface.limits();
    let gate = Arc::new(Lane::start("gate", limits.admitted_max)?);
    let beside = Arc::new(Lane::start("beside", limits.admitted_max)?);
    let (wire, lines) = Wire::new();
    let (hand_on, requests) = mpsc::channel(HANDED_ON_MAX);

    let writer = tokio::spawn(write_lines(output, lines, Arc::clone(&wire)));
    let told = Arc::clone(&surface);
    let client = move |name: &str| told.client(name);
    let mut reader =
        tokio::spawn(read_lines(input, limits.line_bytes_max, Arc::clone(&wire), hand_on.clone(), client));
    let handler = Handler::new(
        Arc::clone(&surface),
        Arc::clone(&wire),
        Arc::clone(&gate),
        Arc::clone(&beside),
        settings.diagnostics,
    );
    let transport = LineTransport { requests, wire: Arc::clone(&wire) };
    // The handshake is the transport's: the SDK's own insists on an order of messages that clients do not keep.
    let service = rmcp::service::serve_directly(handler, transport, None);

    let mut drain_time = HURRIED_DRAIN_TIME;
    let mut stop = std::pin::pin!(settings.stop);
    tokio::select! {
        _ = &mut reader => {
            let answered = timeout(limits.end_grace, wire.quiet());
            tokio::select! {
                _ = answered => drain_time = DRAIN_TIME,
                () = wire.broken() => {}
                () = &mut stop => {}
            }
        }
        () = wire.broken() => {}
        () = &mut stop => {}
    }
    reader.abort();
    wire.cancel_all();
    gate.sweep();
    beside.sweep();
    let settled = async {
        gate.idle().await;
        beside.idle().await;
    };
    // What does not stop in time ends with the process.
    let _ = timeout(SETTLE_TIME, settled).await;
    surface.close();
    wire.finish();
    let _ = timeout(drain_time, writer).await;
    drop(hand_on);
    drop(service);
    Ok(())
}

/// Ends at SIGINT, SIGTERM or SIGHUP. Must be called inside a runtime.
///
/// # Errors
/// When the operating system takes no handler.
pub fn termination() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    })
}

/// Where the first panic since the last report happened.
static PANICKED_AT: Mutex<Option<String>> = Mutex::new(None);

/// Replaces the panic hook of the process: a panic on a worker is kept for [`Diagnostics::call_panicked`], one on the
/// main thread is told at once; both without the message, which may hold project text.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = place(info);
        if std::thread::current().name() == Some("main") {
            tell(&format!("readroom: internal error at {place}"));
        } else {
            PANICKED_AT.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(place);
        }
    }));
}

fn place(info: &PanicHookInfo<'_>) -> String {
    info.location().map_or_else(String::new, |at| {
        let file = at.file().rsplit(['/', '\\']).next().unwrap_or_default();
        format!("{file}:{}", at.line())
    })
}

fn tell(line: &str) {
    // A closed stderr is no reason to stop.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Diagnostics on stderr.
pub fn stderr_diagnostics() -> Arc<dyn Diagnostics> {
    struct Stderr;
    impl Diagnostics for Stderr {
        fn call_panicked(&self) {
            let place = PANICKED_AT.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
            tell(&format!("readroom: a call failed inside the server at {place}; the server goes on"));
        }
    }
    Arc::new(Stderr)
}
