//! What a language is here: names of files, a grammar, and the kinds of nodes that matter. Data, not code.
//!
//! Knows no text: which parts of a text are taken out is decided by `survey`, `signatures` and `strip`, from these
//! tables alone.

mod managed;
mod markup;
mod scripting;
mod systems;

use std::sync::OnceLock;

use crate::evidence;
use crate::grammar::Grammar;

/// A language that this crate can reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// The name that people know it by.
    pub name: &'static str,
    /// File extensions, without their dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Whole file names; a name that ends in `.*` stands for every ending.
    pub file_names: &'static [&'static str],
    /// Whether bodies are collapsed, or only comments and blank lines taken out.
    pub bodies: bool,
}

/// One row of the table: a language and all that is known of its syntax.
pub(crate) struct Entry {
    pub(crate) language: Language,
    /// Loads the grammar. Nothing of it is touched before a file of the language comes along.
    pub(crate) grammar: fn() -> tree_sitter::Language,
    pub(crate) syntax: Syntax,
    /// Token patterns that tell this language from another one with the same extension (see `evidence`).
    pub(crate) evidence: &'static [&'static [&'static str]],
    compiled: OnceLock<Grammar>,
}

impl Entry {
    const fn new(
        name: &'static str,
        extensions: &'static [&'static str],
        grammar: fn() -> tree_sitter::Language,
        syntax: Syntax,
    ) -> Entry {
        let language = Language { name, extensions, file_names: &[], bodies: !syntax.bodies.is_empty() };
        Entry { language, grammar, syntax, evidence: &[], compiled: OnceLock::new() }
    }

    const fn named(mut self, file_names: &'static [&'static str]) -> Entry {
        self.language.file_names = file_names;
        self
    }

    const fn told_by(mut self, evidence: &'static [&'static [&'static str]]) -> Entry {
        self.evidence = evidence;
        self
    }

    /// The grammar with its tables, built when the first file of the language needs it.
    pub(crate) fn grammar(&'static self) -> &'static Grammar {
        self.compiled.get_or_init(|| Grammar::new((self.grammar)(), &self.syntax))
    }
}

/// The node kinds of one grammar that matter, by name.
pub(crate) struct Syntax {
    /// Comments.
    pub(crate) comments: &'static [&'static str],
    /// What a comment starts with; a text without any of these has none.
    pub(crate) comment_marks: &'static [&'static str],
    /// What stands for a comment that kept two tokens apart.
    pub(crate) joint: &'static str,
    /// Whether a line that begins with `#` belongs to a preprocessor and is left alone.
    pub(crate) preprocessor: bool,
    /// Nodes whose blank lines are content, beyond those that are named like a string.
    pub(crate) verbatim: &'static [&'static str],
    /// Nodes that are verbatim only when their text begins like this, compared without case.
    pub(crate) verbatim_when: &'static [(&'static str, &'static str)],
    /// Text that flows together when a comment within it goes.
    pub(crate) fluid: &'static [&'static str],
    /// Nodes that go with the comment that is all they hold.
    pub(crate) shells: &'static [&'static str],
    /// How suites of statements and their docstrings look, in a language that has them.
    pub(crate) suites: Option<Suites>,
    /// Which bodies are collapsed, and how.
    pub(crate) bodies: &'static [Body],
    /// Where a function without a name of its own gets one.
    pub(crate) binding: Option<Binding>,
    /// Nodes that stand around the items of a whole file and are none themselves, such as `#ifndef` of a header: the items
    /// inside are judged one by one.
    pub(crate) frames: &'static [&'static str],
    /// Declarations, for the limit and for the comparison of a file before and after.
    pub(crate) declarations: &'static [&'static str],
}

impl Syntax {
    /// The empty table, to be filled with `..Syntax::NONE`.
    pub(crate) const NONE: Syntax = Syntax {
        comments: &["comment"],
        comment_marks: &[],
        joint: " ",
        preprocessor: false,
        verbatim: &[],
        verbatim_when: &[],
        fluid: &[],
        shells: &[],
        suites: None,
        bodies: &[],
        binding: None,
        frames: &[],
        declarations: &[],
    };
    /// Comments as in C.
    pub(crate) const SLASHES: Syntax = Syntax { comment_marks: &["//", "/*"], ..Syntax::NONE };
    /// Comments as in a shell.
    pub(crate) const HASHES: Syntax = Syntax { comment_marks: &["#"], ..Syntax::NONE };
}

/// Suites of statements that are told by their indentation.
pub(crate) struct Suites {
    /// The statement that a docstring is.
    pub(crate) statement: &'static str,
    /// What it holds.
    pub(crate) strings: &'static [&'static str],
    /// Letters before the quote that make a string something else.
    pub(crate) not_before_quote: &'static str,
    /// Nodes whose first statement may be a docstring.
    pub(crate) holders: &'static [&'static str],
    /// The statement that stands for an emptied suite.
    pub(crate) filler: &'static str,
}

/// One way in which a body hangs on a declaration.
pub(crate) struct Body {
    /// The declarations.
    pub(crate) owners: &'static [&'static str],
    /// Which child the body is.
    pub(crate) part: Part,
    /// The block within that child, where it is not the child itself.
    pub(crate) block: Option<&'static str>,
    /// Kinds of bodies that are left alone.
    pub(crate) except: &'static [&'static str],
    /// Which names the rule is for.
    pub(crate) names: Names,
    /// Whether the function must be bound to a stable name (see [`Binding`]).
    pub(crate) bound: bool,
    /// The kind of declarator that makes it a function; without one it is something that a parser takes for a function.
    pub(crate) declared_by: Option<&'static str>,
    /// Whether a semicolon right behind the body goes with it, because an empty body before one reads as a value.
    pub(crate) semicolon: bool,
    /// What becomes of the body.
    pub(crate) shape: Shape,
}

impl Body {
    /// The body is the field `body` and becomes `{ }`.
    const fn braces(owners: &'static [&'static str]) -> Body {
        Body {
            owners,
            part: Part::Field("body"),
            block: None,
            except: &[],
            names: Names::Any,
            bound: false,
            declared_by: None,
            semicolon: false,
            shape: Shape::Braces("{ }"),
        }
    }

    const fn in_kind(mut self, kind: &'static str) -> Body {
        self.part = Part::Kind(kind);
        self
    }

    const fn with_block(mut self, block: &'static str) -> Body {
        self.block = Some(block);
        self
    }

    const fn shaped(mut self, shape: Shape) -> Body {
        self.shape = shape;
        self
    }

    const fn except(mut self, kinds: &'static [&'static str]) -> Body {
        self.except = kinds;
        self
    }

    const fn declared_by(mut self, kind: &'static str) -> Body {
        self.declared_by = Some(kind);
        self
    }

    const fn and_semicolon(mut self) -> Body {
        self.semicolon = true;
        self
    }

    const fn names(mut self, names: Names) -> Body {
        self.names = names;
        self
    }

    const fn bound(mut self) -> Body {
        self.bound = true;
        self
    }
}

/// Which child of a declaration is its body.
pub(crate) enum Part {
    /// The child in this field.
    Field(&'static str),
    /// The first child of this kind.
    Kind(&'static str),
}

/// A rule's wish about the text of one field of the declaration.
pub(crate) enum Names {
    /// Any name, or none.
    Any,
    /// Only these.
    Only(&'static str, &'static [&'static str]),
    /// All but these: what they hold is worth more than the room.
    Except(&'static str, &'static [&'static str]),
}

/// What becomes of a body.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A block becomes this text, and so does an expression of several lines; one of a single line stays.
    Braces(&'static str),
    /// A suite becomes the filler of [`Suites`], on a line of its own.
    Suite,
    /// Nothing stays between header and the closing word.
    Hollow,
    /// Nothing stays between the first and the last token of the part.
    Inside,
}

/// How functions without a name are bound to one.
pub(crate) struct Binding {
    /// Nodes that bind a function to a name.
    pub(crate) binders: &'static [Binder],
    /// Nodes that change nothing, and the field through which they are passed, if it matters.
    pub(crate) transparent: &'static [(&'static str, Option<&'static str>)],
    /// Argument lists, through which a function is passed to a call.
    pub(crate) arguments: &'static [&'static str],
    /// Calls, and the field of what is called.
    pub(crate) calls: &'static [(&'static str, &'static str)],
    /// Methods that call a function at once or later; what is passed to them is a bare callback.
    pub(crate) callback_methods: &'static [&'static str],
    /// How many calls deep a function may be wrapped.
    pub(crate) depth: usize,
}

/// A node that binds a function to a name.
pub(crate) struct Binder {
    pub(crate) kind: &'static str,
    /// The field in which the function hangs; any when there is none.
    pub(crate) value: Option<&'static str>,
    /// The field of the name and the kinds that are stable; without it the place itself is the name.
    pub(crate) name: Option<(&'static str, &'static [&'static str])>,
}

static TABLES: [&[Entry]; 4] = [&systems::ENTRIES, &managed::ENTRIES, &scripting::ENTRIES, &markup::ENTRIES];

/// The supported languages, in alphabetical order of their names.
pub fn languages() -> &'static [Language] {
    static LANGUAGES: OnceLock<Vec<Language>> = OnceLock::new();
    LANGUAGES.get_or_init(|| {
        let mut all: Vec<Language> = entries().map(|entry| entry.language).collect();
        all.sort_by_key(|language| language.name.to_lowercase());
        all
    })
}

/// The language of the file at `path` that holds `text`, if it is supported.
pub fn language_of(path: &str, text: &str) -> Option<&'static Language> {
    entry_for(path, text).map(|entry| &entry.language)
}

pub(crate) fn entries() -> impl Iterator<Item = &'static Entry> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// The row for the file at `path`; where several share an extension, what `text` holds decides.
pub(crate) fn entry_for(path: &str, text: &str) -> Option<&'static Entry> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if let Some(entry) =
        entries().find(|entry| entry.language.file_names.iter().any(|one| is_named(name, one)))
    {
        return Some(entry);
    }
    let (stem, extension) = name.rsplit_once('.')?;
    if stem.is_empty() {
        return None;
    }
    let extension = extension.to_ascii_lowercase();
    let mut candidates =
        entries().filter(|entry| entry.language.extensions.contains(&extension.as_str())).peekable();
    let first = candidates.next()?;
    if candidates.peek().is_none() {
        return Some(first);
    }
    let tokens = evidence::tokens(text);
    candidates
        .chain(std::iter::once(first))
        .find(|entry| !entry.evidence.is_empty() && evidence::any(&tokens, entry.evidence))
        .or_else(|| {
            entries().find(|entry| {
                entry.evidence.is_empty() && entry.language.extensions.contains(&extension.as_str())
            })
        })
}

fn is_named(name: &str, pattern: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.len() > start.len() && name.starts_with(start),
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests;
