//! From a table of values to a node as written: which key is the id, the type, the title, a relation or a field. The
//! formats share it. It gives nothing a type.

use super::links::wikilink_target;
use super::options::{AdapterOptions, IdFrom, IdTransform, TitleFrom, TypeFrom};
use crate::contract::{Contract, SourceDef};
use crate::diagnose::{Check, Diagnostic};
use crate::parsed::{ParsedLink, ParsedNode};
use crate::path::{stem, without_extension};
use crate::tree::{Span, Tree, TreeKind};

/// What is known of a node besides its values.
pub(crate) struct Around<'a> {
    pub(crate) source: &'a SourceDef,
    pub(crate) contract: &'a Contract,
    pub(crate) path: &'a str,
    /// Where the adapter takes the id from when the options do not say.
    pub(crate) default_id: IdFrom,
    /// The heading that opens it, or the first one of its body.
    pub(crate) heading: Option<&'a str>,
    /// Where findings without a place of their own stand.
    pub(crate) at: Span,
}

/// The node that `values` (a table, or nothing) state. The body and all that follows from it is left to the caller.
pub(crate) fn build(
    values: &[(String, Span, Tree)],
    around: &Around<'_>,
    found: &mut Vec<Diagnostic>,
) -> ParsedNode {
    let options = &around.source.options;
    let mut node = empty(around);
    let meaning =
        |name: &str| options.keys.iter().find(|(key, _)| key == name).map(|(_, means)| means.as_str());
    // A key as written, else one that is mapped to this name.
    let get = |key: &str| {
        let written =
            values.iter().find(|(name, _, _)| name == key && meaning(name).is_none_or(|means| means == key));
        let mapped = || values.iter().find(|(name, _, _)| meaning(name) == Some(key));
        written
            .or_else(mapped)
            .or_else(|| values.iter().find(|(name, _, _)| name == key))
            .map(|(_, _, value)| value)
    };
    let text_of = |value: &Tree| given(value, options).map(str::to_owned);
    let id_from = options.id_from.as_ref().unwrap_or(&around.default_id);
    let id = match id_from {
        IdFrom::Field(key) => {
            let value = get(key);
            if let Some(value) = value {
                node.id_span = value.span;
            }
            value.and_then(text_of)
        }
        IdFrom::Stem => Some(stem(around.path).to_owned()),
        IdFrom::Path => Some(without_extension(around.path).to_owned()),
        IdFrom::NumberInStem => digits(stem(around.path)),
    };
    node.id = id.map(|id| transformed(id.trim(), &options.id_transform)).unwrap_or_default();
    let mut consumed: Vec<&str> = Vec::new();
    if let IdFrom::Field(key) = id_from {
        consumed.push(key);
    }
    node.type_name = match &options.type_from {
        TypeFrom::Field(key) => {
            consumed.push(key);
            get(key).and_then(text_of)
        }
        TypeFrom::Folder => folder_type(around),
        TypeFrom::Default => None,
    };
    let default_title = TitleFrom::Field("title".to_owned());
    let stated_title = get("title").and_then(text_of);
    node.title = match options.title_from.as_ref().unwrap_or(&default_title) {
        TitleFrom::Field(key) => {
            consumed.push(key);
            get(key)
                .and_then(text_of)
                .or_else(|| options.sections.then(|| around.heading.map(str::to_owned)).flatten())
        }
        TitleFrom::Heading => around.heading.map(str::to_owned).or(stated_title),
        TitleFrom::Stem => Some(stem(around.path).to_owned()),
    }
    .unwrap_or_default();
    for (key, key_span, value) in values {
        let means =
            options.keys.iter().find(|(name, _)| name == key).map_or(key.as_str(), |(_, means)| means);
        match means {
            "id" | "type" | "title" => continue,
            _ if consumed.contains(&key.as_str()) && around_field(around, means).is_none() => continue,
            "aliases" => node.aliases.extend(strings(value, options)),
            _ => {}
        }
        if means == "aliases" {
            continue;
        }
        if let Some(relation) = around.contract.relation(means) {
            links(&relation.name, false, value, around, &mut node, found);
        } else if let Some(relation) = around.contract.by_inverse(means) {
            if options.accept_inverse {
                links(&relation.name, true, value, around, &mut node, found);
            } else {
                found.push(inverse_stated(relation, *key_span, around, &node.id));
            }
        } else if !is_ignored(value, options) {
            node.fields.push((means.to_owned(), value.clone()));
        }
    }
    node
}

/// A node of which nothing is known yet.
fn empty(around: &Around<'_>) -> ParsedNode {
    ParsedNode {
        id: String::new(),
        id_span: around.at,
        type_name: None,
        title: String::new(),
        aliases: Vec::new(),
        fields: Vec::new(),
        links: Vec::new(),
        mentions: Vec::new(),
        references: Vec::new(),
        external: Vec::new(),
        headings: Vec::new(),
        body: String::new(),
        stamp: None,
        review: None,
        ordinal: 0,
        span: around.at,
        body_span: around.at,
    }
}

fn around_field<'a>(around: &Around<'a>, name: &str) -> Option<&'a str> {
    let declares = |one: &&'a crate::contract::TypeDef| one.field(name).is_some();
    around.contract.types.iter().find(declares).map(|one| one.name.as_str())
}

fn inverse_stated(
    relation: &crate::contract::RelationDef,
    span: Span,
    around: &Around<'_>,
    id: &str,
) -> Diagnostic {
    let message = format!("`{}` is the inverse of `{}` and is computed", relation.inverse, relation.name);
    let fix = format!(
        "state `{}` at the other end, or set `accept_inverse = true` in [sources.options]",
        relation.name
    );
    let finding = Diagnostic::new(Check::InverseStated, span.place(around.path), message).fix(fix);
    if id.is_empty() { finding } else { finding.about(id) }
}

/// The text of a scalar, unless it says that nothing is given.
fn given<'t>(value: &'t Tree, options: &AdapterOptions) -> Option<&'t str> {
    value.as_text().filter(|text| !options.ignore_values.iter().any(|ignored| ignored == text))
}

fn is_ignored(value: &Tree, options: &AdapterOptions) -> bool {
    match &value.kind {
        TreeKind::Scalar(_) => given(value, options).is_none(),
        TreeKind::Sequence(_) | TreeKind::Mapping(_) => false,
    }
}

/// The texts of a scalar or of a list of them.
fn strings(value: &Tree, options: &AdapterOptions) -> Vec<String> {
    match &value.kind {
        TreeKind::Sequence(items) => {
            items.iter().filter_map(|item| given(item, options)).map(str::to_owned).collect()
        }
        _ => given(value, options).map(str::to_owned).into_iter().collect(),
    }
}

fn links(
    relation: &str,
    is_inverse: bool,
    value: &Tree,
    around: &Around<'_>,
    node: &mut ParsedNode,
    found: &mut Vec<Diagnostic>,
) {
    let options = &around.source.options;
    let items = match &value.kind {
        TreeKind::Sequence(items) => items.as_slice(),
        _ => std::slice::from_ref(value),
    };
    for item in items {
        let (target, pin, note) = match &item.kind {
            TreeKind::Scalar(_) => (given(item, options), None, None),
            TreeKind::Mapping(entries) => {
                if let Some((name, span, _)) =
                    entries.iter().find(|(name, _, _)| !matches!(name.as_str(), "to" | "pin" | "note"))
                {
                    let message = format!("a target of `{relation}` takes `to`, `pin` and `note` alone");
                    let finding = Diagnostic::new(Check::UnknownField, span.place(around.path), message);
                    let fix = "keep `to`, `pin` and `note`; what a relation means is for its name to say";
                    found.push(finding.about(node.id.clone()).with_doc(name.clone()).fix(fix));
                }
                let text = |key: &str| item.get(key).and_then(|value| given(value, options));
                (text("to"), text("pin"), text("note"))
            }
            TreeKind::Sequence(_) => (None, None, None),
        };
        let Some(target) = target else {
            if !is_ignored(item, options) {
                let message = format!("a target of `{relation}` must be an id or a table with `to`");
                let fix = format!("write `{relation}: [ID]` or `{relation}: [{{to: ID, note: \"…\"}}]`");
                let finding = Diagnostic::new(Check::FieldTypeWrong, item.span.place(around.path), message);
                found.push(finding.about(node.id.clone()).fix(fix));
            }
            continue;
        };
        // Notes link to each other as they do in their texts.
        let wiki = target.trim().strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]"));
        let target = wiki.and_then(wikilink_target).unwrap_or_else(|| target.trim().to_owned());
        node.links.push(ParsedLink {
            relation: relation.to_owned(),
            is_inverse,
            target,
            pin: pin.map(str::to_owned),
            note: note.map(str::to_owned),
            span: item.span,
        });
    }
}

fn folder_type(around: &Around<'_>) -> Option<String> {
    let folders = around.path.rsplit('/').skip(1);
    folders
        .filter_map(|folder| {
            let is_named = |one: &&crate::contract::TypeDef| {
                folder == one.name || folder.strip_suffix('s') == Some(one.name.as_str())
            };
            around.contract.types.iter().find(is_named)
        })
        .map(|one| one.name.clone())
        .next()
}

fn digits(stem: &str) -> Option<String> {
    let from = stem.find(|c: char| c.is_ascii_digit())?;
    let length = stem[from..].find(|c: char| !c.is_ascii_digit()).unwrap_or(stem.len() - from);
    Some(stem[from..from + length].to_owned())
}

fn transformed(id: &str, transform: &IdTransform) -> String {
    match transform {
        IdTransform::None => id.to_owned(),
        IdTransform::Prefix(prefix) => format!("{prefix}{id}"),
        IdTransform::Slug => slug(id),
    }
}

/// Small letters and digits, with one dash for everything between them.
fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.truncate(out.trim_end_matches('-').len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_numbers_slugs_and_prefixed() {
        assert_eq!((digits("adr-0012-use"), digits("none")), (Some("0012".to_owned()), None));
        assert_eq!(slug("  Use: a Database! "), "use-a-database");
        assert_eq!(transformed("12", &IdTransform::Prefix("ADR-".to_owned())), "ADR-12");
    }
}
