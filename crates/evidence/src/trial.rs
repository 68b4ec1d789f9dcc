//! What the tests of this crate need: a server on a tree, its answers as the bytes and the JSON of the tools, and ways
//! to turn its clock, to shuffle its folders and to act while it reads.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use disk::{Entry, ListFault, RelPath, Root};
use fault::{Failure, Phase, Unwatched, Watch};
use redact::sample::{Dice, expand};
use serde_json::Value;
use testkit::Tree;

use crate::inventory::{DiskFolders, Folders};
use crate::{Evidence, Options, RangeRequest, document};

/// A server on the project of `tree`.
pub(crate) fn open(tree: &Tree) -> Evidence {
    Evidence::open(&Options { root: tree.root(), exact: false }).unwrap()
}

/// The same without redaction.
pub(crate) fn exact(tree: &Tree) -> Evidence {
    Evidence::open(&Options { root: tree.root(), exact: true }).unwrap()
}

/// The bytes of the answer or of the refusal.
pub(crate) fn search_text(evidence: &Evidence, terms: &[&str], watch: &dyn Watch) -> String {
    let terms: Vec<String> = terms.iter().map(|term| (*term).to_owned()).collect();
    said(evidence.search(&terms, watch).map(|answer| document::search(&answer)))
}

pub(crate) fn search(evidence: &Evidence, terms: &[&str]) -> Value {
    json(&search_text(evidence, terms, &Unwatched))
}

pub(crate) fn read_text(evidence: &Evidence, path: &str, start: u64, end: u64, watch: &dyn Watch) -> String {
    let request = RangeRequest { path: path.to_owned(), start, end };
    said(evidence.read_range(&request, watch).map(|page| document::page(&page)))
}

pub(crate) fn read(evidence: &Evidence, path: &str, start: u64, end: u64) -> Value {
    json(&read_text(evidence, path, start, end, &Unwatched))
}

/// The code of the refusal of a path.
pub(crate) fn refusal(evidence: &Evidence, path: &str) -> String {
    let answer = read(evidence, path, 1, 500);
    answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{path}: {answer}")).to_owned()
}

pub(crate) fn inventory_text(evidence: &Evidence, watch: &dyn Watch) -> String {
    said(evidence.inventory(watch).map(|inventory| document::inventory(&inventory)))
}

pub(crate) fn inventory(evidence: &Evidence) -> Value {
    json(&inventory_text(evidence, &Unwatched))
}

/// The paths of the files of an answer or of its hits.
pub(crate) fn paths(rows: &Value) -> Vec<String> {
    let rows = rows.as_array().unwrap_or_else(|| panic!("no rows: {rows}"));
    rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect()
}

fn said(answer: Result<String, Failure>) -> String {
    match answer {
        Ok(text) => text,
        Err(Failure::Fault(fault)) => document::error(&fault),
        Err(Failure::Cancelled) => "cancelled".to_owned(),
    }
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A token that the rules know, made here so that none stands in the sources.
pub(crate) fn token(seed: u64) -> String {
    expand("ghp_{alnum:30}{crc32_base62:6}", &mut Dice::new(seed))
}

/// Folders that give their names in another order each time.
pub(crate) struct Shuffled(pub(crate) Mutex<Dice>);

impl Folders for Shuffled {
    fn names(
        &self,
        root: &Root,
        dir: &RelPath,
        max_entries: usize,
        watch: &dyn Watch,
    ) -> Result<Vec<Entry>, ListFault> {
        let mut names = DiskFolders.names(root, dir, max_entries, watch)?;
        let mut dice = self.0.lock().unwrap();
        for at in (1..names.len()).rev() {
            names.swap(at, dice.below(at + 1));
        }
        Ok(names)
    }
}

/// A caller that does something whenever the work looks at its watch.
pub(crate) struct Meddling<F: Fn() -> bool + Sync>(pub(crate) F);

impl<F: Fn() -> bool + Sync> Watch for Meddling<F> {
    fn cancelled(&self) -> bool {
        (self.0)()
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
    fn step(&self, _phase: Phase, _done: u64, _total: u64) {}
}

/// A clock that has gone on by `step` whenever it is looked at.
pub(crate) fn ticking(step: Duration) -> crate::clock::Clock {
    let looks = std::sync::atomic::AtomicU32::new(0);
    Box::new(move || step * looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
}
