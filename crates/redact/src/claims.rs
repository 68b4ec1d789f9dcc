//! Settles who gets which bytes when findings overlap. It knows ranks, not rules.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::finding::{Class, Finding, MAX_FINDINGS, Uninspectable};

/// Who wins an overlap: the smaller rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The structured tier and private keys.
    Structured,
    /// The provider tier.
    Provider,
    /// The generic tier.
    Generic,
    /// Another place where a value stands that was found elsewhere.
    Echo,
    /// Private data.
    Private,
}

/// A finding that may overlap others.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) range: Range<usize>,
    pub(crate) rule: &'static str,
    pub(crate) rank: Rank,
}

/// Collects claims; a text with far too many is given up early.
#[derive(Debug, Default)]
pub(crate) struct Claims(Vec<Claim>);

impl Claims {
    /// Adds a claim; an empty one is dropped.
    pub(crate) fn add(
        &mut self,
        range: Range<usize>,
        rule: &'static str,
        rank: Rank,
    ) -> Result<(), Uninspectable> {
        if range.start < range.end {
            self.0.push(Claim { range, rule, rank });
        }
        // Several rules may claim the same bytes, so the early limit is wider than the real one.
        if self.0.len() > 16 * MAX_FINDINGS { Err(Uninspectable::TooManyFindings) } else { Ok(()) }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn as_slice(&self) -> &[Claim] {
        &self.0
    }

    /// Settles all overlaps: the better rank, then the longer claim, then the earlier one takes its bytes
    /// whole, and what a weaker claim keeps beside it stays a finding of its own, so that every claimed
    /// byte is masked. The bytes of `taken` (sorted, disjoint) belong to nobody. The result is sorted and disjoint.
    pub(crate) fn settle(
        mut self,
        text: &str,
        taken: &[Range<usize>],
    ) -> Result<Vec<Finding>, Uninspectable> {
        if self.0.is_empty() {
            return Ok(Vec::new());
        }
        self.0.sort_by_key(|claim| (claim.rank, std::cmp::Reverse(claim.range.len()), claim.range.start));
        let mut owned: BTreeMap<usize, usize> = taken.iter().map(|range| (range.start, range.end)).collect();
        let mut findings = Vec::new();
        for claim in self.0 {
            let range = widen(text, claim.range);
            let mut free = Vec::new();
            let mut at = range.start;
            let before = owned.range(..=range.start).next_back().map(|(&s, &e)| (s, e));
            let inside = owned.range(range.start + 1..range.end).map(|(&s, &e)| (s, e));
            for (start, end) in before.into_iter().chain(inside) {
                if start > at {
                    free.push(at..start);
                }
                at = at.max(end);
            }
            if at < range.end {
                free.push(at..range.end);
            }
            for piece in free {
                // A rest without a letter or digit beside a better claim is punctuation, not a secret.
                let whole = piece == range;
                if whole || text[piece.clone()].chars().any(char::is_alphanumeric) {
                    owned.insert(piece.start, piece.end);
                    let class = if claim.rank == Rank::Private { Class::Private } else { Class::Secret };
                    findings.push(Finding { range: piece, rule: claim.rule, class });
                }
            }
        }
        if findings.len() > MAX_FINDINGS {
            return Err(Uninspectable::TooManyFindings);
        }
        findings.sort_by_key(|finding| finding.range.start);
        Ok(findings)
    }
}

/// The smallest range of whole characters around `range`: patterns count in bytes.
fn widen(text: &str, range: Range<usize>) -> Range<usize> {
    text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(
        text: &str,
        claims: &[(Range<usize>, &'static str, Rank)],
        taken: &[Range<usize>],
    ) -> Vec<(Range<usize>, &'static str)> {
        let mut all = Claims::default();
        for (range, rule, rank) in claims {
            all.add(range.clone(), rule, *rank).unwrap();
        }
        all.settle(text, taken).unwrap().into_iter().map(|f| (f.range, f.rule)).collect()
    }

    #[test]
    fn the_better_rank_wins_and_the_rest_stays_masked() {
        let found =
            settle("abcdefghij", &[(0..10, "weak", Rank::Echo), (3..5, "strong", Rank::Provider)], &[]);
        assert_eq!(found, [(0..3, "weak"), (3..5, "strong"), (5..10, "weak")]);
    }

    #[test]
    fn within_a_rank_the_longer_claim_wins() {
        let found = settle("abcdefghij", &[(2..6, "a", Rank::Provider), (1..9, "b", Rank::Provider)], &[]);
        assert_eq!(found, [(1..9, "b")]);
    }

    #[test]
    fn taken_bytes_belong_to_nobody_and_punctuation_beside_them_stays() {
        let found = settle("abc[##]xyz,", &[(0..11, "a", Rank::Provider)], std::slice::from_ref(&(3..7)));
        assert_eq!(found, [(0..3, "a"), (7..11, "a")]);
        let found = settle("abc[##],,,", &[(0..10, "a", Rank::Provider)], std::slice::from_ref(&(3..7)));
        assert_eq!(found, [(0..3, "a")]);
    }

    #[test]
    fn a_claim_inside_a_character_takes_the_whole_character() {
        assert_eq!(settle("aéb", &[(2..3, "a", Rank::Provider)], &[]), [(1..3, "a")]);
    }

    #[test]
    fn the_limit_of_findings_is_exact() {
        let text = "a ".repeat(MAX_FINDINGS + 1);
        let mut claims = Claims::default();
        for i in 0..MAX_FINDINGS {
            claims.add(2 * i..2 * i + 1, "a", Rank::Provider).unwrap();
        }
        assert_eq!(claims.settle(&text, &[]).unwrap().len(), MAX_FINDINGS);
        let mut claims = Claims::default();
        for i in 0..=MAX_FINDINGS {
            claims.add(2 * i..2 * i + 1, "a", Rank::Provider).unwrap();
        }
        assert_eq!(claims.settle(&text, &[]), Err(Uninspectable::TooManyFindings));
    }
}
