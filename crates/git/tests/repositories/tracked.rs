//! Tracked lists on the kinds of repository that exist, and on those that a hostile checkout can bring.

use git::{IndexFault, TrackedFault};
use testkit::Tree;

use super::{check_tracked, git_bytes, set, shown, tracked_at};

/// A repository with a commit, a staged file, an intent to add, an untracked file and a deleted one.
fn mixed(format: &str) -> Tree {
    let tree = Tree::new("a.txt: a\nb/c.txt: c\nb/d.sh: d\nlink -> a.txt\nname with space: x\nb-old/x: x");
    tree.git(&["init", "--quiet", "--initial-branch=main", &format!("--object-format={format}")]);
    tree.mode("b/d.sh", 0o755);
    tree.bytes_at(b"b/line\nbreak", b"x");
    tree.bytes_at(b"b/\xff\xfe.bin", b"x");
    tree.commit("one");
    tree.add("staged.txt: s\nintended.txt: i\nuntracked.txt: u");
    tree.git(&["add", "staged.txt"]);
    tree.git(&["add", "--intent-to-add", "intended.txt"]);
    tree.remove("a.txt");
    tree
}

#[test]
fn every_index_version_and_hash_gives_what_git_lists() {
    for format in ["sha1", "sha256"] {
        let tree = mixed(format);
        for version in ["2", "3", "4"] {
            tree.git(&["update-index", "--index-version", version]);
            check_tracked(&tree, &tree.root());
        }
        check_tracked(&tree, &tree.path("b"));
        tree.git(&["update-index", "--skip-worktree", "b/c.txt"]);
        tree.git(&["update-index", "--assume-unchanged", "b/d.sh"]);
        check_tracked(&tree, &tree.root());
        tree.git(&[
            "-c",
            "index.threads=4",
            "-c",
            "index.skipHash=true",
            "update-index",
            "--force-write-index",
        ]);
        check_tracked(&tree, &tree.root());
    }
}

#[test]
fn a_split_index_is_put_together() {
    for format in ["sha1", "sha256"] {
        let tree = mixed(format);
        tree.git(&["config", "splitIndex.maxPercentChange", "100"]);
        tree.git(&["update-index", "--split-index"]);
        check_tracked(&tree, &tree.root());
        tree.add("later.txt: l\nb/between.txt: b\nb/c.txt: changed");
        tree.git(&["add", "later.txt", "b/between.txt", "b/c.txt"]);
        tree.git(&["rm", "--quiet", "--cached", "b-old/x", "a.txt"]);
        let entries = std::fs::read_dir(tree.path(".git")).expect("readable");
        let shared =
            entries.flatten().find(|entry| entry.file_name().to_string_lossy().starts_with("sharedindex."));
        assert!(shared.is_some(), "the index is split");
        check_tracked(&tree, &tree.root());
        std::fs::remove_file(shared.expect("seen").path()).expect("removable");
        assert_eq!(tracked_at(&tree.root()), Err(TrackedFault::Index(IndexFault::Unknown)));
    }
}

#[test]
fn an_empty_and_an_unborn_repository_track_nothing() {
    let tree = Tree::new("a.txt: a");
    tree.git(&["init", "--quiet"]);
    assert_eq!(tracked_at(&tree.root()).expect("readable").files, []);
    tree.git(&["add", "a.txt"]);
    check_tracked(&tree, &tree.root());
    tree.git(&["rm", "--quiet", "--cached", "a.txt"]);
    check_tracked(&tree, &tree.root());
}

#[test]
fn unmerged_paths_are_tracked_once() {
    let tree = Tree::new("a.txt: base\nb.txt: b");
    tree.commit("base");
    tree.git(&["checkout", "--quiet", "-b", "side"]);
    tree.file("a.txt", "side").commit("side");
    tree.git(&["checkout", "--quiet", "main"]);
    tree.file("a.txt", "main").commit("main");
    let merge = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tree.git(&["merge", "side"])));
    assert!(merge.is_err(), "the merge has a conflict");
    check_tracked(&tree, &tree.root());
    assert_eq!(tracked_at(&tree.root()).expect("readable").files.len(), 2);
}

#[test]
fn a_worktree_has_an_index_of_its_own() {
    let tree = Tree::new("main/a.txt: x\nmain/b.txt: y");
    tree.git_in("main", &["init", "--quiet", "--initial-branch=main"]);
    tree.git_in("main", &["add", "-A"]);
    tree.git_in("main", &["commit", "--quiet", "-m", "x"]);
    tree.git_in("main", &["worktree", "add", "--quiet", "../side"]);
    tree.git_in("side", &["rm", "--quiet", "b.txt"]);
    tree.add("side/c.txt: c");
    tree.git_in("side", &["add", "c.txt"]);
    for name in ["main", "side"] {
        check_tracked(&tree, &tree.path(name));
    }
}

/// A superproject with a submodule that has one of its own, cloned from folders beside the project.
fn nested() -> Tree {
    let tree = Tree::new("top/x.txt: x\ninner/i.txt: i\nmiddle/m.txt: m");
    let commit = |name: &str| {
        tree.git_in(name, &["init", "--quiet", "--initial-branch=main"]);
        tree.git_in(name, &["add", "-A"]);
        tree.git_in(name, &["commit", "--quiet", "-m", "x"]);
    };
    commit("inner");
    commit("middle");
    let add = |name: &str, from: &str, to: &str| {
        tree.git_in(name, &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, to]);
        tree.git_in(name, &["commit", "--quiet", "-m", "module"]);
    };
    add("middle", &tree.path("inner").display().to_string(), "deep/inner");
    commit("top");
    add("top", &tree.path("middle").display().to_string(), "lib/middle");
    tree.git_in(
        "top/lib/middle",
        &["-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"],
    );
    tree
}

#[test]
fn submodules_that_are_checked_out_bring_their_files() {
    let tree = nested();
    let ours = tracked_at(&tree.path("top")).expect("readable");
    assert_eq!(ours.unreadable, 0);
    let theirs = git_bytes(&tree, &tree.path("top"), &["ls-files", "-z", "--recurse-submodules"]);
    assert_eq!(shown(&set(&ours.files)), shown(&super::names(&theirs)));
    assert_eq!(ours.files.len(), 5);
    // From inside, the submodule is the owner, and its git folder lies outside of the root.
    let inside = tracked_at(&tree.path("top/lib/middle")).expect("the pointer leads back");
    assert_eq!(shown(&set(&inside.files)), [".gitmodules", "deep/inner/i.txt", "m.txt"]);
    let deeper = tracked_at(&tree.path("top/lib/middle/deep")).expect("readable");
    assert_eq!(shown(&set(&deeper.files)), ["inner/i.txt"]);
    tree.git_in("top", &["submodule", "--quiet", "deinit", "--force", "lib/middle"]);
    assert_eq!(tracked_at(&tree.path("top")).expect("readable").files.len(), 2);
}

#[test]
fn a_nested_index_that_cannot_be_read_is_counted() {
    let tree = nested();
    let index = ".git/modules/lib/middle/index";
    tree.file(&format!("top/{index}"), "DIRCgarbage");
    let ours = tracked_at(&tree.path("top")).expect("the owner can be read");
    assert_eq!(ours.unreadable, 1);
    assert_eq!(shown(&set(&ours.files)), [".gitmodules", "x.txt"]);
}

#[test]
fn an_undeclared_repository_inside_is_not_entered() {
    let tree = Tree::new("a.txt: a\nstray/s.txt: s");
    tree.git_in("stray", &["init", "--quiet"]);
    tree.git_in("stray", &["add", "-A"]);
    tree.git_in("stray", &["commit", "--quiet", "-m", "x"]);
    tree.commit("with a link to a commit that nothing declares");
    assert_eq!(shown(&set(&tracked_at(&tree.root()).expect("readable").files)), ["a.txt"]);
}

#[test]
fn a_sparse_index_is_answered_while_what_it_leaves_out_is_not_on_disk() {
    let tree = Tree::new("top.txt: x\nin/a.txt: a\nout/b.txt: b\nout/deep/c.txt: c");
    tree.commit("one");
    tree.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in"]);
    let sparse = git_bytes(&tree, &tree.root(), &["ls-files", "-z", "--sparse"]);
    assert!(super::names(&sparse).contains(b"out/".as_slice()), "the index is sparse");
    assert_eq!(shown(&set(&tracked_at(&tree.root()).expect("complete").files)), ["in/a.txt", "top.txt"]);
    tree.add("out/b.txt: back");
    assert_eq!(tracked_at(&tree.root()), Err(TrackedFault::Sparse));
    tree.git(&["sparse-checkout", "disable"]);
    check_tracked(&tree, &tree.root());
    tree.git(&["sparse-checkout", "set", "--no-cone", "/in/"]);
    check_tracked(&tree, &tree.root());
}

#[test]
fn an_index_of_another_kind_is_refused_and_never_waited_for() {
    let tree = mixed("sha1");
    let good = std::fs::read(tree.path(".git/index")).expect("readable");
    let mut mandatory = good[..good.len() - 20].to_vec();
    mandatory.extend_from_slice(b"zzzz\0\0\0\0");
    mandatory.extend_from_slice(&[0; 20]);
    let mut optional = good[..good.len() - 20].to_vec();
    optional.extend_from_slice(b"ZZZZ\0\0\0\0");
    optional.extend_from_slice(&[0; 20]);
    tree.bytes(".git/index", &optional);
    assert!(tracked_at(&tree.root()).is_ok(), "an optional extension does no harm");
    let mut version = good.clone();
    version[7] = 5;
    for damaged in [mandatory, version, good[..good.len() / 2].to_vec(), b"DIRC".to_vec(), Vec::new()] {
        tree.bytes(".git/index", &damaged);
        assert_eq!(tracked_at(&tree.root()), Err(TrackedFault::Index(IndexFault::Unknown)));
    }
    tree.remove(".git/index").fifo(".git/index");
    assert_eq!(tracked_at(&tree.root()), Err(TrackedFault::Index(IndexFault::Unreadable)));
    tree.remove(".git/index").link(".git/index", "/etc/hostname");
    assert_eq!(tracked_at(&tree.root()), Err(TrackedFault::Index(IndexFault::Unreadable)));
    tree.remove(".git/index").sparse(".git/index", 256 * 1024 * 1024 + 1);
    assert_eq!(tracked_at(&tree.root()), Err(TrackedFault::Index(IndexFault::TooLarge)));
}

#[test]
fn paths_that_leave_the_repository_make_an_index_unusable() {
    let tree = Tree::new("aaaaa/b.txt: x");
    tree.commit("one");
    let bytes = std::fs::read(tree.path(".git/index")).expect("readable");
    let at = bytes.windows(5).position(|window| window == b"aaaaa").expect("the name stands there");
    let mut hostile = bytes.clone();
    hostile[at..at + 5].copy_from_slice(b"../..");
    tree.bytes(".git/index", &hostile);
    assert_eq!(tracked_at(&tree.root()), Err(TrackedFault::Index(IndexFault::Unknown)));
}

#[test]
fn somebody_elses_repository_is_never_listed() {
    let tree = Tree::new("mine/a.txt: a\nprivate/CANARY.txt: c\nforged/x.txt: x");
    tree.git_in("private", &["init", "--quiet"]);
    tree.git_in("private", &["add", "-A"]);
    tree.git_in("private", &["commit", "--quiet", "-m", "x"]);
    let theirs = tree.path("private/.git");
    tree.file("mine/.git", &format!("gitdir: {}\n", theirs.display()));
    assert_eq!(tracked_at(&tree.path("mine")), Err(TrackedFault::NoGitDir));
    // A folder `.git` that borrows what worktrees share.
    tree.git_in("forged", &["init", "--quiet"]);
    tree.file("forged/.git/commondir", &format!("{}\n", theirs.display()));
    let root = disk::Root::pin(&tree.path("forged")).expect("pinned");
    let repository = git::Repository::discover(&root).expect("there is a boundary");
    assert_eq!(repository.exclude(), git::Rules::Absent);
}
