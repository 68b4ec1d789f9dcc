//! An ordered, bounded walk below a root: the visitor says what is entered, the walk says when it must stop. It
//! follows no link, holds one directory handle at a time, and knows no rule of what is wanted.

use fault::{Stop, Watch};

use crate::folder::Folder;
use crate::list::{Entry, ListFault};
use crate::open::Kind;
use crate::path::{PATH_BYTES_MAX, RelPath};
use crate::root::Root;

/// How far a walk goes (project specification 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkLimits {
    /// Levels below the root whose names are seen: with 1, only the names of the root itself.
    pub max_depth: usize,
    /// Names that are seen in all.
    pub max_entries: usize,
}

impl Default for WalkLimits {
    fn default() -> Self {
        WalkLimits { max_depth: 256, max_entries: 1_000_000 }
    }
}

/// What becomes of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Not wanted.
    Skip,
    /// Wanted by the visitor; not entered.
    Keep,
    /// Entered when it is a directory; as [`Step::Keep`] for everything else.
    Descend,
}

/// Who decides during a walk.
pub trait Visitor {
    /// A directory and its names in byte order; the answer has one step for each, and a missing step skips.
    fn enter(&mut self, dir: &RelPath, entries: &[Entry], folder: &Folder<'_>) -> Vec<Step>;

    /// Everything below an entered directory was seen.
    fn leave(&mut self, dir: &RelPath);

    /// A directory could not be listed, or another file system begins there; it is neither entered nor left.
    fn unreadable(&mut self, dir: &RelPath);
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkEnd {
    /// Names that were seen.
    pub entries: usize,
    /// Directories that were not entered because they lie too deep.
    pub depth_cut: usize,
    /// Whether there were more names than allowed; the walk ended there.
    pub entry_cut: bool,
    /// Directories that could not be listed.
    pub unreadable: usize,
}

/// A directory that was entered and whose directories are still to come.
struct Frame {
    dir: RelPath,
    /// Names of directories to enter, the next one last.
    ahead: Vec<Box<[u8]>>,
}

/// Walks from `start`, depth first. Directories are entered in the byte order of their name with a `/` behind it:
/// the order of the full paths of what they hold. Neither the depth of the tree nor its width costs handles or
/// stack.
///
/// # Errors
/// [`Stop`] as soon as `watch` says so.
pub fn walk(
    root: &Root,
    start: &RelPath,
    limits: &WalkLimits,
    visitor: &mut dyn Visitor,
    watch: &dyn Watch,
) -> Result<WalkEnd, Stop> {
    let mut end = WalkEnd::default();
    let mut frames: Vec<Frame> = Vec::new();
    let mut next = Some(start.clone());
    loop {
        if let Some(dir) = next.take() {
            if dir.depth() >= limits.max_depth || dir.as_bytes().len() >= PATH_BYTES_MAX {
                end.depth_cut += 1;
            } else if let Some(ahead) = enter(root, &dir, limits, visitor, watch, &mut end)? {
                frames.push(Frame { dir, ahead });
            }
        }
        match frames.last_mut() {
            None => return Ok(end),
            Some(frame) => match frame.ahead.pop() {
                Some(name) if !end.entry_cut => next = Some(frame.dir.join(&name)),
                _ => {
                    if let Some(frame) = frames.pop() {
                        visitor.leave(&frame.dir);
                    }
                }
            },
        }
    }
}

/// Shows one directory to the visitor; gives the names to enter in reverse order, or nothing when it cannot be read.
fn enter(
    root: &Root,
    dir: &RelPath,
    limits: &WalkLimits,
    visitor: &mut dyn Visitor,
    watch: &dyn Watch,
    end: &mut WalkEnd,
) -> Result<Option<Vec<Box<[u8]>>>, Stop> {
    watch.check()?;
    // The names are sorted before they are cut, so that what remains does not hang on the order of the disk.
    let listed = Folder::open(root, dir).map_err(ListFault::Open).and_then(|folder| {
        let (entries, more) = folder.entries(limits.max_entries, watch)?;
        Ok((folder, entries, more))
    });
    let (folder, mut entries, more) = match listed {
        Ok(listed) => listed,
        Err(ListFault::Stopped(stop)) => return Err(stop),
        Err(ListFault::Open(_)) => {
            end.unreadable += 1;
            visitor.unreadable(dir);
            return Ok(None);
        }
    };
    let room = limits.max_entries - end.entries;
    if more || entries.len() > room {
        end.entry_cut = true;
        entries.truncate(room);
    }
    end.entries += entries.len();
    let steps = visitor.enter(dir, &entries, &folder);
    let mut ahead: Vec<Box<[u8]>> = entries
        .into_iter()
        .zip(steps)
        .filter(|(entry, step)| *step == Step::Descend && entry.kind == Kind::Directory)
        .map(|(entry, _)| entry.name)
        .collect();
    ahead.sort_unstable_by(|a, b| b.iter().chain(b"/").cmp(a.iter().chain(b"/")));
    Ok(Some(ahead))
}

#[cfg(test)]
mod tests;
