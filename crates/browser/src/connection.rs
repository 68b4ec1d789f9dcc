//! One connection: its clock, its requests one after the other, and its end. It knows no route.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::faults::Refusal;
use crate::limits::REQUESTS_PER_CONNECTION_MAX;
use crate::reply::{Reply, Whole};

/// What hyper holds of a request at most; the gate asks for much less, and answers in its own words what lies between.
const BUFFER_BYTES_MAX: usize = 32 * 1024;
/// What is read and thrown away behind a refusal, so that the answer arrives before the connection ends.
const DRAINED_BYTES_MAX: usize = 256 * 1024;
/// How long that may take.
const DRAIN_PATIENCE: Duration = Duration::from_millis(250);

/// How long a connection may take for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// For the head of a request, from its first byte on.
    pub(crate) head: Duration,
    /// Between requests, and for taking an answer.
    pub(crate) idle: Duration,
    /// How often the listener looks whether its own time has come.
    pub(crate) look: Duration,
}

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing; the next request has not begun.
    Waiting,
    /// A request is coming in.
    Reading,
    /// It is being answered; the number of bytes that have gone out.
    Answering(usize),
}

#[derive(Debug)]
struct Clock {
    stage: Stage,
    since: Instant,
}

/// The connection as hyper sees it; what passes sets the clock.
#[derive(Clone, Debug)]
struct Wire {
    stream: Arc<TcpStream>,
    clock: Arc<Mutex<Clock>>,
}

/// Serves a connection until it ends or takes too long.
pub(crate) async fn serve(
    stream: TcpStream,
    patience: Patience,
    answer: impl Fn(&Request<Incoming>) -> Reply,
) {
    // A small answer is sent at once.
    let _ = stream.set_nodelay(true);
    let clock = Clock { stage: Stage::Waiting, since: Instant::now() };
    let wire = Wire { stream: Arc::new(stream), clock: Arc::new(Mutex::new(clock)) };
    let (watched, requests) = (wire.clone(), Mutex::new(0_u32));
    let service = service_fn(|request: Request<Incoming>| {
        watched.enter(Stage::Answering(0));
        let mut served = requests.lock().unwrap_or_else(PoisonError::into_inner);
        *served += 1;
        let response = answer(&request).into_response(*served >= REQUESTS_PER_CONNECTION_MAX);
        std::future::ready(Ok::<Response<Whole>, std::convert::Infallible>(response))
    });
    let connection = http1::Builder::new()
        .max_buf_size(BUFFER_BYTES_MAX)
        .max_headers(256)
        .serve_connection(wire.clone(), service);
    tokio::select! {
        _ = connection => {}
        () = wire.too_long(patience) => return,
    }
    drop(watched);
    wire.finish().await;
}

impl Wire {
    fn clock(&self) -> MutexGuard<'_, Clock> {
        self.clock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, stage: Stage) {
        *self.clock() = Clock { stage, since: Instant::now() };
    }

    /// Ends when the connection has taken too long for what it is doing.
    async fn too_long(&self, patience: Patience) {
        loop {
            let Clock { stage, since } = *self.clock();
            let most = if stage == Stage::Reading { patience.head } else { patience.idle };
            let left = most.saturating_sub(since.elapsed());
            if left.is_zero() {
                return;
            }
            // The stage may change meanwhile to one with less patience.
            tokio::time::sleep(left.min(patience.head)).await;
        }
    }

    /// Says that nothing more comes, and takes what the other end still sends.
    async fn finish(self) {
        let Some(mut stream) = Arc::into_inner(self.stream) else { return };
        if stream.shutdown().await.is_err() {
            return;
        }
        let drain = async {
            let mut buffer = vec![0; 16 * 1024];
            let mut left = DRAINED_BYTES_MAX;
            while let Ok(count @ 1..) = tokio::io::AsyncReadExt::read(&mut stream, &mut buffer).await {
                left = left.saturating_sub(count);
                if left == 0 {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(DRAIN_PATIENCE, drain).await;
    }

    /// What hyper says by itself about bytes that are no request becomes an answer of ours.
    fn refuse(&self, head: &[u8]) -> io::Result<()> {
        let is_too_large = head.starts_with(b"HTTP/1.1 431") || head.starts_with(b"HTTP/1.1 414");
        let refusal = match is_too_large {
            true => Refusal::TooLarge,
            false => Refusal::Bad("This is no request that is read here.".to_owned()),
        };
        let bytes = Reply::from(refusal).into_bytes();
        // The answer is shorter than any buffer of a socket that nothing was written to.
        self.stream.try_write(&bytes).map(|_| ())
    }
}

impl Read for Wire {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut bytes = [0; 8 * 1024];
        let room = buffer.remaining().min(bytes.len());
        loop {
            ready!(self.stream.poll_read_ready(cx))?;
            match self.stream.try_read(&mut bytes[..room]) {
                Ok(count) => {
                    if count > 0 && self.clock().stage == Stage::Waiting {
                        self.enter(Stage::Reading);
                    }
                    buffer.put_slice(&bytes[..count]);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl Write for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.stream.poll_write_ready(cx))?;
            if !matches!(self.clock().stage, Stage::Answering(_)) {
                let refused = self.refuse(bytes);
                self.enter(Stage::Answering(bytes.len()));
                return Poll::Ready(refused.map(|()| bytes.len()));
            }
            match self.stream.try_write(bytes) {
                Ok(count) => {
                    let mut clock = self.clock();
                    if let Stage::Answering(written) = &mut clock.stage {
                        *written += count;
                    }
                    clock.since = Instant::now();
                    return Poll::Ready(Ok(count));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Everything that was to go out has gone out when hyper flushes.
        if matches!(self.clock().stage, Stage::Answering(1..)) {
            self.enter(Stage::Waiting);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // `finish` does it.
        Poll::Ready(Ok(()))
    }
}
