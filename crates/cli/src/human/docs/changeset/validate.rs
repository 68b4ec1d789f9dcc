//! `readroom docs changeset validate`: every check with what it found, and what the project would gain and lose.

use apply::{Review, review};
use docs::{Checked, Delta, Severity};
use propose::{CheckState, Finding, Verdict};
use serde_json::{Value, json};

use super::super::json::tell;
use super::super::project::{finding, print};
use super::diff;
use super::office::{Office, ended, id};
use super::page::{Look, Page, count};
use super::show;
use crate::exit::{Ended, Exit};
use crate::flags::docs::changeset::OneFlags;

/// What each check is about, from V01 on.
const ABOUT: [&str; 20] = [
    "the log holds together",
    "the writer is as it was",
    "the writer may do this",
    "the contract is as it was",
    "the nodes are as they were",
    "no other open changeset touches the same",
    "ids are well formed and free",
    "fields and bodies fit their types",
    "relations fit the contract",
    "no cycle, and no half of a pair",
    "the rules hold",
    "the places are free and may be written",
    "nothing leads to what goes",
    "sizes are within the limits",
    "no hidden or active text",
    "what is written reads back",
    "neighbours stay as they are",
    "the validators of the integration agree",
    "the views render",
    "no pin becomes suspect",
];

pub(super) fn run(flags: &OneFlags) -> Result<Exit, Ended> {
    if flags.read.json {
        let arguments = json!({ "changeset_id": flags.id });
        let (answer, exit) = tell(&flags.read.root.path, "docforge_validate_changeset", &arguments)?;
        return Ok(match answer.pointer("/result/verdict").and_then(Value::as_str) {
            Some("fail") => Exit::FINDINGS,
            Some("conflict") => Exit::REFUSED,
            _ => exit,
        });
    }
    let id = id(&flags.id)?;
    let office = Office::open(&flags.read.root.path, Checked::Hash)?;
    let shop = office.shop();
    let review = review(&shop, office.snapshot()?, &id, &[]).map_err(ended)?;
    let validation = &review.validation;
    let mut page = Page::new();
    show::head(&review, &mut page);
    diff::note_closed(&review, &mut page);
    verdict(&review, &mut page);
    for ((check, state), about) in validation.checks.iter().zip(ABOUT) {
        let look = match state {
            CheckState::Fail | CheckState::Conflict => Look::Removed,
            CheckState::Pass | CheckState::Warn | CheckState::Skipped => Look::Plain,
        };
        page.line(look, &format!("    {} {:<8}  {about}", check.word(), state.as_str()));
    }
    findings(&review, &mut page);
    page.plain_line("entries");
    for entry in &validation.entries {
        page.plain_line(&format!("    {:<6}  {}  {}", entry.kind, entry.id, entry.state.as_str()));
    }
    diff::overlaps(&review, &mut page);
    page.plain_line(&format!("validation_hash: {}", validation.validation_hash));
    let mut text = page.into_text();
    text.push_str(&delta(&validation.delta));
    print(&text)?;
    Ok(match validation.verdict {
        Verdict::Pass => Exit::Ok,
        Verdict::Fail => Exit::FINDINGS,
        Verdict::Conflict => Exit::REFUSED,
    })
}

/// What the checks came to.
pub(super) fn verdict(review: &Review, page: &mut Page) {
    let verdict = review.validation.verdict;
    let look = if verdict == Verdict::Pass { Look::Added } else { Look::Removed };
    page.line(look, &format!("verdict: {}", verdict.as_str()));
}

/// What the checks found; meetings with other changesets are listed by themselves.
pub(super) fn findings(review: &Review, page: &mut Page) {
    for one in review.validation.findings.iter().filter(|one| one.check.number() != 6) {
        let look = if one.severity == Severity::Error { Look::Removed } else { Look::Plain };
        page.line(look, &format!("    {}", line(one)));
        for (label, text) in &one.doc {
            let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
            page.plain_line(&format!("        {label}: {text}"));
        }
        for key in ["inbound", "related"] {
            let ids = one.details.get(key).and_then(Value::as_array);
            let ids: Vec<&str> = ids.into_iter().flatten().filter_map(Value::as_str).collect();
            if !ids.is_empty() {
                page.plain_line(&format!("        see: {}", ids.join(", ")));
            }
        }
    }
}

fn line(one: &Finding) -> String {
    let mut text = format!("{} {}[{}]", one.check.word(), one.severity.as_str(), one.code);
    for place in [&one.entry, &one.path].into_iter().flatten() {
        text.push_str(&format!(" {place}"));
    }
    text.push_str(&format!(": {}", one.message));
    text
}

/// What a project gains and loses in findings.
pub(super) fn delta(delta: &Delta) -> String {
    let mut text = format!(
        "findings of the project: {} new, {} fixed, {}\n",
        delta.new.len(),
        delta.fixed.len(),
        count(delta.unchanged, "stays", "stay")
    );
    text.extend(delta.new.iter().map(finding));
    text
}
