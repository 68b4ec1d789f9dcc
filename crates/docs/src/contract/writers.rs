//! `[writers.*]`: named sets of permissions, one of which a server may be bound to (spec C2). It lets nothing through.

use crate::contract::form::{Form, is_name, quoted};
use crate::contract::manifest::{Entry, Faults};
use crate::contract::rules::optional_filter;
use crate::contract::{Grant, Operation, RelationDef, SourceDef, TypeDef, WriterDef};
use crate::filter::FilterScope;
use crate::near::near;

/// Parts of a node that a grant of fields may name beside fields.
const PARTS: &[&str] = &["title", "body"];

/// Reads every writer.
pub(super) fn read(
    root: &Form<'_, '_>,
    scope: &FilterScope,
    types: &[TypeDef],
    relations: &[RelationDef],
    sources: &[SourceDef],
    faults: &Faults<'_>,
) -> Vec<WriterDef> {
    let operations = [Operation::Create, Operation::Update, Operation::Move, Operation::Delete];
    let mut writers = Vec::new();
    for member in root.named("writers") {
        if !is_name(&member.name) {
            faults.add(&member.span, "the name of a writer is 1 to 48 of a-z, 0-9, `_`, `-`, a letter first");
            continue;
        }
        let Some(form) = Form::open(&member.entry, format!("[writers.{}]", member.name), faults) else {
            continue;
        };
        let title = form.required_word("title", 1..=200);
        if form.is_absent("operations") {
            form.missing("operations");
        }
        let mut allowed = Vec::new();
        for word in form.distinct_words("operations", 1..=4).unwrap_or_default() {
            match operations.iter().find(|one| one.as_str() == word.text) {
                Some(operation) => allowed.push(*operation),
                None => {
                    let message = format!("`operations` of {} takes create, update, move, delete", form.name);
                    form.suggest(&word.span, message, &word.text, operations.iter().map(|one| one.as_str()));
                }
            }
        }
        let type_names: Vec<&str> = types.iter().map(|one| one.name.as_str()).collect();
        let source_names: Vec<&str> =
            sources.iter().filter(|one| one.write).map(|one| one.id.as_str()).collect();
        let mut field_names: Vec<&str> =
            types.iter().flat_map(|one| &one.fields).map(|one| one.name.as_str()).collect();
        field_names.extend(PARTS);
        let relation_names: Vec<&str> = relations.iter().map(|one| one.name.as_str()).collect();
        let def = WriterDef {
            name: member.name.clone(),
            title: title.map(|word| word.text).unwrap_or_default(),
            operations: allowed,
            types: names(&form, "types", "a declared type", &type_names),
            sources: names(&form, "sources", "a source with `write = true`", &source_names),
            applies: optional_filter(&form, "where", scope),
            fields: grant(&form, "fields", "a declared field", &field_names),
            relations: grant(&form, "relations", "a declared relation", &relation_names),
            max_open: form.integer("max_open", 1..=100).unwrap_or(10),
            max_ops: form.integer("max_ops", 1..=200).unwrap_or(100),
            strict_base: form.boolean("strict_base").unwrap_or(false),
        };
        form.close();
        writers.push(def);
    }
    writers
}

fn names(form: &Form<'_, '_>, key: &'static str, what: &str, known: &[&str]) -> Vec<String> {
    let words = form.distinct_words(key, 1..=200).unwrap_or_default();
    for word in &words {
        if !known.contains(&word.text.as_str()) {
            let called = quoted(&word.text, "an item");
            let message = format!("{called} in `{key}` of {} is not {what}", form.name);
            form.suggest(&word.span, message, &word.text, known.iter().copied());
        }
    }
    words.into_iter().map(|word| word.text).collect()
}

/// `{ allow = [..] }` or `{ deny = [..] }`.
fn grant(form: &Form<'_, '_>, key: &'static str, what: &str, known: &[&str]) -> Grant {
    let Some(entry) = form.table(key) else { return Grant::All };
    let Some(inner) = open(form, key, entry) else { return Grant::All };
    let allow = inner.distinct_words("allow", 0..=500);
    let deny = inner.distinct_words("deny", 0..=500);
    for word in allow.iter().chain(&deny).flatten() {
        if !known.contains(&word.text.as_str()) {
            let called = quoted(&word.text, "an item");
            let message = format!("{called} in {} is not {what}", inner.name);
            match near(&word.text, known.iter().copied(), 1).first() {
                Some(name) => {
                    form.faults.add_with_fix(&word.span, message, format!("did you mean `{name}`?"))
                }
                None => form.faults.add(&word.span, message),
            }
        }
    }
    let texts = |words: Vec<crate::contract::form::Word>| words.into_iter().map(|word| word.text).collect();
    let grant = match (allow, deny) {
        (Some(allow), None) => Grant::Allow(texts(allow)),
        (None, Some(deny)) => Grant::Deny(texts(deny)),
        _ => {
            if inner.is_absent("allow") == inner.is_absent("deny") {
                form.faults
                    .add(&entry.span, format!("{} takes `allow` or `deny`, and one of them", inner.name));
            }
            Grant::Allow(Vec::new())
        }
    };
    inner.close();
    grant
}

fn open<'f, 'm>(form: &Form<'f, 'm>, key: &str, entry: &'f Entry) -> Option<Form<'f, 'm>> {
    Form::open(entry, format!("`{key}` of {}", form.name), form.faults)
}
