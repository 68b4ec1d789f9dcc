//! Private keys in PEM and similar armour: finds the body between its markers, also inside string literals,
//! comments and JSON. The markers themselves stay readable. It knows no other kind of secret.

use std::ops::Range;

/// The rule's id.
pub(crate) const PRIVATE_KEY: &str = "private-key";
/// What every marker line holds.
pub(crate) const BEGIN_ANCHOR: &str = "BEGIN ";
/// The shortest body, in bytes.
const MIN_BODY_BYTES: usize = 64;
/// The longest body with an END marker, in bytes.
const MAX_BODY_BYTES: usize = 8_192;
/// The longest line of a body. Some tools write the whole body on one line.
const MAX_LINE_BYTES: usize = MAX_BODY_BYTES;
/// So many base64 characters in a row are a piece of a key rather than a word.
const PIECE_BYTES: usize = 16;
/// A line of this many base64 characters is a line of a key even where the END marker is missing.
const SURE_LINE_BYTES: usize = 40;

/// The body of a private key whose marker holds [`BEGIN_ANCHOR`] at `anchor`, or nothing. The second number is
/// where to go on: a marker before it belongs to this key.
pub(crate) fn body(text: &str, anchor: usize) -> Option<(Range<usize>, usize)> {
    let bytes = text.as_bytes();
    let dashes = bytes[..anchor].iter().rev().skip_while(|&&b| b == b' ').take_while(|&&b| b == b'-').count();
    if dashes < 4 {
        return None;
    }
    let label_from = anchor + BEGIN_ANCHOR.len();
    let label_bytes = bytes[label_from..]
        .iter()
        .take(64)
        .take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b' '))
        .count();
    let label = text[label_from..label_from + label_bytes].trim_end();
    if !(label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK")) {
        return None;
    }
    let mut from = label_from + label_bytes;
    let closing = bytes[from..].iter().take_while(|&&b| b == b'-').count();
    if closing < 4 {
        return None;
    }
    from += closing;
    match by_lines(bytes, from) {
        Some(Found { range, until, is_whole: true }) => Some((range, until)),
        part => between_markers(bytes, from).or(part.map(|part| (part.range, part.until))),
    }
}

/// A body, and where to go on.
struct Found {
    range: Range<usize>,
    until: usize,
    /// Whether it reaches to the END marker.
    is_whole: bool,
}

/// The body that begins at `from`, line by line.
fn by_lines(bytes: &[u8], from: usize) -> Option<Found> {
    let mut lines = Lines { bytes, at: from };
    let mut first = None;
    let mut last = from;
    let mut sure_last = from;
    let mut data_bytes = 0;
    let mut wide = 0;
    loop {
        let line = lines.next_line();
        let kind = match &line {
            Some(range) => judge(&bytes[range.clone()]),
            None => Kind::Other,
        };
        let range = line.unwrap_or(lines.at..lines.at);
        match kind {
            Kind::End => {
                let start = first?;
                let whole = data_bytes >= MIN_BODY_BYTES && last - start <= MAX_BODY_BYTES;
                let body = if whole { Some(start..last) } else { truncated(start, sure_last) };
                return body.map(|body| Found { range: body, until: range.end, is_whole: whole });
            }
            Kind::Blank => {}
            Kind::Header => {
                first.get_or_insert(range.start);
                last = range.end;
            }
            Kind::Data { sure } => {
                first.get_or_insert(range.start);
                last = range.end;
                data_bytes += range.len();
                let sure = sure
                    || (wide > 0 && range.len() == wide)
                    || (wide > 0 && tail_like(&bytes[range.clone()]));
                if sure {
                    wide = wide.max(range.len());
                    sure_last = range.end;
                }
            }
            Kind::Other => {
                let start = first?;
                return truncated(start, sure_last).map(|body| Found {
                    range: body,
                    until: sure_last,
                    is_whole: false,
                });
            }
        }
    }
}

/// The body between `from` and an END marker, whatever stands between its pieces: line ends that are none here, marks
/// of a table, damage. It must be made of long pieces of base64 for the most part.
fn between_markers(bytes: &[u8], from: usize) -> Option<(Range<usize>, usize)> {
    let window = &bytes[from..bytes.len().min(from + 2 * MAX_BODY_BYTES)];
    // Nothing behind another marker is looked at, so many markers cost no more than their text.
    let end = memchr::memmem::find(window, b"----")?;
    let dashes = window[end..].iter().take_while(|&&b| matches!(b, b'-' | b' ')).count();
    if !window[end + dashes..].starts_with(b"END ") {
        return None;
    }
    let (mut first, mut longest, mut in_pieces) = (None, 0, 0);
    let mut at = 0;
    while at < end {
        let piece = window[at..end].iter().take_while(|&&b| is_base64(b)).count();
        if piece >= PIECE_BYTES {
            first.get_or_insert(at);
            longest = longest.max(piece);
            in_pieces += piece;
        }
        at += piece + 1;
    }
    let all = window[..end].iter().filter(|byte| !byte.is_ascii_whitespace()).count();
    let is_key = longest >= SURE_LINE_BYTES && in_pieces >= MIN_BODY_BYTES && in_pieces * 2 >= all;
    let last = window[..end].trim_ascii_end().len();
    first.filter(|_| is_key).map(|first| (from + first..from + last, from + end + dashes))
}

/// What is masked of a key that has no END marker: up to the last line that is certainly part of it.
fn truncated(start: usize, sure_last: usize) -> Option<Range<usize>> {
    (sure_last > start).then_some(start..sure_last)
}

/// The short last line of a key: padded, or a mix that no word of prose or code is.
fn tail_like(line: &[u8]) -> bool {
    line.ends_with(b"=")
        || (line.len() >= 4
            && line.iter().any(u8::is_ascii_digit)
            && line.iter().any(u8::is_ascii_uppercase)
            && line.iter().any(u8::is_ascii_lowercase))
}

enum Kind {
    Blank,
    /// `Proc-Type: 4,ENCRYPTED`, `Version: …`.
    Header,
    Data {
        sure: bool,
    },
    End,
    Other,
}

fn judge(line: &[u8]) -> Kind {
    if line.is_empty() {
        return Kind::Blank;
    }
    if line.starts_with(b"----") || line.starts_with(b"END ") {
        let rest = &line[line.iter().take_while(|&&b| b == b'-' || b == b' ').count()..];
        return if rest.starts_with(b"END ") { Kind::End } else { Kind::Other };
    }
    let data = line.iter().take_while(|&&b| is_base64(b)).count();
    if data == line.len() && line.len() <= MAX_LINE_BYTES {
        return Kind::Data { sure: line.len() >= SURE_LINE_BYTES };
    }
    let name = line.iter().take_while(|&&b| b.is_ascii_alphanumeric() || b == b'-').count();
    if (3..=32).contains(&name) && line[name..].starts_with(b": ") && line.len() <= 160 {
        return Kind::Header;
    }
    Kind::Other
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The lines of an armoured body, however they are carried: ended by line ends or by their escapes, and freed of
/// indentation, comment marks, quotes and what joins string literals.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Lines<'_> {
    fn next_line(&mut self) -> Option<Range<usize>> {
        let bytes = self.bytes;
        if self.at >= bytes.len() {
            return None;
        }
        let start = self.at + bytes[self.at..].iter().take_while(|&&b| b == b' ').count();
        let mut end = start;
        let mut next = None;
        while end < bytes.len() && end - start <= MAX_LINE_BYTES + 256 {
            match bytes[end] {
                b'\n' => next = Some(end + 1),
                b'\\' => {
                    let slashes = bytes[end..].iter().take(4).take_while(|&&b| b == b'\\').count();
                    if let Some(b'n' | b'r' | b't' | b'\n' | b'\r') = bytes.get(end + slashes) {
                        next = Some(end + slashes + 1);
                    }
                }
                // A marker may follow the data on the same line; so may data separated by spaces.
                b'-' if bytes[end..].starts_with(b"----")
                    && end > start
                    && !bytes[start..end].iter().all(|&b| is_frame(b) || matches!(b, b'-' | b'/' | b'+')) =>
                {
                    next = Some(end);
                }
                b' ' if end - start >= 16 && bytes[start..end].iter().all(|&b| is_base64(b)) => {
                    next = Some(end + 1)
                }
                _ => {}
            }
            if next.is_some() {
                break;
            }
            end += 1;
        }
        self.at = next.unwrap_or(end);
        let mut range = start..end;
        while range.start < range.end && is_frame(bytes[range.start]) {
            range.start += 1;
        }
        while range.start < range.end && is_tail_frame(&bytes[range.clone()]) {
            range.end -= 1;
        }
        // `+` and `/` join literals and open comments, but also stand in data: only in front of a space or quote
        // are they part of the frame.
        while let [b'+' | b'/', b' ' | b'"' | b'\'' | b'/', ..] = &bytes[range.clone()] {
            range.start += 1;
            while range.start < range.end && is_frame(bytes[range.start]) {
                range.start += 1;
            }
        }
        while let [.., b' ' | b'"' | b'\'', b'+' | b'\\'] = &bytes[range.clone()] {
            range.end -= 1;
            while range.start < range.end && is_tail_frame(&bytes[range.clone()]) {
                range.end -= 1;
            }
        }
        if bytes[range.clone()].iter().all(|&b| matches!(b, b'+' | b'/')) {
            range.end = range.start;
        }
        Some(range)
    }
}

fn is_frame(byte: u8) -> bool {
    matches!(
        byte,
        b' ' | b'\t'
            | b'\r'
            | b'"'
            | b'\''
            | b'`'
            | b'*'
            | b'#'
            | b'>'
            | b'|'
            | b';'
            | b','
            | b'.'
            | b'('
            | b'\\'
            | b'&'
    )
}

fn is_tail_frame(line: &[u8]) -> bool {
    matches!(
        line.last(),
        Some(
            b' ' | b'\t'
                | b'\r'
                | b'"'
                | b'\''
                | b'`'
                | b'*'
                | b'|'
                | b';'
                | b','
                | b'.'
                | b')'
                | b'\\'
                | b'&'
        )
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Dice, expand};

    fn masked(text: &str) -> String {
        let mut out = text.to_owned();
        let mut from = 0;
        while let Some(at) = out[from..].find(BEGIN_ANCHOR) {
            let anchor = from + at;
            from = match body(&out, anchor) {
                Some((range, _)) => {
                    out.replace_range(range.clone(), "#");
                    range.start + 1
                }
                None => anchor + BEGIN_ANCHOR.len(),
            };
        }
        out
    }

    fn sample(template: &str) -> String {
        expand(template, &mut Dice::new(3))
    }

    #[test]
    fn the_body_is_found_and_both_marker_lines_stay() {
        for label in ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "] {
            let key = sample(&format!(
                "a\n-----BEGIN {label}PRIVATE KEY-----\n{{pem:5}}{{base64:30}}==\n-----END {label}PRIVATE KEY-----\nb"
            ));
            assert_eq!(
                masked(&key),
                format!("a\n-----BEGIN {label}PRIVATE KEY-----\n#\n-----END {label}PRIVATE KEY-----\nb")
            );
        }
    }

    #[test]
    fn headers_of_the_armour_are_part_of_the_body() {
        let key = sample(
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{HEX:32}\n\n{pem:3}-----END RSA PRIVATE KEY-----\n",
        );
        assert_eq!(masked(&key), "-----BEGIN RSA PRIVATE KEY-----\n#\n-----END RSA PRIVATE KEY-----\n");
        let key = sample(
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{pem:3}=aB3d\n-----END PGP PRIVATE KEY BLOCK-----\n",
        );
        assert_eq!(
            masked(&key),
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\n#\n-----END PGP PRIVATE KEY BLOCK-----\n"
        );
        let key = sample(
            "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n{pem:3}---- END SSH2 ENCRYPTED PRIVATE KEY ----\n",
        );
        assert_eq!(
            masked(&key),
            "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n#\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n"
        );
    }

    #[test]
    fn carriers_of_any_kind_are_seen_through() {
        for (text, expected) in [
            (
                r#"{"k": "-----BEGIN PRIVATE KEY-----\n{base64:64}\n{base64:64}\n-----END PRIVATE KEY-----\n"}"#,
                r#"{"k": "-----BEGIN PRIVATE KEY-----\n#\n-----END PRIVATE KEY-----\n"}"#,
            ),
            (
                r#"k='-----BEGIN PRIVATE KEY-----\\n{base64:64}\\n{base64:60}==\\n-----END PRIVATE KEY-----'"#,
                r#"k='-----BEGIN PRIVATE KEY-----\\n#\\n-----END PRIVATE KEY-----'"#,
            ),
            (
                "k=-----BEGIN PRIVATE KEY-----{base64:400}-----END PRIVATE KEY-----",
                "k=-----BEGIN PRIVATE KEY-----#-----END PRIVATE KEY-----",
            ),
            (
                "k: -----BEGIN PRIVATE KEY----- {base64:64} {base64:64} {base64:20} -----END PRIVATE KEY-----",
                "k: -----BEGIN PRIVATE KEY----- # -----END PRIVATE KEY-----",
            ),
            (
                "    # -----BEGIN PRIVATE KEY-----\n    # {base64:64}\n    # {base64:64}\n    # -----END PRIVATE KEY-----\n",
                "    # -----BEGIN PRIVATE KEY-----\n    # #\n    # -----END PRIVATE KEY-----\n",
            ),
            (
                "// -----BEGIN PRIVATE KEY-----\n// {base64:64}\n// {base64:64}\n// -----END PRIVATE KEY-----\n",
                "// -----BEGIN PRIVATE KEY-----\n// #\n// -----END PRIVATE KEY-----\n",
            ),
            (
                "\"-----BEGIN PRIVATE KEY-----\\n\" +\n  \"{base64:64}\\n\" +\n  \"{base64:64}\\n\" +\n  \"-----END PRIVATE KEY-----\\n\"",
                "\"-----BEGIN PRIVATE KEY-----\\n\" +\n  \"#\\n\" +\n  \"-----END PRIVATE KEY-----\\n\"",
            ),
            (
                "\"-----BEGIN PRIVATE KEY-----\",\r\n\"{base64:64}\",\r\n\"{base64:64}\",\r\n\"-----END PRIVATE KEY-----\"",
                "\"-----BEGIN PRIVATE KEY-----\",\r\n\"#\",\r\n\"-----END PRIVATE KEY-----\"",
            ),
        ] {
            let text = text.replace("{\"", "{{\"");
            assert_eq!(masked(&sample(&text)), expected);
        }
    }

    #[test]
    fn an_end_marker_is_enough_whatever_stands_between_the_lines() {
        for between in [
            "\r", "\t", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{a0}", "|", "<br>", "&#10;", "&#xA;",
            "%0A", r"\u000a", r"\x0a", "\n- ", "\r\r",
        ] {
            let lines = ["{base64:64}"; 12].join(between);
            let text = sample(&format!(
                "-----BEGIN RSA PRIVATE KEY-----{between}{lines}{between}-----END RSA PRIVATE KEY-----"
            ));
            let shown = masked(&text);
            let inside = shown.trim_start_matches("-----BEGIN RSA PRIVATE KEY-----");
            assert!(inside.len() < 60 && inside.contains('#'), "{between:?}: {shown}");
        }
    }

    #[test]
    fn a_damaged_line_uncovers_no_other() {
        let text = sample(
            "-----BEGIN PRIVATE KEY-----\n{base64:64}\n{base64:30}!{base64:33}\n{base64:64}\n{base64:64}\n-----END PRIVATE KEY-----",
        );
        assert_eq!(masked(&text), "-----BEGIN PRIVATE KEY-----\n#\n-----END PRIVATE KEY-----");
    }

    #[test]
    fn prose_between_markers_stays() {
        let text = "-----BEGIN PRIVATE KEY-----\n(put the key that your administrator gave you here, and nothing else!)\n-----END PRIVATE KEY-----";
        assert_eq!(masked(text), text);
    }

    #[test]
    fn the_body_has_64_to_8192_bytes() {
        let key = |bytes: usize| {
            sample(&format!("-----BEGIN PRIVATE KEY-----\n{{base64:{bytes}}}\n-----END PRIVATE KEY-----"))
        };
        assert!(!masked(&key(39)).contains('#'));
        let many = |lines: usize, rest: usize| {
            sample(&format!(
                "-----BEGIN PRIVATE KEY-----\n{{pem:{lines}}}{{base64:{rest}}}\n-----END PRIVATE KEY-----"
            ))
        };
        // 126 lines of 64 with their ends are 8,190 bytes.
        let all = "-----BEGIN PRIVATE KEY-----\n#\n-----END PRIVATE KEY-----";
        assert_eq!(masked(&many(126, 2)), all);
        // A longer one is masked like a truncated key, to its last sure line.
        assert!(masked(&many(130, 64)) == all);
    }

    #[test]
    fn a_key_without_an_end_is_masked_to_its_last_line() {
        let cut = sample("-----BEGIN RSA PRIVATE KEY-----\n{pem:4}\nfn main() {{\n    return;\n}");
        assert_eq!(masked(&cut), "-----BEGIN RSA PRIVATE KEY-----\n#\n\nfn main() {\n    return;\n}");
        let cut = sample("-----BEGIN RSA PRIVATE KEY-----\n{pem:4}{base64:20}==\n");
        assert_eq!(masked(&cut), "-----BEGIN RSA PRIVATE KEY-----\n#\n");
        let cut = sample("-----BEGIN RSA PRIVATE KEY-----\n{pem:2}continue\nelse\n");
        assert_eq!(masked(&cut), "-----BEGIN RSA PRIVATE KEY-----\n#\ncontinue\nelse\n");
    }

    #[test]
    fn prose_and_code_about_markers_stay() {
        for text in [
            "The file starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
            "if line == \"-----BEGIN PRIVATE KEY-----\" {\n    let x = read_the_rest_of_the_whole_file_and_more();\n}\n-----END PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEabcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ\n-----END PUBLIC KEY-----",
            "-----BEGIN CERTIFICATE-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEabcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ\n-----END CERTIFICATE-----",
            "-----BEGIN PRIVATE KEY-----",
        ] {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn a_body_of_any_length_without_an_end_is_masked_whole() {
        let cut = sample("-----BEGIN PRIVATE KEY-----\n{pem:400}");
        assert_eq!(masked(&cut), "-----BEGIN PRIVATE KEY-----\n#\n");
    }
}
