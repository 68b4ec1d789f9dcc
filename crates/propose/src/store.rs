//! Changesets on the disk: a folder each, a header, numbered operations that are never rewritten, and the bases that
//! they were made for (spec C10.2, C10.4). It does not know what an operation means.

use std::sync::Arc;

use disk::{ConfinedFault, ConfinedFolder, Kind, RelPath, TEMPORARY_PREFIX};
use docs::{Hash, canon::canonical};
use serde_json::{Value, json};

use crate::content::Content;
use crate::faults::{Problem, ProposeFault, changeset_fault};
use crate::id::ChangesetId;
use crate::oplog::{Header, Log, Operation};
use crate::roots::ConfinedRoots;

/// Where closed changesets lie, below the folder of changesets.
const ARCHIVE: &str = "archive";
/// How a changeset was closed.
const OUTCOME: &[u8] = b"outcome.json";
/// How often a changeset is made anew when a sweep took it before it had its name.
const SWEPT_MAX: usize = 8;
/// Bytes of a header, an outcome or a base that are read.
const FILE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// What became of a changeset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangesetState {
    /// It takes operations.
    Open,
    /// A person applied it.
    Applied,
    /// A person rejected it.
    Rejected,
    /// A person withdrew it.
    Withdrawn,
}

impl ChangesetState {
    /// Every state.
    pub const ALL: [ChangesetState; 4] =
        [ChangesetState::Open, ChangesetState::Applied, ChangesetState::Rejected, ChangesetState::Withdrawn];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            ChangesetState::Open => "open",
            ChangesetState::Applied => "applied",
            ChangesetState::Rejected => "rejected",
            ChangesetState::Withdrawn => "withdrawn",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<ChangesetState> {
        ChangesetState::ALL.into_iter().find(|one| one.as_str() == word)
    }
}

/// How a person closed a changeset.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Anything but open.
    pub state: ChangesetState,
    /// Who; free text.
    pub who: String,
    /// When, RFC 3339.
    pub when: String,
    /// Hashes before and after, and whatever else belongs to it.
    pub details: Value,
}

/// A changeset as it lies on the disk.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The sound beginning of its log.
    pub log: Log,
    /// What became of it.
    pub state: ChangesetState,
    /// The folder, below that of changesets.
    folder: RelPath,
}

/// A node as it was when something was proposed for it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptBase {
    /// What it said.
    pub content: Content,
    /// The text of its span in the file.
    pub span: String,
}

/// The changesets of a project.
#[derive(Clone, Copy, Debug)]
pub struct Store<'r> {
    roots: &'r ConfinedRoots,
}

impl<'r> Store<'r> {
    /// The changesets below `roots`.
    pub fn new(roots: &'r ConfinedRoots) -> Store<'r> {
        Store { roots }
    }

    fn folder(&self) -> Result<Option<Arc<ConfinedFolder>>, ProposeFault> {
        self.roots.changesets().map_err(changeset_fault)
    }

    /// The ids of every changeset, newest first, and whether it lies in the archive.
    ///
    /// # Errors
    /// [`Problem::RootUnavailable`].
    pub fn ids(&self) -> Result<Vec<(ChangesetId, bool)>, ProposeFault> {
        let Some(folder) = self.folder()? else { return Ok(Vec::new()) };
        let mut ids = Vec::new();
        for (dir, is_archived) in [(RelPath::root(), false), (name(ARCHIVE), true)] {
            let entries = match folder.list(&dir) {
                Ok(entries) => entries,
                Err(ConfinedFault::NotFound) if is_archived => continue,
                Err(fault) => return Err(changeset_fault(fault)),
            };
            let folders = entries.into_iter().filter(|entry| entry.kind == Kind::Directory);
            let found =
                folders.filter_map(|entry| ChangesetId::parse(std::str::from_utf8(&entry.name).ok()?));
            ids.extend(found.map(|id| (id, is_archived)));
        }
        // One that is being archived may be seen twice.
        ids.sort_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(&right.1)));
        ids.dedup_by(|later, earlier| later.0 == earlier.0);
        Ok(ids)
    }

    /// Keeps a new changeset: its folder appears with all that belongs to it, or not at all.
    ///
    /// # Errors
    /// [`Problem::RootUnavailable`], [`Problem::Io`].
    pub fn create(&self, header: &Header) -> Result<(), ProposeFault> {
        let folder = self.roots.make_changesets().map_err(changeset_fault)?;
        let mut tries = 0;
        loop {
            let making = name(&folder.temporary_name().map_err(changeset_fault)?);
            let make = || -> Result<(), ConfinedFault> {
                folder.make_folder(&making)?;
                folder.make_folder(&making.join(b"ops"))?;
                folder.make_folder(&making.join(b"base"))?;
                folder.write_new(&making.join(b"header.json"), &header.to_bytes())?;
                folder.rename_new(&making, &name(header.id.as_str()))
            };
            match make() {
                Ok(()) => return Ok(()),
                // A sweep cannot tell a live writer from one that ended.
                Err(ConfinedFault::NotFound) if tries < SWEPT_MAX => tries += 1,
                Err(fault) => {
                    for left in
                        [making.join(b"header.json"), making.join(b"ops"), making.join(b"base"), making]
                    {
                        let _ = folder.remove(&left);
                    }
                    return Err(changeset_fault(fault));
                }
            }
        }
    }

    /// Reads a changeset as far as its log holds together.
    ///
    /// # Errors
    /// [`Problem::ChangesetNotFound`], [`Problem::Damaged`] when not even the header can be read,
    /// [`Problem::RootUnavailable`].
    pub fn read(&self, id: &ChangesetId) -> Result<Stored, ProposeFault> {
        let not_found = || ProposeFault::of(Problem::ChangesetNotFound);
        let folder = self.folder()?.ok_or_else(not_found)?;
        for path in [name(id.as_str()), name(ARCHIVE).join(id.as_str().as_bytes())] {
            match read_at(&folder, id, path) {
                Err(ConfinedFault::NotFound) => {}
                Ok(Some(stored)) => return Ok(stored),
                Ok(None) => return Err(ProposeFault::of(Problem::Damaged)),
                Err(fault) => return Err(changeset_fault(fault)),
            }
        }
        Err(not_found())
    }

    /// Adds an operation after the ones that were read: of two who add the same number one wins.
    ///
    /// # Errors
    /// [`Problem::VersionConflict`] when another was faster, [`Problem::ChangesetClosed`] when the changeset was
    /// closed meanwhile, [`Problem::RootUnavailable`], [`Problem::Io`].
    pub fn append(&self, stored: &Stored, operation: &Operation) -> Result<(), ProposeFault> {
        let folder = self.folder()?.ok_or_else(|| ProposeFault::of(Problem::RootUnavailable))?;
        let path = stored.folder.join(b"ops").join(operation_name(operation.n).as_bytes());
        match folder.write_new(&path, &operation.to_bytes()) {
            // A person may have closed it since it was read: either they see the operation, or it is refused here.
            Ok(()) if is_closed(&folder, &stored.folder) => Err(ProposeFault::of(Problem::ChangesetClosed)),
            Ok(()) => Ok(()),
            Err(ConfinedFault::Taken) => Err(self.version_conflict(&stored.log.header.id)),
            Err(ConfinedFault::NotFound) => Err(ProposeFault::of(Problem::ChangesetClosed)),
            Err(fault) => Err(changeset_fault(fault)),
        }
    }

    /// Says which version there is now and what made it.
    pub(crate) fn version_conflict(&self, id: &ChangesetId) -> ProposeFault {
        let fault = ProposeFault::of(Problem::VersionConflict);
        let Ok(now) = self.read(id) else { return fault };
        let last = now.log.operations.last().map(
            |one| json!({ "n": one.n, "tool": one.tool, "kind": one.entry.kind(), "id": one.entry.id() }),
        );
        fault.with("version", now.log.version()).with("last", last.unwrap_or(Value::Null))
    }

    /// Keeps a base; one that is kept already stays as it is.
    ///
    /// # Errors
    /// [`Problem::Io`].
    pub fn keep_base(&self, stored: &Stored, hash: Hash, base: &KeptBase) -> Result<u64, ProposeFault> {
        let folder = self.folder()?.ok_or_else(|| ProposeFault::of(Problem::RootUnavailable))?;
        let text = canonical(&json!({ "node": base.content.to_json(), "span": base.span }));
        match folder.write_new(&base_path(&stored.folder, hash), text.as_bytes()) {
            Ok(()) | Err(ConfinedFault::Taken) => Ok(u64::try_from(text.len()).unwrap_or(u64::MAX)),
            Err(fault) => Err(changeset_fault(fault)),
        }
    }

    /// Reads a base back; `None` when it is not kept or not readable.
    ///
    /// # Errors
    /// [`Problem::RootUnavailable`].
    pub fn base(&self, stored: &Stored, hash: Hash) -> Result<Option<KeptBase>, ProposeFault> {
        let Some(folder) = self.folder()? else { return Ok(None) };
        let Ok(bytes) = folder.read(&base_path(&stored.folder, hash), FILE_BYTES_MAX) else {
            return Ok(None);
        };
        let Ok(value) = serde_json::from_slice::<Value>(&bytes) else { return Ok(None) };
        let content = value.get("node").and_then(Content::from_json);
        let span = value.get("span").and_then(Value::as_str).map(str::to_owned);
        Ok(content.zip(span).map(|(content, span)| KeptBase { content, span }))
    }

    /// Bytes of the kept bases.
    ///
    /// # Errors
    /// [`Problem::RootUnavailable`].
    pub fn base_bytes(&self, stored: &Stored) -> Result<u64, ProposeFault> {
        let Some(folder) = self.folder()? else { return Ok(0) };
        let dir = stored.folder.join(b"base");
        let entries = folder.list(&dir).map_err(changeset_fault)?;
        let mut bytes = 0;
        for entry in entries.iter().filter(|entry| !is_temporary(&entry.name)) {
            let read = folder.read(&dir.join(&entry.name), FILE_BYTES_MAX).map_err(changeset_fault)?;
            bytes += u64::try_from(read.len()).unwrap_or(u64::MAX);
        }
        Ok(bytes)
    }

    /// Closes a changeset for good and moves it to the archive. Only a person's command line does this.
    ///
    /// # Errors
    /// [`Problem::ChangesetClosed`] when somebody else closed it, [`Problem::VersionConflict`] when it has operations that
    /// were not read, and then it stays open; [`Problem::Io`].
    pub fn close(&self, stored: &Stored, outcome: &Outcome) -> Result<(), ProposeFault> {
        let folder = self.roots.make_changesets().map_err(changeset_fault)?;
        let bytes = canonical(&json!({
            "state": outcome.state.as_str(),
            "who": outcome.who,
            "when": outcome.when,
            "details": outcome.details,
        }));
        let path = stored.folder.join(OUTCOME);
        match folder.write_new(&path, bytes.as_bytes()) {
            Ok(()) => {}
            Err(ConfinedFault::Taken | ConfinedFault::NotFound) => {
                return Err(ProposeFault::of(Problem::ChangesetClosed));
            }
            Err(fault) => return Err(changeset_fault(fault)),
        }
        let id = &stored.log.header.id;
        let now = self.read(id)?.log;
        if (now.version(), now.is_damaged) != (stored.log.version(), stored.log.is_damaged) {
            folder.remove(&path).map_err(changeset_fault)?;
            return Err(self.version_conflict(id));
        }
        self.archive(id).map(|_| ())
    }

    /// Moves a closed changeset to the archive, when it does not lie there yet; tells whether it did. Only a person's
    /// command line does this.
    ///
    /// # Errors
    /// As [`Store::read`]; [`Problem::Io`].
    pub fn archive(&self, id: &ChangesetId) -> Result<bool, ProposeFault> {
        let stored = self.read(id)?;
        let to = name(ARCHIVE).join(id.as_str().as_bytes());
        if stored.state == ChangesetState::Open || stored.folder == to {
            return Ok(false);
        }
        let folder = self.roots.make_changesets().map_err(changeset_fault)?;
        match folder.make_folder(&name(ARCHIVE)) {
            Ok(()) | Err(ConfinedFault::Taken) => {}
            Err(fault) => return Err(changeset_fault(fault)),
        }
        folder.rename_new(&stored.folder, &to).map_err(changeset_fault)?;
        Ok(true)
    }

    /// How a changeset was closed, as it was kept; `None` while it is open.
    ///
    /// # Errors
    /// [`Problem::RootUnavailable`].
    pub fn outcome(&self, stored: &Stored) -> Result<Option<Value>, ProposeFault> {
        let Some(folder) = self.folder()? else { return Ok(None) };
        let bytes = folder.read(&stored.folder.join(OUTCOME), FILE_BYTES_MAX).ok();
        Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Removes what writers left behind that ended in the middle; gives the project-relative names. Only a person's
    /// command line does this. A writer that was still at work makes its file again.
    ///
    /// # Errors
    /// [`Problem::RootUnavailable`].
    pub fn sweep(&self) -> Result<Vec<String>, ProposeFault> {
        let mut removed = Vec::new();
        if let Some(folder) = self.folder()? {
            let mut dirs = vec![RelPath::root()];
            for (id, is_archived) in self.ids()? {
                let top =
                    if is_archived { name(ARCHIVE).join(id.as_str().as_bytes()) } else { name(id.as_str()) };
                dirs.extend([top.join(b"ops"), top.join(b"base"), top]);
            }
            for dir in dirs {
                sweep_folder(&folder, self.roots.changesets_path(), &dir, &mut removed);
            }
        }
        if let Ok(Some(folder)) = self.roots.previews() {
            sweep_folder(&folder, self.roots.previews_path(), &RelPath::root(), &mut removed);
        }
        Ok(removed)
    }
}

fn sweep_folder(folder: &ConfinedFolder, place: &RelPath, dir: &RelPath, removed: &mut Vec<String>) {
    for entry in folder.list(dir).unwrap_or_default() {
        if !is_temporary(&entry.name) {
            continue;
        }
        let path = dir.join(&entry.name);
        let is_gone = match entry.kind {
            Kind::Directory => take_away(folder, dir, &path),
            _ => folder.remove(&path).is_ok(),
        };
        if is_gone {
            removed.push(format!("{}/{}", place.to_address(), path.to_address()));
        }
    }
}

/// Removes a folder in the making, which nobody can give its name once it has another one: what appears is always whole.
fn take_away(folder: &ConfinedFolder, dir: &RelPath, path: &RelPath) -> bool {
    let Ok(word) = folder.temporary_name() else { return false };
    let away = dir.join(word.as_bytes());
    folder.rename_new(path, &away).is_ok() && remove_all(folder, &away)
}

/// Whether a changeset that was open in this folder is not any more.
fn is_closed(folder: &ConfinedFolder, path: &RelPath) -> bool {
    let is_there = |name: &[u8]| match folder.read(&path.join(name), FILE_BYTES_MAX) {
        Err(fault) => fault != ConfinedFault::NotFound,
        Ok(_) => true,
    };
    is_there(OUTCOME) || !is_there(b"header.json")
}

fn remove_all(folder: &ConfinedFolder, path: &RelPath) -> bool {
    match folder.remove(path) {
        Err(ConfinedFault::Taken) => {
            for entry in folder.list(path).unwrap_or_default() {
                remove_all(folder, &path.join(&entry.name));
            }
            folder.remove(path).is_ok()
        }
        answer => answer.is_ok(),
    }
}

/// `None` when the header cannot be read.
fn read_at(
    folder: &ConfinedFolder,
    id: &ChangesetId,
    path: RelPath,
) -> Result<Option<Stored>, ConfinedFault> {
    let listed = folder.list(&path.join(b"ops"));
    let header = folder.read(&path.join(b"header.json"), FILE_BYTES_MAX)?;
    let Some((mut log, mut tip)) = Log::begin(id, &header) else { return Ok(None) };
    let kept = listed?.into_iter().filter(|entry| !is_temporary(&entry.name));
    for (expected, entry) in (1..).zip(kept) {
        let is_next = entry.name.as_ref() == operation_name(expected).as_bytes();
        let bytes = if is_next {
            folder.read(&path.join(b"ops").join(&entry.name), FILE_BYTES_MAX).ok()
        } else {
            None
        };
        match bytes.and_then(|bytes| log.add(&bytes, tip)) {
            Some(sum) => tip = sum,
            None => {
                log.is_damaged = true;
                break;
            }
        }
    }
    let state = match folder.read(&path.join(OUTCOME), FILE_BYTES_MAX) {
        Err(ConfinedFault::NotFound) => ChangesetState::Open,
        Ok(bytes) => {
            let value: Option<Value> = serde_json::from_slice(&bytes).ok();
            let word = value.as_ref().and_then(|value| value.get("state")?.as_str());
            // An outcome that cannot be read closes the changeset all the same.
            word.and_then(ChangesetState::parse).unwrap_or(ChangesetState::Withdrawn)
        }
        Err(fault) => return Err(fault),
    };
    Ok(Some(Stored { log, state, folder: path }))
}

fn name(text: &str) -> RelPath {
    RelPath::root().join(text.as_bytes())
}

fn operation_name(n: u32) -> String {
    format!("{n:06}.json")
}

fn base_path(folder: &RelPath, hash: Hash) -> RelPath {
    folder.join(b"base").join(format!("{}.json", hash.hex()).as_bytes())
}

fn is_temporary(name: &[u8]) -> bool {
    name.starts_with(TEMPORARY_PREFIX.as_bytes())
}

#[cfg(test)]
mod tests;
