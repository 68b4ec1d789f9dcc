//! One server's session: its pinned roots, its policy and its packs. Each tool is a method; what a tool means
//! stands in the file of its noun. It knows no protocol and no terminal.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use content::CleanTexts;
use disk::{Quota, Root, RootFault, Store, StoreFault, UserDirs};
use fault::{Code, Failure, Fault, Text, Watch};
use git::{GitProgram, Repository};
use redact::Tripwire;

use crate::limits;
use crate::pack::StoredPack;
use crate::page::PageLimits;
use crate::place::Place;
use crate::remote::Remotes;
use crate::request::{GitMode, Target};

/// How long an end waits for a pack that is being written.
const CLOSING_TIME_MAX: Duration = Duration::from_millis(50);

/// How a session is started. Nothing here can be changed by a caller later.
#[derive(Clone, Debug)]
pub struct Options {
    /// The roots, as given; at least one.
    pub roots: Vec<PathBuf>,
    /// Whether private data is redacted too.
    pub hide_private_data: bool,
    /// Whether repository URLs are accepted as projects.
    pub allow_remote: bool,
    /// Whether their hosts may be on this machine or in a private network.
    pub allow_private_hosts: bool,
    /// The baseline where a request names no profile; absent means ignore files.
    pub git_mode: Option<GitMode>,
    /// Characters of a page and of an inline pack, 4,000 to 50,000.
    pub page_chars: usize,
}

/// Why a session cannot start. Its text is the line for stderr.
#[derive(Debug, thiserror::Error)]
pub enum StartFault {
    /// There is no root.
    #[error("no project root: pass --root DIR")]
    NoRoot,
    /// A root cannot be pinned.
    #[error("the project root '{}' cannot be used: {fault}", shown(path))]
    Root {
        /// The root as given.
        path: PathBuf,
        /// What is wrong with it.
        fault: RootFault,
    },
    /// The folder for packs cannot be used.
    #[error("the folder for session files cannot be used: {0}")]
    Store(#[from] StoreFault),
}

fn shown(path: &Path) -> String {
    Text::default().root(path).to_string()
}

/// A running session. All methods may be called from any thread.
pub struct Session {
    roots: Vec<Arc<Place>>,
    pub(crate) dirs: UserDirs,
    pub(crate) policy: redact::Policy,
    allow_remote: bool,
    allow_private_hosts: bool,
    git_mode: Option<GitMode>,
    page_chars: AtomicUsize,
    store: OnceLock<Store>,
    packs: Mutex<HashMap<String, StoredPack>>,
    leaks: AtomicU64,
    clean: Option<CleanTexts>,
    repositories: Mutex<HashMap<PathBuf, Arc<Repository>>>,
    git: OnceLock<Option<GitProgram>>,
    pub(crate) remotes: Remotes,
}

impl Session {
    /// Pins the roots. Duplicates after resolution collapse; the order of first appearance is kept.
    ///
    /// # Errors
    /// [`StartFault`] for the first root that is no readable folder.
    pub fn open(options: Options, dirs: UserDirs) -> Result<Session, StartFault> {
        let mut roots: Vec<Arc<Place>> = Vec::with_capacity(options.roots.len());
        for path in options.roots {
            let root = Root::pin(&path).map_err(|fault| StartFault::Root { path, fault })?;
            if roots.iter().all(|known| known.path() != root.path()) {
                roots.push(Arc::new(Place::local(root)));
            }
        }
        if roots.is_empty() {
            return Err(StartFault::NoRoot);
        }
        Ok(Session {
            roots,
            dirs,
            policy: redact::Policy { private_data: options.hide_private_data },
            allow_remote: options.allow_remote,
            allow_private_hosts: options.allow_private_hosts,
            git_mode: options.git_mode,
            page_chars: AtomicUsize::new(
                options.page_chars.clamp(limits::PAGE_CHARS_MIN, limits::PAGE_CHARS_MAX),
            ),
            store: OnceLock::new(),
            packs: Mutex::new(HashMap::new()),
            leaks: AtomicU64::new(0),
            clean: None,
            repositories: Mutex::new(HashMap::new()),
            git: OnceLock::new(),
            remotes: Remotes::default(),
        })
    }

    /// Lets later requests profit from what earlier ones inspected. It costs a single request a little, so only a
    /// session that serves many should ask for it; no answer depends on it.
    pub fn remember_clean_texts(&mut self) {
        self.clean.get_or_insert_default();
    }

    pub(crate) fn clean_texts(&self) -> Option<&CleanTexts> {
        self.clean.as_ref()
    }

    /// Makes the session's folder for packs, so that a folder which cannot be trusted is found at the start.
    ///
    /// # Errors
    /// [`StartFault::Store`].
    pub fn open_store(&self) -> Result<(), StartFault> {
        if self.store.get().is_none() {
            let quota =
                Quota { item_bytes: limits::PACK_BYTES_MAX, session_bytes: limits::SESSION_BYTES_MAX };
            let _ = self.store.set(Store::open(&self.dirs, quota)?);
        }
        Ok(())
    }

    /// Lowers the page and inline limits for a client that cuts longer results; clamped to 4,000 to 50,000.
    pub fn set_page_chars(&self, chars: usize) {
        self.page_chars.store(chars.clamp(limits::PAGE_CHARS_MIN, limits::PAGE_CHARS_MAX), Ordering::Relaxed);
    }

    /// Removes what the session stored; no pack can be made or read any more. What is still being written is
    /// waited for a moment, else it removes itself.
    pub fn close(&self) {
        if let Some(store) = self.store.get() {
            store.close(CLOSING_TIME_MAX);
        }
    }

    /// Whether repository URLs are accepted as projects.
    pub fn allows_remote(&self) -> bool {
        self.allow_remote
    }

    pub(crate) fn allows_private_hosts(&self) -> bool {
        self.allow_private_hosts
    }

    pub(crate) fn local_roots(&self) -> impl Iterator<Item = &Root> {
        self.roots.iter().map(|root| &***root)
    }

    pub(crate) fn git_mode(&self) -> Option<GitMode> {
        self.git_mode
    }

    pub(crate) fn page_limits(&self) -> PageLimits {
        PageLimits { max_lines: limits::PAGE_LINES_MAX, max_chars: self.page_chars.load(Ordering::Relaxed) }
    }

    pub(crate) fn store(&self) -> Result<&Store, Failure> {
        self.open_store().map_err(|_| {
            Fault::new(Code::OperationFailed, Text::new("the folder for packs cannot be used; narrow the request so that the pack fits into one answer"))
        })?;
        self.store.get().ok_or_else(|| {
            Fault::new(Code::OperationFailed, Text::new("the folder for packs is not open")).into()
        })
    }

    /// The text as it may leave: a secret that the same output masked elsewhere is masked here too, and counted.
    pub(crate) fn sealed(&self, tripwire: &Tripwire, text: String) -> String {
        let (text, leaks) = tripwire.sealed(text);
        self.leaks.fetch_add(leaks as u64, Ordering::Relaxed);
        text
    }

    /// How many masked secrets were about to leave in the clear so far and were masked at the last moment.
    pub fn leaks(&self) -> u64 {
        self.leaks.load(Ordering::Relaxed)
    }

    pub(crate) fn packs(&self) -> MutexGuard<'_, HashMap<String, StoredPack>> {
        self.packs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The git of this machine, looked for once; none when there is none outside of the roots.
    pub fn git(&self) -> Option<&GitProgram> {
        let find = || GitProgram::find(self.roots.iter().map(|root| root.path()));
        self.git.get_or_init(find).as_ref()
    }

    /// The repository that owns `root`, looked for again only when it changed since the last call.
    pub(crate) fn repository(&self, root: &Root) -> Option<Arc<Repository>> {
        let mut known = self.repositories.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(repository) = known.get(root.path())
            && repository.is_current(root)
        {
            return Some(Arc::clone(repository));
        }
        known.remove(root.path());
        let found = Arc::new(Repository::discover(root)?);
        known.insert(root.path().to_owned(), Arc::clone(&found));
        Some(found)
    }

    /// The root that a request names (spec `project.md` 2.2). Nothing outside the roots is looked at.
    pub(crate) fn resolve(&self, target: &Target, watch: &dyn Watch) -> Result<Arc<Place>, Failure> {
        let Some(project) = target.project.as_deref().filter(|project| !project.is_empty()) else {
            refuse_branch(target)?;
            let [root] = &self.roots[..] else {
                let why = Text::new("`project` is required because this server has several roots");
                return Err(self.unknown(why).into());
            };
            return Ok(Arc::clone(self.checked(root)?));
        };
        if git::looks_remote(project) {
            return self.remote(project, target.branch.as_deref(), watch);
        }
        refuse_branch(target)?;
        let known = if git::names_a_host(project) {
            None
        } else {
            self.roots.iter().find(|root| root.is_same_place(Path::new(project)))
        };
        match known {
            Some(root) => Ok(Arc::clone(self.checked(root)?)),
            None => {
                let why = Text::new("'").argument(project).and("' is not one of the roots of this server");
                Err(self.unknown(why).into())
            }
        }
    }

    /// A pinned root, if its path still leads to it.
    fn checked<'s>(&self, root: &'s Arc<Place>) -> Result<&'s Arc<Place>, Fault> {
        if root.still_there() {
            return Ok(root);
        }
        Err(Fault::new(
            Code::UnknownProject,
            Text::new("the project root '").root(root.path()).and(
                "' no longer leads to the folder that was pinned at start; restore it, or restart the server",
            ),
        ))
    }

    fn unknown(&self, why: Text) -> Fault {
        let mut text = why.and("; call list_projects and pass one of its paths as `project`. Valid roots: ");
        for (at, root) in self.roots.iter().enumerate() {
            text = text.and(if at == 0 { "'" } else { ", '" }).root(root.path()).and("'");
        }
        Fault::new(Code::UnknownProject, text)
    }

    /// Every root, each checked again.
    pub(crate) fn checked_roots(&self) -> Result<&[Arc<Place>], Fault> {
        self.roots.iter().try_for_each(|root| self.checked(root).map(|_| ()))?;
        Ok(&self.roots)
    }
}

fn refuse_branch(target: &Target) -> Result<(), Fault> {
    match target.branch {
        None => Ok(()),
        Some(_) => Err(crate::faults::argument(Text::new(
            "`branch` is only valid with a repository URL as `project`; omit it for a local root",
        ))),
    }
}
