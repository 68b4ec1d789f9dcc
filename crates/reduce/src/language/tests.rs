//! The table of languages and how a file finds its own.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

#[test]
fn every_row_names_kinds_and_fields_that_its_grammar_has() {
    let mut unknown = Vec::new();
    for entry in entries() {
        let language = (entry.grammar)();
        let syntax = &entry.syntax;
        let mut kinds: Vec<&str> = Vec::new();
        let mut fields: Vec<&str> = Vec::new();
        for list in [syntax.comments, syntax.verbatim, syntax.fluid, syntax.shells, syntax.declarations] {
            kinds.extend(list);
        }
        kinds.extend(syntax.verbatim_when.iter().map(|(kind, _)| *kind));
        for body in syntax.bodies {
            kinds.extend(body.owners);
            kinds.extend(body.except);
            kinds.extend(body.block);
            match body.part {
                Part::Field(field) => fields.push(field),
                Part::Kind(kind) => kinds.push(kind),
            }
            if let Names::Only(field, _) | Names::Except(field, _) = body.names {
                fields.push(field);
            }
        }
        if let Some(suites) = &syntax.suites {
            kinds.push(suites.statement);
            kinds.extend(suites.strings);
            kinds.extend(suites.holders);
        }
        if let Some(binding) = &syntax.binding {
            for binder in binding.binders {
                kinds.push(binder.kind);
                fields.extend(binder.value);
                if let Some((field, names)) = binder.name {
                    fields.push(field);
                    kinds.extend(names);
                }
            }
            kinds.extend(binding.transparent.iter().map(|(kind, _)| *kind));
            kinds.extend(binding.arguments);
            kinds.extend(binding.calls.iter().map(|(kind, _)| *kind));
            fields.extend(binding.calls.iter().map(|(_, field)| *field));
        }
        for kind in kinds {
            if language.id_for_node_kind(kind, true) == 0 {
                unknown.push(format!("{}: kind {kind}", entry.language.name));
            }
        }
        for field in fields {
            if language.field_id_for_name(field).is_none() {
                unknown.push(format!("{}: field {field}", entry.language.name));
            }
        }
    }
    assert_eq!(unknown, [""; 0]);
}

#[test]
fn a_grammar_is_loaded_when_its_first_file_comes_along() {
    static LOADED: AtomicUsize = AtomicUsize::new(0);
    fn load() -> tree_sitter::Language {
        LOADED.fetch_add(1, Ordering::Relaxed);
        tree_sitter_json::LANGUAGE.into()
    }
    static ENTRY: Entry = Entry::new("A", &["a"], load, Syntax::NONE);
    assert_eq!((ENTRY.language.name, LOADED.load(Ordering::Relaxed)), ("A", 0));
    ENTRY.grammar();
    ENTRY.grammar();
    assert_eq!(LOADED.load(Ordering::Relaxed), 1);
}
