//! The life of one connection, from the first line to a clean end. It starts what the other files of the engine do and
//! decides when it is over; it reads no message.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::panic::PanicHookInfo;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::flight::Wire;
use super::handler::Handler;
use super::lane::Lane;
use super::pipe::{ReadPipe, WritePipe};
use super::transport::{LineTransport, read_lines, write_lines};
use crate::catalog::Surface;

/// Requests between the transport and the service loop.
const HANDED_ON_MAX: usize = 32;
/// How long running work may take to stop at the end.
const SETTLE_TIME: Duration = Duration::from_millis(50);
/// How long a slow reader is waited for after the end of input.
const DRAIN_TIME: Duration = Duration::from_secs(1);
/// How long what was sent before a client went away may take to be read.
const ABANDONED_TIME: Duration = Duration::from_secs(2);
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

/// Serves `surface` on a pair of blocking streams until the input ends or the process is asked to end. Blocks the calling
/// thread, replaces the panic hook of the process, and handles SIGINT, SIGTERM and SIGHUP.
///
/// # Errors
/// When the operating system gives no thread, no signal handler or no event queue; nothing was written then.
pub fn serve_streams<S: Surface>(
    surface: S,
    input: impl Read + AsFd + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    quiet_panics();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let settings = Settings { stop: reason_to_stop(input.as_fd())?, diagnostics: stderr_diagnostics() };
        serve(Arc::new(surface), settings, ReadPipe::start(input)?, WritePipe::start(output)?).await
    });
    runtime.shutdown_background();
    served
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

/// Ends when the process is asked to end, or when nobody can write to `input` any more.
///
/// # Errors
/// When the operating system takes no handler or starts no thread.
fn reason_to_stop(input: BorrowedFd<'_>) -> io::Result<impl Future<Output = ()> + use<>> {
    let (asked, abandoned) = (termination()?, abandoned(input, ABANDONED_TIME)?);
    Ok(async move {
        tokio::select! {
            () = asked => {}
            () = abandoned => {}
        }
    })
}

/// Ends at SIGINT, SIGTERM or SIGHUP. Must be called inside a runtime.
///
/// # Errors
/// When the operating system takes no handler.
fn termination() -> io::Result<impl Future<Output = ()>> {
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

/// Ends once nobody can write to `input` any more and `patience` has passed since. The end of input is read in its
/// turn, behind everything that was sent before; a client that sends much, reads nothing and goes away would
/// otherwise keep the process. Never ends for an input that cannot hang up, such as a file.
///
/// # Errors
/// When the operating system starts no thread or has no handle left.
fn abandoned(input: BorrowedFd<'_>, patience: Duration) -> io::Result<impl Future<Output = ()> + use<>> {
    let input = rustix::io::fcntl_dupfd_cloexec(input, 3)?;
    let (tell, told) = oneshot::channel();
    std::thread::Builder::new().name("hang-up".to_owned()).spawn(move || {
        loop {
            // Asked for no event, the call waits for the one that cannot be left out.
            let mut events = [PollFd::new(&input, PollFlags::empty())];
            match poll(&mut events, None) {
                Ok(_) if events[0].revents().contains(PollFlags::HUP) => break,
                Ok(_) => return,
                Err(Errno::INTR) => {}
                Err(_) => return,
            }
        }
        let _ = tell.send(());
    })?;
    Ok(async move {
        match told.await {
            Ok(()) => tokio::time::sleep(patience).await,
            Err(_) => std::future::pending().await,
        }
    })
}

/// Where the first panic since the last report happened.
static PANICKED_AT: Mutex<Option<String>> = Mutex::new(None);

/// Replaces the panic hook of the process: a panic on a worker is kept for [`Diagnostics::call_panicked`], one on the
/// main thread is told at once; both without the message, which may hold project text.
fn quiet_panics() {
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
fn stderr_diagnostics() -> Arc<dyn Diagnostics> {
    struct Stderr;
    impl Diagnostics for Stderr {
        fn call_panicked(&self) {
            let place = PANICKED_AT.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
            tell(&format!("readroom: a call failed inside the server at {place}; the server goes on"));
        }
    }
    Arc::new(Stderr)
}
