//! The handle of the browser: a page is opened on a snapshot, a listener is started when the first one is, and both end
//! with the handle. It knows no tool and starts no program.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use docs::Snapshot;
use hyper::Request;
use hyper::body::Incoming;

use crate::binding::{Binding, Shown};
use crate::connection::Patience;
use crate::faults::{BrowserFault, Refusal};
use crate::gate::{Own, bearer};
use crate::limits::{
    CONNECTION_IDLE_SECONDS, HEAD_SECONDS_MAX, IDLE_MINUTES, IDLE_MINUTES_MAX, LIFE_HOURS_MAX,
    REQUESTS_PER_SECOND_MAX,
};
use crate::listener::{Answers, Bound, Listener};
use crate::origin::{Origin, Standing};
use crate::pace::{Pace, is_over};
use crate::params::encoded;
use crate::reply::Reply;
use crate::routes;
use crate::token::Token;

/// How a browser lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Minutes without an authorised request after which the listener closes, from 1 to
    /// [`crate::limits::IDLE_MINUTES_MAX`].
    pub idle_minutes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { idle_minutes: IDLE_MINUTES }
    }
}

/// What a page shows first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Focus {
    /// The project from far away.
    Overview,
    /// A node, by its id, with what is around it.
    Node(String),
    /// The hits of a query.
    Query(String),
}

/// A page that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Its address, the token in the fragment. It is for the one who asked and for nobody else.
    pub url: String,
    /// Minutes without a look after which the address is dead.
    pub expires_idle_minutes: u64,
    /// Whether a page on the same snapshot was open already: its token is the same.
    pub reused: bool,
}

/// At most one listener, on 127.0.0.1 and a port that the system chooses; none before the first page is opened. It is
/// closed when this handle is dropped.
#[derive(Debug)]
pub struct Browser {
    options: Options,
    timing: Timing,
    running: Mutex<Option<Running>>,
}

/// The times of a browser; only tests have others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    pub(crate) idle: Duration,
    pub(crate) life: Duration,
    pub(crate) patience: Patience,
}

impl Timing {
    pub(crate) fn of(options: Options) -> Timing {
        let minutes = options.idle_minutes.clamp(1, IDLE_MINUTES_MAX);
        Timing {
            idle: Duration::from_secs(minutes * 60),
            life: Duration::from_secs(LIFE_HOURS_MAX * 3600),
            patience: Patience {
                head: Duration::from_secs(HEAD_SECONDS_MAX),
                idle: Duration::from_secs(CONNECTION_IDLE_SECONDS),
                look: Duration::from_secs(5),
            },
        }
    }
}

#[derive(Debug)]
struct Running {
    listener: Listener,
    desk: Arc<Desk>,
}

impl Browser {
    /// A browser that nothing was opened in yet; there is no socket and no thread.
    pub fn new(options: Options) -> Browser {
        Browser::timed(options, Timing::of(options))
    }

    pub(crate) fn timed(options: Options, timing: Timing) -> Browser {
        Browser { options, timing, running: Mutex::new(None) }
    }

    /// Opens a page on `snapshot`. The same snapshot that still stands keeps its token; any other one gets a new token,
    /// and the pages of before are told that theirs was replaced. `origin` is asked about the snapshot from then on.
    ///
    /// # Errors
    /// [`BrowserFault`] when the system gives no port, no thread or no random bytes; nothing has changed then.
    pub fn open(
        &self,
        snapshot: &Arc<Snapshot>,
        focus: &Focus,
        origin: Box<dyn Origin>,
    ) -> Result<View, BrowserFault> {
        let mut running = self.running();
        if running.as_ref().is_some_and(|running| !running.listener.is_running()) {
            *running = None;
        }
        if let Some(Running { listener, desk }) = &*running {
            let reused = desk.shows(snapshot, origin.as_ref());
            if !reused {
                let token = Token::new().ok_or(BrowserFault::NoRandom)?;
                desk.state().binding.replace(Shown::new(Arc::clone(snapshot), token, origin));
            }
            desk.state().last_asked = Instant::now();
            return Ok(self.view(listener.port(), desk, focus, reused));
        }
        let token = Token::new().ok_or(BrowserFault::NoRandom)?;
        let bound = Bound::new()?;
        let shown = Shown::new(Arc::clone(snapshot), token, origin);
        let desk = Arc::new(Desk::new(Own::on(bound.port()), shown, self.timing));
        let answers: Arc<dyn Answers> = Arc::<Desk>::clone(&desk);
        let listener = bound.serve(answers, self.timing.patience)?;
        let view = self.view(listener.port(), &desk, focus, false);
        *running = Some(Running { listener, desk });
        Ok(view)
    }

    /// Whether a listener runs.
    pub fn is_running(&self) -> bool {
        self.running().as_ref().is_some_and(|running| running.listener.is_running())
    }

    /// Waits until no listener runs any more, for `patience` at most; whether none does.
    pub fn wait(&self, patience: Duration) -> bool {
        self.running().as_ref().is_none_or(|running| running.listener.wait(patience))
    }

    /// Closes the listener. The next page starts a new one.
    pub fn close(&self) {
        let running = self.running().take();
        drop(running);
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn view(&self, port: u16, desk: &Desk, focus: &Focus, reused: bool) -> View {
        let (token, focus) = {
            let focus = match focus {
                Focus::Overview => String::new(),
                Focus::Node(id) => format!("&node={}", encoded(id)),
                Focus::Query(text) => format!("&q={}", encoded(text)),
            };
            (desk.state().binding.shown().token().clone(), focus)
        };
        View {
            url: format!("http://127.0.0.1:{port}/app#t={}{focus}", token.as_str()),
            expires_idle_minutes: self.options.idle_minutes.clamp(1, IDLE_MINUTES_MAX),
            reused,
        }
    }
}

/// What the listener's thread and the handle share.
struct Desk {
    own: Own,
    timing: Timing,
    started: Instant,
    state: Mutex<DeskState>,
}

struct DeskState {
    binding: Binding,
    pace: Pace,
    last_asked: Instant,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("own", &self.own).finish_non_exhaustive()
    }
}

impl Desk {
    fn new(own: Own, shown: Shown, timing: Timing) -> Desk {
        let now = Instant::now();
        let pace = Pace::new(REQUESTS_PER_SECOND_MAX, REQUESTS_PER_SECOND_MAX, now);
        let state = DeskState { binding: Binding::new(shown, now), pace, last_asked: now };
        Desk { own, timing, started: now, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, DeskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this very snapshot is shown already, and can be shown on. The index file, where there is one, must be
    /// good in the eyes of the one who opens and of the one who opened.
    fn shows(&self, snapshot: &Snapshot, origin: &dyn Origin) -> bool {
        let shown = Arc::clone(self.state().binding.shown());
        shown.snapshot.snapshot_id() == snapshot.snapshot_id()
            && shown.stands().is_ok()
            && origin.standing() == Standing::Same
    }

    /// Steps 7 and 8 of the gate, and the pace between them.
    fn authorised(&self, request: &Request<Incoming>, now: Instant) -> Result<Arc<Shown>, Refusal> {
        let token = bearer(request.headers())?;
        let shown = {
            let mut state = self.state();
            let shown = state.binding.open(token, now)?;
            if !state.pace.admits(now) {
                return Err(Refusal::Rate);
            }
            state.last_asked = now;
            shown
        };
        shown.stands()?;
        Ok(shown)
    }

    fn answered(&self, request: &Request<Incoming>) -> Result<Reply, Refusal> {
        let (head, now) = (head_of(request), Instant::now());
        let route = self.own.admit(&head)?;
        if route.is_data() {
            let shown = self.authorised(request, now)?;
            return routes::data(route, head.uri.query(), &shown, now);
        }
        Ok(routes::constant(route))
    }
}

impl Answers for Desk {
    fn answer(&self, request: &Request<Incoming>) -> Reply {
        self.answered(request).unwrap_or_else(Reply::from)
    }

    fn is_over(&self) -> bool {
        let last_asked = self.state().last_asked;
        is_over(Instant::now(), self.started, last_asked, self.timing.idle, self.timing.life)
    }
}

/// The head of a request, without its body.
fn head_of(request: &Request<Incoming>) -> hyper::http::request::Parts {
    let mut head = Request::new(());
    *head.method_mut() = request.method().clone();
    *head.uri_mut() = request.uri().clone();
    *head.headers_mut() = request.headers().clone();
    head.into_parts().0
}
