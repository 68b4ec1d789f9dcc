//! Reading and changing a shared file.

use std::fs;

use super::*;
use crate::trial::{Trial, mode_of};

const MAX: u64 = 100;

fn set(path: &Path, content: &[u8]) -> Result<bool, SharedFault> {
    write_shared(path, MAX, |_| Some(content.to_vec()))
}

#[test]
fn a_file_is_made_with_its_folder_and_read_back() {
    let trial = Trial::new();
    let path = trial.at("config/readroom/profiles.json");
    assert_eq!(read_shared(&path, MAX), Ok(None));
    assert!(!trial.at("config").exists(), "reading makes nothing");
    assert_eq!(set(&path, b"{}"), Ok(true));
    assert_eq!(read_shared(&path, MAX), Ok(Some(b"{}".to_vec())));
    assert_eq!((mode_of(&path), mode_of(path.parent().unwrap())), (0o600, 0o700));
}

#[test]
fn a_change_sees_what_is_there_and_may_leave_it() {
    let trial = Trial::new();
    let path = trial.at("f");
    let append = |old: Option<&[u8]>| {
        let mut new = old.unwrap_or(b"start").to_vec();
        new.extend_from_slice(b" more");
        Some(new)
    };
    assert_eq!(write_shared(&path, MAX, append), Ok(true));
    assert_eq!(write_shared(&path, MAX, append), Ok(true));
    assert_eq!(read_shared(&path, MAX), Ok(Some(b"start more more".to_vec())));
    let mut seen = None;
    let answer = write_shared(&path, MAX, |old| {
        seen = old.map(<[u8]>::to_vec);
        None
    });
    assert_eq!(answer, Ok(false));
    assert_eq!(seen.unwrap(), b"start more more");
    assert_eq!(read_shared(&path, MAX), Ok(Some(b"start more more".to_vec())));
}

#[test]
fn a_file_that_others_may_read_becomes_private() {
    let trial = Trial::new();
    let path = trial.file("f", "by hand");
    rustix::fs::chmod(&path, Mode::from_raw_mode(0o664)).unwrap();
    set(&path, b"ours").unwrap();
    assert_eq!(mode_of(&path), 0o600);
}

#[test]
fn reading_and_writing_are_bounded() {
    let trial = Trial::new();
    let path = trial.at("f");
    for (size, fits) in [(99, true), (100, true), (101, false)] {
        fs::write(&path, vec![b'x'; size]).unwrap();
        assert_eq!(read_shared(&path, MAX).is_ok(), fits, "{size}");
        assert_eq!(set(&path, b"small"), if fits { Ok(true) } else { Err(SharedFault::TooLarge) }, "{size}");
        if !fits {
            assert_eq!(fs::metadata(&path).unwrap().len(), 101, "what cannot be read is not overwritten");
        }
    }
    fs::write(&path, "before").unwrap();
    for (size, fits) in [(99, true), (100, true), (101, false)] {
        assert_eq!(set(&path, &vec![b'y'; size]).is_ok(), fits, "{size}");
    }
    assert_eq!(fs::metadata(&path).unwrap().len(), 100);
}

#[test]
fn a_link_or_a_special_file_is_refused_and_left() {
    let trial = Trial::new();
    trial.file("target", "before");
    trial.link("link", "target");
    trial.pipe("pipe");
    trial.directory("folder");
    for (name, fault) in
        [("link", SharedFault::Link), ("pipe", SharedFault::NotAFile), ("folder", SharedFault::NotAFile)]
    {
        assert_eq!(read_shared(&trial.at(name), MAX), Err(fault), "{name}");
        assert_eq!(set(&trial.at(name), b"after"), Err(fault), "{name}");
    }
    assert_eq!(fs::read(trial.at("target")).unwrap(), b"before");
    // A lock that is a link would lock, or make, another file.
    trial.link("f.lock", "elsewhere");
    assert_eq!(set(&trial.at("f"), b"after"), Err(SharedFault::Link));
    assert!(!trial.at("elsewhere").exists() && !trial.at("f").exists());
}

#[test]
fn a_held_lock_is_waited_for_and_then_reported() {
    let trial = Trial::new();
    let path = trial.at("f");
    set(&path, b"before").unwrap();
    let lock = File::open(trial.at("f.lock")).unwrap();
    lock.lock().unwrap();
    let busy = write_shared_within(&path, MAX, Duration::ZERO, |_| Some(b"after".to_vec()));
    assert_eq!(busy, Err(SharedFault::Busy));
    assert_eq!(read_shared(&path, MAX), Ok(Some(b"before".to_vec())), "a reader does not wait");
    drop(lock);
    assert_eq!(write_shared_within(&path, MAX, Duration::ZERO, |_| Some(b"after".to_vec())), Ok(true));
}

#[test]
fn changes_of_many_threads_are_all_there() {
    let trial = Trial::of_many();
    let path = trial.at("f");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    write_shared_within(&path, MAX, Duration::from_secs(3_600), |old| {
                        Some([old.unwrap_or_default(), b"x"].concat())
                    })
                    .unwrap();
                }
            });
        }
    });
    assert_eq!(read_shared(&path, MAX), Ok(Some(vec![b'x'; 40])));
}
