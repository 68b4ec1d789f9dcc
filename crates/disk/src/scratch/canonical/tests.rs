//! What changes documents changes the file that it was told to, and nothing else.

use super::*;
use crate::scratch::PlainCalls;
use crate::trial::{MECHANISMS, Trial, mode_of, rel};

fn folder(trial: &Trial) -> CanonicalFolder {
    CanonicalFolder::open(&trial.root(MECHANISMS[0]), Box::new(PlainCalls)).unwrap()
}

#[test]
fn a_staged_file_takes_the_place_of_another_with_its_mode() {
    let trial = Trial::new();
    let old = trial.file("root/d/old.md", "old");
    std::fs::set_permissions(&old, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
    let folder = folder(&trial);
    let now = folder.read(&rel("d/old.md"), 99).unwrap().unwrap();
    assert_eq!((now.bytes.as_slice(), now.mode), (b"old".as_slice(), 0o640));
    folder.write_new(&rel("staged"), b"new", Some(now.mode)).unwrap();
    folder.move_over(&rel("staged"), &rel("d/old.md")).unwrap();
    assert_eq!(std::fs::read(&old).unwrap(), b"new");
    assert_eq!(mode_of(&old), 0o640);
    assert_eq!(folder.read(&rel("staged"), 99).unwrap().unwrap().bytes, b"old", "what was there is kept");
    folder.remove(&rel("staged")).unwrap();
    folder.write_new(&rel("staged"), b"other", None).unwrap();
    assert_eq!(folder.move_new(&rel("staged"), &rel("d/old.md")), Err(ConfinedFault::Taken));
    assert_eq!(folder.move_over(&rel("staged"), &rel("d/none.md")), Err(ConfinedFault::Gone));
    folder.remove(&rel("d/old.md")).unwrap();
    assert_eq!(folder.read(&rel("d/old.md"), 99), Ok(None));
    assert_eq!(folder.read(&rel("no/such/file"), 99), Ok(None));
}

#[test]
fn links_are_neither_followed_nor_replaced() {
    let trial = Trial::new();
    let outside = trial.directory("outside");
    let secret = trial.file("outside/secret", "s");
    trial.link("root/file", &secret);
    trial.link("root/door", &outside);
    trial.link("root/lock", &secret);
    let folder = folder(&trial);
    folder.write_new(&rel("staged"), b"new", None).unwrap();
    assert_eq!(folder.kind(&rel("file")), Ok(Some(Kind::Link)));
    assert_eq!(folder.read(&rel("file"), 9), Err(ConfinedFault::Gone));
    assert_eq!(folder.move_over(&rel("staged"), &rel("file")), Err(ConfinedFault::Gone));
    assert!(folder.move_over(&rel("staged"), &rel("door/secret")).is_err());
    assert!(folder.move_new(&rel("staged"), &rel("door/new")).is_err());
    assert!(folder.remove(&rel("door/secret")).is_err());
    assert_eq!(folder.lock(&rel("lock")).err(), Some(ConfinedFault::Gone));
    assert!(folder.unless_locked(&rel("lock"), || Ok(())).is_err());
    assert_eq!(std::fs::read(&secret).unwrap(), b"s");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
}

#[test]
fn one_at_a_time_holds_the_lock() {
    let trial = Trial::new();
    let (one, other) = (folder(&trial), folder(&trial));
    assert_eq!(one.unless_locked(&rel("lock"), || Ok(7)), Ok(Some(7)));
    let held = one.lock(&rel("lock")).unwrap();
    assert!(held.is_some() && other.lock(&rel("lock")).unwrap().is_none());
    assert_eq!(other.unless_locked(&rel("lock"), || Ok(7)), Ok(None));
    drop(held);
    assert_eq!(other.unless_locked(&rel("lock"), || Ok(7)), Ok(Some(7)));
    assert!(other.lock(&rel("lock")).unwrap().is_some());
}

#[test]
fn only_what_changes_documents_holds_the_root_itself() {
    let trial = Trial::new();
    let held = ConfinedFolder::open(&trial.root(MECHANISMS[0]), &RelPath::root(), Box::new(PlainCalls));
    assert!(held.is_err());
}
