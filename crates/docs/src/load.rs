//! From a root to parsed files: which files the sources claim, what could not be read, and what changed since the last
//! look (spec C6). It follows no link, runs nothing, and gives nothing a meaning.

mod read;
mod sweep;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use disk::{Kind, Links, OpenFault, ReadFault, RelPath, Root};
use fault::{Unwatched, Watch};

use crate::assemble::LoadedFile;
use crate::contract::{self, Contract, MANIFEST_NAME};
use crate::diagnose::{Check, Diagnostic, Place};
use crate::hash::Hash;
use crate::limits::MANIFEST_BYTES_MAX;

pub(crate) use read::read;
pub(crate) use sweep::{Claim, Stamp, Sweep, sweep};

/// How close to the moment of reading a file may have been written and still be trusted to be unchanged.
pub(crate) const RACY: Duration = Duration::from_secs(2);

/// A file as it was read, and how it looked then.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) stamp: Stamp,
    pub(crate) read_at: SystemTime,
    pub(crate) file: Arc<LoadedFile>,
    /// What went wrong with the file itself; it has no nodes then.
    pub(crate) trouble: Option<Diagnostic>,
}

impl Known {
    /// Whether a look at the file's names and times is enough to know its content.
    pub(crate) fn is_certain(&self) -> bool {
        let newest = self.stamp.mtime.max(self.stamp.ctime);
        // What stands beside a file is not looked at by a sweep.
        let has_beside = !self.file.beside.is_empty();
        !has_beside && newest.checked_add(RACY).is_some_and(|safe| safe < self.read_at)
    }
}

/// Files by path.
pub(crate) type Files = BTreeMap<String, Known>;

/// The manifest as it stands.
pub(crate) struct Manifest {
    pub(crate) hash: Hash,
    pub(crate) size: u64,
    pub(crate) contract: Result<Arc<Contract>, Vec<Diagnostic>>,
}

/// Reads the bytes of the manifest.
///
/// # Errors
/// The finding that says why there is none.
pub(crate) fn manifest_bytes(root: &Root) -> Result<Vec<u8>, Box<Diagnostic>> {
    let place = Place::file(MANIFEST_NAME);
    let finding =
        |check: Check, message: &str, fix: &str| Diagnostic::new(check, place.clone(), message).fix(fix);
    let path = RelPath::root().join(MANIFEST_NAME.as_bytes());
    let file = root.open_file(&path, Links::Refuse, MANIFEST_BYTES_MAX).map_err(|fault| match fault {
        OpenFault::NotFound => finding(
            Check::ManifestMissing,
            "the project root has no docforge.toml",
            "run `readroom docs init`, or name another --project-root",
        ),
        OpenFault::TooLarge { .. } => {
            finding(Check::ManifestInvalid, "the manifest has more than 256 KiB", "shorten it")
        }
        _ => finding(
            Check::ManifestInvalid,
            "the manifest is no regular file that can be read",
            "make docforge.toml a plain file with read permission",
        ),
    })?;
    let read = file.read(MANIFEST_BYTES_MAX, &Unwatched).map_err(|fault| match fault {
        ReadFault::TooLarge => {
            finding(Check::ManifestInvalid, "the manifest has more than 256 KiB", "shorten it")
        }
        _ => finding(Check::ManifestInvalid, "the manifest cannot be read", "check its permissions"),
    })?;
    Ok(read.bytes)
}

/// Reads and checks the manifest.
pub(crate) fn manifest(root: &Root) -> Manifest {
    match manifest_bytes(root) {
        Err(finding) => Manifest { hash: Hash::of(&[]), size: 0, contract: Err(vec![*finding]) },
        Ok(bytes) => {
            let contract = match std::str::from_utf8(&bytes) {
                Ok(text) => contract::load(text).and_then(|contract| unlinked(root, contract)).map(Arc::new),
                Err(_) => Err(vec![Diagnostic::new(
                    Check::ManifestInvalid,
                    Place::file(MANIFEST_NAME),
                    "the manifest is not valid UTF-8",
                )]),
            };
            Manifest { hash: Hash::of(&[&bytes]), size: bytes.len() as u64, contract }
        }
    }
}

/// The contract, unless one of its own paths is a link or lies behind one: what is written there would land elsewhere.
fn unlinked(root: &Root, contract: Contract) -> Result<Contract, Vec<Diagnostic>> {
    let paths = &contract.paths;
    let named = [
        ("changesets", &paths.changesets),
        ("previews", &paths.previews),
        ("index", &paths.index),
        ("baselines", &paths.baselines),
    ];
    let mut found = Vec::new();
    for (key, path) in named {
        let mut here = RelPath::root();
        for name in path.split('/') {
            here = here.join(name.as_bytes());
            if root.stat(&here, Links::Refuse).is_ok_and(|stat| stat.kind == Kind::Link) {
                let place = Place::file(MANIFEST_NAME);
                let message = format!("`{key}` of [paths] is a link or lies behind one");
                let finding = Diagnostic::new(Check::ManifestInvalid, place, message);
                found.push(finding.fix("name a plain folder of the project, or remove the link"));
                break;
            }
        }
    }
    if found.is_empty() { Ok(contract) } else { Err(found) }
}

/// What an update of the files came to.
#[derive(Debug, Default)]
pub(crate) struct Update {
    /// Paths whose content, or whose being there, is another one than before; sorted.
    pub(crate) changed: Vec<String>,
    /// Findings about names that are no files, and the reason for which nothing can be loaded.
    pub(crate) findings: Vec<Diagnostic>,
    /// Whether the project is beyond a limit or two sources claim one file.
    pub(crate) is_unloadable: bool,
}

/// Brings `files` up to date: what looks as before and is certain stays, the rest is read again. With `verify` every file is
/// read.
///
/// # Errors
/// The stop that `watch` reported; `files` are as before then.
pub(crate) fn update(
    root: &Root,
    contract: &Contract,
    files: &mut Files,
    verify: bool,
    watch: &dyn Watch,
) -> Result<Update, fault::Stop> {
    let Sweep { claims, findings, is_unloadable } = sweep(root, contract, watch)?;
    let mut update = Update { changed: Vec::new(), findings, is_unloadable };
    if is_unloadable {
        return Ok(update);
    }
    let known = known(&claims, files);
    let is_needed = |claim: &Claim, known: Option<&Known>| {
        verify || known.is_none_or(|known| known.stamp != claim.stamp || !known.is_certain())
    };
    let pairs = claims.iter().zip(known.iter().copied());
    let needed: Vec<Claim> =
        pairs.filter(|(claim, known)| is_needed(claim, *known)).map(|(claim, _)| claim.clone()).collect();
    let fresh = read(root, contract, &needed, files, watch)?;
    let mut next = Vec::with_capacity(claims.len());
    for (claim, before) in claims.iter().zip(&known) {
        let fresh = if fresh.is_empty() { None } else { fresh.get(&claim.path) };
        let Some(now) = fresh.or(*before) else { continue };
        let is_same = before.is_some_and(|before| {
            Arc::ptr_eq(&before.file, &now.file)
                || before.file.entry == now.file.entry
                    && before.file.beside == now.file.beside
                    && before.trouble == now.trouble
        });
        if !is_same {
            update.changed.push(claim.path.clone());
        }
        next.push((claim.path.clone(), now.clone()));
    }
    if known.iter().flatten().count() < files.len() {
        let is_gone = |path: &&String| claims.binary_search_by(|claim| claim.path.cmp(path)).is_err();
        update.changed.extend(files.keys().filter(is_gone).cloned());
    }
    let next: Files = next.into_iter().collect();
    update.changed.sort();
    *files = next;
    Ok(update)
}

/// What is known of each claim. Both are in the order of path bytes.
fn known<'f>(claims: &[Claim], files: &'f Files) -> Vec<Option<&'f Known>> {
    let mut rest = files.iter().peekable();
    let look_up = |claim: &Claim| {
        while rest.next_if(|(path, _)| path.as_str() < claim.path.as_str()).is_some() {}
        rest.next_if(|(path, _)| **path == claim.path).map(|(_, known)| known)
    };
    claims.iter().map(look_up).collect()
}
