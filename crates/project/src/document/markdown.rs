//! The Markdown pack (spec `project.md` 5.5): headings that stay literal, bodies in fences that nothing in the
//! body can close.

use std::io;

use super::{PackFile, PackHead, omission, tree_text};
use crate::escape::{
    info_string, longest_backtick_run, push_backticks, push_code_span, push_heading, push_markdown,
};
use crate::request::View;
use crate::sink::Sink;

#[derive(Debug)]
pub(super) struct MarkdownPack {
    line: String,
}

impl MarkdownPack {
    pub(super) fn begin(head: &PackHead<'_>, sink: &mut dyn Sink) -> io::Result<MarkdownPack> {
        let mut line = String::from("# ");
        push_heading(head.name, &mut line);
        if head.view == View::Content {
            line.push_str("\n\nRoot: ");
            push_markdown(head.root, &mut line);
            sink.put(&line)?;
        } else {
            let fence = fence(head.tree.longest_backtick_run().max(longest_backtick_run(head.root)));
            line.push_str("\n\n## Project tree\n\n");
            push_backticks(fence, &mut line);
            line.push_str("text\n");
            sink.put(&line)?;
            tree_text::write(head.tree, head.root, None, sink)?;
            line.clear();
            line.push('\n');
            push_backticks(fence, &mut line);
            sink.put(&line)?;
        }
        Ok(MarkdownPack { line })
    }

    pub(super) fn file(&mut self, file: &PackFile<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        let line = &mut self.line;
        line.clear();
        line.push_str("\n\n## ");
        push_code_span(file.path, line);
        line.push_str("\n\n");
        let Some(body) = file.body else {
            line.push('*');
            line.push_str(omission(file.class));
            line.push('*');
            return sink.put(line);
        };
        let fence = fence(longest_backtick_run(body));
        push_backticks(fence, line);
        line.push_str(&info_string(file.path));
        line.push('\n');
        sink.put(line)?;
        sink.put(body)?;
        line.clear();
        line.push('\n');
        push_backticks(fence, line);
        sink.put(line)
    }

    #[expect(clippy::unnecessary_wraps, reason = "the four writers end alike")]
    pub(super) fn end(self) -> io::Result<()> {
        Ok(())
    }
}

/// The length of a fence around text whose longest run of backticks is `run`.
fn fence(run: usize) -> usize {
    (run + 1).max(3)
}
