//! `header@1`: proposals that state their values in a header of their own, `Key: value` lines at the top or a list of
//! `- Key: value` (spec C5, E). It looks no target up.

use std::ops::Range;

use super::body::canonical;
use super::links;
use super::node::{Around, build};
use super::options::{HeaderStyle, IdFrom};
use crate::contract::{Contract, SourceDef};
use crate::parsed::{FileText, ParsedFile};
use crate::place::Lines;
use crate::tree::{Scalar, Span, Tree, TreeKind};

/// Lines within which a bullet header may begin.
const BULLET_LINES_MAX: usize = 40;

/// One line of a header.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    key: Range<usize>,
    /// The value, in one piece for each line.
    value: Vec<Range<usize>>,
}

/// The header of a text and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Header {
    entries: Vec<Entry>,
    range: Range<usize>,
}

/// Reads the node of a file; a file without a header has none.
pub(crate) fn parse(source: &SourceDef, contract: &Contract, file: &FileText) -> ParsedFile {
    let text = &*file.text;
    let lines = Lines::of(text);
    let header = match source.options.header.style {
        HeaderStyle::Rfc822 => rfc822(text),
        HeaderStyle::Bullet => bullet(text),
    };
    if header.entries.is_empty() {
        return ParsedFile::default();
    }
    let mut parsed = ParsedFile::default();
    let entries: Vec<(String, Span, Tree)> = header
        .entries
        .iter()
        .map(|entry| {
            let key = text[entry.key.clone()].to_owned();
            let value = value(text, entry, &key, source, contract, &lines);
            (key, lines.span(entry.key.clone()), value)
        })
        .collect();
    // What stands around the header is the body: a title may stand in front of it.
    let body = format!("{}{}", &text[..header.range.start], &text[header.range.end..]);
    let own = Lines::of(&body);
    let found = if source.options.header.is_text {
        links::Found::default()
    } else {
        links::read(&body, 0..body.len(), &source.options.inline, &own)
    };
    let at = lines.span(0..text.len());
    let around = Around {
        source,
        contract,
        path: &file.path,
        default_id: IdFrom::Field("id".to_owned()),
        heading: found.first_title.as_deref(),
        at: Span { end: at.start, ..at },
    };
    let mut node = build(&entries, &around, &mut parsed.diagnostics);
    // Places of a body that was cut out of the middle are those behind the header.
    let shift = |span: Span| {
        let start =
            if span.start < header.range.start { span.start } else { span.start + header.range.len() };
        lines.span(start..start + (span.end - span.start))
    };
    node.span = at;
    node.body = canonical(&body);
    node.body_span = lines.span(header.range.end..text.len());
    node.headings = found.headings;
    node.mentions = found
        .mentions
        .into_iter()
        .map(|mention| crate::parsed::ParsedMention { span: shift(mention.span), ..mention })
        .collect();
    node.references = found.references.into_iter().map(|(to, span)| (to, shift(span))).collect();
    node.external = found.external;
    parsed.nodes.push(node);
    parsed
}

/// Lines with the offsets at which they begin, ends cut off.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let from = start;
        start += line.len();
        (from, line.trim_end_matches(['\n', '\r']), start)
    })
}

/// `Key: value` up to the first blank line; a line that begins with a blank goes on with the one before.
fn rfc822(text: &str) -> Header {
    let mut header = Header::default();
    for (start, line, next) in lines_of(text) {
        if line.trim().is_empty() {
            header.range.end = next;
            return header;
        }
        if line.starts_with([' ', '\t']) {
            let Some(last) = header.entries.last_mut() else { return Header::default() };
            last.value.push(trimmed(text, start..start + line.len()));
        } else {
            let Some(entry) = pair(text, start..start + line.len()) else { return Header::default() };
            header.entries.push(entry);
        }
        header.range.end = next;
    }
    header
}

/// The first run of `- Key: value` lines.
fn bullet(text: &str) -> Header {
    let mut header = Header::default();
    for (at, (start, line, next)) in lines_of(text).enumerate() {
        let mark = line.len() - line.trim_start_matches(['-', '*', '+']).trim_start().len();
        let is_bullet = line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ");
        let entry = is_bullet.then(|| pair(text, start + mark..start + line.len())).flatten();
        match entry {
            Some(entry) => {
                if header.entries.is_empty() {
                    header.range.start = start;
                }
                header.entries.push(entry);
                header.range.end = next;
            }
            None if header.entries.is_empty() && at < BULLET_LINES_MAX => {}
            None if !line.trim().is_empty()
                && line.starts_with([' ', '\t'])
                && !header.entries.is_empty() =>
            {
                if let Some(last) = header.entries.last_mut() {
                    last.value.push(trimmed(text, start..start + line.len()));
                }
                header.range.end = next;
            }
            None => break,
        }
    }
    header
}

/// A key, a colon and a value; emphasis around the key is no part of it.
fn pair(text: &str, line: Range<usize>) -> Option<Entry> {
    let colon = text[line.clone()].find(':').map(|at| line.start + at)?;
    let mut key = trimmed(text, line.start..colon);
    let mut from = colon + 1;
    for mark in ["**", "__", "*", "_"] {
        if text[key.clone()].starts_with(mark) {
            key.start += mark.len();
            if text[key.clone()].ends_with(mark) {
                key.end -= mark.len();
            } else if text[from..line.end].starts_with(mark) {
                from += mark.len();
            }
            break;
        }
    }
    let is_key = !key.is_empty()
        && key.len() <= 64
        && text[key.clone()].chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/'));
    is_key.then(|| Entry { key, value: vec![trimmed(text, from..line.end)] })
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

/// The value as a tree: a list where the contract wants one and the separator is set.
fn value(
    text: &str,
    entry: &Entry,
    key: &str,
    source: &SourceDef,
    contract: &Contract,
    lines: &Lines<'_>,
) -> Tree {
    let words: Vec<&str> =
        entry.value.iter().map(|range| &text[range.clone()]).filter(|word| !word.is_empty()).collect();
    let joined = words.join(" ");
    let first = entry.value.first().map_or(0, |range| range.start);
    let last = entry.value.last().map_or(first, |range| range.end);
    let span = lines.span(first..last);
    let scalar = |text: &str| Tree {
        // Only an empty value means that nothing is given.
        kind: TreeKind::Scalar(Scalar { text: text.to_owned(), is_plain: text.is_empty() }),
        span,
    };
    let means = source.options.keys.iter().find(|(name, _)| name == key).map_or(key, |(_, means)| means);
    let is_list = contract.relation(means).is_some()
        || contract.by_inverse(means).is_some()
        || means == "aliases"
        || contract.types.iter().any(|one| one.field(means).is_some_and(|field| field.list));
    match &source.options.header.list_separator {
        Some(separator) if is_list && !joined.is_empty() => {
            let items = joined.split(separator.as_str()).map(str::trim).filter(|item| !item.is_empty());
            Tree { kind: TreeKind::Sequence(items.map(scalar).collect()), span }
        }
        _ => scalar(&joined),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract;

    const MANIFEST: &str = "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.pep]\n[types.pep.fields.Status]\ntype = \"string\"\n[types.pep.fields.Author]\ntype = \"string\"\nlist = true\n[relations.requires]\nfrom = [\"*\"]\nto = [\"*\"]\ninverse = \"required_by\"\n[[sources]]\nid = \"main\"\nadapter = \"header@1\"\ninclude = [\"**\"]\ntype = \"pep\"\n[sources.options]\n";

    fn read(options: &str, path: &str, text: &str) -> ParsedFile {
        let contract =
            contract::load(&format!("{MANIFEST}{options}")).unwrap_or_else(|found| panic!("{found:#?}"));
        let file =
            FileText { path: path.to_owned(), text: Arc::from(text), bom_bytes: 0, siblings: Vec::new() };
        parse(&contract.sources[0], &contract, &file)
    }

    #[test]
    fn a_header_of_mail_is_read_with_its_continued_lines() {
        let options = "style = \"rfc822\"\nid_from = \"field:PEP\"\nid_transform = \"prefix:PEP-\"\nlist_separator = \",\"\nkeys = {Title = \"title\", Requires = \"requires\"}\n";
        let text = "PEP: 12\nTitle: Sample\nAuthor: A <a@x.org>,\n        B\nStatus: Active\nRequires: 1, 2\nReplaces:\n\nAbstract\n========\n\ntext\n";
        let file = read(options, "pep-0012.rst", text);
        let node = &file.nodes[0];
        assert_eq!((node.id.as_str(), node.title.as_str()), ("PEP-12", "Sample"));
        let targets: Vec<_> = node.links.iter().map(|link| (link.target.as_str(), link.span.line)).collect();
        assert_eq!(targets, [("1", 6), ("2", 6)]);
        let names: Vec<_> = node.fields.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Author", "Status"], "an empty value is none");
        assert!(matches!(&node.fields[0].1.kind, TreeKind::Sequence(items) if items.len() == 2));
        assert!(node.body.starts_with("Abstract\n") && node.body_span.line == 9);
    }

    #[test]
    fn a_list_of_keys_is_a_header_wherever_it_begins() {
        let options = "style = \"bullet\"\nid_from = \"number-in-stem\"\ntitle_from = \"h1\"\n";
        let text = "# Use X\n\n- **Status**: accepted\n- Author: A\n\nSee [the other](0002.md) and [[x]].\n\n- Not: a header\n";
        let file = read(options, "text/0001-use-x.md", text);
        let node = &file.nodes[0];
        assert_eq!((node.id.as_str(), node.title.as_str()), ("0001", "Use X"));
        assert_eq!(
            node.fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["Status", "Author"]
        );
        assert_eq!(node.body, "# Use X\n\n\nSee [the other](0002.md) and [[x]].\n\n- Not: a header\n");
        assert_eq!((node.references[0].0.as_str(), node.references[0].1.line), ("0002.md", 6));
    }

    #[test]
    fn a_file_without_a_header_has_no_node() {
        for style in ["rfc822", "bullet"] {
            let file =
                read(&format!("style = \"{style}\"\n"), "a.md", "Just prose: with colon?! yes\nand more\n");
            assert!(file.nodes.is_empty(), "{style}");
        }
    }
}
