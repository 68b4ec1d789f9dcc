//! The grammar of placeholders: how they are written and where they already stand in a text.
//! It knows neither the values behind them nor how they are numbered.

use std::ops::Range;

/// What every placeholder begins with.
const OPEN: &str = "REDACTED[";

/// Appends the placeholder of the `number`-th distinct value of a rule.
pub(crate) fn write(rule: &str, number: usize, out: &mut String) {
    use std::fmt::Write as _;
    let _ = write!(out, "{OPEN}{rule}#{number}]");
}

/// Where text stands that looks like a placeholder of ours, in order.
pub(crate) fn find_all(text: &str) -> Vec<Range<usize>> {
    memchr::memmem::find_iter(text.as_bytes(), OPEN)
        .filter_map(|start| {
            let rest = &text.as_bytes()[start + OPEN.len()..];
            let name =
                rest.iter().take(64).take_while(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')).count();
            let digits = rest.get(name + 1..)?.iter().take(9).take_while(|b| b.is_ascii_digit()).count();
            let end = name + 1 + digits;
            let fits = name > 0 && digits > 0 && rest[name] == b'#' && rest.get(end) == Some(&b']');
            fits.then(|| start..start + OPEN.len() + end + 1)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_found_again() {
        let mut text = "a=".to_owned();
        write("github-pat", 12, &mut text);
        text.push_str(" b=");
        write("jwt", 1, &mut text);
        assert_eq!(text, "a=REDACTED[github-pat#12] b=REDACTED[jwt#1]");
        assert_eq!(find_all(&text), [2..25, 28..43]);
    }

    #[test]
    fn near_misses_are_ordinary_text() {
        for text in [
            "REDACTED[]",
            "REDACTED[a]",
            "REDACTED[a#]",
            "REDACTED[#1]",
            "REDACTED[a#1",
            "REDACTED[A#1]",
            "redacted[a#1]",
        ] {
            assert!(find_all(text).is_empty(), "{text}");
        }
    }
}
