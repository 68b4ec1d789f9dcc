//! Metrics of prepared files, summed in order. It knows sizes, not documents.

use content::{Class, chars, estimate_tokens};
use redact::Numbering;

use crate::read::FileContent;

/// Characters and estimated tokens of one file as a pack or an analysis counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measure {
    pub(crate) characters: u64,
    pub(crate) tokens: u64,
}

impl Measure {
    /// Of text that is shown.
    pub(crate) fn of_text(text: &str) -> Measure {
        Measure::of_characters(chars(text))
    }

    /// Of a text that was not read: one character a byte.
    pub(crate) fn of_size(size_bytes: u64) -> Measure {
        Measure::of_characters(size_bytes)
    }

    fn of_characters(characters: u64) -> Measure {
        Measure { characters, tokens: estimate_tokens(characters) }
    }

    pub(crate) fn add(&mut self, other: Measure) {
        self.characters = self.characters.saturating_add(other.characters);
        self.tokens = self.tokens.saturating_add(other.tokens);
    }
}

/// Measures what a file contributes; its placeholders are numbered with those before it.
pub(crate) fn measure(content: &FileContent, size_bytes: u64, numbering: &mut Numbering) -> Measure {
    match content {
        FileContent::Text(prepared) => match prepared.clean_text() {
            Some(text) => Measure::of_text(text),
            None => Measure::of_text(prepared.mask(numbering).text()),
        },
        FileContent::Other(Class::Binary | Class::Missing) => Measure::default(),
        FileContent::Other(_) => Measure::of_size(size_bytes),
    }
}
