//! What `[sources.options]` says, checked. It reads no file.

use crate::contract::form::{Form, is_field, quoted};
use crate::contract::manifest::Data;
use crate::contract::{Pattern, RelationDef, TypeDef, patterns};
use crate::parsed::LinkSyntax;

/// Options of one source, checked against the closed schema of its adapter.
#[derive(Clone, Debug, Default)]
pub struct AdapterOptions {
    /// Where the id of a node comes from; absent means the default of the adapter.
    pub id_from: Option<IdFrom>,
    /// What is done to it.
    pub id_transform: IdTransform,
    /// Where the type comes from.
    pub type_from: TypeFrom,
    /// Where the title comes from.
    pub title_from: Option<TitleFrom>,
    /// Keys as files write them, and what they mean.
    pub keys: Vec<(String, String)>,
    /// Values that mean that nothing is given.
    pub ignore_values: Vec<String>,
    /// How targets are looked up, in order; empty means by id, then by alias.
    pub resolve: Vec<Resolver>,
    /// Which inline links make mentions.
    pub inline: Vec<Inline>,
    /// `markdown@1`: whether a file holds many nodes, each below a heading.
    pub sections: bool,
    /// `markdown@1`: whether a stated inverse is turned round instead of being an error.
    pub accept_inverse: bool,
    /// `header@1`.
    pub header: HeaderOptions,
    /// `yaml@1`.
    pub record: RecordOptions,
    /// `doorstop@1`.
    pub doorstop: DoorstopOptions,
}

/// How a header is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeaderStyle {
    /// `Key: value` lines up to the first blank line.
    #[default]
    Rfc822,
    /// A list of `- Key: value`.
    Bullet,
}

/// Options of `header@1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderOptions {
    /// How it is written.
    pub style: HeaderStyle,
    /// What stands between the items of a list.
    pub list_separator: Option<String>,
    /// Whether the body is text instead of Markdown.
    pub is_text: bool,
}

/// Options of `yaml@1`: pointers into the record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordOptions {
    /// The id.
    pub id: Option<String>,
    /// The type.
    pub type_name: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// Fields by name.
    pub fields: Vec<(String, String)>,
    /// Relations.
    pub relations: Vec<RecordRelation>,
    /// The body, or the name of a file beside the record that holds it.
    pub body: Option<String>,
}

/// Where a record states relations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordRelation {
    /// A pointer to the elements.
    pub path: String,
    /// The key of the target in an element; the element itself without one.
    pub target: Option<String>,
    /// The key of the relation's name in an element.
    pub name: Option<String>,
    /// The relation, when it is always the same.
    pub relation: Option<String>,
}

/// Options of `doorstop@1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoorstopOptions {
    /// The relation that every link makes.
    pub relation: String,
    /// Types by the prefix of an item's id.
    pub types: Vec<(String, String)>,
}

/// Where an id comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdFrom {
    /// A key, as written in the file.
    Field(String),
    /// The file name without its last extension.
    Stem,
    /// The project-relative path without its last extension.
    Path,
    /// The first run of digits of the file name, as written.
    NumberInStem,
}

/// What is done to an id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum IdTransform {
    /// Nothing.
    #[default]
    None,
    /// Small letters, digits and dashes.
    Slug,
    /// This stands in front of it.
    Prefix(String),
}

/// Where a type comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeFrom {
    /// A key, as written in the file.
    Field(String),
    /// The name of the nearest folder that is a type, or its plural with `s`.
    Folder,
    /// The source's own type.
    Default,
}

impl Default for TypeFrom {
    fn default() -> Self {
        TypeFrom::Field("type".to_owned())
    }
}

/// Where a title comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TitleFrom {
    /// A key, as written in the file.
    Field(String),
    /// The first heading of the first level.
    Heading,
    /// The file name without its last extension.
    Stem,
}

/// One way to look a target up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolver {
    /// It is an id.
    Id,
    /// It is an old id.
    Alias,
    /// It is a path of a node's file: from the root, or from the folder of the file that names it.
    Path,
    /// It is the folder of a node's file.
    Dir,
    /// It is the last segment of a path, without extension and case.
    Stem,
    /// This is cut off in front, and the rest is a path.
    Url(String),
    /// An id stands in this text in the place of `{id}`.
    Template(String),
}

/// One kind of inline link.
#[derive(Clone, Debug)]
pub struct Inline {
    /// How it is written.
    pub syntax: LinkSyntax,
    /// The pattern, when it is written as one.
    pub pattern: Option<Pattern>,
    /// The relation that it makes.
    pub relation: String,
}

/// Characters of a key as files write it, and of a value to ignore.
const KEY_CHARS_MAX: usize = 200;
/// Entries of one list of options.
const ENTRIES_MAX: usize = 100;

/// Reads the options of `adapter`, one of [`super::REGISTRY`]. Findings go to the faults of `form`; a key that is not asked
/// for is reported as unknown by the caller.
pub(crate) fn check_options(
    adapter: &str,
    form: &Form<'_, '_>,
    types: &[TypeDef],
    relations: &[RelationDef],
) -> AdapterOptions {
    let mut options = AdapterOptions::default();
    if adapter == "markdown@1" {
        preset(form, relations, &mut options);
        options.sections = form.boolean("sections").unwrap_or(options.sections);
        options.accept_inverse = form.boolean("accept_inverse").unwrap_or(options.accept_inverse);
    }
    if adapter != "doorstop@1" {
        common(form, types, relations, &mut options);
    }
    match adapter {
        "header@1" => header(form, &mut options.header),
        "yaml@1" => record(form, types, relations, &mut options),
        "doorstop@1" => doorstop(form, types, relations, &mut options.doorstop),
        _ => {}
    }
    options
}

fn header(form: &Form<'_, '_>, options: &mut HeaderOptions) {
    if form.is_absent("style") {
        form.missing("style");
    }
    let style = form.choice("style", &[("rfc822", HeaderStyle::Rfc822), ("bullet", HeaderStyle::Bullet)]);
    options.style = style.unwrap_or_default();
    options.list_separator = form.text("list_separator", 1..=8);
    options.is_text = form.choice("body_format", &[("md", false), ("text", true)]).unwrap_or(false);
}

/// A pointer begins with `/`.
fn pointer(form: &Form<'_, '_>, key: &'static str) -> Option<String> {
    let word = form.word(key, 1..=KEY_CHARS_MAX)?;
    if !word.text.starts_with('/') {
        form.faults.add(&word.span, format!("`{key}` must be a pointer that begins with `/`"));
        return None;
    }
    Some(word.text)
}

fn record(form: &Form<'_, '_>, types: &[TypeDef], relations: &[RelationDef], options: &mut AdapterOptions) {
    let record = &mut options.record;
    record.id = pointer(form, "id");
    if record.id.is_none() && options.id_from.is_none() {
        form.missing("id");
    }
    record.type_name = pointer(form, "type");
    record.title = pointer(form, "title");
    record.body = form.text("body", 1..=KEY_CHARS_MAX);
    if record
        .body
        .as_deref()
        .is_some_and(|body| !body.starts_with('/') && (body.contains('/') || body.starts_with('.')))
    {
        form.fault("body", "`body` must be a pointer, or the plain name of a file beside the record");
        record.body = None;
    }
    for member in form.named("fields") {
        let is_field = types.iter().any(|one| one.field(&member.name).is_some());
        match &member.entry.value {
            Data::Text(text) if text.starts_with('/') && is_field => {
                record.fields.push((member.name.clone(), text.clone()));
            }
            Data::Text(text) if text.starts_with('/') => {
                let called = quoted(&member.name, "a key");
                form.faults.add(&member.span, format!("{called} of `fields` is no field of any type"));
            }
            _ => form
                .faults
                .add(&member.entry.span, "a value of `fields` must be a pointer that begins with `/`"),
        }
    }
    for entry in form.tables("relations") {
        let Some(table) = Form::open(entry, "an item of `relations`", form.faults) else { continue };
        let path = pointer(&table, "path");
        if table.is_absent("path") {
            table.missing("path");
        }
        let relation = table.word("relation", 1..=48);
        if let Some(word) = &relation
            && !relations.iter().any(|known| known.name == word.text)
        {
            let called = quoted(&word.text, "something");
            let message = format!("`relation` names {called}, which is no declared relation");
            table.suggest(&word.span, message, &word.text, relations.iter().map(|known| known.name.as_str()));
        }
        let target = table.text("target", 1..=KEY_CHARS_MAX);
        let name = table.text("name", 1..=KEY_CHARS_MAX);
        if relation.is_none() == name.is_none() {
            form.faults.add(table.span(), "an item of `relations` needs either `relation` or `name`");
        }
        table.close();
        let Some(path) = path else { continue };
        record.relations.push(RecordRelation {
            path,
            target,
            name,
            relation: relation.map(|word| word.text),
        });
    }
}

fn doorstop(
    form: &Form<'_, '_>,
    types: &[TypeDef],
    relations: &[RelationDef],
    options: &mut DoorstopOptions,
) {
    if let Some(word) = form.required_word("relation", 1..=48) {
        if !relations.iter().any(|known| known.name == word.text) {
            let called = quoted(&word.text, "something");
            let message = format!("`relation` names {called}, which is no declared relation");
            form.suggest(&word.span, message, &word.text, relations.iter().map(|known| known.name.as_str()));
        }
        options.relation = word.text;
    }
    for member in form.named("types") {
        match &member.entry.value {
            Data::Text(text) if types.iter().any(|one| one.name == *text) => {
                options.types.push((member.name.clone(), text.clone()));
            }
            _ => {
                form.faults.add(&member.entry.span, "a value of `types` must be the name of a declared type")
            }
        }
    }
}

fn preset(form: &Form<'_, '_>, relations: &[RelationDef], options: &mut AdapterOptions) {
    let Some(preset) = form.choice("preset", &[("plain", 0), ("obsidian", 1), ("madr", 2)]) else { return };
    match preset {
        1 => {
            options.id_from = Some(IdFrom::Path);
            options.title_from = Some(TitleFrom::Stem);
            options.resolve = vec![Resolver::Path, Resolver::Stem, Resolver::Alias];
            options.keys = vec![("alias".to_owned(), "aliases".to_owned())];
            let needs_links = form.is_absent("inline");
            if needs_links && !relations.iter().any(|relation| relation.name == "links") {
                form.fault(
                    "preset",
                    "`preset = \"obsidian\"` reads wikilinks into a relation `links`, which is not declared",
                );
            }
            options.inline = [LinkSyntax::Wikilink, LinkSyntax::Embed]
                .map(|syntax| Inline { syntax, pattern: None, relation: "links".to_owned() })
                .to_vec();
        }
        2 => {
            options.id_from = Some(IdFrom::Stem);
            options.title_from = Some(TitleFrom::Heading);
            options.resolve = vec![Resolver::Id, Resolver::Path, Resolver::Stem];
        }
        _ => {}
    }
}

fn common(form: &Form<'_, '_>, types: &[TypeDef], relations: &[RelationDef], options: &mut AdapterOptions) {
    if let Some(word) = form.word("id_from", 1..=KEY_CHARS_MAX) {
        options.id_from = match (word.text.as_str(), word.text.strip_prefix("field:")) {
            (_, Some(key)) if !key.is_empty() => Some(IdFrom::Field(key.to_owned())),
            ("stem", _) => Some(IdFrom::Stem),
            ("path", _) => Some(IdFrom::Path),
            ("number-in-stem", _) => Some(IdFrom::NumberInStem),
            _ => {
                form.fault("id_from", "`id_from` must be `field:KEY`, `stem`, `path` or `number-in-stem`");
                None
            }
        };
    }
    if let Some(word) = form.word("id_transform", 1..=KEY_CHARS_MAX) {
        options.id_transform = match (word.text.as_str(), word.text.strip_prefix("prefix:")) {
            (_, Some(prefix)) if !prefix.is_empty() => IdTransform::Prefix(prefix.to_owned()),
            ("none", _) => IdTransform::None,
            ("slug", _) => IdTransform::Slug,
            _ => {
                form.fault("id_transform", "`id_transform` must be `none`, `slug` or `prefix:TEXT`");
                IdTransform::None
            }
        };
    }
    if let Some(word) = form.word("type_from", 1..=KEY_CHARS_MAX) {
        options.type_from = match (word.text.as_str(), word.text.strip_prefix("field:")) {
            (_, Some(key)) if !key.is_empty() => TypeFrom::Field(key.to_owned()),
            ("dir-map", _) => TypeFrom::Folder,
            ("default", _) => TypeFrom::Default,
            _ => {
                form.fault("type_from", "`type_from` must be `field:KEY`, `dir-map` or `default`");
                TypeFrom::default()
            }
        };
    }
    if let Some(word) = form.word("title_from", 1..=KEY_CHARS_MAX) {
        options.title_from = match (word.text.as_str(), word.text.strip_prefix("field:")) {
            (_, Some(key)) if !key.is_empty() => Some(TitleFrom::Field(key.to_owned())),
            ("field", _) => Some(TitleFrom::Field("title".to_owned())),
            ("h1", _) => Some(TitleFrom::Heading),
            ("stem", _) => Some(TitleFrom::Stem),
            _ => {
                form.fault("title_from", "`title_from` must be `field`, `field:KEY`, `h1` or `stem`");
                None
            }
        };
    }
    keys(form, types, relations, options);
    if let Some(words) = form.words("ignore_values", 0..=ENTRIES_MAX) {
        options.ignore_values = words.into_iter().map(|word| word.text).collect();
    }
    if let Some(words) = form.words("resolve", 1..=ENTRIES_MAX) {
        options.resolve = words.iter().filter_map(|word| resolver(form, &word.text, &word.span)).collect();
    }
    if !form.is_absent("inline") {
        options.inline =
            form.tables("inline").iter().filter_map(|entry| inline(form, entry, relations)).collect();
    }
}

fn keys(form: &Form<'_, '_>, types: &[TypeDef], relations: &[RelationDef], options: &mut AdapterOptions) {
    for member in form.named("keys") {
        let Data::Text(means) = &member.entry.value else {
            form.faults.add(&member.entry.span, "a value of `keys` must be the name of a field, a relation or `id`, `type`, `title`, `aliases`");
            continue;
        };
        let is_known = matches!(means.as_str(), "id" | "type" | "title" | "aliases")
            || relations.iter().any(|relation| relation.name == *means)
            || types.iter().any(|one| one.fields.iter().any(|field| field.name == *means));
        if !is_known && !is_field(means) {
            let called = quoted(means, "something");
            form.faults.add(&member.entry.span, format!("`keys` maps to {called}, which cannot be a name"));
            continue;
        }
        options.keys.retain(|(key, _)| *key != member.name);
        options.keys.push((member.name.clone(), means.clone()));
    }
}

fn resolver(form: &Form<'_, '_>, text: &str, span: &std::ops::Range<usize>) -> Option<Resolver> {
    if let Some(prefix) = text.strip_prefix("url:").filter(|prefix| !prefix.is_empty()) {
        return Some(Resolver::Url(prefix.to_owned()));
    }
    if let Some(template) = text.strip_prefix("template:").filter(|template| template.contains("{id}")) {
        return Some(Resolver::Template(template.to_owned()));
    }
    match text {
        "id" => Some(Resolver::Id),
        "alias" => Some(Resolver::Alias),
        "path" => Some(Resolver::Path),
        "dir" => Some(Resolver::Dir),
        "stem" => Some(Resolver::Stem),
        _ => {
            let message = "an item of `resolve` must be `id`, `alias`, `path`, `dir`, `stem`, `url:PREFIX` or `template:TEXT with {id}`";
            form.faults.add(span, message);
            None
        }
    }
}

fn inline(
    form: &Form<'_, '_>,
    entry: &crate::contract::manifest::Entry,
    relations: &[RelationDef],
) -> Option<Inline> {
    let table = Form::open(entry, "an item of `inline`", form.faults)?;
    let syntax = table.choice(
        "syntax",
        &[
            ("wikilink", LinkSyntax::Wikilink),
            ("embed", LinkSyntax::Embed),
            ("relative", LinkSyntax::Relative),
            ("pattern", LinkSyntax::Pattern),
        ],
    );
    if table.is_absent("syntax") {
        table.missing("syntax");
    }
    let pattern = patterns::read_search(&table, "pattern");
    if syntax == Some(LinkSyntax::Pattern) && table.is_absent("pattern") {
        table.missing("pattern");
    }
    let relation = table.required_word("relation", 1..=48);
    if let Some(word) = &relation
        && !relations.iter().any(|known| known.name == word.text)
    {
        let called = quoted(&word.text, "something");
        let message = format!("`relation` of `inline` names {called}, which is no declared relation");
        table.suggest(&word.span, message, &word.text, relations.iter().map(|known| known.name.as_str()));
    }
    table.close();
    Some(Inline { syntax: syntax?, pattern, relation: relation?.text })
}
