//! Files of a confined folder appear whole or not at all, whatever fails, and nothing outside is reached.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::trial::{MECHANISMS, Trial, rel};

/// Lets a number of calls through and fails all later ones, as when the process is gone; a write that fails has
/// written a part.
#[derive(Debug, Clone)]
struct Until(Arc<AtomicUsize>);

impl FileCalls for Until {
    fn before(&self, call: FileCall, bytes: usize) -> io::Result<usize> {
        let left = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        match (left, call) {
            (Ok(1), FileCall::Write) if bytes > 1 => Ok(bytes / 2),
            (Ok(_), _) => Ok(bytes),
            (Err(_), _) => Err(io::Error::from(io::ErrorKind::StorageFull)),
        }
    }
}

fn plain(trial: &Trial) -> (Root, ConfinedFolder) {
    let root = trial.root(MECHANISMS[0]);
    let folder = ConfinedFolder::make(&root, &rel("a/b"), Box::new(PlainCalls)).unwrap();
    (root, folder)
}

#[test]
fn a_new_file_is_written_once_and_an_old_one_over() {
    let trial = Trial::new();
    let (_, folder) = plain(&trial);
    folder.write_new(&rel("f"), b"one").unwrap();
    assert_eq!(folder.write_new(&rel("f"), b"two"), Err(ConfinedFault::Taken));
    assert_eq!(folder.read(&rel("f"), 3).unwrap(), b"one");
    assert_eq!(folder.read(&rel("f"), 2), Err(ConfinedFault::TooLarge));
    folder.write_over(&rel("f"), b"three").unwrap();
    assert_eq!(folder.read(&rel("f"), 9).unwrap(), b"three");
    let names: Vec<_> = folder.list(&RelPath::root()).unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, [b"f".as_slice().into()], "no temporary file is left");
    folder.remove(&rel("f")).unwrap();
    assert_eq!(folder.read(&rel("f"), 9), Err(ConfinedFault::NotFound));
}

#[test]
fn whatever_call_is_the_last_one_a_file_is_whole_or_as_it_was() {
    let trial = Trial::new();
    let (root, plain) = plain(&trial);
    for last in 0.. {
        let calls = Until(Arc::new(AtomicUsize::new(last)));
        let folder = ConfinedFolder::open(&root, &rel("a/b"), Box::new(calls.clone())).unwrap();
        let new = rel(&format!("new-{last}"));
        plain.write_over(&rel("old"), b"before").unwrap();
        let made = folder.write_new(&new, b"all of it");
        match plain.read(&new, 99) {
            Ok(bytes) => assert_eq!(bytes, b"all of it"),
            Err(fault) => assert!(fault == ConfinedFault::NotFound && made.is_err()),
        }
        calls.0.store(last, Ordering::SeqCst);
        let replaced = folder.write_over(&rel("old"), b"after it");
        let old = plain.read(&rel("old"), 99).unwrap();
        assert!(old == b"after it" || (old == b"before" && replaced.is_err()));
        if made.is_ok() && replaced.is_ok() {
            assert!(last >= 5, "create, write, sync, publish, sync of the folder");
            break;
        }
    }
}

/// Takes away every file in the making right before it gets its name, as a sweep may.
#[derive(Debug, Clone)]
struct Sweeping {
    dir: std::path::PathBuf,
    left: Arc<AtomicUsize>,
}

impl FileCalls for Sweeping {
    fn before(&self, call: FileCall, bytes: usize) -> io::Result<usize> {
        let is_due = |left: usize| left.checked_sub(1);
        if call == FileCall::Publish
            && self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, is_due).is_ok()
        {
            for entry in std::fs::read_dir(&self.dir)? {
                let entry = entry?;
                if entry.file_name().to_string_lossy().starts_with(TEMPORARY_PREFIX) {
                    std::fs::remove_file(entry.path())?;
                }
            }
        }
        Ok(bytes)
    }
}

#[test]
fn a_file_that_a_sweep_took_is_made_again() {
    let trial = Trial::new();
    let (root, plain) = plain(&trial);
    let calls = Sweeping { dir: root.path().join("a/b"), left: Arc::new(AtomicUsize::new(3)) };
    let folder = ConfinedFolder::open(&root, &rel("a/b"), Box::new(calls.clone())).unwrap();
    folder.write_new(&rel("new"), b"one").unwrap();
    assert_eq!(plain.read(&rel("new"), 9).unwrap(), b"one");
    calls.left.store(3, Ordering::SeqCst);
    folder.write_over(&rel("new"), b"two").unwrap();
    assert_eq!(plain.read(&rel("new"), 9).unwrap(), b"two");
    // One that is always faster is not waited for.
    calls.left.store(usize::MAX, Ordering::SeqCst);
    assert_eq!(folder.write_new(&rel("other"), b"x"), Err(ConfinedFault::NotFound));
}

#[test]
fn links_lead_nowhere() {
    let trial = Trial::new();
    let outside = trial.directory("outside");
    let (root, folder) = plain(&trial);
    trial.file("outside/secret", "s");
    trial.link("root/a/b/link", &outside);
    trial.link("root/a/b/file", outside.join("secret"));
    assert_eq!(folder.read(&rel("file"), 9), Err(ConfinedFault::Gone));
    assert!(folder.read(&rel("link/secret"), 9).is_err());
    assert!(folder.write_new(&rel("link/x"), b"x").is_err());
    assert_eq!(folder.write_new(&rel("file"), b"x"), Err(ConfinedFault::Taken));
    folder.write_over(&rel("file"), b"x").unwrap();
    assert_eq!(std::fs::read(outside.join("secret")).unwrap(), b"s", "the link was replaced, not followed");
    trial.link("root/door", &outside);
    for path in ["door", "door/x"] {
        assert!(ConfinedFolder::make(&root, &rel(path), Box::new(PlainCalls)).is_err());
    }
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn a_folder_that_was_exchanged_is_noticed() {
    let trial = Trial::new();
    let outside = trial.directory("outside");
    let (root, folder) = plain(&trial);
    assert_eq!(folder.check(&root), Ok(()));
    std::fs::rename(trial.at("root/a"), trial.at("root/elsewhere")).unwrap();
    assert_eq!(folder.check(&root), Err(ConfinedFault::Gone));
    std::fs::create_dir_all(outside.join("b")).unwrap();
    trial.link("root/a", &outside);
    assert_eq!(folder.check(&root), Err(ConfinedFault::Gone));
    std::fs::remove_file(trial.at("root/a")).unwrap();
    trial.directory("root/a/b");
    assert_eq!(folder.check(&root), Err(ConfinedFault::Gone), "another folder of the same name");
}

#[test]
fn a_folder_is_renamed_only_to_a_new_name() {
    let trial = Trial::new();
    let (_, folder) = plain(&trial);
    for name in ["one", "two"] {
        folder.make_folder(&rel(name)).unwrap();
        folder.write_new(&rel(&format!("{name}/f")), name.as_bytes()).unwrap();
    }
    assert_eq!(folder.make_folder(&rel("one")), Err(ConfinedFault::Taken));
    assert_eq!(folder.rename_new(&rel("one"), &rel("two")), Err(ConfinedFault::Taken));
    folder.rename_new(&rel("one"), &rel("three")).unwrap();
    assert_eq!(folder.read(&rel("three/f"), 9).unwrap(), b"one");
    assert_eq!(folder.remove(&rel("two")), Err(ConfinedFault::Taken));
}
