//! Arguments of proposals that are objects, read closed and with the argument named in every complaint; and what a tool says
//! of an accepted one. It knows no single tool.

use ::propose::{Accepted, BodyEdit, ChangesetId, Edit, LinkDraft, Place, Placement, Ticket};
use fault::{DocsCode, Text};
use serde_json::{Map, Value, json};

use super::call::{Call, shortened};
use super::changesets::{brief, changeset_id, finding, finding_schema, version_result};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault};
use super::page::fitting;
use super::schema::{count, map, text, texts};
use super::shape::put_doc;
use crate::args::Arguments;
use crate::catalog::closed_object;

/// Bytes that findings, changes and nodes that lead to one that goes may take, each.
const PART_BYTES: usize = 12 * 1024;

fn invalid(text: Text) -> DocEnd {
    DocFault::new(DocsCode::InvalidArguments, text.as_str()).into()
}

/// An object of known members. `name` is the argument, with dots where it lies deeper.
pub(super) struct Object {
    name: &'static str,
    members: Map<String, Value>,
}

impl Object {
    /// Reads an object; a string that holds one is read as it, as whole arguments are.
    pub(super) fn read(value: &Value, name: &'static str, known: &[&'static str]) -> Result<Object, DocEnd> {
        let object = match value {
            Value::Object(members) => Some(members.clone()),
            Value::String(text) => serde_json::from_str(text).ok(),
            _ => None,
        };
        let Some(members) = object else {
            return Err(invalid(Text::new("'").and(name).and("' must be an object.")));
        };
        if let Some(unknown) = members.keys().find(|key| !known.contains(&key.as_str())) {
            let text = Text::new("'").and(name).and("' has a member that is not known; known: ");
            let text = known
                .iter()
                .enumerate()
                .fold(text, |text, (at, one)| text.and(if at == 0 { "" } else { ", " }).and(one));
            let fault = DocFault::new(DocsCode::InvalidArguments, text.and(".").as_str());
            return Err(fault.with_doc("member", shortened(unknown)).into());
        }
        Ok(Object { name, members })
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.members.get(key).filter(|value| !value.is_null())
    }

    fn wrong(&self, key: &'static str, wanted: &'static str) -> DocEnd {
        invalid(Text::new("'").and(self.name).and(".").and(key).and("' must be ").and(wanted).and("."))
    }

    /// Text, when it is there.
    pub(super) fn text(&self, key: &'static str) -> Result<Option<String>, DocEnd> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(key, "a string")),
        }
    }

    /// Text that must be there.
    pub(super) fn required(&self, key: &'static str) -> Result<String, DocEnd> {
        let text = self.text(key)?.filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| self.wrong(key, "given: a string that is not empty"))
    }

    /// `after` or `section`: where in a file.
    pub(super) fn place(&self) -> Result<Place, DocEnd> {
        match (self.text("after")?, self.text("section")?) {
            (None, None) => Ok(Place::End),
            (Some(id), None) => Ok(Place::After(id)),
            (None, Some(heading)) => Ok(Place::Section(heading)),
            (Some(_), Some(_)) => {
                Err(invalid(Text::new("'").and(self.name).and("' takes 'after' or 'section', not both.")))
            }
        }
    }

    /// An open map, empty without it.
    pub(super) fn map(&self, key: &'static str) -> Result<Map<String, Value>, DocEnd> {
        match self.get(key) {
            None => Ok(Map::new()),
            Some(Value::Object(members)) => Ok(members.clone()),
            Some(Value::String(text)) => serde_json::from_str(text).map_err(|_| self.wrong(key, "an object")),
            Some(_) => Err(self.wrong(key, "an object")),
        }
    }

    /// A list, empty without it.
    pub(super) fn list(&self, key: &'static str) -> Result<Vec<Value>, DocEnd> {
        match self.get(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => Ok(items.clone()),
            Some(Value::String(text)) => serde_json::from_str(text).map_err(|_| self.wrong(key, "an array")),
            Some(_) => Err(self.wrong(key, "an array")),
        }
    }
}

/// The argument of this name as it came; null is as absent.
pub(super) fn value<'c>(call: &'c Call<'_>, name: &str) -> Option<&'c Value> {
    call.raw.get(name).filter(|value| !value.is_null())
}

/// The argument of this name, which must be there.
pub(super) fn required<'c>(call: &'c Call<'_>, name: &'static str) -> Result<&'c Value, DocEnd> {
    value(call, name)
        .ok_or_else(|| invalid(Text::new("'").and(name).and("' is required and must be an object.")))
}

/// Which changeset, as which version.
pub(super) fn ticket(call: &Call<'_>, arguments: &Arguments) -> Result<Ticket, DocEnd> {
    let changeset: ChangesetId = changeset_id(arguments)?;
    let version = arguments.integer("expected_version", 0, u64::from(u32::MAX))?;
    let version = version.ok_or_else(|| {
        invalid(Text::new("'expected_version' is required: the version of the changeset as you last saw it."))
    })?;
    Ok(Ticket {
        changeset,
        expected_version: u32::try_from(version).unwrap_or(u32::MAX),
        tool: call.tool,
        arguments: Value::Object(call.raw.clone()),
    })
}

/// `{source, path, after?|section?}`.
pub(super) fn placement(value: &Value, name: &'static str) -> Result<Placement, DocEnd> {
    let place = Object::read(value, name, &["source", "path", "after", "section"])?;
    let at = place.place()?;
    Ok(Placement { source: place.required("source")?, path: place.required("path")?, place: at })
}

pub(super) fn placement_schema(source: bool, says: &str) -> Value {
    let mut properties = vec![
        (
            "path",
            json!({"type": "string", "minLength": 1, "description": "File, project-relative with `/`."}),
        ),
        (
            "after",
            json!({"type": "string", "description": "In a file of sections: behind the node of this id."}),
        ),
        (
            "section",
            json!({"type": "string", "description": "In a file of sections: at the end below this heading."}),
        ),
    ];
    let mut required = vec!["path"];
    if source {
        properties.insert(
            0,
            ("source", json!({"type": "string", "minLength": 1, "description": "Id of a writable source."})),
        );
        required.insert(0, "source");
    }
    let mut schema = closed_object(properties, &required);
    schema.insert("description".to_owned(), says.into());
    Value::Object(schema)
}

/// Relations as front matter states them: `{REL: "ID" | ["ID" | {to, pin?, note?}]}`.
pub(super) fn relations(members: &Map<String, Value>) -> Result<Vec<LinkDraft>, DocEnd> {
    let mut links = Vec::new();
    for (relation, targets) in members {
        let targets = match targets {
            Value::Array(targets) => targets.clone(),
            Value::Null => Vec::new(),
            one => vec![one.clone()],
        };
        for target in &targets {
            links.push(match target {
                Value::String(to) => {
                    LinkDraft { relation: relation.clone(), to: to.clone(), pin: None, note: None }
                }
                table => {
                    let link = Object::read(table, "node.relations", &["to", "pin", "note"])?;
                    LinkDraft {
                        relation: relation.clone(),
                        to: link.required("to")?,
                        pin: link.text("pin")?,
                        note: link.text("note")?,
                    }
                }
            });
        }
    }
    Ok(links)
}

/// `{replace}` or `{edits: [{find, replace, occurrence?}]}`.
pub(super) fn body(value: &Value) -> Result<BodyEdit, DocEnd> {
    let body = Object::read(value, "body", &["replace", "edits"])?;
    let edits = body.list("edits")?;
    match (body.text("replace")?, edits.is_empty()) {
        (Some(whole), true) => Ok(BodyEdit::Replace(whole)),
        (None, false) => edits.iter().map(edit).collect::<Result<Vec<_>, _>>().map(BodyEdit::Edits),
        _ => Err(invalid(Text::new("'body' takes either 'replace' or 'edits' with at least one edit."))),
    }
}

fn edit(value: &Value) -> Result<Edit, DocEnd> {
    let edit = Object::read(value, "body.edits", &["find", "replace", "occurrence"])?;
    let find = edit.text("find")?.filter(|find| !find.is_empty());
    let find = find.ok_or_else(|| edit.wrong("find", "given: the text that is there, not empty"))?;
    let replace =
        edit.text("replace")?.ok_or_else(|| edit.wrong("replace", "given: a string, perhaps empty"))?;
    let occurrence = match edit.get("occurrence") {
        None => None,
        Some(number) => {
            let number =
                number.as_u64().or_else(|| number.as_str()?.parse().ok()).filter(|number| *number > 0);
            let number = number.ok_or_else(|| edit.wrong("occurrence", "an integer from 1"))?;
            Some(usize::try_from(number).unwrap_or(usize::MAX))
        }
    };
    Ok(Edit { find, replace, occurrence })
}

/// What a tool answers when an operation was accepted.
pub(super) fn accepted(call: &Call<'_>, accepted: &Accepted) -> Answer {
    let mut entry = Map::new();
    entry.insert("kind".to_owned(), accepted.kind.into());
    entry.insert("id".to_owned(), accepted.id.as_str().into());
    for (key, hash) in [("base_hash", accepted.base_hash), ("proposed_hash", accepted.proposed_hash)] {
        if let Some(hash) = hash {
            entry.insert(key.to_owned(), hash.to_string().into());
        }
    }
    if !accepted.changes.is_empty() {
        let shown = fitting(
            accepted.changes.iter(),
            usize::MAX,
            PART_BYTES,
            |(item, before, after)| json!({ "item": item.to_json(), "before": brief(before.as_ref()), "after": brief(after.as_ref()) }),
        );
        entry.insert("changes_total".to_owned(), accepted.changes.len().into());
        put_doc(&mut entry, super::shape::one("changes", shown));
    }
    let mut out = Map::new();
    out.insert("changeset_id".to_owned(), accepted.changeset.as_str().into());
    out.insert("version".to_owned(), accepted.version.into());
    out.insert("entry".to_owned(), Value::Object(entry));
    if accepted.kind == "delete" {
        let (inbound, total) = call.capped(&accepted.inbound, PART_BYTES, |id| id.as_str().into());
        out.insert("inbound".to_owned(), inbound.into());
        out.insert("inbound_total".to_owned(), total.into());
    }
    let (found, total) = call.capped(&accepted.quick_checks, PART_BYTES, finding);
    out.insert("quick_checks".to_owned(), found.into());
    out.insert("quick_checks_total".to_owned(), total.into());
    Answer { result: out, ..Answer::default() }
}

pub(super) fn accepted_schema() -> Map<String, Value> {
    let entry = closed_object(
        vec![
            ("kind", text()),
            ("id", text()),
            ("base_hash", text()),
            ("proposed_hash", text()),
            ("changes_total", count()),
            ("doc", map()),
            ("hidden", texts()),
        ],
        &["kind", "id"],
    );
    closed_object(
        vec![
            ("changeset_id", text()),
            version_result(),
            ("entry", Value::Object(entry)),
            ("inbound", texts()),
            ("inbound_total", count()),
            ("quick_checks", finding_schema()),
            ("quick_checks_total", count()),
        ],
        &["changeset_id", "version", "entry", "quick_checks"],
    )
}

pub(super) fn base_hash_schema() -> (&'static str, Value) {
    super::schema::text_argument(
        "base_hash",
        80,
        "`node_hash` of the node as you read it, or its `proposed_hash` in this changeset.",
    )
}
