//! The ordered checks of a changeset, V01 to V20, its verdict, and what the project would gain and lose (spec C10.7). It
//! changes nothing.

use docs::{Delta, Hash, Severity};
use serde_json::{Value, json};

use crate::case::{Case, Desk, writer_of};
use crate::check;
use crate::faults::ProposeFault;
use crate::finding::{CheckCode, CheckState, Finding, hash_of};
use crate::overlap::{Overlap, others, overlaps};
use crate::standing::{EntryState, ItemConflict};
use crate::store::Stored;

/// What a validation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing stands against it.
    Pass,
    /// Something must change.
    Fail,
    /// The project has moved on in the same place.
    Conflict,
}

impl Verdict {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Conflict => "conflict",
        }
    }
}

/// An entry as an answer lists it.
#[derive(Clone, Debug)]
pub struct EntryReport {
    /// The node.
    pub id: String,
    /// `create`, `update`, `move` or `delete`.
    pub kind: &'static str,
    /// How it stands.
    pub state: EntryState,
    /// What changed on both sides.
    pub conflicts: Vec<ItemConflict>,
    /// Whether a node that was created elsewhere says the same.
    pub is_identical: bool,
    /// The hash of the base; for a node that exists only here, its own.
    pub base_hash: Option<Hash>,
    /// The hash of the node as it would be.
    pub proposed_hash: Option<Hash>,
}

/// A whole validation.
#[derive(Clone, Debug)]
pub struct Validation {
    /// What it came to.
    pub verdict: Verdict,
    /// Each check in order.
    pub checks: Vec<(CheckCode, CheckState)>,
    /// What they found, by check and node.
    pub findings: Vec<Finding>,
    /// The entries by id.
    pub entries: Vec<EntryReport>,
    /// Other open changesets that meet this one.
    pub overlaps: Vec<Overlap>,
    /// What the project gains and loses.
    pub delta: Delta,
    /// Over the changeset, the snapshot, the verdict and the findings.
    pub validation_hash: Hash,
}

/// Validates a changeset.
///
/// # Errors
/// When its log or the folder of the changesets cannot be used at all.
pub fn validate(desk: &Desk<'_>, stored: Stored) -> Result<(Case, Validation), ProposeFault> {
    let case = Case::open(desk, stored)?;
    let validation = judge(desk, &case)?;
    Ok((case, validation))
}

/// Runs every check on a case.
///
/// # Errors
/// When the folder of the changesets cannot be used at all.
pub fn judge(desk: &Desk<'_>, case: &Case) -> Result<Validation, ProposeFault> {
    let met = overlaps(&case.entries, &others(desk, &case.stored.log.header.id)?);
    let mut findings = check::header(desk, case);
    let writer = writer_of(desk, &case.stored);
    for entry in case.entries.values() {
        if let Some(writer) = writer {
            findings.extend(crate::rights::check(desk, writer, entry));
        }
        findings.extend(check::entry(desk, case, entry));
    }
    for overlap in &met {
        let message = "another open changeset touches the same";
        let finding = Finding::warn(6, overlap.meeting.as_str(), message).about(&overlap.node);
        findings.push(finding.with("changeset_id", overlap.changeset.as_str()));
    }
    findings.extend(check::sizes(desk, case)?);
    let mut delta = Delta::default();
    if let Some(after) = &case.overlay.snapshot {
        delta = Delta::between(desk.snapshot, after);
        findings.extend(check::whole(desk, case, after, &delta));
        findings.extend(check::integration(desk, case, after));
        findings.extend(check::views(desk, case, after));
        findings.extend(check::pins(desk, after));
    }
    findings.sort_by(|left, right| {
        let key = |one: &Finding| {
            (one.check, one.entry.clone(), one.code.clone(), one.path.clone(), one.message.clone())
        };
        key(left).cmp(&key(right))
    });
    findings.dedup();
    let entries = reports(desk, case, &findings);
    let verdict = verdict(&entries, &findings);
    let checks = CheckCode::all().map(|code| (code, state_of(desk, case, code, &findings))).collect();
    let hashed = json!([
        case.stored.log.content_hash().to_string(),
        desk.snapshot.snapshot_id(),
        verdict.as_str(),
        findings.iter().map(Finding::to_json).collect::<Vec<Value>>(),
    ]);
    let validation_hash = hash_of("docforge.validation.v1", &hashed);
    Ok(Validation { verdict, checks, findings, entries, overlaps: met, delta, validation_hash })
}

fn verdict(entries: &[EntryReport], findings: &[Finding]) -> Verdict {
    if entries.iter().any(|entry| entry.state.is_conflict()) {
        Verdict::Conflict
    } else if findings.iter().any(|one| one.severity == Severity::Error) {
        Verdict::Fail
    } else {
        Verdict::Pass
    }
}

fn state_of(desk: &Desk<'_>, case: &Case, code: CheckCode, findings: &[Finding]) -> CheckState {
    let mut here = findings.iter().filter(|one| one.check == code).peekable();
    let needs_overlay = matches!(code.number(), 8..=11 | 13 | 16..=20);
    if here.peek().is_none() {
        let is_skipped = (needs_overlay && case.overlay.snapshot.is_none())
            || (code.number() == 19 && desk.render.is_none())
            || (code.number() == 18 && desk.validators.is_empty());
        return if is_skipped { CheckState::Skipped } else { CheckState::Pass };
    }
    let worst = here.map(|one| one.severity).min();
    match worst {
        Some(Severity::Error) if code.number() == 5 => CheckState::Conflict,
        Some(Severity::Error) => CheckState::Fail,
        _ => CheckState::Warn,
    }
}

/// How each entry stands, with what the checks add to it.
fn reports(desk: &Desk<'_>, case: &Case, findings: &[Finding]) -> Vec<EntryReport> {
    let contract_moved = case.stored.log.header.base.contract_hash != desk.contract().hash.to_string();
    let mut reports = Vec::new();
    for (id, entry) in &case.entries {
        let Some(standing) = case.standings.get(id) else { continue };
        let about = |check: u8| {
            findings.iter().any(|one| {
                one.check.number() == check
                    && one.entry.as_ref() == Some(id)
                    && one.severity == Severity::Error
            })
        };
        let mut state = standing.state;
        if contract_moved && !state.is_conflict() && (about(8) || about(9)) {
            state = EntryState::ConflictContract;
        }
        let has_fault = case.overlay.faults.contains_key(id);
        if !state.is_conflict()
            && has_fault
            && (about(5)
                || findings
                    .iter()
                    .any(|one| one.code == "placement_conflict" && one.entry.as_ref() == Some(id)))
        {
            state = EntryState::ConflictPath;
        }
        if state == EntryState::Clean
            && findings.iter().any(|one| one.code == "target_missing" && one.entry.as_ref() == Some(id))
        {
            state = EntryState::TargetMissing;
        }
        let proposed_hash =
            case.overlay.snapshot.as_ref().and_then(|after| check::node(after, id)).map(|node| node.hash);
        reports.push(EntryReport {
            id: id.clone(),
            kind: entry.kind.as_str(),
            state,
            conflicts: standing.conflicts.clone(),
            is_identical: standing.is_identical,
            base_hash: entry.base.as_ref().map(|base| base.hash).or(if entry.content.is_some() {
                proposed_hash
            } else {
                None
            }),
            proposed_hash,
        });
    }
    reports
}
