//! `[views.*]`: which nodes a page shows, in which order, by which renderer with which options (spec C2, C11). It
//! renders nothing.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::contract::form::{Form, Word, is_field, is_name, quoted};
use crate::contract::manifest::{Faults, Table};
use crate::contract::rules::{filter, optional_filter};
use crate::contract::{RelationDef, SortKey, TypeDef, ViewDef};
use crate::filter::FilterScope;

/// The fixed registry of renderers.
pub const RENDERERS: &[&str] = &["document@1", "table@1", "matrix@1", "graph@1", "changelog@1", "report@1"];
/// Nodes of a graph when its view says nothing, and at most.
const GRAPH_NODES_MAX: usize = 400;

/// A view and where its output stands.
pub(super) struct View {
    pub(super) def: ViewDef,
    pub(super) output_span: Option<Range<usize>>,
}

/// Names that options and sort keys may use.
struct Names<'n> {
    scope: &'n FilterScope,
    types: &'n [TypeDef],
    relations: &'n [RelationDef],
}

impl Names<'_> {
    fn has_field(&self, name: &str) -> bool {
        self.types.iter().any(|one| one.field(name).is_some())
    }

    fn has_relation(&self, name: &str) -> bool {
        self.relations.iter().any(|one| one.name == name)
    }
}

/// Reads every view.
pub(super) fn read(
    root: &Form<'_, '_>,
    scope: &FilterScope,
    types: &[TypeDef],
    relations: &[RelationDef],
    faults: &Faults<'_>,
) -> Vec<View> {
    let names = Names { scope, types, relations };
    let mut views = Vec::new();
    for member in root.named("views") {
        if !is_name(&member.name) {
            faults.add(&member.span, "the name of a view is 1 to 48 of a-z, 0-9, `_`, `-`, a letter first");
            continue;
        }
        if let Some(form) = Form::open(&member.entry, format!("[views.{}]", member.name), faults) {
            views.extend(view(&form, &member.name, &names));
            form.close();
        }
    }
    views
}

fn view(form: &Form<'_, '_>, name: &str, names: &Names<'_>) -> Option<View> {
    let title = form.required_word("title", 1..=200);
    let choices: Vec<(&'static str, &'static str)> = RENDERERS.iter().map(|one| (*one, *one)).collect();
    if form.is_absent("renderer") {
        form.missing("renderer");
    }
    let renderer = form.choice("renderer", &choices);
    let selects = optional_filter(form, "where", names.scope);
    let sort = sort(form, names);
    let output = form.word("output", 1..=1_024);
    let options_entry = form.table("options");
    let renderer = renderer?;
    let empty = Table::default();
    let called = format!("[views.{name}.options] of {renderer}");
    let options_form = match options_entry {
        Some(entry) => Form::open(entry, called, form.faults),
        None => Some(Form::new(&empty, form.span(), called, form.faults)),
    }?;
    let options = options(&options_form, renderer, names);
    options_form.close();
    let def = ViewDef {
        name: name.to_owned(),
        title: title?.text,
        renderer: renderer.to_owned(),
        selects,
        sort,
        output: output.as_ref().map(|word| word.text.clone()),
        options,
    };
    Some(View { def, output_span: output.map(|word| word.span) })
}

fn sort(form: &Form<'_, '_>, names: &Names<'_>) -> Vec<SortKey> {
    let mut keys = Vec::new();
    for word in form.distinct_words("sort", 1..=8).unwrap_or_default() {
        match SortKey::parse(&word.text, |field| names.has_field(field)) {
            Ok(key) => keys.push(key),
            Err(reason) => form.faults.add(&word.span, format!("`sort` of {}: {reason}", form.name)),
        }
    }
    if keys.is_empty() {
        keys = ["path", "id"].map(|key| SortKey { key: key.to_owned(), descending: false }).into();
    }
    keys
}

impl SortKey {
    /// Reads a sort word: `id`, `title`, `type`, `path` or `field:NAME`, with `-` in front for largest first.
    ///
    /// # Errors
    /// What is wrong with it, in words of the engine.
    pub fn parse(word: &str, has_field: impl Fn(&str) -> bool) -> Result<SortKey, &'static str> {
        let (key, descending) = word.strip_prefix('-').map_or((word, false), |key| (key, true));
        let is_known = match key.strip_prefix("field:") {
            Some(field) if is_field(field) && has_field(field) => true,
            Some(_) => return Err("no type declares this field"),
            None => matches!(key, "id" | "title" | "type" | "path"),
        };
        if is_known {
            Ok(SortKey { key: key.to_owned(), descending })
        } else {
            Err("a sort word is id, title, type, path or field:NAME, with `-` in front for descending")
        }
    }
}

/// The closed options of a renderer, defaults filled in.
fn options(form: &Form<'_, '_>, renderer: &str, names: &Names<'_>) -> Map<String, Value> {
    let mut options = Map::new();
    let flag = |options: &mut Map<String, Value>, key: &'static str| {
        options.insert(key.to_owned(), form.boolean(key).unwrap_or(false).into());
    };
    match renderer {
        "document@1" => {
            insert(&mut options, "group_by", group(form, "group_by", names));
            options.insert("toc".to_owned(), form.integer("toc", 0..=6).unwrap_or(2).into());
            insert(&mut options, "fields", list(form, "fields", "a field", |word| names.has_field(word)));
            for key in ["show_relations", "show_inverse", "numbering"] {
                flag(&mut options, key);
            }
            let images = form.choice("images", &[("link", "link"), ("inline", "inline")]).unwrap_or("link");
            options.insert("images".to_owned(), images.into());
        }
        "table@1" => {
            let columns = list(
                form,
                "columns",
                "a column: id, title, type, path, state, field:NAME, out.REL, in.REL",
                |word| is_column(word, names),
            );
            options.insert("columns".to_owned(), columns.unwrap_or_else(|| vec!["id", "title"].into()));
            flag(&mut options, "totals");
        }
        "matrix@1" => {
            for key in ["rows", "cols"] {
                let word = form.required_word(key, 1..=usize::MAX);
                let called = format!("`{key}` of {}", form.name);
                let filter = word.and_then(|word| filter(&word, &called, names.scope, form.faults));
                insert(&mut options, key, filter.map(|filter| filter.source().into()));
            }
            insert(&mut options, "relation", relation(form, names));
            let direction = form.choice("direction", &[("out", "out"), ("in", "in")]).unwrap_or("out");
            options.insert("direction".to_owned(), direction.into());
            let coverage =
                form.choice("coverage", &[("shallow", "shallow"), ("deep", "deep")]).unwrap_or("shallow");
            options.insert("coverage".to_owned(), coverage.into());
            flag(&mut options, "empty_only");
        }
        "graph@1" => {
            insert(
                &mut options,
                "relations",
                list(form, "relations", "a relation", |word| names.has_relation(word)),
            );
            let most = form.integer("max_nodes", 1..=GRAPH_NODES_MAX).unwrap_or(GRAPH_NODES_MAX);
            options.insert("max_nodes".to_owned(), most.into());
            insert(&mut options, "cluster_by", group(form, "cluster_by", names));
        }
        "changelog@1" => {
            let baseline = form.required_word("baseline", 1..=48).filter(|word| {
                let holds = is_name(&word.text);
                if !holds {
                    form.faults.add(
                        &word.span,
                        "the name of a baseline is 1 to 48 of a-z, 0-9, `_`, `-`, a letter first",
                    );
                }
                holds
            });
            insert(&mut options, "baseline", baseline.map(|word| word.text.into()));
        }
        // `report@1` has nothing to choose.
        _ => {}
    }
    options
}

fn insert(options: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        options.insert(key.to_owned(), value);
    }
}

fn group(form: &Form<'_, '_>, key: &'static str, names: &Names<'_>) -> Option<Value> {
    let word = form.word(key, 1..=80)?;
    let is_known = match word.text.strip_prefix("field:") {
        Some(field) => names.has_field(field),
        None => matches!(word.text.as_str(), "type" | "path"),
    };
    if !is_known {
        form.faults.add(&word.span, format!("`{key}` of {} is none of type, path, field:NAME", form.name));
        return None;
    }
    Some(word.text.into())
}

fn list(form: &Form<'_, '_>, key: &'static str, what: &str, holds: impl Fn(&str) -> bool) -> Option<Value> {
    let words = form.distinct_words(key, 1..=64)?;
    for word in &words {
        if !holds(&word.text) {
            let called = quoted(&word.text, "an item");
            form.faults.add(&word.span, format!("{called} in `{key}` of {} is not {what}", form.name));
        }
    }
    Some(words.into_iter().map(|word| Value::from(word.text)).collect())
}

fn is_column(word: &str, names: &Names<'_>) -> bool {
    if let Some(field) = word.strip_prefix("field:") {
        return names.has_field(field);
    }
    if let Some(relation) = word.strip_prefix("out.").or_else(|| word.strip_prefix("in.")) {
        return names.has_relation(relation);
    }
    matches!(word, "id" | "title" | "type" | "path" | "state")
}

fn relation(form: &Form<'_, '_>, names: &Names<'_>) -> Option<Value> {
    let Word { text, span } = form.required_word("relation", 1..=48)?;
    if !names.has_relation(&text) {
        let message = format!("`relation` of {} is no declared relation", form.name);
        form.suggest(&span, message, &text, names.relations.iter().map(|one| one.name.as_str()));
        return None;
    }
    Some(text.into())
}
