//! The manifest after every check: what a project may hold, in manifest order, with filters and patterns ready to
//! use (spec C2). It does not know how TOML is read.

mod checks;
pub(crate) mod form;
mod kinds;
mod load;
pub(crate) mod manifest;
mod normal;
mod paths;
pub(crate) mod patterns;
mod relations;
mod rules;
mod skeleton;
mod sources;
#[cfg(test)]
mod tests;
mod views;
mod writers;

use std::collections::BTreeMap;

pub use load::{SCHEMA, load};
pub use manifest::MANIFEST_NAME;
pub use normal::writer_policy_hash;
pub use views::RENDERERS;

use crate::diagnose::{Check, Severity};
use crate::filter::Filter;
use crate::hash::Hash;
use crate::limits::Limits;

/// The validated, normalised manifest. Vectors are in manifest order.
#[derive(Clone, Debug)]
pub struct Contract {
    /// `[project]`.
    pub project: ProjectDef,
    /// `[paths]`, defaults filled in.
    pub paths: Paths,
    /// `[limits]`, ceilings filled in.
    pub limits: Limits,
    /// `[ids]`.
    pub ids: IdRules,
    /// `[types.*]`, inherited fields already folded in.
    pub types: Vec<TypeDef>,
    /// `[relations.*]`.
    pub relations: Vec<RelationDef>,
    /// `[[sources]]`.
    pub sources: Vec<SourceDef>,
    /// `[[rules]]`.
    pub rules: Vec<RuleDef>,
    /// `[checks]`.
    pub checks: Checks,
    /// `[views.*]`.
    pub views: Vec<ViewDef>,
    /// `[writers.*]`.
    pub writers: Vec<WriterDef>,
    /// SHA-256 of the normalised form, `[paths]` left out.
    pub hash: Hash,
}

impl Contract {
    /// The type of this name.
    pub fn type_def(&self, name: &str) -> Option<&TypeDef> {
        self.types.iter().find(|one| one.name == name)
    }

    /// The relation of this name; an inverse name is none.
    pub fn relation(&self, name: &str) -> Option<&RelationDef> {
        self.relations.iter().find(|one| one.name == name)
    }

    /// The relation whose inverse has this name.
    pub fn by_inverse(&self, name: &str) -> Option<&RelationDef> {
        self.relations.iter().find(|one| one.inverse == name && !one.symmetric)
    }

    /// The view of this name.
    pub fn view(&self, name: &str) -> Option<&ViewDef> {
        self.views.iter().find(|one| one.name == name)
    }

    /// The writer of this name.
    pub fn writer(&self, name: &str) -> Option<&WriterDef> {
        self.writers.iter().find(|one| one.name == name)
    }

    /// The source of this id.
    pub fn source(&self, id: &str) -> Option<&SourceDef> {
        self.sources.iter().find(|one| one.id == id)
    }

    /// The adapters in use as `name@version`, sorted, joined by commas.
    pub fn adapter_version(&self) -> String {
        let mut names: Vec<&str> = self.sources.iter().map(|source| source.adapter.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.join(",")
    }
}

/// Who the project is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectDef {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// BCP-47 language tag.
    pub language: Option<String>,
}

/// Where the product keeps its own files, project-relative with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Changesets.
    pub changesets: String,
    /// Previews.
    pub previews: String,
    /// The index file.
    pub index: String,
    /// Saved baselines.
    pub baselines: String,
}

/// Which characters an id may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// The ASCII form of spec C3.
    Ascii,
    /// The Unicode form of spec C3.
    Unicode,
}

/// `[ids]`.
#[derive(Clone, Debug)]
pub struct IdRules {
    /// Allowed characters.
    pub charset: Charset,
    /// A pattern that every id must match as a whole.
    pub pattern: Option<Pattern>,
    /// Whether two ids that differ only by case are an error.
    pub case_unique: bool,
}

/// A regular expression of the manifest, anchored at both ends.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// As written.
    pub source: String,
    /// Compiled.
    pub regex: regex_automata::meta::Regex,
}

impl Pattern {
    /// Whether `text` matches as a whole.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// Whether a body may or must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyRule {
    /// Must not be empty.
    Required,
    /// May be empty.
    Optional,
    /// Must be empty.
    Forbidden,
}

/// What an undeclared key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownFields {
    /// `unknown_field` as configured.
    Error,
    /// `unknown_field` as a warning.
    Warn,
    /// Kept without a word: a text field of that name.
    Keep,
}

/// One type of node.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// Its name.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// For agents.
    pub description: Option<String>,
    /// A pattern for its ids.
    pub id_pattern: Option<Pattern>,
    /// What an id looks like; shown, never used to make one.
    pub id_hint: Option<String>,
    /// Whether there is a body.
    pub body: BodyRule,
    /// What undeclared keys mean.
    pub unknown_fields: UnknownFields,
    /// The type whose fields it took over.
    pub extends: Option<String>,
    /// Its fields, inherited ones first.
    pub fields: Vec<FieldDef>,
}

impl TypeDef {
    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&FieldDef> {
        self.fields.iter().find(|one| one.name == name)
    }
}

/// What values a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// One line of text.
    String,
    /// Text of any lines.
    Text,
    /// A 64-bit integer.
    Integer,
    /// A decimal number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A day.
    Date,
    /// A point in time.
    DateTime,
    /// One of `values`.
    Enum,
    /// An address.
    Url,
    /// A table.
    Map,
    /// Anything structured.
    Json,
}

impl FieldType {
    /// The word in the manifest.
    pub const fn as_str(self) -> &'static str {
        match self {
            FieldType::String => "string",
            FieldType::Text => "text",
            FieldType::Integer => "integer",
            FieldType::Number => "number",
            FieldType::Boolean => "boolean",
            FieldType::Date => "date",
            FieldType::DateTime => "datetime",
            FieldType::Enum => "enum",
            FieldType::Url => "url",
            FieldType::Map => "map",
            FieldType::Json => "json",
        }
    }
}

/// One field of a type.
#[derive(Clone, Debug)]
pub struct FieldDef {
    /// Its name.
    pub name: String,
    /// What values it takes.
    pub kind: FieldType,
    /// Whether it takes a list of them.
    pub list: bool,
    /// Fewest items.
    pub min_items: Option<usize>,
    /// Most items.
    pub max_items: Option<usize>,
    /// Whether items are distinct; such a list is sorted.
    pub unique: bool,
    /// Whether it must be there.
    pub required: bool,
    /// The values of an enum.
    pub values: Vec<String>,
    /// A pattern for strings.
    pub pattern: Option<Pattern>,
    /// Fewest characters.
    pub min_length: Option<usize>,
    /// Most characters.
    pub max_length: Option<usize>,
    /// Smallest value, as written (integer, number, date).
    pub min: Option<String>,
    /// Largest value, as written (integer, number, date).
    pub max: Option<String>,
    /// Whether search looks at it.
    pub search: bool,
    /// Whether it counts in the node hash.
    pub hash: bool,
    /// For people.
    pub label: Option<String>,
}

/// Whether a relation carries a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinUse {
    /// Pins are not looked at.
    Off,
    /// A pin is compared when there is one.
    Optional,
    /// A pin must be there.
    Required,
}

/// Part of a node, as `pin_fields` and `impact_fields` name them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The title.
    Title,
    /// The body.
    Body,
    /// The relations.
    Relations,
    /// One field.
    Field(String),
}

/// Where a change spreads along a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpactFlow {
    /// A change of the target touches the source.
    ToSource,
    /// A change of the source touches the target.
    ToTarget,
    /// Either way.
    Both,
    /// Not at all.
    None,
}

/// How `get_context` uses a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextUse {
    /// Targets are mandatory members.
    Always,
    /// Targets compete by score.
    Rank,
    /// The relation is not followed.
    Never,
}

/// One relation.
#[derive(Clone, Debug)]
pub struct RelationDef {
    /// Its name.
    pub name: String,
    /// Types that it may start at; empty means any.
    pub from: Vec<String>,
    /// Types that it may lead to; empty means any.
    pub to: Vec<String>,
    /// The name seen from the target.
    pub inverse: String,
    /// For people.
    pub title: Option<String>,
    /// For people, seen from the target.
    pub inverse_title: Option<String>,
    /// Fewest per source node.
    pub min: Option<usize>,
    /// Most per source node.
    pub max: Option<usize>,
    /// Fewest per target node.
    pub inverse_min: Option<usize>,
    /// Most per target node.
    pub inverse_max: Option<usize>,
    /// Whether it must not form a cycle.
    pub acyclic: bool,
    /// Relations whose union with this one must not form a cycle.
    pub acyclic_with: Vec<String>,
    /// Whether it reads the same from both ends.
    pub symmetric: bool,
    /// Whether a node may relate to itself.
    pub self_loop: bool,
    /// Whether author order is kept.
    pub ordered: bool,
    /// A condition on the target.
    pub target_where: Option<Filter>,
    /// Whether it carries a pin.
    pub pin: PinUse,
    /// What a pin covers; empty means the whole node.
    pub pin_fields: Vec<Part>,
    /// Where a change spreads.
    pub impact: ImpactFlow,
    /// Which parts of a change spread; empty means any.
    pub impact_fields: Vec<Part>,
    /// Closeness for `get_context`, 0 to 10.
    pub weight: u8,
    /// How `get_context` uses it.
    pub context: ContextUse,
    /// The relation that the other end must state.
    pub paired_with: Option<String>,
}

/// One `[[sources]]`.
#[derive(Clone, Debug)]
pub struct SourceDef {
    /// Its id.
    pub id: String,
    /// `name@version`.
    pub adapter: String,
    /// Globs of the files, as written.
    pub include: Vec<String>,
    /// Globs of files left out, as written.
    pub exclude: Vec<String>,
    /// Both, compiled.
    pub(crate) globs: crate::glob::SourceGlobs,
    /// The type of nodes that state none.
    pub default_type: Option<String>,
    /// Whether proposals may place nodes here.
    pub write: bool,
    /// Checked adapter options.
    pub options: crate::adapter::AdapterOptions,
    /// The options as the manifest gives them; null without any.
    pub options_json: serde_json::Value,
}

impl SourceDef {
    /// Its globs, ready to match.
    pub fn globs(&self) -> &crate::glob::SourceGlobs {
        &self.globs
    }
}

/// One `[[rules]]`.
#[derive(Clone, Debug)]
pub struct RuleDef {
    /// Its id.
    pub id: String,
    /// Which nodes it concerns.
    pub applies: Filter,
    /// What must hold for each.
    pub require: Filter,
    /// How bad it is when it does not.
    pub severity: Severity,
    /// The rule's own words, with `{id}`, `{title}`, `{type}`.
    pub message: String,
}

/// `[checks]`: severities that differ from the defaults; `None` turns a check off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checks(pub BTreeMap<Check, Option<Severity>>);

impl Checks {
    /// The severity of `check` here; `None` when it is off.
    pub fn severity(&self, check: &Check) -> Option<Severity> {
        self.0.get(check).copied().unwrap_or(Some(check.severity()))
    }
}

/// One key of a sort order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// `id`, `title`, `type`, `path` or `field:NAME`.
    pub key: String,
    /// Largest first.
    pub descending: bool,
}

/// One view.
#[derive(Clone, Debug)]
pub struct ViewDef {
    /// Its name.
    pub name: String,
    /// For people.
    pub title: String,
    /// `name@version` of a renderer of the fixed registry.
    pub renderer: String,
    /// Which nodes it shows; `None` means all.
    pub selects: Option<Filter>,
    /// In which order; never empty.
    pub sort: Vec<SortKey>,
    /// Declared output, project-relative.
    pub output: Option<String>,
    /// Checked options of the renderer, in canonical JSON.
    pub options: serde_json::Map<String, serde_json::Value>,
}

/// What a proposal may do with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Make one.
    Create,
    /// Change one.
    Update,
    /// Move one to another place.
    Move,
    /// Remove one.
    Delete,
}

impl Operation {
    /// The word in the manifest and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Operation::Create => "create",
            Operation::Update => "update",
            Operation::Move => "move",
            Operation::Delete => "delete",
        }
    }
}

/// Names that are allowed or denied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Grant {
    /// Every name.
    #[default]
    All,
    /// These and no other.
    Allow(Vec<String>),
    /// All but these.
    Deny(Vec<String>),
}

impl Grant {
    /// Whether `name` may be touched.
    pub fn admits(&self, name: &str) -> bool {
        match self {
            Grant::All => true,
            Grant::Allow(names) => names.iter().any(|one| one == name),
            Grant::Deny(names) => !names.iter().any(|one| one == name),
        }
    }
}

/// One writer: a named set of permissions.
#[derive(Clone, Debug)]
pub struct WriterDef {
    /// Its name.
    pub name: String,
    /// For people.
    pub title: String,
    /// What it may do.
    pub operations: Vec<Operation>,
    /// With nodes of which types; empty means any.
    pub types: Vec<String>,
    /// In which sources; empty means every writable one.
    pub sources: Vec<String>,
    /// Base state of a node that it may touch.
    pub applies: Option<Filter>,
    /// Which fields.
    pub fields: Grant,
    /// Which relations.
    pub relations: Grant,
    /// Open changesets at a time.
    pub max_open: usize,
    /// Operations of one changeset.
    pub max_ops: usize,
    /// Whether any change of a touched node is a conflict.
    pub strict_base: bool,
}
