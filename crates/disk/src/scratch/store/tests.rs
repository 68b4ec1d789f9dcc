//! The pack store: where it may be, what it takes, what remains.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::sync::Barrier;

use super::*;
use crate::trial::{Trial, mode_of, sessions};

const QUOTA: Quota = Quota { item_bytes: 100, session_bytes: 250 };

fn store(trial: &Trial) -> (UserDirs, Store) {
    let dirs = UserDirs::below(&trial.at("home"));
    let store = Store::open(&dirs, QUOTA).unwrap();
    (dirs, store)
}

fn keep(store: &Store, bytes: &[u8]) -> Result<ItemId, StoreFault> {
    let mut item = store.create()?;
    item.write_all(bytes)?;
    item.keep()
}

fn names(store: &Store) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(store.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_session_is_a_private_folder_with_a_held_lock() {
    let trial = Trial::new();
    let (dirs, store) = store(&trial);
    assert_eq!(sessions(&dirs), [store.path()]);
    let name = store.path().file_name().unwrap().as_encoded_bytes();
    assert!(is_hex(name, 32));
    for dir in [&dirs.runtime, &dirs.runtime.join("packs"), store.path()] {
        assert_eq!(mode_of(dir), 0o700);
    }
    assert_eq!(names(&store), [".session.lock"]);
    let lock = store.path().join(".session.lock");
    assert_eq!(mode_of(&lock), 0o600);
    assert!(fs::File::open(&lock).unwrap().try_lock().is_err());
    // A second session of the same user is another one.
    let other = Store::open(&dirs, QUOTA).unwrap();
    assert_eq!(sessions(&dirs).len(), 2);
    drop(other);
    assert_eq!(sessions(&dirs), [store.path()]);
    drop(store);
    assert!(sessions(&dirs).is_empty());
}

#[test]
fn an_item_is_read_as_it_was_written() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    let mut item = store.create().unwrap();
    item.write_all(b"one ").unwrap();
    item.flush().unwrap();
    item.write_all("zwölf".as_bytes()).unwrap();
    assert_eq!(item.written_bytes(), 10);
    let id = item.keep().unwrap();
    assert!(is_hex(id.as_str().as_bytes(), 48));
    let file = store.path().join(format!("{id}.pack"));
    assert_eq!(mode_of(&file), 0o600);
    assert_eq!(fs::read(&file).unwrap(), "one zwölf".as_bytes());
    let mut stored = store.open_item(id.as_str()).unwrap();
    assert_eq!(stored.size_bytes(), 10);
    let mut part = [0; 3];
    assert_eq!(stored.read_at(&mut part, 1).unwrap(), 3);
    assert_eq!(&part, b"ne ");
    assert_eq!(stored.read_at(&mut part, 9).unwrap(), 1);
    assert_eq!(stored.read_at(&mut part, 10).unwrap(), 0);
    stored.seek(SeekFrom::Start(4)).unwrap();
    let mut rest = String::new();
    stored.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "zwölf");
}

#[test]
fn nothing_of_an_unfinished_item_is_seen_or_remains() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    let mut item = store.create().unwrap();
    item.write_all(&[b'x'; 90]).unwrap();
    item.flush().unwrap();
    assert!(!names(&store).iter().any(|name| name.ends_with(".pack")));
    assert_eq!(store.used_bytes(), 90);
    let id = item.id.clone();
    assert_eq!(store.open_item(id.as_str()).unwrap_err(), StoreFault::Unknown);
    drop(item);
    assert_eq!(names(&store), [".session.lock"]);
    assert_eq!(store.used_bytes(), 0);
    assert_eq!(store.open_item(id.as_str()).unwrap_err(), StoreFault::Unknown);
}

#[test]
fn an_item_may_have_exactly_its_quota() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    for (bytes, fits) in [(99, true), (100, true), (101, false)] {
        let kept = keep(&store, &vec![b'x'; bytes]);
        if fits {
            fs::remove_file(store.path().join(format!("{}.pack", kept.unwrap()))).unwrap();
        } else {
            assert_eq!(kept, Err(StoreFault::ItemQuota));
        }
    }
    // What failed costs nothing and is gone; what was kept counts although somebody removed it.
    assert_eq!(store.used_bytes(), 199);
    assert_eq!(names(&store), [".session.lock"]);
}

#[test]
fn a_quota_ends_an_item_while_it_is_written() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    let mut item = store.create().unwrap();
    item.write_all(&[b'x'; 60]).unwrap();
    let error = item.write_all(&[b'x'; 60]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::QuotaExceeded);
    assert_eq!(StoreFault::from(error), StoreFault::ItemQuota);
    // It is removed at once, not when it is dropped, and takes nothing more.
    assert_eq!(names(&store), [".session.lock"]);
    assert_eq!(store.used_bytes(), 0);
    assert_eq!(item.fault(), Some(StoreFault::ItemQuota));
    assert_eq!(StoreFault::from(item.write_all(b"x").unwrap_err()), StoreFault::ItemQuota);
    assert_eq!(item.keep(), Err(StoreFault::ItemQuota));
}

#[test]
fn all_items_together_may_have_exactly_the_session_quota() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    keep(&store, &[b'x'; 100]).unwrap();
    keep(&store, &[b'x'; 100]).unwrap();
    assert_eq!(keep(&store, &[b'x'; 51]), Err(StoreFault::SessionQuota));
    let last = keep(&store, &[b'x'; 50]).unwrap();
    assert_eq!(keep(&store, b"x"), Err(StoreFault::SessionQuota));
    // Valid items are never evicted for new ones.
    assert_eq!(store.open_item(last.as_str()).unwrap().size_bytes(), 50);
    assert_eq!(names(&store).len(), 4);
}

#[test]
fn unfinished_items_count_against_the_session() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    let mut items: Vec<Item> = (0..3).map(|_| store.create().unwrap()).collect();
    items[0].write_all(&[b'x'; 100]).unwrap();
    items[1].write_all(&[b'x'; 100]).unwrap();
    let error = items[2].write_all(&[b'x'; 51]).unwrap_err();
    assert_eq!(StoreFault::from(error), StoreFault::SessionQuota);
    items.truncate(1);
    keep(&store, &[b'x'; 100]).unwrap();
}

#[test]
fn items_of_many_threads_never_exceed_the_session_quota() {
    let trial = Trial::new();
    let dirs = UserDirs::below(&trial.at("home"));
    let quota = Quota { item_bytes: 1_000, session_bytes: 4_500 };
    let store = Store::open(&dirs, quota).unwrap();
    let barrier = Barrier::new(8);
    let kept = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let mut item = store.create().unwrap();
                    barrier.wait();
                    for _ in 0..1_000 {
                        item.write_all(b"x")?;
                    }
                    item.keep().map_err(io::Error::from)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).filter(Result::is_ok).count()
    });
    let on_disk: u64 =
        fs::read_dir(store.path()).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(kept <= 4);
    assert_eq!(on_disk, 1_000 * kept as u64);
    assert_eq!(store.used_bytes(), on_disk);
}

#[test]
fn an_id_is_48_lower_case_digits_or_no_id() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    let id = keep(&store, b"x").unwrap().as_str().to_owned();
    for wrong in [
        String::new(),
        id.to_uppercase(),
        id[1..].to_owned(),
        format!("{id}0"),
        format!("{id}.pack"),
        format!("../{}", &id[3..]),
        format!("{}\0", &id[1..]),
        format!("{}g", &id[1..]),
        ".session.lock".to_owned(),
    ] {
        if wrong != id {
            assert_eq!(store.open_item(&wrong).unwrap_err(), StoreFault::BadId, "{wrong:?}");
        }
    }
    assert_eq!(store.open_item(&"0".repeat(48)).unwrap_err(), StoreFault::Unknown);
}

#[test]
fn an_id_of_another_session_is_unknown() {
    let trial = Trial::new();
    let (dirs, first) = store(&trial);
    let second = Store::open(&dirs, QUOTA).unwrap();
    let id = keep(&first, b"x").unwrap();
    assert_eq!(second.open_item(id.as_str()).unwrap_err(), StoreFault::Unknown);
    // Not even when somebody puts the file there.
    let name = format!("{id}.pack");
    fs::copy(first.path().join(&name), second.path().join(&name)).unwrap();
    assert_eq!(second.open_item(id.as_str()).unwrap_err(), StoreFault::Unknown);
}

#[test]
fn a_removed_or_replaced_item_has_vanished() {
    let trial = Trial::new();
    let (_dirs, store) = store(&trial);
    let secret = trial.file("secret", "outside");
    let ids: Vec<ItemId> = (0..4).map(|_| keep(&store, b"x").unwrap()).collect();
    let files: Vec<PathBuf> = ids.iter().map(|id| store.path().join(format!("{id}.pack"))).collect();
    let open = store.open_item(ids[0].as_str()).unwrap();
    for file in &files {
        fs::remove_file(file).unwrap();
    }
    symlink(secret, &files[1]).unwrap();
    fs::create_dir(&files[2]).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, &files[3], rustix::fs::FileType::Fifo, Mode::RWXU, 0).unwrap();
    for id in &ids {
        assert_eq!(store.open_item(id.as_str()).unwrap_err(), StoreFault::Vanished);
    }
    // What was open before stays readable.
    assert_eq!(open.read_at(&mut [0; 1], 0).unwrap(), 1);
}

#[test]
fn a_running_create_finishes_before_the_session_goes() {
    let trial = Trial::new();
    let (dirs, store) = store(&trial);
    let mut item = store.create().unwrap();
    item.write_all(b"begun").unwrap();
    // Without patience the end does not wait, and the folder stays until the item is done.
    assert!(!store.close(Duration::ZERO));
    assert_eq!(sessions(&dirs).len(), 1);
    assert_eq!(store.create().unwrap_err(), StoreFault::Closed);
    drop(store);
    assert_eq!(sessions(&dirs).len(), 1);
    item.write_all(b" and done").unwrap();
    item.keep().unwrap();
    assert!(sessions(&dirs).is_empty());
}

#[test]
fn closing_waits_for_a_running_create() {
    let trial = Trial::new();
    let (dirs, store) = store(&trial);
    let item = store.create().unwrap();
    std::thread::scope(|scope| {
        let closing = scope.spawn(|| store.close(Duration::from_secs(3_600)));
        // The item ends at some time after the closing began, or before; both must do.
        while store.create().is_ok() {
            std::thread::yield_now();
        }
        assert!(!closing.is_finished());
        drop(item);
        assert!(closing.join().unwrap());
    });
    assert!(sessions(&dirs).is_empty());
    assert!(store.close(Duration::ZERO), "a second time does no harm");
}

#[test]
fn the_end_of_a_session_removes_what_others_put_there() {
    let trial = Trial::of_many();
    let (dirs, store) = store(&trial);
    let outside = trial.file("outside/secret", "stays");
    let session = store.path().to_owned();
    fs::create_dir_all(session.join("a/b/c")).unwrap();
    fs::write(session.join("a/b/f"), "").unwrap();
    symlink(trial.at("outside"), session.join("a/link")).unwrap();
    symlink(&outside, session.join("link")).unwrap();
    let relative = session.strip_prefix(trial.path()).unwrap().join("deep");
    trial.chain(relative.to_str().unwrap(), 3_000);
    drop(store);
    assert!(sessions(&dirs).is_empty());
    assert_eq!(fs::read(outside).unwrap(), b"stays");
}

/// The folder that the store is going to use, made by somebody else before (case A39).
fn opened(prepare: impl FnOnce(&Trial, &Path)) -> Result<Store, StoreFault> {
    let trial = Trial::new();
    let dirs =
        UserDirs { runtime: trial.directory("tmp").join("readroom-0"), ..UserDirs::below(trial.path()) };
    prepare(&trial, &dirs.runtime);
    let before = fs::symlink_metadata(&dirs.runtime).ok().map(|found| found.permissions().mode());
    let answer = Store::open(&dirs, QUOTA);
    if answer.is_err() {
        let after = fs::symlink_metadata(&dirs.runtime).ok().map(|found| found.permissions().mode());
        assert_eq!(after, before, "a refused folder is not repaired");
    }
    answer
}

#[test]
fn a_prepared_folder_that_is_a_link_is_refused() {
    let answer = opened(|trial, runtime| symlink(trial.directory("elsewhere"), runtime).unwrap());
    assert_eq!(answer.unwrap_err(), StoreFault::Linked);
    let dangling = opened(|trial, runtime| symlink(trial.at("nothing"), runtime).unwrap());
    assert_eq!(dangling.unwrap_err(), StoreFault::Linked);
    let packs = opened(|trial, runtime| {
        fs::create_dir(runtime).unwrap();
        fs::set_permissions(runtime, fs::Permissions::from_mode(0o700)).unwrap();
        symlink(trial.directory("elsewhere"), runtime.join("packs")).unwrap();
    });
    assert_eq!(packs.unwrap_err(), StoreFault::Linked);
}

#[test]
fn a_prepared_folder_that_is_open_to_others_is_refused() {
    for (mode, refused) in
        [(0o777, true), (0o701, true), (0o710, true), (0o740, true), (0o1700, false), (0o700, false)]
    {
        for packs in [false, true] {
            let answer = opened(|_, runtime| {
                fs::create_dir(runtime).unwrap();
                fs::set_permissions(runtime, fs::Permissions::from_mode(0o700)).unwrap();
                let folder = if packs { runtime.join("packs") } else { runtime.to_owned() };
                if packs {
                    fs::create_dir(&folder).unwrap();
                }
                fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
            });
            assert_eq!(answer.err(), refused.then_some(StoreFault::OpenToOthers), "{mode:o} {packs}");
        }
    }
}

#[test]
fn a_prepared_folder_that_is_a_file_or_a_pipe_is_refused() {
    let file = opened(|_, runtime| fs::write(runtime, "").unwrap());
    assert_eq!(file.unwrap_err(), StoreFault::NotADirectory);
    let pipe = opened(|trial, _| trial.pipe("tmp/readroom-0"));
    assert_eq!(pipe.unwrap_err(), StoreFault::NotADirectory);
}

#[test]
fn a_folder_of_another_user_is_refused() {
    // Only the superuser can make one; for everybody else the folder stays their own and is taken.
    let foreign = rustix::process::geteuid().is_root();
    let answer = opened(|_, runtime| {
        fs::create_dir(runtime).unwrap();
        fs::set_permissions(runtime, fs::Permissions::from_mode(0o700)).unwrap();
        if foreign {
            chown(runtime, Some(12_345), None).unwrap();
        }
    });
    assert_eq!(answer.err(), foreign.then_some(StoreFault::Foreign));
}

#[test]
fn the_folder_above_is_ours_or_sticky() {
    let answer = |owner: Option<u32>, mode: u32| {
        opened(|trial, _| {
            fs::set_permissions(trial.at("tmp"), fs::Permissions::from_mode(mode)).unwrap();
            chown(trial.at("tmp"), owner, None).unwrap();
        })
        .err()
    };
    assert_eq!(answer(None, 0o777), None);
    assert_eq!(answer(None, 0o1777), None);
    if rustix::process::geteuid().is_root() {
        assert_eq!(answer(Some(12_345), 0o1777), None);
        assert_eq!(answer(Some(12_345), 0o777), Some(StoreFault::UnsafeParent));
        assert_eq!(answer(Some(12_345), 0o755), Some(StoreFault::UnsafeParent));
    }
}

#[test]
fn a_session_folder_that_was_removed_under_us_gives_faults() {
    let trial = Trial::new();
    let (dirs, store) = store(&trial);
    let id = keep(&store, b"x").unwrap();
    fs::remove_dir_all(&dirs.runtime).unwrap();
    assert_eq!(store.create().unwrap_err(), StoreFault::Unavailable(io::ErrorKind::NotFound));
    assert_eq!(store.open_item(id.as_str()).unwrap_err(), StoreFault::Vanished);
    drop(store);
    assert!(!dirs.runtime.exists());
}
