//! Why no page could be opened, and why a request gets no data: code, status and words of the engine. No text of a
//! document and no text of a request enters either.

use std::io;

/// Why no page could be opened.
#[derive(Debug, thiserror::Error)]
pub enum BrowserFault {
    /// No port of the loopback interface could be listened on (`visualize_bind_failed`).
    #[error("127.0.0.1 cannot be listened on ({0})")]
    Bind(io::ErrorKind),
    /// The system gave no random bytes for a token.
    #[error("the system gives no random bytes")]
    NoRandom,
    /// The system gave no thread to serve the page on.
    #[error("no thread can be started ({0})")]
    Thread(io::ErrorKind),
}

/// Why a request gets no data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The request is not one that this server reads; or an argument of it is wrong.
    Bad(String),
    /// It has a body.
    Body,
    /// Its line or its headers are too long or too many.
    TooLarge,
    /// It was sent to another name than the one of this listener.
    Host,
    /// It comes from a page of another origin.
    Origin,
    /// There is nothing at its path.
    Route,
    /// Its method is neither GET nor HEAD.
    Method,
    /// It has no token.
    TokenMissing,
    /// Its token is wrong.
    TokenInvalid,
    /// Too many of its kind came in a second.
    Rate,
    /// The token belongs to a snapshot that another one has taken the place of.
    Replaced,
    /// The index file that the snapshot was checked against has other content now.
    Altered,
    /// No node has the id.
    NodeNotFound,
    /// Several nodes claim the id.
    NodeAmbiguous,
    /// The answer would be larger than allowed, however little is asked for.
    AnswerTooLarge,
}

impl Refusal {
    /// The HTTP status.
    pub(crate) const fn status(&self) -> u16 {
        match self {
            Refusal::Bad(_) => 400,
            Refusal::TokenMissing | Refusal::TokenInvalid => 401,
            Refusal::Origin => 403,
            Refusal::Route | Refusal::NodeNotFound | Refusal::NodeAmbiguous => 404,
            Refusal::Method => 405,
            Refusal::Replaced | Refusal::Altered => 409,
            Refusal::Body => 413,
            Refusal::Host => 421,
            Refusal::Rate => 429,
            Refusal::TooLarge => 431,
            Refusal::AnswerTooLarge => 500,
        }
    }

    /// The code on the wire (spec C16).
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Refusal::Bad(_) | Refusal::Body => "bad_request",
            Refusal::TooLarge => "headers_too_large",
            Refusal::Host => "host_rejected",
            Refusal::Origin => "origin_rejected",
            Refusal::Route => "route_not_found",
            Refusal::Method => "method_not_allowed",
            Refusal::TokenMissing => "token_missing",
            Refusal::TokenInvalid => "token_invalid",
            Refusal::Rate => "rate_limited",
            Refusal::Replaced => "snapshot_replaced",
            Refusal::Altered => "snapshot_altered",
            Refusal::NodeNotFound => "node_not_found",
            Refusal::NodeAmbiguous => "node_ambiguous",
            Refusal::AnswerTooLarge => "internal_error",
        }
    }

    /// What it says, in one sentence.
    pub(crate) fn message(&self) -> &str {
        match self {
            Refusal::Bad(message) => message,
            Refusal::Body => "A request has no body here.",
            Refusal::TooLarge => "The request line or the headers are too long.",
            Refusal::Host => "The request was sent to another host name.",
            Refusal::Origin => "The request comes from another origin.",
            Refusal::Route => "There is nothing at this path.",
            Refusal::Method => "Only GET and HEAD are answered.",
            Refusal::TokenMissing => "The request has no token.",
            Refusal::TokenInvalid => "The token is not the one of this view.",
            Refusal::Rate => "There are too many requests; wait a second.",
            Refusal::Replaced => "Another snapshot has taken the place of this one.",
            Refusal::Altered => "The index file was altered after this view was opened.",
            Refusal::NodeNotFound => "There is no node of this id.",
            Refusal::NodeAmbiguous => "Several nodes claim this id.",
            Refusal::AnswerTooLarge => "The answer would be larger than allowed.",
        }
    }
}

#[cfg(test)]
impl Refusal {
    /// One of each.
    pub(crate) fn all() -> Vec<Refusal> {
        use Refusal::{
            Altered, AnswerTooLarge, Bad, Body, Host, Method, NodeAmbiguous, NodeNotFound, Origin, Rate,
            Replaced, Route, TokenInvalid, TokenMissing, TooLarge,
        };
        let bad = Bad(String::new());
        vec![
            bad,
            Body,
            TooLarge,
            Host,
            Origin,
            Route,
            Method,
            TokenMissing,
            TokenInvalid,
            Rate,
            Replaced,
            Altered,
            NodeNotFound,
            NodeAmbiguous,
            AnswerTooLarge,
        ]
    }
}
