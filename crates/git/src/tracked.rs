//! Which files are tracked below a root: the index of the repository that owns it, and those of the submodules that it
//! declares, without starting git. It chooses no file and knows no tool.

use disk::{Kind, Links, OpenFault, RelPath, Root};
use fault::{Stop, Watch};

use crate::index::{Index, IndexFault, read_index};
use crate::repository::Repository;

/// Repositories whose index is read for one list.
const MODULES_MAX: usize = 10_000;

/// The tracked files below a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracked {
    /// From the root, each once, in no promised order.
    pub files: Vec<RelPath>,
    /// How many nested repositories have an index that could not be read; their files are not in the list.
    pub unreadable: usize,
}

/// Why there is no list. The texts name no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrackedFault {
    /// `.git` does not lead to a repository that may be read.
    #[error("`.git` does not lead to a repository that may be read")]
    NoGitDir,
    /// The index of the owning repository.
    #[error(transparent)]
    Index(IndexFault),
    /// A sparse index, and files on disk in a folder that it does not list.
    #[error("the index is sparse and does not list every folder that is on disk")]
    Sparse,
    /// The call ended.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

impl From<IndexFault> for TrackedFault {
    fn from(fault: IndexFault) -> Self {
        match fault {
            IndexFault::Stopped(stop) => TrackedFault::Stopped(stop),
            fault => TrackedFault::Index(fault),
        }
    }
}

/// Lists the files below `root` that the index of `repository`, which owns it, holds; unmerged, intent-to-add and
/// skipped ones included. A submodule counts when `.gitmodules` declares it and it is checked out; any other
/// repository inside is not entered.
///
/// # Errors
/// [`TrackedFault`] for the owning repository; what is wrong with a nested one is only counted.
pub fn tracked(root: &Root, repository: &Repository, watch: &dyn Watch) -> Result<Tracked, TrackedFault> {
    let git_dir = repository.git_dir().ok_or(TrackedFault::NoGitDir)?;
    let index = read_index(git_dir, repository.object_format(), watch)?;
    if !is_complete(repository.top(), &RelPath::root(), &index) {
        return Err(TrackedFault::Sparse);
    }
    let prefix = repository.prefix();
    let mut tracked = Tracked { files: below(index.files, prefix), unreadable: 0 };
    let mut add = |dir: &RelPath, _: Repository, index: Index| {
        tracked.files.extend(index.files.iter().map(|file| dir.join_path(file)));
    };
    let unreadable = each_module(root, repository, below(index.modules, prefix), watch, &mut add)?;
    tracked.unreadable = unreadable;
    Ok(tracked)
}

/// The submodules below a root that are declared and checked out.
#[derive(Default)]
pub(crate) struct NestedRepositories {
    pub(crate) repositories: Vec<(RelPath, Repository)>,
    /// How many others have an index that could not be read.
    pub(crate) unreadable: usize,
}

/// Finds the submodules below `root`, which `repository` owns. Without a `.gitmodules` there are none, and no index is
/// read.
pub(crate) fn nested_repositories(
    root: &Root,
    repository: &Repository,
    watch: &dyn Watch,
) -> Result<NestedRepositories, TrackedFault> {
    let mut nested = NestedRepositories::default();
    let declared = repository.top().stat(&RelPath::root().join(b".gitmodules"), Links::Refuse);
    if declared == Err(OpenFault::NotFound) {
        return Ok(nested);
    }
    let git_dir = repository.git_dir().ok_or(TrackedFault::NoGitDir)?;
    let index = read_index(git_dir, repository.object_format(), watch)?;
    let mut add = |dir: &RelPath, repository: Repository, _: Index| {
        nested.repositories.push((dir.clone(), repository));
    };
    let modules = below(index.modules, repository.prefix());
    let unreadable = each_module(root, repository, modules, watch, &mut add)?;
    nested.unreadable = unreadable;
    Ok(nested)
}

/// Visits the checked out submodules at `modules` and those inside of them; says how many could not be read.
fn each_module(
    root: &Root,
    repository: &Repository,
    modules: Vec<RelPath>,
    watch: &dyn Watch,
    visit: &mut dyn FnMut(&RelPath, Repository, Index),
) -> Result<usize, TrackedFault> {
    let mut ahead: Vec<Module> =
        modules.into_iter().map(|dir| Module { owner: RelPath::root(), dir }).collect();
    let (mut seen, mut unreadable) = (0, 0);
    while let Some(Module { owner, dir }) = ahead.pop() {
        watch.check()?;
        seen += 1;
        if seen > MODULES_MAX {
            return Ok(unreadable + 1);
        }
        match module(root, repository, &owner, &dir, watch) {
            Ok(None) => {}
            Ok(Some((nested, index))) => {
                let inner = index.modules.iter();
                ahead.extend(inner.map(|module| Module { owner: dir.clone(), dir: dir.join_path(module) }));
                visit(&dir, nested, index);
            }
            Err(TrackedFault::Stopped(stop)) => return Err(TrackedFault::Stopped(stop)),
            Err(_) => unreadable += 1,
        }
    }
    Ok(unreadable)
}

/// A folder that an index says is a repository, and the top of the repository that says so.
struct Module {
    owner: RelPath,
    dir: RelPath,
}

/// The index of a nested repository; nothing when it is not checked out or not declared.
fn module(
    root: &Root,
    repository: &Repository,
    owner: &RelPath,
    dir: &RelPath,
    watch: &dyn Watch,
) -> Result<Option<(Repository, Index)>, TrackedFault> {
    match root.stat(&dir.join(b".git"), Links::Refuse) {
        Ok(stat) if matches!(stat.kind, Kind::Directory | Kind::File) => {}
        Err(OpenFault::NotFound) => return Ok(None),
        Ok(_) | Err(_) => return Err(TrackedFault::NoGitDir),
    }
    let nested = Repository::nested(root, dir).ok_or(TrackedFault::NoGitDir)?;
    let git_dir = nested.git_dir().ok_or(TrackedFault::NoGitDir)?;
    let index = read_index(git_dir, nested.object_format(), watch)?;
    if !is_complete(root, dir, &index) {
        return Err(TrackedFault::Sparse);
    }
    Ok(repository.declares_at(root, owner, dir).then_some((nested, index)))
}

/// Whether a sparse index leaves out only folders that are not there.
fn is_complete(root: &Root, top: &RelPath, index: &Index) -> bool {
    index
        .collapsed
        .iter()
        .all(|folder| matches!(root.stat(&top.join_path(folder), Links::Refuse), Err(OpenFault::NotFound)))
}

/// Those paths that lie below `prefix`, seen from there.
fn below(paths: Vec<RelPath>, prefix: &RelPath) -> Vec<RelPath> {
    if prefix.is_root() {
        return paths;
    }
    paths.iter().filter_map(|path| path.seen_from(prefix)).collect()
}
