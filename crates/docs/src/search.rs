//! Search over a snapshot: which nodes a query means, in which order and why (spec C9). It knows no tool and no page;
//! the text index behind it is made when it is first asked for.

mod postings;
mod query;
mod snippet;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use postings::{Postings, each_text};
pub use query::{Query, QueryFault};

use std::collections::BTreeMap;

use crate::filter::{Budget, Filter, TooComplex};
use crate::model::NodeIx;
use crate::snapshot::Snapshot;
use query::Term;
use token::folded;

/// A part of a node that search looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    /// Its id.
    Id,
    /// Its old ids.
    Aliases,
    /// Its title.
    Title,
    /// Headings of its body.
    Headings,
    /// Its fields, those with `search = false` left out.
    Fields,
    /// Its body.
    Body,
}

const COLUMNS: usize = 6;
/// How much a word weighs in each column.
const WEIGHTS: [f64; COLUMNS] = [12.0, 8.0, 6.0, 3.0, 2.0, 1.0];
/// What one step in the logarithm of the edges that lead to a node is worth.
const INBOUND_WEIGHT: f64 = 0.15;

impl Column {
    /// Every column, heaviest first.
    pub const ALL: [Column; COLUMNS] =
        [Column::Id, Column::Aliases, Column::Title, Column::Headings, Column::Fields, Column::Body];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Column::Id => "id",
            Column::Aliases => "aliases",
            Column::Title => "title",
            Column::Headings => "headings",
            Column::Fields => "fields",
            Column::Body => "body",
        }
    }
}

/// One node that a query means.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The node.
    pub node: NodeIx,
    /// 0 exact id, 1 exact alias, 2 exact title, 3 start of the id, 4 text.
    pub class: u8,
    /// Larger is better, six decimals; 0 in classes 0 to 3.
    pub score: f64,
    /// Where the query was found.
    pub matched: Vec<Column>,
}

/// Which nodes may be hits.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchScope<'a> {
    /// Only nodes of these types; empty means any.
    pub types: &'a [String],
    /// Only nodes that meet this.
    pub filter: Option<&'a Filter>,
}

/// What a node has to show for a query.
#[derive(Clone, Copy, Debug, Default)]
struct Merit {
    bm25: f64,
    columns: [bool; COLUMNS],
}

impl Snapshot {
    /// Every hit of a query, best first: by class, then score, then id bytes.
    ///
    /// # Errors
    /// [`TooComplex`] when the filter of the scope visits too many edges.
    pub fn search(&self, query: &Query, scope: SearchScope<'_>) -> Result<Vec<Hit>, TooComplex> {
        let mut hits: BTreeMap<NodeIx, Hit> = BTreeMap::new();
        for (node, merit) in self.merits(query) {
            let inbound = self.inbound(node).count() as f64;
            let score = merit.bm25 + INBOUND_WEIGHT * inbound.ln_1p();
            let score = (score * 1e6).round() / 1e6;
            hits.insert(node, Hit { node, class: 4, score, matched: columns(merit.columns) });
        }
        let text = query.text();
        let wanted = folded(text);
        for node in self.indices() {
            let Some((class, column)) = self.name_class(node, text, &wanted) else { continue };
            let hit = hits.entry(node).or_insert(Hit { node, class, score: 0.0, matched: Vec::new() });
            hit.class = class;
            hit.score = 0.0;
            if !hit.matched.contains(&column) {
                hit.matched.push(column);
                hit.matched.sort_unstable();
            }
        }
        let mut budget = Budget::new();
        let mut kept = Vec::with_capacity(hits.len());
        for (node, hit) in hits {
            let is_of_type = scope.types.is_empty() || scope.types.contains(&self.node(node).type_name);
            let is_met = match scope.filter {
                Some(filter) if is_of_type => filter.matches(self, node, &mut budget)?,
                _ => true,
            };
            if is_of_type && is_met {
                kept.push(hit);
            }
        }
        kept.sort_by(|left, right| {
            let is_exact = |hit: &Hit| self.node(hit.node).id == text;
            left.class
                .cmp(&right.class)
                .then_with(|| is_exact(right).cmp(&is_exact(left)))
                .then_with(|| right.score.total_cmp(&left.score))
                .then_with(|| left.node.cmp(&right.node))
        });
        Ok(kept)
    }

    /// A short piece of the body around the first word of the query, white space folded.
    pub fn snippet(&self, node: NodeIx, query: &Query) -> String {
        snippet::snippet(&self.node(node).body, query)
    }

    /// The class of a node whose name the query is, and where.
    fn name_class(&self, node: NodeIx, text: &str, wanted: &str) -> Option<(u8, Column)> {
        let node = self.node(node);
        let id = folded(&node.id);
        if node.id == text || id == wanted {
            Some((0, Column::Id))
        } else if node.aliases.iter().any(|alias| alias == text || folded(alias) == wanted) {
            Some((1, Column::Aliases))
        } else if !node.title.is_empty() && folded(&node.title) == wanted {
            Some((2, Column::Title))
        } else if id.starts_with(wanted) {
            Some((3, Column::Id))
        } else {
            None
        }
    }

    /// The nodes whose text meets the query.
    fn merits(&self, query: &Query) -> BTreeMap<NodeIx, Merit> {
        let index = self.postings();
        let mean = index.mean_words(self.nodes().len());
        let mut met: Option<BTreeMap<NodeIx, Merit>> = None;
        for group in &query.all {
            let mut of_group: BTreeMap<NodeIx, Merit> = BTreeMap::new();
            for Term { words, is_prefix } in group {
                let found = index.find(words, *is_prefix);
                let rarity = rarity(found.len(), self.nodes().len());
                for one in found {
                    let merit = of_group.entry(one.node).or_default();
                    let mut weight = 0.0;
                    for (column, count) in one.counts.iter().enumerate() {
                        weight += WEIGHTS[column] * f64::from(*count);
                        merit.columns[column] |= *count > 0;
                    }
                    let length = 1.2 * (0.25 + 0.75 * f64::from(one.words) / mean);
                    merit.bm25 += rarity * weight * 2.2 / (weight + length);
                }
            }
            met = Some(match met {
                None => of_group,
                Some(before) => joined(before, &of_group),
            });
        }
        let mut met = met.unwrap_or_default();
        for Term { words, is_prefix } in &query.none {
            for one in index.find(words, *is_prefix) {
                met.remove(&one.node);
            }
        }
        met
    }
}

/// The nodes of both, merits added.
fn joined(before: BTreeMap<NodeIx, Merit>, also: &BTreeMap<NodeIx, Merit>) -> BTreeMap<NodeIx, Merit> {
    let both = before.into_iter().filter_map(|(node, merit)| {
        let other = also.get(&node)?;
        let mut columns = merit.columns;
        columns.iter_mut().zip(other.columns).for_each(|(one, other)| *one |= other);
        Some((node, Merit { bm25: merit.bm25 + other.bm25, columns }))
    });
    both.collect()
}

/// How much a term says that stands in `found` of `all` nodes.
fn rarity(found: usize, all: usize) -> f64 {
    let (found, all) = (found as f64, all as f64);
    ((all - found + 0.5) / (found + 0.5)).ln().max(1e-6)
}

fn columns(has: [bool; COLUMNS]) -> Vec<Column> {
    Column::ALL.into_iter().zip(has).filter(|(_, has)| *has).map(|(column, _)| column).collect()
}
