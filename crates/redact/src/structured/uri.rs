//! Passwords in the authority of URLs, in any text. It knows no file shape.

use std::ops::Range;

use crate::template::is_template;

pub(crate) const RULE: &str = "credential-uri-password";
/// What every URL holds behind its scheme.
pub(crate) const ANCHOR: &str = "://";
/// The longest authority that is looked at.
const MAX_AUTHORITY_BYTES: usize = 2_048;

/// Schemes whose URLs carry a login. The first line is the contract's; the others are served the same way.
const SCHEMES: &[&str] = &[
    "postgres",
    "postgresql",
    "mysql",
    "mongodb",
    "redis",
    "rediss",
    "amqp",
    "amqps",
    "http",
    "https",
    "mariadb",
    "mssql",
    "sqlserver",
    "oracle",
    "cockroachdb",
    "clickhouse",
    "cassandra",
    "couchdb",
    "neo4j",
    "bolt",
    "influxdb",
    "elasticsearch",
    "ftp",
    "ftps",
    "sftp",
    "ssh",
    "smtp",
    "smtps",
    "imap",
    "imaps",
    "pop3",
    "ldap",
    "ldaps",
    "nats",
    "mqtt",
    "mqtts",
    "kafka",
    "socks5",
    "socks5h",
    "ws",
    "wss",
    "git",
    "svn",
    "rtsp",
    "sip",
    "memcached",
    "vnc",
    "smb",
    "dav",
    "davs",
    "stomp",
    "hdfs",
    "jdbc",
];

/// The password of the URL whose `://` stands at `anchor`.
pub(crate) fn password(text: &str, anchor: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let start = anchor + ANCHOR.len();
    let mut end = start;
    let mut last_at = None;
    let mut colon = None;
    // Brackets of templates may hold what would end the authority.
    let mut braces = 0usize;
    for &byte in bytes[start..].iter().take(MAX_AUTHORITY_BYTES) {
        match byte {
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            b'\n' | b'\r' => break,
            _ if braces > 0 => {}
            b'<' if end == start || colon == Some(end - 1) => braces += 1,
            b'>' => braces = braces.saturating_sub(1),
            b'/' | b'?' | b'#' | b' ' | b'\t' | b'"' | b'\'' | b'`' | b'\\' | b'|' | b'^' => break,
            b'@' => last_at = Some(end),
            b':' => {
                colon.get_or_insert(end);
            }
            _ => {}
        }
        end += 1;
    }
    let (colon, at) = (colon?, last_at?);
    let name_bytes = bytes[..anchor]
        .iter()
        .rev()
        .take(24)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+'))
        .count();
    let scheme = text[anchor - name_bytes..anchor].to_ascii_lowercase();
    // `postgresql+asyncpg`, `mongodb+srv`, `git+https`
    if !scheme.split('+').any(|part| SCHEMES.contains(&part)) {
        return None;
    }
    let user = &text[start..colon.min(at)];
    if colon >= at || user.contains(['(', '[', ',', ';']) {
        return None;
    }
    let password = colon + 1..at;
    let value = &text[password.clone()];
    if is_template(value) || is_filled_in(value) || is_documentation_host(&text[at + 1..end]) {
        return None;
    }
    Some(password)
}

/// A value that a program or a reader puts in: `{password}`, `$PASSWORD`, `%s`, `%(password)s`, `:password`, `[password]`, `***`, `#{x}`.
fn is_filled_in(value: &str) -> bool {
    let name = |text: &str| {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-:!()[] *&'\"".contains(&b))
    };
    let wrapped = |open: &str, close: &str| {
        value
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
            .is_some_and(|inner| inner.is_empty() || name(inner))
    };
    wrapped("{", "}")
        || wrapped("#{", "}")
        || wrapped("[", "]")
        || wrapped("%(", ")s")
        || wrapped("<", ">")
        || value.strip_prefix('$').is_some_and(|rest| {
            !rest.is_empty()
                && rest.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        })
        || matches!(value, "%s" | "%v" | "%d" | "***" | "xxx" | "XXX" | "..." | "*" | "%w" | "%@")
}

/// Hosts that documents use: `example.com`, `.net`, `.org` and what is below them, and the reserved top-level names.
/// `localhost` is none of them. Of several hosts every one must be one.
pub(crate) fn is_documentation_host(authority: &str) -> bool {
    let one = |host: &str| {
        let host =
            host.rsplit_once(':').map_or(host, |(name, _)| name).trim_end_matches('.').to_ascii_lowercase();
        let below = |domain: &str| {
            host == domain || host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.'))
        };
        ["example.com", "example.net", "example.org", "test", "example", "invalid"]
            .iter()
            .any(|domain| below(domain))
    };
    !authority.is_empty() && authority.split(',').all(one)
}
