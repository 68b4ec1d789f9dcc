//! Which files the sources claim, and how they look: one walk over names and times. It opens no file.

use std::time::SystemTime;

use disk::{Entry, Folder, Kind, RelPath, Root, Stat, Step, Visitor, WalkLimits, walk};
use fault::{Stop, Watch};

use crate::contract::{Contract, MANIFEST_NAME};
use crate::diagnose::{Check, Diagnostic, Place};
use crate::glob::Glob;
use crate::ident::is_path;

/// Names that a walk looks at for each file that a project may have.
const NAMES_PER_FILE: usize = 5;

/// How a file looks without being opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) size: u64,
    pub(crate) mtime: SystemTime,
    pub(crate) ctime: SystemTime,
    pub(crate) ino: u64,
}

impl Stamp {
    pub(crate) fn of(stat: &Stat) -> Stamp {
        Stamp { size: stat.size_bytes, mtime: stat.mtime, ctime: stat.ctime, ino: stat.ino }
    }
}

/// A file that a source claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) path: String,
    /// Place of the source in the contract.
    pub(crate) source: usize,
    pub(crate) stamp: Stamp,
}

/// What a walk found.
#[derive(Debug, Default)]
pub(crate) struct Sweep {
    /// In the order of path bytes.
    pub(crate) claims: Vec<Claim>,
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) is_unloadable: bool,
}

/// Walks the folders that a source can claim something in.
///
/// # Errors
/// The stop that `watch` reported.
pub(crate) fn sweep(root: &Root, contract: &Contract, watch: &dyn Watch) -> Result<Sweep, Stop> {
    let mut visitor = Claimant { contract, sweep: Sweep::default(), bytes: 0 };
    let limits = WalkLimits {
        max_depth: contract.limits.max_depth,
        max_entries: contract.limits.max_files.saturating_mul(NAMES_PER_FILE).max(10_000),
    };
    let end = walk(root, &RelPath::root(), &limits, &mut visitor, watch)?;
    let mut sweep = visitor.sweep;
    let mut over = |message: String| {
        let place = Place::file(MANIFEST_NAME);
        let finding = Diagnostic::new(Check::LimitExceeded, place, message);
        sweep.findings.push(finding.fix("narrow `include` of the sources, or split the project"));
        sweep.is_unloadable = true;
    };
    if end.entry_cut || sweep.claims.len() > contract.limits.max_files {
        over(format!("the sources claim more than {} files", contract.limits.max_files));
    } else if visitor.bytes > contract.limits.max_total_bytes {
        over(format!("the source files have more than {} bytes", contract.limits.max_total_bytes));
    }
    if end.depth_cut > 0 {
        let place = Place { path: None, line: None, column: None };
        let message =
            format!("{} folder(s) lie deeper than {} levels", end.depth_cut, contract.limits.max_depth);
        sweep.findings.push(Diagnostic::new(Check::LimitExceeded, place, message));
    }
    sweep.claims.sort_by(|left, right| left.path.as_bytes().cmp(right.path.as_bytes()));
    Ok(sweep)
}

struct Claimant<'c> {
    contract: &'c Contract,
    sweep: Sweep,
    bytes: u64,
}

impl Visitor for Claimant<'_> {
    fn enter(&mut self, dir: &RelPath, entries: &[Entry], folder: &Folder<'_>) -> Vec<Step> {
        entries.iter().map(|entry| self.step(dir, entry, folder)).collect()
    }

    fn leave(&mut self, _dir: &RelPath) {}

    fn unreadable(&mut self, dir: &RelPath) {
        let path = dir.as_str().filter(|path| is_path(path)).map(str::to_owned);
        let finding = Diagnostic::new(
            Check::Unreadable,
            Place { path, line: None, column: None },
            "a folder cannot be read, or another file system begins there",
        );
        self.sweep.findings.push(finding.fix("give it read permission, or leave it out of the sources"));
    }
}

impl Claimant<'_> {
    fn step(&mut self, dir: &RelPath, entry: &Entry, folder: &Folder<'_>) -> Step {
        let path = dir.join(&entry.name);
        let shown = String::from_utf8_lossy(path.as_bytes()).into_owned();
        if entry.kind == Kind::Directory {
            let may_claim = entry.name.as_ref() != b".git"
                && self.contract.sources.iter().any(|source| source.globs.may_claim_below(&shown))
                && (!entry.name.starts_with(b".") || self.is_named_literally(&shown));
            return if may_claim { Step::Descend } else { Step::Skip };
        }
        if shown == MANIFEST_NAME {
            return Step::Skip;
        }
        let claimants: Vec<usize> = self
            .contract
            .sources
            .iter()
            .enumerate()
            .filter(|(_, source)| source.globs.claims(&shown))
            .map(|(at, _)| at)
            .collect();
        let Some(source) = claimants.first().copied() else {
            if entry.kind == Kind::Link && self.stands_for_a_folder(&entry.name, &shown) {
                let message = "a symbolic link is not followed, so what lies behind it is no source";
                let finding = Diagnostic::new(Check::SymlinkRefused, Place::file(&shown), message);
                self.sweep.findings.push(finding.fix("put the folder itself here, or exclude the link"));
            }
            return Step::Skip;
        };
        if path.as_str().is_none_or(|path| !is_path(path)) {
            // Its name cannot be shown, so its folder is.
            let folder = dir.as_str().filter(|dir| !dir.is_empty() && is_path(dir)).map(str::to_owned);
            let finding = Diagnostic::new(
                Check::PathUnsupported,
                Place { path: folder, line: None, column: None },
                "a file name here has characters that are not supported, so the file is not read",
            );
            self.sweep
                .findings
                .push(finding.fix("rename it: no controls, no invisible characters, no backslash, NFC"));
            return Step::Skip;
        }
        let place = Place::file(&shown);
        if claimants.len() > 1 {
            let names: Vec<&str> =
                claimants.iter().map(|at| self.contract.sources[*at].id.as_str()).collect();
            let message = format!("the sources {} claim this file", names.join(" and "));
            let finding = Diagnostic::new(Check::SourceOverlap, place.clone(), message);
            self.sweep.findings.push(finding.fix("exclude it from all of them but one"));
            self.sweep.is_unloadable = true;
        }
        match entry.kind {
            Kind::Link => {
                let finding =
                    Diagnostic::new(Check::SymlinkRefused, place, "a symbolic link is not followed");
                self.sweep.findings.push(finding.fix("put the file itself here, or exclude the link"));
                return Step::Skip;
            }
            Kind::Special => {
                let finding =
                    Diagnostic::new(Check::SpecialRefused, place, "this is a pipe, a socket or a device");
                self.sweep.findings.push(finding.fix("remove it, or exclude it"));
                return Step::Skip;
            }
            Kind::File | Kind::Directory => {}
        }
        // A file that went away in between is no file.
        let Ok(stat) = folder.stat(&entry.name) else { return Step::Skip };
        self.bytes += stat.size_bytes;
        self.sweep.claims.push(Claim { path: shown, source, stamp: Stamp::of(&stat) });
        Step::Keep
    }

    /// Whether a link that no source claims looks like a folder of sources. Where it leads is not looked at: a name without a
    /// dot is enough.
    fn stands_for_a_folder(&self, name: &[u8], shown: &str) -> bool {
        let below = format!("{shown}/x");
        !name.contains(&b'.')
            && is_path(shown)
            && self.contract.sources.iter().any(|source| {
                let is_excluded = |glob: &Glob| glob.matches(shown) || glob.matches(&below);
                source.globs.may_claim_below(shown) && !source.globs.exclude.iter().any(is_excluded)
            })
    }

    /// Whether an include writes the hidden folder out.
    fn is_named_literally(&self, folder: &str) -> bool {
        let depth = folder.split('/').count();
        self.contract.sources.iter().flat_map(|source| &source.include).any(|glob| {
            let start: Vec<&str> = glob.split('/').take(depth).collect();
            start.len() == depth && start.last() == folder.split('/').next_back().as_ref()
        })
    }
}
