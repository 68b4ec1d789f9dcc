//! The XML pack (spec `project.md` 5.5, 15): UTF-8 with a declaration; single values are attributes, lists are
//! containers, a body is the text of `content`.

use std::fmt::Write as _;
use std::io;

use super::tree::{Step, Tree, Visit};
use super::{GATHER_BYTES, PackEnd, PackFile, PackHead, pieces, push_address};
use crate::budget::Budget;
use crate::escape::{push_xml_body, push_xml_name};
use crate::request::View;
use crate::sink::Sink;

#[derive(Debug)]
pub(super) struct XmlPack {
    view: View,
    root: String,
    has_files: bool,
    out: String,
}

impl XmlPack {
    pub(super) fn begin(head: &PackHead<'_>, sink: &mut dyn Sink) -> io::Result<XmlPack> {
        let mut out = String::from(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
             <devprojexContext schemaVersion=\"1\" kind=\"devprojex-context\">\n  <project",
        );
        push_attributes(&[("root", Some(head.root)), ("name", Some(head.name))], &mut out);
        match head.source {
            None => out.push_str("/>\n"),
            Some(source) => {
                out.push_str(">\n    <source");
                let attributes = [
                    ("type", Some("git")),
                    ("repositoryUrl", Some(source.repository_url.as_str())),
                    ("branch", source.branch.as_deref()),
                    ("commit", source.commit.as_deref()),
                ];
                push_attributes(&attributes, &mut out);
                out.push_str("/>\n  </project>\n");
            }
        }
        let selection = head.selection;
        out.push_str("  <selection");
        push_attributes(&[("gitMode", Some(&selection.git_mode))], &mut out);
        out.push_str(">\n");
        push_list("exclusions", "exclusion", &selection.exclusions, &mut out);
        push_list("roots", "root", &selection.roots, &mut out);
        push_list("extensions", "extension", &selection.extensions, &mut out);
        push_list("selectedPaths", "path", &selection.selected_paths, &mut out);
        let metrics = head.metrics;
        let _ = write!(
            out,
            "  </selection>\n  <metrics files=\"{}\" folders=\"{}\" bytes=\"{}\" characters=\"{}\" \
             estimatedTokens=\"{}\"/>\n",
            metrics.files, metrics.folders, metrics.bytes, metrics.characters, metrics.estimated_tokens
        );
        sink.put(&out)?;
        if head.view == View::Content {
            sink.put("  <tree/>\n")?;
        } else {
            write_tree(head.tree, head.name, sink)?;
        }
        sink.put("  <files")?;
        out.clear();
        Ok(XmlPack { view: head.view, root: head.root.to_owned(), has_files: false, out })
    }

    pub(super) fn file(&mut self, file: &PackFile<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        let out = &mut self.out;
        out.clear();
        out.push_str(if self.has_files { "    <file path=\"" } else { ">\n    <file path=\"" });
        self.has_files = true;
        let mut address = String::new();
        push_address(self.view, &self.root, file.path, &mut address);
        push_xml_name(&address, out);
        let is_binary = file.class == content::Class::Binary;
        let _ = write!(out, "\" isBinary=\"{is_binary}\" classification=\"{}\"", file.class.as_str());
        let Some(body) = file.body else {
            out.push_str("/>\n");
            return sink.put(out);
        };
        out.push_str(">\n      <content>");
        for piece in pieces(body) {
            push_xml_body(piece, out);
            if out.len() > GATHER_BYTES {
                sink.put(out)?;
                out.clear();
            }
        }
        out.push_str("</content>\n    </file>\n");
        sink.put(out)
    }

    pub(super) fn end(self, end: &PackEnd<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        let mut out = String::from(if self.has_files { "  </files>\n" } else { "/>\n" });
        if let Some(budget) = end.budget {
            push_budget(budget, &mut out);
        }
        out.push_str("  <diagnostics");
        for (at, diagnostic) in end.diagnostics.iter().enumerate() {
            out.push_str(if at > 0 { "    <diagnostic" } else { ">\n    <diagnostic" });
            let attributes = [
                ("code", Some(diagnostic.code.as_str())),
                ("severity", Some(diagnostic.severity)),
                ("message", Some(diagnostic.message.as_str())),
                ("path", diagnostic.path.as_deref()),
            ];
            push_attributes(&attributes, &mut out);
            out.push_str("/>\n");
        }
        out.push_str(if end.diagnostics.is_empty() { "/>\n" } else { "  </diagnostics>\n" });
        out.push_str("  <fingerprint>");
        push_xml_name(end.fingerprint, &mut out);
        out.push_str("</fingerprint>\n</devprojexContext>");
        sink.put(&out)
    }
}

fn push_attributes(attributes: &[(&str, Option<&str>)], out: &mut String) {
    for (name, value) in attributes {
        if let Some(value) = value {
            let _ = write!(out, " {name}=\"");
            push_xml_name(value, out);
            out.push('"');
        }
    }
}

fn push_list(name: &str, item_name: &str, items: &[String], out: &mut String) {
    if items.is_empty() {
        let _ = writeln!(out, "    <{name}/>");
        return;
    }
    let _ = writeln!(out, "    <{name}>");
    for item in items {
        let _ = write!(out, "      <{item_name}>");
        push_xml_name(item, out);
        let _ = writeln!(out, "</{item_name}>");
    }
    let _ = writeln!(out, "    </{name}>");
}

fn push_budget(budget: &Budget, out: &mut String) {
    let (included, skipped) = (budget.included(), budget.skipped());
    let _ = write!(
        out,
        "  <tokenBudget maximumEstimatedTokens=\"{}\" includedFiles=\"{}\" skippedFiles=\"{}\" \
         includedEstimatedTokens=\"{}\" skippedEstimatedTokens=\"{}\" additionalSkippedFiles=\"{}\">\n    \
         <largestSkippedFiles",
        budget.max_tokens(),
        included.files,
        skipped.files,
        included.tokens,
        skipped.tokens,
        budget.additional_skipped()
    );
    for (at, file) in budget.largest_skipped().iter().enumerate() {
        out.push_str(if at > 0 { "      <file" } else { ">\n      <file" });
        push_attributes(&[("path", Some(&file.path))], out);
        let _ = writeln!(out, " estimatedTokens=\"{}\"/>", file.tokens);
    }
    let is_empty = budget.largest_skipped().is_empty();
    out.push_str(if is_empty { "/>\n" } else { "    </largestSkippedFiles>\n" });
    out.push_str("  </tokenBudget>\n");
}

/// The nested tree, the root directory first.
fn write_tree(tree: &Tree, name: &str, sink: &mut dyn Sink) -> io::Result<()> {
    let mut out = String::from("  <tree>\n    <directory");
    push_attributes(&[("path", Some(".")), ("name", Some(name))], &mut out);
    if tree.is_empty() {
        out.push_str("/>\n  </tree>\n");
        return sink.put(&out);
    }
    out.push_str(">\n");
    sink.put(&out)?;
    let mut path = String::new();
    tree.walk(None, &mut |Step { node, depth, .. }| {
        out.clear();
        out.extend(std::iter::repeat_n("  ", depth + 3));
        let (name, element) = match node {
            Visit::Open(folder) => (folder.name, "<directory"),
            Visit::File { name, .. } => (name, "<file"),
            Visit::Close(folder) => {
                path.truncate(path.rfind('/').unwrap_or(0));
                if folder.is_empty() {
                    return Ok(());
                }
                out.push_str("</directory>\n");
                return sink.put(&out);
            }
        };
        let parent_bytes = path.len();
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(name);
        out.push_str(element);
        push_attributes(&[("path", Some(&path)), ("name", Some(name))], &mut out);
        match node {
            Visit::Open(folder) if !folder.is_empty() => out.push_str(">\n"),
            _ => out.push_str("/>\n"),
        }
        if matches!(node, Visit::File { .. }) {
            path.truncate(parent_bytes);
        }
        sink.put(&out)
    })?;
    sink.put("    </directory>\n  </tree>\n")
}
