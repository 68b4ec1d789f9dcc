//! What an adapter reads out of one file, before the contract gives values a type and before targets are looked up.
//! An adapter is a pure function from text to this (spec C5).

use std::sync::Arc;

use crate::diagnose::Diagnostic;
use crate::model::Review;
use crate::tree::{Span, Tree};

/// A file as it is given to an adapter: decoded, BOM kept out, with the sibling files that it asked for.
#[derive(Clone, Debug)]
pub struct FileText {
    /// Project-relative, with `/`.
    pub path: String,
    /// The text, line ends as in the file, without BOM.
    pub text: Arc<str>,
    /// Bytes that the BOM took: 0 or 3. Spans count from after it.
    pub bom_bytes: usize,
    /// Sibling files by name; a name that was asked for and is not there is absent.
    pub siblings: Vec<(String, Arc<str>)>,
}

/// Everything that one file holds.
#[derive(Clone, Debug, Default)]
pub struct ParsedFile {
    /// Its nodes, in file order.
    pub nodes: Vec<ParsedNode>,
    /// What is wrong with the file, or with a node that could not be read at all.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the file is quarantined: it has nodes that could not be read, so none of it is served.
    pub is_quarantined: bool,
}

/// One node as written.
#[derive(Clone, Debug)]
pub struct ParsedNode {
    /// The id after `id_from` and `id_transform`; empty when there is none.
    pub id: String,
    /// Where the id stands.
    pub id_span: Span,
    /// The type as stated or as `type_from` gives it; `None` leaves it to the source.
    pub type_name: Option<String>,
    /// The title; empty when there is none.
    pub title: String,
    /// Old ids.
    pub aliases: Vec<String>,
    /// Keys that are neither reserved nor relations, renamed by `keys`, in file order.
    pub fields: Vec<(String, Tree)>,
    /// Relations as stated, in file order.
    pub links: Vec<ParsedLink>,
    /// Inline links that make mention edges, in text order.
    pub mentions: Vec<ParsedMention>,
    /// Relative links and anchors of the body that make no edge, for `broken_path_link` and `broken_anchor`:
    /// destination as written.
    pub references: Vec<(String, Span)>,
    /// Addresses outside the project that the body links to, in text order.
    pub external: Vec<String>,
    /// Headings of the body, for search and anchors.
    pub headings: Vec<String>,
    /// The canonical body (spec C4).
    pub body: String,
    /// What another tool keeps to see whether this node changed, as a pin may hold it.
    pub stamp: Option<String>,
    /// What another tool's own mark of a review says.
    pub review: Option<Review>,
    /// Place among the nodes of the file, from 0.
    pub ordinal: usize,
    /// The bytes of the file that are this node's alone.
    pub span: Span,
    /// The bytes of its body in the file.
    pub body_span: Span,
}

/// A relation as stated in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedLink {
    /// The relation as the contract names it.
    pub relation: String,
    /// Whether the inverse name was stated and `accept_inverse` folds it: the target is the source then.
    pub is_inverse: bool,
    /// The target as written.
    pub target: String,
    /// The pin as written.
    pub pin: Option<String>,
    /// The note.
    pub note: Option<String>,
    /// Where it stands.
    pub span: Span,
}

/// How an inline link was written, which decides how its target is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkSyntax {
    /// `[[target]]`.
    Wikilink,
    /// `![[target]]`.
    Embed,
    /// A Markdown link with a relative destination.
    Relative,
    /// Capture group 1 of a pattern.
    Pattern,
}

/// An inline link that makes a mention edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedMention {
    /// The relation that the source's `inline` option names.
    pub relation: String,
    /// How it was written.
    pub syntax: LinkSyntax,
    /// The target as written, without anchor and label.
    pub target: String,
    /// Where it stands.
    pub span: Span,
}
