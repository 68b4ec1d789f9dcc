//! From the text of the manifest to a checked contract: every section is read and every cross-check made before
//! anything is reported (spec C2). It opens no file.

use crate::contract::form::Form;
use crate::contract::manifest::{Data, Faults, parse};
use crate::contract::{
    Charset, Contract, IdRules, ProjectDef, checks, kinds, normal, paths, patterns, relations, rules,
    sources, views, writers,
};
use crate::diagnose::{Check, Diagnostic};
use crate::filter::FilterScope;
use crate::hash::Hash;
use crate::limits::{Limits, MANIFEST_BYTES_MAX};

/// The schema that this build reads.
pub const SCHEMA: &str = "docforge/1";

/// Reads a manifest.
///
/// # Errors
/// Everything that is wrong with it, each finding with line and column, in the published order.
pub fn load(text: &str) -> Result<Contract, Vec<Diagnostic>> {
    let size = text.len();
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let faults = Faults::of(text);
    if u64::try_from(size).unwrap_or(u64::MAX) > MANIFEST_BYTES_MAX {
        faults.add(&(0..0), format!("the manifest has more than {MANIFEST_BYTES_MAX} bytes"));
        return Err(faults.into_sorted());
    }
    let Some(root) = parse(text, &faults) else {
        return Err(faults.into_sorted());
    };
    // Under another schema every other key may mean something else, so nothing else is said.
    if let Some(member) = root.get("schema")
        && !matches!(&member.entry.value, Data::Text(schema) if schema == SCHEMA)
    {
        let place = faults.place(&member.entry.span);
        let words = format!("`schema` is not {SCHEMA:?}, the only one that this build reads");
        let finding = Diagnostic::new(Check::ManifestUnsupportedSchema, place, words);
        return Err(vec![finding.fix(format!("write `schema = \"{SCHEMA}\"`"))]);
    }
    let form = Form::new(&root, &(0..0), "the manifest", &faults);
    let contract = read(&form, &faults);
    form.close();
    match contract {
        Some(contract) if faults.is_empty() => Ok(contract),
        _ => Err(faults.into_sorted()),
    }
}

fn read(form: &Form<'_, '_>, faults: &Faults<'_>) -> Option<Contract> {
    form.required_word("schema", 1..=64);
    let project = project(form, faults);
    let limits = limits(form, faults);
    let ids = ids(form, faults);
    let types = kinds::read(form, faults);
    let mut found = relations::read(form, &types, faults);
    kinds::check_against_relations(&types, &found, faults);
    let sources = sources::read(form, &types.defs, &found.defs, faults);
    let scope = FilterScope::new(
        &types.defs,
        found.defs.iter().map(|one| one.name.clone()).collect(),
        sources.defs.iter().map(|one| one.id.clone()).collect(),
    );
    relations::read_conditions(&mut found, &scope, faults);
    let rules = rules::read(form, &scope, faults);
    let checks = checks::read(form, faults);
    let views = views::read(form, &scope, &types.defs, &found.defs, faults);
    let writers = writers::read(form, &scope, &types.defs, &found.defs, &sources.defs, faults);
    let paths = paths::read(form, &sources, &views, faults);
    let mut contract = Contract {
        project: project?,
        paths,
        limits,
        ids,
        types: types.defs,
        relations: found.defs,
        sources: sources.defs,
        rules,
        checks,
        views: views.into_iter().map(|view| view.def).collect(),
        writers,
        hash: Hash::of(&[]),
    };
    contract.hash = normal::hash(&contract);
    Some(contract)
}

fn project(form: &Form<'_, '_>, faults: &Faults<'_>) -> Option<ProjectDef> {
    let Some(entry) = form.table("project") else {
        if form.is_absent("project") {
            form.missing("project");
        }
        return None;
    };
    let section = Form::open(entry, "[project]", faults)?;
    let id = section.required_word("id", 1..=63).filter(|word| {
        let is_edge = |byte: Option<&u8>| byte.is_some_and(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'));
        let bytes = word.text.as_bytes();
        let is_id = is_edge(bytes.first())
            && is_edge(bytes.last())
            && bytes.iter().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'));
        if !is_id {
            let message = "`id` of [project] takes lower-case letters, digits and `-`, and neither begins nor ends with `-`";
            faults.add(&word.span, message);
        }
        is_id
    });
    let title = section.required_word("title", 1..=200);
    let description = section.text("description", 0..=2_000);
    let language = section.word("language", 1..=64).filter(|word| {
        let mut parts = word.text.split('-');
        let first = parts.next().unwrap_or("");
        let is_tag = (2..=8).contains(&first.len())
            && first.bytes().all(|byte| byte.is_ascii_alphabetic())
            && parts.all(|part| {
                (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
            });
        if !is_tag {
            faults.add(&word.span, "`language` of [project] is not a language tag such as `en` or `pt-BR`");
        }
        is_tag
    });
    section.close();
    Some(ProjectDef {
        id: id?.text,
        title: title?.text,
        description,
        language: language.map(|word| word.text),
    })
}

fn limits(form: &Form<'_, '_>, faults: &Faults<'_>) -> Limits {
    let mut limits = Limits::CEILING;
    let Some(section) = form.table("limits").and_then(|entry| Form::open(entry, "[limits]", faults)) else {
        return limits;
    };
    let small = |key: &'static str, value: &mut usize| {
        if let Some(lower) = section.integer(key, 1..=*value) {
            *value = lower;
        }
    };
    let large = |key: &'static str, value: &mut u64| {
        let ceiling = usize::try_from(*value).unwrap_or(usize::MAX);
        if let Some(lower) = section.integer(key, 1..=ceiling) {
            *value = u64::try_from(lower).unwrap_or(*value);
        }
    };
    small("max_nodes", &mut limits.max_nodes);
    small("max_files", &mut limits.max_files);
    large("max_file_bytes", &mut limits.max_file_bytes);
    large("max_total_bytes", &mut limits.max_total_bytes);
    small("max_depth", &mut limits.max_depth);
    small("max_body_bytes", &mut limits.max_body_bytes);
    small("max_fields_per_node", &mut limits.max_fields_per_node);
    small("max_field_bytes", &mut limits.max_field_bytes);
    small("max_relations_per_node", &mut limits.max_relations_per_node);
    small("max_title_chars", &mut limits.max_title_chars);
    small("max_changeset_ops", &mut limits.max_changeset_ops);
    large("max_changeset_bytes", &mut limits.max_changeset_bytes);
    small("max_open_changesets", &mut limits.max_open_changesets);
    section.close();
    limits
}

fn ids(form: &Form<'_, '_>, faults: &Faults<'_>) -> IdRules {
    let mut rules = IdRules { charset: Charset::Ascii, pattern: None, case_unique: true };
    let Some(section) = form.table("ids").and_then(|entry| Form::open(entry, "[ids]", faults)) else {
        return rules;
    };
    let charsets = [("ascii", Charset::Ascii), ("unicode", Charset::Unicode)];
    rules.charset = section.choice("charset", &charsets).unwrap_or(Charset::Ascii);
    rules.pattern = patterns::read(&section, "pattern");
    rules.case_unique = section.boolean("case_unique").unwrap_or(true);
    section.close();
    rules
}
