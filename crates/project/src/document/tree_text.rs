//! The tree as box-drawing lines (spec `project.md` 5.4): the address once, then the top-level children.

use std::io;

use super::tree::{Step, Tree, Visit};
use crate::escape::push_visible;
use crate::sink::Sink;

/// Writes the tree without a final line end. `root` is the address; it is escaped here.
pub(crate) fn write(tree: &Tree, root: &str, max_depth: Option<u32>, sink: &mut dyn Sink) -> io::Result<()> {
    let mut line = String::new();
    push_visible(root, &mut line);
    line.push(':');
    sink.put(&line)?;
    let mut lead = String::from("\n");
    let mut widths = Vec::new();
    tree.walk(max_depth, &mut |Step { node, last, .. }| {
        let name = match node {
            Visit::Open(folder) => folder.name,
            Visit::File { name, .. } => name,
            Visit::Close(_) => {
                lead.truncate(widths.pop().unwrap_or(1));
                return Ok(());
            }
        };
        line.clear();
        line.push_str(&lead);
        line.push_str(if last { "└── " } else { "├── " });
        push_visible(name, &mut line);
        if matches!(node, Visit::Open(_)) {
            widths.push(lead.len());
            lead.push_str(if last { "    " } else { "│   " });
        }
        sink.put(&line)
    })
}
