//! Turns a parsed pattern into one that can be run over many lines at once and still means what it means
//! on each line alone. It knows the syntax tree only.

use regex_syntax::hir::{Capture, Class, ClassBytesRange, ClassUnicodeRange, Hir, HirKind, Look, Repetition};

/// Rewrites `hir` so that it never matches a line feed and its text anchors hold at the ends of each line.
///
/// Every match on a single line is then also a match in the whole text: anchors and word boundaries look the
/// same from both sides, because a line feed is no word character.
pub(crate) fn bind_to_lines(hir: Hir) -> Hir {
    rewrite(hir, &|part| match part {
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => Hir::fail(),
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(class) => Hir::class(without_line_feed(class)),
        HirKind::Look(look) => Hir::look(at_line_ends(look)),
        _ => Hir::empty(),
    })
}

/// Rewrites the anchors of a pattern for a text that is one line: there, a lone carriage return ends nothing.
pub(crate) fn bind_to_text(hir: Hir) -> Hir {
    rewrite(hir, &|part| match part {
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Look(look) => Hir::look(at_text_ends(look)),
        _ => Hir::empty(),
    })
}

/// Replaces Unicode word boundaries by their ASCII forms, for the rare line that is too long for an
/// engine which knows the former.
pub(crate) fn with_ascii_boundaries(hir: Hir) -> Hir {
    rewrite(hir, &|part| match part {
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Look(look) => Hir::look(ascii_boundary(look)),
        _ => Hir::empty(),
    })
}

/// Rebuilds a tree with `leaf` applied to its literals, classes and anchors. The parser's nesting limit
/// bounds the recursion. Groups go: nobody reads them in a line search.
fn rewrite(hir: Hir, leaf: &impl Fn(HirKind) -> Hir) -> Hir {
    match hir.into_kind() {
        HirKind::Repetition(repetition) => {
            let sub = rewrite(*repetition.sub, leaf);
            Hir::repetition(Repetition { sub: Box::new(sub), ..repetition })
        }
        HirKind::Capture(Capture { sub, .. }) => rewrite(*sub, leaf),
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(|part| rewrite(part, leaf)).collect()),
        HirKind::Alternation(parts) => {
            Hir::alternation(parts.into_iter().map(|part| rewrite(part, leaf)).collect())
        }
        part => leaf(part),
    }
}

fn without_line_feed(mut class: Class) -> Class {
    match &mut class {
        Class::Unicode(set) => {
            let line_feed = regex_syntax::hir::ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]);
            set.difference(&line_feed);
        }
        Class::Bytes(set) => {
            let line_feed = regex_syntax::hir::ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]);
            set.difference(&line_feed);
        }
    }
    class
}

fn at_line_ends(look: Look) -> Look {
    match look {
        Look::Start | Look::StartLF => Look::StartCRLF,
        Look::End | Look::EndLF => Look::EndCRLF,
        other => other,
    }
}

fn at_text_ends(look: Look) -> Look {
    match look {
        Look::StartLF | Look::StartCRLF => Look::Start,
        Look::EndLF | Look::EndCRLF => Look::End,
        other => other,
    }
}

fn ascii_boundary(look: Look) -> Look {
    match look {
        Look::WordUnicode => Look::WordAscii,
        Look::WordUnicodeNegate => Look::WordAsciiNegate,
        Look::WordStartUnicode => Look::WordStartAscii,
        Look::WordEndUnicode => Look::WordEndAscii,
        Look::WordStartHalfUnicode => Look::WordStartHalfAscii,
        Look::WordEndHalfUnicode => Look::WordEndHalfAscii,
        other => other,
    }
}
