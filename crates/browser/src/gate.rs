//! The gate: what is looked at before any work is done for a request, in the published order (spec C13). It sees the
//! head of a request and no project.

use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, header};

use crate::faults::Refusal;
use crate::limits::{HEADER_BYTES_MAX, HEADERS_MAX, REQUEST_LINE_BYTES_MAX};

/// What a listener is called: its whole name and nothing that only resembles it.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    host: String,
    origin: String,
}

/// Everything that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// The page.
    App,
    /// Its script.
    Script,
    /// Its style.
    Style,
    /// No picture.
    Icon,
    /// The project from far away.
    Overview,
    /// Nodes by words and conditions.
    Search,
    /// A node with what is around it.
    Neighborhood,
}

impl Route {
    /// Every route with its path.
    pub(crate) const ALL: [(&'static str, Route); 7] = [
        ("/app", Route::App),
        ("/app.js", Route::Script),
        ("/app.css", Route::Style),
        ("/favicon.ico", Route::Icon),
        ("/api/v1/overview", Route::Overview),
        ("/api/v1/search", Route::Search),
        ("/api/v1/neighborhood", Route::Neighborhood),
    ];

    fn at(path: &str) -> Option<Route> {
        Route::ALL.into_iter().find(|(known, _)| *known == path).map(|(_, route)| route)
    }

    /// Whether it answers with data of the project, so that a token is needed.
    pub(crate) const fn is_data(self) -> bool {
        matches!(self, Route::Overview | Route::Search | Route::Neighborhood)
    }
}

impl Own {
    /// The name of a listener on 127.0.0.1.
    pub(crate) fn on(port: u16) -> Own {
        Own { host: format!("127.0.0.1:{port}"), origin: format!("http://127.0.0.1:{port}") }
    }

    /// Steps 2 to 6 of the gate; step 1 was taken when the connection was accepted.
    pub(crate) fn admit(&self, head: &Parts) -> Result<Route, Refusal> {
        has_form(head)?;
        let headers = &head.headers;
        match headers.get(header::HOST) {
            Some(host) if host.as_bytes() == self.host.as_bytes() => {}
            _ => return Err(Refusal::Host),
        }
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => {}
            (Some(origin), None) if origin.as_bytes() == self.origin.as_bytes() => {}
            _ => return Err(Refusal::Origin),
        }
        let route = Route::at(head.uri.path());
        if !is_own_fetch(headers, route == Some(Route::App)) {
            return Err(Refusal::Origin);
        }
        let route = route.ok_or(Refusal::Route)?;
        if head.method != Method::GET && head.method != Method::HEAD {
            return Err(Refusal::Method);
        }
        Ok(route)
    }
}

/// Step 2: sizes, no body, no other form of target, one host.
fn has_form(head: &Parts) -> Result<(), Refusal> {
    let target_bytes = head.uri.path_and_query().map_or(0, |target| target.as_str().len());
    // The method, two blanks and the version stand on the line as well.
    let line_bytes = head.method.as_str().len() + target_bytes + 2 + "HTTP/1.1".len();
    // A colon, a blank and a line end belong to each header.
    let header_bytes: usize =
        head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if line_bytes > REQUEST_LINE_BYTES_MAX
        || header_bytes > HEADER_BYTES_MAX
        || head.headers.len() > HEADERS_MAX
    {
        return Err(Refusal::TooLarge);
    }
    if head.headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(Refusal::Bad("A request has no transfer encoding here.".to_owned()));
    }
    if head.headers.get_all(header::CONTENT_LENGTH).iter().any(|length| length != "0") {
        return Err(Refusal::Body);
    }
    if head.uri.scheme().is_some() || head.uri.authority().is_some() {
        return Err(Refusal::Bad("The target of a request is a path here.".to_owned()));
    }
    if head.headers.get_all(header::HOST).iter().count() > 1 {
        return Err(Refusal::Bad("A request names one host.".to_owned()));
    }
    Ok(())
}

/// Step 5: a browser says that its own page asks; the page itself may be opened from anywhere, because people click on
/// its address.
fn is_own_fetch(headers: &HeaderMap, is_page: bool) -> bool {
    let said = |name: &str| -> Result<Option<&[u8]>, ()> {
        let mut values = headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (value, None) => Ok(value.map(|value| value.as_bytes())),
            _ => Err(()),
        }
    };
    match said("sec-fetch-site") {
        Ok(None | Some(b"same-origin")) => true,
        Ok(Some(b"none")) => is_page,
        Ok(Some(_)) => {
            is_page
                && said("sec-fetch-mode") == Ok(Some(b"navigate"))
                && said("sec-fetch-dest") == Ok(Some(b"document"))
        }
        Err(()) => false,
    }
}

/// The token that a request carries: exactly one header, exactly `Bearer` and the token.
pub(crate) fn bearer(headers: &HeaderMap) -> Result<&[u8], Refusal> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Err(Refusal::TokenMissing),
        (Some(value), None) => value.as_bytes().strip_prefix(b"Bearer ").ok_or(Refusal::TokenInvalid),
        (Some(_), Some(_)) => Err(Refusal::TokenInvalid),
    }
}
