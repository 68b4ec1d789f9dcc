//! Work folders: private, written by handle, gone at the end.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

use super::*;
use crate::trial::{Trial, mode_of, rel, sessions};
use crate::{Quota, UserDirs};

fn store(trial: &Trial) -> (UserDirs, Store) {
    let dirs = UserDirs::below(&trial.at("home"));
    let store = Store::open(&dirs, Quota { item_bytes: 1, session_bytes: 1 }).unwrap();
    (dirs, store)
}

#[test]
fn a_work_folder_holds_what_is_written_and_goes() {
    let trial = Trial::new();
    let (dirs, store) = store(&trial);
    let folder = store.work_folder().unwrap();
    let path = folder.path().to_owned();
    assert!(path.starts_with(store.path()));
    assert_eq!(mode_of(&path), 0o700);
    let mtime = SystemTime::UNIX_EPOCH + Duration::new(1_500_000_000, 123_456_789);
    folder.make_directory(&rel("info")).unwrap();
    folder.write(&rel("info/exclude"), b"*.log\n", None).unwrap();
    folder.write(&rel("index"), b"DIRC", Some(mtime)).unwrap();
    assert_eq!(fs::read(path.join("info/exclude")).unwrap(), b"*.log\n");
    assert_eq!(fs::metadata(path.join("index")).unwrap().modified().unwrap(), mtime);
    assert_eq!((mode_of(&path.join("info")), mode_of(&path.join("index"))), (0o700, 0o600));
    // Another one is apart from it.
    let other = store.work_folder().unwrap();
    assert_ne!(other.path(), path);
    drop(folder);
    assert!(!path.exists() && other.path().exists());
    drop(store);
    // The session stays for the one that still works.
    assert_eq!(sessions(&dirs).len(), 1);
    drop(other);
    assert!(sessions(&dirs).is_empty());
}

#[test]
fn nothing_is_written_twice_through_a_link_or_without_a_parent() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    let folder = store.work_folder().unwrap();
    trial.directory("outside");
    symlink(trial.at("outside"), folder.path().join("link")).unwrap();
    symlink(trial.at("outside/new"), folder.path().join("dangling")).unwrap();
    folder.write(&rel("f"), b"first", None).unwrap();
    for path in ["f", "link/f", "dangling", "missing/f", "f/f", "."] {
        let answer = folder.write(&rel(path), b"second", None);
        assert!(matches!(answer, Err(StoreFault::Unavailable(_))), "{path}");
    }
    assert!(matches!(folder.make_directory(&rel("link/d")), Err(StoreFault::Unavailable(_))));
    assert_eq!(fs::read(folder.path().join("f")).unwrap(), b"first");
    assert_eq!(fs::read_dir(trial.at("outside")).unwrap().count(), 0);
}

#[test]
fn a_closing_session_gives_no_work_folder() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    let folder = store.work_folder().unwrap();
    assert!(!store.close(Duration::ZERO));
    assert_eq!(store.work_folder().unwrap_err(), StoreFault::Closed);
    drop(folder);
    assert!(store.close(Duration::ZERO));
}
