//! The tree as terse XML (spec `project.md` 5.4): `t`, `d` and `f`, no declaration.

use std::io;

use super::tree::{Step, Tree, Visit};
use crate::escape::push_xml_name;
use crate::sink::Sink;

/// Writes the tree without a final line end. `root` is the address; it is escaped here.
pub(crate) fn write(tree: &Tree, root: &str, max_depth: Option<u32>, sink: &mut dyn Sink) -> io::Result<()> {
    let mut line = String::from("<t r=\"");
    push_xml_name(root, &mut line);
    if tree.is_empty() || max_depth == Some(0) {
        line.push_str("\"/>");
        return sink.put(&line);
    }
    line.push_str("\">");
    sink.put(&line)?;
    tree.walk(max_depth, &mut |Step { node, depth, .. }| {
        line.clear();
        match node {
            Visit::Open(folder) => {
                begin_line(depth, &mut line);
                line.push_str("<d n=\"");
                push_xml_name(folder.name, &mut line);
                line.push_str(if folder.is_empty() { "\"/>" } else { "\">" });
            }
            Visit::File { name, .. } => {
                begin_line(depth, &mut line);
                line.push_str("<f>");
                push_xml_name(name, &mut line);
                line.push_str("</f>");
            }
            Visit::Close(folder) if folder.is_empty() => return Ok(()),
            Visit::Close(_) => {
                begin_line(depth, &mut line);
                line.push_str("</d>");
            }
        }
        sink.put(&line)
    })?;
    sink.put("\n</t>")
}

fn begin_line(depth: usize, line: &mut String) {
    line.push('\n');
    line.extend(std::iter::repeat_n("  ", depth + 1));
}
