//! The index of one repository, from bytes that were read below its pinned folder: which paths it holds, and which of
//! them are repositories of their own. It maps no file into memory, starts nothing and looks at no work tree.

use disk::{Links, OpenFault, ReadFault, RelPath, Root};
use fault::{Stop, Watch};
use gix_index::entry::Mode;
use gix_index::{State, decode, hash};

/// Bytes of an index (security model 2.4).
pub(crate) const INDEX_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// The largest single allocation that an index may ask for.
const ALLOCATION_BYTES_MAX: usize = 1024 * 1024 * 1024;
/// The stack of the thread that parses; nested trees of an extension are decoded by recursion.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Why an index says nothing. The texts name no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexFault {
    /// It is a link, a pipe, a device or a folder, or access is denied.
    #[error("the index cannot be opened")]
    Unreadable,
    /// It has more than 256 MiB.
    #[error("the index is larger than 256 MiB")]
    TooLarge,
    /// It is damaged, or has a version or a mandatory extension that is not known.
    #[error("the index is damaged or of an unknown kind")]
    Unknown,
    /// The call ended.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// What an index holds, by paths from the top of its repository, each once and in ordinal order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Index {
    /// Tracked files and links.
    pub(crate) files: Vec<RelPath>,
    /// Folders that are repositories of their own.
    pub(crate) modules: Vec<RelPath>,
    /// Folders outside of a sparse checkout whose files are not listed one by one.
    pub(crate) collapsed: Vec<RelPath>,
}

/// Which hash a repository names its objects with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ObjectFormat {
    #[default]
    Sha1,
    Sha256,
}

impl ObjectFormat {
    pub(crate) fn hex_digits(self) -> usize {
        match self {
            ObjectFormat::Sha1 => 40,
            ObjectFormat::Sha256 => 64,
        }
    }

    fn kind(self) -> hash::Kind {
        match self {
            ObjectFormat::Sha1 => hash::Kind::Sha1,
            ObjectFormat::Sha256 => hash::Kind::Sha256,
        }
    }
}

/// The index of the repository whose own folder is `git_dir`; a missing one is an empty one, as for git.
pub(crate) fn read_index(
    git_dir: &Root,
    format: ObjectFormat,
    watch: &dyn Watch,
) -> Result<Index, IndexFault> {
    let Some(bytes) = read_bytes(git_dir, b"index", watch)? else { return Ok(Index::default()) };
    let split = parse(bytes, format)?;
    let shared = match shared_name(&split) {
        None => None,
        Some(name) => {
            let bytes = read_bytes(git_dir, name.as_bytes(), watch)?.ok_or(IndexFault::Unknown)?;
            let shared = parse(bytes, format)?;
            if shared_name(&shared).is_some() {
                return Err(IndexFault::Unknown);
            }
            Some(shared)
        }
    };
    list(&split, shared.as_ref())
}

/// The bytes of a file of the repository; nothing when there is none.
pub(crate) fn read_bytes(
    git_dir: &Root,
    name: &[u8],
    watch: &dyn Watch,
) -> Result<Option<Vec<u8>>, IndexFault> {
    let file = match git_dir.open_file(&RelPath::root().join(name), Links::Refuse, INDEX_BYTES_MAX) {
        Ok(file) => file,
        Err(OpenFault::NotFound) => return Ok(None),
        Err(OpenFault::TooLarge { .. }) => return Err(IndexFault::TooLarge),
        Err(_) => return Err(IndexFault::Unreadable),
    };
    match file.read(INDEX_BYTES_MAX, watch) {
        Ok(read) => Ok(Some(read.bytes)),
        Err(ReadFault::TooLarge) => Err(IndexFault::TooLarge),
        Err(ReadFault::Unreadable) => Err(IndexFault::Unreadable),
        Err(ReadFault::Stopped(stop)) => Err(IndexFault::Stopped(stop)),
    }
}

/// The name of the file that a split index builds on.
pub(crate) fn shared_index_of(bytes: Vec<u8>, format: ObjectFormat) -> Result<Option<String>, IndexFault> {
    parse(bytes, format).map(|state| shared_name(&state))
}

fn shared_name(state: &State) -> Option<String> {
    let link = state.link()?;
    let id = link.shared_index_checksum;
    (!id.is_null()).then(|| format!("sharedindex.{id}"))
}

/// Parses on a thread of its own: a defect of the parser costs this index and nothing else.
fn parse(bytes: Vec<u8>, format: ObjectFormat) -> Result<State, IndexFault> {
    let options = decode::Options {
        thread_limit: Some(1),
        min_extension_block_in_bytes_for_threading: usize::MAX,
        expected_checksum: None,
        alloc_limit_bytes: Some(ALLOCATION_BYTES_MAX),
    };
    let work = move || {
        State::from_bytes(&bytes, filetime::FileTime::zero(), format.kind(), options)
            .map(|(state, _)| state)
            .map_err(|_| IndexFault::Unknown)
    };
    let thread = std::thread::Builder::new().name("git-index".to_owned()).stack_size(STACK_BYTES);
    let thread = thread.spawn(work).map_err(|_| IndexFault::Unreadable)?;
    thread.join().unwrap_or(Err(IndexFault::Unknown))
}

/// What an entry is, as far as a list of tracked files asks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    File,
    Module,
    Folder,
    Removed,
}

fn role(mode: Mode) -> Result<Role, IndexFault> {
    match mode {
        Mode::FILE | Mode::FILE_EXECUTABLE | Mode::SYMLINK => Ok(Role::File),
        Mode::COMMIT => Ok(Role::Module),
        Mode::DIR => Ok(Role::Folder),
        _ => Err(IndexFault::Unknown),
    }
}

fn list(split: &State, shared: Option<&State>) -> Result<Index, IndexFault> {
    let mut index = Index::default();
    let Some(shared) = shared else {
        for entry in split.entries() {
            index.add(entry.path(split), role(entry.mode)?)?;
        }
        return Ok(index);
    };
    let mut roles =
        shared.entries().iter().map(|entry| role(entry.mode)).collect::<Result<Vec<Role>, IndexFault>>()?;
    let mut own = split.entries().iter();
    if let Some(bitmaps) = split.link().and_then(|link| link.bitmaps.as_ref()) {
        let replaced = bitmaps.replace.for_each_set_bit(|at| {
            let entry = own.next().filter(|entry| entry.path(split).is_empty())?;
            *roles.get_mut(at)? = role(entry.mode).ok()?;
            Some(())
        });
        let deleted = bitmaps.delete.for_each_set_bit(|at| {
            *roles.get_mut(at)? = Role::Removed;
            Some(())
        });
        replaced.and(deleted).ok_or(IndexFault::Unknown)?;
    }
    for (entry, role) in shared.entries().iter().zip(roles) {
        index.add(entry.path(shared), role)?;
    }
    for entry in own {
        index.add(entry.path(split), role(entry.mode)?)?;
    }
    for paths in [&mut index.files, &mut index.modules, &mut index.collapsed] {
        paths.sort_unstable();
        paths.dedup();
    }
    Ok(index)
}

impl Index {
    /// Adds one entry; unmerged ones have several with one path.
    fn add(&mut self, path: &[u8], role: Role) -> Result<(), IndexFault> {
        let paths = match role {
            Role::File => &mut self.files,
            Role::Module => &mut self.modules,
            Role::Folder => &mut self.collapsed,
            Role::Removed => return Ok(()),
        };
        let clean = path.strip_suffix(b"/").filter(|_| role == Role::Folder).unwrap_or(path);
        match RelPath::from_bytes(clean) {
            Ok(path) if path.as_bytes() != clean => Err(IndexFault::Unknown),
            Ok(path) if paths.last() == Some(&path) => Ok(()),
            Ok(path) => {
                paths.push(path);
                Ok(())
            }
            // No file can have such a name here, so nothing is lost.
            Err(disk::PathFault::TooLong) => Ok(()),
            Err(_) => Err(IndexFault::Unknown),
        }
    }
}
