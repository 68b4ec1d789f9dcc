//! `markdown@1`: a node in front matter, or many nodes below headings (spec C3). It looks no target up.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Parser, Tag, TagEnd};

use super::body::{canonical, without_leading_blank_lines};
use super::links::{self, markdown_options};
use super::node::{Around, build};
use super::options::IdFrom;
use crate::contract::{Contract, SourceDef};
use crate::diagnose::{Check, Diagnostic};
use crate::parsed::{FileText, ParsedFile, ParsedNode};
use crate::place::Lines;
use crate::tree::{Span, Tree, TreeKind};
use crate::yaml::{self, YamlFault};

/// The info string of the fence that states a node.
pub(super) const NODE_FENCE: &str = "node";

/// Reads the nodes of a file.
pub(crate) fn parse(source: &SourceDef, contract: &Contract, file: &FileText) -> ParsedFile {
    let reader = Reader { source, contract, file, lines: Lines::of(&file.text) };
    if source.options.sections { reader.sections() } else { reader.front_matter() }
}

/// The front matter of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FrontMatter {
    /// There is none.
    None,
    /// It is opened and never closed.
    Unclosed,
    /// Its values, and where the body begins.
    At { values: Range<usize>, body: usize },
}

/// Finds the front matter: from a first line `---` to the next one.
pub(super) fn front_matter(text: &str) -> FrontMatter {
    let mut lines = text.split_inclusive('\n');
    let is_mark = |line: &str| line.trim_end() == "---";
    let Some(first) = lines.next().filter(|line| is_mark(line)) else { return FrontMatter::None };
    let mut at = first.len();
    for line in lines {
        if is_mark(line) {
            return FrontMatter::At { values: first.len()..at, body: at + line.len() };
        }
        at += line.len();
    }
    FrontMatter::Unclosed
}

/// A node of a file in sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// Its heading, words alone.
    pub(super) title: String,
    /// From the heading to the end of its body.
    pub(super) span: Range<usize>,
    /// The inside of its fence.
    pub(super) values: Range<usize>,
    /// What stands behind the fence.
    pub(super) body: Range<usize>,
}

/// Finds the nodes below headings: a heading that is directly followed by a fence with the info string `node`, up to the
/// next such heading, or to a heading of the same or a higher level.
pub(super) fn sections(text: &str) -> Vec<Section> {
    struct Heading {
        level: HeadingLevel,
        title: String,
        start: usize,
        /// The fence directly behind it: inside and whole.
        fence: Option<(Range<usize>, Range<usize>)>,
    }
    let mut headings: Vec<Heading> = Vec::new();
    let mut open_heading = false;
    // Whether the event before was the end of a heading.
    let mut behind_heading = false;
    let mut depth = 0_usize;
    for (event, place) in Parser::new_ext(text, markdown_options()).into_offset_iter() {
        let was_behind = std::mem::take(&mut behind_heading);
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                headings.push(Heading { level, title: String::new(), start: place.start, fence: None });
                open_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => {
                behind_heading = depth == 0;
                open_heading = false;
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info)))
                if was_behind && &*info == NODE_FENCE =>
            {
                if let Some(heading) = headings.last_mut() {
                    heading.fence = Some((inside(text, &place), place));
                }
            }
            Event::Text(words) | Event::Code(words) if open_heading => {
                if let Some(heading) = headings.last_mut() {
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
    let mut found = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let Some((values, fence)) = &heading.fence else { continue };
        let next = headings[at + 1..].iter().find(|next| next.fence.is_some() || next.level <= heading.level);
        let end = next.map_or(text.len(), |next| next.start);
        let body = line_behind(text, fence.end).min(end)..end;
        found.push(Section {
            title: heading.title.trim().to_owned(),
            span: heading.start..end,
            values: values.clone(),
            body,
        });
    }
    found
}

/// The lines between the first and the last of a fence.
fn inside(text: &str, fence: &Range<usize>) -> Range<usize> {
    let start = text[fence.clone()].find('\n').map_or(fence.end, |at| fence.start + at + 1);
    let block = text[start..fence.end].trim_end_matches(['\n', '\r']);
    let last = block.rfind('\n').map_or(0, |at| at + 1);
    let is_closed = block[last..].trim().starts_with(['`', '~']);
    start..if is_closed { start + last } else { fence.end }
}

/// Where the line after the one that holds `at` begins; `at` itself when it is the start of a line.
fn line_behind(text: &str, at: usize) -> usize {
    if text[..at].ends_with('\n') {
        return at;
    }
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

struct Reader<'a> {
    source: &'a SourceDef,
    contract: &'a Contract,
    file: &'a FileText,
    lines: Lines<'a>,
}

impl Reader<'_> {
    fn front_matter(&self) -> ParsedFile {
        let text = &*self.file.text;
        let (values, body) = match front_matter(text) {
            FrontMatter::None => (0..0, 0),
            FrontMatter::At { values, body } => (values, body),
            FrontMatter::Unclosed => {
                let place = self.lines.span(0..3).place(&self.file.path);
                let finding =
                    Diagnostic::new(Check::FrontMatterUnclosed, place, "the front matter is never closed")
                        .fix("add a line `---` behind the last key");
                return ParsedFile { nodes: Vec::new(), diagnostics: vec![finding], is_quarantined: true };
            }
        };
        let mut file = ParsedFile::default();
        if let Some(node) = self.node(values, 0..text.len(), body..text.len(), None, &mut file) {
            file.nodes.push(node);
        }
        file
    }

    fn sections(&self) -> ParsedFile {
        let text = &*self.file.text;
        let mut file = ParsedFile::default();
        for section in sections(text) {
            let (_, blank) = without_leading_blank_lines(&text[section.body.clone()]);
            let body = section.body.start + blank..section.body.end;
            let node = self.node(section.values, section.span, body, Some(&section.title), &mut file);
            let Some(mut node) = node else { continue };
            node.ordinal = file.nodes.len();
            file.nodes.push(node);
        }
        file
    }

    /// The node whose values and body stand there; a finding and the quarantine of the file when they cannot be read.
    fn node(
        &self,
        values: Range<usize>,
        span: Range<usize>,
        body: Range<usize>,
        heading: Option<&str>,
        file: &mut ParsedFile,
    ) -> Option<ParsedNode> {
        let text = &*self.file.text;
        let at = self.lines.span(span.clone());
        let entries = match yaml::parse(text, values.start, values.end, &self.lines) {
            Ok(None) => Vec::new(),
            Ok(Some(Tree { kind: TreeKind::Mapping(entries), .. })) => entries,
            Ok(Some(other)) => {
                let fault = YamlFault {
                    is_unsupported: false,
                    span: other.span,
                    message: "the values of a node must be a table",
                    fix: "write one `key: value` on each line",
                };
                return self.refused(fault, file);
            }
            Err(fault) => return self.refused(fault, file),
        };
        let found = links::read(text, body.clone(), &self.source.options.inline, &self.lines);
        let around = Around {
            source: self.source,
            contract: self.contract,
            path: &self.file.path,
            default_id: IdFrom::Field("id".to_owned()),
            heading: heading.or(found.first_title.as_deref()),
            at: Span { end: at.start, ..at },
        };
        let mut node = build(&entries, &around, &mut file.diagnostics);
        node.span = at;
        node.body = canonical(&text[body.clone()]);
        node.body_span = self.lines.span(body);
        node.headings = found.headings;
        node.mentions = found.mentions;
        node.references = found.references;
        node.external = found.external;
        Some(node)
    }

    fn refused(&self, fault: YamlFault, file: &mut ParsedFile) -> Option<ParsedNode> {
        let check = if fault.is_unsupported { Check::YamlUnsupported } else { Check::YamlInvalid };
        let finding = Diagnostic::new(check, fault.span.place(&self.file.path), fault.message).fix(fault.fix);
        file.diagnostics.push(finding);
        file.is_quarantined = true;
        None
    }
}

#[cfg(test)]
mod tests;
