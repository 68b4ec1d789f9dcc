//! Requests in `*.http` and `*.rest` files: the credentials of the authorization headers and of cookies.

use std::ops::Range;

use super::{Found, lines, trimmed};
use crate::template::is_template;

pub(crate) fn find(text: &str, found: &mut Found<'_>) {
    for line in lines(text) {
        let Some(colon) = text[line.clone()].find(':') else { continue };
        let name = text[line.start..line.start + colon].trim().trim_start_matches(['#', '/', ' ']);
        let value = trimmed(text, line.start + colon + 1..line.end);
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted);
        let go_on = if is("authorization") || is("proxy-authorization") {
            authorization(text, value, found)
        } else if is("cookie") {
            cookies(text, value, usize::MAX, found)
        } else if is("set-cookie") {
            cookies(text, value, 1, found)
        } else {
            true
        };
        if !go_on {
            return;
        }
    }
}

fn authorization(text: &str, value: Range<usize>, found: &mut Found<'_>) -> bool {
    let body = &text[value.clone()];
    let Some(space) = body.find([' ', '\t']) else { return true };
    let rule = match &body[..space].to_ascii_lowercase()[..] {
        "bearer" => "authorization-bearer",
        "basic" => "authorization-basic",
        "token" => "authorization-token",
        _ => return true,
    };
    let credential = trimmed(text, value.start + space..value.end);
    is_template(&text[credential.clone()]) || found(credential, rule)
}

fn cookies(text: &str, value: Range<usize>, most: usize, found: &mut Found<'_>) -> bool {
    let mut at = value.start;
    for pair in text[value.clone()].split(';').take(most) {
        let range = at..at + pair.len();
        at = range.end + 1;
        let Some(equals) = pair.find('=') else { continue };
        let cookie = trimmed(text, range.start + equals + 1..range.end);
        let cookie = match text[cookie.clone()].strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(inner) => cookie.start + 1..cookie.start + 1 + inner.len(),
            None => cookie,
        };
        if !is_template(&text[cookie.clone()]) && !found(cookie, "http-cookie") {
            return false;
        }
    }
    true
}
