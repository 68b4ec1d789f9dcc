//! What a server may still do once it is set up: the kernel holds it to that where it can. It knows which folders each
//! server needs and no tool.

use std::path::Path;

use confine::{Confinement, Enforced, Held};
use disk::UserDirs;
use docs::ProjectService;
use git::GitProgram;

use crate::exit::{Ended, Exit};
use crate::flags::Sandbox;

/// What git and threads open and throw away.
const NULL: &str = "/dev/null";

/// The project server: it reads what it is asked for below its roots and where their repositories lie, which may be
/// anywhere, so reading is held by how it opens files; it writes its own folders, and of programs it starts git.
pub(crate) fn project(dirs: &UserDirs, git: Option<&GitProgram>, allow_remote: bool) -> Confinement {
    let confinement = Confinement::new().reads_anything().writes(&dirs.runtime).writes(Path::new(NULL));
    if allow_remote {
        // Git gets a narrower confinement of its own for each source.
        return confinement.writes(&dirs.cache).starts_anything().reaches_network();
    }
    match git {
        Some(git) => git.startable_in(confinement),
        None => confinement,
    }
}

/// The evidence server: it reads below its root.
pub(crate) fn evidence(root: &Path) -> Confinement {
    Confinement::new().reads(root)
}

/// The docs server: it reads below its root, writes the two folders of proposals that are there, and listens when it may
/// show the graph.
pub(crate) fn docs(service: &ProjectService, is_shown: bool) -> Confinement {
    let root = service.root();
    let mut confinement = Confinement::new().reads(root.path());
    if let Some(contract) = service.contract() {
        for folder in [&contract.paths.changesets, &contract.paths.previews] {
            confinement = confinement.writes(&root.path().join(folder));
        }
    }
    if is_shown { confinement.listens_on_loopback() } else { confinement }
}

/// Confines this process for good. No further thread may run yet. What is wanted is put together, git tried for it, only
/// when it is applied.
///
/// # Errors
/// When it was required and the kernel does not hold all of it.
pub(crate) fn confine(
    sandbox: Sandbox,
    confinement: impl FnOnce() -> Confinement,
) -> Result<Enforced, Ended> {
    if sandbox == Sandbox::Off {
        return Ok(Enforced::NOTHING);
    }
    confine::keep_memory_private();
    let enforced = confinement().apply();
    if sandbox == Sandbox::Require && (enforced.files, enforced.calls) != (Held::Kernel, Held::Kernel) {
        let line = format!(
            "--sandbox require: files are held {}, system calls {}; use --sandbox auto, or a kernel with Landlock and seccomp",
            enforced.files.as_str(),
            enforced.calls.as_str()
        );
        return Err(Ended::Message(Exit::Runtime, line));
    }
    Ok(enforced)
}
