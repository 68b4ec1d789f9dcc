//! Which files a momentary state of a repository names: staged, changed, or different between two commits. Git is
//! asked through a stand-in for the repository's own folder; every repository that owns files below the root is asked
//! on its own. It chooses no file.

use disk::{Links, RelPath, Root, StoreFault, WorkFolder};
use fault::{Stop, Watch};

use crate::refs::{References, Revision, Walk};
use crate::repository::Repository;
use crate::run::{GitProgram, RunFault};
use crate::shadow::{Shadow, ShadowFault};
use crate::tracked::nested_repositories;

/// Paths that a scope may name (security model 2.4).
const ENTRIES_MAX: usize = 200_000;
/// Bytes of one path (spec 7.4).
const PATH_BYTES_MAX: usize = 32_768;
const EMPTY_TREE_SHA1: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const EMPTY_TREE_SHA256: &str = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/// A momentary state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'s> {
    /// What the index changes against HEAD; against nothing before the first commit.
    Staged,
    /// Staged, unstaged and untracked paths that are not ignored.
    Changes,
    /// What differs between two revisions.
    Diff {
        /// The older side, as the caller wrote it.
        from: &'s str,
        /// The newer side.
        to: &'s str,
    },
}

/// The paths of a scope, as seen from the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoped {
    /// Files that are in the work tree, in no promised order.
    pub present: Vec<RelPath>,
    /// Files that the state names and that are deleted or not in the work tree; the old names of renamed ones too.
    pub deleted: Vec<RelPath>,
    /// How many nested repositories could not be read and are left out.
    pub unreadable: usize,
    /// How many nested repositories do not have the revisions of a diff and are left out.
    pub without_revisions: usize,
}

/// Why there is no scope. The texts name no path and no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeFault {
    /// `.git` does not lead to a repository that may be read.
    #[error("`.git` does not lead to a repository that may be read")]
    NoGitDir,
    /// A side of a diff is written in a way that is not accepted.
    #[error("a reference is not written as references are")]
    BadRevision,
    /// A side of a diff is not a commit of this repository.
    #[error("a reference is not a commit of this repository")]
    UnknownRevision,
    /// The repository has an extension that changes how it must be read.
    #[error("the repository has an extension that is not supported")]
    Extension,
    /// Objects would be read from elsewhere.
    #[error("the repository borrows objects from outside of the project")]
    Borrowed,
    /// A file of the repository cannot be read.
    #[error("the repository cannot be read")]
    Unreadable,
    /// Git failed, or said something that is not understood.
    #[error("git could not answer")]
    Failed,
    /// More paths, longer paths or more output than is read.
    #[error("the state names too many files")]
    TooMuch,
    /// Git took too long.
    #[error("git took too long")]
    TooSlow,
    /// The call ended.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<RunFault> for ScopeFault {
    fn from(fault: RunFault) -> Self {
        match fault {
            RunFault::NotStarted | RunFault::Failed => ScopeFault::Failed,
            RunFault::TooMuch => ScopeFault::TooMuch,
            RunFault::TooSlow => ScopeFault::TooSlow,
            RunFault::Stopped(stop) => ScopeFault::Stopped(stop),
        }
    }
}

impl From<ShadowFault> for ScopeFault {
    fn from(fault: ShadowFault) -> Self {
        match fault {
            ShadowFault::Extension => ScopeFault::Extension,
            ShadowFault::Borrowed => ScopeFault::Borrowed,
            ShadowFault::Unreadable | ShadowFault::Reference(_) => ScopeFault::Unreadable,
            ShadowFault::Store(_) => ScopeFault::Failed,
            ShadowFault::Run(fault) => fault.into(),
        }
    }
}

/// Whether `text` may stand on one side of a diff; what it names is another question.
pub fn is_revision(text: &str) -> bool {
    Revision::parse(text).is_some()
}

/// Asks git for a scope below `root`, which `repository` owns. With `paths`, nested repositories that none of them
/// lies in or above are not asked. `folder` gives an empty private folder for each repository that is.
///
/// # Errors
/// [`ScopeFault`]; a truncated answer of git is never used.
pub fn scoped(
    git: &GitProgram,
    folder: &dyn Fn() -> Result<WorkFolder, StoreFault>,
    root: &Root,
    repository: &Repository,
    scope: Scope<'_>,
    paths: &[RelPath],
    watch: &dyn Watch,
) -> Result<Scoped, ScopeFault> {
    if let Scope::Diff { from, to } = scope
        && !(is_revision(from) && is_revision(to))
    {
        return Err(ScopeFault::BadRevision);
    }
    let ask = Ask { git, folder, scope, watch };
    let mut found = Scoped::default();
    let top = ask.repository(repository)?;
    found.take(root, repository.prefix(), &RelPath::root(), top);
    let nested = nested_repositories(root, repository, watch).map_err(|fault| match fault {
        crate::TrackedFault::Stopped(stop) => ScopeFault::Stopped(stop),
        _ => ScopeFault::Unreadable,
    })?;
    found.unreadable = nested.unreadable;
    for (dir, repository) in &nested.repositories {
        let concerns = |path: &RelPath| path.starts_with(dir) || dir.starts_with(path);
        if !paths.is_empty() && !paths.iter().any(concerns) {
            continue;
        }
        match ask.repository(repository) {
            Ok(changes) => found.take(root, &RelPath::root(), dir, changes),
            Err(ScopeFault::UnknownRevision) => found.without_revisions += 1,
            Err(fault) => return Err(fault),
        }
    }
    if found.present.len() + found.deleted.len() > ENTRIES_MAX {
        return Err(ScopeFault::TooMuch);
    }
    Ok(found)
}

/// What one repository names, from its top.
#[derive(Debug, Default, PartialEq, Eq)]
struct Changes {
    named: Vec<RelPath>,
    deleted: Vec<RelPath>,
}

impl Scoped {
    /// Adds what a repository at `dir` below the root names below `prefix`.
    fn take(&mut self, root: &Root, prefix: &RelPath, dir: &RelPath, changes: Changes) {
        let from_root = |path: &RelPath| path.seen_from(prefix).map(|path| dir.join_path(&path));
        for path in changes.named.iter().filter_map(from_root) {
            match root.stat(&path, Links::Refuse) {
                Err(disk::OpenFault::NotFound) => self.deleted.push(path),
                _ => self.present.push(path),
            }
        }
        self.deleted.extend(changes.deleted.iter().filter_map(from_root));
        self.deleted.sort_unstable();
        self.deleted.dedup();
    }
}

/// One question to several repositories.
struct Ask<'a> {
    git: &'a GitProgram,
    folder: &'a dyn Fn() -> Result<WorkFolder, StoreFault>,
    scope: Scope<'a>,
    watch: &'a dyn Watch,
}

impl Ask<'_> {
    fn repository(&self, repository: &Repository) -> Result<Changes, ScopeFault> {
        let (Some(git_dir), Some(common_dir)) = (repository.git_dir(), repository.common_dir()) else {
            return Err(ScopeFault::NoGitDir);
        };
        let references = References { git_dir, common_dir, format: repository.object_format() };
        let head = references.head().map_err(ShadowFault::from)?;
        let folder = (self.folder)().map_err(ShadowFault::from)?;
        let shadow = Shadow::build(folder, repository, head.as_deref())?;
        match self.scope {
            Scope::Staged => {
                let empty = match shadow.format {
                    crate::index::ObjectFormat::Sha1 => EMPTY_TREE_SHA1,
                    crate::index::ObjectFormat::Sha256 => EMPTY_TREE_SHA256,
                };
                let against = head.as_deref().unwrap_or(empty);
                let command = [
                    "diff-index",
                    "--cached",
                    "--name-status",
                    "-z",
                    "--no-renames",
                    "--ignore-submodules=all",
                    against,
                ];
                name_status(&shadow.run(self.git, &command, self.watch)?)
            }
            Scope::Changes => {
                let command = [
                    "status",
                    "--porcelain=v2",
                    "-z",
                    "--untracked-files=all",
                    "--ignore-submodules=all",
                    "--no-renames",
                ];
                porcelain(&shadow.run(self.git, &command, self.watch)?)
            }
            Scope::Diff { from, to } => {
                let from = self.commit(&shadow, &references, from)?;
                let to = self.commit(&shadow, &references, to)?;
                let command =
                    ["diff-tree", "-r", "--name-status", "-z", "--no-renames", "--no-commit-id", &from, &to];
                name_status(&shadow.run(self.git, &command, self.watch)?)
            }
        }
    }

    /// The commit that a revision names. Git sees ids only, and the steps one by one.
    fn commit(
        &self,
        shadow: &Shadow<'_>,
        references: &References<'_>,
        text: &str,
    ) -> Result<String, ScopeFault> {
        let revision = Revision::parse(text).ok_or(ScopeFault::BadRevision)?;
        let found = references.id_of(&revision.name).map_err(ShadowFault::from)?;
        // Also makes a commit of a tag, and a full id of a shortened one.
        let mut id = self.step(shadow, &found.ok_or(ScopeFault::UnknownRevision)?, Walk::Ancestor(0))?;
        for walk in revision.walks {
            id = self.step(shadow, &id, walk)?;
        }
        Ok(id)
    }

    fn step(&self, shadow: &Shadow<'_>, id: &str, walk: Walk) -> Result<String, ScopeFault> {
        let skip = match walk {
            Walk::Ancestor(count) => format!("--skip={count}"),
            Walk::Parent(_) => "--parents".to_owned(),
        };
        let command = ["rev-list", "--first-parent", "--max-count=1", &skip, id, "--"];
        // Without `--first-parent` all parents are told.
        let command: Vec<&str> = command
            .into_iter()
            .filter(|word| matches!(walk, Walk::Ancestor(_)) || *word != "--first-parent")
            .collect();
        let told = match shadow.run(self.git, &command, self.watch) {
            Err(RunFault::Failed) => return Err(ScopeFault::UnknownRevision),
            told => told?,
        };
        let told = String::from_utf8(told).map_err(|_| ScopeFault::Failed)?;
        let nth = match walk {
            Walk::Ancestor(_) => 0,
            Walk::Parent(count) => count as usize,
        };
        let id = told.split_ascii_whitespace().nth(nth).ok_or(ScopeFault::UnknownRevision)?;
        let is_id = id.len() == shadow.format.hex_digits() && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_id { Ok(id.to_owned()) } else { Err(ScopeFault::Failed) }
    }
}

/// Reads pairs of a status and a path, each ended by NUL.
fn name_status(bytes: &[u8]) -> Result<Changes, ScopeFault> {
    let mut changes = Changes::default();
    let mut fields = fields(bytes)?;
    while let Some(status) = fields.next() {
        let path = path(fields.next().ok_or(ScopeFault::Failed)?)?;
        match status.first() {
            Some(b'D') => changes.deleted.push(path),
            Some(b'A' | b'M' | b'T' | b'U') => changes.named.push(path),
            _ => return Err(ScopeFault::Failed),
        }
        changes.bounded()?;
    }
    Ok(changes)
}

/// Reads `git status --porcelain=v2 -z`.
fn porcelain(bytes: &[u8]) -> Result<Changes, ScopeFault> {
    let mut changes = Changes::default();
    for line in fields(bytes)? {
        // How many words stand before the path, which may itself hold spaces.
        let words = match line.first() {
            Some(b'1') => 8,
            Some(b'u') => 10,
            Some(b'?') => 1,
            Some(b'!' | b'#') => continue,
            _ => return Err(ScopeFault::Failed),
        };
        let state = line.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
        let name = line.splitn(words + 1, |byte| *byte == b' ').nth(words).ok_or(ScopeFault::Failed)?;
        if line[0] == b'?' {
            // A folder is a repository that nothing declares; it is not entered.
            if !name.ends_with(b"/") {
                changes.named.push(path(name)?);
            }
        } else if line[0] == b'1' && (state.get(1) == Some(&b'D') || state == b"D.") {
            changes.deleted.push(path(name)?);
        } else {
            changes.named.push(path(name)?);
        }
        changes.bounded()?;
    }
    // What was taken out of the index and is still there is untracked, not deleted.
    changes.named.sort_unstable();
    changes.named.dedup();
    let Changes { named, deleted } = &mut changes;
    deleted.retain(|path| named.binary_search(path).is_err());
    Ok(changes)
}

impl Changes {
    fn bounded(&self) -> Result<(), ScopeFault> {
        if self.named.len() + self.deleted.len() > ENTRIES_MAX { Err(ScopeFault::TooMuch) } else { Ok(()) }
    }
}

/// The fields of an output whose every field ends with NUL.
fn fields(bytes: &[u8]) -> Result<impl Iterator<Item = &[u8]>, ScopeFault> {
    let whole = match bytes {
        [] => bytes,
        [all @ .., 0] => all,
        _ => return Err(ScopeFault::Failed),
    };
    Ok(whole.split(|byte| *byte == 0).filter(move |_| !bytes.is_empty()))
}

fn path(name: &[u8]) -> Result<RelPath, ScopeFault> {
    if name.len() > PATH_BYTES_MAX {
        return Err(ScopeFault::TooMuch);
    }
    match RelPath::from_bytes(name) {
        Ok(path) if path.as_bytes() == name => Ok(path),
        Err(disk::PathFault::TooLong) => Err(ScopeFault::TooMuch),
        _ => Err(ScopeFault::Failed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(paths: &[RelPath]) -> Vec<&str> {
        paths.iter().filter_map(RelPath::as_str).collect()
    }

    #[test]
    fn the_outputs_of_git_are_read_name_by_name_and_never_in_part() {
        let changes = name_status(b"M\0a b\0D\0gone\0A\0new\nline\0T\0t\0").expect("well formed");
        assert_eq!(texts(&changes.named), ["a b", "new\nline", "t"]);
        assert_eq!(texts(&changes.deleted), ["gone"]);
        assert_eq!(name_status(b""), Ok(Changes::default()));
        for bad in [&b"M\0a"[..], b"M\0", b"X\0a\0", b"M\0../a\0", b"M\0/a\0"] {
            assert!(name_status(bad).is_err(), "{bad:?}");
        }
        let zeros = "1 .M N... 100644 100644 100644 0 0 a b\x001 D. N... 100644 0 0 0 0 kept\x001 .D N... 1 1 0 0 0 gone\0\
                     u UU N... 1 1 1 1 0 0 0 both\0? kept\0? new file\0? nested/\0";
        let changes = porcelain(zeros.as_bytes()).expect("well formed");
        assert_eq!(texts(&changes.named), ["a b", "both", "kept", "new file"]);
        assert_eq!(texts(&changes.deleted), ["gone"]);
        assert!(
            porcelain(b"2 R. x\0").is_err() && porcelain(b"? a").is_err() && porcelain(b"1 .M\0").is_err()
        );
    }

    #[test]
    fn a_state_names_at_most_so_many_files() {
        let many = |count: usize| (0..count).map(|at| format!("A\0f{at}\0")).collect::<String>();
        assert!(name_status(many(ENTRIES_MAX).as_bytes()).is_ok());
        assert_eq!(name_status(many(ENTRIES_MAX + 1).as_bytes()), Err(ScopeFault::TooMuch));
    }
}
