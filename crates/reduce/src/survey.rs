//! One walk over a syntax tree: what can be taken out, what must not be touched, and what the tree looks like without
//! what is taken out.
//!
//! Knows no language and changes nothing. It never recurses: trees can be as deep as a text is long.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::grammar::{Facts, Grammar};
use crate::signatures::{self, Cut, Place};
use crate::tier::Wanted;

/// A removal and how its surroundings are tidied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Removal {
    pub(crate) cut: Cut,
    pub(crate) how: How,
}

/// How the surroundings of a removal are tidied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Not at all: the cut says it all.
    Exactly,
    /// The line goes when nothing else is on it, and white space around it is joined.
    Tidily,
}

/// What a walk over the original tree found.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// In the order of the text, without overlaps.
    pub(crate) removals: Vec<Removal>,
    /// Where nothing but a removal may change anything, blank lines included; in the order of the text.
    pub(crate) protected: Vec<Range<usize>>,
    pub(crate) skeleton: Skeleton,
    /// How many declarations stay.
    pub(crate) declarations: usize,
}

/// Comments that stay whatever is wanted.
#[derive(Debug, Default)]
pub(crate) struct Untouched {
    /// Whether the first line says which program runs the file.
    pub(crate) shebang: bool,
    /// Lines of a preprocessor, in the order of the text.
    pub(crate) directives: Vec<Range<usize>>,
}

impl Untouched {
    fn holds(&self, start: usize) -> bool {
        let after = self.directives.partition_point(|line| line.start <= start);
        self.shebang && start == 0 || after > 0 && self.directives[after - 1].end > start
    }
}

/// A tree as a list of its nodes, each with its kind, its depth and, for a token, its length. What was or will be taken
/// out is missing, and comments that stay count as tokens.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Skeleton(Vec<u64>);

/// What stands in a skeleton for something that was replaced.
const REPLACED: u64 = u64::MAX;

impl Skeleton {
    fn push(&mut self, node: Node, facts: Facts, depth: usize, text: &str) {
        if facts.has(Facts::WHITE) {
            return;
        }
        let range = node.byte_range();
        if facts.has(Facts::FLUID) {
            let entry = entry(node.kind_id(), depth, 0);
            if !text[range].trim().is_empty() && self.0.last() != Some(&entry) {
                self.0.push(entry);
            }
            return;
        }
        let length = if node.child_count() == 0 { range.len() } else { 0 };
        self.0.push(entry(node.kind_id(), depth, length));
    }

    /// Where a comment hangs in the tree says nothing, so its depth is left out.
    fn push_comment(&mut self, node: Node) {
        self.0.push(entry(node.kind_id(), 0, node.byte_range().len()));
    }
}

fn entry(kind: u16, depth: usize, length: usize) -> u64 {
    u64::from(kind) << 48 | (depth as u64 & 0xffff) << 32 | (length as u64 & 0xffff_ffff)
}

/// Looks at the tree of `text` for what `wanted` asks.
pub(crate) fn survey(
    tree: &Tree,
    grammar: &Grammar,
    text: &str,
    wanted: Wanted,
    untouched: &Untouched,
) -> Survey {
    let mut found = Survey::default();
    let mut pending = Pending::default();
    let mut sound = true;
    // How deep the frames are whose items are judged one by one; the root is one.
    let mut opened: Vec<usize> = vec![0];
    walk(tree, grammar, |node, at| {
        if pending.covers(node, &mut found.skeleton) {
            return Descend::No;
        }
        let depth = at.above.len();
        let facts = grammar.facts(node.kind_id());
        while opened.last().is_some_and(|frame| *frame >= depth && depth > 0) {
            opened.pop();
        }
        if depth > 0 && opened.last() == Some(&(depth - 1)) {
            // An item that holds a defect stays byte-identical; one in a frame does not make its neighbours doubtful.
            sound = !node.has_error();
            if !sound && facts.has(Facts::FRAME) {
                opened.push(depth);
            } else if !sound {
                protect(&mut found.protected, node.byte_range());
            }
        }
        if facts.has(Facts::COMMENT) {
            let range = node.byte_range();
            if wanted.comments && sound && !at.in_text && !untouched.holds(range.start) {
                found.removals.push(comment(text, range));
            } else {
                found.skeleton.push_comment(node);
                protect_lines(&mut found.protected, node);
            }
            return Descend::No;
        }
        if facts.has(Facts::SHELL)
            && wanted.comments
            && sound
            && !at.in_text
            && holds_only_comments(node, grammar)
        {
            found.removals.push(comment(text, node.byte_range()));
            return Descend::No;
        }
        found.skeleton.push(node, facts, at.above.len(), text);
        if facts.has(Facts::DECLARATION) {
            found.declarations += 1;
        }
        let is_text =
            facts.has(Facts::VERBATIM) || facts.has(Facts::VERBATIM_WHEN) && is_verbatim(node, grammar, text);
        if is_text || node.child_count() == 0 && !facts.has(Facts::WHITE) {
            protect_lines(&mut found.protected, node);
        }
        let mut collapsed = false;
        if facts.has(Facts::OWNER) && wanted.bodies && sound && !at.in_text {
            let place = Place { grammar, text, owner: node, at, comments: wanted.comments };
            if let Some(cut) = signatures::collapse(&place) {
                pending.add(&cut);
                found.removals.push(Removal { cut, how: How::Exactly });
                collapsed = true;
            }
        }
        if facts.has(Facts::HOLDER)
            && wanted.comments
            && sound
            && !collapsed
            && let Some(removal) = signatures::docstring_removal(node, grammar, text)
        {
            pending.add(&removal.cut);
            found.removals.push(removal);
        }
        Descend::Yes { is_text }
    });
    found.removals.sort_by_key(|removal| removal.cut.range.start);
    found
}

/// The skeleton of a reduced text, whose `replacements` are known by their place.
pub(crate) fn skeleton(
    tree: &Tree,
    grammar: &Grammar,
    text: &str,
    replacements: &[Range<usize>],
) -> Skeleton {
    let mut out = Skeleton::default();
    let mut pending = Pending::of(replacements);
    walk(tree, grammar, |node, at| {
        if pending.covers(node, &mut out) {
            return Descend::No;
        }
        let facts = grammar.facts(node.kind_id());
        if facts.has(Facts::COMMENT) {
            out.push_comment(node);
            return Descend::No;
        }
        out.push(node, facts, at.above.len(), text);
        Descend::Yes { is_text: false }
    });
    out
}

/// How many defects (errors and missing tokens) a tree holds, and its declarations in order: kind and name.
pub(crate) fn outline(tree: &Tree, grammar: &Grammar, text: &str) -> (usize, Vec<(Range<usize>, String)>) {
    let mut defects = 0;
    let mut declarations = Vec::new();
    walk(tree, grammar, |node, _| {
        if is_defect(node) {
            defects += 1;
        }
        if grammar.facts(node.kind_id()).has(Facts::DECLARATION) {
            let name =
                ["name", "declarator", "pattern"].iter().find_map(|field| node.child_by_field_name(field));
            // A pattern of several names may hold comments.
            let name =
                name.filter(|name| name.child_count() == 0).map_or("", |name| &text[name.byte_range()]);
            declarations.push((node.byte_range(), format!("{} {name}", node.kind())));
        }
        Descend::Yes { is_text: false }
    });
    (defects, declarations)
}

/// Where a walk stands.
#[derive(Clone, Copy)]
pub(crate) struct At<'a, 'tree> {
    /// The field in which the node hangs in its parent; only known where a grammar binds functions to names.
    pub(crate) field: Option<&'tree str>,
    /// Its ancestors with their fields, the root first.
    pub(crate) above: &'a [(Node<'tree>, Option<&'tree str>)],
    /// Whether an ancestor is text.
    in_text: bool,
}

enum Descend {
    No,
    Yes { is_text: bool },
}

fn walk<'tree>(
    tree: &'tree Tree,
    grammar: &Grammar,
    mut visit: impl FnMut(Node<'tree>, At<'_, 'tree>) -> Descend,
) {
    let wants_fields = grammar.binding.is_some();
    let mut cursor = tree.walk();
    let mut above: Vec<(Node<'tree>, Option<&'tree str>)> = Vec::new();
    // How deep the outermost text is, if the walk is in one.
    let mut text_depth = None;
    loop {
        let node = cursor.node();
        let field = if wants_fields { cursor.field_name() } else { None };
        let at = At { field, above: &above, in_text: text_depth.is_some() };
        if let Descend::Yes { is_text } = visit(node, at)
            && cursor.goto_first_child()
        {
            if is_text && text_depth.is_none() {
                text_depth = Some(above.len());
            }
            above.push((node, field));
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            above.pop();
            if text_depth.is_some_and(|depth| depth >= above.len()) {
                text_depth = None;
            }
        }
    }
}

/// Replaced parts that lie ahead of the walk, the nearest last.
#[derive(Default)]
struct Pending(Vec<Ahead>);

struct Ahead {
    range: Range<usize>,
    /// Whether something stands there instead that has to be noted once.
    to_note: bool,
}

impl Pending {
    fn of(replacements: &[Range<usize>]) -> Pending {
        Pending(
            replacements.iter().rev().map(|range| Ahead { range: range.clone(), to_note: true }).collect(),
        )
    }

    fn add(&mut self, cut: &Cut) {
        self.0.push(Ahead { range: cut.range.clone(), to_note: !cut.with.trim().is_empty() });
    }

    /// Whether the node is part of something replaced.
    fn covers(&mut self, node: Node, skeleton: &mut Skeleton) -> bool {
        let start = node.start_byte();
        while let Some(ahead) = self.0.last_mut() {
            if start < ahead.range.start {
                return false;
            }
            if start < ahead.range.end {
                if node.end_byte() > ahead.range.end {
                    return false;
                }
                if std::mem::take(&mut ahead.to_note) {
                    skeleton.0.push(REPLACED);
                }
                return true;
            }
            self.0.pop();
        }
        false
    }
}

/// Whether the node itself is the defect. A missing token without a name is no node; then its parent is where it is.
fn is_defect(node: Node) -> bool {
    let mut cursor = node.walk();
    node.is_error()
        || node.is_missing()
        || node.has_error() && !node.children(&mut cursor).any(|child| child.has_error())
}

fn comment(text: &str, range: Range<usize>) -> Removal {
    // Some grammars count the line end as part of the comment.
    let end = range.start + text[range.clone()].trim_end_matches(['\n', '\r']).len();
    Removal { cut: Cut { range: range.start..end, with: "".into() }, how: How::Tidily }
}

fn holds_only_comments(node: Node, grammar: &Grammar) -> bool {
    let mut cursor = node.walk();
    node.named_child_count() > 0 && node.named_children(&mut cursor).all(|child| grammar.is_comment(child))
}

fn is_verbatim(node: Node, grammar: &Grammar, text: &str) -> bool {
    let text = &text.as_bytes()[node.byte_range()];
    grammar.verbatim_when.iter().any(|(kind, start)| {
        *kind == node.kind()
            && text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes()))
            && !text.get(start.len()).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'-')
    })
}

/// Protects the lines of a node that has several.
fn protect_lines(protected: &mut Vec<Range<usize>>, node: Node) {
    if node.start_position().row < node.end_position().row {
        protect(protected, node.byte_range());
    }
}

/// Notes a range. A walk comes along in order, so a range can only lie within the last one or after it.
fn protect(protected: &mut Vec<Range<usize>>, range: Range<usize>) {
    match protected.last_mut() {
        Some(last) if range.start < last.end => last.end = last.end.max(range.end),
        _ => protected.push(range),
    }
}
