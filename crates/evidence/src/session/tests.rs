//! How a server starts and when it does not.

use testkit::Tree;

use super::*;
use crate::trial;

fn start(tree: &Tree) -> Result<(), StartFault> {
    Evidence::open(&Options { root: tree.root(), exact: false }).map(|_| ())
}

#[test]
fn a_root_that_is_no_folder_stops_the_start() {
    let tree = Tree::new("a.txt: x");
    let at = |path: &str| Evidence::open(&Options { root: tree.path(path), exact: false }).map(|_| ());
    assert_eq!(at("nope"), Err(StartFault::Root(RootFault::NotFound)));
    assert_eq!(at("a.txt"), Err(StartFault::Root(RootFault::NotADirectory)));
}

#[test]
fn an_ignore_file_that_is_no_plain_file_stops_the_start() {
    for name in IGNORE_FILES {
        assert_eq!(start(Tree::new("rules: x").link(name, "rules")), Err(StartFault::IgnoreKind(name)));
        assert_eq!(start(Tree::new("").link(name, "/dev/zero")), Err(StartFault::IgnoreKind(name)));
        assert_eq!(start(Tree::new("").fifo(name)), Err(StartFault::IgnoreKind(name)));
        assert_eq!(start(&Tree::new(&format!("{name}/x: y"))), Err(StartFault::IgnoreKind(name)));
        let said = StartFault::IgnoreKind(name).to_string();
        assert!(said.contains(name), "{said}");
        let locked = Tree::new("");
        locked.file(name, "x").mode(name, 0);
        if locked.permissions_hold() {
            assert_eq!(start(&locked), Err(StartFault::IgnoreUnreadable(name)));
        }
    }
}

#[test]
fn an_ignore_file_of_256_kib_is_read_and_a_larger_one_stops_the_start() {
    for name in IGNORE_FILES {
        for (bytes, expected) in [
            (IGNORE_FILE_BYTES_MAX - 1, Ok(())),
            (IGNORE_FILE_BYTES_MAX, Ok(())),
            (IGNORE_FILE_BYTES_MAX + 1, Err(StartFault::IgnoreSize(name))),
        ] {
            let tree = Tree::new("");
            // Comments, so that no cap on patterns is met first.
            let bytes = usize::try_from(bytes).unwrap();
            tree.bytes(name, &[b"#".repeat(bytes - 6), b"\nx.txt".to_vec()].concat()).file("x.txt", "");
            assert_eq!(start(&tree), expected, "{name} {bytes}");
            if expected.is_ok() {
                assert_eq!(trial::refusal(&trial::open(&tree), "x.txt"), "EVD-PATH-DENIED");
            }
        }
    }
    let tree = Tree::new("");
    tree.file(".contextignore", &"a\n".repeat(10_001));
    assert_eq!(start(&tree), Err(StartFault::IgnoreRules));
}
