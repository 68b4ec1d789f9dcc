//! A pin is put to a relation, or takes the place of another one: nothing else of the line changes, neither how its target is
//! written nor what stands around it. It does not know what a pin holds.

use super::splice::{Splice, Target, content_end};
use super::{EditFault, scalar};
use crate::tree::{Span, Tree, TreeKind};

impl Target<'_> {
    /// The piece of text that pins the relation which stands at `at`.
    pub(super) fn pin(&self, id: &str, at: Span, pin: &str) -> Result<Splice, EditFault> {
        let spot = self.spot(id)?;
        let is_there = |span: Span| (span.line, span.column) == (at.line, at.column);
        let link = spot.node.links.iter().find(|link| !link.is_inverse && is_there(link.span));
        let link = link.ok_or(EditFault::RelationNotFound)?;
        let values = spot.entries.iter().map(|(_, _, value)| value);
        let found = values.into_iter().find_map(|value| match &value.kind {
            TreeKind::Sequence(items) => {
                items.iter().find(|item| is_there(item.span)).map(|item| (item, true))
            }
            _ => is_there(value.span).then_some((value, false)),
        });
        let (item, is_listed) = found.ok_or(EditFault::RelationNotFound)?;
        let pin = scalar::quoted(pin);
        match &item.kind {
            TreeKind::Scalar(scalar) => {
                let range = item.span.start..content_end(self.text, item);
                let raw = &self.text[range.clone()];
                // What stands in quotes reads the same between braces; plain words may not.
                let is_quoted = !scalar.is_plain && raw.starts_with(['"', '\'']);
                let to = if is_quoted { raw.to_owned() } else { scalar::string(&scalar.text) };
                let table = format!("{{to: {to}, pin: {pin}}}");
                Ok(Splice { range, text: if is_listed { table } else { format!("[{table}]") } })
            }
            TreeKind::Mapping(entries) => self.pin_table(item, entries, link.pin.is_some(), &pin),
            TreeKind::Sequence(_) => Err(EditFault::RelationNotFound),
        }
    }

    fn pin_table(
        &self,
        item: &Tree,
        entries: &[(String, Span, Tree)],
        is_pinned: bool,
        pin: &str,
    ) -> Result<Splice, EditFault> {
        if let Some((_, key, value)) = entries.iter().find(|(name, _, _)| name == "pin") {
            if is_pinned {
                return Ok(Splice {
                    range: value.span.start..content_end(self.text, value),
                    text: pin.to_owned(),
                });
            }
            // The key stands there with nothing behind it.
            let colon = self.text[key.end..].find(':').ok_or(EditFault::RelationNotFound)? + key.end + 1;
            let end = content_end(self.text, value).max(colon);
            return Ok(Splice { range: colon..end, text: format!(" {pin}") });
        }
        let (_, key, last) = entries.last().ok_or(EditFault::RelationNotFound)?;
        let end = content_end(self.text, last).max(key.end);
        if self.text[item.span.start..].starts_with('{') {
            return Ok(Splice { range: end..end, text: format!(", pin: {pin}") });
        }
        // A key of its own line, below the other keys and behind a comment on the last line.
        let (_, first, _) = &entries[0];
        let line_start = self.text[..first.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let indent: String = self.text[line_start..first.start]
            .chars()
            .map(|one| if one == '\t' { '\t' } else { ' ' })
            .collect();
        let line = self.text[end..].find(['\n', '\r']).map_or(self.text.len(), |at| end + at);
        Ok(Splice { range: line..line, text: format!("{}{indent}pin: {pin}", self.line_end_at(first.start)) })
    }
}
