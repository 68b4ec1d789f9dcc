//! Other places where a value stands that was found to be a secret: a password that a comment repeats. It judges only
//! whether a value is unlikely to stand there by chance.

use std::collections::HashSet;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::claims::{Claims, Rank};
use crate::effort::Effort;
use crate::entropy::shannon;
use crate::finding::Uninspectable;

/// The shortest value that is looked for again, in bytes.
const MIN_BYTES: usize = 12;
/// The longest; bodies of keys are longer and stand alone.
const MAX_BYTES: usize = 512;

/// Claims every further place of the secrets claimed so far.
pub(crate) fn find(text: &str, claims: &mut Claims, effort: &mut Effort<'_>) -> Result<(), Uninspectable> {
    let mut seen = HashSet::new();
    let values: Vec<(&str, &'static str)> = claims
        .as_slice()
        .iter()
        .filter(|claim| claim.rank != Rank::Private && (MIN_BYTES..=MAX_BYTES).contains(&claim.range.len()))
        .filter_map(|claim| text.get(claim.range.clone()).map(|value| (value, claim.rule)))
        .filter(|(value, _)| is_unlikely(value) && seen.insert(*value))
        .collect();
    if values.is_empty() {
        return Ok(());
    }
    effort.spend(text.len())?;
    let finder = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(values.iter().map(|(value, _)| value));
    // The automaton is refused only when it would be too large; then the places found so far stand.
    let Ok(finder) = finder else { return Ok(()) };
    for hit in finder.find_iter(text) {
        claims.add(hit.range(), values[hit.pattern().as_usize()].1, Rank::Echo)?;
    }
    effort.ask()
}

/// Whether nobody would write this text by chance: several kinds of characters and no blanks.
pub(crate) fn is_unlikely(value: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| usize::from(value.as_bytes().iter().any(&kind));
    let kinds = has(u8::is_ascii_digit)
        + has(u8::is_ascii_lowercase)
        + has(u8::is_ascii_uppercase)
        + has(u8::is_ascii_punctuation);
    kinds >= 2
        && has(u8::is_ascii_digit) == 1
        && !value.bytes().any(|b| b.is_ascii_whitespace())
        && shannon(value) > 3.0
}
