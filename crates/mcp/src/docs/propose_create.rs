//! `docforge_propose_node_create` on the wire.

use ::propose::{NodeDraft, propose_create};
use serde_json::{Value, json};

use super::call::Call;
use super::changesets::{at_desk, check_access, id_schema, version_schema};
use super::drafts::{
    Object, accepted, accepted_schema, placement, placement_schema, relations, required, ticket,
};
use super::envelope::Answer;
use super::fault::DocEnd;
use super::schema::{About, PROPOSING, tool as make};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_propose_node_create";

fn properties() -> Vec<(&'static str, Value)> {
    let open = |says: &str| json!({"type": "object", "properties": {}, "additionalProperties": true, "description": says});
    let text = |says: &str| json!({"type": "string", "description": says});
    let mut node = closed_object(
        vec![
            (
                "id",
                text("New id, as `id_pattern` or `id_hint` of the type says. Ids are not allocated for you."),
            ),
            ("type", text("A declared type.")),
            ("title", text("One line.")),
            ("fields", open("Fields of the type by name; see the skeleton of docforge_get_contract.")),
            ("relations", open("By relation: id, list of ids, or list of {to, pin?, note?}.")),
            ("body", text("Markdown body.")),
        ],
        &["id", "type", "title"],
    );
    node.insert("description".to_owned(), "The new node.".into());
    vec![
        id_schema(),
        version_schema(),
        ("node", Value::Object(node)),
        ("placement", placement_schema(true, "Where it is to stand: a file that the source includes.")),
    ]
}

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "Propose a new node",
            description: "Adds the creation of a node to a changeset. Refuses ids that a node has or had, values that do not fit the \
                          type, and places that the source does not include. Writes no document.",
            hints: PROPOSING,
        },
        properties(),
        &["changeset_id", "expected_version", "node", "placement"],
        accepted_schema(),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    check_access(call)?;
    let arguments = call.arguments(&properties())?;
    let ticket = ticket(call, &arguments)?;
    let known = ["id", "type", "title", "fields", "relations", "body"];
    let node = Object::read(required(call, "node")?, "node", &known)?;
    let draft = NodeDraft {
        id: node.required("id")?,
        type_name: node.required("type")?,
        title: node.text("title")?.unwrap_or_default(),
        fields: node.map("fields")?,
        relations: relations(&node.map("relations")?)?,
        body: node.text("body")?.unwrap_or_default(),
    };
    let placement = placement(required(call, "placement")?, "placement")?;
    let snapshot = call.snapshot_to_change()?;
    let done = at_desk(call, &snapshot, |desk| Ok(propose_create(desk, &ticket, &draft, &placement)?))?;
    Ok(accepted(call, &done))
}
