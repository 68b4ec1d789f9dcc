//! The generic tier: values given to names that speak of secrets, in any source, configuration or prose. It reads the shape of the
//! assignment here, judges the name in `generic/name.rs` and the value in `generic/value.rs`. It knows no token format.

pub(crate) mod name;
pub(crate) mod value;

use std::ops::Range;

use name::Meaning;
use value::Carrier;

/// The rule's id for passwords and secrets.
pub(crate) const SECRET: &str = "generic-secret";
/// The rule's id for keys and tokens.
pub(crate) const KEY: &str = "generic-api-key";

const MAX_NAME_BYTES: usize = 96;
const MAX_VALUE_BYTES: usize = 512;

/// What kind of file an assignment stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Values may stand without quotes: settings, shell scripts, prose.
    pub(crate) unquoted: bool,
    /// A file of tests or their data.
    pub(crate) test: bool,
}

impl Place {
    pub(crate) fn of(path: &str) -> Place {
        let lower = path.to_ascii_lowercase();
        let name = lower.rsplit(['/', '\\']).next().unwrap_or("");
        let extension = name.rsplit_once('.').map_or("", |(_, end)| end);
        const PLAIN: &[&str] = &[
            "",
            "yml",
            "yaml",
            "properties",
            "ini",
            "cfg",
            "conf",
            "cnf",
            "config",
            "env",
            "txt",
            "md",
            "rst",
            "adoc",
            "sh",
            "bash",
            "zsh",
            "fish",
            "ksh",
            "ps1",
            "bat",
            "cmd",
            "service",
            "list",
            "log",
            "csv",
            "tpl",
            "tmpl",
            "template",
            "example",
            "sample",
            "dist",
            "toml",
            "mk",
            "makefile",
            "http",
            "rest",
            "curlrc",
            "netrc",
            "tfvars",
            "hcl",
            "tf",
            "sql",
            "xml",
            "html",
        ];
        let unquoted = PLAIN.contains(&extension) || !name.contains('.') || name.starts_with('.');
        let test = lower.split(['/', '\\', '.', '_', '-']).any(|word| {
            matches!(
                word,
                "test"
                    | "tests"
                    | "testing"
                    | "testdata"
                    | "spec"
                    | "specs"
                    | "fixture"
                    | "fixtures"
                    | "mock"
                    | "mocks"
                    | "vectors"
                    | "testutil"
                    | "example"
                    | "examples"
            )
        });
        Place { unquoted, test }
    }
}

/// The value given to the name whose word stands at `word`, if it is a secret. `done` is how far names have been read.
pub(crate) fn assigned(
    text: &str,
    word: Range<usize>,
    place: Place,
    done: &mut usize,
) -> Option<(Range<usize>, &'static str)> {
    if word.start < *done {
        return None;
    }
    let bytes = text.as_bytes();
    let is_inner = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    let right = bytes[word.end..].iter().take(MAX_NAME_BYTES).take_while(|&&b| is_inner(b)).count();
    let mut end = word.end + right;
    // `token->`, `password--`: the dash is an operator.
    while end > word.end && bytes[end - 1] == b'-' {
        end -= 1;
    }
    let sign = sign_behind(bytes, end)?;
    let left = bytes[..word.start]
        .iter()
        .rev()
        .take(MAX_NAME_BYTES)
        .take_while(|&&b| is_inner(b) || b == b'.' || b == b'$')
        .count();
    let start = word.start - left;
    *done = end;
    let name = text.get(start..end)?;
    let before = start.checked_sub(1).map(|i| bytes[i]);
    let sign = match sign.kind {
        // `<password>value</password>`
        Kind::Element if before == Some(b'<') => sign,
        Kind::Element => return None,
        // `--password value`
        Kind::Blank if name.starts_with("--") && place.unquoted => sign,
        // SQL: PASSWORD 'value'
        Kind::Blank if name.eq_ignore_ascii_case("password") && bytes.get(sign.value) == Some(&b'\'') => sign,
        Kind::Blank => return None,
        _ => sign,
    };
    let meaning = name::meaning(name)?;
    let carrier = Carrier {
        test: place.test,
        certain: matches!(sign.kind, Kind::Assign | Kind::Element | Kind::Blank),
        quoted: true,
        argument: sign.kind == Kind::Argument && !sign.quoted_name,
    };
    let range = match sign.kind {
        Kind::Element => {
            let rest = &bytes[sign.value..];
            let end = rest.iter().take(MAX_VALUE_BYTES).position(|&b| b == b'<' || b == b'\n');
            let length = end.or_else(|| (rest.len() <= MAX_VALUE_BYTES).then_some(rest.len()))?;
            let range = super::structured::trimmed(text, sign.value..sign.value + length);
            value::is_secret(&text[range.clone()], meaning, carrier).then_some(range)
        }
        _ => literals(text, sign, meaning, carrier, place, before),
    };
    range.map(|range| (range, rule(meaning)))
}

fn rule(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Password | Meaning::Secret => SECRET,
        Meaning::Token | Meaning::Weak | Meaning::Plain => KEY,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `=`, `:`, `:=`, `=>`, `?=`.
    Assign,
    /// `==`, `!=`: the value is compared.
    Compare,
    /// `,` behind a quoted name, `(` behind a setter: the value is an argument.
    Argument,
    /// `>` behind the name of an element.
    Element,
    /// Nothing but blanks.
    Blank,
}

#[derive(Clone, Copy, Debug)]
struct Sign {
    kind: Kind,
    /// Where the value begins.
    value: usize,
    /// The sign is `=` with no blank on either side.
    tight: bool,
    /// The name stood in quotes.
    quoted_name: bool,
}

/// The sign behind a name that ends at `end`. This runs for every word, so it leaves early.
fn sign_behind(bytes: &[u8], end: usize) -> Option<Sign> {
    let mut at = end;
    let peek = |at: usize| bytes.get(at).copied().unwrap_or(b'\n');
    let mut quoted_name = false;
    if peek(at) == b'\\' && matches!(peek(at + 1), b'"' | b'\'') {
        at += 1;
    }
    if let b'"' | b'\'' | b'`' = peek(at) {
        quoted_name = true;
        at += 1;
    }
    let mut bracket = false;
    while let b']' | b'[' | b'?' = peek(at) {
        // `password[] =`, `password[32] =`, `["password"]`
        bracket = true;
        at += 1;
        at += bytes[at.min(bytes.len())..].iter().take(4).take_while(|b| b.is_ascii_digit()).count();
    }
    if quoted_name && peek(at) == b')' {
        at += 1;
    }
    let blanks =
        bytes[at.min(bytes.len())..].iter().take(64).take_while(|&&b| b == b' ' || b == b'\t').count();
    at += blanks;
    let (kind, length) = match (peek(at), peek(at + 1)) {
        (b'=', b'=') => (Kind::Compare, if peek(at + 2) == b'=' { 3 } else { 2 }),
        (b'!', b'=') => (Kind::Compare, if peek(at + 2) == b'=' { 3 } else { 2 }),
        (b'=', b'~') => return None,
        (b'=', b'>') | (b':', b'=') | (b'?', b'=') | (b'+', b'=') => (Kind::Assign, 2),
        (b':', b':') => return None,
        (b'=' | b':', _) => (Kind::Assign, 1),
        (b',', _) if quoted_name && !bracket => (Kind::Argument, 1),
        (b'(', _) if !quoted_name && blanks == 0 && !bracket => (Kind::Argument, 1),
        (b'>', _) if !quoted_name && blanks == 0 => (Kind::Element, 1),
        (b's', b't') if bytes[at..].starts_with(b"string ") && blanks > 0 => {
            // Go: `password string = "…"`
            let equals = at + 7 + bytes[at + 7..].iter().take(4).take_while(|&&b| b == b' ').count();
            if peek(equals) != b'=' || peek(equals + 1) == b'=' {
                return None;
            }
            return Some(Sign {
                kind: Kind::Assign,
                value: skip_blanks(bytes, equals + 1),
                tight: false,
                quoted_name,
            });
        }
        _ if blanks > 0 && !quoted_name && !bracket => (Kind::Blank, 0),
        _ => return None,
    };
    let value = skip_blanks(bytes, at + length);
    let tight = blanks == 0 && value == at + length && peek(at) == b'=' && kind == Kind::Assign;
    let mut sign = Sign { kind, value, tight, quoted_name };
    if peek(at) == b':' && kind == Kind::Assign && length == 1 {
        sign.value = behind_type(bytes, value).unwrap_or(value);
    }
    Some(sign)
}

fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    at + bytes[at.min(bytes.len())..].iter().take(64).take_while(|&&b| b == b' ' || b == b'\t').count()
}

/// `: &'static str = …`, `: String = …`, `: str | None = …`: where the value behind a type begins.
fn behind_type(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at.min(bytes.len())..];
    if !rest.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'&') {
        return None;
    }
    let length = rest
        .iter()
        .take(60)
        .take_while(|&&b| {
            b.is_ascii_alphanumeric()
                || matches!(
                    b,
                    b'&' | b'\'' | b'<' | b'>' | b'[' | b']' | b'.' | b':' | b'|' | b'_' | b'?' | b' ' | b','
                )
        })
        .count();
    let equals = at + length;
    (bytes.get(equals) == Some(&b'=') && bytes.get(equals + 1) != Some(&b'='))
        .then(|| skip_blanks(bytes, equals + 1))
}

/// The first secret among the literals of the value: a literal alone, or the arguments of a call.
fn literals(
    text: &str,
    sign: Sign,
    meaning: Meaning,
    mut carrier: Carrier,
    place: Place,
    before: Option<u8>,
) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = sign.value;
    if let Some(open) = open_quote(bytes, at) {
        return closed(text, open).filter(|range| value::is_secret(&text[range.clone()], meaning, carrier));
    }
    // A call or a fallback around literals: `Some("…")`, `String::from("…")`, `getenv("X", "…")`, `process.env.X || "…"`.
    let line_end = memchr::memchr(b'\n', &bytes[at..(at + 200).min(bytes.len())])
        .map_or((at + 200).min(bytes.len()), |i| at + i);
    if let Some(unquoted) = bare(text, sign, line_end, place, before) {
        let plain = Carrier { quoted: false, ..carrier };
        return Some(unquoted).filter(|range| value::is_secret(&text[range.clone()], meaning, plain));
    }
    if sign.kind == Kind::Argument && sign.quoted_name {
        return None;
    }
    carrier.certain = false;
    let mut seen = 0;
    let name = bytes[at..line_end]
        .iter()
        .take_while(|&&b| {
            b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'!' | b'&' | b'[' | b']' | b'?')
        })
        .count();
    if name == 0 {
        return None;
    }
    at += name;
    let opens =
        [b"(".as_slice(), b" ||", b" ??", b" or "].iter().any(|open| bytes[at..line_end].starts_with(open));
    if !opens {
        return None;
    }
    while at < line_end && seen < 3 {
        if let b'"' | b'\'' = bytes[at] {
            let range = closed(text, at)?;
            seen += 1;
            at = range.end + 1;
            if value::is_secret(&text[range.clone()], meaning, carrier) {
                return Some(range);
            }
        } else if bytes[at] == b';' {
            return None;
        } else {
            at += 1;
        }
    }
    None
}

/// Where a literal opens at `at`, behind the letters that may stand in front of its quote.
fn open_quote(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at.min(bytes.len())..];
    let prefix = rest.iter().take(3).take_while(|b| b"rRbBuUfFLc@$&".contains(b)).count();
    match rest.get(prefix..) {
        Some([b'"' | b'\'' | b'`', ..]) => Some(at + prefix),
        Some([b'\\', b'"', ..]) if prefix == 0 => Some(at + 1),
        _ => None,
    }
}

/// The inside of the literal that opens at `open`, on its line.
fn closed(text: &str, open: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mark = bytes[open];
    let escaped_quotes = open > 0 && bytes[open - 1] == b'\\';
    let mut inside = open + 1;
    // Three quotes, or the fence of a raw string, open together.
    if bytes[inside..].starts_with(&[mark, mark]) {
        inside += 2;
    }
    let mut at = inside;
    let far = (inside + MAX_VALUE_BYTES).min(bytes.len());
    while at < far {
        match bytes[at] {
            b'\n' => return None,
            b'\\' if escaped_quotes && bytes.get(at + 1) == Some(&mark) => return Some(inside..at),
            b'\\' => at += 1,
            b if b == mark => return (at > inside).then_some(inside..at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// A value without quotes, where the file or the form of the assignment allows one.
fn bare(text: &str, sign: Sign, line_end: usize, place: Place, before: Option<u8>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if sign.kind != Kind::Assign && sign.kind != Kind::Blank {
        return None;
    }
    let in_query = sign.tight && matches!(before, Some(b'?' | b'&'));
    let allowed = place.unquoted || in_query;
    if !allowed {
        return None;
    }
    // A table, a list, an element or an expression begins here.
    if matches!(
        bytes.get(sign.value..sign.value + 2),
        Some([b'{' | b'[' | b'<', _] | [b'$' | b'%' | b'#', b'{' | b'('])
    ) {
        return None;
    }
    let ends: &[u8] = if in_query { b"\"'`<>()[]{}&#;,\\|" } else { b"\"'`<>,;()" };
    let length = bytes[sign.value..line_end]
        .iter()
        .take_while(|&&b| b > b' ' && b < 0x80 && !ends.contains(&b))
        .count();
    let end = sign.value + length;
    // A call, an index or a string that goes on is no bare value.
    if length == 0 || matches!(bytes.get(end), Some(b'(' | b'\'' | b'"' | b'`')) && !in_query {
        return None;
    }
    let trailing = bytes[sign.value..end]
        .iter()
        .rev()
        .take_while(|b| matches!(b, b'.' | b':' | b'\\' | b'}' | b']'))
        .count();
    (length > trailing).then_some(sign.value..end - trailing)
}

/// The credential without a name behind `lead` (`bearer `, `basic `, `identified by `), which ends at `at`.
pub(crate) fn led(text: &str, lead: &str, at: usize, place: Place) -> Option<(Range<usize>, &'static str)> {
    let bytes = text.as_bytes();
    let carrier = Carrier { test: place.test, certain: false, quoted: true, argument: false };
    match lead {
        "identified by " => {
            let open = at + bytes[at..].iter().take(20).take_while(|b| **b == b' ').count();
            let open = if text[open..].len() > 9 && bytes[open..open + 9].eq_ignore_ascii_case(b"password ") {
                open + 9
            } else {
                open
            };
            let mark = bytes.get(open)?;
            if !matches!(mark, b'\'' | b'"') {
                return None;
            }
            let range = closed(text, open)?;
            value::is_secret(&text[range.clone()], Meaning::Password, Carrier { certain: true, ..carrier })
                .then_some((range, SECRET))
        }
        "basic " => {
            let length = bytes[at..]
                .iter()
                .take(MAX_VALUE_BYTES)
                .take_while(|b| b.is_ascii_alphanumeric() || b"+/=".contains(b))
                .count();
            let range = at..at + length;
            value::is_basic_login(&text[range.clone()]).then_some((range, SECRET))
        }
        _ => {
            let length = bytes[at..]
                .iter()
                .take(MAX_VALUE_BYTES)
                .take_while(|b| b.is_ascii_alphanumeric() || b"+/=-_.~".contains(b))
                .count();
            let range = at..at + length;
            (length >= 16 && value::is_secret(&text[range.clone()], Meaning::Token, carrier))
                .then_some((range, KEY))
        }
    }
}

#[cfg(test)]
mod tests;
