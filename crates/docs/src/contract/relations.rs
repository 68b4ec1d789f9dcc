//! `[relations.*]`: what may lead where, how often, and what follows from it (spec C2). It knows no edge.

use std::ops::Range;

use crate::contract::form::{Form, Word, is_field, is_name, quoted};
use crate::contract::kinds::{RESERVED, Types};
use crate::contract::manifest::Faults;
use crate::contract::rules::filter;
use crate::contract::{ContextUse, ImpactFlow, Part, PinUse, RelationDef};
use crate::filter::FilterScope;

/// The relations, and the conditions on their targets that are read once every name is known.
pub(super) struct Relations {
    pub(super) defs: Vec<RelationDef>,
    conditions: Vec<(usize, Word)>,
}

struct Names {
    inverse: Option<Range<usize>>,
    acyclic_with: Vec<Word>,
    paired_with: Option<Word>,
}

/// Reads every relation.
pub(super) fn read(root: &Form<'_, '_>, types: &Types, faults: &Faults<'_>) -> Relations {
    let mut found = Relations { defs: Vec::new(), conditions: Vec::new() };
    let mut names = Vec::new();
    for member in root.named("relations") {
        if !is_name(&member.name) {
            faults
                .add(&member.span, "the name of a relation is 1 to 48 of a-z, 0-9, `_`, `-`, a letter first");
            continue;
        }
        if RESERVED.contains(&member.name.as_str()) {
            faults.add(
                &member.span,
                format!("`{}` is a reserved key of a node and cannot be a relation", member.name),
            );
        }
        let Some(form) = Form::open(&member.entry, format!("[relations.{}]", member.name), faults) else {
            continue;
        };
        let (def, name) = relation(&form, &member.name, types, faults);
        if let Some(word) = form.word("target_where", 1..=usize::MAX) {
            found.conditions.push((found.defs.len(), word));
        }
        form.close();
        found.defs.push(def);
        names.push((member.span.clone(), name));
    }
    check_names(&found.defs, &names, faults);
    found
}

/// Reads `target_where` of every relation.
pub(super) fn read_conditions(found: &mut Relations, scope: &FilterScope, faults: &Faults<'_>) {
    for (at, word) in std::mem::take(&mut found.conditions) {
        let called = format!("`target_where` of [relations.{}]", found.defs[at].name);
        found.defs[at].target_where = filter(&word, &called, scope, faults);
    }
}

fn relation(form: &Form<'_, '_>, name: &str, types: &Types, faults: &Faults<'_>) -> (RelationDef, Names) {
    let symmetric = form.boolean("symmetric").unwrap_or(false);
    let inverse = form.word("inverse", 1..=48);
    if inverse.is_none() && form.is_absent("inverse") && !symmetric {
        form.missing("inverse");
    }
    let pins = [("off", PinUse::Off), ("optional", PinUse::Optional), ("required", PinUse::Required)];
    let flows = [
        ("to_source", ImpactFlow::ToSource),
        ("to_target", ImpactFlow::ToTarget),
        ("both", ImpactFlow::Both),
        ("none", ImpactFlow::None),
    ];
    let uses = [("always", ContextUse::Always), ("rank", ContextUse::Rank), ("never", ContextUse::Never)];
    let acyclic_with = form.distinct_words("acyclic_with", 1..=64).unwrap_or_default();
    let paired_with = form.word("paired_with", 1..=48);
    let def = RelationDef {
        name: name.to_owned(),
        from: ends(form, "from", types, faults),
        to: ends(form, "to", types, faults),
        inverse: inverse.as_ref().map_or_else(|| name.to_owned(), |word| word.text.clone()),
        title: form.text("title", 1..=200),
        inverse_title: form.text("inverse_title", 1..=200),
        min: form.integer("min", 0..=usize::MAX),
        max: form.integer("max", 1..=usize::MAX),
        inverse_min: form.integer("inverse_min", 0..=usize::MAX),
        inverse_max: form.integer("inverse_max", 1..=usize::MAX),
        acyclic: form.boolean("acyclic").unwrap_or(false),
        acyclic_with: acyclic_with.iter().map(|word| word.text.clone()).collect(),
        symmetric,
        self_loop: form.boolean("self").unwrap_or(false),
        ordered: form.boolean("ordered").unwrap_or(false),
        target_where: None,
        pin: form.choice("pin", &pins).unwrap_or(PinUse::Off),
        pin_fields: parts(form, "pin_fields", types, faults),
        impact: form.choice("impact", &flows).unwrap_or(ImpactFlow::ToSource),
        impact_fields: parts(form, "impact_fields", types, faults),
        weight: form.integer("weight", 0..=10).and_then(|weight| u8::try_from(weight).ok()).unwrap_or(5),
        context: form.choice("context", &uses).unwrap_or(ContextUse::Rank),
        paired_with: paired_with.as_ref().map(|word| word.text.clone()),
    };
    check_sense(form, &def);
    (def, Names { inverse: inverse.map(|word| word.span), acyclic_with, paired_with })
}

/// What cannot hold together within one relation.
fn check_sense(form: &Form<'_, '_>, def: &RelationDef) {
    let is_reversed = |least: Option<usize>, most: Option<usize>| matches!((least, most), (Some(least), Some(most)) if most < least);
    if is_reversed(def.min, def.max) {
        form.fault("max", format!("`max` of {} is less than `min`", form.name));
    }
    if is_reversed(def.inverse_min, def.inverse_max) {
        form.fault("inverse_max", format!("`inverse_max` of {} is less than `inverse_min`", form.name));
    }
    if !def.acyclic_with.is_empty() && !def.acyclic {
        form.fault("acyclic_with", format!("`acyclic_with` of {} needs `acyclic = true`", form.name));
    }
    if !def.pin_fields.is_empty() && def.pin == PinUse::Off {
        form.fault(
            "pin_fields",
            format!("`pin_fields` of {} needs `pin = \"optional\"` or `\"required\"`", form.name),
        );
    }
    if def.symmetric {
        if def.inverse != def.name {
            form.fault("inverse", format!("{} is symmetric, so its inverse is its own name", form.name));
        }
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        if sorted(&def.from) != sorted(&def.to) {
            form.fault("to", format!("{} is symmetric, so `from` and `to` are the same types", form.name));
        }
        if def.acyclic {
            form.fault("acyclic", format!("{} is symmetric and cannot be acyclic", form.name));
        }
    }
}

/// Types at one end; empty for any.
fn ends(form: &Form<'_, '_>, key: &'static str, types: &Types, faults: &Faults<'_>) -> Vec<String> {
    if form.is_absent(key) {
        form.missing(key);
        return Vec::new();
    }
    let Some(words) = form.distinct_words(key, 1..=200) else { return Vec::new() };
    if words.iter().any(|word| word.text == "*") {
        if words.len() > 1 {
            form.fault(key, format!("`{key}` of {} names \"*\" beside other types", form.name));
        }
        return Vec::new();
    }
    for word in &words {
        type_exists(form, key, word, types, faults);
    }
    words.into_iter().map(|word| word.text).collect()
}

fn type_exists(form: &Form<'_, '_>, key: &str, word: &Word, types: &Types, faults: &Faults<'_>) {
    if !types.has(&word.text) {
        let called = quoted(&word.text, "something");
        let message = format!("`{key}` of {} names {called}, which is no declared type", form.name);
        match crate::near::near(&word.text, types.defs.iter().map(|one| one.name.as_str()), 1).first() {
            Some(name) => faults.add_with_fix(&word.span, message, format!("did you mean `{name}`?")),
            None => faults.add(&word.span, message),
        }
    }
}

/// `pin_fields` and `impact_fields`.
fn parts(form: &Form<'_, '_>, key: &'static str, types: &Types, faults: &Faults<'_>) -> Vec<Part> {
    let mut parts = Vec::new();
    for word in form.distinct_words(key, 1..=64).unwrap_or_default() {
        parts.push(match word.text.as_str() {
            "title" => Part::Title,
            "body" => Part::Body,
            "relations" => Part::Relations,
            other => {
                let field = other.strip_prefix("field:").unwrap_or("");
                if !is_field(field) {
                    let message = format!(
                        "an item of `{key}` of {} is none of title, body, relations, field:NAME",
                        form.name
                    );
                    faults.add(&word.span, message);
                } else if !types.defs.iter().any(|one| one.field(field).is_some()) {
                    faults.add(
                        &word.span,
                        format!("`{key}` of {} names `{field}`, a field of no type", form.name),
                    );
                }
                Part::Field(field.to_owned())
            }
        });
    }
    parts
}

/// What must hold between relations: every name and inverse once, and what they name is there.
fn check_names(defs: &[RelationDef], names: &[(Range<usize>, Names)], faults: &Faults<'_>) {
    for (at, (def, (span, name))) in defs.iter().zip(names).enumerate() {
        let inverse = name.inverse.as_ref().unwrap_or(span);
        if !is_name(&def.inverse) || RESERVED.contains(&def.inverse.as_str()) {
            faults.add(
                inverse,
                format!("`inverse` of [relations.{}] is not a name that a relation can have", def.name),
            );
            continue;
        }
        let is_taken = defs.iter().enumerate().any(|(other_at, other)| {
            let is_own = other_at == at;
            (other.name == def.inverse && !(is_own && def.symmetric))
                || (!is_own && other_at < at && other.inverse == def.inverse)
        });
        if is_taken {
            let message = format!(
                "`inverse` of [relations.{}] is already the name or the inverse of a relation",
                def.name
            );
            faults.add(inverse, message);
        }
        for word in name.acyclic_with.iter().chain(&name.paired_with) {
            if !defs.iter().any(|other| other.name == word.text) {
                let called = quoted(&word.text, "something");
                let message =
                    format!("[relations.{}] names {called}, which is no declared relation", def.name);
                match crate::near::near(&word.text, defs.iter().map(|one| one.name.as_str()), 1).first() {
                    Some(near) => faults.add_with_fix(&word.span, message, format!("did you mean `{near}`?")),
                    None => faults.add(&word.span, message),
                }
            }
        }
    }
}
