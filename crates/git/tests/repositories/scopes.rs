//! Scopes on the kinds of repository that exist: what git reports in the repository itself is what we say through the
//! stand-in.

use std::collections::BTreeSet;
use std::path::Path;

use disk::{Quota, RelPath, Root, Store, UserDirs};
use fault::Unwatched;
use git::{GitProgram, Repository, Scope, ScopeFault, Scoped};
use testkit::Tree;

use super::generated::each;
use super::{git_bytes, names, place, shown};

type Names = BTreeSet<Vec<u8>>;

fn ask_at(tree: &Tree, folder: &Path, scope: Scope<'_>, paths: &[&str]) -> Result<Scoped, ScopeFault> {
    let root = Root::pin(folder).expect("the test's folder can be pinned");
    let repository = Repository::discover(&root).expect("there is a repository");
    let quota = Quota { item_bytes: 1, session_bytes: 1 };
    let store = Store::open(&UserDirs::below(&tree.home()), quota).expect("a private folder");
    let program = GitProgram::find([root.path()].into_iter()).expect("git is installed");
    let paths: Vec<RelPath> = paths.iter().map(|path| RelPath::parse(path).expect("valid")).collect();
    git::scoped(&program, &|| store.work_folder(), &root, &repository, scope, &paths, &Unwatched)
}

fn ask(tree: &Tree, scope: Scope<'_>) -> Scoped {
    ask_at(tree, &tree.root(), scope, &[]).unwrap_or_else(|fault| panic!("{fault}"))
}

fn set(paths: &[RelPath]) -> Names {
    paths.iter().map(|path| path.as_bytes().to_vec()).collect()
}

fn there(folder: &Path, name: &[u8]) -> bool {
    std::fs::symlink_metadata(place(folder, name)).is_ok()
}

/// What pairs of status and name say: files that are there, and files that are not.
fn of_name_status(folder: &Path, bytes: &[u8]) -> (Names, Names) {
    let fields: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
    let (mut present, mut deleted) = (Names::new(), Names::new());
    for pair in fields.chunks_exact(2) {
        let is_there = pair[0] != b"D" && there(folder, pair[1]);
        if is_there { &mut present } else { &mut deleted }.insert(pair[1].to_vec());
    }
    (present, deleted)
}

fn staged_by_git(tree: &Tree, folder: &Path) -> (Names, Names) {
    let is_born = std::process::Command::new("git")
        .current_dir(folder)
        .args(["rev-parse", "--quiet", "--verify", "HEAD"])
        .output()
        .expect("git is installed")
        .status
        .success();
    let bytes = if is_born {
        git_bytes(tree, folder, &["diff-index", "--cached", "--name-status", "-z", "--no-renames", "HEAD"])
    } else {
        let mut bytes = Vec::new();
        // Before the first commit everything in the index is new, except what is only intended.
        for name in names(&git_bytes(tree, folder, &["diff", "--cached", "--name-only", "-z"])) {
            bytes.extend_from_slice(b"A\0");
            bytes.extend_from_slice(&name);
            bytes.push(0);
        }
        bytes
    };
    of_name_status(folder, &bytes)
}

fn changes_by_git(tree: &Tree, folder: &Path) -> (Names, Names) {
    let bytes = git_bytes(
        tree,
        folder,
        &["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"],
    );
    let (mut present, mut deleted) = (Names::new(), Names::new());
    for line in bytes.split(|byte| *byte == 0).filter(|line| line.len() > 3 && !line.ends_with(b"/")) {
        let name = &line[3..];
        let is_deleted = line[1] == b'D' || line.starts_with(b"D ") || !there(folder, name);
        if is_deleted { &mut deleted } else { &mut present }.insert(name.to_vec());
    }
    let deleted = deleted.difference(&present).cloned().collect();
    (present, deleted)
}

fn check_scope(tree: &Tree, folder: &Path, scope: Scope<'_>, (present, deleted): (Names, Names)) {
    let ours = ask_at(tree, folder, scope, &[]).unwrap_or_else(|fault| panic!("{scope:?}: {fault}"));
    assert_eq!(shown(&set(&ours.present)), shown(&present), "{scope:?}");
    assert_eq!(shown(&set(&ours.deleted)), shown(&deleted), "deleted, {scope:?}");
}

/// All three scopes equal what git says in the repository itself.
fn check_all(tree: &Tree) {
    let folder = tree.root();
    // Ours comes first: git itself refreshes the index when it is asked.
    let before = std::fs::read(tree.path(".git/index")).ok();
    let quiet = |scope| ask_at(tree, &folder, scope, &[]);
    assert!(quiet(Scope::Staged).is_ok() && quiet(Scope::Changes).is_ok());
    assert_eq!(std::fs::read(tree.path(".git/index")).ok(), before, "the index is not written");
    check_scope(tree, &folder, Scope::Staged, staged_by_git(tree, &folder));
    let ours = ask(tree, Scope::Changes);
    let (present, deleted) = changes_by_git(tree, &folder);
    assert_eq!(shown(&set(&ours.present)), shown(&present));
    assert_eq!(shown(&set(&ours.deleted)), shown(&deleted));
}

fn check_diff(tree: &Tree, from: &str, to: &str) {
    let bytes =
        git_bytes(tree, &tree.root(), &["diff", "--name-status", "-z", "--no-renames", from, to, "--"]);
    check_scope(tree, &tree.root(), Scope::Diff { from, to }, of_name_status(&tree.root(), &bytes));
}

#[test]
fn generated_repositories_have_the_scopes_that_git_reports() {
    each(32, 8..32, check_all);
}

#[test]
fn every_kind_of_change_is_seen_as_git_sees_it() {
    let tree = Tree::new(
        "mode.sh: m\ntype.txt: t\nsame.txt: s\ngone.txt: g\nrenamed.txt: some long content\ncrlf.txt: a\\r\\nb\\r\\n\nCase.txt: c",
    );
    tree.git(&["init", "--quiet", "--initial-branch=main"]);
    tree.git(&["config", "core.autocrlf", "input"]);
    tree.commit("one");
    check_all(&tree);
    assert_eq!(ask(&tree, Scope::Changes), Scoped::default(), "a clean repository has no changes");
    tree.mode("mode.sh", 0o755).remove("type.txt").link("type.txt", "same.txt");
    tree.git(&["mv", "renamed.txt", "moved.txt"]);
    tree.git(&["mv", "-f", "Case.txt", "case.txt"]);
    tree.remove("gone.txt").file("crlf.txt", "a\nb\n").mtime("crlf.txt", 1_000_000_000);
    tree.add("new dir/line\\nbreak: x\nintended.txt: i");
    tree.git(&["add", "--intent-to-add", "intended.txt"]);
    tree.bytes_at(b"\xff.bin", b"x");
    check_all(&tree);
    let changes = ask(&tree, Scope::Changes);
    assert_eq!(shown(&set(&changes.deleted)), ["Case.txt", "gone.txt", "renamed.txt"]);
    tree.git(&["add", "--all"]);
    check_all(&tree);
    tree.git(&["config", "core.fileMode", "false"]);
    tree.mode("same.txt", 0o755);
    check_all(&tree);
    tree.commit("two");
    check_diff(&tree, "HEAD~1", "HEAD");
    check_diff(&tree, "HEAD", "HEAD~1");
    tree.git(&["rm", "--quiet", "--cached", "same.txt"]);
    check_all(&tree);
}

#[test]
fn an_edit_of_the_same_size_in_the_same_moment_is_seen() {
    let tree = Tree::new("a.txt: 1");
    tree.commit("one");
    for round in 0..6 {
        tree.file("a.txt", &format!("{}", round % 2));
        tree.git(&["add", "a.txt"]);
        tree.file("a.txt", &format!("{}", 7 - round % 2));
        assert_eq!(shown(&set(&ask(&tree, Scope::Changes).present)), ["a.txt"], "round {round}");
    }
}

#[test]
fn unborn_detached_shallow_and_worktree_heads_work() {
    let tree = Tree::new("a.txt: a\nb.txt: b");
    tree.git(&["init", "--quiet", "--initial-branch=main"]);
    assert_eq!(ask(&tree, Scope::Staged), Scoped::default());
    check_all(&tree);
    tree.git(&["add", "a.txt"]);
    check_all(&tree);
    assert_eq!(shown(&set(&ask(&tree, Scope::Staged).present)), ["a.txt"]);
    tree.commit("one");
    tree.file("a.txt", "2").commit("two");
    tree.git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
    tree.file("b.txt", "changed").git(&["add", "b.txt"]);
    check_all(&tree);
    check_diff(&tree, "main", "HEAD");
    let tree = Tree::new("full/a.txt: a");
    let commit = |text: &str| {
        tree.file("full/a.txt", text);
        tree.git_in("full", &["add", "-A"]);
        tree.git_in("full", &["commit", "--quiet", "-m", text]);
    };
    tree.git_in("full", &["init", "--quiet", "--initial-branch=main"]);
    ["1", "2", "3"].into_iter().for_each(commit);
    let from = format!("file://{}", tree.path("full").display());
    tree.git(&["clone", "--quiet", "--depth=2", &from, "shallow"]);
    let shallow = tree.path("shallow");
    let diff = |from: &'static str| ask_at(&tree, &shallow, Scope::Diff { from, to: "HEAD" }, &[]);
    assert_eq!(shown(&set(&diff("HEAD~1").expect("there").present)), ["a.txt"]);
    assert_eq!(diff("HEAD~2"), Err(ScopeFault::UnknownRevision));
    tree.git_in("full", &["worktree", "add", "--quiet", "../side"]);
    tree.file("side/a.txt", "side").add("side/new.txt: n");
    check_scope(&tree, &tree.path("side"), Scope::Changes, changes_by_git(&tree, &tree.path("side")));
    assert_eq!(
        shown(&set(&ask_at(&tree, &tree.path("full"), Scope::Changes, &[]).expect("clean").present)),
        [""; 0]
    );
}

#[test]
fn sparse_checkouts_report_what_git_reports() {
    let tree = Tree::new("top.txt: x\nin/a.txt: a\nout/b.txt: b\nout/deep/c.txt: c");
    tree.commit("one");
    for flags in [
        &["set", "--cone", "in"][..],
        &["set", "--cone", "--sparse-index", "in"],
        &["set", "--no-cone", "/in/"],
    ] {
        let mut arguments = vec!["sparse-checkout"];
        arguments.extend(flags);
        tree.git(&arguments);
        tree.file("in/a.txt", "changed");
        check_all(&tree);
        tree.add("in/new.txt: n\nout/b.txt: b");
        check_all(&tree);
        tree.git(&["reset", "--quiet", "--hard"]);
        tree.git(&["clean", "-fdxq"]);
        tree.git(&["sparse-checkout", "disable"]);
    }
}

#[test]
fn both_hashes_and_split_indexes_have_the_same_scopes() {
    let tree = Tree::new("a.txt: a\nb.txt: b");
    tree.git(&["init", "--quiet", "--initial-branch=main", "--object-format=sha256"]);
    check_all(&tree);
    tree.commit("one");
    tree.git(&["config", "splitIndex.maxPercentChange", "100"]);
    tree.git(&["update-index", "--split-index"]);
    tree.file("a.txt", "x").add("c.txt: c");
    tree.git(&["add", "c.txt"]);
    check_all(&tree);
    tree.commit("two");
    check_diff(&tree, "HEAD^", "main");
}

#[test]
fn a_root_below_the_top_sees_its_own_part() {
    let tree = Tree::new("sub/a.txt: a\nb.txt: b");
    tree.commit("one");
    tree.file("sub/a.txt", "x").file("b.txt", "y").add("sub/new.txt: n");
    let ours = ask_at(&tree, &tree.path("sub"), Scope::Changes, &[]).expect("answered");
    assert_eq!(shown(&set(&ours.present)), ["a.txt", "new.txt"]);
}

#[test]
fn submodules_are_asked_each_on_its_own() {
    let tree = Tree::new("lib/l.txt: l\ntop/t.txt: t");
    for name in ["lib", "top"] {
        tree.git_in(name, &["init", "--quiet", "--initial-branch=main"]);
        tree.git_in(name, &["add", "-A"]);
        tree.git_in(name, &["commit", "--quiet", "-m", "x"]);
    }
    let from = tree.path("lib").display().to_string();
    tree.git_in("top", &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "mod"]);
    tree.git_in("top", &["commit", "--quiet", "-m", "module"]);
    tree.file("top/mod/l.txt", "changed").add("top/mod/new.txt: n\ntop/own.txt: o\ntop/stray/s.txt: s");
    tree.git_in("top/stray", &["init", "--quiet"]);
    let at = |scope, paths: &[&str]| ask_at(&tree, &tree.path("top"), scope, paths);
    let changes = at(Scope::Changes, &[]).expect("answered");
    assert_eq!(shown(&set(&changes.present)), ["mod/l.txt", "mod/new.txt", "own.txt"]);
    let narrowed = at(Scope::Changes, &["own.txt"]).expect("answered");
    assert_eq!(shown(&set(&narrowed.present)), ["own.txt"]);
    let diff = at(Scope::Diff { from: "HEAD~1", to: "HEAD" }, &[]).expect("the owner has both");
    assert_eq!(diff.without_revisions, 1);
    assert!(set(&diff.present).contains(b".gitmodules".as_slice()));
}

#[test]
fn thousands_of_files_and_a_partial_clone_are_answered() {
    let tree = Tree::new("");
    for at in 0..3_000 {
        tree.file(&format!("d{}/f{at}.txt", at % 40), "x");
    }
    tree.commit("many");
    for at in 0..200 {
        tree.file(&format!("d{}/f{at}.txt", at % 40), "yy");
    }
    check_all(&tree);
    tree.commit("more");
    check_diff(&tree, "HEAD~1", "HEAD");
    let from = format!("file://{}", tree.root().display());
    let clone = tree.scratch().join("partial");
    let clone_text = clone.display().to_string();
    tree.git(&["config", "uploadpack.allowFilter", "true"]);
    tree.git(&["clone", "--quiet", "--filter=blob:none", "--no-checkout", &from, &clone_text]);
    let diff =
        ask_at(&tree, &clone, Scope::Diff { from: "HEAD~1", to: "HEAD" }, &[]).expect("names need no blob");
    assert_eq!(diff.deleted.len(), 200, "nothing is checked out");
}

#[test]
fn a_blob_that_is_missing_is_never_fetched() {
    let tree = Tree::new("a.txt: one");
    tree.commit("one");
    tree.file("a.txt", "two").commit("two");
    tree.file("a.txt", "three");
    let fired = tree.scratch().join("fired");
    let program = tree.scratch().join("ssh");
    std::fs::write(&program, format!("#!/bin/sh\n: > '{}'\nexit 1\n", fired.display())).expect("written");
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    for (key, value) in [
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ssh://example.invalid/x"),
        ("core.sshCommand", program.to_str().expect("UTF-8")),
    ] {
        tree.git(&["config", key, value]);
    }
    for revision in ["HEAD", "HEAD~1"] {
        let id = tree.git(&["rev-parse", &format!("{revision}:a.txt")]);
        tree.remove(&format!(".git/objects/{}/{}", &id[..2], &id.trim()[2..]));
    }
    let root = tree.root();
    let plainly = std::process::Command::new("git")
        .args(["diff", "HEAD~1", "HEAD"])
        .current_dir(&root)
        .env("HOME", tree.home())
        .output()
        .expect("git starts");
    assert!(!plainly.status.success() && fired.exists(), "plain git asks the remote");
    std::fs::remove_file(&fired).expect("there");
    let diff =
        ask_at(&tree, &root, Scope::Diff { from: "HEAD~1", to: "HEAD" }, &[]).expect("names need no blob");
    assert_eq!(shown(&set(&diff.present)), ["a.txt"]);
    let _ = ask_at(&tree, &root, Scope::Staged, &[]).expect("answered");
    let changes = ask_at(&tree, &root, Scope::Changes, &[]).expect("answered");
    assert_eq!(shown(&set(&changes.present)), ["a.txt"]);
    assert!(!fired.exists());
}

#[test]
fn revisions_that_are_none_and_repositories_that_cannot_be_read_are_told_apart() {
    let tree = Tree::new("a.txt: a");
    tree.commit("one");
    tree.git(&["tag", "-a", "-m", "annotated", "v1"]);
    tree.file("a.txt", "b").commit("two");
    check_diff(&tree, "v1", "main");
    let id = tree.git(&["rev-parse", "HEAD"]);
    check_diff(&tree, "v1", id.trim());
    check_diff(&tree, "v1", &id[..7]);
    let diff = |from: &str| ask_at(&tree, &tree.root(), Scope::Diff { from, to: "HEAD" }, &[]);
    for unknown in ["absent", "HEAD~9", "HEAD^2", "0123456789012345678901234567890123456789", "deadbeef"] {
        assert_eq!(diff(unknown), Err(ScopeFault::UnknownRevision), "{unknown}");
    }
    let tree_id = tree.git(&["rev-parse", "HEAD^{tree}"]);
    assert_eq!(diff(tree_id.trim()), Err(ScopeFault::UnknownRevision), "a tree is no commit");
    for bad in ["--output=/tmp/x", "-O/tmp/x", "HEAD@{1}", "a:b", ":/x", "a b"] {
        assert_eq!(diff(bad), Err(ScopeFault::BadRevision), "{bad}");
    }
    for name in [".git/index", ".git/HEAD", ".git/packed-refs", ".git/info/exclude"] {
        let kept = std::fs::read(tree.path(name)).ok();
        if kept.is_some() {
            tree.remove(name);
        }
        tree.fifo(name);
        let fault = diff("absent").and(ask_at(&tree, &tree.root(), Scope::Changes, &[]));
        assert_eq!(fault, Err(ScopeFault::Unreadable), "{name}");
        tree.remove(name);
        if let Some(bytes) = kept {
            tree.bytes(name, &bytes);
        }
    }
    tree.git(&["config", "extensions.whatever", "1"]);
    assert_eq!(ask_at(&tree, &tree.root(), Scope::Staged, &[]), Err(ScopeFault::Extension));
}

#[test]
fn objects_are_not_borrowed_from_outside() {
    let tree = Tree::new("mine/a.txt: a\nother/b.txt: b");
    for name in ["mine", "other"] {
        tree.git_in(name, &["init", "--quiet"]);
        tree.git_in(name, &["add", "-A"]);
        tree.git_in(name, &["commit", "--quiet", "-m", "x"]);
    }
    let foreign = tree.path("other/.git/objects");
    tree.file("mine/.git/objects/info/alternates", &format!("{}\n", foreign.display()));
    assert_eq!(ask_at(&tree, &tree.path("mine"), Scope::Staged, &[]), Err(ScopeFault::Borrowed));
}
