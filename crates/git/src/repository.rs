//! Where a repository begins and which ignore rules it declares besides the files in its folders. It reads a few
//! small files below pinned handles and starts nothing.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use disk::{Kind, Links, OpenFault, RelPath, Root, Stat};
use fault::Unwatched;

use crate::address::names_a_host;
use crate::config::{self, Setting};
use crate::index::ObjectFormat;

/// Bytes of an ignore file (spec `security.md` 2.2).
const RULES_BYTES_MAX: u64 = 256 * 1024;
/// Bytes of a configuration file.
const CONFIG_BYTES_MAX: u64 = 1024 * 1024;
/// Bytes of a `.git` file and of `commondir`.
const POINTER_BYTES_MAX: u64 = 4 * 1024;

/// A repository that owns a root: the folder with `.git` at or above it.
pub struct Repository {
    top: Root,
    prefix: RelPath,
    git_dir: Option<Root>,
    common_dir: Option<Root>,
    settings: Vec<Setting>,
    marks: Marks,
}

/// What must be as it was for a discovery to hold: the entry `.git` and the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marks {
    dot_git: Option<Stat>,
    config: Option<Stat>,
}

impl Marks {
    fn of(top: &Root, common_dir: Option<&Root>) -> Marks {
        let stat = |root: &Root, name: &[u8]| root.stat(&RelPath::root().join(name), Links::Refuse).ok();
        // A folder is written whenever something in it is replaced; only which one it is counts.
        let dot_git = stat(top, b".git").map(|mut stat| {
            if stat.kind == Kind::Directory {
                (stat.mtime, stat.nlink, stat.size_bytes) = (SystemTime::UNIX_EPOCH, 0, 0);
            }
            stat
        });
        Marks { dot_git, config: common_dir.and_then(|common| stat(common, b"config")) }
    }
}

/// The text of a file with ignore rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rules {
    /// There is no such file.
    Absent,
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It is there and cannot be read, is too large, a link or no regular file.
    Unreadable,
}

/// Rules of a folder above a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AncestorRules {
    /// The folder, from the top of the repository.
    pub folder: RelPath,
    /// Its ignore file.
    pub rules: Rules,
}

/// What a declared submodule brings along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmoduleRules {
    /// Its `info/exclude`.
    pub exclude: Rules,
    /// Its `core.ignoreCase`.
    pub ignore_case: bool,
}

/// What lies at a folder below a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesAt {
    /// No repository begins there.
    NotARepository,
    /// A repository that nothing declares.
    Undeclared(SubmoduleRules),
    /// An initialised submodule of the owning repository.
    Declared(SubmoduleRules),
}

/// Whether a repository owns `root`: a folder at or above it holds an entry `.git`.
pub fn has_boundary(root: &Root) -> bool {
    boundary(root.path()).is_some()
}

fn boundary(path: &Path) -> Option<&Path> {
    path.ancestors().find(|dir| std::fs::symlink_metadata(dir.join(".git")).is_ok())
}

impl Repository {
    /// The repository that owns `root`, if any: the nearest folder at or above it that holds `.git`.
    pub fn discover(root: &Root) -> Option<Repository> {
        let path = root.path();
        let top = boundary(path)?;
        let prefix = RelPath::from_bytes(path.strip_prefix(top).ok()?.as_os_str().as_encoded_bytes())
            .unwrap_or_else(|_| RelPath::root());
        let top = Root::pin(top).ok()?;
        let git_dir = git_dir(&top, &RelPath::root());
        let common_dir = git_dir.as_ref().and_then(|git_dir| common_dir(git_dir, &top));
        let marks = Marks::of(&top, common_dir.as_ref());
        let settings = common_dir.as_ref().map(read_settings).unwrap_or_default();
        Some(Repository { top, prefix, git_dir, common_dir, settings, marks })
    }

    /// Whether a discovery for `root` would find the same repository with the same settings.
    pub fn is_current(&self, root: &Root) -> bool {
        boundary(root.path()) == Some(self.top.path())
            && self.top.still_there()
            && self.git_dir.as_ref().is_some_and(Root::still_there)
            && self.common_dir.as_ref().is_some_and(Root::still_there)
            && Marks::of(&self.top, self.common_dir.as_ref()) == self.marks
    }

    /// The repository whose top is `dir`, a folder below `root` that holds `.git`; none when `.git` does not lead to
    /// one that may be read.
    pub(crate) fn nested(root: &Root, dir: &RelPath) -> Option<Repository> {
        let top = Root::pin(&absolute(root, dir)).ok().filter(|top| top.path() == absolute(root, dir))?;
        let git_dir = git_dir(root, dir)?;
        let common_dir = common_dir(&git_dir, root)?;
        let marks = Marks::of(&top, Some(&common_dir));
        let settings = read_settings(&common_dir);
        let (git_dir, common_dir) = (Some(git_dir), Some(common_dir));
        Some(Repository { top, prefix: RelPath::root(), git_dir, common_dir, settings, marks })
    }

    /// The folder that holds `.git`.
    pub fn top(&self) -> &Root {
        &self.top
    }

    /// The path from [`Repository::top`] to the root.
    pub fn prefix(&self) -> &RelPath {
        &self.prefix
    }

    /// The repository's own folder; absent when `.git` does not lead to one that may be read.
    pub fn git_dir(&self) -> Option<&Root> {
        self.git_dir.as_ref()
    }

    /// The folder that all worktrees of the repository share.
    pub(crate) fn common_dir(&self) -> Option<&Root> {
        self.common_dir.as_ref()
    }

    /// The repository's own settings; nothing that they include.
    pub(crate) fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// Which hash its objects are named with.
    pub(crate) fn object_format(&self) -> ObjectFormat {
        let set = self.settings.iter().rev().find(|setting| setting.is("extensions", "objectformat"));
        match set {
            Some(setting) if setting.value.eq_ignore_ascii_case("sha256") => ObjectFormat::Sha256,
            _ => ObjectFormat::Sha1,
        }
    }

    /// `core.ignoreCase`.
    pub fn ignore_case(&self) -> bool {
        ignore_case(&self.settings)
    }

    /// `info/exclude`, through `commondir` for a worktree. Global excludes are not read.
    pub fn exclude(&self) -> Rules {
        self.common_dir.as_ref().map_or(Rules::Absent, read_exclude)
    }

    /// The ignore files of the folders above the root, from the top of the repository downwards.
    pub fn ancestors(&self) -> Vec<AncestorRules> {
        let parts: Vec<&[u8]> = self.prefix.components().collect();
        let join = |parts: &[&[u8]]| parts.iter().fold(RelPath::root(), |path, part| path.join(part));
        (0..parts.len())
            .map(|depth| {
                let folder = join(&parts[..depth]);
                let rules = read_rules(&self.top, &folder.join(b".gitignore"));
                AncestorRules { folder, rules }
            })
            .collect()
    }

    /// Whether `.gitmodules` at the top names `dir`, a folder below the root.
    fn declares(&self, dir: &RelPath) -> bool {
        declares(&self.top, &RelPath::root(), &self.prefix.join_path(dir))
    }

    /// Whether the repository with its top at `owner` (the root itself when the top lies at or above it) declares
    /// `dir`, a folder below `root`, as a submodule.
    pub(crate) fn declares_at(&self, root: &Root, owner: &RelPath, dir: &RelPath) -> bool {
        if owner.is_root() {
            return self.declares(dir);
        }
        dir.seen_from(owner).is_some_and(|inner| declares(root, owner, &inner))
    }
}

/// What lies at `dir`, a folder below `root` that holds an entry `.git`. `repository` owns the root, if any does;
/// `owner` is the top folder of the repository that owns `dir` as far as it lies below the root (the root itself
/// when the top lies at or above it).
pub fn rules_at(
    root: &Root,
    repository: Option<&Repository>,
    owner: Option<&RelPath>,
    dir: &RelPath,
) -> RulesAt {
    let Some(common) = git_dir(root, dir).and_then(|git_dir| common_dir(&git_dir, root)) else {
        return RulesAt::NotARepository;
    };
    let rules =
        SubmoduleRules { exclude: read_exclude(&common), ignore_case: ignore_case(&read_settings(&common)) };
    let is_declared = match (owner, repository) {
        (Some(owner), Some(repository)) => repository.declares_at(root, owner, dir),
        (Some(owner), None) => dir.seen_from(owner).is_some_and(|inner| declares(root, owner, &inner)),
        (None, _) => false,
    };
    if is_declared { RulesAt::Declared(rules) } else { RulesAt::Undeclared(rules) }
}

/// Whether `.gitmodules` in `top`, a folder below `root`, names the folder `inner` below it.
fn declares(root: &Root, top: &RelPath, inner: &RelPath) -> bool {
    let modules = read_text(root, &top.join(b".gitmodules"), CONFIG_BYTES_MAX);
    modules.is_some_and(|text| {
        config::settings(&text).iter().any(|setting| {
            setting.section == "submodule"
                && setting.key == "path"
                && RelPath::parse(&setting.value).is_ok_and(|path| path == *inner)
        })
    })
}

fn ignore_case(settings: &[Setting]) -> bool {
    let last = settings.iter().rev().find(|setting| setting.is("core", "ignorecase"));
    last.and_then(Setting::as_bool).unwrap_or(false)
}

pub(crate) fn read_settings(common: &Root) -> Vec<Setting> {
    let text = read_text(common, &RelPath::root().join(b"config"), CONFIG_BYTES_MAX);
    text.map(|text| config::settings(&text)).unwrap_or_default()
}

fn read_exclude(common: &Root) -> Rules {
    read_rules(common, &RelPath::root().join(b"info").join(b"exclude"))
}

/// The git folder of the repository whose work tree is `dir`: a folder `.git`, or the one that a file `.git` names
/// when that folder lies below the root or points back at the very same place, which a checkout cannot forge in
/// someone else's repository (spec `security.md` 2.4).
fn git_dir(root: &Root, dir: &RelPath) -> Option<Root> {
    let dot_git = dir.join(b".git");
    let seen = root.stat(&dot_git, Links::Refuse).ok()?;
    let work_tree = absolute(root, dir);
    match seen.kind {
        Kind::Directory => {
            let pinned = Root::pin(&work_tree.join(".git")).ok()?;
            (pinned.path() == work_tree.join(".git")).then_some(pinned)
        }
        Kind::File => {
            let text = read_text(root, &dot_git, POINTER_BYTES_MAX)?;
            let named = text.strip_prefix("gitdir:")?.trim();
            if names_a_host(named) {
                return None;
            }
            let pinned = Root::pin(&work_tree.join(named)).ok()?;
            let is_ours = pinned.path().starts_with(root.path())
                || is_worktree_of(&pinned, &seen)
                || is_module_at(&pinned, &work_tree);
            is_ours.then_some(pinned)
        }
        Kind::Link | Kind::Special => None,
    }
}

/// Whether a git folder of a linked worktree names this very `.git` file.
fn is_worktree_of(git_dir: &Root, dot_git: &Stat) -> bool {
    let Some(back) = read_text(git_dir, &RelPath::root().join(b"gitdir"), POINTER_BYTES_MAX) else {
        return false;
    };
    std::fs::symlink_metadata(git_dir.path().join(back.trim()))
        .is_ok_and(|back| (back.dev(), back.ino()) == (dot_git.dev, dot_git.ino))
}

/// Whether a git folder that a superproject keeps for a submodule names this very work tree.
fn is_module_at(git_dir: &Root, work_tree: &Path) -> bool {
    let settings = read_settings(git_dir);
    let Some(named) = settings.iter().rev().find(|setting| setting.is("core", "worktree")) else {
        return false;
    };
    let place = |path: &Path| std::fs::symlink_metadata(path).ok().map(|stat| (stat.dev(), stat.ino()));
    let back = place(&git_dir.path().join(&named.value));
    back.is_some() && back == place(work_tree)
}

/// The folder that holds what worktrees share: the git folder itself, or the one that its `commondir` names, when that
/// one lies below the root or keeps the git folder among its worktrees.
fn common_dir(git_dir: &Root, root: &Root) -> Option<Root> {
    let name = RelPath::root().join(b"commondir");
    if git_dir.stat(&name, Links::Refuse) == Err(OpenFault::NotFound) {
        return Root::pin(git_dir.path()).ok();
    }
    let named = read_text(git_dir, &name, POINTER_BYTES_MAX)?;
    if names_a_host(named.trim()) {
        return None;
    }
    let common = Root::pin(&git_dir.path().join(named.trim())).ok()?;
    let is_ours =
        common.path().starts_with(root.path()) || git_dir.path().starts_with(common.path().join("worktrees"));
    is_ours.then_some(common)
}

fn absolute(root: &Root, dir: &RelPath) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    let below = Path::new(std::ffi::OsStr::from_bytes(dir.as_bytes()));
    if dir.is_root() { root.path().to_owned() } else { root.path().join(below) }
}

fn read_rules(root: &Root, path: &RelPath) -> Rules {
    match root.open_file(path, Links::Refuse, RULES_BYTES_MAX) {
        Ok(file) => match file.read(RULES_BYTES_MAX, &Unwatched) {
            Ok(read) => Rules::Bytes(read.bytes),
            Err(_) => Rules::Unreadable,
        },
        Err(OpenFault::NotFound) => Rules::Absent,
        Err(_) => Rules::Unreadable,
    }
}

fn read_text(root: &Root, path: &RelPath, max_bytes: u64) -> Option<String> {
    let file = root.open_file(path, Links::Refuse, max_bytes).ok()?;
    String::from_utf8(file.read(max_bytes, &Unwatched).ok()?.bytes).ok()
}

#[cfg(test)]
mod tests;
