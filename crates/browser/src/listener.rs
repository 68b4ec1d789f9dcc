//! The only socket: a listener on 127.0.0.1 with a thread and a runtime of its own, and its end. It knows no project.
//!
//! Under a confinement it needs `socket`, `bind`, `listen`, `getsockname`, `setsockopt`, `accept4`, `recvfrom`, `sendto`,
//! `shutdown`, `ioctl`, `epoll_*`, `eventfd2` and threads; `confine::Confinement::listens_on_loopback` grants those that are
//! refused otherwise. It opens no connection and no file.

#![expect(clippy::disallowed_methods, reason = "this is the one listener of the workspace")]

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener};
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use tokio::sync::{Semaphore, watch};

use crate::connection::{self, Patience};
use crate::faults::BrowserFault;
use crate::limits::CONNECTIONS_MAX;
use crate::reply::Reply;

/// How long a caller waits for the port to be free again.
const END_PATIENCE: Duration = Duration::from_millis(500);

/// What answers the requests of a listener.
pub(crate) trait Answers: Send + Sync + 'static {
    /// The answer to a request.
    fn answer(&self, request: &Request<Incoming>) -> Reply;

    /// Whether the listener has come to its end.
    fn is_over(&self) -> bool;
}

/// A listener; it ends with this handle.
#[derive(Debug)]
pub(crate) struct Listener {
    port: u16,
    stop: watch::Sender<bool>,
    ended: mpsc::Receiver<()>,
}

/// A port that is listened on and not yet served.
pub(crate) struct Bound {
    socket: TcpListener,
    port: u16,
}

impl Bound {
    /// A port that the system chooses, on 127.0.0.1 and nowhere else.
    pub(crate) fn new() -> Result<Bound, BrowserFault> {
        let fault = |error: io::Error| BrowserFault::Bind(error.kind());
        let socket = TcpListener::bind(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0)).map_err(fault)?;
        socket.set_nonblocking(true).map_err(fault)?;
        let port = socket.local_addr().map_err(fault)?.port();
        Ok(Bound { socket, port })
    }

    /// The port.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Serves it from a thread of its own, until the handle is dropped or `answers` says that it is over.
    pub(crate) fn serve(
        self,
        answers: Arc<dyn Answers>,
        patience: Patience,
    ) -> Result<Listener, BrowserFault> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| BrowserFault::Thread(error.kind()))?;
        let (stop, stopped) = watch::channel(false);
        let (end, ended) = mpsc::channel();
        let (socket, port) = (self.socket, self.port);
        let run = move || {
            runtime.block_on(accept(socket, answers, patience, stopped));
            // Whatever still runs on a connection ends here.
            drop(runtime);
            drop(end);
        };
        std::thread::Builder::new()
            .name("browser".to_owned())
            .spawn(run)
            .map_err(|error| BrowserFault::Thread(error.kind()))?;
        Ok(Listener { port, stop, ended })
    }
}

impl Listener {
    /// The port that it listens on.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Whether it still listens.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.ended.try_recv(), Err(mpsc::TryRecvError::Empty))
    }

    /// Waits until it listens no more, for `patience` at most; whether it does not.
    pub(crate) fn wait(&self, patience: Duration) -> bool {
        !matches!(self.ended.recv_timeout(patience), Err(mpsc::RecvTimeoutError::Timeout))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
        // A request that is being answered right now may hold it up; then it ends behind our back.
        self.wait(END_PATIENCE);
    }
}

async fn accept(
    socket: TcpListener,
    answers: Arc<dyn Answers>,
    patience: Patience,
    mut stopped: watch::Receiver<bool>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(socket) else { return };
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    let mut looks = tokio::time::interval(patience.look);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            _ = stopped.changed() => return,
            _ = looks.tick() => {
                if answers.is_over() {
                    return;
                }
                continue;
            }
            next = next => next,
        };
        match (place, accepted) {
            // Step 1 of the gate.
            (Ok(place), Ok((stream, SocketAddr::V4(peer)))) if *peer.ip() == Ipv4Addr::LOCALHOST => {
                let answers = Arc::clone(&answers);
                tokio::spawn(async move {
                    connection::serve(stream, patience, |request| answers.answer(request)).await;
                    drop(place);
                });
            }
            (Ok(_), Ok(_)) => {}
            // No handle is free, or the other end went away at once: the next one may do better.
            (Ok(_), Err(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            (Err(_), _) => return,
        }
    }
}
