//! The text index: where every word of every node stands, in segments that a later state of the project can take over
//! (spec C9). It knows words and columns, not ranking.

use std::collections::HashMap;
use std::sync::Arc;

use super::token::words;
use super::{COLUMNS, Column};
use crate::contract::Contract;
use crate::hash::Hash;
use crate::model::{Node, NodeIx};
use crate::snapshot::Snapshot;
use crate::value::Value;

/// Words left free between two columns, so that no phrase runs from one into the next.
const GAP: u32 = 2;

/// Everything that can be found by its words.
#[derive(Debug)]
pub(crate) struct Postings {
    segments: Vec<Placed>,
    /// Words of all live nodes.
    total_words: u64,
}

/// A segment, and which of its slots are nodes of the snapshot.
#[derive(Debug)]
struct Placed {
    segment: Arc<Segment>,
    nodes: Vec<Option<NodeIx>>,
}

/// Nodes that were indexed together. All their words stand on one line of positions; each term keeps the distances.
#[derive(Debug, Default)]
struct Segment {
    terms: HashMap<Box<str>, u32>,
    sorted: Vec<Box<str>>,
    lists: Vec<List>,
    slots: Vec<Slot>,
    /// The slot at every [`BLOCK`]th position.
    blocks: Vec<u32>,
}

/// Positions between two entries of the table that finds the slot of a position.
const BLOCK: u32 = 64;

#[derive(Debug)]
struct Slot {
    /// Of everything that was indexed.
    print: Hash,
    /// Where each column begins, and where the last one ends.
    starts: [u32; COLUMNS + 1],
    words: u32,
}

#[derive(Debug, Default)]
struct List {
    bytes: Vec<u8>,
    last: u32,
}

/// How often a term stands in the columns of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrences {
    pub(super) node: NodeIx,
    pub(super) counts: [u32; COLUMNS],
    /// Words of the node.
    pub(super) words: u32,
}

impl Postings {
    /// Indexes a snapshot; what `earlier` holds unchanged is taken over.
    pub(crate) fn build(snapshot: &Snapshot, earlier: Option<&Postings>) -> Postings {
        let prints: Vec<Hash> =
            snapshot.nodes().iter().map(|node| print(node, snapshot.contract())).collect();
        let mut segments = Vec::new();
        let mut is_known = vec![false; prints.len()];
        if let Some(earlier) = earlier {
            let by_print: HashMap<&Hash, usize> =
                prints.iter().enumerate().map(|(at, one)| (one, at)).collect();
            for placed in &earlier.segments {
                let mut nodes = vec![None; placed.segment.slots.len()];
                let mut live = 0;
                for (slot, node) in placed.segment.slots.iter().zip(&mut nodes) {
                    if let Some(at) = by_print.get(&slot.print).filter(|at| !is_known[**at]) {
                        is_known[*at] = true;
                        *node = Some(ix(*at));
                        live += 1;
                    }
                }
                if live * 2 > nodes.len() {
                    segments.push(Placed { segment: Arc::clone(&placed.segment), nodes });
                } else {
                    nodes.iter().flatten().for_each(|node| is_known[node.0 as usize] = false);
                }
            }
            if segments.len() > SEGMENTS_MAX {
                segments.truncate(1);
                is_known.fill(false);
                segments.iter().flat_map(|placed| placed.nodes.iter().flatten()).for_each(|node| {
                    is_known[node.0 as usize] = true;
                });
            }
        }
        let fresh: Vec<NodeIx> = snapshot.indices().filter(|node| !is_known[node.0 as usize]).collect();
        if !fresh.is_empty() {
            let mut segment = Segment::default();
            for node in &fresh {
                segment.add(snapshot.node(*node), snapshot.contract(), prints[node.0 as usize]);
            }
            segment.close();
            let nodes = fresh.into_iter().map(Some).collect();
            segments.push(Placed { segment: Arc::new(segment), nodes });
        }
        let total_words = segments.iter().map(Placed::live_words).sum();
        Postings { segments, total_words }
    }

    /// Words of a node on average, at least one.
    pub(super) fn mean_words(&self, nodes: usize) -> f64 {
        (self.total_words as f64 / nodes.max(1) as f64).max(1.0)
    }

    /// Every node in which the words stand one after the other, by node.
    pub(super) fn find(&self, phrase: &[String], is_prefix: bool) -> Vec<Occurrences> {
        let mut found = Vec::new();
        for placed in &self.segments {
            placed.find(phrase, is_prefix, &mut found);
        }
        found.sort_by_key(|one| one.node);
        found
    }
}

/// Segments that are kept apart before all but the first are made one.
const SEGMENTS_MAX: usize = 6;

fn ix(at: usize) -> NodeIx {
    NodeIx(u32::try_from(at).unwrap_or(u32::MAX))
}

impl Placed {
    fn live_words(&self) -> u64 {
        let live = self.segment.slots.iter().zip(&self.nodes).filter(|(_, node)| node.is_some());
        live.map(|(slot, _)| u64::from(slot.words)).sum()
    }

    fn find(&self, phrase: &[String], is_prefix: bool, found: &mut Vec<Occurrences>) {
        let segment = &*self.segment;
        let mut tally = Tally::of(segment);
        match phrase {
            [] => {}
            [word] => {
                segment.each_list(word, is_prefix, |list| list.positions().for_each(|at| tally.add(at)))
            }
            [first, rest @ ..] => {
                let mut kept = segment.positions(first, false);
                for (at, word) in rest.iter().enumerate() {
                    let goes_on = is_prefix && at + 1 == rest.len();
                    let offset = u32::try_from(at + 1).unwrap_or(u32::MAX);
                    kept = followed(&kept, &segment.positions(word, goes_on), offset);
                }
                kept.into_iter().for_each(|at| tally.add(at));
            }
        }
        for (slot, counts) in tally.finish() {
            if let Some(node) = self.nodes[slot] {
                found.push(Occurrences { node, counts, words: segment.slots[slot].words });
            }
        }
    }
}

/// Counts of positions by slot and column.
struct Tally<'s> {
    segment: &'s Segment,
    counts: Vec<[u32; COLUMNS]>,
    touched: Vec<usize>,
}

impl<'s> Tally<'s> {
    fn of(segment: &'s Segment) -> Tally<'s> {
        Tally { segment, counts: vec![[0; COLUMNS]; segment.slots.len()], touched: Vec::new() }
    }

    fn add(&mut self, position: u32) {
        let slots = &self.segment.slots;
        let mut at = self.segment.blocks.get((position / BLOCK) as usize).map_or(0, |slot| *slot as usize);
        while slots.get(at).is_some_and(|slot| slot.starts[COLUMNS] <= position) {
            at += 1;
        }
        let Some(slot) = slots.get(at) else { return };
        let mut column = COLUMNS - 1;
        while column > 0 && slot.starts[column] > position {
            column -= 1;
        }
        let counts = &mut self.counts[at];
        if counts.iter().all(|count| *count == 0) {
            self.touched.push(at);
        }
        counts[column] += 1;
    }

    fn finish(mut self) -> impl Iterator<Item = (usize, [u32; COLUMNS])> {
        self.touched.sort_unstable();
        self.touched.into_iter().map(move |slot| (slot, self.counts[slot]))
    }
}

/// The positions of `before` that have one of `next` exactly `offset` further on.
fn followed(before: &[u32], next: &[u32], offset: u32) -> Vec<u32> {
    let mut kept = Vec::new();
    let mut at = 0;
    for position in before {
        let wanted = position.saturating_add(offset);
        while next.get(at).is_some_and(|one| *one < wanted) {
            at += 1;
        }
        if next.get(at) == Some(&wanted) {
            kept.push(*position);
        }
    }
    kept
}

impl Segment {
    fn add(&mut self, node: &Node, contract: &Contract, print: Hash) {
        let mut position = self.slots.last().map_or(0, |slot| slot.starts[COLUMNS]);
        let mut starts = [position; COLUMNS + 1];
        let mut count = 0;
        for (at, column) in Column::ALL.into_iter().enumerate() {
            starts[at] = position;
            each_text(node, contract, column, |text| {
                words(text, |word, _| {
                    self.put(word, position);
                    position = position.saturating_add(1);
                    count += 1;
                });
                position = position.saturating_add(GAP);
            });
        }
        starts[COLUMNS] = position;
        self.slots.push(Slot { print, starts, words: count });
    }

    fn put(&mut self, word: &str, position: u32) {
        let term = match self.terms.get(word) {
            Some(term) => *term,
            None => {
                let term = u32::try_from(self.lists.len()).unwrap_or(u32::MAX);
                self.terms.insert(Box::from(word), term);
                self.lists.push(List::default());
                term
            }
        };
        self.lists[term as usize].push(position);
    }

    /// Orders the terms; nothing is added afterwards.
    fn close(&mut self) {
        self.sorted = self.terms.keys().cloned().collect();
        self.sorted.sort_unstable();
        self.lists.iter_mut().for_each(|list| list.bytes.shrink_to_fit());
        let end = self.slots.last().map_or(0, |slot| slot.starts[COLUMNS]);
        let mut at = 0;
        for block in 0..end.div_ceil(BLOCK) {
            while self.slots.get(at).is_some_and(|slot: &Slot| slot.starts[COLUMNS] <= block * BLOCK) {
                at += 1;
            }
            self.blocks.push(u32::try_from(at).unwrap_or(u32::MAX));
        }
    }

    /// Every list of a word, or of the words that begin with it.
    fn each_list(&self, word: &str, is_prefix: bool, mut each: impl FnMut(&List)) {
        let mut give = |term: &str| {
            if let Some(term) = self.terms.get(term) {
                each(&self.lists[*term as usize]);
            }
        };
        if !is_prefix {
            return give(word);
        }
        let from = self.sorted.partition_point(|term| &**term < word);
        self.sorted[from..].iter().take_while(|term| term.starts_with(word)).for_each(|term| give(term));
    }

    fn positions(&self, word: &str, is_prefix: bool) -> Vec<u32> {
        let mut positions = Vec::new();
        self.each_list(word, is_prefix, |list| positions.extend(list.positions()));
        if is_prefix {
            positions.sort_unstable();
        }
        positions
    }
}

impl List {
    /// Adds a position that is not before the last: its distance, seven bits a byte.
    fn push(&mut self, position: u32) {
        let mut distance = position.wrapping_sub(self.last);
        self.last = position;
        while distance >= 0x80 {
            self.bytes.push((distance & 0x7F) as u8 | 0x80);
            distance >>= 7;
        }
        self.bytes.push(distance as u8);
    }

    fn positions(&self) -> impl Iterator<Item = u32> {
        let mut bytes = self.bytes.iter();
        let mut position = 0_u32;
        std::iter::from_fn(move || {
            let mut distance = 0_u32;
            let mut shift = 0;
            loop {
                let byte = *bytes.next()?;
                distance |= u32::from(byte & 0x7F) << shift;
                if byte < 0x80 {
                    break;
                }
                shift += 7;
            }
            position = position.wrapping_add(distance);
            Some(position)
        })
    }
}

/// Every text of a node in one column.
pub(crate) fn each_text(node: &Node, contract: &Contract, column: Column, mut each: impl FnMut(&str)) {
    match column {
        Column::Id => each(&node.id),
        Column::Aliases => node.aliases.iter().for_each(|alias| each(alias)),
        Column::Title => each(&node.title),
        Column::Headings => node.headings.iter().for_each(|heading| each(heading)),
        Column::Fields => {
            let declared = contract.type_def(&node.type_name);
            for field in &node.fields {
                let is_left_out =
                    declared.and_then(|one| one.field(&field.name)).is_some_and(|field| !field.search);
                if !is_left_out {
                    each_value(&field.value, &mut each);
                }
            }
        }
        Column::Body => each(&node.body),
    }
}

fn each_value(value: &Value, each: &mut impl FnMut(&str)) {
    match value {
        Value::Text(text) | Value::Number(text) | Value::Date(text) | Value::DateTime(text) => each(text),
        Value::Integer(number) => each(&number.to_string()),
        Value::Boolean(_) => {}
        Value::List(items) => items.iter().for_each(|item| each_value(item, each)),
        Value::Json(json) => each_json(json, each),
    }
}

fn each_json(json: &serde_json::Value, each: &mut impl FnMut(&str)) {
    match json {
        serde_json::Value::String(text) => each(text),
        serde_json::Value::Number(number) => each(&number.to_string()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| each_json(item, each)),
        serde_json::Value::Object(entries) => entries.values().for_each(|item| each_json(item, each)),
        serde_json::Value::Bool(_) | serde_json::Value::Null => {}
    }
}

/// A digest of what is indexed of a node: its hash covers all but aliases and fields that do not count in it.
fn print(node: &Node, contract: &Contract) -> Hash {
    let has_more = !node.aliases.is_empty() || node.fields.iter().any(|field| !field.is_hashed);
    if !has_more {
        return node.hash;
    }
    let mut more = String::new();
    for column in [Column::Aliases, Column::Fields] {
        each_text(node, contract, column, |text| {
            more.push_str(text);
            more.push('\0');
        });
        more.push('\u{1}');
    }
    Hash::of(&[node.hash.as_bytes(), more.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back_as_they_were_added() {
        let given = [0, 1, 127, 128, 129, 40_000, 3_000_000, u32::MAX - 1];
        let mut list = List::default();
        given.iter().for_each(|position| list.push(*position));
        assert_eq!(list.positions().collect::<Vec<_>>(), given);
    }

    #[test]
    fn a_phrase_keeps_the_positions_that_are_followed() {
        assert_eq!(followed(&[1, 5, 9], &[2, 6, 7, 11], 1), [1, 5]);
        assert_eq!(followed(&[1, 5, 9], &[2, 6, 7, 11], 2), [5, 9]);
    }
}
