//! One changeset against the project as it is now: its entries, how each stands, and the project as it would be. It judges
//! nothing.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::SystemTime;

use docs::{Contract, Hash, ProjectService, Snapshot, ViewDef, WriterDef};

use crate::content::Content;
use crate::faults::{Problem, ProposeFault};
use crate::fold::{Effective, effective};
use crate::overlay::{self, Overlay};
use crate::policy::{ProposalPolicy, ProposalValidator, StartupWriter};
use crate::roots::ConfinedRoots;
use crate::standing::{Standing, standing};
use crate::store::{Store, Stored};

/// Renders a view of a snapshot; what it gives on failure is only whether the page was too large.
pub type Render<'r> = dyn Fn(&Snapshot, &ViewDef) -> Result<Vec<u8>, RenderProblem> + 'r;

/// Why a view was not rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderProblem {
    /// The page would be larger than allowed.
    #[error("the page would be larger than allowed")]
    TooLarge,
    /// Anything else.
    #[error("the view could not be rendered")]
    Failed,
}

/// Everything that a call about changesets works with.
#[derive(Clone, Copy)]
pub struct Desk<'d> {
    /// The project.
    pub service: &'d ProjectService,
    /// The snapshot that the call is about.
    pub snapshot: &'d Arc<Snapshot>,
    /// Where changesets and previews lie.
    pub roots: &'d ConfinedRoots,
    /// The writer of the server.
    pub writer: Option<&'d StartupWriter>,
    /// What an integration takes away.
    pub policy: &'d dyn ProposalPolicy,
    /// What an integration looks at.
    pub validators: &'d [Box<dyn ProposalValidator>],
    /// Renders views; without it views are not tried.
    pub render: Option<&'d Render<'d>>,
    /// The time of the call; informational.
    pub now: SystemTime,
}

impl std::fmt::Debug for Desk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").field("writer", &self.writer).finish_non_exhaustive()
    }
}

impl<'d> Desk<'d> {
    /// The changesets.
    pub fn store(&self) -> Store<'d> {
        Store::new(self.roots)
    }

    /// The contract.
    pub fn contract(&self) -> &'d Contract {
        self.snapshot.contract()
    }
}

/// A changeset that is looked at.
#[derive(Debug)]
pub struct Case {
    /// The changeset.
    pub stored: Stored,
    /// Its effective entries.
    pub entries: BTreeMap<String, Effective>,
    /// What nodes said when something was proposed for them.
    pub bases: HashMap<Hash, Content>,
    /// How each entry stands.
    pub standings: BTreeMap<String, Standing>,
    /// The project as it would be.
    pub overlay: Overlay,
}

impl Case {
    /// Looks at a changeset.
    ///
    /// # Errors
    /// As [`Store::base`].
    pub fn open(desk: &Desk<'_>, stored: Stored) -> Result<Case, ProposeFault> {
        let entries = effective(&stored.log);
        Case::of(desk, stored, entries, HashMap::new())
    }

    /// The same with the entries of some nodes alone, as if the changeset had no others.
    ///
    /// # Errors
    /// As [`Case::open`].
    pub fn only(desk: &Desk<'_>, stored: Stored, ids: &[String]) -> Result<Case, ProposeFault> {
        let mut entries = effective(&stored.log);
        entries.retain(|id, _| ids.contains(id));
        Case::of(desk, stored, entries, HashMap::new())
    }

    /// The same with entries that are not all in the log yet; `bases` are those that are not kept yet.
    pub(crate) fn of(
        desk: &Desk<'_>,
        stored: Stored,
        entries: BTreeMap<String, Effective>,
        mut bases: HashMap<Hash, Content>,
    ) -> Result<Case, ProposeFault> {
        let standings = stand(desk, &stored, &entries, &mut bases)?;
        let overlay = overlay::build(desk.service, desk.snapshot, &entries, &standings);
        Ok(Case { stored, entries, bases, standings, overlay })
    }

    /// How each entry stands, without the project as it would be.
    pub(crate) fn standings_of(
        desk: &Desk<'_>,
        stored: &Stored,
        entries: &BTreeMap<String, Effective>,
    ) -> Result<BTreeMap<String, Standing>, ProposeFault> {
        stand(desk, stored, entries, &mut HashMap::new())
    }

    /// The project as it would be.
    ///
    /// # Errors
    /// [`Problem::OverlayUnloadable`].
    pub fn after(&self) -> Result<&Snapshot, ProposeFault> {
        self.overlay.snapshot.as_ref().ok_or_else(|| ProposeFault::of(Problem::OverlayUnloadable))
    }
}

/// Compares every entry with the project; `bases` gets what is kept and not known yet.
fn stand(
    desk: &Desk<'_>,
    stored: &Stored,
    entries: &BTreeMap<String, Effective>,
    bases: &mut HashMap<Hash, Content>,
) -> Result<BTreeMap<String, Standing>, ProposeFault> {
    let store = desk.store();
    let wanted = entries.values().flat_map(|entry| {
        let items = entry.items.values().filter_map(|change| change.base);
        items.chain(entry.base.as_ref().map(|base| base.hash))
    });
    for hash in wanted {
        if !bases.contains_key(&hash)
            && let Some(kept) = store.base(stored, hash)?
        {
            bases.insert(hash, kept.content);
        }
    }
    let is_strict = writer_of(desk, stored).is_some_and(|writer| writer.strict_base);
    let stand = |entry: &Effective| standing(desk.snapshot, entry, bases, is_strict);
    Ok(entries.iter().map(|(id, entry)| (id.clone(), stand(entry))).collect())
}

/// The permissions of the writer that made a changeset, as they are now.
pub(crate) fn writer_of<'d>(desk: &Desk<'d>, stored: &Stored) -> Option<&'d WriterDef> {
    desk.contract().writer(&stored.log.header.writer)
}
