//! From the small errors of the doors to the faults of this server's contract, each mapped once. It decides words
//! and codes, never whether something is allowed.

use disk::{OpenFault, PathFault};
use fault::{Code, Fault, Text};
use search::PatternFault;
use select::{GlobFault, GlobReason};

use crate::limits;
use crate::place::Place;

/// The rules that a glob error repeats.
const GLOB_RULES: &str = "Globs match the whole path below the project root: `*` and `?` stay inside one folder, \
                          `**/` matches any folders, `{a,b}` lists alternatives; `/` separates, and a leading `/`, \
                          `..`, `\\`, `!` and `[...]` are not accepted";

/// An argument is not acceptable; `text` says why and what is.
pub(crate) fn argument(text: Text) -> Fault {
    Fault::new(Code::InvalidArguments, text)
}

/// A regular expression cannot be used.
pub(crate) fn pattern(fault: PatternFault) -> Fault {
    let text = Text::new("the pattern cannot be used: ").and(fault.reason());
    let text = match fault {
        PatternFault::Syntax { at_char } => text.and(" (problem at character ").count(at_char + 1).and(")"),
        _ => text,
    };
    Fault::new(Code::InvalidPattern, text)
}

/// A regular expression took too long.
pub(crate) fn pattern_too_expensive() -> Fault {
    Fault::new(
        Code::InvalidPattern,
        Text::new(
            "the pattern timed out: matching needs more than the 2 seconds a call may spend on it; use a more literal \
             pattern, fewer wildcards or smaller repetition counts, or narrow the files with include_patterns",
        ),
    )
}

/// A pattern over its length.
pub(crate) fn pattern_too_long() -> Fault {
    Fault::new(
        Code::InvalidPattern,
        Text::new("the pattern is longer than ")
            .count(limits::PATTERN_CHARS_MAX)
            .and(" characters; shorten it"),
    )
}

/// A glob cannot be used.
pub(crate) fn glob(name: &'static str, fault: &GlobFault) -> Fault {
    let text = Text::new("`").and(name).and("`: ");
    let text = match fault {
        GlobFault::TooMany => return too_many_globs(name),
        GlobFault::TooManyAlternatives => {
            text.and("the braces of all patterns together stand for too many alternatives; use fewer")
        }
        GlobFault::Pattern { index, reason } => {
            let text = text.and("pattern ").count(index + 1).and(" ").and(reason.as_str());
            if *reason == GlobReason::Blank {
                return argument(text.and("; remove it"));
            }
            text
        }
    };
    Fault::new(Code::InvalidPattern, text.and(". ").and(GLOB_RULES))
}

/// More globs than an array may hold.
pub(crate) fn too_many_globs(name: &'static str) -> Fault {
    Fault::new(
        Code::InvalidPattern,
        Text::new("`")
            .and(name)
            .and("` holds more than ")
            .count(limits::GLOBS_MAX)
            .and(" patterns. ")
            .and(GLOB_RULES),
    )
}

/// A path argument that is not a path below a root.
pub(crate) fn path(argument_text: &str, fault: PathFault, root: &Place) -> Fault {
    let shown = || Text::new("the path '").argument(argument_text);
    match fault {
        PathFault::Absolute | PathFault::Traversal => outside(argument_text, root),
        PathFault::Nul => argument(shown().and("' holds a NUL character; use a path from get_tree")),
        _ => Fault::new(Code::PathNotFound, shown().and("' does not exist; use a path from get_tree")),
    }
}

/// A path that leaves its root, by its text or by a link.
pub(crate) fn outside(argument_text: &str, root: &Place) -> Fault {
    Fault::new(
        Code::RootViolation,
        root.say(Text::new("the path '").argument(argument_text).and("' leaves the project root '"))
            .and("' (by `..`, an absolute path or a link); use a path below it"),
    )
}

/// Something that could not be opened, named by the caller.
pub(crate) fn open(argument_text: &str, fault: OpenFault, root: &Place) -> Fault {
    let shown = || Text::new("the path '").argument(argument_text);
    let missing = |why: &'static str| Fault::new(Code::PathNotFound, shown().and(why));
    match fault {
        OpenFault::Outside => outside(argument_text, root),
        OpenFault::NotFound => missing("' does not exist; use a path from get_tree or search_project"),
        OpenFault::Link => missing("' is a link that does not lead to a file inside the project"),
        OpenFault::NotAFile => {
            missing("' is a directory; use the path of a file from get_tree or search_project")
        }
        OpenFault::Special => missing("' is not a regular file and is never opened"),
        OpenFault::TooLarge { .. } => too_large(argument_text),
        OpenFault::Denied | OpenFault::Changed | OpenFault::Unreadable => Fault::new(
            Code::ProjectUnavailable,
            shown()
                .and("' cannot be read (")
                .code(Code::ProjectPartialAccess)
                .and("); check its permissions and call again"),
        ),
    }
}

/// A file over the inspection boundary.
pub(crate) fn too_large(argument_text: &str) -> Fault {
    Fault::new(
        Code::PayloadTruncated,
        Text::new("the file '")
            .argument(argument_text)
            .and("' cannot be inspected for secrets, so its content is withheld; files up to ")
            .number(limits::INSPECT_BYTES_MAX)
            .and(" bytes can be read, and search_project skips it"),
    )
}

/// A file that is no text.
pub(crate) fn not_text(argument_text: &str, reason: &'static str) -> Fault {
    Fault::new(
        Code::PayloadTruncated,
        Text::new("the file '")
            .argument(argument_text)
            .and("' ")
            .and(reason)
            .and("; get_file returns text only"),
    )
}

/// The project as a whole cannot be read.
pub(crate) fn unavailable(inner: Code, why: &'static str) -> Fault {
    Fault::new(
        Code::ProjectUnavailable,
        Text::new("the project is not available (").code(inner).and("): ").and(why),
    )
}
