//! Whole files or none, and never through a link.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;

use super::*;
use crate::trial::{Trial, mode_of};

fn names(trial: &Trial) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(trial.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_new_file_appears_with_its_mode() {
    let trial = Trial::new();
    write_atomic(&trial.at("private"), b"content", 0o600, false).unwrap();
    assert_eq!(fs::read(trial.at("private")).unwrap(), b"content");
    assert_eq!(mode_of(&trial.at("private")), 0o600);
    write_atomic(&trial.at("wide"), b"", 0o666, true).unwrap();
    // As far as the umask of whoever runs this allows.
    fs::File::create(trial.at("usual")).unwrap();
    assert_eq!(mode_of(&trial.at("wide")), mode_of(&trial.at("usual")));
    assert_eq!(names(&trial), ["private", "usual", "wide"]);
}

#[test]
fn an_existing_file_is_refused_unless_it_may_be_overwritten() {
    let trial = Trial::new();
    let path = trial.file("f", "before");
    let called = std::cell::Cell::new(false);
    let answer = write_atomic_with(&path, 0o644, false, |out| {
        called.set(true);
        out.write_all(b"after")
    });
    assert_eq!(answer, Err(WriteFault::AlreadyExists));
    assert!(!called.get(), "nothing is produced in vain");
    assert_eq!(fs::read(&path).unwrap(), b"before");
    write_atomic(&path, b"after", 0o644, true).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"after");
    assert_eq!(names(&trial), ["f"]);
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    let trial = Trial::new();
    let path = trial.file("f", "before");
    rustix::fs::chmod(&path, Mode::from_raw_mode(0o640)).unwrap();
    write_atomic(&path, b"after", 0o600, true).unwrap();
    assert_eq!(mode_of(&path), 0o640);
}

#[test]
fn a_link_is_never_written_through() {
    let trial = Trial::new();
    trial.file("target", "before");
    trial.link("link", "target");
    trial.link("dangling", "new");
    trial.directory("folder");
    trial.link("to-folder", "folder");
    for name in ["link", "dangling", "to-folder"] {
        assert_eq!(
            write_atomic(&trial.at(name), b"after", 0o600, false),
            Err(WriteFault::AlreadyExists),
            "{name}"
        );
        assert_eq!(write_atomic(&trial.at(name), b"after", 0o600, true), Err(WriteFault::Link), "{name}");
    }
    assert_eq!(fs::read(trial.at("target")).unwrap(), b"before");
    assert_eq!(names(&trial), ["dangling", "folder", "link", "target", "to-folder"]);
    // A folder on the way may be a link: that is the person's own path.
    write_atomic(&trial.at("to-folder/f"), b"after", 0o600, false).unwrap();
    assert_eq!(fs::read(trial.at("folder/f")).unwrap(), b"after");
}

#[test]
fn a_link_that_appears_while_the_content_is_produced_is_not_written_through() {
    for (overwrite, fault) in [(false, WriteFault::AlreadyExists), (true, WriteFault::Link)] {
        let trial = Trial::new();
        trial.file("target", "before");
        let answer = write_atomic_with(&trial.at("f"), 0o600, overwrite, |out| {
            trial.link("f", "target");
            out.write_all(b"after")
        });
        assert_eq!(answer, Err(fault));
        assert_eq!(fs::read(trial.at("target")).unwrap(), b"before");
        assert_eq!(names(&trial), ["f", "target"]);
    }
}

#[test]
fn a_file_that_appears_while_the_content_is_produced_is_not_replaced() {
    let trial = Trial::new();
    let path = trial.at("f");
    let answer = write_atomic_with(&path, 0o600, false, |out| {
        fs::write(&path, "theirs").unwrap();
        out.write_all(b"ours")
    });
    assert_eq!(answer, Err(WriteFault::AlreadyExists));
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    assert_eq!(names(&trial), ["f"]);
}

#[test]
fn what_is_no_regular_file_is_never_replaced() {
    let trial = Trial::new();
    trial.directory("folder");
    trial.pipe("pipe");
    let _socket = UnixListener::bind(trial.at("socket")).unwrap();
    for name in ["folder", "pipe", "socket"] {
        assert_eq!(write_atomic(&trial.at(name), b"x", 0o600, true), Err(WriteFault::NotAFile), "{name}");
        assert_eq!(
            write_atomic(&trial.at(name), b"x", 0o600, false),
            Err(WriteFault::AlreadyExists),
            "{name}"
        );
    }
    assert_eq!(write_atomic(Path::new("/dev/null"), b"x", 0o600, true), Err(WriteFault::NotAFile));
    assert_eq!(names(&trial), ["folder", "pipe", "socket"]);
}

#[test]
fn a_path_without_a_folder_or_a_name_is_refused() {
    let trial = Trial::new();
    trial.file("f", "");
    for (path, fault) in [
        (trial.at("missing/f"), WriteFault::NoDirectory),
        (trial.at("f/f"), WriteFault::NoDirectory),
        (trial.at("new/"), WriteFault::NotAFile),
        (trial.at(".."), WriteFault::NoName),
        (Path::new("/").to_owned(), WriteFault::NoName),
        (Path::new("").to_owned(), WriteFault::NoName),
    ] {
        assert_eq!(write_atomic(&path, b"x", 0o600, true), Err(fault), "{path:?}");
    }
}

#[test]
fn a_failed_write_leaves_what_was_there_and_nothing_else() {
    let trial = Trial::new();
    let path = trial.file("f", "before");
    let inode = fs::metadata(&path).unwrap().ino();
    let answer = write_atomic_with(&path, 0o600, true, |out| {
        out.write_all(&[b'x'; 100_000])?;
        Err(io::ErrorKind::TimedOut.into())
    });
    assert_eq!(answer, Err(WriteFault::Unwritable(io::ErrorKind::TimedOut)));
    assert_eq!(fs::read(&path).unwrap(), b"before");
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
    assert_eq!(names(&trial), ["f"]);
}

#[test]
fn a_reader_sees_the_old_or_the_new_file_and_nothing_between() {
    let trial = Trial::of_many();
    let path = trial.file("f", vec![0; 64 * 1024]);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 1..=200_u8 {
                write_atomic(&path, &vec![round; 64 * 1024], 0o600, true).unwrap();
            }
        });
        loop {
            let finished = writer.is_finished();
            let seen = fs::read(&path).unwrap();
            assert_eq!(seen.len(), 64 * 1024);
            assert!(seen.iter().all(|byte| *byte == seen[0]));
            if finished {
                break;
            }
        }
    });
    assert_eq!(fs::read(&path).unwrap()[0], 200);
    assert_eq!(names(&trial), ["f"]);
}
