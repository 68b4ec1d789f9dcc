//! The YAML subset in which documents state their values (spec C3): mappings, sequences and scalars, with places. What
//! would let a text grow when it is read, or mean something else elsewhere, is refused: anchors, aliases, merge keys, tags,
//! directives, several documents, duplicate keys. It gives no scalar a type.

use std::collections::HashSet;

use saphyr_parser::{Event, Parser, ScalarStyle};

use crate::place::Lines;
use crate::tree::{Scalar, Span, Tree, TreeKind};

/// Levels of mappings and sequences.
pub(crate) const DEPTH_MAX: usize = 32;

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct YamlFault {
    /// Whether the text is well-formed and only uses what the subset leaves out.
    pub(crate) is_unsupported: bool,
    /// Where.
    pub(crate) span: Span,
    /// What is wrong, in words of ours.
    pub(crate) message: &'static str,
    /// What to write instead.
    pub(crate) fix: &'static str,
}

/// Reads `text[from..to]` of a file; `None` for a text without a value.
pub(crate) fn parse(
    text: &str,
    from: usize,
    to: usize,
    lines: &Lines<'_>,
) -> Result<Option<Tree>, YamlFault> {
    let part = &text[from..to];
    let at = |start: usize, end: usize| lines.span(from + start..from + end);
    if let Some(start) = directive(part) {
        return Err(unsupported(
            at(start, start + 1),
            "the text has a directive",
            "remove the line that begins with `%`",
        ));
    }
    let mut reader =
        Reader { parser: Parser::new_from_str(part), bytes: Bytes::of(part), at: &at, has_document: false };
    reader.document()
}

/// The first line that begins with `%` before anything else does.
fn directive(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        match line.trim_start().chars().next() {
            None | Some('#') => start += line.len(),
            Some('%') if line.starts_with('%') => return Some(start),
            _ => return None,
        }
    }
    None
}

fn unsupported(span: Span, message: &'static str, fix: &'static str) -> YamlFault {
    YamlFault { is_unsupported: true, span, message, fix }
}

/// From the parser's characters to bytes.
struct Bytes(Option<Vec<u32>>);

impl Bytes {
    fn of(text: &str) -> Bytes {
        let all = || {
            let mut starts: Vec<u32> = text.char_indices().map(|(at, _)| at as u32).collect();
            starts.push(text.len() as u32);
            starts
        };
        Bytes((!text.is_ascii()).then(all))
    }

    fn at(&self, index: usize) -> usize {
        match &self.0 {
            None => index,
            Some(starts) => starts.get(index).or(starts.last()).map_or(0, |at| *at as usize),
        }
    }
}

struct Reader<'t, 'a> {
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
    bytes: Bytes,
    at: &'a dyn Fn(usize, usize) -> Span,
    has_document: bool,
}

/// A container that is not closed yet.
enum Open {
    Sequence(Span, Vec<Tree>),
    Mapping {
        span: Span,
        entries: Vec<(String, Span, Tree)>,
        keys: HashSet<String>,
        key: Option<(String, Span)>,
    },
}

impl Reader<'_, '_> {
    fn document(&mut self) -> Result<Option<Tree>, YamlFault> {
        let mut open: Vec<Open> = Vec::new();
        let mut root = None;
        while let Some(next) = self.parser.next_event() {
            let (event, range) = match next {
                Ok(next) => next,
                Err(error) => {
                    let at = self.bytes.at(error.marker().index());
                    return Err(YamlFault {
                        is_unsupported: false,
                        span: (self.at)(at, at),
                        message: "the text is not valid YAML from here on",
                        fix: "check indentation, quotes and the blank behind each `:` on this line and the one before",
                    });
                }
            };
            let span = (self.at)(self.bytes.at(range.start.index()), self.bytes.at(range.end.index()));
            let done = match event {
                Event::Nothing | Event::StreamStart | Event::DocumentEnd => continue,
                Event::StreamEnd => break,
                Event::DocumentStart(_) if self.has_document => {
                    return Err(unsupported(
                        span,
                        "a second document begins here",
                        "keep one document in a file",
                    ));
                }
                Event::DocumentStart(_) => {
                    self.has_document = true;
                    continue;
                }
                Event::Alias(_) => {
                    return Err(unsupported(
                        span,
                        "an alias is used",
                        "write the value out instead of `*name`",
                    ));
                }
                Event::Scalar(text, style, anchor, tag) => {
                    plain_only(span, anchor, tag.is_some())?;
                    let is_plain = style == ScalarStyle::Plain;
                    Tree { kind: TreeKind::Scalar(Scalar { text: text.into_owned(), is_plain }), span }
                }
                Event::SequenceStart(anchor, tag) => {
                    plain_only(span, anchor, tag.is_some())?;
                    deep(span, open.len())?;
                    open.push(Open::Sequence(span, Vec::new()));
                    continue;
                }
                Event::MappingStart(anchor, tag) => {
                    plain_only(span, anchor, tag.is_some())?;
                    deep(span, open.len())?;
                    open.push(Open::Mapping { span, entries: Vec::new(), keys: HashSet::new(), key: None });
                    continue;
                }
                Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                    Some(Open::Sequence(start, items)) => {
                        Tree { kind: TreeKind::Sequence(items), span: joined(start, span) }
                    }
                    Some(Open::Mapping { span: start, entries, .. }) => {
                        Tree { kind: TreeKind::Mapping(entries), span: joined(start, span) }
                    }
                    None => continue,
                },
            };
            match open.last_mut() {
                None => root = Some(done),
                Some(Open::Sequence(_, items)) => items.push(done),
                Some(Open::Mapping { entries, keys, key, .. }) => match key.take() {
                    Some((name, at)) => entries.push((name, at, done)),
                    None => *key = Some(self::key(done, keys)?),
                },
            }
        }
        Ok(root.filter(|root| !root.is_absent()))
    }
}

fn key(tree: Tree, keys: &mut HashSet<String>) -> Result<(String, Span), YamlFault> {
    let TreeKind::Scalar(scalar) = tree.kind else {
        return Err(unsupported(tree.span, "a key is a list or a table", "use plain text as the key"));
    };
    if scalar.is_plain && scalar.text == "<<" {
        return Err(unsupported(tree.span, "a merge key is used", "write the merged keys out"));
    }
    if !keys.insert(scalar.text.clone()) {
        return Err(unsupported(tree.span, "a key stands twice in one table", "keep one of the two"));
    }
    Ok((scalar.text, tree.span))
}

fn plain_only(span: Span, anchor: usize, has_tag: bool) -> Result<(), YamlFault> {
    if anchor != 0 {
        return Err(unsupported(
            span,
            "an anchor is set",
            "remove `&name` and write the value out where it is used",
        ));
    }
    if has_tag {
        return Err(unsupported(
            span,
            "a tag is set",
            "remove `!tag`: the manifest says what type a value has",
        ));
    }
    Ok(())
}

fn deep(span: Span, depth: usize) -> Result<(), YamlFault> {
    if depth < DEPTH_MAX {
        return Ok(());
    }
    Err(unsupported(span, "tables and lists nest deeper than 32 levels", "flatten the value"))
}

fn joined(start: Span, end: Span) -> Span {
    Span { end: end.end.max(start.end), ..start }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Tree>, YamlFault> {
        parse(text, 0, text.len(), &Lines::of(text))
    }

    fn shown(tree: &Tree) -> String {
        match &tree.kind {
            TreeKind::Scalar(scalar) if scalar.is_plain => scalar.text.clone(),
            TreeKind::Scalar(scalar) => format!("{:?}", scalar.text),
            TreeKind::Sequence(items) => {
                format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", "))
            }
            TreeKind::Mapping(entries) => {
                let entries = entries.iter().map(|(key, _, value)| format!("{key}: {}", shown(value)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
        }
    }

    #[test]
    fn values_keep_their_text_and_their_place() {
        let text = "id: REQ-1\ntags: [a, 'b c']\nmore:\n  - {to: X, note: \"ä b\"}\n  - 2025-30-01\nno: no\nlong: |\n  one\n  two\n";
        let tree = read(text).unwrap().unwrap();
        let expected = "{id: REQ-1, tags: [a, \"b c\"], more: [{to: X, note: \"ä b\"}, 2025-30-01], no: no, long: \"one\\ntwo\\n\"}";
        assert_eq!(shown(&tree), expected);
        let no = tree.get("no").unwrap().span;
        assert_eq!((no.line, no.column, &text[no.start..no.end]), (6, 5, "no"));
        let date = match &tree.get("more").unwrap().kind {
            TreeKind::Sequence(items) => items[1].span,
            _ => panic!("a list"),
        };
        assert_eq!(&text[date.start..date.end], "2025-30-01");
    }

    #[test]
    fn a_part_of_a_file_has_places_of_the_file() {
        let text = "---\na: b\n---\nbody";
        let tree = parse(text, 4, 9, &Lines::of(text)).unwrap().unwrap();
        let value = tree.get("a").unwrap().span;
        assert_eq!((value.line, value.column, value.start), (2, 4, 7));
    }

    #[test]
    fn nothing_is_no_value() {
        for text in ["", "\n", "# a comment\n", "~", "null\n"] {
            assert_eq!(read(text), Ok(None), "{text:?}");
        }
    }

    #[test]
    fn what_the_subset_leaves_out_is_named() {
        for (text, message, line) in [
            ("a: &x 1\n", "anchor", 1),
            ("a: 1\nb: *x\n", "", 2),
            ("<<: {a: 1}\n", "merge", 1),
            ("a: !!str 1\n", "tag", 1),
            ("%YAML 1.2\n---\na: 1\n", "directive", 1),
            ("a: 1\n---\nb: 2\n", "second document", 2),
            ("a: 1\nb: 2\na: 3\n", "twice", 3),
            ("? [a, b]\n: 1\n", "key is a list", 1),
        ] {
            let fault = read(text).unwrap_err();
            assert_eq!(fault.span.line, line, "{text:?} {fault:?}");
            assert!(fault.message.contains(message), "{text:?} {fault:?}");
            assert!(fault.is_unsupported || message.is_empty(), "{text:?} {fault:?}");
        }
    }

    #[test]
    fn depth_is_limited_at_32() {
        let nested = |depth: usize| format!("a: {}1{}\n", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(DEPTH_MAX - 1)).is_ok());
        assert!(read(&nested(DEPTH_MAX)).unwrap_err().message.contains("32"));
        assert!(read(&nested(200)).is_err());
    }

    #[test]
    fn a_bomb_of_aliases_is_refused_at_its_first_anchor() {
        let mut text = String::from("a: &a [x]\n");
        for at in 0..100_000 {
            text.push_str(&format!("k{at}: [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"));
        }
        assert_eq!(read(&text).unwrap_err().span.line, 1);
    }

    #[test]
    fn broken_text_says_where() {
        for (text, line) in [("a: [1\nb: 2\n", 2), ("a: 'x\n", 1), ("a: b: c\n", 1)] {
            let fault = read(text).unwrap_err();
            assert!(!fault.is_unsupported && fault.span.line.abs_diff(line) <= 1, "{text:?} {fault:?}");
        }
    }
}
