//! Tells languages that share a file extension apart, by the words a text uses.
//!
//! Knows no grammars. It reads tokens as C has them, outside comments, strings, and what only a C++ compiler sees.

/// One token: a word, `::`, or one other character.
pub(crate) type Token<'a> = &'a str;

/// Most tokens that are looked at: what a header is shows early.
const TOKENS: usize = 50_000;

/// Whether any of `patterns` occurs in `tokens`.
///
/// In a pattern `_` stands for any word, and a first element `!word` for any token but that word (or the start).
pub(crate) fn any(tokens: &[Token], patterns: &[&[&str]]) -> bool {
    patterns.iter().any(|pattern| occurs(tokens, pattern))
}

fn occurs(tokens: &[Token], pattern: &[&str]) -> bool {
    let (refused, pattern) = match pattern.split_first() {
        Some((first, rest)) if first.len() > 1 && first.starts_with('!') => (Some(&first[1..]), rest),
        _ => (None, pattern),
    };
    tokens.windows(pattern.len()).enumerate().any(|(at, window)| {
        let fits = window.iter().zip(pattern).all(|(token, wanted)| match *wanted {
            "_" => token.starts_with(is_word_start),
            wanted => *token == wanted,
        });
        fits && (refused.is_none() || at == 0 || Some(tokens[at - 1]) != refused)
    })
}

/// The first tokens of `text`.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    let mut line_start = true;
    while let Some(first) = rest.chars().next() {
        if out.len() >= TOKENS {
            break;
        }
        let len = match first {
            '\n' => {
                line_start = true;
                rest = &rest[1..];
                continue;
            }
            ' ' | '\t' | '\r' | '\x0c' => {
                rest = &rest[1..];
                continue;
            }
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = rest[2..].find("*/").map_or("", |at| &rest[2 + at + 2..]);
                continue;
            }
            '"' | '\'' => {
                rest = &rest[quoted_len(rest, first)..];
                line_start = false;
                continue;
            }
            '#' if line_start && is_for_cpp_only(rest) => {
                rest = after_cpp_only(rest);
                continue;
            }
            ':' if rest.starts_with("::") => 2,
            _ if is_word_start(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            other => other.len_utf8(),
        };
        out.push(&rest[..len]);
        rest = &rest[len..];
        line_start = false;
    }
    out
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Length of the string at the start of `text`, up to its closing quote or the end of the line.
fn quoted_len(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

fn is_for_cpp_only(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let directive = line[1..].trim_start();
    directive.starts_with("if")
        && !directive.starts_with("ifndef")
        && line.contains("__cplusplus")
        && !line.contains('!')
}

/// What follows the branch that only a C++ compiler sees: its `#else`, `#elif` or `#endif`.
fn after_cpp_only(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start).unwrap_or_default();
        if directive.starts_with("if") {
            depth += 1;
        } else if directive.starts_with("endif") || (depth == 1 && directive.starts_with("el")) {
            depth -= 1;
        }
        at += line.len();
        if depth == 0 {
            break;
        }
    }
    &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_words_double_colons_and_single_characters() {
        assert_eq!(
            tokens("std::vector<int> é; // x\n/* y */ z"),
            ["std", "::", "vector", "<", "int", ">", "é", ";", "z"]
        );
    }

    #[test]
    fn strings_and_unfinished_strings_hold_no_tokens() {
        assert_eq!(tokens("a \"b \\\" c\" 'd' e \"f\ng"), ["a", "e", "g"]);
    }

    #[test]
    fn what_only_a_cpp_compiler_sees_holds_no_tokens() {
        let text = "#ifdef __cplusplus\nextern \"C\" {\n#if A\n#endif\n#else\nx\n#endif\n#if defined(__cplusplus)\n}\n#endif\ny";
        assert_eq!(tokens(text), ["x", "#", "endif", "y"]);
    }

    #[test]
    fn a_refused_word_before_a_pattern_hides_it() {
        let pattern: &[&[&str]] = &[&["!struct", "class", "_"]];
        assert!(any(&tokens("class A;"), pattern));
        assert!(!any(&tokens("struct class a;"), pattern));
    }
}
