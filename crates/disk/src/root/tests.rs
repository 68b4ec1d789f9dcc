//! Pinning, resolving and listing.

use std::fs;
use std::os::unix::fs::symlink;

use super::*;
use crate::trial::{MECHANISMS, Trial, rel};

#[test]
fn a_root_is_pinned_at_its_physical_path() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        trial.directory("real/deep");
        trial.link("alias", "real");
        let root = Root::pin_with(&trial.at("alias/deep/../deep/"), mechanism).unwrap();
        assert_eq!(root.path(), trial.at("real/deep"));
        assert_eq!((root.name().as_str(), root.mechanism()), ("deep", mechanism));
        for path in ["real/deep", "alias/deep", "alias/deep/", "alias/./deep/../deep"] {
            assert!(root.is_same_place(&trial.at(path)), "{path}");
        }
        for path in ["real", "alias", "nothing", "real/deep/below"] {
            assert!(!root.is_same_place(&trial.at(path)), "{path}");
        }
    }
}

#[test]
fn what_is_no_directory_is_no_root() {
    let trial = Trial::new();
    trial.file("f", "");
    trial.pipe("pipe");
    trial.link("dangling", "nothing");
    trial.link("circle", "circle");
    for (path, fault) in [
        ("f", RootFault::NotADirectory),
        ("f/x", RootFault::NotADirectory),
        ("pipe", RootFault::NotADirectory),
        ("nothing", RootFault::NotFound),
        ("dangling", RootFault::NotFound),
        ("circle", RootFault::Unreadable),
    ] {
        assert_eq!(Root::pin(&trial.at(path)).unwrap_err(), fault, "{path}");
    }
    assert_eq!(Root::pin(Path::new("")).unwrap_err(), RootFault::NotFound);
}

#[test]
fn the_root_of_the_file_system_is_a_root() {
    let root = Root::pin(Path::new("/")).unwrap();
    assert_eq!((root.path(), root.name().as_str()), (Path::new("/"), "/"));
    assert!(root.still_there());
    assert_eq!(root.relative(Path::new("/etc/passwd")), Some(rel("etc/passwd")));
}

#[test]
fn a_root_name_that_is_not_utf_8_is_written_as_an_address() {
    let trial = Trial::new();
    fs::create_dir(trial.at(b"r\xff")).unwrap();
    assert_eq!(Root::pin(&trial.at(b"r\xff")).unwrap().name(), "r\\xFF");
}

#[test]
fn a_replaced_root_is_noticed_and_the_pinned_one_served() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/f", "inside");
        trial.file("out/f", "outside");
        assert!(root.still_there());
        // A link in its place.
        fs::rename(trial.at("root"), trial.at("moved")).unwrap();
        assert!(!root.still_there());
        symlink(trial.at("out"), trial.at("root")).unwrap();
        assert!(!root.still_there());
        assert_eq!(root.stat(&rel("f"), Links::Refuse).unwrap().size_bytes, 6);
        // A link to the very same directory is a link as well.
        fs::remove_file(trial.at("root")).unwrap();
        symlink(trial.at("moved"), trial.at("root")).unwrap();
        assert!(!root.still_there());
        // Another directory of the same name.
        fs::remove_file(trial.at("root")).unwrap();
        fs::create_dir(trial.at("root")).unwrap();
        assert!(!root.still_there());
        // The same directory again.
        fs::remove_dir(trial.at("root")).unwrap();
        fs::rename(trial.at("moved"), trial.at("root")).unwrap();
        assert!(root.still_there());
    }
}

#[test]
fn a_root_below_a_directory_that_became_a_link_is_noticed() {
    let trial = Trial::new();
    let root = Root::pin(&trial.directory("above/root")).unwrap();
    fs::rename(trial.at("above"), trial.at("elsewhere")).unwrap();
    symlink("elsewhere", trial.at("above")).unwrap();
    assert!(trial.at("above/root").is_dir());
    assert!(!root.still_there());
}

#[test]
fn an_absolute_path_is_relative_by_its_text() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    for (path, expected) in [
        ("root", Some(".")),
        ("root/", Some(".")),
        ("root/a/b", Some("a/b")),
        ("root//a/./b/", Some("a/b")),
        ("root-evil/s", None),
        ("rootlet", None),
        ("root/../out", None),
        ("root/a/../b", None),
        ("", None),
    ] {
        assert_eq!(root.relative(&trial.at(path)), expected.map(rel), "{path}");
    }
    assert_eq!(root.relative(Path::new("root/a")), None);
}

#[test]
fn a_path_resolves_to_its_physical_target() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/src/lib/a.rs", "");
        trial.link("root/src/alias", "lib");
        trial.link("root/top", ".");
        trial.link("root/two", "src/alias");
        for (path, target) in [
            (".", "."),
            ("src", "src"),
            ("src/lib/a.rs", "src/lib/a.rs"),
            ("src/alias", "src/lib"),
            ("src/alias/a.rs", "src/lib/a.rs"),
            ("two/a.rs", "src/lib/a.rs"),
            ("top", "."),
            ("top/top/two", "src/lib"),
        ] {
            assert_eq!(root.resolve(&rel(path)), Ok(rel(target)), "{mechanism:?} {path}");
        }
        assert_eq!(root.resolve(&rel("src/nothing")), Err(OpenFault::NotFound));
        assert_eq!(root.resolve(&rel("src/lib/a.rs/x")), Err(OpenFault::NotFound));
    }
}

#[test]
fn a_link_is_told_as_a_link_unless_it_is_followed() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/f", "inside");
        trial.link("root/l", "f");
        trial.link("root/out", "/etc/passwd");
        assert_eq!(root.stat(&rel("l"), Links::Refuse).unwrap().kind, Kind::Link);
        assert_eq!(root.stat(&rel("out"), Links::Refuse).unwrap().kind, Kind::Link);
        assert_eq!(root.stat(&rel("l"), Links::FollowInside).unwrap().kind, Kind::File);
        assert_eq!(root.stat(&rel("out"), Links::FollowInside), Err(OpenFault::Outside));
        assert_eq!(root.stat(&RelPath::root(), Links::Refuse).unwrap().kind, Kind::Directory);
    }
}

#[test]
fn a_listing_has_every_name_in_byte_order() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/b", "");
        trial.file("root/B", "");
        trial.file("root/a.b", "");
        trial.file("root/.hidden", "");
        trial.file(b"root/\xff", "");
        trial.file("root/new\nline", "");
        trial.directory("root/a");
        trial.link("root/l", "a");
        trial.pipe("root/p");
        let listed = root.list(&RelPath::root()).unwrap();
        let seen: Vec<(&[u8], Kind)> = listed.iter().map(|entry| (&*entry.name, entry.kind)).collect();
        assert_eq!(
            seen,
            [
                (&b".hidden"[..], Kind::File),
                (b"B", Kind::File),
                (b"a", Kind::Directory),
                (b"a.b", Kind::File),
                (b"b", Kind::File),
                (b"l", Kind::Link),
                (b"new\nline", Kind::File),
                (b"p", Kind::Special),
                (b"\xff", Kind::File),
            ]
        );
        // A link to a directory is not listed through.
        assert_eq!(root.list(&rel("l")), Err(OpenFault::Link), "{mechanism:?}");
        assert_eq!(root.list(&rel("a")), Ok(vec![]));
        assert_eq!(root.list(&rel("nothing")), Err(OpenFault::NotFound));
    }
}

#[test]
fn the_probe_chooses_the_kernel_where_the_kernel_holds() {
    // On a machine without the call the tests of the other mechanism still ran.
    let chosen = Mechanism::of_this_machine();
    let answers = openat2(CWD, ".", DIRECTORY_HANDLE, Mode::empty(), ResolveFlags::BENEATH);
    assert_eq!(chosen == Mechanism::Kernel, answers.is_ok());
}
