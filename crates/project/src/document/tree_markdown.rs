//! The tree as a nested Markdown list (spec `project.md` 5.4): the compact default for agents.

use std::io;

use super::tree::{Step, Tree, Visit};
use crate::escape::push_markdown;
use crate::sink::Sink;

/// Writes the tree without a final line end. `root` is the address; it is escaped here.
pub(crate) fn write(tree: &Tree, root: &str, max_depth: Option<u32>, sink: &mut dyn Sink) -> io::Result<()> {
    let mut line = String::from("Root: ");
    push_markdown(root, &mut line);
    sink.put(&line)?;
    let mut lead = "\n\n";
    tree.walk(max_depth, &mut |Step { node, depth, .. }| {
        let (name, slash) = match node {
            Visit::Open(folder) => (folder.name, "/"),
            Visit::File { name, .. } => (name, ""),
            Visit::Close(_) => return Ok(()),
        };
        line.clear();
        line.push_str(lead);
        lead = "\n";
        line.extend(std::iter::repeat_n("  ", depth));
        line.push_str("- ");
        push_markdown(name, &mut line);
        line.push_str(slash);
        sink.put(&line)
    })
}
