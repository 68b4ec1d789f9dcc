//! A project that is served: the last good snapshot, and whether it still is what lies on the disk (spec C6, C14). It knows
//! no tool.

mod index;
mod overlay;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use disk::{Links, RelPath, Root, RootFault};
use fault::{Stop, Watch};

use crate::assemble::{LoadedFile, Parts, assemble_after};
use crate::contract::{Contract, MANIFEST_NAME};
use crate::diagnose::{Check, Diagnostic};
use crate::hash::Hash;
use crate::load::{self, Files, Update};
use crate::snapshot::Snapshot;

/// Paths that an answer lists as changed.
pub const CHANGED_SHOWN: usize = 20;

/// The root of a project, held open.
#[derive(Debug)]
pub struct ProjectRoot(Arc<Root>);

impl ProjectRoot {
    /// Opens a folder.
    ///
    /// # Errors
    /// [`RootFault`] when it is no folder that can be read.
    pub fn open(path: &Path) -> Result<ProjectRoot, RootFault> {
        Root::pin(path).map(Arc::new).map(ProjectRoot)
    }

    /// The physical path; it is for the terminal of its owner, never for an answer.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The pinned root.
    pub fn root(&self) -> &Root {
        &self.0
    }

    /// The pinned root for those who hold it beside the project.
    pub fn share(&self) -> Arc<Root> {
        Arc::clone(&self.0)
    }
}

/// How the served snapshot and the files relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Every source was verified in this call.
    Fresh,
    /// The sources differ and what they are now cannot be loaded.
    StaleSources,
    /// The manifest is another one than at the start.
    StaleContract,
    /// An integration gave a snapshot without a verifier.
    Unverified,
    /// Nothing can be loaded.
    Unavailable,
}

impl Freshness {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Freshness::Fresh => "fresh",
            Freshness::StaleSources => "stale_sources",
            Freshness::StaleContract => "stale_contract",
            Freshness::Unverified => "unverified",
            Freshness::Unavailable => "unavailable",
        }
    }
}

/// How closely the sources were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    /// Names, sizes and times, and the bytes of what may have changed.
    Stat,
    /// The bytes of every file.
    Hash,
}

impl Checked {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Checked::Stat => "stat",
            Checked::Hash => "hash",
        }
    }
}

/// What a refresh came to.
#[derive(Clone, Debug)]
pub struct Refresh {
    /// What is served; nothing when nothing was ever loadable.
    pub snapshot: Option<Arc<Snapshot>>,
    /// How it relates to the files.
    pub freshness: Freshness,
    /// How closely they were looked at.
    pub checked: Checked,
    /// Paths that differ from the served snapshot, at most [`CHANGED_SHOWN`].
    pub changed: Vec<String>,
    /// How many differ.
    pub changed_total: usize,
    /// Why nothing newer is served.
    pub problems: Vec<Diagnostic>,
}

/// A project, loaded and kept up to date.
#[derive(Debug)]
pub struct ProjectService {
    root: ProjectRoot,
    state: Mutex<Served>,
    index: Mutex<Option<index::Looked>>,
}

#[derive(Debug, Default)]
struct Served {
    contract: Option<Arc<Contract>>,
    /// The manifest whose contract is pinned.
    pinned: Option<(Hash, u64)>,
    files: Files,
    snapshot: Option<Arc<Snapshot>>,
    /// What stood in the way of loading the files at the last look.
    problems: Vec<Diagnostic>,
    /// Paths that changed since the served snapshot was made.
    pending: Vec<String>,
    /// What was wrong with names at the last look.
    names: Vec<Diagnostic>,
}

impl ProjectService {
    /// Holds a project without a look at its sources, which the first refresh loads. The manifest is judged here: a valid one
    /// is the contract from now on, whatever is written in its place later.
    pub fn open(root: ProjectRoot) -> ProjectService {
        let manifest = load::manifest(root.root());
        let mut served = Served::default();
        match manifest.contract {
            Ok(contract) => {
                served.contract = Some(contract);
                served.pinned = Some((manifest.hash, manifest.size));
            }
            Err(problems) => served.problems = problems,
        }
        ProjectService { root, state: Mutex::new(served), index: Mutex::default() }
    }

    /// Loads a project. A project that cannot be loaded is served as such: the next refresh looks again.
    ///
    /// # Errors
    /// The stop that `watch` reported.
    pub fn load(root: ProjectRoot, watch: &dyn Watch) -> Result<ProjectService, Stop> {
        let service = ProjectService { root, state: Mutex::default(), index: Mutex::default() };
        service.refresh(Checked::Stat, watch)?;
        Ok(service)
    }

    /// The root.
    pub fn root(&self) -> &ProjectRoot {
        &self.root
    }

    /// What is served, without another look.
    pub fn snapshot(&self) -> Option<Arc<Snapshot>> {
        self.served().snapshot.clone()
    }

    /// The contract that is pinned, once there was one.
    pub fn contract(&self) -> Option<Arc<Contract>> {
        self.served().contract.clone()
    }

    /// The parsed files of the served snapshot, for an overlay.
    pub fn files(&self) -> Vec<Arc<LoadedFile>> {
        let served = self.served();
        served.files.values().filter(|known| is_read(known)).map(|known| Arc::clone(&known.file)).collect()
    }

    fn served(&self) -> MutexGuard<'_, Served> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the manifest and the sources, and serves what is there now if it can be loaded.
    ///
    /// # Errors
    /// The stop that `watch` reported; what is served stays.
    pub fn refresh(&self, checked: Checked, watch: &dyn Watch) -> Result<Refresh, Stop> {
        let mut served = self.served();
        let served = &mut *served;
        let manifest = load::manifest(self.root.root());
        let Some(contract) = served.contract.clone() else {
            match &manifest.contract {
                Ok(contract) => {
                    served.contract = Some(Arc::clone(contract));
                    served.pinned = Some((manifest.hash, manifest.size));
                    self.reload(served, contract, checked, watch)?;
                }
                Err(problems) => served.problems.clone_from(problems),
            }
            return Ok(self.answer(served, checked, false));
        };
        let is_pinned = served.pinned == Some((manifest.hash, manifest.size));
        self.reload(served, &contract, checked, watch)?;
        let mut refresh = self.answer(served, checked, !is_pinned);
        if !is_pinned {
            refresh.problems.extend(manifest.contract.err().unwrap_or_default());
        }
        Ok(refresh)
    }

    /// Reads what changed and puts a new snapshot together.
    fn reload(
        &self,
        served: &mut Served,
        contract: &Arc<Contract>,
        checked: Checked,
        watch: &dyn Watch,
    ) -> Result<(), Stop> {
        let Update { changed, findings, is_unloadable } =
            load::update(self.root.root(), contract, &mut served.files, checked == Checked::Hash, watch)?;
        served.problems.clear();
        if is_unloadable {
            served.problems = findings.into_iter().filter(|one| is_fatal(&one.check)).collect();
            served.pending = vec![MANIFEST_NAME.to_owned()];
            return Ok(());
        }
        let names_changed = served.names != findings;
        served.names.clone_from(&findings);
        if served.snapshot.is_some() && changed.is_empty() && served.pending.is_empty() && !names_changed {
            return Ok(());
        }
        watch.check()?;
        let nodes: usize = served.files.values().map(|known| known.file.parsed.nodes.len()).sum();
        if nodes > contract.limits.max_nodes {
            let place = crate::diagnose::Place::file(MANIFEST_NAME);
            let message = format!("the sources hold more than {} nodes", contract.limits.max_nodes);
            served.problems = vec![Diagnostic::new(Check::LimitExceeded, place, message)];
            served.pending = changed;
            return Ok(());
        }
        served.pending.clear();
        let next = self.assemble(served, contract, findings);
        if let Some(before) = &served.snapshot {
            next.succeeds(before);
        }
        served.snapshot = Some(Arc::new(next));
        Ok(())
    }

    fn assemble(&self, served: &Served, contract: &Arc<Contract>, mut findings: Vec<Diagnostic>) -> Snapshot {
        findings.extend(served.files.values().filter_map(|known| known.trouble.clone()));
        let mut files: Vec<Arc<LoadedFile>> = served
            .files
            .values()
            .filter(|known| is_read(known))
            .map(|known| Arc::clone(&known.file))
            .collect();
        if let Some((hash, size)) = served.pinned {
            files.push(Arc::new(manifest_file(hash, size)));
        }
        let exists = |path: &str| self.exists(path);
        let parts = Parts {
            contract: Arc::clone(contract),
            files: &files,
            diagnostics: findings,
            exists: &exists,
            adapter_prefix: String::new(),
        };
        assemble_after(parts, served.snapshot.as_deref())
    }

    /// Whether something is there that is no source: links to it are not broken.
    pub fn exists(&self, path: &str) -> bool {
        RelPath::parse(path).is_ok_and(|path| self.root.root().stat(&path, Links::Refuse).is_ok())
    }

    fn answer(&self, served: &Served, checked: Checked, contract_moved: bool) -> Refresh {
        let freshness = match (&served.snapshot, contract_moved, served.problems.is_empty()) {
            (None, _, _) => Freshness::Unavailable,
            (Some(_), true, _) => Freshness::StaleContract,
            (Some(_), false, false) => Freshness::StaleSources,
            (Some(_), false, true) => Freshness::Fresh,
        };
        let mut changed = served.pending.clone();
        if contract_moved && !changed.iter().any(|path| path == MANIFEST_NAME) {
            changed.insert(0, MANIFEST_NAME.to_owned());
        }
        let changed_total = changed.len();
        changed.truncate(CHANGED_SHOWN);
        Refresh {
            snapshot: served.snapshot.clone(),
            freshness,
            checked,
            changed,
            changed_total,
            problems: served.problems.clone(),
        }
    }
}

/// The manifest as one of the files of a snapshot.
pub(crate) fn manifest_file(hash: Hash, size: u64) -> LoadedFile {
    LoadedFile {
        entry: crate::snapshot::FileEntry { path: MANIFEST_NAME.to_owned(), size, hash, source: None },
        parsed: crate::parsed::ParsedFile::default(),
        beside: Vec::new(),
    }
}

/// Whether the bytes of the file are known.
fn is_read(known: &load::Known) -> bool {
    known.trouble.as_ref().is_none_or(|trouble| trouble.check == Check::EncodingInvalid)
}

/// Whether a finding keeps a project from being loaded.
const fn is_fatal(check: &Check) -> bool {
    matches!(check, Check::SourceOverlap | Check::LimitExceeded)
}

#[cfg(test)]
mod tests;
