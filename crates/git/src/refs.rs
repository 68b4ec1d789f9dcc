//! References of a repository, read by us: HEAD, loose and packed ones, up to a hexadecimal id. It starts nothing,
//! reads no object and follows no link.

use disk::{Links, OpenFault, RelPath, Root};
use fault::Unwatched;

use crate::index::ObjectFormat;

/// Bytes of a loose reference.
const LOOSE_BYTES_MAX: u64 = 4 * 1024;
/// Bytes of `packed-refs` (security model 2.4).
const PACKED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Symbolic references that one name may go through.
const HOPS_MAX: usize = 8;
/// Characters of a revision.
const REVISION_CHARS_MAX: usize = 251;
/// Generations that one step may go back.
const STEPS_MAX: u32 = 10_000;
/// Steps of one revision.
const WALKS_MAX: usize = 32;
/// The fewest digits of a shortened id.
const SHORT_DIGITS_MIN: usize = 4;

/// The references are not what they should be. Its text names none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RefFault {
    #[error("a reference cannot be read")]
    Unreadable,
    #[error("a reference is damaged")]
    Damaged,
}

/// Where the references of a repository lie.
pub(crate) struct References<'r> {
    /// HEAD and what belongs to one worktree.
    pub(crate) git_dir: &'r Root,
    /// Everything else.
    pub(crate) common_dir: &'r Root,
    pub(crate) format: ObjectFormat,
}

/// One step from a commit to one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// `~n`: the nth first parent.
    Ancestor(u32),
    /// `^n`: the nth parent.
    Parent(u32),
}

/// A revision as a caller writes it: a name or an id, and steps back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Revision {
    pub(crate) name: String,
    pub(crate) walks: Vec<Walk>,
}

impl Revision {
    /// Reads a revision (security model 2.4): it begins with a letter or digit, holds nothing but letters, digits
    /// and `._/@^~-`, no `..` and no `@{`.
    pub(crate) fn parse(text: &str) -> Option<Revision> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/@^~-".contains(c);
        if text.len() > REVISION_CHARS_MAX
            || !text.starts_with(|c: char| c.is_ascii_alphanumeric())
            || !text.chars().all(is_plain)
            || text.contains("..")
        {
            return None;
        }
        let end = text.find(['^', '~']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(end);
        let mut walks = Vec::new();
        while let Some(kind) = rest.chars().next() {
            rest = &rest[1..];
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let count = match &rest[..digits] {
                "" => 1,
                digits => digits.parse().ok().filter(|count| *count <= STEPS_MAX)?,
            };
            rest = &rest[digits..];
            if !rest.is_empty() && !rest.starts_with(['^', '~']) || walks.len() == WALKS_MAX {
                return None;
            }
            walks.push(if kind == '~' { Walk::Ancestor(count) } else { Walk::Parent(count) });
        }
        Some(Revision { name: name.to_owned(), walks })
    }

    /// How many generations its steps go back together.
    pub(crate) fn generations(&self) -> u32 {
        let one = |walk: &Walk| match walk {
            Walk::Ancestor(count) => *count,
            Walk::Parent(count) => (*count).min(1),
        };
        self.walks.iter().map(one).fold(0, u32::saturating_add)
    }
}

impl References<'_> {
    /// The commit that HEAD names; nothing before the first commit.
    pub(crate) fn head(&self) -> Result<Option<String>, RefFault> {
        self.follow("HEAD")
    }

    /// The id that a name stands for, in git's order of places; a full or shortened id stands for itself.
    pub(crate) fn id_of(&self, name: &str) -> Result<Option<String>, RefFault> {
        if self.is_id(name) {
            return Ok(Some(name.to_ascii_lowercase()));
        }
        let is_own = name == "HEAD" || name.ends_with("_HEAD");
        let places = [is_own.then(|| name.to_owned())].into_iter().flatten().chain(
            ["refs/", "refs/tags/", "refs/heads/", "refs/remotes/"].map(|place| format!("{place}{name}")),
        );
        // A full name is one below `refs/` already.
        let full = name.starts_with("refs/").then(|| name.to_owned());
        for place in full.into_iter().chain(places).chain([format!("refs/remotes/{name}/HEAD")]) {
            if (is_own && place == name || is_reference_name(&place))
                && let Some(id) = self.follow(&place)?
            {
                return Ok(Some(id));
            }
        }
        let is_short = (SHORT_DIGITS_MIN..self.format.hex_digits()).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        Ok(is_short.then(|| name.to_ascii_lowercase()))
    }

    fn is_id(&self, text: &str) -> bool {
        text.len() == self.format.hex_digits() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// The id behind a full reference name; nothing when there is no such reference.
    fn follow(&self, name: &str) -> Result<Option<String>, RefFault> {
        let mut name = name.to_owned();
        for _ in 0..=HOPS_MAX {
            let Some(text) = self.loose(&name)? else { return self.packed(&name) };
            match text.strip_prefix("ref:") {
                Some(target) => {
                    let target = target.trim();
                    if !target.starts_with("refs/") || !is_reference_name(target) {
                        return Err(RefFault::Damaged);
                    }
                    name = target.to_owned();
                }
                None => {
                    let id = text.split_ascii_whitespace().next().unwrap_or_default();
                    return if self.is_id(id) {
                        Ok(Some(id.to_ascii_lowercase()))
                    } else {
                        Err(RefFault::Damaged)
                    };
                }
            }
        }
        Err(RefFault::Damaged)
    }

    fn loose(&self, name: &str) -> Result<Option<String>, RefFault> {
        let is_own = !name.starts_with("refs/")
            || ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].iter().any(|own| name.starts_with(own));
        let place = if is_own { self.git_dir } else { self.common_dir };
        let Ok(path) = RelPath::parse(name) else { return Ok(None) };
        let file = match place.open_file(&path, Links::Refuse, LOOSE_BYTES_MAX) {
            Ok(file) => file,
            Err(OpenFault::NotFound | OpenFault::NotAFile) => return Ok(None),
            Err(_) => return Err(RefFault::Unreadable),
        };
        let bytes = file.read(LOOSE_BYTES_MAX, &Unwatched).map_err(|_| RefFault::Unreadable)?.bytes;
        String::from_utf8(bytes).map(Some).map_err(|_| RefFault::Damaged)
    }

    fn packed(&self, name: &str) -> Result<Option<String>, RefFault> {
        let path = RelPath::root().join(b"packed-refs");
        let file = match self.common_dir.open_file(&path, Links::Refuse, PACKED_BYTES_MAX) {
            Ok(file) => file,
            Err(OpenFault::NotFound) => return Ok(None),
            Err(_) => return Err(RefFault::Unreadable),
        };
        let bytes = file.read(PACKED_BYTES_MAX, &Unwatched).map_err(|_| RefFault::Unreadable)?.bytes;
        let digits = self.format.hex_digits();
        for line in bytes.split(|byte| *byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.len() == digits + 1 + name.len()
                && line[digits] == b' '
                && line[digits + 1..] == *name.as_bytes()
            {
                let id = std::str::from_utf8(&line[..digits]).map_err(|_| RefFault::Damaged)?;
                return if self.is_id(id) {
                    Ok(Some(id.to_ascii_lowercase()))
                } else {
                    Err(RefFault::Damaged)
                };
            }
        }
        Ok(None)
    }
}

/// Whether `name` may be a reference below `refs/` or a branch, by the rules of `git check-ref-format`.
pub(crate) fn is_reference_name(name: &str) -> bool {
    let is_forbidden = |c: char| c.is_control() || c == ' ' || "~^:?*[\\".contains(c);
    !name.is_empty()
        && name != "@"
        && !name.ends_with('.')
        && !name.contains("..")
        && !name.contains("@{")
        && !name.contains(is_forbidden)
        && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Tree;

    #[test]
    fn revisions_have_a_name_and_steps_back() {
        let parse = |text: &str| Revision::parse(text).map(|found| (found.name, found.walks));
        let name = |name: &str, walks: &[Walk]| Some((name.to_owned(), walks.to_vec()));
        assert_eq!(parse("HEAD"), name("HEAD", &[]));
        assert_eq!(parse("feature/x-1.2"), name("feature/x-1.2", &[]));
        assert_eq!(
            parse("HEAD~3^2~"),
            name("HEAD", &[Walk::Ancestor(3), Walk::Parent(2), Walk::Ancestor(1)])
        );
        assert_eq!(parse("v1~10000"), name("v1", &[Walk::Ancestor(10_000)]));
        for bad in [
            "",
            "-x",
            "a..b",
            "a@{1}",
            "a:b",
            "v1~10001",
            "a^{tree}",
            "a b",
            ".a",
            "/a",
            "a~x",
            "@",
            "a\n",
            "a~1b",
            "é",
            &"a".repeat(252),
        ] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
        assert!(parse(&"a".repeat(251)).is_some());
    }

    #[test]
    fn reference_names_follow_the_rules_of_git() {
        for good in ["main", "feature/x", "a.b", "a@b", "refs/heads/x"] {
            assert!(is_reference_name(good), "{good}");
        }
        for bad in [
            "", "@", "a..b", "a/", "/a", "a//b", ".a", "a/.b", "a.lock", "a.lock/b", "a.", "a b", "a~",
            "a@{b",
        ] {
            assert!(!is_reference_name(bad), "{bad}");
        }
    }

    #[test]
    fn names_are_looked_for_where_git_looks_and_pipes_are_never_waited_for() {
        let tree = Tree::new("a: x");
        tree.commit("one");
        tree.git(&["tag", "both"]);
        tree.file("a", "y").commit("two");
        tree.git(&["branch", "both"]);
        tree.git(&["branch", "packed"]);
        tree.git(&["pack-refs", "--all"]);
        tree.git(&["branch", "loose"]);
        let pin = |name: &str| Root::pin(&tree.path(name)).expect("pinned");
        let git_dir = pin(".git");
        let references = References { git_dir: &git_dir, common_dir: &git_dir, format: ObjectFormat::Sha1 };
        for name in ["HEAD", "both", "packed", "loose", "heads/both", "refs/heads/both", "main"] {
            let theirs = tree.git(&["rev-parse", "--quiet", "--verify", name]);
            assert_eq!(references.id_of(name), Ok(Some(theirs.trim().to_owned())), "{name}");
        }
        assert_eq!(references.id_of("absent"), Ok(None));
        assert_eq!(references.id_of("config"), Ok(None), "no other file of the folder is a reference");
        assert_eq!(references.id_of("ABCD"), Ok(Some("abcd".to_owned())));
        tree.file(".git/refs/heads/loop", "ref: refs/heads/loop\n");
        tree.file(".git/refs/heads/out", "ref: ../../private\n");
        assert_eq!(references.id_of("loop"), Err(RefFault::Damaged));
        assert_eq!(references.id_of("out"), Err(RefFault::Damaged));
        tree.remove(".git/packed-refs").fifo(".git/packed-refs");
        assert_eq!(references.id_of("packed"), Err(RefFault::Unreadable));
        tree.remove(".git/HEAD").fifo(".git/HEAD");
        assert_eq!(references.head(), Err(RefFault::Unreadable));
    }
}
