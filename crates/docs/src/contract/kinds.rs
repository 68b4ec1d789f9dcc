//! `[types.*]`: the types of nodes with their fields, inherited ones folded in (spec C2). It knows no node.

use std::ops::Range;

use crate::contract::form::{Form, is_field, is_name, quoted};
use crate::contract::manifest::{Data, Faults};
use crate::contract::relations::Relations;
use crate::contract::{BodyRule, FieldDef, FieldType, TypeDef, UnknownFields, patterns};
use crate::limits::Limits;
use crate::literal;

/// Keys of a node file that are neither fields nor relations.
pub(super) const RESERVED: &[&str] = &["id", "type", "title", "aliases"];
/// Steps from a type to its furthest ancestor.
const EXTENDS_MAX: usize = 4;
/// Values of one enum.
const VALUES_MAX: usize = 200;

const FIELD_TYPES: &[(&str, FieldType)] = &[
    ("string", FieldType::String),
    ("text", FieldType::Text),
    ("integer", FieldType::Integer),
    ("number", FieldType::Number),
    ("boolean", FieldType::Boolean),
    ("date", FieldType::Date),
    ("datetime", FieldType::DateTime),
    ("enum", FieldType::Enum),
    ("url", FieldType::Url),
    ("map", FieldType::Map),
    ("json", FieldType::Json),
];

/// The types and where their fields stand.
pub(super) struct Types {
    pub(super) defs: Vec<TypeDef>,
    fields: Vec<(String, Range<usize>)>,
}

impl Types {
    /// Whether a type of this name is declared.
    pub(super) fn has(&self, name: &str) -> bool {
        self.defs.iter().any(|one| one.name == name)
    }
}

/// Reads every type.
pub(super) fn read(root: &Form<'_, '_>, faults: &Faults<'_>) -> Types {
    let mut types = Types { defs: Vec::new(), fields: Vec::new() };
    let mut parents: Vec<Option<Range<usize>>> = Vec::new();
    for member in root.named("types") {
        if !is_name(&member.name) {
            faults.add(&member.span, "the name of a type is 1 to 48 of a-z, 0-9, `_`, `-`, a letter first");
            continue;
        }
        let Some(form) = Form::open(&member.entry, format!("[types.{}]", member.name), faults) else {
            continue;
        };
        let extends = form.word("extends", 1..=48);
        parents.push(extends.as_ref().map(|word| word.span.clone()));
        let bodies = [
            ("required", BodyRule::Required),
            ("optional", BodyRule::Optional),
            ("forbidden", BodyRule::Forbidden),
        ];
        let unknown =
            [("error", UnknownFields::Error), ("warn", UnknownFields::Warn), ("keep", UnknownFields::Keep)];
        let def = TypeDef {
            name: member.name.clone(),
            title: form.text("title", 1..=200),
            description: form.text("description", 0..=2_000),
            id_pattern: patterns::read(&form, "id_pattern"),
            id_hint: form.text("id_hint", 1..=200),
            body: form.choice("body", &bodies).unwrap_or(BodyRule::Optional),
            unknown_fields: form.choice("unknown_fields", &unknown).unwrap_or(UnknownFields::Error),
            extends: extends.map(|word| word.text),
            fields: fields(&form, &member.name, &mut types.fields, faults),
        };
        form.close();
        types.defs.push(def);
    }
    if root.is_absent("types") || (types.defs.is_empty() && root.named("types").is_empty()) {
        faults.add_with_fix(
            root.span(),
            "the manifest declares no type",
            "add a table such as `[types.note]`",
        );
    }
    inherit(&mut types.defs, &parents, faults);
    types
}

fn fields(
    form: &Form<'_, '_>,
    type_name: &str,
    spans: &mut Vec<(String, Range<usize>)>,
    faults: &Faults<'_>,
) -> Vec<FieldDef> {
    let mut fields = Vec::new();
    for member in form.named("fields") {
        let name = &member.name;
        if !is_field(name) {
            faults.add(
                &member.span,
                "the name of a field is 1 to 64 of letters, digits, `_`, `-`, a letter first",
            );
            continue;
        }
        if RESERVED.contains(&name.as_str()) {
            faults.add(&member.span, format!("`{name}` is a reserved key of a node and cannot be a field"));
        }
        spans.push((name.clone(), member.span.clone()));
        let called = format!("[types.{type_name}.fields.{name}]");
        if let Some(form) = Form::open(&member.entry, called, faults) {
            fields.extend(field(&form, name));
            form.close();
        }
    }
    fields
}

fn field(form: &Form<'_, '_>, name: &str) -> Option<FieldDef> {
    if form.is_absent("type") {
        form.missing("type");
    }
    let kind = form.choice("type", FIELD_TYPES);
    let list = form.boolean("list").unwrap_or(false);
    let values = form.distinct_words("values", 1..=VALUES_MAX);
    let def = FieldDef {
        name: name.to_owned(),
        kind: kind.unwrap_or(FieldType::Json),
        list,
        min_items: form.integer("min_items", 0..=usize::MAX),
        max_items: form.integer("max_items", 1..=usize::MAX),
        unique: form.boolean("unique").unwrap_or(false),
        required: form.boolean("required").unwrap_or(false),
        values: values.unwrap_or_default().into_iter().map(|word| word.text).collect(),
        pattern: patterns::read(form, "pattern"),
        min_length: form.integer("min_length", 0..=usize::MAX),
        max_length: form.integer("max_length", 1..=usize::MAX),
        min: kind.and_then(|kind| bound(form, "min", kind)),
        max: kind.and_then(|kind| bound(form, "max", kind)),
        search: form.boolean("search").unwrap_or(true),
        hash: form.boolean("hash").unwrap_or(true),
        label: form.text("label", 1..=200),
    };
    // Asked for even when the type is wrong, so that they are not unknown keys.
    form.entry("min");
    form.entry("max");
    let kind = kind?;
    let only = |key: &str, fits: bool, whom: &str| {
        if !form.is_absent(key) && !fits {
            form.fault(key, format!("`{key}` of {} belongs to {whom}", form.name));
        }
    };
    for key in ["min_items", "max_items", "unique"] {
        only(key, list, "a field with `list = true`");
    }
    only("values", kind == FieldType::Enum, "a field of type enum");
    only("pattern", kind == FieldType::String, "a field of type string");
    for key in ["min_length", "max_length"] {
        only(key, matches!(kind, FieldType::String | FieldType::Text), "a field of type string or text");
    }
    for key in ["min", "max"] {
        let is_ordered = matches!(kind, FieldType::Integer | FieldType::Number | FieldType::Date);
        only(key, is_ordered, "a field of type integer, number or date");
    }
    if kind == FieldType::Enum && form.is_absent("values") {
        form.missing("values");
    }
    let is_reversed = |least: Option<usize>, most: Option<usize>| matches!((least, most), (Some(least), Some(most)) if most < least);
    if is_reversed(def.min_items, def.max_items) {
        form.fault("max_items", format!("`max_items` of {} is less than `min_items`", form.name));
    }
    if is_reversed(def.min_length, def.max_length) {
        form.fault("max_length", format!("`max_length` of {} is less than `min_length`", form.name));
    }
    if let (Some(least), Some(most)) = (&def.min, &def.max) {
        let is_less = match kind {
            FieldType::Date => most < least,
            _ => literal::compare_numbers(most, least).is_lt(),
        };
        if is_less {
            form.fault("max", format!("`max` of {} is less than `min`", form.name));
        }
    }
    Some(def)
}

/// A bound in the canonical form of its type.
fn bound(form: &Form<'_, '_>, key: &'static str, kind: FieldType) -> Option<String> {
    let entry = form.entry(key)?;
    let found = match (kind, &entry.value) {
        (FieldType::Integer | FieldType::Number, Data::Integer(number)) => Some(number.to_string()),
        (FieldType::Number, Data::Float(number)) => literal::number(&number.to_string()),
        (FieldType::Date, Data::Date(day) | Data::Text(day)) => literal::date(day),
        // That it does not belong here is said elsewhere.
        (FieldType::Integer | FieldType::Number | FieldType::Date, _) => None,
        _ => return None,
    };
    if found.is_none() {
        let expected = match kind {
            FieldType::Integer => "an integer",
            FieldType::Number => "a number",
            _ => "a day, \"YYYY-MM-DD\"",
        };
        form.fault(key, format!("`{key}` of {} is not {expected}", form.name));
    }
    found
}

/// Folds inherited fields in, ancestors first; a field that a type declares again takes the place of the inherited one.
fn inherit(types: &mut [TypeDef], parents: &[Option<Range<usize>>], faults: &Faults<'_>) {
    let own: Vec<Vec<FieldDef>> = types.iter().map(|one| one.fields.clone()).collect();
    let place = |name: &str| types.iter().position(|one| one.name == name);
    let parent: Vec<Option<usize>> = types.iter().map(|one| one.extends.as_deref().and_then(place)).collect();
    let mut folded = Vec::with_capacity(types.len());
    for (at, one) in types.iter().enumerate() {
        let span = parents[at].clone().unwrap_or(0..0);
        if let (Some(name), None) = (&one.extends, parent[at]) {
            let called = quoted(name, "something");
            faults.add(
                &span,
                format!("`extends` of [types.{}] names {called}, which is no declared type", one.name),
            );
        }
        let mut line = vec![at];
        while let Some(above) = parent[line[line.len() - 1]] {
            if line.contains(&above) {
                if above == at {
                    faults.add(&span, format!("[types.{}] extends itself in a circle", one.name));
                }
                break;
            }
            line.push(above);
        }
        if line.len() > EXTENDS_MAX + 1 {
            faults.add(&span, format!("[types.{}] has more than {EXTENDS_MAX} ancestors", one.name));
        }
        let mut fields: Vec<FieldDef> = Vec::new();
        for field in line.iter().rev().flat_map(|at| &own[*at]) {
            match fields.iter_mut().find(|known| known.name == field.name) {
                Some(known) => *known = field.clone(),
                None => fields.push(field.clone()),
            }
        }
        let most = Limits::CEILING.max_fields_per_node;
        if fields.len() > most {
            faults.add(&span, format!("[types.{}] has more than {most} fields", one.name));
        }
        folded.push(fields);
    }
    for (one, fields) in types.iter_mut().zip(folded) {
        one.fields = fields;
    }
}

/// A key of a node file is a field or a relation, never both.
pub(super) fn check_against_relations(types: &Types, relations: &Relations, faults: &Faults<'_>) {
    for (name, span) in &types.fields {
        for relation in &relations.defs {
            if relation.name == *name {
                faults.add(span, format!("`{name}` is a relation and cannot be a field too"));
            } else if relation.inverse == *name {
                faults.add(span, format!("`{name}` is the inverse of a relation and cannot be a field too"));
            }
        }
    }
}
