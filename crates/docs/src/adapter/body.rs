//! The canonical form of a body (spec C4). It knows no format.

/// LF line ends, no blank lines at the end, and one final line end when there is anything. Nothing else changes, so that
/// what is read can be quoted exactly.
pub fn canonical(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    let mut rest = text;
    while let Some(at) = rest.find('\r') {
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    out.push_str(rest);
    let end = out.trim_end_matches([' ', '\t', '\n']).len();
    // Blanks behind the last words belong to their line.
    let end = out[end..].find('\n').map_or(out.len(), |line_end| end + line_end);
    if out[..end].trim_matches([' ', '\t', '\n']).is_empty() {
        return String::new();
    }
    out.truncate(end);
    out.push('\n');
    out
}

/// A body without the blank lines at its beginning, and how many bytes they took.
pub(crate) fn without_leading_blank_lines(text: &str) -> (&str, usize) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() || !line.ends_with('\n') {
            break;
        }
        start += line.len();
    }
    (&text[start..], start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_become_one_and_the_end_is_one_line_end() {
        for (text, expected) in [
            ("", ""),
            ("\n\n", ""),
            ("  \n", ""),
            ("a", "a\n"),
            ("a\r\nb\rc\n\n\n", "a\nb\nc\n"),
            ("a  \n \n", "a  \n"),
            ("\n\na\n", "\n\na\n"),
            ("a  ", "a  \n"),
        ] {
            assert_eq!(canonical(text), expected, "{text:?}");
            assert_eq!(canonical(expected), expected, "{text:?}");
        }
    }

    #[test]
    fn leading_blank_lines_are_counted() {
        assert_eq!(without_leading_blank_lines("\n \r\na\n"), ("a\n", 4));
        assert_eq!(without_leading_blank_lines("a"), ("a", 0));
        assert_eq!(without_leading_blank_lines("  "), ("  ", 0));
    }
}
