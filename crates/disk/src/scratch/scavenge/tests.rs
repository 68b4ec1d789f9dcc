//! What is swept away, and what never is.

use std::fs::{self, File};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};

use super::*;
use crate::Quota;
use crate::trial::{Trial, sessions};

const NAME: &str = "0123456789abcdef0123456789abcdef";
const SECOND: Duration = Duration::from_secs(1);

/// A user whose sessions can be left behind, and the time of their last write.
struct Left {
    trial: Trial,
    dirs: UserDirs,
    written: SystemTime,
}

impl Left {
    fn new() -> Left {
        let trial = Trial::of_many();
        let dirs = UserDirs::below(&trial.at("home"));
        let written = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let quota = Quota { item_bytes: 1, session_bytes: 1 };
        drop(Store::open(&dirs, quota).unwrap());
        Left { trial, dirs, written }
    }

    /// A session that was killed, with a pack of its own.
    fn session(&self, name: &str) -> PathBuf {
        let path = self.dirs.runtime.join("packs").join(name);
        fs::DirBuilder::new().mode(0o700).create(&path).unwrap();
        fs::write(path.join(".session.lock"), "").unwrap();
        fs::write(path.join(format!("{}.pack", "a".repeat(48))), "pack").unwrap();
        fs::write(path.join(format!("{}.part", "b".repeat(48))), "part").unwrap();
        self.age(&path);
        path
    }

    /// Gives a session, and the files in it, the time of the last write.
    fn age(&self, session: &Path) {
        for entry in fs::read_dir(session).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                File::options().write(true).open(entry.path()).unwrap().set_modified(self.written).unwrap();
            }
        }
        File::open(session).unwrap().set_modified(self.written).unwrap();
    }

    fn run(&self, after: Duration) -> Scavenged {
        Store::scavenge(&self.dirs, self.written + after).unwrap()
    }

    fn run_much_later(&self) -> Scavenged {
        self.run(10 * AGE)
    }
}

fn removed(removed: usize, left: usize) -> Scavenged {
    Scavenged { removed, left, unfinished: false }
}

#[test]
fn a_session_goes_when_its_last_write_is_older_than_24_hours() {
    for (age, goes) in [(AGE - SECOND, false), (AGE, false), (AGE + SECOND, true)] {
        let left = Left::new();
        let session = left.session(NAME);
        assert_eq!(left.run(age), if goes { removed(1, 0) } else { removed(0, 1) }, "{age:?}");
        assert_eq!(session.exists(), !goes);
    }
}

#[test]
fn the_last_write_of_any_file_counts() {
    for file in [".session.lock".to_owned(), format!("{}.pack", "a".repeat(48))] {
        let left = Left::new();
        let session = left.session(NAME);
        let later = left.written + AGE;
        File::options().write(true).open(session.join(file)).unwrap().set_modified(later).unwrap();
        assert_eq!(left.run(AGE + SECOND), removed(0, 1));
        assert_eq!(left.run(2 * AGE + SECOND), removed(1, 0));
    }
}

#[test]
fn a_last_write_in_the_future_is_left_alone() {
    let left = Left::new();
    left.session(NAME);
    assert_eq!(Store::scavenge(&left.dirs, left.written - 10 * AGE), Ok(removed(0, 1)));
}

#[test]
fn only_names_of_32_lower_case_digits_are_looked_at() {
    let left = Left::new();
    let others = [
        NAME.to_uppercase(),
        format!("{NAME}0"),
        NAME[1..].to_owned(),
        format!(".{}", &NAME[1..]),
        "not-a-session".to_owned(),
        format!("{}g", &NAME[1..]),
    ];
    for name in &others {
        left.session(name);
    }
    assert_eq!(left.run_much_later(), removed(0, 0));
    assert_eq!(sessions(&left.dirs).len(), others.len());
}

#[test]
fn a_session_whose_lock_is_held_is_alive() {
    let left = Left::new();
    let session = left.session(NAME);
    let lock = File::open(session.join(".session.lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(left.run_much_later(), removed(0, 1));
    drop(lock);
    assert_eq!(left.run_much_later(), removed(1, 0));
    assert!(!session.exists());
}

#[test]
fn the_live_store_outlives_a_run() {
    let left = Left::new();
    let quota = Quota { item_bytes: 1, session_bytes: 1 };
    let store = Store::open(&left.dirs, quota).unwrap();
    left.session(NAME);
    left.age(store.path());
    assert_eq!(left.run_much_later(), removed(1, 1));
    assert!(store.create().is_ok());
}

#[test]
fn without_a_lock_file_only_an_empty_folder_goes() {
    let left = Left::new();
    let session = left.session(NAME);
    fs::remove_file(session.join(".session.lock")).unwrap();
    left.age(&session);
    assert_eq!(left.run_much_later(), removed(0, 1));
    for entry in fs::read_dir(&session).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    left.age(&session);
    assert_eq!(left.run(AGE), removed(0, 1));
    assert_eq!(left.run(AGE + SECOND), removed(1, 0));
}

#[test]
fn links_are_neither_followed_nor_removed() {
    let left = Left::new();
    let outside = left.trial.file("outside/precious", "stays");
    // A link in place of a session.
    symlink(left.trial.at("outside"), left.dirs.runtime.join("packs").join(NAME)).unwrap();
    // A session with a link in it, and one whose lock is a link.
    let with_link = left.session(&"1".repeat(32));
    symlink(left.trial.at("outside"), with_link.join("link")).unwrap();
    left.age(&with_link);
    let with_linked_lock = left.session(&"2".repeat(32));
    fs::remove_file(with_linked_lock.join(".session.lock")).unwrap();
    symlink(&outside, with_linked_lock.join(".session.lock")).unwrap();
    left.age(&with_linked_lock);
    assert_eq!(left.run_much_later(), removed(0, 3));
    assert_eq!(sessions(&left.dirs).len(), 3);
    assert_eq!(fs::read(&outside).unwrap(), b"stays");
    // Deeper down a link goes, and what it points to stays.
    let deep = left.session(&"3".repeat(32));
    fs::create_dir(deep.join("work")).unwrap();
    symlink(left.trial.at("outside"), deep.join("work/link")).unwrap();
    symlink(&outside, deep.join("work/file")).unwrap();
    left.age(&deep);
    assert_eq!(left.run_much_later(), removed(1, 3));
    assert!(!deep.exists());
    assert_eq!(fs::read(&outside).unwrap(), b"stays");
}

#[test]
fn what_is_not_a_folder_or_not_ours_is_left_alone() {
    let left = Left::new();
    let packs = left.dirs.runtime.join("packs");
    fs::write(packs.join("1".repeat(32)), "a file").unwrap();
    let pipe = packs.strip_prefix(left.trial.path()).unwrap().join("2".repeat(32));
    left.trial.pipe(pipe.to_str().unwrap());
    let mut expected = 2;
    if geteuid().is_root() {
        let foreign = left.session(NAME);
        chown(&foreign, Some(12_345), None).unwrap();
        expected = 3;
    }
    assert_eq!(left.run_much_later(), removed(0, expected));
    assert_eq!(sessions(&left.dirs).len(), expected);
}

#[test]
fn a_lock_that_is_a_pipe_does_not_hang() {
    let left = Left::new();
    let session = left.session(NAME);
    fs::remove_file(session.join(".session.lock")).unwrap();
    let lock = session.strip_prefix(left.trial.path()).unwrap().join(".session.lock");
    left.trial.pipe(lock.to_str().unwrap());
    left.age(&session);
    assert_eq!(left.run_much_later(), removed(0, 1));
}

#[test]
fn a_tree_of_20000_levels_is_removed() {
    let left = Left::new();
    let session = left.session(NAME);
    let relative = session.strip_prefix(left.trial.path()).unwrap().join("deep");
    left.trial.chain(relative.to_str().unwrap(), 20_000);
    left.age(&session);
    assert_eq!(left.run_much_later(), removed(1, 0));
    assert!(sessions(&left.dirs).is_empty());
}

#[test]
fn wide_and_branching_trees_are_removed() {
    let left = Left::new();
    let session = left.session(NAME);
    for number in 0..3_000 {
        let dir = session.join(format!("d{}/e{}/f{}", number % 7, number % 70, number % 700));
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join(number.to_string()), "").unwrap();
    }
    // Names that the removal itself would use.
    for number in 0..50 {
        fs::create_dir(session.join(format!("moved-{number}"))).unwrap();
        fs::write(session.join(format!("moved-{number}/f")), "").unwrap();
        fs::write(session.join(format!("d1/moved-{number}")), "").unwrap();
    }
    left.age(&session);
    assert_eq!(left.run_much_later(), removed(1, 0));
    assert!(sessions(&left.dirs).is_empty());
}

#[test]
fn a_run_that_had_too_much_is_finished_by_the_next_ones() {
    let left = Left::new();
    let session = left.session(NAME);
    for number in 0..300 {
        fs::create_dir_all(session.join(format!("d{number}/e"))).unwrap();
        fs::write(session.join(format!("d{number}/e/f")), "").unwrap();
    }
    left.age(&session);
    let now = left.written + AGE + SECOND;
    let mut runs = 0;
    loop {
        let done = scavenge(&left.dirs, now, 500).unwrap();
        runs += 1;
        if !done.unfinished {
            assert_eq!(done, removed(1, 0));
            break;
        }
        // Its own work must not make the rest look young, and the lock goes last.
        assert_eq!(done, Scavenged { removed: 0, left: 1, unfinished: true });
        assert!(session.join(".session.lock").exists());
        assert!(runs < 20, "each run must get further");
    }
    assert!(runs > 1);
    assert!(sessions(&left.dirs).is_empty());
}

#[test]
fn the_budget_of_one_run_is_a_million() {
    assert_eq!(ENTRIES_MAX, 1_000_000);
    assert_eq!(AGE, Duration::from_secs(86_400));
}

#[test]
fn a_missing_store_is_nothing_to_do_and_is_not_made() {
    let trial = Trial::new();
    let dirs = UserDirs::below(&trial.at("home"));
    assert_eq!(Store::scavenge(&dirs, SystemTime::UNIX_EPOCH), Ok(Scavenged::default()));
    assert!(!trial.at("home").exists());
}

#[test]
fn a_store_that_is_not_to_be_trusted_is_not_touched() {
    let left = Left::new();
    let session = left.session(NAME);
    let packs = left.dirs.runtime.join("packs");
    fs::set_permissions(&packs, fs::Permissions::from_mode(0o770)).unwrap();
    assert_eq!(Store::scavenge(&left.dirs, left.written + 10 * AGE), Err(StoreFault::OpenToOthers));
    fs::set_permissions(&packs, fs::Permissions::from_mode(0o700)).unwrap();
    let elsewhere = left.trial.at("elsewhere");
    fs::rename(&left.dirs.runtime, &elsewhere).unwrap();
    symlink(&elsewhere, &left.dirs.runtime).unwrap();
    assert_eq!(Store::scavenge(&left.dirs, left.written + 10 * AGE), Err(StoreFault::Linked));
    assert!(session.exists());
}
