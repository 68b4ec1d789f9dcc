//! A ready piece of front matter for a type, for whoever is about to write a node (spec C12.3). It makes no id.

use std::fmt::Write as _;

use crate::contract::{BodyRule, Contract, FieldDef, FieldType, RelationDef, TypeDef};

impl Contract {
    /// Front matter of a new node of the type: required fields to be filled in, the others and the relations as
    /// comments. `None` when there is no such type.
    pub fn skeleton(&self, type_name: &str) -> Option<String> {
        let one = self.type_def(type_name)?;
        let mut out = String::from("---\n");
        let _ = writeln!(out, "id:{}", id_note(one));
        let _ = writeln!(out, "type: {}", one.name);
        out.push_str("title:\n");
        for field in one.fields.iter().filter(|field| field.required) {
            let _ = writeln!(out, "{}:  # {}", field.name, field_note(field));
        }
        for field in one.fields.iter().filter(|field| !field.required) {
            let _ = writeln!(out, "# {}:  # optional, {}", field.name, field_note(field));
        }
        let may_be = |ends: &[String]| ends.is_empty() || ends.contains(&one.name);
        for relation in self.relations.iter().filter(|relation| may_be(&relation.from)) {
            let _ = writeln!(
                out,
                "# {}: [ID]  # out, to {}{}",
                relation.name,
                kinds(&relation.to),
                how_many(relation)
            );
        }
        for relation in self.relations.iter().filter(|relation| !relation.symmetric && may_be(&relation.to)) {
            let _ = writeln!(
                out,
                "# {}  # in, stated as `{}` by {}",
                relation.inverse,
                relation.name,
                kinds(&relation.from)
            );
        }
        out.push_str("---\n");
        match one.body {
            BodyRule::Required => out.push_str("Body (required).\n"),
            BodyRule::Optional => out.push_str("Body (optional).\n"),
            BodyRule::Forbidden => {}
        }
        Some(out)
    }
}

fn id_note(one: &TypeDef) -> String {
    match (&one.id_hint, &one.id_pattern) {
        (Some(hint), _) => format!("  # {}", one_line(hint)),
        (None, Some(pattern)) => format!("  # matches {}", one_line(&pattern.source)),
        (None, None) => String::new(),
    }
}

fn field_note(field: &FieldDef) -> String {
    let mut note =
        if field.list { format!("list of {}", field.kind.as_str()) } else { field.kind.as_str().to_owned() };
    if field.kind == FieldType::Enum {
        let values: Vec<String> = field.values.iter().map(|value| one_line(value)).collect();
        let _ = write!(note, ": {}", values.join(" | "));
    }
    match (&field.min, &field.max) {
        (Some(least), Some(most)) => drop(write!(note, ", {least} to {most}")),
        (Some(least), None) => drop(write!(note, ", at least {least}")),
        (None, Some(most)) => drop(write!(note, ", at most {most}")),
        (None, None) => {}
    }
    if let Some(pattern) = &field.pattern {
        let _ = write!(note, ", matches {}", one_line(&pattern.source));
    }
    note
}

/// Free text of the manifest in a comment of one line.
fn one_line(text: &str) -> String {
    text.split(char::is_control).collect::<Vec<_>>().join(" ")
}

fn kinds(names: &[String]) -> String {
    if names.is_empty() { "any type".to_owned() } else { names.join(", ") }
}

fn how_many(relation: &RelationDef) -> String {
    match (relation.min, relation.max) {
        (Some(least), Some(most)) => format!("; {least} to {most}"),
        (Some(least), None) if least > 0 => format!("; at least {least}"),
        (None, Some(most)) => format!("; at most {most}"),
        _ => String::new(),
    }
}
