//! The plain text pack (spec `project.md` 5.5): the text tree or a root line, then each file under its path.

use std::io;

use super::{PackFile, PackHead, omission, tree_text};
use crate::escape::push_visible;
use crate::request::View;
use crate::sink::Sink;

/// Line ends are held back until something follows them, because the document ends without any.
#[derive(Debug)]
pub(super) struct TextPack {
    held_ends: String,
    heading: String,
}

impl TextPack {
    pub(super) fn begin(head: &PackHead<'_>, sink: &mut dyn Sink) -> io::Result<TextPack> {
        let mut held_ends = String::new();
        if head.view == View::Content {
            let mut line = String::from("Root: ");
            push_visible(head.root, &mut line);
            sink.put(&line)?;
        } else {
            tree_text::write(head.tree, head.root, None, sink)?;
            held_ends.push('\n');
        }
        Ok(TextPack { held_ends, heading: String::new() })
    }

    pub(super) fn file(&mut self, file: &PackFile<'_>, sink: &mut dyn Sink) -> io::Result<()> {
        self.heading.clear();
        self.heading.push_str(&self.held_ends);
        self.heading.push_str("\n\n");
        push_visible(file.path, &mut self.heading);
        self.heading.push(':');
        sink.put(&self.heading)?;
        self.held_ends.clear();
        self.held_ends.push_str("\n\n");
        match file.body {
            Some(body) => {
                let text = without_final_ends(body);
                if !text.is_empty() {
                    sink.put(&self.held_ends)?;
                    sink.put(text)?;
                    self.held_ends.clear();
                }
                self.held_ends.push_str(&body[text.len()..]);
            }
            None => {
                sink.put("\n\n[")?;
                sink.put(omission(file.class))?;
                sink.put("]")?;
                self.held_ends.clear();
            }
        }
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "the four writers end alike")]
    pub(super) fn end(self) -> io::Result<()> {
        Ok(())
    }
}

/// The text without the LF and CRLF at its end; a lone CR is no line end and stays.
fn without_final_ends(mut text: &str) -> &str {
    while let Some(rest) = text.strip_suffix('\n') {
        text = rest.strip_suffix('\r').unwrap_or(rest);
    }
    text
}
