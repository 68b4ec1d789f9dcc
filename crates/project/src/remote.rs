//! Remote projects of a session: which addresses are accepted, that each is fetched once and stays pinned until the end,
//! and what is said when it cannot be had. It knows neither how a repository is cloned nor where it is kept.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use disk::Root;
use fault::{Code, Failure, Fault, Phase, Text, Watch};
use git::{CheckoutFault, CheckoutLimits, RemoteUrl, Transport, UrlFault, Wanted};

use crate::document::Source;
use crate::faults;
use crate::limits::REMOTES_MAX;
use crate::place::Place;
use crate::session::Session;

/// The remote projects that a session has pinned or is fetching, by identity and branch.
#[derive(Default)]
pub(crate) struct Remotes {
    slots: Mutex<HashMap<String, Arc<Slot>>>,
}

/// Room for one remote project; whoever comes second waits for the first.
#[derive(Default)]
struct Slot {
    place: Mutex<Option<Arc<Place>>>,
}

impl Slot {
    fn place(&self) -> MutexGuard<'_, Option<Arc<Place>>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Remotes {
    fn slots(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is pinned under a key; nothing while it is being fetched.
    fn pinned(&self, key: &str) -> Option<Arc<Place>> {
        let slot = self.slots().get(key).cloned()?;
        let place = slot.place.try_lock().ok()?;
        place.clone()
    }
}

impl Session {
    /// The pinned checkout of a remote project, fetched on first use.
    ///
    /// # Errors
    /// `REMOTE-DISABLED` before anything else is looked at; `INVALID-ARGUMENTS` for an address or a branch that is not
    /// accepted; `REMOTE-LIMIT` for a seventeenth; `REMOTE-FAILED` when it cannot be had.
    pub(crate) fn remote(
        &self,
        project: &str,
        branch: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<Arc<Place>, Failure> {
        let shown = git::safe_display(project);
        if !self.allows_remote() {
            return Err(disabled(&shown).into());
        }
        let private_hosts = self.allows_private_hosts();
        let url = RemoteUrl::parse(project, private_hosts).map_err(|fault| not_accepted(&shown, fault))?;
        if let Some(branch) = branch
            && !git::is_branch_name(branch)
        {
            return Err(faults::argument(
                Text::new("`branch` is '")
                    .argument(branch)
                    .and("', which is no branch name; use a name such as `main`"),
            )
            .into());
        }
        let key = format!("{}\0{}", url.identity(), branch.unwrap_or_default());
        // What is pinned outlives its source.
        if let Some(place) = self.remotes.pinned(&key) {
            return Ok(place);
        }
        if url.transport() == Transport::File {
            self.check_local_source(&url, &shown)?;
        }
        let shown = url.shown();
        let slot = {
            let mut slots = self.remotes.slots();
            if !slots.contains_key(&key) && slots.len() >= REMOTES_MAX {
                return Err(limit_reached(&shown).into());
            }
            Arc::clone(slots.entry(key.clone()).or_default())
        };
        let mut place = slot.place();
        if let Some(place) = &*place {
            return Ok(Arc::clone(place));
        }
        watch.step(Phase::Fetching, 0, 2);
        let wanted = Wanted { url: &url, branch, private_hosts, limits: CheckoutLimits::default() };
        match git::acquire(&self.dirs, self.git(), wanted, watch) {
            Ok(checkout) => {
                let source = Source {
                    repository_url: shown,
                    branch: branch.map(str::to_owned),
                    commit: checkout.commit.clone(),
                };
                let made = Arc::new(Place::remote(checkout, source, url, private_hosts));
                *place = Some(Arc::clone(&made));
                watch.step(Phase::Selecting, 0, 1);
                Ok(made)
            }
            Err(fault) => {
                // A slot that holds nothing is free again, unless somebody filled it meanwhile.
                drop(place);
                let mut slots = self.remotes.slots();
                if slots.get(&key).is_some_and(|known| Arc::ptr_eq(known, &slot) && known.place().is_none()) {
                    slots.remove(&key);
                }
                Err(failed(&shown, fault))
            }
        }
    }

    /// A `file://` source must lie in a root that is configured anyway.
    fn check_local_source(&self, url: &RemoteUrl, shown: &str) -> Result<(), Fault> {
        let path = Path::new(url.path());
        // Its own spelling decides before the disk is asked, so that nothing outside is looked at.
        let is_inside = |path: &Path| self.local_roots().any(|root| path.starts_with(root.path()));
        let named = is_inside(path)
            && Root::pin(path).is_ok_and(|root| is_inside(root.path()) && root.path() == path);
        if named {
            return Ok(());
        }
        Err(faults::argument(Text::new("'").argument(shown).and(
            "' is not a folder inside a root of this server; a file:// source must resolve inside a configured root",
        )))
    }
}

fn disabled(shown: &str) -> Fault {
    Fault::new(
        Code::RemoteDisabled,
        Text::new("'").argument(shown).and(
            "' is a repository URL and this server was started without --allow-remote; start it with that flag, or use \
             a local root",
        ),
    )
}

fn not_accepted(shown: &str, fault: UrlFault) -> Fault {
    let why = match fault {
        UrlFault::Scheme => {
            "' cannot be used as a project: use an http(s), ssh or git URL, the form user@host:path, or file:// inside a \
             root"
        }
        UrlFault::Query => "' cannot be used as a project: remove the query and the fragment",
        UrlFault::Password => {
            "' cannot be used as a project: remove the password; use an SSH key or a public address"
        }
        UrlFault::Host => "' cannot be used as a project: its host, port or user is not valid",
        UrlFault::PrivateHost => {
            "' cannot be used as a project: its host is on this machine or in a private network; start the server with \
             --allow-private-hosts to accept it"
        }
        UrlFault::Path => "' cannot be used as a project: its path is missing or not valid",
    };
    faults::argument(Text::new("'").argument(shown).and(why))
}

fn limit_reached(shown: &str) -> Fault {
    Fault::new(
        Code::RemoteLimit,
        Text::new("'")
            .argument(shown)
            .and("': this session already holds ")
            .count(REMOTES_MAX)
            .and(" remote sources; reuse an existing URL and branch, or restart the server"),
    )
}

fn failed(shown: &str, fault: CheckoutFault) -> Failure {
    let why = match fault {
        CheckoutFault::Stopped(stop) => return stop.into(),
        CheckoutFault::NoGit => "git is not installed or not on PATH; install it and call again",
        CheckoutFault::Cache => {
            "the cache folder cannot be used; it must belong to you and be closed to others (mode 0700)"
        }
        CheckoutFault::Busy => "another process is fetching or cleaning it; call again",
        CheckoutFault::Host => {
            "its host cannot be resolved, or leads into a private network; check the address, or start the server with \
             --allow-private-hosts"
        }
        CheckoutFault::Clone => {
            "the repository or the branch could not be fetched; check the address, the branch and your access"
        }
        CheckoutFault::TooLarge => "the repository is too large for the cache, or the disk is nearly full",
        CheckoutFault::TooSlow => {
            "fetching took too long; call again, or clone it yourself and use a local root"
        }
        CheckoutFault::Checkout => {
            "what was fetched could not be checked out; call again, or use another branch"
        }
    };
    Fault::new(Code::RemoteFailed, Text::new("'").argument(shown).and("': ").and(why)).into()
}
