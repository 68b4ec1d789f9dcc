//! Opening and reading: what is refused, what is bounded.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::net::UnixListener;

use fault::Unwatched;
use rustix::fs::{CWD, Mode, mknodat};

use super::*;
use crate::Mechanism;
use crate::trial::{AtCheck, MECHANISMS, Trial, rel};

const CAP: u64 = 1024 * 1024;

fn open(root: &Root, path: &str) -> Result<OpenFile, OpenFault> {
    root.open_file(&rel(path), Links::Refuse, CAP)
}

fn content(root: &Root, path: &str, links: Links) -> Result<Vec<u8>, OpenFault> {
    root.open_file(&rel(path), links, CAP).map(|file| file.read(CAP, &Unwatched).unwrap().bytes)
}

#[test]
fn a_file_is_read_whole() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/d/e/f.txt", "inside");
        let file = open(&root, "d/e/f.txt").unwrap();
        assert_eq!((file.stat().kind, file.stat().size_bytes, file.stat().nlink), (Kind::File, 6, 1));
        assert_eq!(file.read_head(3).unwrap(), b"ins");
        assert_eq!(file.read_head(100).unwrap(), b"inside");
        let read = file.read(CAP, &Unwatched).unwrap();
        assert_eq!(read, FileBytes { bytes: b"inside".to_vec(), changed: false });
    }
}

#[test]
fn a_link_in_any_place_is_refused() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("out/secret", "outside");
        trial.file("root/d/e/f", "inside");
        trial.link("root/last", trial.at("out/secret"));
        trial.link("root/first", trial.at("out"));
        trial.link("root/d/middle", "e");
        trial.link("root/d/dangling", "nothing");
        trial.link("root/d/itself", "itself");
        for path in
            ["last", "first/secret", "first/nothing", "d/middle/f", "d/dangling", "d/itself", "d/itself/a"]
        {
            assert_eq!(open(&root, path).unwrap_err(), OpenFault::Link, "{mechanism:?} {path}");
        }
    }
}

#[test]
fn a_link_inside_the_root_is_followed_when_asked_for() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/d/e/f", "inside");
        trial.link("root/file", "d/e/f");
        trial.link("root/folder", "d/e/");
        trial.link("root/d/up", "../d/./e/../e/f");
        trial.link("root/absolute", trial.at("root/d/e/f"));
        trial.link("root/chain", "folder/../up");
        trial.link("root/around", "../root/d/e/f");
        trial.link("root/top", trial.at("root"));
        for path in ["d/e/f", "file", "folder/f", "d/up", "absolute", "chain", "around", "top/d/e/f"] {
            assert_eq!(content(&root, path, Links::FollowInside).unwrap(), b"inside", "{mechanism:?} {path}");
        }
        // The same links lead nowhere when none may be followed.
        for path in ["file", "folder/f", "d/up", "absolute", "chain", "around", "top/d/e/f"] {
            assert_eq!(content(&root, path, Links::Refuse), Err(OpenFault::Link), "{mechanism:?} {path}");
        }
    }
}

#[test]
fn a_link_out_of_the_root_is_refused_whether_or_not_something_is_there() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("out/secret", "outside");
        trial.file("root-evil/secret", "outside");
        trial.file("root/d/f", "inside");
        trial.link("out/back", trial.at("root/d/f"));
        trial.link("root/there", trial.at("out/secret"));
        trial.link("root/not-there", trial.at("out/nothing"));
        trial.link("root/folder", trial.at("out"));
        trial.link("root/d/relative", "../../out/secret");
        trial.link("root/sibling", "../root-evil/secret");
        trial.link("root/prefix", trial.at("root-evil/secret"));
        trial.link("root/slash", "/");
        trial.link("root/parent", "..");
        trial.link("root/far", "../../../../../../../../../../../../etc/passwd");
        trial.link("root/back", "../out/back");
        trial.link("root/two", "there");
        for path in [
            "there",
            "not-there",
            "folder/secret",
            "folder/nothing",
            "d/relative",
            "sibling",
            "prefix",
            "slash/etc/passwd",
            "parent",
            "parent/out/secret",
            "far",
            "back",
            "two",
        ] {
            assert_eq!(
                content(&root, path, Links::FollowInside),
                Err(OpenFault::Outside),
                "{mechanism:?} {path}"
            );
        }
    }
}

#[test]
fn a_link_to_nothing_inside_is_not_found() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/f", "inside");
        trial.link("root/dangling", "nothing");
        trial.link("root/through-file", "f/../f");
        for path in ["dangling", "dangling/x", "through-file", "f/x", "nothing"] {
            assert_eq!(
                content(&root, path, Links::FollowInside),
                Err(OpenFault::NotFound),
                "{mechanism:?} {path}"
            );
        }
    }
}

#[test]
fn at_most_40_links_are_followed() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/l0", "inside");
        for hop in 1..=41 {
            trial.link(&format!("root/l{hop}"), format!("l{}", hop - 1));
        }
        for (path, expected) in
            [("l39", Ok(b"inside".to_vec())), ("l40", Ok(b"inside".to_vec())), ("l41", Err(OpenFault::Link))]
        {
            assert_eq!(content(&root, path, Links::FollowInside), expected, "{mechanism:?} {path}");
        }
        trial.link("root/circle", "circle/a");
        assert_eq!(content(&root, "circle", Links::FollowInside), Err(OpenFault::Link));
    }
}

#[test]
fn a_needlessly_long_way_ends() {
    for mechanism in MECHANISMS {
        let trial = Trial::of_many();
        let root = trial.root(mechanism);
        trial.chain("root/deep", 500);
        let deep = format!("deep{}", "/a".repeat(499));
        fs::create_dir(trial.at("root").join(&deep).join("b")).unwrap();
        // Each hop goes up and down again, hundreds of names each time.
        trial.link(&format!("root/{deep}/way"), format!("{}b", "b/../".repeat(800)));
        assert_eq!(root.resolve(&rel(&format!("{deep}/way"))), Err(OpenFault::Link));
        assert_eq!(root.resolve(&rel(&format!("{deep}/b"))), Ok(rel(&format!("{deep}/b"))));
    }
}

#[test]
fn magic_links_are_text() {
    for mechanism in MECHANISMS {
        let root = Root::pin_with("/proc/self".as_ref(), mechanism).unwrap();
        for path in ["exe", "cwd", "root/etc/passwd", "fd/0", "ns/mnt"] {
            assert_eq!(content(&root, path, Links::Refuse), Err(OpenFault::Link), "{mechanism:?} {path}");
            let followed = content(&root, path, Links::FollowInside);
            // What such a link says is a path outside, or no path at all.
            assert!(
                matches!(followed, Err(OpenFault::Outside | OpenFault::NotFound | OpenFault::Link)),
                "{mechanism:?} {path} {followed:?}"
            );
        }
    }
}

#[test]
fn another_file_system_is_outside() {
    for mechanism in MECHANISMS {
        let root = Root::pin_with("/".as_ref(), mechanism).unwrap();
        for path in ["proc/version", "proc", "proc/self/environ"] {
            assert_eq!(
                root.stat(&rel(path), Links::FollowInside).unwrap_err(),
                OpenFault::Outside,
                "{mechanism:?} {path}"
            );
            assert_eq!(open(&root, path).unwrap_err(), OpenFault::Outside, "{mechanism:?} {path}");
        }
        assert!(root.stat(&rel("etc"), Links::Refuse).is_ok());
    }
}

#[test]
fn pipes_sockets_and_devices_are_never_opened() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.pipe("root/pipe");
        let _socket = UnixListener::bind(trial.at("root/socket")).unwrap();
        trial.link("root/to-pipe", "pipe");
        for path in ["pipe", "socket"] {
            assert_eq!(open(&root, path).unwrap_err(), OpenFault::Special, "{mechanism:?} {path}");
            assert_eq!(root.stat(&rel(path), Links::Refuse).unwrap().kind, Kind::Special);
            assert_eq!(root.list(&rel(path)), Err(OpenFault::NotFound));
        }
        assert_eq!(content(&root, "to-pipe", Links::FollowInside), Err(OpenFault::Special));
        // Making a device takes a privilege; the system's own devices are always there.
        let null = rustix::fs::makedev(1, 3);
        if mknodat(CWD, trial.at("root/null"), FileType::CharacterDevice, Mode::RWXU, null).is_ok() {
            assert_eq!(open(&root, "null").unwrap_err(), OpenFault::Special);
        }
        let devices = Root::pin_with("/dev".as_ref(), mechanism).unwrap();
        for path in ["zero", "null"] {
            assert_eq!(open(&devices, path).unwrap_err(), OpenFault::Special, "{mechanism:?} {path}");
        }
    }
}

#[test]
fn a_directory_is_no_file_and_a_file_is_no_directory() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/d/f", "inside");
        assert_eq!(open(&root, "d").unwrap_err(), OpenFault::NotAFile);
        assert_eq!(open(&root, ".").unwrap_err(), OpenFault::NotAFile);
        assert_eq!(open(&root, "d/f/x").unwrap_err(), OpenFault::NotFound);
        assert_eq!(open(&root, "x").unwrap_err(), OpenFault::NotFound);
        assert_eq!(open(&root, "x/y").unwrap_err(), OpenFault::NotFound);
        assert_eq!(root.list(&rel("d/f")), Err(OpenFault::NotFound));
        assert_eq!(open(&root, &["a"; 2_048].join("/")).unwrap_err(), OpenFault::NotFound);
    }
}

#[test]
fn a_hard_link_is_an_ordinary_file_that_says_so() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("out/f", "shared");
        fs::hard_link(trial.at("out/f"), trial.at("root/h")).unwrap();
        assert_eq!(open(&root, "h").unwrap().stat().nlink, 2);
        assert_eq!(content(&root, "h", Links::Refuse).unwrap(), b"shared");
    }
}

#[test]
fn a_claimed_size_over_the_limit_is_not_read() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        for (size, fits) in [(9, true), (10, true), (11, false)] {
            trial.file("root/f", vec![b'x'; size]);
            let opened = root.open_file(&rel("f"), Links::Refuse, 10);
            assert_eq!(opened.is_ok(), fits, "{size}");
            if !fits {
                assert_eq!(opened.unwrap_err(), OpenFault::TooLarge { size_bytes: 11 });
            }
        }
        let sparse = fs::File::create(trial.at("root/sparse")).unwrap();
        if sparse.set_len(1 << 40).is_ok() {
            assert_eq!(open(&root, "sparse").unwrap_err(), OpenFault::TooLarge { size_bytes: 1 << 40 });
            // Opened without a limit, it still costs no more than the limit of the reading.
            let file = root.open_file(&rel("sparse"), Links::Refuse, u64::MAX).unwrap();
            assert_eq!(file.read(CAP, &Unwatched), Err(ReadFault::TooLarge));
        }
    }
}

#[test]
fn the_limit_of_reading_counts_bytes_not_claims() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    for (size, fits) in [(9, true), (10, true), (11, false)] {
        trial.file("root/f", vec![b'x'; size]);
        assert_eq!(open(&root, "f").unwrap().read(10, &Unwatched).is_ok(), fits, "{size}");
    }
    trial.file("root/f", "");
    assert_eq!(open(&root, "f").unwrap().read(0, &Unwatched).unwrap().bytes, b"");
    // Files of the kernel claim no bytes and have some.
    let kernel = Root::pin("/proc/self".as_ref()).unwrap();
    let status = open(&kernel, "status").unwrap();
    assert_eq!(status.stat().size_bytes, 0);
    let read = status.read(CAP, &Unwatched).unwrap();
    assert!(read.changed && !read.bytes.is_empty());
    assert_eq!(open(&kernel, "status").unwrap().read(10, &Unwatched), Err(ReadFault::TooLarge));
}

#[test]
fn a_file_that_grows_while_it_is_read_stops_at_the_limit() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    let path = trial.file("root/f", vec![b'x'; 100]);
    let cap = 3 * CHUNK_BYTES;
    let grow = |more: usize| {
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&vec![b'y'; more]).unwrap();
        false
    };
    // It grows by a whole chunk before each chunk is read, so it would never end.
    let watch = AtCheck::new(|_| grow(usize::try_from(CHUNK_BYTES).unwrap()));
    assert_eq!(open(&root, "f").unwrap().read(cap, &watch), Err(ReadFault::TooLarge));
    // It was far from the end when it stopped.
    assert!(fs::metadata(&path).unwrap().len() > cap);
    // A little growth within the limit is read, and marked.
    fs::write(&path, vec![b'x'; 100]).unwrap();
    let watch = AtCheck::new(|asked| asked == 0 && grow(5));
    let read = open(&root, "f").unwrap().read(cap, &watch).unwrap();
    assert_eq!((read.bytes.len(), read.changed), (105, true));
}

#[test]
fn a_file_that_is_cut_while_it_is_read_is_marked() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    let chunk = usize::try_from(CHUNK_BYTES).unwrap();
    let path = trial.file("root/f", vec![b'x'; 3 * chunk]);
    let watch = AtCheck::new(|asked| {
        if asked == 1 {
            fs::File::options().write(true).open(&path).unwrap().set_len(10).unwrap();
        }
        false
    });
    let read = open(&root, "f").unwrap().read(CAP, &watch).unwrap();
    assert_eq!((read.bytes.len(), read.changed), (chunk, true));
}

#[test]
fn a_file_that_is_rewritten_in_place_is_marked() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    let path = trial.file("root/f", "first");
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    let watch = AtCheck::new(|_| {
        fs::write(&path, "later").unwrap();
        false
    });
    let read = open(&root, "f").unwrap().read(CAP, &watch).unwrap();
    assert_eq!((read.bytes.as_slice(), read.changed), (&b"later"[..], true));
}

#[test]
fn an_exchanged_file_is_still_the_opened_one() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/f", "inside");
        trial.file("out", "outside");
        let file = open(&root, "f").unwrap();
        fs::rename(trial.at("out"), trial.at("root/f")).unwrap();
        assert_eq!(file.read(CAP, &Unwatched).unwrap().bytes, b"inside");
    }
}

#[test]
fn reading_stops_between_two_chunks() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    trial.file("root/f", vec![b'x'; 3 * usize::try_from(CHUNK_BYTES).unwrap()]);
    let watch = AtCheck::new(|asked| asked == 2);
    assert_eq!(open(&root, "f").unwrap().read(CAP, &watch), Err(ReadFault::Stopped(Stop::Cancelled)));
}

#[test]
fn names_that_are_not_utf_8_are_read_by_their_address() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file(b"root/\xff.txt", "one");
        trial.file(b"root/\xfe.txt", "two");
        trial.file(b"root/\\xFF.txt", "three");
        trial.file("root/a\nb", "four");
        for (address, content) in
            [("\\xFF.txt", "one"), ("\\xFE.txt", "two"), ("\\\\xFF.txt", "three"), ("a\\nb", "four")]
        {
            let path = RelPath::from_address(address).unwrap();
            let file = root.open_file(&path, Links::Refuse, CAP).unwrap();
            assert_eq!(file.read(CAP, &Unwatched).unwrap().bytes, content.as_bytes());
        }
    }
}

#[test]
fn what_the_system_denies_is_denied() {
    // The superuser is denied nothing; what it asks for is then simply there.
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        let path = trial.file("root/f", "inside");
        rustix::fs::chmod(path, Mode::empty()).unwrap();
        let expected = if rustix::process::geteuid().is_root() { None } else { Some(OpenFault::Denied) };
        assert_eq!(open(&root, "f").err(), expected);
    }
}

#[test]
fn times_before_1970_and_out_of_range_do_no_harm() {
    assert_eq!(time(-10, 0), SystemTime::UNIX_EPOCH - Duration::from_secs(10));
    assert_eq!(time(10, 5), SystemTime::UNIX_EPOCH + Duration::new(10, 5));
    assert!(time(i64::MIN, 999_999_999) < SystemTime::UNIX_EPOCH);
    assert!(time(i64::MAX, 999_999_999) > SystemTime::UNIX_EPOCH);
    assert_eq!(time(i64::MAX, u64::MAX), SystemTime::UNIX_EPOCH);
}
