//! Where a repository begins and which ignore rules it declares besides the files in its folders. It reads a few
//! small files below pinned handles and starts nothing.

use std::path::{Path, PathBuf};

use disk::{Kind, Links, OpenFault, RelPath, Root};
use fault::Unwatched;

use crate::config::{self, Setting};

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

impl Repository {
    /// The repository that owns `root`, if any: the nearest folder at or above it that holds `.git`.
    pub fn discover(root: &Root) -> Option<Repository> {
        let path = root.path();
        let top = path.ancestors().find(|dir| std::fs::symlink_metadata(dir.join(".git")).is_ok())?;
        let prefix = RelPath::from_bytes(path.strip_prefix(top).ok()?.as_os_str().as_encoded_bytes())
            .unwrap_or_else(|_| RelPath::root());
        let top = Root::pin(top).ok()?;
        let git_dir = git_dir(&top, &RelPath::root());
        let common_dir = git_dir.as_ref().and_then(common_dir);
        let settings = common_dir.as_ref().map(read_settings).unwrap_or_default();
        Some(Repository { top, prefix, git_dir, common_dir, settings })
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
        let full = dir.components().fold(self.prefix.clone(), |path, part| path.join(part));
        declares(&self.top, &RelPath::root(), &full)
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
    let Some(common) = git_dir(root, dir).as_ref().and_then(common_dir) else {
        return RulesAt::NotARepository;
    };
    let rules =
        SubmoduleRules { exclude: read_exclude(&common), ignore_case: ignore_case(&read_settings(&common)) };
    let is_declared = match (owner, repository) {
        (Some(owner), Some(repository)) if owner.is_root() => repository.declares(dir),
        (Some(owner), _) => {
            let inner = dir.as_bytes().strip_prefix(owner.as_bytes()).unwrap_or_default();
            let inner = inner.strip_prefix(b"/").unwrap_or(inner);
            RelPath::from_bytes(inner).is_ok_and(|inner| declares(root, owner, &inner))
        }
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

fn read_settings(common: &Root) -> Vec<Setting> {
    let text = read_text(common, &RelPath::root().join(b"config"), CONFIG_BYTES_MAX);
    text.map(|text| config::settings(&text)).unwrap_or_default()
}

fn read_exclude(common: &Root) -> Rules {
    read_rules(common, &RelPath::root().join(b"info").join(b"exclude"))
}

/// The git folder of the repository whose work tree is `dir`: a folder `.git`, or the one that a file `.git` names
/// when that folder points back at the very same file, which a checkout cannot forge in someone else's repository
/// (spec `security.md` 2.4).
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
            let pinned = Root::pin(&work_tree.join(named)).ok()?;
            let points_back = || {
                let back = read_text(&pinned, &RelPath::root().join(b"gitdir"), POINTER_BYTES_MAX)?;
                let back = std::fs::symlink_metadata(pinned.path().join(back.trim())).ok()?;
                use std::os::unix::fs::MetadataExt;
                (back.dev() == seen.dev && back.ino() == seen.ino).then_some(())
            };
            let is_ours = pinned.path().starts_with(root.path()) || is_module_of(root, &pinned);
            (is_ours || points_back().is_some()).then_some(pinned)
        }
        Kind::Link | Kind::Special => None,
    }
}

/// Whether a git folder is kept by the repository that owns the root, as git keeps those of submodules.
fn is_module_of(root: &Root, git_dir: &Root) -> bool {
    root.path().ancestors().any(|dir| git_dir.path().starts_with(dir.join(".git").join("modules")))
}

/// The folder that holds what worktrees share: the git folder itself, or the one that its `commondir` names.
fn common_dir(git_dir: &Root) -> Option<Root> {
    match read_text(git_dir, &RelPath::root().join(b"commondir"), POINTER_BYTES_MAX) {
        Some(named) => Root::pin(&git_dir.path().join(named.trim())).ok(),
        None => Root::pin(git_dir.path()).ok(),
    }
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
