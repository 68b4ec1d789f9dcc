//! What stands at each path: four constants and three kinds of JSON. It decides nothing about who may ask.

use std::time::Instant;

use serde_json::{Map, Value};

use crate::assets;
use crate::binding::Shown;
use crate::faults::Refusal;
use crate::gate::Route;
use crate::limits::ANSWER_BYTES_MAX;
use crate::reply::Reply;
use crate::{neighborhood, search};

/// The constant at a path that holds no data.
pub(crate) fn constant(route: Route) -> Reply {
    match route {
        Route::App => Reply::constant("text/html; charset=utf-8", assets::PAGE),
        Route::Script => Reply::constant("text/javascript; charset=utf-8", assets::SCRIPT),
        Route::Style => Reply::constant("text/css; charset=utf-8", assets::STYLE),
        Route::Icon | Route::Overview | Route::Search | Route::Neighborhood => Reply::empty(),
    }
}

/// The data at a path, for a request that may have it.
pub(crate) fn data(route: Route, query: Option<&str>, shown: &Shown, now: Instant) -> Result<Reply, Refusal> {
    let snapshot = &shown.snapshot;
    let identity = shown.identity(now);
    match route {
        Route::Overview => {
            crate::params::Params::read(query, &[])?;
            written(identity, shown.overview().clone()).ok_or(Refusal::AnswerTooLarge)
        }
        Route::Search => {
            let asked = search::Asked::read(query, snapshot)?;
            fitting(asked.limit, &identity, |limit| search::found(&asked, limit, snapshot))
        }
        _ => {
            let asked = neighborhood::Asked::read(query, snapshot)?;
            fitting(asked.limit, &identity, |limit| Ok(neighborhood::around(&asked, limit, snapshot)))
        }
    }
}

/// The answer to as much of `limit` as an answer can hold.
fn fitting(
    mut limit: usize,
    identity: &Map<String, Value>,
    make: impl Fn(usize) -> Result<Value, Refusal>,
) -> Result<Reply, Refusal> {
    loop {
        if let Some(reply) = written(identity.clone(), make(limit)?) {
            return Ok(reply);
        }
        limit = Some(limit / 2).filter(|less| *less > 0).ok_or(Refusal::AnswerTooLarge)?;
    }
}

/// The answer, unless it is larger than allowed.
fn written(mut answer: Map<String, Value>, data: Value) -> Option<Reply> {
    if let Value::Object(data) = data {
        answer.extend(data);
    }
    let text = Value::Object(answer).to_string();
    (text.len() <= ANSWER_BYTES_MAX).then(|| Reply::json(text))
}
