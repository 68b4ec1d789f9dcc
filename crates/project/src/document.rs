//! Documents: a tree alone, or a pack of a tree and file bodies, each in four formats (spec `project.md` 5.4,
//! 5.5). Values in, text out: nothing here reads a file, redacts, or decides what fits a budget.

mod json;
mod markdown;
mod text;
pub mod tree;
mod tree_json;
mod tree_markdown;
mod tree_text;
mod tree_xml;
mod xml;

use std::io;

use content::Class;
use fault::{Code, Fault, Text};

use crate::budget::Budget;
use crate::document::tree::Tree;
use crate::request::{PackFormat, TreeFormat, View};
use crate::sink::Sink;

/// What a pack says about the selection that made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectionEcho {
    /// `none`, `gitignore`, `tracked`, or the `git_scope` of the call.
    pub git_mode: String,
    /// Tokens of the exclusion toggles that are on, in canonical order.
    pub exclusions: Vec<String>,
    /// Top-level folders of the profile; empty when all are in.
    pub roots: Vec<String>,
    /// Extensions of the profile; empty when all are in.
    pub extensions: Vec<String>,
    /// Selected paths of the profile; empty when everything is in.
    pub selected_paths: Vec<String>,
}

/// Where a remote project comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The safe display form of the URL.
    pub repository_url: String,
    /// The branch that was asked for.
    pub branch: Option<String>,
    /// The commit that is checked out.
    pub commit: Option<String>,
}

/// The size of the whole effective selection, before any budget (5.5, "Metrics").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Selected files, binaries included.
    pub files: u64,
    /// Folders below the root.
    pub folders: u64,
    /// Bytes of the selected files.
    pub bytes: u64,
    /// Characters (Unicode scalars).
    pub characters: u64,
    /// Estimated tokens, rounded up per file.
    pub estimated_tokens: u64,
}

/// What stands before the files of a pack.
#[derive(Clone, Copy, Debug)]
pub struct PackHead<'a> {
    /// The address of the root as the document shows it: the absolute path or the safe URL, already masked where
    /// the server's policy asks for it.
    pub root: &'a str,
    /// The project's name, already masked likewise.
    pub name: &'a str,
    /// Set for remote projects.
    pub source: Option<&'a Source>,
    /// The selection.
    pub selection: &'a SelectionEcho,
    /// The metrics. Only JSON and XML print them, before the first file; the human formats ignore them, so a
    /// caller that writes those can pass zeros and read each file once.
    pub metrics: Metrics,
    /// The complete effective tree.
    pub tree: &'a Tree,
    /// What the pack holds.
    pub view: View,
}

/// One file of a pack.
#[derive(Clone, Copy, Debug)]
pub struct PackFile<'a> {
    /// The address below the root, with `/`.
    pub path: &'a str,
    /// Its class.
    pub class: Class,
    /// Its prepared text. Absent for every class but text, and for text that is withheld.
    pub body: Option<&'a str>,
}

/// A message about the selection. Packs of the server carry none (contract, "Result Contract").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code.
    pub code: String,
    /// `error`, `warning` or `information`.
    pub severity: &'static str,
    /// What happened.
    pub message: String,
    /// The address it is about.
    pub path: Option<String>,
}

/// What stands after the files of a pack. The human formats print none of it.
#[derive(Clone, Copy, Debug)]
pub struct PackEnd<'a> {
    /// The budget, when the call set one.
    pub budget: Option<&'a Budget>,
    /// Usually empty.
    pub diagnostics: &'a [Diagnostic],
    /// See [`crate::fingerprint`].
    pub fingerprint: &'a str,
}

/// A pack that is written as it comes: [`PackWriter::begin`], each file in ordinal order, [`PackWriter::end`].
/// Nothing but the current piece is held.
#[derive(Debug)]
pub struct PackWriter(Writer);

#[derive(Debug)]
enum Writer {
    Text(text::TextPack),
    Markdown(markdown::MarkdownPack),
    Json(json::JsonPack),
    Xml(xml::XmlPack),
}

impl PackWriter {
    /// Writes everything before the first file.
    ///
    /// # Errors
    /// What the sink reports.
    pub fn begin(format: PackFormat, head: &PackHead<'_>, sink: &mut dyn Sink) -> io::Result<PackWriter> {
        Ok(PackWriter(match format {
            PackFormat::Text => Writer::Text(text::TextPack::begin(head, sink)?),
            PackFormat::Markdown => Writer::Markdown(markdown::MarkdownPack::begin(head, sink)?),
            PackFormat::Json => Writer::Json(json::JsonPack::begin(head, sink)?),
            PackFormat::Xml => Writer::Xml(xml::XmlPack::begin(head, sink)?),
        }))
    }

    /// Writes one file. Not called for `view=tree`, nor for files that the budget skipped.
    ///
    /// # Errors
    /// What the sink reports.
    pub fn file(&mut self, file: &PackFile<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        match &mut self.0 {
            Writer::Text(writer) => writer.file(file, sink),
            Writer::Markdown(writer) => writer.file(file, sink),
            Writer::Json(writer) => writer.file(file, sink),
            Writer::Xml(writer) => writer.file(file, sink),
        }
    }

    /// Writes everything after the last file.
    ///
    /// # Errors
    /// What the sink reports.
    pub fn end(self, end: &PackEnd<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        match self.0 {
            Writer::Text(writer) => writer.end(),
            Writer::Markdown(writer) => writer.end(),
            Writer::Json(writer) => writer.end(end, sink),
            Writer::Xml(writer) => writer.end(end, sink),
        }
    }
}

/// Why a file has no body in a document, in one short sentence (5.5).
fn omission(class: Class) -> &'static str {
    match class {
        Class::Text => "Content withheld: it could not be inspected for secrets.",
        Class::Binary => "Binary file: content omitted.",
        Class::TooLarge => "File too large to inspect: content withheld.",
        Class::Unreadable => "File could not be read: content omitted.",
        Class::AccessDenied => "Access denied: content omitted.",
        Class::Missing => "File no longer exists: content omitted.",
        Class::UnsupportedEncoding => "Unsupported text encoding: content omitted.",
    }
}

/// `files[].path` of JSON and XML: below the root for `tree-content`, the whole address for `content` (5.5).
fn push_address(view: View, root: &str, path: &str, out: &mut String) {
    if view == View::Content {
        out.push_str(root);
        if !root.ends_with('/') {
            out.push('/');
        }
    }
    out.push_str(path);
}

/// Escaped text that is gathered before the sink gets it, in bytes.
const GATHER_BYTES: usize = 64 * 1024;

/// A body in pieces of a size that the escaped form of one stays small.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(GATHER_BYTES));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The sentence of the trailer and of the fault that say what to do about a tree that is too long.
const NARROW_THE_TREE: &str = "narrow it with include_patterns or exclude_patterns, or lower max_depth";

/// The tree document of `get_tree`, and the trailer that it needs when it was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeDocument {
    /// The document without a final line end.
    pub text: String,
    /// `[Tree truncated ...]`.
    pub trailer: Option<String>,
}

/// Renders the tree alone (5.4). `max_lines` counts every physical line; a longer text or Markdown tree is cut
/// after that many lines and says so, a longer JSON or XML tree is an error.
///
/// # Errors
/// [`Code::PayloadTruncated`] with narrowing guidance, for JSON and XML.
pub fn tree_document(
    tree: &Tree,
    root: &str,
    format: TreeFormat,
    max_depth: Option<u32>,
    max_lines: usize,
) -> Result<TreeDocument, Fault> {
    let write = match format {
        TreeFormat::Markdown => tree_markdown::write,
        TreeFormat::Text => tree_text::write,
        TreeFormat::Json => tree_json::write,
        TreeFormat::Xml => tree_xml::write,
    };
    let mut lines = FirstLines { text: String::new(), more_line_ends: max_lines.saturating_sub(1) };
    if write(tree, root, max_depth, &mut lines).is_ok() {
        return Ok(TreeDocument { text: lines.text, trailer: None });
    }
    if matches!(format, TreeFormat::Json | TreeFormat::Xml) {
        return Err(Fault::new(
            Code::PayloadTruncated,
            Text::new("the tree has more than ")
                .count(max_lines)
                .and(" lines in this format; ")
                .and(NARROW_THE_TREE)
                .and(", or use format markdown or text, which return the first lines"),
        ));
    }
    let total = head_lines(format) + tree.nodes_within(max_depth);
    let trailer = format!("[Tree truncated after {max_lines} of {total} lines; {NARROW_THE_TREE}]");
    Ok(TreeDocument { text: lines.text, trailer: Some(trailer) })
}

/// Physical lines before the first node: the root line, and in Markdown the blank line after it.
fn head_lines(format: TreeFormat) -> u64 {
    if format == TreeFormat::Markdown { 2 } else { 1 }
}

/// Keeps the first lines and refuses the rest.
struct FirstLines {
    text: String,
    more_line_ends: usize,
}

impl Sink for FirstLines {
    fn put(&mut self, text: &str) -> io::Result<()> {
        let mut from = 0;
        for at in memchr::memchr_iter(b'\n', text.as_bytes()) {
            let Some(left) = self.more_line_ends.checked_sub(1) else {
                self.text.push_str(&text[from..at]);
                return Err(io::Error::other("enough lines"));
            };
            self.more_line_ends = left;
            self.text.push_str(&text[from..=at]);
            from = at + 1;
        }
        self.text.push_str(&text[from..]);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
