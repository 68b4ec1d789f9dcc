//! The JSON pack (spec `project.md` 5.5): one document, indented by two spaces, keys in the order of that page.

use std::fmt::Write as _;
use std::io;

use super::tree::{Step, Tree, Visit};
use super::{GATHER_BYTES, PackEnd, PackFile, PackHead, pieces, push_address};
use crate::budget::Budget;
use crate::escape::{push_json_body, push_json_name};
use crate::request::View;
use crate::sink::Sink;

#[derive(Debug)]
pub(super) struct JsonPack {
    view: View,
    root: String,
    has_files: bool,
    out: String,
}

impl JsonPack {
    pub(super) fn begin(head: &PackHead<'_>, sink: &mut dyn Sink) -> io::Result<JsonPack> {
        let mut out = String::from("{\n  \"schemaVersion\": 1,\n  \"kind\": \"devprojex-context\",\n");
        push_project(head, &mut out);
        let selection = head.selection;
        out.push_str("  \"selection\": {\n    \"gitMode\": ");
        push_json_name(&selection.git_mode, &mut out);
        for (key, list) in [
            ("exclusions", &selection.exclusions),
            ("roots", &selection.roots),
            ("extensions", &selection.extensions),
            ("selectedPaths", &selection.selected_paths),
        ] {
            push_strings(key, list, &mut out);
        }
        let metrics = head.metrics;
        let _ = write!(
            out,
            "\n  }},\n  \"metrics\": {{\n    \"files\": {},\n    \"folders\": {},\n    \"bytes\": {},\n    \
             \"characters\": {},\n    \"estimatedTokens\": {}\n  }},\n  \"tree\": ",
            metrics.files, metrics.folders, metrics.bytes, metrics.characters, metrics.estimated_tokens
        );
        sink.put(&out)?;
        if head.view == View::Content {
            sink.put("null")?;
        } else {
            write_tree(head.tree, head.name, sink)?;
        }
        sink.put(",\n  \"files\": [")?;
        out.clear();
        Ok(JsonPack { view: head.view, root: head.root.to_owned(), has_files: false, out })
    }

    pub(super) fn file(&mut self, file: &PackFile<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        let out = &mut self.out;
        out.clear();
        out.push_str(if self.has_files { ",\n    {\n      \"path\": " } else { "\n    {\n      \"path\": " });
        self.has_files = true;
        let mut address = String::new();
        push_address(self.view, &self.root, file.path, &mut address);
        push_json_name(&address, out);
        let is_binary = file.class == content::Class::Binary;
        let _ = write!(
            out,
            ",\n      \"isBinary\": {is_binary},\n      \"classification\": \"{}\",\n      \"content\": ",
            file.class.as_str()
        );
        match file.body {
            None => out.push_str("null"),
            Some(body) => {
                out.push('"');
                for piece in pieces(body) {
                    push_json_body(piece, out);
                    if out.len() > GATHER_BYTES {
                        sink.put(out)?;
                        out.clear();
                    }
                }
                out.push('"');
            }
        }
        out.push_str("\n    }");
        sink.put(out)
    }

    pub(super) fn end(self, end: &PackEnd<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        let mut out = String::from(if self.has_files { "\n  ]," } else { "]," });
        if let Some(budget) = end.budget {
            push_budget(budget, &mut out);
        }
        out.push_str("\n  \"diagnostics\": [");
        for (at, diagnostic) in end.diagnostics.iter().enumerate() {
            out.push_str(if at > 0 { ",\n    {" } else { "\n    {" });
            let fields = [
                ("code", Some(diagnostic.code.as_str())),
                ("severity", Some(diagnostic.severity)),
                ("message", Some(diagnostic.message.as_str())),
                ("path", diagnostic.path.as_deref()),
            ];
            push_fields(&fields, "      ", &mut out);
            out.push_str("\n    }");
        }
        out.push_str(if end.diagnostics.is_empty() { "],\n" } else { "\n  ],\n" });
        out.push_str("  \"fingerprint\": ");
        push_json_name(end.fingerprint, &mut out);
        out.push_str("\n}");
        sink.put(&out)
    }
}

fn push_project(head: &PackHead<'_>, out: &mut String) {
    out.push_str("  \"project\": {");
    push_fields(&[("root", Some(head.root)), ("name", Some(head.name))], "    ", out);
    if let Some(source) = head.source {
        out.push_str(",\n    \"source\": {");
        let fields = [
            ("type", Some("git")),
            ("repositoryUrl", Some(source.repository_url.as_str())),
            ("branch", source.branch.as_deref()),
            ("commit", source.commit.as_deref()),
        ];
        push_fields(&fields, "      ", out);
        out.push_str("\n    }");
    }
    out.push_str("\n  },\n");
}

/// Writes the string fields that are there, each on a line of its own.
fn push_fields(fields: &[(&str, Option<&str>)], indent: &str, out: &mut String) {
    let mut comma = "\n";
    for (key, value) in fields {
        if let Some(value) = value {
            let _ = write!(out, "{comma}{indent}\"{key}\": ");
            push_json_name(value, out);
            comma = ",\n";
        }
    }
}

fn push_strings(key: &str, list: &[String], out: &mut String) {
    let _ = write!(out, ",\n    \"{key}\": [");
    for (at, item) in list.iter().enumerate() {
        out.push_str(if at > 0 { ",\n      " } else { "\n      " });
        push_json_name(item, out);
    }
    out.push_str(if list.is_empty() { "]" } else { "\n    ]" });
}

fn push_budget(budget: &Budget, out: &mut String) {
    let (included, skipped) = (budget.included(), budget.skipped());
    let _ = write!(
        out,
        "\n  \"tokenBudget\": {{\n    \"maximumEstimatedTokens\": {},\n    \"includedFiles\": {},\n    \
         \"skippedFiles\": {},\n    \"includedEstimatedTokens\": {},\n    \"skippedEstimatedTokens\": {},\n    \
         \"largestSkippedFiles\": [",
        budget.max_tokens(),
        included.files,
        skipped.files,
        included.tokens,
        skipped.tokens
    );
    for (at, file) in budget.largest_skipped().iter().enumerate() {
        out.push_str(if at > 0 { ",\n      {\n        \"path\": " } else { "\n      {\n        \"path\": " });
        push_json_name(&file.path, out);
        let _ = write!(out, ",\n        \"estimatedTokens\": {}\n      }}", file.tokens);
    }
    out.push_str(if budget.largest_skipped().is_empty() { "]" } else { "\n    ]" });
    let _ = write!(out, ",\n    \"additionalSkippedFiles\": {}\n  }},", budget.additional_skipped());
}

/// The nested tree, the root node first; every node has its children, a file none.
fn write_tree(tree: &Tree, name: &str, sink: &mut dyn Sink) -> io::Result<()> {
    let mut out = String::from("{");
    push_fields(&[("path", Some(".")), ("name", Some(name)), ("type", Some("directory"))], "    ", &mut out);
    out.push_str(",\n    \"children\": [");
    if tree.is_empty() {
        out.push_str("]\n  }");
        return sink.put(&out);
    }
    sink.put(&out)?;
    let mut path = String::new();
    let mut indent = String::from("\n      ");
    let mut comma = "";
    tree.walk(None, &mut |Step { node, last, .. }| {
        out.clear();
        let (name, kind) = match node {
            Visit::Open(folder) => (folder.name, "directory"),
            Visit::File { name, .. } => (name, "file"),
            Visit::Close(folder) => {
                if !folder.is_empty() {
                    indent.truncate(indent.len() - 4);
                    out.push_str(&indent);
                    out.push_str("  ]");
                } else {
                    out.push(']');
                }
                out.push_str(&indent);
                out.push('}');
                comma = if last { "" } else { "," };
                path.truncate(path.rfind('/').unwrap_or(0));
                return sink.put(&out);
            }
        };
        let parent_bytes = path.len();
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(name);
        out.push_str(comma);
        out.push_str(&indent);
        out.push('{');
        for (at, (key, value)) in [("path", path.as_str()), ("name", name), ("type", kind)].iter().enumerate()
        {
            if at > 0 {
                out.push(',');
            }
            out.push_str(&indent);
            let _ = write!(out, "  \"{key}\": ");
            push_json_name(value, &mut out);
        }
        out.push(',');
        out.push_str(&indent);
        out.push_str("  \"children\": [");
        comma = "";
        match node {
            Visit::Open(folder) if !folder.is_empty() => indent.push_str("    "),
            Visit::Open(_) | Visit::Close(_) => {}
            Visit::File { .. } => {
                out.push(']');
                out.push_str(&indent);
                out.push('}');
                comma = if last { "" } else { "," };
                path.truncate(parent_bytes);
            }
        }
        sink.put(&out)
    })?;
    sink.put("\n    ]\n  }")
}
