//! What every answer looks like: the same headers on all of them, JSON or one of the constants. It does not know what
//! an answer says.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{self, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;

use crate::faults::Refusal;

/// On every answer, whatever it is. No answer has a header that lets another origin read it.
pub(crate) const HEADERS: [(&str, &str); 9] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
         trusted-types 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("x-frame-options", "DENY"),
    (
        "permissions-policy",
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// An answer before it is sent.
#[derive(Debug)]
pub(crate) struct Reply {
    status: u16,
    kind: &'static str,
    body: Bytes,
}

impl Reply {
    /// One of the constants.
    pub(crate) const fn constant(kind: &'static str, text: &'static str) -> Reply {
        Reply { status: 200, kind, body: Bytes::from_static(text.as_bytes()) }
    }

    /// Nothing.
    pub(crate) const fn empty() -> Reply {
        Reply { status: 204, kind: "", body: Bytes::new() }
    }

    /// JSON that is written already.
    pub(crate) fn json(text: String) -> Reply {
        Reply { status: 200, kind: "application/json", body: Bytes::from(text) }
    }

    /// Whether the connection is closed behind it: what was refused may not hold on to a place.
    pub(crate) const fn is_last(&self) -> bool {
        self.status >= 400
    }

    /// The answer as it goes out.
    pub(crate) fn into_response(self, is_last: bool) -> Response<Whole> {
        let is_last = is_last || self.is_last();
        let mut response = Response::new(Whole(Some(self.body)));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let headers = response.headers_mut();
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if !self.kind.is_empty() {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        }
        if self.status == 401 {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.status == 405 {
            headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        if is_last {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// The same as bytes, for a request that never became one.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let reason = StatusCode::from_u16(self.status).ok().and_then(|status| status.canonical_reason());
        let mut text = format!("HTTP/1.1 {} {}\r\n", self.status, reason.unwrap_or("Refused"));
        for (name, value) in HEADERS {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        let (kind, length) = (self.kind, self.body.len());
        text.push_str(&format!(
            "content-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
        ));
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(&self.body);
        bytes
    }
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Reply {
        let error = json!({ "error": { "code": refusal.code(), "message": refusal.message() } });
        Reply { status: refusal.status(), ..Reply::json(error.to_string()) }
    }
}

/// A body that is there as a whole.
#[derive(Debug)]
pub(crate) struct Whole(Option<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.take().filter(|bytes| !bytes.is_empty()).map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_all_headers_its_code_and_nothing_else() {
        for refusal in Refusal::all() {
            let (status, code) = (refusal.status(), refusal.code());
            let text = String::from_utf8(Reply::from(refusal.clone()).into_bytes()).unwrap();
            assert!(text.starts_with(&format!("HTTP/1.1 {status} ")), "{text}");
            let response = Reply::from(refusal).into_response(false);
            assert_eq!(response.status().as_u16(), status);
            assert_eq!(response.headers()["connection"], "close");
            for (name, value) in HEADERS {
                assert_eq!(response.headers()[name], value);
                assert!(text.contains(&format!("\r\n{name}: {value}\r\n")), "{text}");
            }
            let body: serde_json::Value =
                serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap();
            assert_eq!(body["error"]["code"], code);
            assert_eq!(body.as_object().unwrap().len(), 1);
        }
    }

    #[test]
    fn no_answer_lets_another_origin_read_it() {
        let names = HEADERS.map(|(name, _)| name);
        assert!(names.iter().all(|name| !name.starts_with("access-control-") && *name != "set-cookie"));
    }
}
