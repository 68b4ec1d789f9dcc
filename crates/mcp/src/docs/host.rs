//! What the docs server holds between calls: the project and its last good state, proposals, the page of the graph and the
//! keys of cursors. It runs no tool.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ::browser::Browser;
use ::docs::{Checked, ContextProvider, Contract, Freshness, ProjectService, Refresh};
use ::propose::{ConfinedRoots, ProposalPolicy, ProposalValidator, RootsFault, StartupWriter};
use fault::{DocsCode, Unwatched, Watch};

use super::cursor::CursorKeys;
use super::fault::{DocEnd, DocFault};

/// How long a call waits for changed files to be loaded before it answers from what was good before.
const INLINE: Duration = Duration::from_millis(1_500);
/// How often a waiting call looks whether it was taken back.
const GLANCE: Duration = Duration::from_millis(20);

/// Everything of one server.
pub(super) struct Host {
    pub(super) service: Arc<ProjectService>,
    /// Nothing in the form that only reads.
    pub(super) proposals: Option<Proposals>,
    /// Nothing when the graph is not to be shown.
    pub(super) browser: Option<Browser>,
    /// What an integration puts in place of our own choice around a node.
    pub(super) provider: Option<Box<dyn ContextProvider>>,
    pub(super) keys: CursorKeys,
    loading: Mutex<Loading>,
}

/// What the tools of proposals work with.
pub(super) struct Proposals {
    pub(super) writer: Option<StartupWriter>,
    pub(super) policy: Box<dyn ProposalPolicy>,
    pub(super) validators: Vec<Box<dyn ProposalValidator>>,
    /// Opened with the contract, which may come later than the server.
    roots: Mutex<Option<Arc<ConfinedRoots>>>,
}

#[derive(Default)]
struct Loading {
    /// A look at the files that a call began and did not wait for.
    running: Option<Receiver<Refresh>>,
    last: Option<Refresh>,
    contract: Option<Arc<Contract>>,
}

impl Proposals {
    pub(super) fn new(
        writer: Option<StartupWriter>,
        policy: Box<dyn ProposalPolicy>,
        roots: Option<ConfinedRoots>,
    ) -> Proposals {
        Proposals { writer, policy, validators: Vec::new(), roots: Mutex::new(roots.map(Arc::new)) }
    }

    /// The two folders, held from the first time on that there is a contract.
    pub(super) fn roots(
        &self,
        service: &ProjectService,
        contract: &Contract,
    ) -> Result<Arc<ConfinedRoots>, DocFault> {
        let mut roots = self.roots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(roots) = &*roots {
            return Ok(Arc::clone(roots));
        }
        let opened = ConfinedRoots::open(service.root().share(), &contract.paths).map_err(|fault| {
            let code = match fault {
                RootsFault::Changesets => DocsCode::ChangesetRoot,
                RootsFault::Previews => DocsCode::PreviewRoot,
            };
            DocFault::new(code, format!("{fault}. {}", code.remedy()))
        })?;
        Ok(Arc::clone(roots.insert(Arc::new(opened))))
    }
}

impl Host {
    /// # Errors
    /// When the system gives no random bytes.
    pub(super) fn new(
        service: Arc<ProjectService>,
        proposals: Option<Proposals>,
        browser: Option<Browser>,
        provider: Option<Box<dyn ContextProvider>>,
    ) -> Result<Host, getrandom::Error> {
        let keys = CursorKeys::new()?;
        let loading = Loading { contract: service.contract(), ..Loading::default() };
        Ok(Host { service, proposals, browser, provider, keys, loading: Mutex::new(loading) })
    }

    /// The contract that is pinned, as far as it is known without waiting for a look at the files.
    pub(super) fn contract(&self) -> Option<Arc<Contract>> {
        self.loading().contract.clone()
    }

    /// What was found by the last look that was waited for.
    pub(super) fn last(&self) -> Option<Refresh> {
        self.loading().last.clone()
    }

    fn loading(&self) -> MutexGuard<'_, Loading> {
        self.loading.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the files. A look by names and times that takes long goes on beside the call, which gets what was good
    /// before as stale; one by bytes is waited for.
    pub(super) fn refresh(&self, checked: Checked, watch: &dyn Watch) -> Result<Refresh, DocEnd> {
        let began = Instant::now();
        let mut loading = self.loading();
        // A look that an earlier call did not wait for may have begun before the files were as they are now.
        for is_own in [false, true] {
            let running = match loading.running.take() {
                Some(running) => running,
                None if is_own => self.begin(checked)?,
                None => continue,
            };
            let is_patient = checked == Checked::Hash || loading.last_good().is_none();
            let patience = if is_patient { Duration::MAX } else { INLINE.saturating_sub(began.elapsed()) };
            match wait(&running, patience, watch) {
                Ok(Some(refresh)) => {
                    loading.last = Some(refresh);
                    loading.contract = self.service.contract();
                }
                other => {
                    loading.running = Some(running);
                    other?;
                    return loading.stale().ok_or_else(|| DocFault::of(DocsCode::Timeout).into());
                }
            }
        }
        loading.last.clone().ok_or_else(|| DocFault::of(DocsCode::Internal).into())
    }

    fn begin(&self, checked: Checked) -> Result<Receiver<Refresh>, DocEnd> {
        let (tell, told) = sync_channel(1);
        let service = Arc::clone(&self.service);
        let look = move || {
            if let Ok(refresh) = service.refresh(checked, &Unwatched) {
                // The receiver is gone only when the server is.
                let _ = tell.send(refresh);
            }
        };
        std::thread::Builder::new().name("loading".to_owned()).spawn(look).map_err(|_| {
            DocFault::new(DocsCode::Internal, "The system gives no thread to load the project in.")
        })?;
        Ok(told)
    }
}

impl Loading {
    fn last_good(&self) -> Option<&Refresh> {
        self.last.as_ref().filter(|last| last.snapshot.is_some())
    }

    /// The last good state, as one that the files may have left behind.
    fn stale(&self) -> Option<Refresh> {
        let mut refresh = self.last_good()?.clone();
        if refresh.freshness == Freshness::Fresh {
            refresh.freshness = Freshness::StaleSources;
        }
        Some(refresh)
    }
}

/// What a look comes to; nothing when it takes longer than `patience`.
fn wait(
    running: &Receiver<Refresh>,
    patience: Duration,
    watch: &dyn Watch,
) -> Result<Option<Refresh>, DocEnd> {
    let began = Instant::now();
    loop {
        match running.recv_timeout(GLANCE) {
            Ok(refresh) => return Ok(Some(refresh)),
            Err(RecvTimeoutError::Timeout) => watch.check()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(DocFault::new(DocsCode::Internal, "Loading the project failed.").into());
            }
        }
        if began.elapsed() > patience {
            return Ok(None);
        }
    }
}
