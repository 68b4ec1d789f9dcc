//! The selection of a whole tree: walks it under the baseline, narrows what is left, and puts files and folders in
//! order. It opens no project file except ignore rules, and knows nothing of content.

use std::sync::Arc;

use disk::{Entry, Folder, Kind, Links, OpenFault, RelPath, Root, Stat, Step, Visitor, WalkLimits, walk};
use fault::{Stop, Watch};

use crate::descent::{Descent, Fate, Seal};
use crate::paths::{Chosen, PathSet, Standing};
use crate::policy::{GitRules, Narrow, Policy};
use crate::toggles::Toggle;
use crate::wild::Effort;

/// Levels of folders that a scan goes down.
pub const DEPTH_MAX: usize = 256;
/// Entries that a scan looks at.
pub const ENTRIES_MAX: usize = 1_000_000;
/// What the globs of one request may cost to match; ordinary ones stay far below.
const GLOB_EFFORT: Effort = Effort::new(400_000_000);
/// What the ignore rules of one call may cost to match. Hostile ones that need more hide what is left.
const IGNORE_EFFORT: Effort = Effort::new(1_000_000_000);

/// Whether the size of every file is wanted, or only where a rule needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// Sizes are there only where the baseline or the narrowing had to ask.
    AsNeeded,
    /// Every file has its size, if the file system told it.
    All,
}

/// Why there is no selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectFault {
    /// The root cannot be listed.
    #[error("the root cannot be listed")]
    RootUnreadable,
    /// The globs are too expensive for this tree.
    #[error("the globs are too expensive")]
    GlobsTooExpensive,
    /// Nobody waits for the answer any more.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// One selected file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedFile {
    /// Where it lies below the root.
    pub path: RelPath,
    /// Its size, if it was asked for and told.
    pub size_bytes: Option<u64>,
    /// Whether it is a pipe, a socket or a device: it must never be opened.
    pub special: bool,
    /// The stacks whose markers stand in the nearest owning folder, as `redact::Stacks` has them: 1 .NET, 2 Node,
    /// 4 Python, 8 JVM, 16 Terraform, 32 container.
    pub stack_bits: u8,
}

/// What the scan could not see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    /// Folders that could not be listed.
    pub directories: usize,
    /// Ignore files that could not be read, were no regular files or were over a cap; their scope is hidden.
    pub ignore_files: usize,
    /// Folders that lie deeper than [`DEPTH_MAX`] levels.
    pub depth_cut: usize,
    /// Whether there were more than [`ENTRIES_MAX`] entries.
    pub entry_cut: bool,
}

impl Partial {
    /// Whether anything was not seen (`DPX-PROJECT-PARTIAL-ACCESS`).
    pub fn is_partial(&self) -> bool {
        *self != Partial::default()
    }
}

/// The files and folders that a request concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The files in ordinal order of their full path.
    pub files: Vec<SelectedFile>,
    /// The folders that are shown, the root excluded, in ordinal order.
    pub folders: Vec<RelPath>,
    /// What could not be seen.
    pub partial: Partial,
    /// The entries of `selected_paths` that are not in the baseline (`DPX-SELECTION-PATH-MISSING`), each once.
    pub missing_selected_paths: Vec<RelPath>,
    /// Whether the project has entries but its ignore rules hide every one of them, as a `.gitignore` that ends
    /// in `/*` does.
    pub everything_ignored: bool,
}

/// Selects: the baseline of `policy`, narrowed by `narrow` (spec `project.md` 6).
///
/// # Errors
/// [`SelectFault`]. What lies below the root and cannot be read is no error but [`Selection::partial`].
pub fn select(
    root: &Root,
    policy: &Policy,
    narrow: &Narrow,
    sizes: Sizes,
    watch: &dyn Watch,
) -> Result<Selection, SelectFault> {
    select_within(&Bounds::default(), root, policy, narrow, sizes, watch)
}

/// How far a scan goes.
struct Bounds {
    walk: WalkLimits,
    glob_effort: Effort,
    ignore_effort: Effort,
}

impl Default for Bounds {
    fn default() -> Self {
        let walk = WalkLimits { max_depth: DEPTH_MAX, max_entries: ENTRIES_MAX };
        Bounds { walk, glob_effort: GLOB_EFFORT, ignore_effort: IGNORE_EFFORT }
    }
}

fn select_within(
    bounds: &Bounds,
    root: &Root,
    policy: &Policy,
    narrow: &Narrow,
    sizes: Sizes,
    watch: &dyn Watch,
) -> Result<Selection, SelectFault> {
    let mut scan = Scan::new(bounds, root, policy, narrow, sizes, watch);
    let end = walk(root, &RelPath::root(), &bounds.walk, &mut scan, watch)?;
    if let Some(fault) = scan.fault {
        return Err(fault);
    }
    let mut selection = scan.selection;
    selection.folders.sort_unstable();
    selection.partial = Partial {
        directories: end.unreadable,
        ignore_files: scan.descent.ignore_files_lost,
        depth_cut: end.depth_cut,
        entry_cut: end.entry_cut,
    };
    let chosen = scan.selected.iter().zip(&scan.found);
    selection.missing_selected_paths =
        chosen.filter(|(_, found)| !**found).map(|(path, _)| path.clone()).collect();
    selection.everything_ignored = scan.dropped_by_git && !scan.kept_by_git;
    Ok(selection)
}

/// Whether the baseline selects one file, and what is known of it. The answer is that of [`select`] without
/// narrowing, found by looking only at the folders on the way to it. Only what depends on the whole scan is left
/// out: its limits on entries and on the sum of all ignore rules.
///
/// # Errors
/// [`SelectFault::RootUnreadable`] and [`SelectFault::Stopped`].
pub fn select_one(
    root: &Root,
    policy: &Policy,
    path: &RelPath,
    watch: &dyn Watch,
) -> Result<Option<SelectedFile>, SelectFault> {
    if path.is_root() || path.depth() > DEPTH_MAX {
        return Ok(None);
    }
    let mut descent = Descent::new(root, policy, IGNORE_EFFORT);
    let mut dir = RelPath::root();
    let mut special = false;
    let last = path.depth() - 1;
    for (level, name) in path.components().enumerate() {
        watch.check()?;
        let entries = match root.list(&dir) {
            Ok(entries) => entries,
            Err(_) if dir.is_root() => return Err(SelectFault::RootUnreadable),
            Err(_) => return Ok(None),
        };
        descent.enter(&dir, &entries, true);
        let Ok(at) = entries.binary_search_by(|entry| (*entry.name).cmp(name)) else { return Ok(None) };
        let entry = &entries[at];
        let is_folder = entry.kind == Kind::Directory;
        if is_folder == (level == last) || descent.fate(entry) != Fate::Wanted {
            return Ok(None);
        }
        special = entry.kind == Kind::Special;
        dir = dir.join(name);
    }
    let stat = || root.stat(&dir, Links::Refuse);
    Ok(file(stat, &descent, dir.clone(), special, policy.toggles.has(Toggle::EmptyFiles)))
}

/// Whether the baseline selects one file: [`select_one`] without the facts.
///
/// # Errors
/// As [`select_one`].
pub fn is_selected(
    root: &Root,
    policy: &Policy,
    path: &RelPath,
    watch: &dyn Watch,
) -> Result<bool, SelectFault> {
    Ok(select_one(root, policy, path, watch)?.is_some())
}

/// A wanted file with its size, unless its size hides it or it is gone.
fn file(
    stat: impl FnOnce() -> Result<Stat, OpenFault>,
    descent: &Descent<'_>,
    path: RelPath,
    special: bool,
    need_size: bool,
) -> Option<SelectedFile> {
    let mut file = SelectedFile { path, size_bytes: None, special, stack_bits: descent.stack_bits() };
    if need_size && !special {
        match stat() {
            Ok(stat) if stat.kind == Kind::File => file.size_bytes = Some(stat.size_bytes),
            Ok(_) | Err(OpenFault::NotFound) => return None,
            Err(_) => {}
        }
    }
    let hidden = file.size_bytes.is_some_and(|size_bytes| descent.hides_size(size_bytes));
    (!hidden).then_some(file)
}

/// What is counted for one folder on the way down.
#[derive(Default)]
struct Tally {
    /// Entries that could be seen, and how many of them the Git mode hides.
    entries: usize,
    ignored: usize,
    /// Whether a file below is in the baseline.
    in_baseline: bool,
    /// Whether the folder is shown because something below it is.
    shown: bool,
    /// How the folder stands to the requested paths.
    standing: Option<Standing>,
    /// Files of the folder itself that come after what was already handed out, the next one last.
    waiting: Vec<SelectedFile>,
}

/// A walk in progress.
struct Scan<'a> {
    policy: &'a Policy,
    narrow: &'a Narrow,
    watch: &'a dyn Watch,
    descent: Descent<'a>,
    requested: Chosen,
    size_of_baseline: bool,
    size_of_all: bool,
    unnarrowed: bool,
    /// The entries of `selected_paths`, and for each whether the baseline holds it.
    selected: PathSet,
    found: Vec<bool>,
    tallies: Vec<Tally>,
    /// Entries seen so far, and how many may be.
    seen: usize,
    entries_max: usize,
    glob_effort: Effort,
    kept_by_git: bool,
    dropped_by_git: bool,
    selection: Selection,
    fault: Option<SelectFault>,
}

impl<'a> Scan<'a> {
    fn new(
        bounds: &Bounds,
        root: &'a Root,
        policy: &'a Policy,
        narrow: &'a Narrow,
        sizes: Sizes,
        watch: &'a dyn Watch,
    ) -> Self {
        let selected: PathSet = policy.selected_paths.iter().cloned().collect();
        Scan {
            policy,
            narrow,
            watch,
            descent: Descent::new(root, policy, bounds.ignore_effort),
            requested: Chosen::new(&narrow.paths),
            size_of_baseline: policy.toggles.has(Toggle::EmptyFiles),
            size_of_all: sizes == Sizes::All || narrow.max_file_bytes.is_some(),
            unnarrowed: narrow.is_none(),
            found: vec![false; selected.len()],
            selected,
            tallies: Vec::new(),
            seen: 0,
            entries_max: bounds.walk.max_entries,
            glob_effort: bounds.glob_effort,
            kept_by_git: false,
            dropped_by_git: false,
            selection: Selection::default(),
            fault: None,
        }
    }

    /// Whether a wanted folder is entered although nothing of it may be asked for: the profile's missing paths
    /// are counted on the baseline.
    fn must_enter(&self, dir: &RelPath, standing: Standing) -> bool {
        if !self.found.is_empty() {
            return true;
        }
        let has_member = |members: &Arc<PathSet>| members.has_below(dir);
        standing != Standing::Outside
            && (self.narrow.members.as_ref().is_none_or(has_member) || self.requested.names_at_or_below(dir))
    }

    fn mark_found(&mut self, path: &RelPath) {
        for at in self.selected.covering(path) {
            self.found[at] = true;
        }
    }

    /// Narrows a file of the baseline.
    fn passes(&mut self, file: &SelectedFile, standing: Standing) -> bool {
        let narrow = self.narrow;
        let path = &file.path;
        if self.requested.below(standing, path) != Standing::Inside {
            return false;
        }
        if narrow.members.as_ref().is_some_and(|members| !members.contains(path)) {
            return false;
        }
        let effort = &mut self.glob_effort;
        let bytes = path.as_bytes();
        let globs_pass = (narrow.include.is_empty() || narrow.include.matches_within(bytes, effort))
            && (narrow.exclude.is_empty() || !narrow.exclude.matches_within(bytes, effort));
        if effort.is_spent() {
            self.fault = Some(SelectFault::GlobsTooExpensive);
        }
        globs_pass
    }

    fn visit(
        &mut self,
        folder: &Folder<'_>,
        dir: &RelPath,
        entry: &Entry,
        tally: &mut Tally,
        standing: Standing,
    ) -> Step {
        let fate = self.descent.fate(entry);
        if fate == Fate::Never {
            return Step::Skip;
        }
        tally.entries += 1;
        if fate == Fate::Ignored {
            tally.ignored += 1;
            return Step::Skip;
        }
        let is_folder = entry.kind == Kind::Directory;
        self.kept_by_git |= !is_folder;
        if fate == Fate::Excluded {
            self.kept_by_git = true;
            return Step::Skip;
        }
        let path = dir.join(&entry.name);
        if is_folder {
            let standing = self.requested.below(standing, &path);
            if self.must_enter(&path, standing) {
                return Step::Descend;
            }
            // Nobody looked, so it counts as holding something.
            self.kept_by_git = true;
            tally.in_baseline = true;
            return Step::Skip;
        }
        let special = entry.kind == Kind::Special;
        let stat = || folder.stat(&entry.name);
        let need_size = self.size_of_baseline;
        let Some(mut file) = file(stat, &self.descent, path, special, need_size) else {
            return Step::Skip;
        };
        tally.in_baseline = true;
        self.mark_found(&file.path);
        if !self.passes(&file, standing) {
            return Step::Skip;
        }
        if self.size_of_all && !special && file.size_bytes.is_none() {
            match stat() {
                Ok(stat) if stat.kind == Kind::File => file.size_bytes = Some(stat.size_bytes),
                Ok(_) | Err(OpenFault::NotFound) => return Step::Skip,
                Err(_) => {}
            }
        }
        let too_large = |max: u64| file.size_bytes.is_some_and(|size_bytes| size_bytes > max);
        if !self.narrow.max_file_bytes.is_some_and(too_large) {
            tally.waiting.push(file);
        }
        Step::Skip
    }

    /// Hands out the waiting files of the folder where the walk stands, as far as they come before `limit`.
    fn hand_out(&mut self, limit: Option<&RelPath>) {
        let Some(tally) = self.tallies.last_mut() else { return };
        while let Some(file) = tally.waiting.last() {
            let before = |dir: &RelPath| file.path.as_bytes().iter().lt(dir.as_bytes().iter().chain(b"/"));
            if !limit.is_none_or(before) {
                return;
            }
            tally.shown = true;
            self.selection.files.extend(tally.waiting.pop());
        }
    }
}

impl Visitor for Scan<'_> {
    fn enter(&mut self, dir: &RelPath, entries: &[Entry], folder: &Folder<'_>) -> Vec<Step> {
        self.hand_out(Some(dir));
        self.seen += entries.len();
        self.descent.enter(dir, entries, self.seen < self.entries_max);
        let parent = self.tallies.last().and_then(|tally| tally.standing);
        let standing = match parent {
            None => self.requested.of_root(),
            Some(parent) => self.requested.below(parent, dir),
        };
        let mut tally = Tally { standing: Some(standing), ..Tally::default() };
        let mut steps = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            if at % 1_024 == 0
                && let Err(stop) = self.watch.check()
            {
                self.fault = Some(SelectFault::Stopped(stop));
            }
            if self.fault.is_some() {
                break;
            }
            steps.push(self.visit(folder, dir, entry, &mut tally, standing));
        }
        self.dropped_by_git |= match self.descent.here().seal {
            None => tally.ignored > 0 && matches!(self.policy.git, GitRules::Ignore),
            Some(seal) => seal == Seal::Ignored && tally.entries > 0,
        };
        tally.waiting.reverse();
        self.tallies.push(tally);
        steps
    }

    fn leave(&mut self, dir: &RelPath) {
        self.hand_out(None);
        let seal = self.descent.here().seal;
        self.descent.leave();
        let Some(mut tally) = self.tallies.pop() else { return };
        let Some(parent) = self.tallies.last_mut() else { return };
        let all_ignored = seal.is_some() || tally.entries > 0 && tally.ignored == tally.entries;
        parent.ignored += usize::from(all_ignored);
        parent.in_baseline |= tally.in_baseline;
        let is_empty = !tally.in_baseline && !all_ignored;
        let toggle_is_off = !self.policy.toggles.has(Toggle::EmptyFolders);
        tally.shown |= is_empty && (self.unnarrowed && toggle_is_off || self.requested.names(dir));
        parent.shown |= tally.shown;
        if tally.shown {
            self.selection.folders.push(dir.clone());
        }
        if is_empty && toggle_is_off {
            self.mark_found(dir);
        }
    }

    fn unreadable(&mut self, dir: &RelPath) {
        self.kept_by_git = true;
        if dir.is_root() {
            self.fault = Some(SelectFault::RootUnreadable);
        }
    }
}

#[cfg(test)]
mod tests;
