//! Which ids and paths may be used as addresses (spec C3, C4): nothing that does not show, nothing that reads as something
//! else. It knows no project.

use std::sync::OnceLock;

use regex_automata::meta::Regex;
use unicode_normalization::is_nfc;

use crate::contract::Charset;

/// Bytes of an id.
pub const ID_BYTES_MAX: usize = 200;

/// Whether `text` may be an id.
pub fn is_id(text: &str, charset: Charset) -> bool {
    match charset {
        Charset::Ascii => is_ascii_id(text),
        Charset::Unicode => is_unicode_id(text),
    }
}

fn is_ascii_id(text: &str) -> bool {
    text.len() <= ID_BYTES_MAX
        && text.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '/')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:/~@-".contains(&byte))
        && !text.contains("//")
        && !text.split('/').any(|segment| segment == "." || segment == "..")
}

fn is_unicode_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= ID_BYTES_MAX
        && !text.contains(['[', ']', '|', '#', '^', '<', '>', '"', '\\', '`'])
        && text.chars().all(|c| c == ' ' || !c.is_whitespace())
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && !text.contains("  ")
        && is_shown(text)
        && is_nfc(text)
}

/// Whether a project-relative path may be served and shown.
pub fn is_path(text: &str) -> bool {
    !text.is_empty() && !text.contains('\\') && is_shown(text) && is_nfc(text)
}

/// Whether every character shows: none is a control, format, private-use or unassigned one. A joiner may stand beside
/// a letter of a script that needs it.
fn is_shown(text: &str) -> bool {
    if text.is_ascii() {
        return !text.bytes().any(|byte| byte.is_ascii_control());
    }
    static HIDDEN: OnceLock<Option<Regex>> = OnceLock::new();
    let hidden = HIDDEN.get_or_init(|| Regex::new(r"[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]").ok());
    let Some(hidden) = hidden else { return false };
    hidden.find_iter(text).all(|found| {
        let is_joiner = matches!(&text[found.range()], "\u{200B}" | "\u{200C}" | "\u{200D}");
        let beside = [text[..found.start()].chars().next_back(), text[found.end()..].chars().next()];
        is_joiner && beside.into_iter().flatten().any(is_foreign_letter)
    })
}

/// A letter of a script other than Latin.
fn is_foreign_letter(c: char) -> bool {
    static FOREIGN: OnceLock<Option<Regex>> = OnceLock::new();
    let foreign = FOREIGN.get_or_init(|| Regex::new(r"[\p{L}--\p{Latin}]").ok());
    let mut buffer = [0; 4];
    foreign.as_ref().is_some_and(|regex| regex.is_match(&*c.encode_utf8(&mut buffer)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_ids_have_one_form() {
        for id in ["REQ-1", "a", "/a/b.c", "a:b~c@d_e", &"x".repeat(ID_BYTES_MAX)] {
            assert!(is_id(id, Charset::Ascii), "{id}");
        }
        for id in ["", "-a", ".a", "a b", "a//b", "a/../b", "./a", "é", "a\n", &"x".repeat(ID_BYTES_MAX + 1)]
        {
            assert!(!is_id(id, Charset::Ascii), "{id}");
        }
    }

    #[test]
    fn unicode_ids_show_everything_they_hold() {
        for id in ["Über uns", "東京", "می\u{200C}خواهم", "क\u{94D}\u{200D}ष", "a-b"] {
            assert!(is_id(id, Charset::Unicode), "{id}");
        }
        for id in [
            "",
            " a",
            "a ",
            "a  b",
            "a#b",
            "a|b",
            "a\u{202E}b",
            "a\u{200B}b",
            "a\u{E0041}",
            "a\u{E000}",
            "u\u{308}",
            "a\u{378}",
            "a\tb",
            "a\u{A0}b",
        ] {
            assert!(!is_id(id, Charset::Unicode), "{id:?}");
        }
    }

    #[test]
    fn paths_are_as_plain_as_ids_but_may_hold_more_signs() {
        for path in ["a/b c.md", "a#b.md", "[x].md", "ä/é.md"] {
            assert!(is_path(path), "{path}");
        }
        for path in ["", "a\\b", "a\nb", "a\u{202E}.md", "e\u{301}.md", "\u{200B}.md"] {
            assert!(!is_path(path), "{path:?}");
        }
    }
}
