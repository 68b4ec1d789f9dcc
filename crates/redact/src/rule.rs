//! What a provider rule is: a data entry that carries its own samples and misses.
//! It does not know the engine that runs it, nor any particular provider.

pub use crate::rules::check::Check;

/// One provider rule: how a published token format looks, what of it is masked, and how to prove it.
///
/// Entries are written with [`Rule::BASE`]: `Rule { id: "github-pat", …, ..Rule::BASE }`.
#[derive(Debug)]
pub struct Rule {
    /// Kebab-case name; it becomes the placeholder's name and is part of the contract.
    pub id: &'static str,
    /// What the rule finds, for the reference page: no full stop, sentence case.
    pub title: &'static str,
    /// Literal texts, one of which must stand in the text for the pattern to be tried (ASCII, at least
    /// three bytes; four or more are much cheaper). One anchor must be found inside each match.
    pub anchors: &'static [&'static str],
    /// Whether the case of the anchors counts. Insensitive anchors are written in lower case.
    pub anchor_case: AnchorCase,
    /// The pattern, without Unicode classes (`\w`, `\d`, `\b`, `(?i)` are ASCII; `.` is any byte but `\n`).
    /// No look-around. It sees the text around the window, so `\b` at either end holds.
    pub pattern: &'static str,
    /// The capture group that is masked; 0 masks the whole match.
    pub group: usize,
    /// How many bytes before the first byte of an anchor a match may start. With 0 a match starts exactly
    /// at the anchor, which is the cheapest search.
    pub before: u16,
    /// How many bytes after the last byte of an anchor a match may end.
    pub after: u16,
    /// The Shannon entropy of the masked text, in bits per character, must be strictly greater; 0 is off.
    pub min_entropy: f32,
    /// The checksum that the masked text must carry, where the format has one.
    pub check: Option<Check>,
    /// Words of which one must stand at most 60 bytes before the match (or inside it), whatever their
    /// case; written in lower case; empty for none.
    pub context: &'static [&'static str],
    /// Ends of file paths (lower case, compared without case) to which the rule is limited; empty for any file.
    pub paths: &'static [&'static str],
    /// What lets a match stay: documented examples, template words.
    pub allow: &'static [Allow],
    /// Templates of texts in which the rule must find exactly one value; see [`crate::sample`].
    pub samples: &'static [&'static str],
    /// Templates of texts in which the rule must find nothing.
    pub misses: &'static [&'static str],
}

impl Rule {
    /// The defaults of the fields that most entries leave out.
    pub const BASE: Rule = Rule {
        id: "",
        title: "",
        anchors: &[],
        anchor_case: AnchorCase::Sensitive,
        pattern: "",
        group: 0,
        before: 0,
        after: 512,
        min_entropy: 0.0,
        check: None,
        context: &[],
        paths: &[],
        allow: &[],
        samples: &[],
        misses: &[],
    };
}

/// Whether the case of a rule's anchors counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorCase {
    /// The anchor stands exactly as written: token prefixes.
    Sensitive,
    /// ASCII letters of either case: words such as the name of a provider.
    Insensitive,
}

/// A reason to leave a match alone. All are asked of the text that would be masked, unless said otherwise.
#[derive(Clone, Copy, Debug)]
pub enum Allow {
    /// It contains this text, exactly as written (`EXAMPLE`).
    Contains(&'static str),
    /// It contains this word, whatever its case, with no letter or digit right beside it; lower case.
    Word(&'static str),
    /// It is this text, whatever its case; lower case.
    Is(&'static str),
    /// It matches this pattern somewhere (anchor it with `^…$` as needed); same dialect as [`Rule::pattern`].
    Regex(&'static str),
    /// The line on which the match starts contains this text, whatever its case; lower case.
    Line(&'static str),
}

#[cfg(test)]
mod tests;
