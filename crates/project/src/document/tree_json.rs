//! The tree as nested JSON (spec `project.md` 5.4, 15): a folder with subfolders is an object whose own files
//! stand under `/`, any other folder is an array; indented by two spaces, one item a line.

use std::io;

use super::tree::{Step, Tree, Visit};
use crate::escape::push_json_name;
use crate::sink::Sink;

/// Writes the tree without a final line end. `root` is the address; it is escaped here.
pub(crate) fn write(tree: &Tree, root: &str, max_depth: Option<u32>, sink: &mut dyn Sink) -> io::Result<()> {
    let mut line = String::from("{\n  \"rootPath\": ");
    push_json_name(root, &mut line);
    line.push_str(",\n  \"tree\": {");
    if tree.is_empty() || max_depth == Some(0) {
        line.push_str("}\n}");
        return sink.put(&line);
    }
    sink.put(&line)?;
    // The top level is an object even without folders, so its files always stand under "/".
    tree.walk(max_depth, &mut |Step { node, depth, last }| {
        line.clear();
        match node {
            Visit::Open(folder) => {
                begin_line(depth + 2, &mut line);
                push_json_name(folder.name, &mut line);
                line.push_str(if folder.has_folders { ": {" } else { ": [" });
            }
            Visit::File { name, is_first, beside_folders } => {
                let keyed = beside_folders || depth == 0;
                if is_first && keyed {
                    begin_line(depth + 2, &mut line);
                    line.push_str("\"/\": [");
                }
                begin_line(depth + 2 + usize::from(keyed), &mut line);
                push_json_name(name, &mut line);
                if !last {
                    line.push(',');
                } else if keyed {
                    begin_line(depth + 2, &mut line);
                    line.push(']');
                }
            }
            Visit::Close(folder) => {
                if !folder.is_empty() {
                    begin_line(depth + 2, &mut line);
                }
                line.push(if folder.has_folders { '}' } else { ']' });
                if !last {
                    line.push(',');
                }
            }
        }
        sink.put(&line)
    })?;
    sink.put("\n  }\n}")
}

fn begin_line(levels: usize, line: &mut String) {
    line.push('\n');
    line.extend(std::iter::repeat_n("  ", levels));
}
