//! `[[rules]]` and the filters of a manifest (spec C2, C8). It evaluates none of them.

use crate::contract::RuleDef;
use crate::contract::form::{Form, Word, is_name};
use crate::contract::manifest::Faults;
use crate::diagnose::Severity;
use crate::filter::{Filter, FilterScope};

/// What a severity may be, in the order of the manifest's grammar.
pub(super) const SEVERITIES: &[(&str, Severity)] =
    &[("error", Severity::Error), ("warn", Severity::Warn), ("info", Severity::Info)];

/// Reads every rule.
pub(super) fn read(root: &Form<'_, '_>, scope: &FilterScope, faults: &Faults<'_>) -> Vec<RuleDef> {
    let mut rules: Vec<RuleDef> = Vec::new();
    for entry in root.tables("rules") {
        let Some(form) = Form::open(entry, "[[rules]]", faults) else { continue };
        let id = form.required_word("id", 1..=48);
        if let Some(id) = &id {
            if !is_name(&id.text) {
                faults.add(&id.span, "the id of a rule is 1 to 48 of a-z, 0-9, `_`, `-`, a letter first");
            } else if rules.iter().any(|earlier| earlier.id == id.text) {
                faults.add(&id.span, format!("two rules have the id `{}`", id.text));
            }
        }
        let applies = required_filter(&form, "where", scope);
        let require = required_filter(&form, "require", scope);
        let severity = form.choice("severity", SEVERITIES).unwrap_or(Severity::Error);
        let message = form.required_word("message", 1..=500);
        if let Some(word) = &message {
            check_message(word, faults);
        }
        form.close();
        if let (Some(id), Some(applies), Some(require), Some(message)) = (id, applies, require, message) {
            rules.push(RuleDef { id: id.text, applies, require, severity, message: message.text });
        }
    }
    rules
}

/// The message of a rule puts in three things and no other.
fn check_message(word: &Word, faults: &Faults<'_>) {
    let mut rest = word.text.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        rest = &rest[at..];
        match ["{id}", "{title}", "{type}"].iter().find_map(|known| rest.strip_prefix(known)) {
            Some(after) => rest = after,
            None => {
                faults.add(
                    &word.span,
                    "`message` of [[rules]] uses a brace for something other than {id}, {title}, {type}",
                );
                return;
            }
        }
    }
}

fn required_filter(form: &Form<'_, '_>, key: &'static str, scope: &FilterScope) -> Option<Filter> {
    let word = form.required_word(key, 1..=usize::MAX)?;
    filter(&word, &format!("`{key}` of {}", form.name), scope, form.faults)
}

/// A filter that may be left out.
pub(super) fn optional_filter(form: &Form<'_, '_>, key: &'static str, scope: &FilterScope) -> Option<Filter> {
    let word = form.word(key, 1..=usize::MAX)?;
    filter(&word, &format!("`{key}` of {}", form.name), scope, form.faults)
}

/// Reads a filter that stands in `word`; `called` says which one.
pub(super) fn filter(word: &Word, called: &str, scope: &FilterScope, faults: &Faults<'_>) -> Option<Filter> {
    match Filter::parse(&word.text, scope) {
        Ok(filter) => Some(filter),
        Err(fault) => {
            let message = format!(
                "{called}, character {}: {} ({})",
                fault.position,
                fault.message,
                fault.code.as_str()
            );
            match fault.near.first() {
                Some(near) => faults.add_with_fix(&word.span, message, format!("did you mean `{near}`?")),
                None => faults.add(&word.span, message),
            }
            None
        }
    }
}
