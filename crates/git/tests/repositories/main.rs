//! What this crate says about real repositories, held against the installed git.

#![expect(clippy::disallowed_methods, reason = "tests make and look at repositories and start git")]

mod checkouts;
mod generated;
mod scopes;
mod tracked;

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use disk::{RelPath, Root};
use fault::Unwatched;
use git::{Repository, Tracked, TrackedFault};
use testkit::Tree;

/// Runs git in `folder` with nothing of the user's configuration and returns its bytes, whatever its exit code.
fn git_bytes(tree: &Tree, folder: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("HOME", tree.home())
        .args(arguments)
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// NUL-separated names as a set.
fn names(bytes: &[u8]) -> BTreeSet<Vec<u8>> {
    bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect()
}

/// What git calls tracked below `folder`: files and links, no submodule, only what a sparse index spells out.
fn tracked_by_git(tree: &Tree, folder: &Path) -> BTreeSet<Vec<u8>> {
    let staged = git_bytes(tree, folder, &["ls-files", "-z", "--stage"]);
    let mut found = BTreeSet::new();
    for line in staged.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let tab = line.iter().position(|byte| *byte == b'\t').expect("a path follows a tab");
        if !line.starts_with(b"160000") {
            found.insert(line[tab + 1..].to_vec());
        }
    }
    found
}

fn tracked_at(folder: &Path) -> Result<Tracked, TrackedFault> {
    let root = Root::pin(folder).expect("the test's folder can be pinned");
    let repository = Repository::discover(&root).expect("there is a repository");
    git::tracked(&root, &repository, &Unwatched)
}

fn set(files: &[RelPath]) -> BTreeSet<Vec<u8>> {
    files.iter().map(|path| path.as_bytes().to_vec()).collect()
}

/// Our list equals git's.
fn check_tracked(tree: &Tree, folder: &Path) {
    let ours = tracked_at(folder).expect("the index can be read");
    assert_eq!(ours.unreadable, 0);
    let ours = set(&ours.files);
    let theirs = tracked_by_git(tree, folder);
    assert_eq!(shown(&ours), shown(&theirs));
}

fn shown(names: &BTreeSet<Vec<u8>>) -> Vec<String> {
    names.iter().map(|name| name.escape_ascii().to_string()).collect()
}

/// The bytes of a file name that need not be text.
fn place(folder: &Path, name: &[u8]) -> std::path::PathBuf {
    folder.join(std::ffi::OsStr::from_bytes(name))
}
