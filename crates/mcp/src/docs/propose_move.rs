//! `docforge_propose_node_move` on the wire.

use ::docs::LookUp;
use ::propose::{Placement, propose_move};
use serde_json::Value;

use super::call::{Call, id_argument, node};
use super::changesets::{at_desk, check_access, id_schema, version_schema};
use super::drafts::{
    Object, accepted, accepted_schema, base_hash_schema, placement_schema, required, ticket,
};
use super::envelope::Answer;
use super::fault::DocEnd;
use super::schema::{About, PROPOSING, id, tool as make};
use crate::catalog::Tool;

pub(super) const NAME: &str = "docforge_propose_node_move";

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        id_schema(),
        version_schema(),
        id(),
        base_hash_schema(),
        ("to", placement_schema(false, "Its new place, in the same source.")),
    ]
}

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "Propose a move of a node",
            description: "Adds a move of a node to a changeset: another file or another place in its file, in the same source. Its id \
                          and what it says stay. Writes no document.",
            hints: PROPOSING,
        },
        properties(),
        &["changeset_id", "expected_version", "id", "base_hash", "to"],
        accepted_schema(),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    check_access(call)?;
    let arguments = call.arguments(&properties())?;
    let ticket = ticket(call, &arguments)?;
    let id = id_argument(&arguments, "id")?;
    let base_hash = arguments.required_word("base_hash")?;
    let to = Object::read(required(call, "to")?, "to", &["path", "after", "section"])?;
    let path = to.required("path")?;
    let place = to.place()?;
    let snapshot = call.snapshot_to_change()?;
    let done = at_desk(call, &snapshot, |desk| {
        // A node that only this changeset makes has its source there.
        let source = match snapshot.look_up(&id) {
            LookUp::Missing => {
                let stored = desk.store().read(&ticket.changeset)?;
                let entries = ::propose::effective(&stored.log);
                let made = entries.get(&id).and_then(|entry| entry.placement.as_ref());
                made.map(|place| place.source.clone())
            }
            _ => None,
        };
        let source = match source {
            Some(source) => source,
            None => snapshot.node(node(&snapshot, &id)?.0).source.clone(),
        };
        let to = Placement { source, path, place };
        Ok(propose_move(desk, &ticket, &id, &base_hash, &to)?)
    })?;
    Ok(accepted(call, &done))
}
