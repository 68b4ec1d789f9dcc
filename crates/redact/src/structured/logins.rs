//! `.pgpass` and `.netrc`: files that hold nothing but logins.

use super::{Found, LineEnd, lines, quoted};
use crate::template::is_template;

/// `host:port:database:user:password`, with `\:` and `\\` inside fields.
pub(crate) fn find_pgpass(text: &str, found: &mut Found<'_>) {
    for line in lines(text) {
        if text[line.clone()].starts_with('#') {
            continue;
        }
        let mut colons = 0;
        let mut escaped = false;
        for (at, byte) in text[line.clone()].bytes().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b':' => colons += 1,
                _ => {}
            }
            if colons == 4 {
                let password = line.start + at + 1..line.end;
                if !is_template(&text[password.clone()]) && !found(password, "pgpass-password") {
                    return;
                }
                break;
            }
        }
    }
}

/// `machine … login … password …`, over any number of lines.
pub(crate) fn find_netrc(text: &str, found: &mut Found<'_>) {
    let mut key = "";
    let mut at = 0;
    let bytes = text.as_bytes();
    let mut ends = LineEnd::default();
    loop {
        at += bytes[at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        if at >= bytes.len() {
            return;
        }
        if bytes[at] == b'#' && key.is_empty() {
            at = ends.behind(bytes, at);
            continue;
        }
        let line_end = ends.behind(bytes, at);
        let quote = (bytes[at] == b'"').then(|| quoted(text, at, line_end)).flatten();
        let (token, end) = match quote {
            Some(inside) => (inside.clone(), inside.end + 1),
            None => {
                let end = at + bytes[at..].iter().take_while(|b| !b.is_ascii_whitespace()).count();
                (at..end, end)
            }
        };
        at = end;
        let word = &text[token.clone()];
        match key {
            "password" => {
                if !is_template(word) && !found(token, "netrc-password") {
                    return;
                }
                key = "";
            }
            "" => {
                let takes_one = ["machine", "login", "account", "password", "macdef"];
                key = takes_one.into_iter().find(|name| *name == word).unwrap_or("");
            }
            _ => key = "",
        }
    }
}
