//! From what a tool answered to the content of a result: payload first, trusted lines after it, errors as
//! plain text. It knows no tool and no transport.

use std::borrow::Cow;

use fault::{Fault, Notice};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Map, Value};

/// Characters of an error text; the contract of protocol.md 5 is "under 10,000".
pub const ERROR_CHARS_MAX: usize = 9_999;

/// The answer of a tool, ready for the wire.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    blocks: Vec<String>,
    structured: Option<Value>,
    is_error: bool,
    meta: Option<Map<String, Value>>,
}

impl Reply {
    /// One text block.
    pub fn text(text: String) -> Reply {
        Reply { blocks: vec![text], structured: None, is_error: false, meta: None }
    }

    /// A structured result. Its first text block says exactly the same as compact JSON, keys in the order of
    /// `value`; `notices` are repeated for people in a second block when there are any.
    pub fn structured(value: Value, notices: &[Notice]) -> Reply {
        let mut blocks = vec![value.to_string()];
        if !notices.is_empty() {
            blocks.push(notices.iter().map(notice_line).collect::<Vec<_>>().join("\n"));
        }
        Reply { blocks, structured: Some(value), is_error: false, meta: None }
    }

    /// An error that is a structured result, its one text block saying the same.
    pub fn structured_error(value: Value) -> Reply {
        Reply { is_error: true, ..Reply::structured(value, &[]) }
    }

    /// An error with its code in the text and nothing structured.
    pub fn error(fault: &Fault) -> Reply {
        Reply::error_text(&fault.to_string())
    }

    /// An error whose text already holds its code.
    pub fn error_text(text: &str) -> Reply {
        let text = guarded(text);
        let cut = text.char_indices().nth(ERROR_CHARS_MAX).map(|(at, _)| at);
        let text = match cut {
            Some(_) => {
                let end = text.char_indices().nth(ERROR_CHARS_MAX - 1).map_or(text.len(), |(at, _)| at);
                format!("{}…", &text[..end])
            }
            None => text.into_owned(),
        };
        Reply { blocks: vec![text], structured: None, is_error: true, meta: None }
    }

    /// The same with metadata beside the content.
    #[must_use]
    pub fn with_meta(mut self, meta: Option<Map<String, Value>>) -> Reply {
        self.meta = meta;
        self
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// The text blocks, the payload first.
    pub fn blocks(&self) -> &[String] {
        &self.blocks
    }

    pub(crate) fn into_result(self) -> CallToolResult {
        let content = self.blocks.into_iter().map(ContentBlock::text).collect();
        let mut result =
            if self.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = self.structured;
        result.meta = self.meta.map(MetaObject);
        result
    }
}

/// A trusted warning as one line.
pub fn notice_line(notice: &Notice) -> String {
    format!("[Warning {}] {}", notice.code, notice.text)
}

/// Puts trusted lines after the last block: one blank line, then one line each.
pub fn with_trailers(mut text: String, trailers: &[String]) -> String {
    if !trailers.is_empty() {
        text.push('\n');
        for line in trailers {
            text.push('\n');
            text.push_str(line);
        }
    }
    text
}

/// Text in our own voice that may repeat what a caller sent: anything that looks like a secret is masked.
pub fn guarded(text: &str) -> Cow<'_, str> {
    redact::mask_name(text)
}
