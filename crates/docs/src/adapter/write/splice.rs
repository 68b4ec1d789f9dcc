//! Where in a file a change goes: the keys, the body and the sections of its nodes as ranges of bytes, and the pieces of
//! text that replace them. It decides nothing about what is written.

use std::ops::Range;

use serde_json::Value;

use super::{
    EditFault, Insertion, NodeEdit, NodePlace, heading_words, key_in_file, line_end_of, section_text, written,
};
use crate::adapter::markdown::{self, FrontMatter, Section};
use crate::adapter::options::TitleFrom;
use crate::adapter::scalar;
use crate::contract::{Contract, SourceDef};
use crate::lines;
use crate::parsed::{FileText, ParsedNode};
use crate::place::Lines;
use crate::tree::{Span, Tree, TreeKind};
use crate::yaml;

/// A piece of text in the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Splice {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

/// Puts all pieces in.
pub(super) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for splice in splices {
        if splice.range.start >= at {
            out.push_str(&text[at..splice.range.start]);
            at = splice.range.end;
        }
        out.push_str(&splice.text);
    }
    out.push_str(&text[at..]);
    out
}

/// The line end at the start of `text`.
pub(super) fn ending(text: &str) -> &'static str {
    if text.starts_with("\r\n") {
        "\r\n"
    } else if text.starts_with('\r') {
        "\r"
    } else {
        "\n"
    }
}

/// A file that is to be changed.
pub(super) struct Target<'a> {
    contract: &'a Contract,
    source: &'a SourceDef,
    pub(super) text: &'a str,
    line_end: &'static str,
    nodes: Vec<Spot>,
}

/// One node of the file.
pub(super) struct Spot {
    pub(super) node: ParsedNode,
    /// Its heading, in a file with sections.
    section: Option<Section>,
    /// The lines of its values.
    values: Range<usize>,
    /// Whether marks or a fence are there to hold values.
    has_values: bool,
    pub(super) entries: Vec<(String, Span, Tree)>,
    body: Range<usize>,
}

impl<'a> Target<'a> {
    pub(super) fn read(
        contract: &'a Contract,
        source: &'a SourceDef,
        path: &str,
        text: &'a str,
    ) -> Result<Target<'a>, EditFault> {
        let file = FileText { path: path.to_owned(), text: text.into(), bom_bytes: 0, siblings: Vec::new() };
        let parsed = markdown::parse(source, contract, &file);
        if parsed.is_quarantined {
            return Err(EditFault::Unreadable);
        }
        let lines = Lines::of(text);
        let sections = if source.options.sections { markdown::sections(text) } else { Vec::new() };
        let mut nodes = Vec::new();
        for node in parsed.nodes {
            let section = sections.get(node.ordinal).cloned();
            let (values, has_values) = match (&section, markdown::front_matter(text)) {
                (Some(section), _) => (section.values.clone(), true),
                (None, FrontMatter::At { values, .. }) => (values, true),
                (None, _) => (0..0, false),
            };
            let entries = match yaml::parse(text, values.start, values.end, &lines) {
                Ok(Some(Tree { kind: TreeKind::Mapping(entries), .. })) => entries,
                Ok(_) => Vec::new(),
                Err(_) => return Err(EditFault::Unreadable),
            };
            let body = node.body_span.start..node.body_span.end;
            nodes.push(Spot { node, section, values, has_values, entries, body });
        }
        Ok(Target { contract, source, text, line_end: line_end_of(text), nodes })
    }

    pub(super) fn spot(&self, id: &str) -> Result<&Spot, EditFault> {
        self.nodes.iter().find(|spot| spot.node.id == id).ok_or(EditFault::NodeNotFound)
    }

    /// The pieces of a changed node.
    pub(super) fn change(&self, id: &str, edit: &NodeEdit) -> Result<Vec<Splice>, EditFault> {
        let spot = self.spot(id)?;
        let mut splices = Vec::new();
        let mut added = String::new();
        for (name, value) in &edit.keys {
            if name == "title"
                && let Some(splice) = self.heading(spot, value.as_ref())
            {
                splices.push(splice);
                continue;
            }
            match (self.entry(spot, name), value) {
                (Some(at), Some(value)) => splices.extend(self.replace_value(spot, at, name, value)),
                (Some(at), None) => splices.push(self.remove_key(spot, at)),
                (None, Some(value)) => added.push_str(&self.new_line(spot, name, value)),
                (None, None) => {}
            }
        }
        if !added.is_empty() {
            splices.push(self.add_keys(spot, &added));
        }
        if let Some(body) = &edit.body {
            splices.extend(self.body(spot, body));
        }
        Ok(splices)
    }

    /// The entry that states `name`, by whatever key.
    fn entry(&self, spot: &Spot, name: &str) -> Option<usize> {
        let options = &self.source.options;
        let means = |key: &str| {
            let renamed =
                options.keys.iter().find(|(written, _)| written == key).map(|(_, means)| means.as_str());
            match &options.title_from {
                Some(TitleFrom::Field(title)) if title == key => "title".to_owned(),
                _ => renamed.unwrap_or(key).to_owned(),
            }
        };
        spot.entries.iter().position(|(key, _, _)| means(key) == name)
    }

    pub(super) fn line_end_at(&self, at: usize) -> &'static str {
        match self.text[at..].find(['\n', '\r']) {
            Some(found) => ending(&self.text[at + found..]),
            None => self.line_end,
        }
    }

    fn replace_value(&self, spot: &Spot, at: usize, name: &str, value: &Value) -> Vec<Splice> {
        let (_, key, tree) = &spot.entries[at];
        let type_name = spot.node.type_name.as_deref().or(self.source.default_type.as_deref()).unwrap_or("");
        let line_end = self.line_end_at(key.start);
        // In a list with a line for each item the lines of the others are left alone.
        if let (TreeKind::Sequence(items), Value::Array(values)) = (&tree.kind, value)
            && let Some(splices) = self.items(items, tree, values, line_end)
        {
            return splices;
        }
        let written = written(self.contract, type_name, name, value, line_end);
        // What stands between the key and its value: the colon, and whatever blanks.
        let colon = self.text[key.end..].find(':').map_or(key.end, |found| key.end + found + 1);
        let blank = if written.starts_with(['\n', '\r']) { "" } else { " " };
        let start = colon;
        let end = content_end(self.text, tree).max(start);
        vec![Splice { range: start..end, text: format!("{blank}{written}") }]
    }

    /// The pieces that bring a block list to other values item by item: some go, some say something else, new ones come
    /// behind. `None` when nothing of the list stays, or it does not have a line for each item.
    fn items(&self, items: &[Tree], tree: &Tree, values: &[Value], line_end: &str) -> Option<Vec<Splice>> {
        let is_block = self.text[tree.span.start..].starts_with('-');
        if !is_block {
            return None;
        }
        let indent = &self.text[self.line_start(tree.span.start)..tree.span.start];
        if !indent.trim().is_empty() {
            return None;
        }
        let mut splices = Vec::new();
        let mut kept = 0;
        for item in items {
            match values.get(kept) {
                Some(value) if states(item, value) => kept += 1,
                Some(value) if leads_as(item, value) => {
                    let range = item.span.start..content_end(self.text, item);
                    splices.push(Splice { range, text: scalar::target(value) });
                    kept += 1;
                }
                _ => splices.push(self.item_lines(item)?),
            }
        }
        if kept == 0 {
            return None;
        }
        let added = values[kept..].iter().map(|value| format!("{indent}- {}", scalar::target(value)));
        // The line of the last item stays as it is, with its comment and its own end.
        let end = content_end(self.text, items.last()?);
        let (at, text): (usize, String) = match self.text[end..].find(['\n', '\r']) {
            Some(found) => {
                let line_end = ending(&self.text[end + found..]);
                (end + found + line_end.len(), added.map(|line| line + line_end).collect())
            }
            None => (self.text.len(), added.map(|line| format!("{line_end}{line}")).collect()),
        };
        if !text.is_empty() {
            splices.push(Splice { range: at..at, text });
        }
        Some(splices)
    }

    /// The lines of one item of a block list, taken away; `None` when something else stands on them.
    fn item_lines(&self, item: &Tree) -> Option<Splice> {
        let start = self.line_start(item.span.start);
        if self.text[start..item.span.start].trim() != "-" {
            return None;
        }
        let end = content_end(self.text, item);
        let found = end + self.text[end..].find(['\n', '\r'])?;
        Some(Splice { range: start..found + ending(&self.text[found..]).len(), text: String::new() })
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |found| found + 1)
    }

    /// The lines of one key; comments in front of the next one belong to that.
    fn remove_key(&self, spot: &Spot, at: usize) -> Splice {
        let (_, key, tree) = &spot.entries[at];
        let start = self.text[..key.start].rfind('\n').map_or(0, |at| at + 1).max(spot.values.start);
        let content = content_end(self.text, tree).max(key.end);
        let rest = &self.text[content..spot.values.end];
        let end = rest.find('\n').map_or(spot.values.end, |at| content + at + 1);
        Splice { range: start..end, text: String::new() }
    }

    fn new_line(&self, spot: &Spot, name: &str, value: &Value) -> String {
        let line_end =
            self.line_end_at(spot.entries.last().map_or(spot.values.start, |(_, key, _)| key.start));
        let type_name = spot.node.type_name.as_deref().or(self.source.default_type.as_deref()).unwrap_or("");
        let written = written(self.contract, type_name, name, value, line_end);
        let blank = if written.starts_with(['\n', '\r']) { "" } else { " " };
        format!("{}:{blank}{written}{line_end}", key_in_file(self.source, name))
    }

    /// New keys stand behind the last one.
    fn add_keys(&self, spot: &Spot, added: &str) -> Splice {
        if !spot.has_values {
            let line_end = self.line_end;
            return Splice { range: 0..0, text: format!("---{line_end}{added}---{line_end}") };
        }
        let at = match spot.entries.last() {
            Some((_, key, tree)) => {
                let content = content_end(self.text, tree).max(key.end);
                let rest = &self.text[content..spot.values.end];
                rest.find('\n').map_or(spot.values.end, |found| content + found + 1)
            }
            None => spot.values.start,
        };
        Splice { range: at..at, text: added.to_owned() }
    }

    /// The heading of a section that stands for the title; `None` when the title has a key, or cannot be a heading.
    fn heading(&self, spot: &Spot, value: Option<&Value>) -> Option<Splice> {
        let section = spot.section.as_ref()?;
        if self.entry(spot, "title").is_some() {
            return None;
        }
        let title = value.and_then(Value::as_str).unwrap_or_default();
        if heading_words(title) != title {
            return None;
        }
        let line_start = section.span.start;
        let line = &self.text[line_start..];
        let line = &line[..line.find(['\n', '\r']).unwrap_or(line.len())];
        let hashes = line.bytes().take_while(|byte| *byte == b'#').count();
        let words = line[hashes..].trim();
        if hashes == 0 || words != section.title || words.is_empty() {
            return None;
        }
        let start = line_start + line.find(words)?;
        Some(Splice { range: start..start + words.len(), text: title.to_owned() })
    }

    /// Only the lines of a body that differ.
    fn body(&self, spot: &Spot, new: &str) -> Vec<Splice> {
        let raw = &self.text[spot.body.clone()];
        let old = raw_lines(raw);
        let canonical: Vec<&str> = old.iter().map(|line| line.words).collect();
        let kept = lines::lines(&spot.node.body).len().min(canonical.len());
        let new_lines: Vec<&str> = lines::lines(new).iter().map(|line| line.trim_end_matches('\n')).collect();
        if kept == 0 {
            return self.first_body(spot, new).into_iter().collect();
        }
        let start_of = |line: usize| spot.body.start + old.get(line).map_or(raw.len(), |line| line.start);
        let mut splices = Vec::new();
        for change in lines::changes(&canonical[..kept], &new_lines) {
            let end_of = |line: usize| {
                let end = if line < kept { old[line].ending } else { old[kept - 1].ending };
                if end.is_empty() { self.line_end } else { end }
            };
            let mut text = String::new();
            for (place, words) in new_lines[change.new.clone()].iter().enumerate() {
                text.push_str(words);
                text.push_str(end_of(
                    (change.old.start + place)
                        .min(change.old.end.saturating_sub(1).max(change.old.start.saturating_sub(1))),
                ));
            }
            let mut range = start_of(change.old.start)..start_of(change.old.end);
            let touches_end = change.old.end == kept;
            let has_last_end = !old[kept - 1].ending.is_empty();
            if touches_end && !has_last_end {
                // The file ends without a line end, and goes on doing so.
                text.truncate(text.trim_end_matches(['\n', '\r']).len());
                if change.old.is_empty() {
                    text.insert_str(0, self.line_end);
                } else if text.is_empty() && change.old.start > 0 {
                    range.start -= old[change.old.start - 1].ending.len();
                }
            }
            splices.push(Splice { range, text });
        }
        splices
    }

    /// A body where there was none.
    fn first_body(&self, spot: &Spot, new: &str) -> Option<Splice> {
        if new.is_empty() {
            return None;
        }
        let at = spot.body.start.min(self.text.len());
        let mut text = String::new();
        if !self.text[..at].ends_with(['\n', '\r']) && at > 0 {
            text.push_str(self.line_end);
        }
        let is_section = spot.section.is_some();
        if is_section && !self.text[..at].ends_with("\n\n") && !self.text[..at].ends_with("\n\r\n") {
            text.push_str(self.line_end);
        }
        text.push_str(&new.replace('\n', self.line_end));
        let follows = !self.text[spot.body.end..].is_empty();
        if is_section && follows {
            text.push_str(self.line_end);
        }
        // Blank lines that were there instead of a body give way to it.
        let end = if is_section { at } else { spot.body.end };
        Some(Splice { range: at..end, text })
    }

    /// The piece that takes a node away; `None` when the whole file is the node.
    pub(super) fn remove(&self, id: &str) -> Result<Option<Splice>, EditFault> {
        let spot = self.spot(id)?;
        let section = spot.section.as_ref();
        Ok(section.map(|section| Splice { range: section.span.clone(), text: String::new() }))
    }

    /// The piece that puts a node in.
    pub(super) fn insert(&self, place: &NodePlace, what: &Insertion) -> Result<Splice, EditFault> {
        if !self.source.options.sections {
            return Err(EditFault::Occupied);
        }
        let (at, level) = match place {
            NodePlace::End => (self.text.len(), self.nodes.last().map_or(2, |spot| self.level(spot))),
            NodePlace::After(id) => {
                let spot = self.spot(id)?;
                let end = spot.section.as_ref().map_or(self.text.len(), |section| section.span.end);
                (end, self.level(spot))
            }
            NodePlace::Section(heading) => {
                let found = headings(self.text).into_iter().find(|one| one.title == *heading);
                let found = found.ok_or(EditFault::SectionNotFound)?;
                (found.end, (found.level + 1).min(6))
            }
        };
        let piece = match what {
            Insertion::Node(node) => section_text(self.contract, self.source, node, level, self.line_end),
            Insertion::Text(text) => text.clone(),
        };
        let mut text = String::new();
        let before = &self.text[..at];
        if !before.is_empty() {
            if !before.ends_with(['\n', '\r']) {
                text.push_str(self.line_end);
            }
            if !before.ends_with("\n\n") && !before.ends_with("\n\r\n") {
                text.push_str(self.line_end);
            }
        }
        text.push_str(&piece);
        if !self.text[at..].is_empty() {
            if !text.ends_with(['\n', '\r']) {
                text.push_str(self.line_end);
            }
            if !text.ends_with("\n\n") && !text.ends_with("\n\r\n") {
                text.push_str(self.line_end);
            }
        }
        Ok(Splice { range: at..at, text })
    }

    fn level(&self, spot: &Spot) -> usize {
        let start = spot.section.as_ref().map_or(0, |section| section.span.start);
        headings(self.text).into_iter().find(|one| one.start == start).map_or(2, |one| one.level)
    }
}

struct Heading {
    level: usize,
    title: String,
    start: usize,
    /// Where the next heading of its level or a higher one begins.
    end: usize,
}

/// Every heading that is in no quote and no list.
fn headings(text: &str) -> Vec<Heading> {
    use pulldown_cmark::{Event, Parser, Tag, TagEnd};
    let mut found: Vec<Heading> = Vec::new();
    let (mut depth, mut is_open) = (0_usize, false);
    for (event, place) in Parser::new_ext(text, crate::adapter::links::markdown_options()).into_offset_iter()
    {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                is_open = true;
                let level = level as usize;
                found.push(Heading { level, title: String::new(), start: place.start, end: text.len() });
            }
            Event::End(TagEnd::Heading(_)) => is_open = false,
            Event::Text(words) | Event::Code(words) if is_open => {
                if let Some(heading) = found.last_mut() {
                    heading.title.push_str(&words);
                }
            }
            Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_)) => {
                depth += 1
            }
            Event::End(
                TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::FootnoteDefinition,
            ) => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    for at in 0..found.len() {
        let level = found[at].level;
        if let Some(next) = found[at + 1..].iter().find(|next| next.level <= level) {
            found[at].end = next.start;
        }
        found[at].title = found[at].title.trim().to_owned();
    }
    found
}

/// A line of a file.
struct RawLine<'t> {
    start: usize,
    words: &'t str,
    ending: &'static str,
}

fn raw_lines(text: &str) -> Vec<RawLine<'_>> {
    let mut lines = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        match rest.find(['\n', '\r']) {
            Some(at) => {
                let ending = ending(&rest[at..]);
                lines.push(RawLine { start, words: &rest[..at], ending });
                start += at + ending.len();
            }
            None => {
                lines.push(RawLine { start, words: rest, ending: "" });
                break;
            }
        }
    }
    lines
}

/// Where the text of a value ends, without the comments and blank lines that the parser counts to it.
pub(super) fn content_end(text: &str, tree: &Tree) -> usize {
    let is_flow = text[tree.span.start..].starts_with(['[', '{']);
    match &tree.kind {
        TreeKind::Scalar(_) => scalar_end(text, tree.span.start, tree.span.end.max(tree.span.start)),
        TreeKind::Sequence(items) if !is_flow => {
            items.last().map_or(tree.span.start, |last| content_end(text, last))
        }
        TreeKind::Mapping(entries) if !is_flow => {
            entries.last().map_or(tree.span.start, |(_, key, last)| content_end(text, last).max(key.end))
        }
        TreeKind::Sequence(items) => {
            closing(text, items.last().map_or(tree.span.start + 1, |last| content_end(text, last)))
        }
        TreeKind::Mapping(entries) => {
            let last = entries.last();
            closing(
                text,
                last.map_or(tree.span.start + 1, |(_, key, last)| content_end(text, last).max(key.end)),
            )
        }
    }
}

/// Behind the next closing bracket, over blanks, commas and comments.
fn closing(text: &str, from: usize) -> usize {
    let mut at = from;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b']' | b'}' => return at + 1,
            b'#' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            _ => at += 1,
        }
    }
    text.len()
}

fn scalar_end(text: &str, start: usize, end: usize) -> usize {
    let value = &text[start..end];
    match value.as_bytes().first() {
        Some(b'"') => {
            let mut is_escaped = false;
            for (at, byte) in value.bytes().enumerate().skip(1) {
                match byte {
                    _ if is_escaped => is_escaped = false,
                    b'\\' => is_escaped = true,
                    b'"' => return start + at + 1,
                    _ => {}
                }
            }
            end
        }
        Some(b'\'') => {
            let mut at = 1;
            while let Some(found) = value[at..].find('\'') {
                at += found + 1;
                if !value[at..].starts_with('\'') {
                    return start + at;
                }
                at += 1;
            }
            end
        }
        Some(b'|' | b'>') => start + block_end(value),
        _ => {
            let comment = value.match_indices('#').find(|(at, _)| value[..*at].ends_with([' ', '\t', '\n']));
            start + value[..comment.map_or(value.len(), |(at, _)| at)].trim_end().len()
        }
    }
}

/// A block of lines without what follows it: blank lines, and comments that stand further left.
fn block_end(value: &str) -> usize {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let inner = value.split_inclusive('\n').skip(1).find(|line| !line.trim().is_empty()).map_or(0, indent);
    let mut end = value.trim_end().len();
    while let Some(at) = value[..end].rfind('\n') {
        let last = &value[at + 1..end];
        if !last.trim_start().starts_with('#') || indent(last) >= inner {
            break;
        }
        end = value[..at].trim_end().len();
    }
    end
}

/// Whether an item of a list leads where `value` leads, whatever else they say.
fn leads_as(item: &Tree, value: &Value) -> bool {
    let to = value.as_str().or_else(|| value.get("to").and_then(Value::as_str));
    let stated = match &item.kind {
        TreeKind::Mapping(_) => item.get("to").and_then(Tree::as_text),
        _ => item.as_text(),
    };
    to.is_some() && to == stated
}

/// Whether an item of a list says what `value` says.
fn states(item: &Tree, value: &Value) -> bool {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match value {
        Value::String(id) => match &item.kind {
            TreeKind::Mapping(_) => {
                item.get("to").and_then(Tree::as_text) == Some(id)
                    && item.get("pin").is_none()
                    && item.get("note").is_none()
            }
            _ => item.as_text() == Some(id),
        },
        _ => match &item.kind {
            TreeKind::Mapping(_) => {
                ["to", "pin", "note"].iter().all(|key| item.get(key).and_then(Tree::as_text) == text(key))
            }
            _ => item.as_text() == text("to") && text("pin").is_none() && text("note").is_none(),
        },
    }
}
