//! Links of bodies to files and headings: whether they are there. It follows no address outside of the project.

use std::collections::{HashMap, HashSet};

use super::Findings;
use super::resolve::{folder, joined};
use crate::adapter::{percent_decoded, slug};
use crate::diagnose::{Check, Diagnostic};
use crate::parsed::ParsedNode;
use crate::snapshot::Snapshot;

/// Looks at every link that is relative to the project.
pub(super) fn check(
    snapshot: &Snapshot,
    parsed: &[&ParsedNode],
    exists: &dyn Fn(&str) -> bool,
    findings: &mut Findings<'_>,
) {
    let files: HashSet<&str> = snapshot.files.iter().map(|file| file.path.as_str()).collect();
    let mut headings: HashMap<&str, HashSet<String>> = HashMap::new();
    for node in &snapshot.nodes {
        headings.entry(node.path.as_str()).or_default().extend(node.headings.iter().map(|title| slug(title)));
    }
    let mut known: HashMap<String, bool> = HashMap::new();
    for (node, parsed) in snapshot.nodes.iter().zip(parsed) {
        for (destination, span) in &parsed.references {
            let (path, anchor) = match destination.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor)),
                None => (destination.as_str(), None),
            };
            let path = percent_decoded(path.split('?').next().unwrap_or_default());
            let target = if path.is_empty() {
                Some(node.path.clone())
            } else if let Some(absolute) = path.strip_prefix('/') {
                joined("", absolute)
            } else {
                joined(folder(&node.path), &path)
            };
            let finding = |check: Check, message: &str| {
                Diagnostic::new(check, span.place(&node.path), message)
                    .about(node.id.clone())
                    .with_doc(destination.clone())
            };
            let is_there = target.as_ref().is_some_and(|target| {
                files.contains(target.as_str())
                    || *known.entry(target.clone()).or_insert_with(|| exists(target))
            });
            if !is_there {
                findings
                    .add(finding(Check::BrokenPathLink, "the file of a link does not exist in the project"));
                continue;
            }
            let slugs = target.as_ref().and_then(|target| headings.get(target.as_str()));
            if let (Some(anchor), Some(slugs)) = (anchor, slugs)
                && !anchor.is_empty()
                && !slugs.contains(&slug(&percent_decoded(anchor)))
            {
                findings.add(finding(Check::BrokenAnchor, "the heading of a link does not exist"));
            }
        }
    }
}
