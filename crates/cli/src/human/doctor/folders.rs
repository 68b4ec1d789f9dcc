//! The folders: projects, saved profiles, checkouts, and what ended sessions left behind.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use disk::{RelPath, Root, Store, StoreFault, UserDirs};
use project::profile_store::ProfileStore;

use super::Finding;

pub(super) fn roots(roots: &[PathBuf], dirs: &UserDirs) -> Vec<Finding> {
    roots.iter().map(|root| one_root(root, dirs)).collect()
}

fn one_root(path: &Path, dirs: &UserDirs) -> Finding {
    let root = match Root::pin(path) {
        Ok(root) => root,
        Err(fault) => {
            return Finding::problem(
                "project",
                format!("{} cannot be used: {fault}", path.display()),
                "name a folder that exists and that this user may read",
            );
        }
    };
    let place = root.path().to_owned();
    if dirs.runtime.starts_with(&place) {
        return Finding::problem(
            "project",
            format!("{} holds the folder of packs, {}", place.display(), dirs.runtime.display()),
            "serve a folder further down: packs of a session do not belong into a project",
        );
    }
    match root.list(&RelPath::root()) {
        Ok(entries) => {
            let found = format!("{} is readable, {} entries", place.display(), entries.len());
            if is_everything(&place) {
                return Finding::note(
                    "project",
                    found,
                    "this is more than one project; name its folder with --root",
                );
            }
            Finding::fine("project", found)
        }
        Err(fault) => Finding::problem(
            "project",
            format!("{} cannot be listed: {fault}", place.display()),
            "give this user the right to read it, or name another folder",
        ),
    }
}

/// Whether a folder is all of a user's files, or all of the machine's.
#[expect(clippy::disallowed_methods, reason = "only the binary knows the environment it was started in")]
fn is_everything(place: &Path) -> bool {
    place.parent().is_none() || std::env::var_os("HOME").is_some_and(|home| Path::new(&home) == place)
}

pub(super) fn profiles(dirs: &UserDirs) -> Finding {
    match ProfileStore::of(dirs).list() {
        Ok(projects) => Finding::fine("profiles", format!("{} saved", projects.len())),
        Err(fault) => Finding::problem(
            "profiles",
            fault.to_string(),
            format!("repair or remove profiles.json in {}", dirs.config.display()),
        ),
    }
}

pub(super) fn checkouts(dirs: &UserDirs) -> Finding {
    match git::cached(dirs) {
        Ok(entries) => {
            let kib: u64 = entries.iter().map(|entry| entry.size_bytes).sum::<u64>().div_ceil(1024);
            let found = format!("{} of remote projects, {kib} KiB", entries.len());
            Finding::fine("checkouts", found)
        }
        Err(StoreFault::Unavailable(std::io::ErrorKind::NotFound)) => Finding::fine("checkouts", "none"),
        Err(fault) => Finding::problem("checkouts", format!("{fault}"), folder_remedy(&dirs.cache)),
    }
}

pub(super) fn leftovers(dirs: &UserDirs) -> Finding {
    match Store::scavenge(dirs, SystemTime::now()) {
        Ok(done) => Finding::fine(
            "leftovers",
            format!("{} of ended sessions removed, {} in use or too young", done.removed, done.left),
        ),
        Err(fault) => Finding::problem("leftovers", format!("{fault}"), folder_remedy(&dirs.runtime)),
    }
}

pub(super) fn folder_remedy(folder: &Path) -> String {
    format!(
        "make {} a folder of this user alone (chmod 700), or remove it; READROOM_HOME names another place",
        folder.display()
    )
}
