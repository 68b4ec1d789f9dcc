//! `[[sources]]`: which files hold nodes and how they are read (spec C2). It reads none of them.

use std::ops::Range;

use crate::adapter;
use crate::contract::form::{Form, Word, is_name, quoted};
use crate::contract::manifest::{Entry, Faults, Table, to_json};
use crate::contract::{RelationDef, SourceDef, TypeDef};
use crate::glob::{Glob, SourceGlobs};

/// Globs of one list.
const GLOBS_MAX: usize = 100;

/// The sources and what they claim.
pub(super) struct Sources {
    pub(super) defs: Vec<SourceDef>,
    pub(super) globs: Vec<SourceGlobs>,
}

/// Reads every source.
pub(super) fn read(
    root: &Form<'_, '_>,
    types: &[TypeDef],
    relations: &[RelationDef],
    faults: &Faults<'_>,
) -> Sources {
    let mut sources = Sources { defs: Vec::new(), globs: Vec::new() };
    for entry in root.tables("sources") {
        let Some(form) = Form::open(entry, "[[sources]]", faults) else { continue };
        let id = id(&form, &sources.defs);
        let adapter = adapter_name(&form);
        let include = globs(&form, "include", true);
        let exclude = globs(&form, "exclude", false);
        let default_type = default_type(&form, types);
        let write = form.boolean("write").unwrap_or(false);
        let options_entry = form.table("options");
        form.close();
        let Some((adapter, can_write)) = adapter else { continue };
        if write && !can_write {
            form_fault(
                entry,
                "write",
                format!("`write = true`, but {adapter} cannot write; only markdown@1 can"),
                faults,
            );
        }
        let empty = Table::default();
        let called = format!("[sources.options] of {adapter}");
        let options_form = match options_entry {
            Some(options) => Form::open(options, called, faults),
            None => Some(Form::new(&empty, &entry.span, called, faults)),
        };
        let options = options_form.map(|form| {
            let options = adapter::check_options(adapter, &form, types, relations);
            form.close();
            options
        });
        let (Some(id), Some(options)) = (id, options) else { continue };
        sources.defs.push(SourceDef {
            id: id.text,
            adapter: adapter.to_owned(),
            include: include.iter().map(|glob| glob.source().to_owned()).collect(),
            exclude: exclude.iter().map(|glob| glob.source().to_owned()).collect(),
            globs: SourceGlobs { include: include.clone(), exclude: exclude.clone() },
            default_type,
            write,
            options,
            options_json: options_entry.map(to_json).unwrap_or_default(),
        });
        sources.globs.push(SourceGlobs { include, exclude });
    }
    sources
}

fn id(form: &Form<'_, '_>, earlier: &[SourceDef]) -> Option<Word> {
    let id = form.required_word("id", 1..=48)?;
    if !is_name(&id.text) {
        form.faults.add(&id.span, "the id of a source is 1 to 48 of a-z, 0-9, `_`, `-`, a letter first");
        return None;
    }
    if earlier.iter().any(|one| one.id == id.text) {
        form.faults.add(&id.span, format!("two sources have the id `{}`", id.text));
    }
    Some(id)
}

/// The adapter as the registry names it, and whether it can write.
fn adapter_name(form: &Form<'_, '_>) -> Option<(&'static str, bool)> {
    let word = form.required_word("adapter", 1..=64)?;
    let found = adapter::REGISTRY.iter().find(|(name, _)| *name == word.text).copied();
    if found.is_none() {
        let names: Vec<&str> = adapter::REGISTRY.iter().map(|(name, _)| *name).collect();
        let message = format!("`adapter` of [[sources]] must be one of {}", names.join(", "));
        form.suggest(&word.span, message, &word.text, names.iter().copied());
    }
    found
}

fn globs(form: &Form<'_, '_>, key: &'static str, is_required: bool) -> Vec<Glob> {
    if is_required && form.is_absent(key) {
        form.missing(key);
    }
    let mut globs = Vec::new();
    for word in form.distinct_words(key, usize::from(is_required)..=GLOBS_MAX).unwrap_or_default() {
        match Glob::parse(&word.text) {
            Ok(glob) => globs.push(glob),
            Err(reason) => form.faults.add(&word.span, format!("a glob of `{key}` of [[sources]] {reason}")),
        }
    }
    globs
}

fn default_type(form: &Form<'_, '_>, types: &[TypeDef]) -> Option<String> {
    let word = form.word("type", 1..=48)?;
    if !types.iter().any(|one| one.name == word.text) {
        let called = quoted(&word.text, "something");
        let message = format!("`type` of [[sources]] names {called}, which is no declared type");
        form.suggest(&word.span, message, &word.text, types.iter().map(|one| one.name.as_str()));
    }
    Some(word.text)
}

fn form_fault(entry: &Entry, key: &str, message: String, faults: &Faults<'_>) {
    let span: Range<usize> = match &entry.value {
        crate::contract::manifest::Data::Table(table) => {
            table.get(key).map_or_else(|| entry.span.clone(), |member| member.entry.span.clone())
        }
        _ => entry.span.clone(),
    };
    faults.add(&span, message);
}
