//! `docforge_propose_node_update` on the wire.

use ::propose::{LinkDraft, UpdateRequest, propose_update};
use serde_json::{Value, json};

use super::call::{Call, id_argument, names};
use super::changesets::{at_desk, check_access, id_schema, version_schema};
use super::drafts::{Object, accepted, accepted_schema, base_hash_schema, body, ticket, value};
use super::envelope::Answer;
use super::fault::DocEnd;
use super::schema::{About, PROPOSING, id, tool as make, words};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_propose_node_update";

fn properties() -> Vec<(&'static str, Value)> {
    let text = |says: &str| json!({"type": "string", "description": says});
    let list = |item| json!({"type": "array", "items": Value::Object(item)});
    let said = |mut schema: serde_json::Map<String, Value>, says: &str| {
        schema.insert("description".to_owned(), says.into());
        Value::Object(schema)
    };
    let fields = json!({
        "type": "object",
        "properties": {},
        "additionalProperties": true,
        "description": "New values by field; null takes a field away.",
    });
    let set = closed_object(vec![("title", text("New title.")), ("fields", fields)], &[]);
    let add = closed_object(
        vec![
            ("relation", text("Declared relation.")),
            ("to", text("Id of the target.")),
            ("pin", text("`node_hash` of the target as reviewed.")),
            ("note", text("Note.")),
        ],
        &["relation", "to"],
    );
    let remove = closed_object(
        vec![("relation", text("Declared relation.")), ("to", text("Id of the target."))],
        &["relation", "to"],
    );
    let edit = closed_object(
        vec![
            ("find", text("Exact text that is there; once, or numbered.")),
            ("replace", text("What comes in its place.")),
            (
                "occurrence",
                json!({"type": "integer", "minimum": 1, "description": "Which one, when there are several."}),
            ),
        ],
        &["find", "replace"],
    );
    vec![
        id_schema(),
        version_schema(),
        id(),
        base_hash_schema(),
        ("set", said(set, "Title and fields that change.")),
        words("unset", 64, "Fields that go."),
        (
            "relations",
            said(
                closed_object(vec![("add", list(add)), ("remove", list(remove))], &[]),
                "Relations that come and go.",
            ),
        ),
        (
            "body",
            said(
                closed_object(vec![("replace", text("The whole new body.")), ("edits", list(edit))], &[]),
                "A whole new body, or exact replacements in order.",
            ),
        ),
    ]
}

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "Propose a change of a node",
            description: "Adds a change of a node to a changeset: title, fields, relations, body. Only what is named changes. The \
                          hash of the node as you read it is required; when the node has moved on, `base_conflict` says what \
                          moved. Writes no document.",
            hints: PROPOSING,
        },
        properties(),
        &["changeset_id", "expected_version", "id", "base_hash"],
        accepted_schema(),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    check_access(call)?;
    let arguments = call.arguments(&properties())?;
    let ticket = ticket(call, &arguments)?;
    let mut request = UpdateRequest {
        id: id_argument(&arguments, "id")?,
        base_hash: arguments.required_word("base_hash")?,
        unset: names(&arguments, "unset")?,
        ..UpdateRequest::default()
    };
    if let Some(set) = value(call, "set") {
        let set = Object::read(set, "set", &["title", "fields"])?;
        request.title = set.text("title")?;
        request.fields = set.map("fields")?;
    }
    if let Some(relations) = value(call, "relations") {
        let relations = Object::read(relations, "relations", &["add", "remove"])?;
        for link in relations.list("add")? {
            let link = Object::read(&link, "relations.add", &["relation", "to", "pin", "note"])?;
            request.add.push(LinkDraft {
                relation: link.required("relation")?,
                to: link.required("to")?,
                pin: link.text("pin")?,
                note: link.text("note")?,
            });
        }
        for link in relations.list("remove")? {
            let link = Object::read(&link, "relations.remove", &["relation", "to"])?;
            request.remove.push((link.required("relation")?, link.required("to")?));
        }
    }
    request.body = value(call, "body").map(body).transpose()?;
    let snapshot = call.snapshot_to_change()?;
    let done = at_desk(call, &snapshot, |desk| Ok(propose_update(desk, &ticket, &request)?))?;
    Ok(accepted(call, &done))
}
