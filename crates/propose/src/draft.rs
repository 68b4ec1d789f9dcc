//! What an agent writes about a node, brought into the form in which values are kept and compared. It judges form, not
//! meaning.

use std::collections::BTreeMap;

use docs::{Contract, FieldDef, FieldType, canonical, literal};
use serde_json::{Map, Value};

use crate::content::{Content, Relation};
use crate::faults::{Problem, ProposeFault};

/// A relation as an agent writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkDraft {
    /// The relation as declared.
    pub relation: String,
    /// The id of the target.
    pub to: String,
    /// The pin.
    pub pin: Option<String>,
    /// The note.
    pub note: Option<String>,
}

/// A new node as an agent writes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeDraft {
    /// Its id.
    pub id: String,
    /// Its type.
    pub type_name: String,
    /// Its title.
    pub title: String,
    /// Its fields; null means absent.
    pub fields: Map<String, Value>,
    /// Its relations.
    pub relations: Vec<LinkDraft>,
    /// Its body.
    pub body: String,
}

/// A change of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyEdit {
    /// The whole new body.
    Replace(String),
    /// Pieces, one after the other.
    Edits(Vec<Edit>),
}

/// One piece of a body that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is there.
    pub find: String,
    /// What comes there.
    pub replace: String,
    /// Which of several, from 1; without it there is exactly one.
    pub occurrence: Option<usize>,
}

/// Brings a draft into its kept form.
pub(crate) fn content(contract: &Contract, draft: &NodeDraft) -> Result<Content, ProposeFault> {
    if contract.type_def(&draft.type_name).is_none() {
        let fault =
            ProposeFault::new(Problem::SchemaViolation, "The contract declares no type of this name.");
        return Err(fault.with_doc("type", draft.type_name.as_str()));
    }
    let mut fields = BTreeMap::new();
    for (name, value) in &draft.fields {
        if let Some(value) = field(contract, &draft.type_name, name, value)? {
            fields.insert(name.clone(), value);
        }
    }
    let relations =
        draft.relations.iter().map(|link| relation(contract, link)).collect::<Result<Vec<_>, _>>()?;
    Ok(Content {
        id: draft.id.clone(),
        type_name: draft.type_name.clone(),
        title: title(&draft.title)?,
        fields,
        relations,
        body: body(&draft.body)?,
    })
}

/// A title of one line.
pub(crate) fn title(text: &str) -> Result<String, ProposeFault> {
    if text.contains(['\n', '\r']) || text.trim() != text {
        let message = "A title has one line and neither begins nor ends with a blank.";
        return Err(ProposeFault::new(Problem::SchemaViolation, message));
    }
    Ok(text.to_owned())
}

/// A body in its canonical form. A carriage return alone would come back as a line end, so it is refused.
pub(crate) fn body(text: &str) -> Result<String, ProposeFault> {
    if text.replace("\r\n", "\n").contains('\r') {
        let message = "A carriage return without a line feed would not read back.";
        return Err(ProposeFault::new(Problem::RoundtripFailed, message));
    }
    Ok(canonical(text))
}

/// A declared relation.
pub(crate) fn relation(contract: &Contract, link: &LinkDraft) -> Result<Relation, ProposeFault> {
    if contract.relation(&link.relation).is_none() {
        let fault =
            ProposeFault::new(Problem::RelationViolation, "The contract declares no relation of this name.");
        let near = docs::near(&link.relation, contract.relations.iter().map(|one| one.name.as_str()), 3);
        let near: Vec<String> = near.into_iter().map(str::to_owned).collect();
        return Err(fault.with("near", near).with_doc("relation", link.relation.as_str()));
    }
    Ok(Relation {
        name: link.relation.clone(),
        to: link.to.clone(),
        pin: link.pin.clone(),
        note: link.note.clone(),
    })
}

/// A value of a field in its kept form; `None` for null.
pub(crate) fn field(
    contract: &Contract,
    type_name: &str,
    name: &str,
    value: &Value,
) -> Result<Option<Value>, ProposeFault> {
    let kind = contract.type_def(type_name);
    let def = kind.and_then(|kind| kind.field(name));
    let is_kept = kind.is_some_and(|kind| kind.unknown_fields != docs::UnknownFields::Error);
    let is_reserved = matches!(name, "id" | "type" | "title" | "aliases")
        || contract.relation(name).is_some()
        || contract.by_inverse(name).is_some();
    if is_reserved || (def.is_none() && !is_kept) {
        let names = kind.into_iter().flat_map(|kind| &kind.fields).map(|field| field.name.as_str());
        let near: Vec<String> = docs::near(name, names, 3).into_iter().map(str::to_owned).collect();
        let fault = ProposeFault::new(Problem::SchemaViolation, "The type declares no field of this name.");
        return Err(fault.with("near", near).with_doc("field", name));
    }
    if value.is_null() {
        return Ok(None);
    }
    let Some(def) = def else { return Ok(Some(value.clone())) };
    let wrong = || {
        let message = format!(
            "`{}` takes {}{}.",
            def.name,
            if def.list { "a list of " } else { "" },
            def.kind.as_str()
        );
        ProposeFault::new(Problem::SchemaViolation, message).with("field", def.name.as_str())
    };
    if !def.list {
        return single(def, value).map(Some).ok_or_else(wrong);
    }
    let items = value.as_array().ok_or_else(wrong)?;
    let mut items =
        items.iter().map(|item| single(def, item)).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
    if def.unique {
        items.sort_by_key(docs::canon::canonical);
    }
    Ok((!items.is_empty()).then(|| Value::from(items)))
}

/// One value in its kept form; `None` when it has another type.
fn single(def: &FieldDef, value: &Value) -> Option<Value> {
    let text = value.as_str();
    match def.kind {
        FieldType::String | FieldType::Text | FieldType::Enum | FieldType::Url => text.map(Value::from),
        FieldType::Integer => value.as_i64().or_else(|| text.and_then(literal::integer)).map(Value::from),
        FieldType::Number => {
            let written = match (value, text) {
                (Value::Number(number), _) => number.to_string(),
                (_, Some(text)) => text.to_owned(),
                _ => return None,
            };
            literal::number(&written).map(Value::from)
        }
        FieldType::Boolean => value.as_bool().map(Value::from),
        FieldType::Date => text.and_then(literal::date).map(Value::from),
        FieldType::DateTime => text.and_then(literal::date_time).map(Value::from),
        FieldType::Map => value.is_object().then(|| value.clone()),
        FieldType::Json => Some(value.clone()),
    }
}

/// A body after a change.
pub(crate) fn edited(before: &str, edit: &BodyEdit) -> Result<String, ProposeFault> {
    let edits = match edit {
        BodyEdit::Replace(text) => return body(text),
        BodyEdit::Edits(edits) => edits,
    };
    let mut text = before.to_owned();
    for (place, edit) in edits.iter().enumerate() {
        let fault =
            |problem| ProposeFault::of(problem).with("edit", place).with_doc("find", edit.find.as_str());
        let find = edit.find.replace("\r\n", "\n");
        if find.is_empty() {
            return Err(fault(Problem::EditNotFound));
        }
        let found: Vec<usize> = text.match_indices(find.as_str()).map(|(at, _)| at).collect();
        let at = match (edit.occurrence, found.as_slice()) {
            (_, []) => return Err(fault(Problem::EditNotFound)),
            (None, [one]) => *one,
            (None, _) => return Err(fault(Problem::EditAmbiguous).with("occurrences", found.len())),
            (Some(number), _) => match number.checked_sub(1).and_then(|number| found.get(number)) {
                Some(at) => *at,
                None => return Err(fault(Problem::EditNotFound).with("occurrences", found.len())),
            },
        };
        text.replace_range(at..at + find.len(), &edit.replace.replace("\r\n", "\n"));
    }
    body(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(find: &str, replace: &str, occurrence: Option<usize>) -> Edit {
        Edit { find: find.to_owned(), replace: replace.to_owned(), occurrence }
    }

    #[test]
    fn a_piece_is_found_once_or_by_its_number() {
        let before = "one two one\n";
        let check = |edits: Vec<Edit>| edited(before, &BodyEdit::Edits(edits)).map_err(|fault| fault.problem);
        assert_eq!(check(vec![edit("two", "2", None)]).as_deref(), Ok("one 2 one\n"));
        assert_eq!(check(vec![edit("one", "1", None)]), Err(Problem::EditAmbiguous));
        assert_eq!(check(vec![edit("one", "1", Some(2))]).as_deref(), Ok("one two 1\n"));
        assert_eq!(check(vec![edit("one", "1", Some(3))]), Err(Problem::EditNotFound));
        assert_eq!(check(vec![edit("one", "1", Some(0))]), Err(Problem::EditNotFound));
        assert_eq!(check(vec![edit("three", "3", None)]), Err(Problem::EditNotFound));
        assert_eq!(check(vec![edit("", "3", None)]), Err(Problem::EditNotFound));
        assert_eq!(check(vec![edit("two", "2", None), edit("2 one", "x", None)]).as_deref(), Ok("one x\n"));
        assert_eq!(
            edited(before, &BodyEdit::Replace("a\rb".to_owned())).map_err(|fault| fault.problem),
            Err(Problem::RoundtripFailed)
        );
        assert_eq!(edited(before, &BodyEdit::Replace("a\r\nb\n\n".to_owned())).as_deref(), Ok("a\nb\n"));
    }
}
