//! What the machine gives: the program itself, what the kernel holds, git, and the limits of the process.

#![expect(clippy::disallowed_methods, reason = "the kernel's own files are no files of a project")]

use std::path::PathBuf;

use confine::{Confinement, Enforced, Held};
use disk::{Mechanism, Root};
use git::GitProgram;
use rustix::process::{Resource, getrlimit};

use super::Finding;

/// The oldest git whose answers are relied on.
const GIT_OLDEST: (u32, u32) = (2, 39);
/// Open files that a walk of deep folders and a few threads may need at once.
const OPEN_FILES_MIN: u64 = 256;

pub(super) fn program() -> Finding {
    let place = std::env::current_exe()
        .map_or_else(|_| "an unknown place".to_owned(), |path| path.display().to_string());
    Finding::fine(
        "version",
        format!(
            "readroom {} for {} on {}, at {place}",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH
        ),
    )
}

/// What a server's promises rest on here: each is tried in a thread that ends with its restrictions.
pub(super) fn kernel() -> Vec<Finding> {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let paths = match Mechanism::of_this_machine() {
        Mechanism::Kernel => {
            Finding::fine("paths", format!("resolved below each root by the kernel, {}", release.trim()))
        }
        Mechanism::Components => Finding::note(
            "paths",
            "resolved below each root one name at a time: this kernel or container has no openat2",
            "nothing needs to be done; Linux 5.6 or newer makes it faster",
        ),
    };
    let tried = std::thread::Builder::new().spawn(|| Confinement::new().apply());
    let enforced = tried.ok().and_then(|thread| thread.join().ok()).unwrap_or(Enforced::NOTHING);
    vec![
        paths,
        held(
            "files",
            "what a server reads, writes and starts",
            enforced.files,
            "Landlock needs Linux 5.13 or newer with `landlock` in the list of `lsm=`, and a container that allows it; servers work without, and `--sandbox require` refuses to",
        ),
        held(
            "calls",
            "system calls that no server needs",
            enforced.calls,
            "seccomp filters need a kernel and a container that allow them; servers work without, and `--sandbox require` refuses to",
        ),
    ]
}

fn held(what: &'static str, promise: &str, held: Held, remedy: &str) -> Finding {
    let found = format!("{promise}: {}", held.as_str());
    if held == Held::Kernel { Finding::fine(what, found) } else { Finding::note(what, found, remedy) }
}

pub(super) fn git(roots: &[PathBuf]) -> Finding {
    const REMEDY: &str = "install git 2.39 or newer, in a folder of PATH outside of the project; git_scope and remote projects need it, everything else works without";
    let pinned: Vec<Root> = roots.iter().filter_map(|root| Root::pin(root).ok()).collect();
    let Some(git) = GitProgram::find(pinned.iter().map(Root::path)) else {
        return Finding::note("git", "none that may be started", REMEDY);
    };
    let place = git.path().display();
    let Some(version) = git.version() else {
        return Finding::problem("git", format!("{place} does not run"), REMEDY);
    };
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let confined = if git.is_confinable() {
        "started with nothing but itself"
    } else {
        "a program of several files, so its starts are not restricted"
    };
    let found = format!("{version}, {place}, {confined}");
    if (major, minor) < GIT_OLDEST {
        Finding::note("git", found, REMEDY)
    } else {
        Finding::fine("git", found)
    }
}

pub(super) fn limits() -> Finding {
    let number = |limit: Option<u64>| limit.map_or_else(|| "unlimited".to_owned(), |limit| limit.to_string());
    let (files, memory) = (getrlimit(Resource::Nofile).current, getrlimit(Resource::As).current);
    let mib = project::limits::INSPECT_BYTES_MAX / (1024 * 1024);
    let found = format!(
        "{mib} MiB a file, {} characters a page, {} s a call; this process: {} open files, memory {}",
        project::limits::PAGE_CHARS_MAX,
        project::limits::CALL_SECONDS_MAX,
        number(files),
        number(memory),
    );
    if files.is_some_and(|files| files < OPEN_FILES_MIN) {
        return Finding::problem(
            "limits",
            found,
            "raise the limit of open files to 256 or more (`ulimit -n`)",
        );
    }
    Finding::fine("limits", found)
}
