//! A project that can be asked: a pinned root together with the address that every answer shows for it. For a remote
//! project that is the URL, and the folder where its files lie is never shown. It knows no tool.

use std::ops::Deref;

use disk::Root;
use fault::{Stop, Text, Watch};
use git::{Checkout, CheckoutLimits, GitProgram, Lease, RemoteUrl, Wanted};

use crate::document::Source;

/// A pinned project.
pub(crate) struct Place {
    root: Root,
    remote: Option<Remote>,
}

struct Remote {
    source: Source,
    url: RemoteUrl,
    private_hosts: bool,
    /// As long as it is held, nobody removes the checkout.
    _lease: Lease,
}

impl Place {
    /// A local root.
    pub(crate) fn local(root: Root) -> Place {
        Place { root, remote: None }
    }

    /// A checkout of a remote project.
    pub(crate) fn remote(checkout: Checkout, source: Source, url: RemoteUrl, private_hosts: bool) -> Place {
        let Checkout { root, lease, .. } = checkout;
        Place { root, remote: Some(Remote { source, url, private_hosts, _lease: lease }) }
    }

    /// The address that documents print: the physical path, or the safe URL.
    pub(crate) fn address(&self) -> String {
        match &self.remote {
            Some(remote) => remote.source.repository_url.clone(),
            None => self.root.path().to_string_lossy().into_owned(),
        }
    }

    /// Appends the address to a message of ours.
    pub(crate) fn say(&self, text: Text) -> Text {
        match &self.remote {
            Some(remote) => text.argument(&remote.source.repository_url),
            None => text.root(self.root.path()),
        }
    }

    /// The project's name.
    pub(crate) fn name(&self) -> String {
        self.remote.as_ref().map_or_else(|| self.root.name(), |remote| remote.url.name())
    }

    /// Fetches what a diff of a remote project names and the checkout, which has no history, lacks. Says whether it
    /// did; a local root is never fetched into.
    ///
    /// # Errors
    /// When the call ends.
    pub(crate) fn fetch(
        &self,
        git: &GitProgram,
        revisions: &[&str],
        watch: &dyn Watch,
    ) -> Result<bool, Stop> {
        let Some(remote) = &self.remote else { return Ok(false) };
        let wanted = Wanted {
            url: &remote.url,
            branch: None,
            private_hosts: remote.private_hosts,
            limits: CheckoutLimits::default(),
        };
        git::fetch_revisions(git, &self.root, wanted, revisions, watch)
    }

    /// Where a remote project comes from.
    pub(crate) fn source(&self) -> Option<&Source> {
        self.remote.as_ref().map(|remote| &remote.source)
    }
}

impl Deref for Place {
    type Target = Root;

    fn deref(&self) -> &Root {
        &self.root
    }
}
