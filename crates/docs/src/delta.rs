//! What a project gains and loses in findings between two states. It does not know how the second one came about.

use std::collections::BTreeMap;

use crate::diagnose::Diagnostic;
use crate::snapshot::Snapshot;

/// What the project gains and loses in findings.
#[derive(Clone, Debug, Default)]
pub struct Delta {
    /// Findings that come.
    pub new: Vec<Diagnostic>,
    /// Findings that go.
    pub fixed: Vec<Diagnostic>,
    /// How many stay.
    pub unchanged: usize,
}

impl Delta {
    /// Which findings come and which go; a finding that only moved to another line stays.
    pub fn between(before: &Snapshot, after: &Snapshot) -> Delta {
        type Key = (String, Option<String>, Option<String>, String, Option<String>, Vec<String>);
        let key = |one: &Diagnostic| -> Key {
            // A node that moves takes its findings along.
            let path = if one.node.is_some() { None } else { one.place.path.clone() };
            let check = one.check.code().into_owned();
            (check, one.node.clone(), path, one.message.clone(), one.doc.clone(), one.related.clone())
        };
        let mut counts: BTreeMap<Key, usize> = BTreeMap::new();
        for one in before.diagnostics() {
            *counts.entry(key(one)).or_default() += 1;
        }
        let mut delta = Delta::default();
        for one in after.diagnostics() {
            match counts.get_mut(&key(one)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    delta.unchanged += 1;
                }
                _ => delta.new.push(one.clone()),
            }
        }
        for one in before.diagnostics() {
            if let Some(count) = counts.get_mut(&key(one)).filter(|count| **count > 0) {
                *count -= 1;
                delta.fixed.push(one.clone());
            }
        }
        delta
    }
}
