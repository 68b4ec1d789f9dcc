//! The stamps of Doorstop: what that tool hashes of an item, and what a stamp in a file means. It resolves no link.

use sha2::{Digest, Sha256};

use super::{SETTINGS, python, uid};
use crate::model::Review;
use crate::parsed::FileText;
use crate::place::Lines;
use crate::tree::{Tree, TreeKind};
use crate::yaml;

/// An item as that tool sees it.
pub(super) struct Item<'a> {
    pub(super) id: &'a str,
    /// As it loads texts.
    pub(super) text: &'a str,
    pub(super) values: &'a Tree,
    /// Ids that the item links to, as written.
    pub(super) links: &'a [&'a str],
}

/// A stamp as a file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// None, or one that was taken away.
    Absent,
    /// Confirmed by hand: that tool puts the real stamp there.
    Confirmed,
    /// A stamp.
    Stamp(String),
}

/// What the stamp means.
pub(super) fn mark(value: &Tree) -> Mark {
    let TreeKind::Scalar(scalar) = &value.kind else { return Mark::Absent };
    match python::typed(scalar) {
        ("NoneType", _) => Mark::Absent,
        ("bool", text) if text == "False" => Mark::Absent,
        ("int", text) if text == "0" => Mark::Absent,
        ("float", text) if text.trim_start_matches('-') == "0.0" => Mark::Absent,
        ("str", text) => written(&text),
        _ => Mark::Confirmed,
    }
}

/// What a text means as a stamp.
pub(super) fn written(text: &str) -> Mark {
    if text.is_empty() {
        Mark::Absent
    } else if is_word_for_true(text) {
        Mark::Confirmed
    } else {
        Mark::Stamp(text.to_owned())
    }
}

fn is_word_for_true(text: &str) -> bool {
    matches!(text.trim().to_lowercase().as_str(), "yes" | "true" | "enabled" | "1")
}

/// What the mark of the review says; `None` for an item that is not active.
pub(super) fn review(item: &Item<'_>, file: &FileText) -> Option<Review> {
    if !is_active(item.values) {
        return None;
    }
    Some(match item.values.get("reviewed").map_or(Mark::Absent, mark) {
        Mark::Absent => Review::Never,
        Mark::Confirmed => Review::Current,
        Mark::Stamp(stamp) if stamp == self::stamp(item, file, true) => Review::Current,
        Mark::Stamp(_) => Review::Changed,
    })
}

/// Whether that tool looks at the item at all.
pub(super) fn is_active(values: &Tree) -> bool {
    values.get("active").is_none_or(is_true)
}

fn is_true(value: &Tree) -> bool {
    let TreeKind::Scalar(scalar) = &value.kind else { return true };
    match python::typed(scalar) {
        ("str", text) => is_word_for_true(&text),
        ("NoneType", _) => false,
        (_, text) => !matches!(text.as_str(), "False" | "0" | "0.0"),
    }
}

/// A text as that tool loads it: no line ends around it, no blanks behind its lines.
pub(super) fn loaded(text: &str) -> String {
    let is_blank = |c: char| c.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&c);
    let text = text.trim_matches('\n');
    text.split('\n').map(|line| line.trim_end_matches(is_blank)).collect::<Vec<_>>().join("\n")
}

/// The stamp of an item: what that tool hashes, simply joined. Its own review counts the links too.
pub(super) fn stamp(item: &Item<'_>, file: &FileText, with_links: bool) -> String {
    let Item { id, text, values, links } = item;
    let mut hasher = Sha256::new();
    hasher.update(id);
    hasher.update(text);
    hasher.update(values.get("ref").and_then(Tree::as_text).unwrap_or_default().trim());
    if let Some(references) = values.get("references")
        && matches!(&references.kind, TreeKind::Sequence(items) if !items.is_empty())
    {
        hasher.update(python::references(references));
    }
    if with_links {
        let mut links: Vec<&str> = links.to_vec();
        links.sort_by(|left, right| uid::order(left, right));
        links.dedup_by(|later, earlier| uid::is_same(later, earlier));
        links.iter().for_each(|link| hasher.update(link));
    }
    for key in reviewed_attributes(file) {
        if let Some(value) = values.get(&key) {
            hasher.update(python::converted(value));
        }
    }
    base64_url(&hasher.finalize())
}

/// Attributes that the document's settings count in.
fn reviewed_attributes(file: &FileText) -> Vec<String> {
    let Some((_, settings)) = file.siblings.iter().find(|(name, _)| name == SETTINGS) else {
        return Vec::new();
    };
    let tree = yaml::parse(settings, 0, settings.len(), &Lines::of(settings)).ok().flatten();
    let reviewed = tree.as_ref().and_then(|tree| tree.get("attributes")).and_then(|one| one.get("reviewed"));
    match reviewed.map(|one| &one.kind) {
        Some(TreeKind::Sequence(items)) => {
            let mut names: Vec<String> = items.iter().filter_map(Tree::as_text).map(str::to_owned).collect();
            names.sort();
            names.dedup();
            names
        }
        _ => Vec::new(),
    }
}

/// Base64 with the letters of addresses, padded.
fn base64_url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}
