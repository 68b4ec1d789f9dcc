//! `docforge_propose_node_delete` on the wire.

use ::propose::propose_delete;
use serde_json::Value;

use super::call::{Call, id_argument};
use super::changesets::{at_desk, check_access, id_schema, version_schema};
use super::drafts::{accepted, accepted_schema, base_hash_schema, ticket};
use super::envelope::Answer;
use super::fault::DocEnd;
use super::schema::{About, PROPOSING, id, text_argument, tool as make};
use crate::args::{ArgTrouble, Arguments};
use crate::catalog::Tool;

pub(super) const NAME: &str = "docforge_propose_node_delete";

const REASON_CHARS_MAX: usize = 4_000;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        id_schema(),
        version_schema(),
        id(),
        base_hash_schema(),
        text_argument("reason", REASON_CHARS_MAX, "Why it is to go. Up to 4,000 characters."),
    ]
}

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "Propose a removal of a node",
            description: "Adds the removal of a node to a changeset and lists what still leads to it (`inbound`): retarget those in \
                          the same changeset, or validation fails. Writes no document.",
            hints: PROPOSING,
        },
        properties(),
        &["changeset_id", "expected_version", "id", "base_hash", "reason"],
        accepted_schema(),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    check_access(call)?;
    let arguments = call.arguments(&properties())?;
    let ticket = ticket(call, &arguments)?;
    let id = id_argument(&arguments, "id")?;
    let base_hash = arguments.required_word("base_hash")?;
    let reason = arguments.required_word("reason")?;
    Arguments::at_most("reason", &reason, REASON_CHARS_MAX, ArgTrouble::Pattern)?;
    let snapshot = call.snapshot_to_change()?;
    let done = at_desk(call, &snapshot, |desk| Ok(propose_delete(desk, &ticket, &id, &base_hash, &reason)?))?;
    Ok(accepted(call, &done))
}
