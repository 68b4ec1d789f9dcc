//! What a listener shows: one snapshot, its token, and whether it still stands. It knows no request.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use docs::Snapshot;
use serde_json::{Map, Value, json};

use crate::faults::Refusal;
use crate::limits::{RETIRED_TOKENS_MAX, WRONG_TOKENS_MAX};
use crate::origin::{Origin, Staleness, Standing};
use crate::pace::Pace;
use crate::token::Token;

/// How long an answer about staleness is good for.
const STALENESS_KEPT: Duration = Duration::from_secs(1);

/// One snapshot under one token.
pub(crate) struct Shown {
    pub(crate) snapshot: Arc<Snapshot>,
    token: Token,
    origin: Box<dyn Origin>,
    /// Once it does not stand any more, it never does again.
    fallen: OnceLock<Refusal>,
    staleness: Mutex<Option<(Instant, Staleness)>>,
    /// The overview, which is the same at every look.
    overview: OnceLock<Value>,
}

/// What a listener shows now, and the tokens of what it showed before.
pub(crate) struct Binding {
    shown: Arc<Shown>,
    retired: VecDeque<Token>,
    wrong: Pace,
}

impl Shown {
    pub(crate) fn new(snapshot: Arc<Snapshot>, token: Token, origin: Box<dyn Origin>) -> Shown {
        Shown {
            snapshot,
            token,
            origin,
            fallen: OnceLock::new(),
            staleness: Mutex::new(None),
            overview: OnceLock::new(),
        }
    }

    pub(crate) fn token(&self) -> &Token {
        &self.token
    }

    /// Step 8 of the gate. A view whose index file was touched once is never served again.
    pub(crate) fn stands(&self) -> Result<(), Refusal> {
        if let Some(refusal) = self.fallen.get() {
            return Err(refusal.clone());
        }
        let refusal = match self.origin.standing() {
            Standing::Same => return Ok(()),
            Standing::Replaced => Refusal::Replaced,
            Standing::Altered => Refusal::Altered,
        };
        Err(self.fallen.get_or_init(|| refusal).clone())
    }

    /// What every answer begins with.
    pub(crate) fn identity(&self, now: Instant) -> Map<String, Value> {
        let snapshot = &self.snapshot;
        let mut kept = self.staleness.lock().unwrap_or_else(PoisonError::into_inner);
        let is_good = |at: Instant| now.saturating_duration_since(at) < STALENESS_KEPT;
        let staleness = match &*kept {
            Some((at, staleness)) if is_good(*at) => staleness.clone(),
            _ => {
                let staleness = self.origin.staleness(snapshot);
                *kept = Some((now, staleness.clone()));
                staleness
            }
        };
        let mut identity = Map::new();
        identity.insert("snapshot_id".to_owned(), Value::from(snapshot.snapshot_id()));
        identity.insert("revision".to_owned(), Value::from(snapshot.revision()));
        identity.insert("source_hash".to_owned(), Value::from(snapshot.source_hash().to_string()));
        identity.insert(
            "staleness".to_owned(),
            json!({
                "state": staleness.state.as_str(),
                "checked": staleness.checked.as_str(),
                "changed": staleness.changed,
                "changed_total": staleness.changed_total,
            }),
        );
        identity
    }

    /// The overview, made at the first look.
    pub(crate) fn overview(&self) -> &Value {
        self.overview.get_or_init(|| crate::overview::overview(&self.snapshot))
    }
}

impl Binding {
    pub(crate) fn new(shown: Shown, now: Instant) -> Binding {
        let wrong = Pace::new(WRONG_TOKENS_MAX, 1, now);
        Binding { shown: Arc::new(shown), retired: VecDeque::new(), wrong }
    }

    pub(crate) fn shown(&self) -> &Arc<Shown> {
        &self.shown
    }

    /// Shows something else from now on; whoever has the token of before is told.
    pub(crate) fn replace(&mut self, shown: Shown) {
        let before = std::mem::replace(&mut self.shown, Arc::new(shown));
        self.retired.push_front(before.token.clone());
        self.retired.truncate(RETIRED_TOKENS_MAX);
    }

    /// Step 7 of the gate: what a token opens. Every known token is compared, whichever is right.
    pub(crate) fn open(&mut self, token: &[u8], now: Instant) -> Result<Arc<Shown>, Refusal> {
        let is_current = self.shown.token.is(token);
        let is_retired = self.retired.iter().fold(false, |found, old| found | old.is(token));
        match (is_current, is_retired) {
            (true, _) => Ok(Arc::clone(&self.shown)),
            (false, true) => Err(Refusal::Replaced),
            (false, false) if self.wrong.admits(now) => Err(Refusal::TokenInvalid),
            (false, false) => Err(Refusal::Rate),
        }
    }
}
