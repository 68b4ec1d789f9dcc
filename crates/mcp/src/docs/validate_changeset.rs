//! `docforge_validate_changeset` on the wire.

use ::propose::validate;
use serde_json::{Map, Value, json};

use super::call::{Call, List};
use super::changesets::{
    at_desk, changeset_id, entry, entry_schema, finding, finding_schema, head, id_schema, overlap,
    overlap_schema, page_state, version_result,
};
use super::envelope::Answer;
use super::fault::{DocEnd, Warning};
use super::schema::{About, READING, count, cursor, diagnostic, limit, list, text, tool as make};
use super::shape;
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_validate_changeset";

const LIMIT_MAX: usize = 200;
const LIMIT: usize = 50;
/// Bytes that entries, overlaps and each side of the difference in findings may take beside the page.
const ENTRIES_BYTES: usize = 10 * 1024;
const OVERLAPS_BYTES: usize = 4 * 1024;
const DELTA_BYTES: usize = 6 * 1024;

fn properties() -> Vec<(&'static str, Value)> {
    vec![id_schema(), limit(LIMIT_MAX, LIMIT), cursor()]
}

pub(super) fn tool() -> Tool {
    let names = ["code", "state"];
    let check = closed_object(names.map(|name| (name, text())).to_vec(), &names);
    let delta = closed_object(
        vec![
            ("new", list(diagnostic())),
            ("new_total", count()),
            ("fixed", list(diagnostic())),
            ("fixed_total", count()),
            ("unchanged", count()),
        ],
        &["new", "new_total", "fixed", "fixed_total", "unchanged"],
    );
    make(
        About {
            name: NAME,
            title: "Validate a changeset",
            description: "Runs the checks V01 to V20 on a changeset against the project as it is now: rights, bases, conflicts, \
                          overlaps, ids, fields, relations, cycles, rules, places, sizes, round trip, pins. `verdict` is pass, \
                          fail or conflict; `diagnostics_delta` is what the project would gain and lose. Needs no writer. The \
                          page counts findings.",
            hints: READING,
        },
        properties(),
        &["changeset_id"],
        closed_object(
            vec![
                ("changeset_id", text()),
                version_result(),
                ("verdict", text()),
                ("checks", list(check)),
                ("findings", finding_schema()),
                ("entries", entry_schema(Vec::new())),
                ("entries_total", count()),
                ("overlaps", overlap_schema()),
                ("overlaps_total", count()),
                ("diagnostics_delta", Value::Object(delta)),
                ("validation_hash", text()),
            ],
            &[
                "changeset_id",
                "version",
                "verdict",
                "checks",
                "findings",
                "entries",
                "overlaps",
                "diagnostics_delta",
                "validation_hash",
            ],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let most = call.limit(&arguments, LIMIT_MAX, LIMIT)?;
    let cursor = arguments.filled_text("cursor")?;
    let id = changeset_id(&arguments)?;
    let snapshot = call.snapshot()?;
    let (case, validation) = at_desk(call, &snapshot, |desk| Ok(validate(desk, desk.store().read(&id)?)?))?;
    let mut out = head(&case.stored);
    out.insert("verdict".to_owned(), validation.verdict.as_str().into());
    let checks =
        validation.checks.iter().map(|(code, state)| json!({ "code": code.word(), "state": state.as_str() }));
    out.insert("checks".to_owned(), checks.collect());
    let (entries, entries_total) =
        call.capped(&validation.entries, ENTRIES_BYTES, |one| Value::Object(entry(one, false)));
    let (overlaps, overlaps_total) = call.capped(&validation.overlaps, OVERLAPS_BYTES, overlap);
    let (new, new_total) = call.capped(&validation.delta.new, DELTA_BYTES, shape::diagnostic);
    let (fixed, fixed_total) = call.capped(&validation.delta.fixed, DELTA_BYTES, shape::diagnostic);
    let mut answer = Answer::default();
    if entries.len() < entries_total || overlaps.len() < overlaps_total {
        answer.warnings.push(MORE_ENTRIES);
    }
    if new.len() < new_total || fixed.len() < fixed_total {
        answer.warnings.push(MORE_FINDINGS);
    }
    out.insert("entries".to_owned(), entries.into());
    out.insert("entries_total".to_owned(), entries_total.into());
    out.insert("overlaps".to_owned(), overlaps.into());
    out.insert("overlaps_total".to_owned(), overlaps_total.into());
    let delta = json!({
        "new": new,
        "new_total": new_total,
        "fixed": fixed,
        "fixed_total": fixed_total,
        "unchanged": validation.delta.unchanged,
    });
    out.insert("diagnostics_delta".to_owned(), delta);
    out.insert("validation_hash".to_owned(), validation.validation_hash.to_string().into());
    let state = page_state(&snapshot, &case.stored);
    let list = List { total: validation.findings.len(), limit: most, cursor, state: &state };
    let around = Value::Object(out.clone()).to_string().len();
    let (shown, page) = call.page_beside(around, list, validation.findings.iter(), finding)?;
    let mut result: Map<String, Value> = out;
    result.insert("findings".to_owned(), shown.into());
    answer.result = result;
    answer.page = Some(page);
    Ok(answer)
}

const MORE_ENTRIES: Warning = Warning {
    code: "more_entries",
    message: "Not every entry or overlap is shown; docforge_get_changeset lists them in pages.",
};
const MORE_FINDINGS: Warning = Warning {
    code: "more_diagnostics",
    message: "Not every finding that the project would gain or lose is shown; the totals count all.",
};
