//! `readroom docs changeset diff`: what a changeset would change, node by node for people, or as a patch that git takes.

use std::io::{self, IsTerminal as _};

use apply::{Review, review};
use docs::{Checked, LookUp, lines};
use propose::{ChangesetState, EntryReport, ItemConflict, NodeDiff, Relation, Verdict, unified};
use serde_json::{Value, json};

use super::super::json::tell;
use super::super::project::{print, shown};
use super::office::{Office, ended, id};
use super::page::{Look, Page, look_of, quoted, value};
use super::show;
use crate::exit::{Ended, Exit};
use crate::flags::docs::changeset::DiffFlags;

pub(super) fn run(flags: &DiffFlags) -> Result<Exit, Ended> {
    if flags.read.json {
        let format = if flags.unified { "unified" } else { "semantic" };
        let arguments = json!({ "changeset_id": flags.id, "format": format });
        return Ok(tell(&flags.read.root.path, "docforge_get_changeset_diff", &arguments)?.1);
    }
    let id = id(&flags.id)?;
    let office = Office::open(&flags.read.root.path, Checked::Hash)?;
    let shop = office.shop();
    let review = review(&shop, office.snapshot()?, &id, &[]).map_err(ended)?;
    if flags.unified {
        patch(&review)?;
        return Ok(Exit::Ok);
    }
    let mut page = Page::new();
    show::head(&review, &mut page);
    note_closed(&review, &mut page);
    nodes(&review, &mut page);
    overlaps(&review, &mut page);
    page.line(Look::Head, &format!("diff_hash: {}", review.diff_hash));
    print(&page.into_text())?;
    Ok(Exit::Ok)
}

/// The patch as it is for a program; on a terminal nothing in it steers it.
fn patch(review: &Review) -> Result<(), Ended> {
    let text = unified(&review.case);
    if io::stdout().is_terminal() {
        let mut page = Page::new();
        for line in text.split_inclusive('\n') {
            let line = line.strip_suffix('\n').unwrap_or(line);
            page.line(look_of(line), line);
        }
        print(&page.into_text())?;
    } else {
        print(&text)?;
    }
    for id in review.case.overlay.faults.keys() {
        eprintln!("readroom: {}: the entry cannot be put into its file; it is not in the patch", shown(id));
    }
    if review.validation.verdict == Verdict::Conflict {
        eprintln!(
            "readroom: the project has moved on in the same places, and the patch takes no account of it"
        );
    }
    Ok(())
}

/// Says of a closed changeset what it is compared with.
pub(super) fn note_closed(review: &Review, page: &mut Page) {
    let state = review.case.stored.state;
    if state != ChangesetState::Open {
        page.plain_line(&format!(
            "it is {}, so this only compares it with what the documents say now",
            state.as_str()
        ));
    }
}

/// What happens to each node, with both values of what meets.
pub(super) fn nodes(review: &Review, page: &mut Page) {
    if review.nodes.is_empty() {
        page.plain_line("nothing is open in it");
    }
    for diff in &review.nodes {
        node(review, diff, page);
        if let Some(report) = review.validation.entries.iter().find(|report| report.id == diff.id) {
            conflicts(report, page);
        }
    }
}

fn node(review: &Review, diff: &NodeDiff, page: &mut Page) {
    let entry = review.case.entries.get(&diff.id);
    let mut head = format!("{} {}", diff.kind, diff.id);
    if let Some(content) = entry.and_then(|entry| entry.content.as_ref()) {
        head.push_str(&format!(" ({})", content.type_name));
    }
    head.push_str("  ");
    head.push_str(&place(review, diff));
    if diff.base_state != "clean" {
        head.push_str(&format!("  [{}]", diff.base_state));
    }
    page.line(Look::Head, &head);
    if let Some(reason) = entry.and_then(|entry| entry.reason.as_ref()) {
        page.plain_line(&format!("    reason: {reason}"));
    }
    let mut change = |name: &str, before: Option<String>, after: Option<String>| {
        if let Some(before) = before {
            page.line(Look::Removed, &format!("    - {name}: {before}"));
        }
        if let Some(after) = after {
            page.line(Look::Added, &format!("    + {name}: {after}"));
        }
    };
    if let Some((before, after)) = &diff.title {
        change("title", before.clone(), after.clone());
    }
    for (name, before, after) in &diff.fields {
        change(name, before.as_ref().map(value), after.as_ref().map(value));
    }
    for one in &diff.removed {
        change(&one.name, Some(target(one)), None);
    }
    for one in &diff.added {
        change(&one.name, None, Some(target(one)));
    }
    page.hunks("    ", &diff.body);
}

/// Where a node stands, and where it would.
fn place(review: &Review, diff: &NodeDiff) -> String {
    match &diff.location {
        Some((None, Some(to))) => format!("into {to}"),
        Some((Some(from), None)) => format!("out of {from}"),
        Some((Some(from), Some(to))) => format!("{from} -> {to}"),
        Some((None, None)) | None => match review.snapshot.look_up(&diff.id) {
            LookUp::Found(ix) => review.snapshot.node(ix).path.clone(),
            _ => String::new(),
        },
    }
}

fn target(relation: &Relation) -> String {
    let mut text = relation.to.clone();
    if let Some(pin) = &relation.pin {
        text.push_str(&format!("  pin {pin}"));
    }
    if let Some(note) = &relation.note {
        text.push_str(&format!("  note {}", quoted(note)));
    }
    text
}

/// What was changed on both sides, with all three values.
fn conflicts(report: &EntryReport, page: &mut Page) {
    if report.is_identical {
        page.plain_line("    a node of this id was made elsewhere and says the same");
    }
    for one in &report.conflicts {
        page.line(Look::Removed, &format!("    ! {} was changed elsewhere too", one.item.word()));
        if one.item == propose::Item::Body {
            body_conflict(one, page);
            continue;
        }
        let mut side = |label: &str, side: &Option<Value>| {
            let text = side.as_ref().map_or_else(|| "(not there)".to_owned(), value);
            page.plain_line(&format!("        {label:<9} {text}"));
        };
        side("then:", &one.base);
        side("now:", &one.current);
        side("proposed:", &one.proposed);
    }
}

fn body_conflict(one: &ItemConflict, page: &mut Page) {
    let text = |side: &Option<Value>| side.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
    let then = text(&one.base);
    for (label, side) in [("now", &one.current), ("proposed", &one.proposed)] {
        page.plain_line(&format!("        {label}, beside what it was then:"));
        page.hunks("        ", &lines::hunks(&then, &text(side)));
    }
}

/// Other open changesets that touch the same.
pub(super) fn overlaps(review: &Review, page: &mut Page) {
    if review.case.stored.state != ChangesetState::Open || review.validation.overlaps.is_empty() {
        return;
    }
    page.plain_line("meets other open changesets");
    for one in &review.validation.overlaps {
        page.plain_line(&format!("    {}  {}  {}", one.changeset, one.node, one.meeting.as_str()));
    }
}
