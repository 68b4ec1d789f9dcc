//! Which part of a declaration is its body, and what stands there once it is collapsed.
//!
//! Knows no language by name: the rules are the `Body` rows of the tables. Whether the result is sound is the gate's
//! question, not one that is asked here.

use std::borrow::Cow;
use std::ops::Range;

use tree_sitter::Node;

use crate::grammar::Grammar;
use crate::language::{Binding, Body, Names, Shape, Suites};
use crate::survey::{At, How, Removal};

/// How many ancestors are asked whether they bind a function to a name.
const ANCESTORS: usize = 64;

/// A part of the text and what replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) range: Range<usize>,
    pub(crate) with: Cow<'static, str>,
}

/// What a collapse is asked to look at.
pub(crate) struct Place<'a, 'tree> {
    pub(crate) grammar: &'a Grammar,
    pub(crate) text: &'a str,
    /// The declaration.
    pub(crate) owner: Node<'tree>,
    /// Where it hangs in the tree.
    pub(crate) at: At<'a, 'tree>,
    /// Whether comments go too, docstrings among them.
    pub(crate) comments: bool,
}

/// The cut that collapses the body of a declaration; none when there is none, or when it would not save room.
pub(crate) fn collapse(place: &Place) -> Option<Cut> {
    let kind = place.owner.kind();
    let rule = place.grammar.bodies.iter().find(|rule| {
        rule.owners.contains(&kind)
            && has_name(rule, place)
            && is_declared(rule, place.owner)
            && rule.part.find(place.owner).is_some()
    })?;
    let part = rule.part.find(place.owner)?;
    if rule.except.contains(&part.kind()) {
        return None;
    }
    if rule.bound && !place.grammar.binding.is_some_and(|binding| is_bound(place, binding)) {
        return None;
    }
    let cut = match rule.shape {
        Shape::Braces(with) => braces(place, rule, part, with),
        Shape::Suite => suite(place, part, place.grammar.suites?),
        Shape::Hollow => hollow(place, part),
        Shape::Inside => inside(place, part),
    }?;
    (cut.with.len() < cut.range.len()).then_some(cut)
}

fn has_name(rule: &Body, place: &Place) -> bool {
    let text_of = |field| place.owner.child_by_field_name(field).map(|node| &place.text[node.byte_range()]);
    match rule.names {
        Names::Any => true,
        Names::Only(field, names) => text_of(field).is_some_and(|text| names.contains(&text)),
        Names::Except(field, names) => text_of(field).is_none_or(|text| !names.contains(&text)),
    }
}

/// Whether what declares the owner is of the kind that the rule wants: `class EXPORT A { … }` has a body too.
fn is_declared(rule: &Body, owner: Node) -> bool {
    let Some(kind) = rule.declared_by else { return true };
    let mut declarator = owner.child_by_field_name("declarator");
    while let Some(node) = declarator {
        if node.kind() == kind {
            return true;
        }
        // Pointers and references stand around the declarator, some of them without naming it.
        declarator = node.child_by_field_name("declarator").or_else(|| {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).find(|child| child.kind().ends_with("declarator"))
        });
    }
    false
}

fn braces(place: &Place, rule: &Body, part: Node, with: &'static str) -> Option<Cut> {
    let with = Cow::Borrowed(with);
    if let Some(kind) = rule.block {
        let mut cursor = part.walk();
        if let Some(block) = part.children(&mut cursor).find(|child| child.kind() == kind) {
            return Some(Cut { range: block.byte_range(), with });
        }
    }
    let mut range = part.byte_range();
    let body = &place.text[range.clone()];
    if body.starts_with('{') && rule.semicolon {
        let behind = &place.text[range.end..];
        let after = behind.trim_start_matches([' ', '\t']);
        if after.starts_with(';') {
            range.end += behind.len() - after.len() + 1;
        }
    }
    if body.starts_with('{') || body.starts_with('(') && with.starts_with("{ :") {
        return Some(Cut { range, with });
    }
    // An expression. What introduces it is no part of it: one line of its own is still one line.
    let expression = body.trim_start_matches("=>").trim_start_matches('=').trim();
    if !expression.contains('\n') {
        return None;
    }
    let end = match place.text[range.end..place.owner.end_byte()].trim_start().starts_with(';') {
        true => range.end + place.text[range.end..].find(';')? + 1,
        false => range.start + body.trim_end().len(),
    };
    Some(Cut { range: range.start..end, with })
}

fn suite(place: &Place, block: Node, suites: &Suites) -> Option<Cut> {
    let (start, end) = (block.start_byte(), block.end_byte());
    let indent = line_indent(place.text, start);
    if start - indent.end > 0 {
        // The suite follows its header on the same line.
        return Some(Cut { range: start..end, with: Cow::Borrowed(suites.filler) });
    }
    let mut from = previous_token_end(place, block);
    if !place.comments
        && let Some(docstring) = docstring(block, suites, place.grammar, place.text)
    {
        if docstring.end_byte() == end {
            return None;
        }
        from = docstring.end_byte();
    }
    let line_end = line_end_of(place.text, from);
    // What stands behind the header or the docstring on its line is only a comment.
    let from = if place.text[from..line_end].trim_start().starts_with(';') { return None } else { line_end };
    let ending = if place.text[from..].starts_with("\r\n") { "\r\n" } else { "\n" };
    let with = format!("{ending}{}{}", &place.text[indent], suites.filler);
    (from < end).then_some(Cut { range: from..end, with: Cow::Owned(with) })
}

/// The removal of the docstring of a declaration or a module; an emptied suite gets its filler.
pub(crate) fn docstring_removal(holder: Node, grammar: &Grammar, text: &str) -> Option<Removal> {
    let suites = grammar.suites?;
    let block = holder.child_by_field_name("body");
    let statement = docstring(block.unwrap_or(holder), suites, grammar, text)?;
    let behind = &text[statement.end_byte()..line_end_of(text, statement.end_byte())];
    if statement.has_error() || !behind.trim().is_empty() && !behind.trim_start().starts_with('#') {
        return None;
    }
    let removed = |range, with| Cut { range, with: Cow::Borrowed(with) };
    let Some(block) = block else {
        return Some(Removal { cut: removed(statement.byte_range(), ""), how: How::Tidily });
    };
    let mut cursor = block.walk();
    if block.named_children(&mut cursor).all(|child| child == statement || grammar.is_comment(child)) {
        return Some(Removal { cut: removed(block.byte_range(), suites.filler), how: How::Exactly });
    }
    Some(Removal { cut: removed(statement.byte_range(), ""), how: How::Tidily })
}

/// The statement of `holder` that is its docstring.
pub(crate) fn docstring<'tree>(
    holder: Node<'tree>,
    suites: &Suites,
    grammar: &Grammar,
    text: &str,
) -> Option<Node<'tree>> {
    let mut cursor = holder.walk();
    let statement = holder.named_children(&mut cursor).find(|child| !grammar.is_comment(*child))?;
    if statement.kind() != suites.statement || statement.child_count() != 1 {
        return None;
    }
    let string = statement.child(0)?;
    let plain = |node: Node| {
        let prefix = text[node.byte_range()].split(['"', '\'']).next().unwrap_or_default();
        !prefix.contains(|letter| suites.not_before_quote.contains(letter))
    };
    let mut parts = string.walk();
    let is_plain = suites.strings.contains(&string.kind())
        && plain(string)
        && string
            .named_children(&mut parts)
            .all(|part| !suites.strings.contains(&part.kind()) || plain(part));
    is_plain.then_some(statement)
}

/// Cuts what stands between the header and the closing word.
fn hollow(place: &Place, part: Node) -> Option<Cut> {
    let mut cursor = place.owner.walk();
    let close = place.owner.children(&mut cursor).last()?;
    let from = previous_token_end(place, part);
    if close.is_named() || close.start_byte() < part.end_byte() {
        return None;
    }
    let between = &place.text[from..close.start_byte()];
    let end = from + between.trim_end().len();
    if end <= from {
        return None;
    }
    Some(Cut { range: from..end, with: Cow::Borrowed("") })
}

/// Cuts what stands between the first and the last token of the part.
fn inside(place: &Place, part: Node) -> Option<Cut> {
    let first = part.child(0)?;
    let last = part.child(part.child_count().checked_sub(1)?)?;
    let mut cursor = part.walk();
    let end =
        part.children(&mut cursor).filter(|child| child.end_byte() <= last.start_byte()).last()?.end_byte();
    let from = first.end_byte();
    let cut = place.text.get(from..end).filter(|cut| !cut.trim().is_empty())?;
    // Some parts count the line end behind them as their own.
    let behind = &cut[cut.trim_end().len()..];
    let with = behind.rfind('\n').map_or(Cow::Borrowed(""), |at| Cow::Owned(behind[at..].to_owned()));
    Some(Cut { range: from..end, with })
}

/// Where the last token before `part` ends; a comment is none.
fn previous_token_end(place: &Place, part: Node) -> usize {
    let mut cursor = place.owner.walk();
    place
        .owner
        .children(&mut cursor)
        .take_while(|child| child.start_byte() < part.start_byte())
        .filter(|child| !place.grammar.is_comment(*child))
        .last()
        .map_or(part.start_byte(), |child| child.end_byte())
}

fn line_end_of(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
    if text[..end].ends_with('\r') { end.max(at + 1) - 1 } else { end }
}

/// The white space at the start of the line that holds `at`.
pub(crate) fn line_indent(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let width = text[start..at].find(|c: char| !c.is_whitespace()).unwrap_or(at - start);
    start..start + width
}

/// Whether the function is bound to a stable name, possibly through a call or two.
fn is_bound(place: &Place, binding: &Binding) -> bool {
    let mut field = place.at.field;
    let mut calls = 0;
    let mut above = place.at.above.iter().rev().take(ANCESTORS);
    while let Some((node, next_field)) = above.next() {
        let kind = node.kind();
        let binder = binding
            .binders
            .iter()
            .find(|one| one.kind == kind && (one.value.is_none() || one.value == field));
        if let Some(binder) = binder {
            return binder.name.is_none_or(|(field, kinds)| {
                node.child_by_field_name(field).is_some_and(|name| kinds.contains(&name.kind()))
            });
        }
        if binding
            .transparent
            .iter()
            .any(|(one, through)| *one == kind && (through.is_none() || field == *through))
        {
            field = *next_field;
            continue;
        }
        if !binding.arguments.contains(&kind) {
            return false;
        }
        let Some((call, next_field)) = above.next() else { return false };
        let Some((_, callee)) = binding.calls.iter().find(|(one, _)| *one == call.kind()) else {
            return false;
        };
        let called = call.child_by_field_name(callee).map(|node| &place.text[node.byte_range()]);
        calls += 1;
        if calls > binding.depth || called.is_none_or(|called| calls_back(called, binding)) {
            return false;
        }
        field = *next_field;
    }
    false
}

/// Whether `called` ends in the name of a method that takes bare callbacks.
fn calls_back(called: &str, binding: &Binding) -> bool {
    match called.rsplit_once('.') {
        Some((_, method)) => binding.callback_methods.contains(&method.trim()),
        None => false,
    }
}
