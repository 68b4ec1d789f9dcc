//! Nodes and edges of a snapshot, resolved and typed. It does not know how they were read.

use crate::hash::Hash;
use crate::tree::Span;
use crate::value::Value;

/// Index of a node in [`crate::Snapshot::nodes`], which is sorted by id bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeIx(pub u32);

/// Index of an edge in [`crate::Snapshot::edges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeIx(pub u32);

/// One node.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its stable id.
    pub id: String,
    /// Its type.
    pub type_name: String,
    /// Its title; empty when there is none.
    pub title: String,
    /// Old ids that still lead here.
    pub aliases: Vec<String>,
    /// Its typed fields, sorted by name.
    pub fields: Vec<Field>,
    /// The relations that it states and that resolve, in canonical order.
    pub links: Vec<Link>,
    /// The canonical body.
    pub body: String,
    /// Headings of the body.
    pub headings: Vec<String>,
    /// Addresses outside the project that the body links to.
    pub external: Vec<String>,
    /// What another tool keeps to see whether this node changed, as a pin may hold it.
    pub stamp: Option<String>,
    /// What another tool's own mark of a review says; `None` for formats without such a mark.
    pub review: Option<Review>,
    /// Its file, project-relative.
    pub path: String,
    /// The id of its source.
    pub source: String,
    /// Place among the nodes of the file, from 0.
    pub ordinal: usize,
    /// The bytes that are its alone; `line` is where it begins.
    pub span: Span,
    /// The bytes of its body.
    pub body_span: Span,
    /// The node hash (spec C4).
    pub hash: Hash,
    /// What the checks found about it.
    pub state: State,
}

impl Node {
    /// The value of a field.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|field| field.name == name).map(|field| &field.value)
    }
}

/// One field of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Whether it counts in the node hash.
    pub is_hashed: bool,
}

/// A relation that a node states, its target resolved where there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The relation.
    pub relation: String,
    /// The id of the target, or what was written when nothing has it.
    pub to: String,
    /// Whether the target exists.
    pub is_resolved: bool,
    /// The pin as written.
    pub pin: Option<String>,
    /// The note.
    pub note: Option<String>,
    /// Where it stands in the file.
    pub span: Span,
}

/// What the mark of a review says that another tool keeps in its items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Review {
    /// Reviewed as it is now.
    Current,
    /// Changed since it was reviewed.
    Changed,
    /// Never reviewed.
    Never,
}

impl Review {
    /// The word for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Review::Current => "current",
            Review::Changed => "changed",
            Review::Never => "never",
        }
    }
}

/// Membership in the states of the filter language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// An error concerns it.
    pub error: bool,
    /// A warning concerns it.
    pub warn: bool,
    /// One of its pins does not match.
    pub suspect: bool,
    /// No relation starts or ends here.
    pub orphan: bool,
}

impl State {
    /// No error, no warning, not suspect.
    pub fn is_clean(self) -> bool {
        !self.error && !self.warn && !self.suspect
    }

    /// The one word for a list: the first of error, suspect, warn, orphan, clean that applies.
    pub fn word(self) -> &'static str {
        match self {
            State { error: true, .. } => "error",
            State { suspect: true, .. } => "suspect",
            State { warn: true, .. } => "warn",
            State { orphan: true, .. } => "orphan",
            _ => "clean",
        }
    }
}

/// Whether an edge was stated or follows from an inline link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EdgeKind {
    /// Stated.
    Relation,
    /// Read from the body; counts for no cardinality.
    Mention,
}

impl EdgeKind {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            EdgeKind::Relation => "relation",
            EdgeKind::Mention => "mention",
        }
    }
}

/// A resolved, directed edge. Mentions are one for each (from, relation, to).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeIx,
    /// Where it leads.
    pub to: NodeIx,
    /// Place of the relation in [`crate::Contract::relations`].
    pub relation: u32,
    /// Stated or read from a body.
    pub kind: EdgeKind,
    /// The pin as written.
    pub pin: Option<String>,
    /// Whether the pin does not match the target; `None` without a pin or with pins off.
    pub suspect: Option<bool>,
    /// The note.
    pub note: Option<String>,
}
