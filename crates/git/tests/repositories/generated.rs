//! Generated repositories: whatever a few random git commands leave behind, our lists are git's.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use testkit::Tree;

use super::{check_tracked, git_bytes, place};

/// Names that collide, nest and need quoting.
const NAMES: &[&[u8]] = &[
    b"a",
    b"A",
    b"a.txt",
    b"dir/a",
    b"dir/b.rs",
    b"dir-x/c",
    b"dir/deep/d",
    b"new\nline",
    b"\xff\xfe",
    b" lead",
    b"tab\there",
    b"quote\"x",
    b"-dash",
    b"z/\xc3\xa9.md",
];

/// One step of a generated history.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Write(usize, u8),
    Executable(usize),
    Link(usize),
    Remove(usize),
    Add(usize),
    AddAll,
    Intend(usize),
    Uncache(usize),
    Commit,
    Skip(usize),
    Version(u8),
    Split(bool),
    Ignore(u8),
}

pub(crate) fn act() -> impl Strategy<Value = Act> {
    let name = 0..NAMES.len();
    prop_oneof![
        6 => (name.clone(), any::<u8>()).prop_map(|(at, byte)| Act::Write(at, byte)),
        1 => name.clone().prop_map(Act::Executable),
        1 => name.clone().prop_map(Act::Link),
        2 => name.clone().prop_map(Act::Remove),
        3 => name.clone().prop_map(Act::Add),
        2 => Just(Act::AddAll),
        1 => name.clone().prop_map(Act::Intend),
        1 => name.clone().prop_map(Act::Uncache),
        2 => Just(Act::Commit),
        1 => name.prop_map(Act::Skip),
        1 => (2..=4_u8).prop_map(Act::Version),
        1 => any::<bool>().prop_map(Act::Split),
        1 => (0..4_u8).prop_map(Act::Ignore),
    ]
}

/// Runs git; what it says about an act that is not possible now does not matter.
fn try_git(tree: &Tree, arguments: &[&std::ffi::OsStr]) {
    let done = std::process::Command::new("git")
        .current_dir(tree.root())
        .envs([
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_AUTHOR_NAME", "T"),
            ("GIT_AUTHOR_EMAIL", "t@example.invalid"),
            ("GIT_COMMITTER_NAME", "T"),
            ("GIT_COMMITTER_EMAIL", "t@example.invalid"),
            ("GIT_LITERAL_PATHSPECS", "1"),
        ])
        .env("HOME", tree.home())
        .args(arguments)
        .output();
    assert!(done.is_ok(), "git is installed");
}

impl Act {
    pub(crate) fn run(&self, tree: &Tree) {
        use std::os::unix::ffi::OsStrExt as _;
        let os = std::ffi::OsStr::from_bytes;
        let name = |at: &usize| NAMES[*at];
        let on = |words: &[&str], at: &usize| {
            let mut all: Vec<&std::ffi::OsStr> = words.iter().map(|word| os(word.as_bytes())).collect();
            all.extend([os(b"--"), os(name(at))]);
            try_git(tree, &all);
        };
        let path = |at: &usize| place(&tree.root(), name(at));
        match self {
            Act::Write(at, byte) => {
                let path = path(at);
                if let Some(parent) = path.parent() {
                    let _ = std::fs::create_dir_all(parent);
                }
                let _ = std::fs::remove_file(&path);
                let _ = std::fs::write(path, [*byte]);
            }
            Act::Executable(at) => {
                use std::os::unix::fs::PermissionsExt as _;
                if path(at).is_file() {
                    let _ = std::fs::set_permissions(path(at), std::fs::Permissions::from_mode(0o755));
                }
            }
            Act::Link(at) => {
                let _ = std::fs::remove_file(path(at));
                let _ = std::os::unix::fs::symlink("a", path(at));
            }
            Act::Remove(at) => {
                let _ = std::fs::remove_file(path(at));
            }
            Act::Add(at) => on(&["add"], at),
            Act::AddAll => try_git(tree, &[os(b"add"), os(b"-A")]),
            Act::Intend(at) => on(&["add", "-N"], at),
            Act::Uncache(at) => on(&["rm", "--cached", "-q"], at),
            Act::Commit => {
                try_git(tree, &[os(b"commit"), os(b"-q"), os(b"--allow-empty"), os(b"-m"), os(b"x")])
            }
            Act::Skip(at) => on(&["update-index", "--skip-worktree"], at),
            Act::Version(version) => {
                try_git(
                    tree,
                    &[os(b"update-index"), os(b"--index-version"), os(version.to_string().as_bytes())],
                );
            }
            Act::Split(on) => {
                let flag: &[u8] = if *on { b"--split-index" } else { b"--no-split-index" };
                try_git(tree, &[os(b"update-index"), os(flag)]);
            }
            Act::Ignore(which) => {
                let rules: &[u8] = [&b"*.rs\n"[..], b"dir/\n!dir/a\n", b"", b"a\n/z\n"][usize::from(*which)];
                let _ = std::fs::write(tree.path(".gitignore"), rules);
            }
        }
    }
}

/// Runs `check` on generated repositories, the same ones each time.
pub(crate) fn each(cases: u32, acts: std::ops::Range<usize>, check: impl Fn(&Tree)) {
    let config = Config { cases, max_shrink_iters: 40, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = (any::<bool>(), proptest::collection::vec(act(), acts));
    let result = runner.run(&strategy, |(is_sha256, acts)| {
        let tree = Tree::new("");
        let format = if is_sha256 { "--object-format=sha256" } else { "--object-format=sha1" };
        git_bytes(&tree, &tree.root(), &["init", "--quiet", "--initial-branch=main", format]);
        for act in &acts {
            act.run(&tree);
        }
        check(&tree);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn tracked_lists_equal_those_of_git() {
    each(40, 8..40, |tree| check_tracked(tree, &tree.root()));
}
