//! The one way from a text to its edits: parse, survey, edit, parse again, compare.
//!
//! Knows no language, and trusts none of its own edits: a reduced text whose tree is not the original tree without what
//! was taken out is thrown away.

use std::ops::Range;

use fault::{Stop, Watch};

use crate::edit::{Edit, apply};
use crate::grammar::Grammar;
use crate::language::{Entry, Syntax, entry_for};
use crate::limits;
use crate::parse::{Budget, Reader};
use crate::strip;
use crate::survey::{self, Untouched};
use crate::tier::Wanted;

/// Why a file stays complete although its language is supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doubt {
    /// There is no table for this kind of file.
    Unsupported,
    /// Nothing was found that is wanted out, or the result would not be smaller.
    NotSmaller,
    /// The text, its tree or what would be taken out is beyond a limit.
    TooLarge,
    /// The parser did not come to an end within its budget.
    TooSlow,
    /// The whole text is one error to the parser.
    Broken,
    /// The tree of the result is not the original tree without what was taken out.
    Different,
}

/// The edits that reduce `text`, the content of the file at `path`, as far as `wanted` asks.
///
/// The edits are sorted and do not overlap. There are none when the language is not supported, when the result would
/// not be smaller, when a limit is reached, or when anything about the result is in doubt: then the file stays complete.
///
/// # Errors
/// The [`Stop`] that `watch` reported.
pub fn reduce(text: &str, path: &str, wanted: Wanted, watch: &dyn Watch) -> Result<Vec<Edit>, Stop> {
    Ok(attempt(text, path, wanted, watch)?.unwrap_or_default())
}

/// Like [`reduce`], but says why there are no edits.
///
/// # Errors
/// The [`Stop`] that `watch` reported.
pub fn attempt(
    text: &str,
    path: &str,
    wanted: Wanted,
    watch: &dyn Watch,
) -> Result<Result<Vec<Edit>, Doubt>, Stop> {
    watch.check()?;
    if !ends_lines_with_crlf(text) {
        return attempt_plain(text, path, wanted, watch);
    }
    // Some grammars read a line end of two characters differently, and nothing that is wanted depends on it.
    let plain = text.replace("\r\n", "\n");
    let edits = attempt_plain(&plain, path, wanted, watch)?;
    Ok(edits.map(|edits| in_crlf(&plain, edits)))
}

/// Whether every line ends in CRLF and no CR stands alone.
fn ends_lines_with_crlf(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut pairs = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' if at == 0 || bytes[at - 1] != b'\r' => return false,
            b'\n' => pairs += 1,
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => return false,
            _ => {}
        }
    }
    pairs > 0
}

/// The same edits in the text whose lines end in CRLF.
fn in_crlf(plain: &str, edits: Vec<Edit>) -> Vec<Edit> {
    let (mut seen, mut line_ends) = (0, 0);
    let mut moved = |at: usize| {
        line_ends += plain.as_bytes()[seen..at].iter().filter(|byte| **byte == b'\n').count();
        seen = at;
        at + line_ends
    };
    edits
        .into_iter()
        .map(|edit| {
            let start = moved(edit.range.start);
            let end = moved(edit.range.end);
            let with =
                if edit.with.contains('\n') { edit.with.replace('\n', "\r\n").into() } else { edit.with };
            Edit { range: start..end, with }
        })
        .collect()
}

fn attempt_plain(
    text: &str,
    path: &str,
    wanted: Wanted,
    watch: &dyn Watch,
) -> Result<Result<Vec<Edit>, Doubt>, Stop> {
    let Some(entry) = entry_for(path, text) else { return Ok(Err(Doubt::Unsupported)) };
    let wanted = Wanted { bodies: wanted.bodies && entry.language.bodies, ..wanted };
    if text.len() > limits::TEXT_CHARS && text.chars().count() > limits::TEXT_CHARS {
        return Ok(Err(Doubt::TooLarge));
    }
    if limits::is_too_deep(text) {
        return Ok(Err(Doubt::TooLarge));
    }
    if !may_hold_something(text, wanted, &entry.syntax) {
        return Ok(Err(Doubt::NotSmaller));
    }
    edits(text, entry, wanted, &Budget::from_now(watch))
}

fn edits(
    text: &str,
    entry: &'static Entry,
    wanted: Wanted,
    budget: &Budget,
) -> Result<Result<Vec<Edit>, Doubt>, Stop> {
    let grammar = entry.grammar();
    let Some(mut reader) = Reader::new(&grammar.language) else { return Ok(Err(Doubt::Unsupported)) };
    let Some(tree) = reader.parse(text, budget)? else { return Ok(Err(Doubt::TooSlow)) };
    let root = tree.root_node();
    if root.is_error() {
        return Ok(Err(Doubt::Broken));
    }
    if root.descendant_count() > limits::NODES {
        return Ok(Err(Doubt::TooLarge));
    }
    let found = survey::survey(&tree, grammar, text, wanted, &untouched(text, &entry.syntax));
    // Two trees of one file are never held at once.
    drop(tree);
    if found.removals.len() > limits::CAPTURES || found.declarations > limits::DECLARATIONS {
        return Ok(Err(Doubt::TooLarge));
    }
    let edits = strip::edits(text, &found.removals, &found.protected, wanted, entry.syntax.joint);
    if edits.len() > limits::EDITS {
        return Ok(Err(Doubt::TooLarge));
    }
    if edits.windows(2).any(|pair| pair[0].range.end > pair[1].range.start) {
        return Ok(Err(Doubt::Different));
    }
    let reduced = apply(text, &edits);
    if reduced.len() >= text.len() {
        return Ok(Err(Doubt::NotSmaller));
    }
    let Some(tree) = reader.parse(&reduced, budget)? else { return Ok(Err(Doubt::TooSlow)) };
    let skeleton = survey::skeleton(&tree, grammar, &reduced, &replacements(&edits));
    Ok(if skeleton == found.skeleton { Ok(edits) } else { Err(Doubt::Different) })
}

/// Whether there is anything to look for, so that most files of data need no parser.
fn may_hold_something(text: &str, wanted: Wanted, syntax: &Syntax) -> bool {
    wanted.bodies
        || wanted.comments
            && (syntax.suites.is_some() || syntax.comment_marks.iter().any(|mark| text.contains(mark)))
        || wanted.blank_lines && text.split_inclusive('\n').any(|line| line.trim().is_empty())
}

fn untouched(text: &str, syntax: &Syntax) -> Untouched {
    let mut untouched = Untouched { shebang: text.starts_with("#!"), directives: Vec::new() };
    if !syntax.preprocessor {
        return untouched;
    }
    let mut start = 0;
    let mut continued = false;
    for line in text.split_inclusive('\n') {
        let is_directive = continued || line.trim_start().starts_with('#');
        if is_directive {
            untouched.directives.push(start..start + line.len());
        }
        continued = is_directive && line.trim_end().ends_with('\\');
        start += line.len();
    }
    untouched
}

/// Where the reduced text holds something instead of what was cut.
fn replacements(edits: &[Edit]) -> Vec<Range<usize>> {
    let mut removed = 0;
    let mut added = 0;
    let mut out = Vec::new();
    for edit in edits {
        let start = edit.range.start - removed + added;
        removed += edit.range.len();
        added += edit.with.len();
        if !edit.with.trim().is_empty() {
            out.push(start..start + edit.with.len());
        }
    }
    out
}

/// What a text declares, and how many defects its syntax tree holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Errors and missing tokens.
    pub defects: usize,
    /// Declarations in order, each with its place in bytes and its kind and name.
    pub declarations: Vec<(Range<usize>, String)>,
}

/// Parses and does nothing else, for measurements; none when the language is not supported.
pub fn parse_alone(text: &str, path: &str) -> Option<usize> {
    let mut reader = Reader::new(&entry_for(path, text)?.grammar().language)?;
    Some(reader.parse_all(text)?.root_node().descendant_count())
}

/// The outline of a text, without a limit of work; none when its language is not supported.
pub fn outline(text: &str, path: &str) -> Option<Outline> {
    let grammar: &Grammar = entry_for(path, text)?.grammar();
    let mut reader = Reader::new(&grammar.language)?;
    let tree = reader.parse_all(text)?;
    let (defects, declarations) = survey::outline(&tree, grammar, text);
    Some(Outline { defects, declarations })
}

#[cfg(test)]
mod tests;
