//! Links of bodies to files and headings: whether they are there. It follows no address outside of the project.

use std::collections::{HashMap, HashSet};

use super::{Findings, Read};
use crate::adapter::percent_decoded;
use crate::diagnose::{Check, Diagnostic};
use crate::parsed::ParsedNode;
use crate::path::{folder, joined};
use crate::snapshot::Snapshot;

/// Looks at every link that is relative to the project.
pub(super) fn check(
    snapshot: &Snapshot,
    parsed: &[&ParsedNode],
    read: &Read,
    exists: &dyn Fn(&str) -> bool,
    findings: &mut Findings<'_>,
) {
    let files: HashSet<&str> = snapshot.files.iter().map(|file| file.path.as_str()).collect();
    let mut headings: HashMap<&str, HashSet<String>> = HashMap::new();
    let mut bodies: HashMap<&str, Vec<&str>> = HashMap::new();
    for node in &snapshot.nodes {
        headings
            .entry(node.path.as_str())
            .or_default()
            .extend(node.headings.iter().map(|title| letters(title)));
        bodies.entry(node.path.as_str()).or_default().push(node.body.as_str());
    }
    let mut known: HashMap<String, bool> = HashMap::new();
    for (ix, parsed) in snapshot.indices().zip(parsed) {
        let node = snapshot.node(ix);
        for (destination, span) in &parsed.references {
            // What was read as a mention leads to a node, wherever its file is, or was reported as that.
            let mentioned = read.get(&(ix, span.start)).copied();
            if mentioned == Some(None) {
                continue;
            }
            let (path, anchor) = match destination.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor)),
                None => (destination.as_str(), None),
            };
            let path = percent_decoded(path.split('?').next().unwrap_or_default());
            let target = if let Some(Some(to)) = mentioned {
                Some(snapshot.node(to).path.clone())
            } else if path.is_empty() {
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
                let message = "the file of a link does not exist in the project";
                let fix = "correct the path, which counts from the folder of this file, or take the link out";
                findings.add(finding(Check::BrokenPathLink, message).fix(fix));
                continue;
            }
            let slugs = target.as_ref().and_then(|target| headings.get(target.as_str()));
            if let (Some(anchor), Some(slugs)) = (anchor, slugs)
                && !anchor.is_empty()
                && !is_heading(&percent_decoded(anchor), slugs)
                && !target
                    .as_ref()
                    .and_then(|target| bodies.get(target.as_str()))
                    .is_some_and(|bodies| bodies.iter().any(|body| has_mark(body, anchor)))
            {
                let fix = "write the heading behind `#` in lower case, with `-` for each blank";
                findings.add(finding(Check::BrokenAnchor, "the heading of a link does not exist").fix(fix));
            }
        }
    }
}

/// What every way to make an anchor of a title keeps. Renderers differ in blanks and marks: `v1.2` is `v12` or `v1-2`.
fn letters(title: &str) -> String {
    title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a title gives the anchor, the number behind repeated titles aside.
fn is_heading(anchor: &str, titles: &HashSet<String>) -> bool {
    let first =
        anchor.rsplit_once('-').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()));
    titles.contains(&letters(anchor)) || first.is_some_and(|(first, _)| titles.contains(&letters(first)))
}

/// Whether HTML in the body names the place.
fn has_mark(body: &str, anchor: &str) -> bool {
    body.match_indices(anchor).any(|(at, _)| {
        let (before, after) = (&body[..at], &body[at + anchor.len()..]);
        ['"', '\''].into_iter().any(|mark| {
            after.starts_with(mark)
                && before
                    .strip_suffix(mark)
                    .is_some_and(|before| before.ends_with(" id=") || before.ends_with(" name="))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_found_however_they_are_made() {
        let titles = HashSet::from([letters("[v0.4.8] Über `all_of` it")]);
        for anchor in ["v048-über-all_of-it", "v0-4-8-über-all-of-it", "v048-über-all_of-it-1"] {
            assert!(is_heading(anchor, &titles), "{anchor}");
        }
        assert!(!is_heading("v048", &titles) && !is_heading("", &titles));
    }

    #[test]
    fn places_named_in_html_are_found() {
        let body = "<a name=\"here\"></a>\n<h3 id='there'>\n";
        assert!(has_mark(body, "here") && has_mark(body, "there"));
        assert!(!has_mark(body, "her") && !has_mark("see \"here\"", "here"));
    }
}
