//! One grammar with its table turned from names into the numbers that a walk compares.
//!
//! Knows no language: everything comes from the [`Syntax`] it is built of.

use tree_sitter::{Language, Node};

use crate::language::{Binding, Body, Part, Suites, Syntax};

/// What is known of one node kind: a set of flags.
#[derive(Clone, Copy, Default)]
pub(crate) struct Facts(u16);

impl Facts {
    pub(crate) const COMMENT: Facts = Facts(1);
    pub(crate) const DECLARATION: Facts = Facts(1 << 1);
    /// Blank lines inside are content.
    pub(crate) const VERBATIM: Facts = Facts(1 << 2);
    pub(crate) const VERBATIM_WHEN: Facts = Facts(1 << 3);
    pub(crate) const FLUID: Facts = Facts(1 << 4);
    pub(crate) const SHELL: Facts = Facts(1 << 5);
    /// A token that is nothing but white space, such as a line end.
    pub(crate) const WHITE: Facts = Facts(1 << 6);
    /// Some body rule is about this kind.
    pub(crate) const OWNER: Facts = Facts(1 << 7);
    /// Its first statement may be a docstring.
    pub(crate) const HOLDER: Facts = Facts(1 << 8);
    /// It stands around items, each of which is judged for itself.
    pub(crate) const FRAME: Facts = Facts(1 << 9);

    pub(crate) const fn has(self, other: Facts) -> bool {
        self.0 & other.0 != 0
    }

    fn add(&mut self, other: Facts) {
        self.0 |= other.0;
    }
}

/// A grammar, ready for walks over its trees.
pub(crate) struct Grammar {
    pub(crate) language: Language,
    facts: Vec<Facts>,
    pub(crate) bodies: &'static [Body],
    pub(crate) suites: Option<&'static Suites>,
    pub(crate) binding: Option<&'static Binding>,
    pub(crate) verbatim_when: &'static [(&'static str, &'static str)],
}

impl Grammar {
    pub(crate) fn new(language: Language, syntax: &'static Syntax) -> Grammar {
        let count = language.node_kind_count();
        let mut facts = vec![Facts::default(); count];
        for (id, fact) in facts.iter_mut().enumerate() {
            let id = u16::try_from(id).unwrap_or(u16::MAX);
            let Some(kind) = language.node_kind_for_id(id) else { continue };
            if !kind.is_empty() && kind.chars().all(char::is_whitespace) {
                fact.add(Facts::WHITE);
            }
            if language.node_kind_is_named(id) {
                fact.add(facts_of(kind, syntax));
            }
        }
        Grammar {
            language,
            facts,
            bodies: syntax.bodies,
            suites: syntax.suites.as_ref(),
            binding: syntax.binding.as_ref(),
            verbatim_when: syntax.verbatim_when,
        }
    }

    /// What is known of the kind with this number; nothing of an ERROR.
    pub(crate) fn facts(&self, kind: u16) -> Facts {
        self.facts.get(usize::from(kind)).copied().unwrap_or_default()
    }

    pub(crate) fn is_comment(&self, node: Node) -> bool {
        self.facts(node.kind_id()).has(Facts::COMMENT)
    }
}

fn facts_of(kind: &str, syntax: &Syntax) -> Facts {
    let mut facts = Facts::default();
    let listed = [
        (Facts::COMMENT, syntax.comments),
        (Facts::FRAME, syntax.frames),
        (Facts::DECLARATION, syntax.declarations),
        (Facts::VERBATIM, syntax.verbatim),
        (Facts::FLUID, syntax.fluid),
        (Facts::SHELL, syntax.shells),
        (Facts::HOLDER, syntax.suites.as_ref().map_or(&[][..], |suites| suites.holders)),
    ];
    for (fact, kinds) in listed {
        if kinds.contains(&kind) {
            facts.add(fact);
        }
    }
    if is_named_like_a_string(kind) {
        facts.add(Facts::VERBATIM);
    }
    if syntax.verbatim_when.iter().any(|(one, _)| *one == kind) {
        facts.add(Facts::VERBATIM_WHEN);
    }
    if syntax.bodies.iter().any(|body| body.owners.contains(&kind)) {
        facts.add(Facts::OWNER);
    }
    facts
}

/// Grammars name what holds literal text alike. Some of them leave blank lines inside it without a node, so that the
/// name is all that tells. A concatenation only holds strings, and what lies between them is no text.
fn is_named_like_a_string(kind: &str) -> bool {
    let text =
        ["string", "heredoc", "nowdoc", "regex", "scalar", "quoted"].iter().any(|part| kind.contains(part));
    let between = ["concat", "chained", "array", "list"].iter().any(|part| kind.contains(part));
    text && !between
}

impl Part {
    /// The child of `owner` that this part names.
    pub(crate) fn find<'tree>(&self, owner: Node<'tree>) -> Option<Node<'tree>> {
        match self {
            Part::Field(field) => owner.child_by_field_name(field),
            Part::Kind(kind) => {
                let mut cursor = owner.walk();
                owner.children(&mut cursor).find(|child| child.kind() == *kind)
            }
        }
    }
}
