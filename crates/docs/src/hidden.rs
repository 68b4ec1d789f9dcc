//! Characters that do not show and can make a text read as another one. It changes no text.

/// A class of such characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hidden {
    /// Controls of the direction of text.
    Bidi,
    /// Tag characters.
    TagChars,
    /// Characters without a width.
    ZeroWidth,
}

impl Hidden {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Hidden::Bidi => "bidi",
            Hidden::TagChars => "tag_chars",
            Hidden::ZeroWidth => "zero_width",
        }
    }

    const fn of(c: char) -> Option<Hidden> {
        match c {
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
                Some(Hidden::Bidi)
            }
            '\u{E0000}'..='\u{E007F}' => Some(Hidden::TagChars),
            '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}' | '\u{180E}' => Some(Hidden::ZeroWidth),
            _ => None,
        }
    }
}

/// The classes that `text` holds, in the order of their words.
pub fn hidden(text: &str) -> Vec<Hidden> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut found: Vec<Hidden> = Vec::new();
    for class in text.chars().filter_map(Hidden::of) {
        if !found.contains(&class) {
            found.push(class);
        }
        if found.len() == 3 {
            break;
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_once_and_in_order() {
        assert_eq!(hidden("plain ä"), []);
        let text = "a\u{200B}b\u{E0041}\u{202E}c\u{200B}";
        let words: Vec<_> = hidden(text).into_iter().map(Hidden::as_str).collect();
        assert_eq!(words, ["bidi", "tag_chars", "zero_width"]);
    }
}
