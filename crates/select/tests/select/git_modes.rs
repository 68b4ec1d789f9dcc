//! The Git modes: ignore rules on a tree, repositories inside repositories, tracked files (spec `project.md` 7).

use std::collections::HashMap;
use std::sync::Arc;

use disk::{RelPath, Root};
use select::{GitRules, Nested, PathSet, Policy, RepoRules, Repositories, Toggle, Toggles};

use crate::tree::{Tree, files, folders, ignore_rules, nothing, path};

#[test]
fn nested_ignore_files_override_and_negate_outer_ones() {
    let tree = Tree::new(
        ".gitignore: *.log\\n/top\\n
        a.log
        top
        sub/.gitignore: !keep.log\\nown\\n
        sub/keep.log
        sub/lose.log
        sub/own
        sub/top
        sub/deep/keep.log",
    );
    let seen = ".gitignore\nsub/.gitignore\nsub/deep/keep.log\nsub/keep.log\nsub/top\n";
    assert_eq!(tree.files(&ignore_rules()), seen);
}

#[test]
fn nothing_below_an_ignored_folder_is_re_included() {
    let tree = Tree::new(
        ".gitignore: build/\\n!build/keep\\nout/*\\n!out/keep\\n
        build/keep
        build/.gitignore: !keep\\n
        out/keep
        out/lose",
    );
    assert_eq!(tree.files(&ignore_rules()), ".gitignore\nout/keep\n");
}

#[test]
fn ignore_files_work_in_a_folder_that_is_no_repository() {
    let tree = Tree::new(".gitignore: *.o\\n[[:digit:]]x\\n\na.o\n1x\nb.c");
    assert_eq!(tree.files(&Policy { repository: None, ..ignore_rules() }), ".gitignore\nb.c\n");
}

#[test]
fn a_byte_order_mark_and_crlf_do_not_disturb_the_rules() {
    let tree = Tree::new("a.o\nb.c");
    tree.write(".gitignore", "\u{feff}*.o\r\n");
    assert_eq!(tree.files(&ignore_rules()), ".gitignore\nb.c\n");
}

#[test]
fn the_exclude_file_applies_with_the_lowest_precedence() {
    let tree = Tree::new(".gitignore: !a.tmp\\n\na.tmp\nb.tmp\nc/a.tmp");
    let rules = RepoRules { exclude: Some(b"*.tmp\n".to_vec()), ..RepoRules::default() };
    let policy = Policy { repository: Some(rules), ..ignore_rules() };
    assert_eq!(tree.files(&policy), ".gitignore\na.tmp\nc/a.tmp\n");
}

#[test]
fn rules_above_the_root_apply_when_the_root_lies_below_the_repository() {
    let tree = Tree::new("y.log\nkeep.log\nb/only\n.gitignore: !nested.log\\n\nnested.log");
    let rules = RepoRules {
        prefix: path("pkg/app"),
        ancestors: vec![
            (RelPath::root(), b"*.log\n/pkg/app/b/\n".to_vec()),
            (path("pkg"), b"!keep.log\n".to_vec()),
        ],
        ..RepoRules::default()
    };
    let policy = Policy { repository: Some(rules), ..ignore_rules() };
    assert_eq!(tree.files(&policy), ".gitignore\nkeep.log\nnested.log\n");
}

#[test]
fn a_root_that_its_repository_ignores_is_empty_and_says_so() {
    let tree = Tree::new("a\nb/c");
    let rules = RepoRules {
        prefix: path("out"),
        ancestors: vec![(RelPath::root(), b"out/\n".to_vec())],
        ..RepoRules::default()
    };
    let selection = tree.select(&Policy { repository: Some(rules), ..ignore_rules() });
    assert!(selection.files.is_empty() && selection.everything_ignored && !selection.partial.is_partial());
}

#[test]
fn case_follows_the_repository() {
    let tree = Tree::new(".gitignore: *.LOG\\n\na.log");
    assert_eq!(tree.files(&ignore_rules()), ".gitignore\na.log\n");
    let rules = RepoRules { ignore_case: true, ..RepoRules::default() };
    assert_eq!(tree.files(&Policy { repository: Some(rules), ..ignore_rules() }), ".gitignore\n");
}

#[test]
fn without_git_rules_ignore_files_are_ordinary_files() {
    let tree = Tree::new(".gitignore: *\\n\na");
    assert_eq!(tree.files(&nothing()), ".gitignore\na\n");
}

#[test]
fn a_folder_whose_entire_content_is_ignored_is_hidden_even_when_empty_folders_are_shown() {
    let tree = Tree::new(
        ".gitignore: *.o\\nlost/\\n\nall/a.o\nall/deep/b.o\nall/deep/lost/c\nempty/\nmixed/a.o\nmixed/hollow/\nsome/a.o\nsome/b.c",
    );
    let selection = tree.select(&ignore_rules());
    assert_eq!(files(&selection), ".gitignore\nsome/b.c\n");
    assert_eq!(folders(&selection), "empty\nmixed\nmixed/hollow\nsome\n");
}

#[test]
fn a_project_that_its_ignore_file_hides_whole_is_reported() {
    let whole = Tree::new(".gitignore: *.o\\n/*\\n\na.c\nsrc/b.c");
    assert!(whole.select(&ignore_rules()).everything_ignored);
    assert!(!whole.select(&nothing()).everything_ignored);
    let partly = Tree::new(".gitignore: /*\\n!/src\\n\na.c\nsrc/b.c");
    assert!(!partly.select(&ignore_rules()).everything_ignored);
    assert!(!Tree::new("").select(&ignore_rules()).everything_ignored);
    // A toggle that hides what git leaves is no fault of the ignore rules.
    let toggled = Tree::new(".gitignore: *.c\\n\na.c");
    let policy = Policy { toggles: Toggles::standard(), ..ignore_rules() };
    assert!(toggled.select(&policy).files.is_empty() && !toggled.select(&policy).everything_ignored);
}

#[test]
fn an_ignore_file_that_is_a_pipe_or_a_link_hides_its_folder_and_counts_as_partial_access() {
    let tree = Tree::new(
        "a/.gitignore |\na/x\na/b/y\nc/.gitignore -> ../d\nc/z\nd: z\\n\ne/.gitignore -> nowhere\ne/f",
    );
    for toggles in [Toggles::none(), Toggles::baseline()] {
        let selection = tree.select(&Policy { toggles, ..ignore_rules() });
        assert_eq!(files(&selection), "d\n");
        assert_eq!(folders(&selection), "");
        assert_eq!(selection.partial.ignore_files, 3);
        assert!(selection.partial.is_partial() && !selection.everything_ignored);
    }
    let selection = tree.select(&nothing());
    assert_eq!(selection.partial.ignore_files, 0);
    assert_eq!(files(&selection), "a/.gitignore\na/b/y\na/x\nc/z\nd\ne/f\n");
}

#[test]
fn a_folder_named_gitignore_is_an_ordinary_folder() {
    let tree = Tree::new(".gitignore/a\nb");
    assert_eq!(tree.files(&ignore_rules()), ".gitignore/a\nb\n");
}

#[test]
fn an_ignore_file_over_a_cap_hides_its_folder() {
    let tree = Tree::new("ok/a\nlong/a\nmany/a\nbig/a");
    tree.write("ok/.gitignore", vec![b'#'; 256 * 1024]);
    tree.write("big/.gitignore", vec![b'#'; 256 * 1024 + 1]);
    tree.write("long/.gitignore", "x".repeat(1_025));
    tree.write("many/.gitignore", "x\n".repeat(10_001));
    let selection = tree.select(&ignore_rules());
    assert_eq!(files(&selection), "ok/.gitignore\nok/a\n");
    assert_eq!(selection.partial.ignore_files, 3);
}

#[test]
fn an_ignore_file_of_25_mb_at_the_root_hides_the_project() {
    let tree = Tree::new("a\nb/c");
    tree.write(".gitignore", "pattern/number/x*y\n".repeat(1_300_000));
    let selection = tree.select(&ignore_rules());
    assert!(selection.files.is_empty() && selection.folders.is_empty() && !selection.everything_ignored);
    assert_eq!(selection.partial.ignore_files, 1);
}

#[test]
fn ignore_files_beyond_the_sum_of_a_call_hide_their_folders() {
    let tree = Tree::new("");
    for number in 0..9 {
        tree.write(&format!("{number}/.gitignore"), vec![b'#'; 256 * 1024]);
        tree.write(&format!("{number}/a"), "x");
    }
    let selection = tree.narrowed(&ignore_rules(), &Default::default());
    assert_eq!(selection.partial.ignore_files, 1);
    assert!(selection.files.iter().all(|file| !file.path.starts_with(&path("8"))));
    assert_eq!(selection.files.len(), 16);
}

/// Knows what each folder is.
struct Known(HashMap<&'static str, Nested>);

impl Repositories for Known {
    fn at(&self, _root: &Root, owner: Option<&RelPath>, dir: &RelPath) -> Nested {
        let dir = dir.as_str().unwrap();
        assert_eq!(owner.is_some_and(RelPath::is_root), !dir.starts_with("free"), "owner of {dir}");
        self.0.get(dir).cloned().unwrap_or(Nested::NotARepository)
    }
}

fn with_nested(policy: Policy, known: &[(&'static str, Nested)]) -> Policy {
    Policy { nested: Arc::new(Known(known.iter().cloned().collect())), ..policy }
}

fn excluding(rule: &str) -> RepoRules {
    RepoRules { exclude: Some(rule.as_bytes().to_vec()), ..RepoRules::default() }
}

#[test]
fn below_a_repository_undeclared_ones_are_opaque_and_declared_ones_follow_their_own_rules() {
    let tree = Tree::new(
        ".gitignore: *.x\\n\na.x\nopaque/.git/HEAD\nopaque/a\nsub/.git: gitdir\\n\nsub/a.x\nsub/b.y\nsub/.gitignore: *.z\\n\nsub/c.z\nsub/deep/d.x\nplain/.git/x\nplain/a\nplain/a.x",
    );
    let known =
        [("opaque", Nested::Undeclared(RepoRules::default())), ("sub", Nested::Declared(excluding("*.y\n")))];
    let policy = with_nested(ignore_rules(), &known);
    let seen = ".gitignore\nplain/a\nsub/.gitignore\nsub/a.x\nsub/deep/d.x\n";
    assert_eq!(tree.files(&policy), seen);
    assert_eq!(tree.folders(&policy), "plain\nsub\nsub/deep\n");
    let entered = tree.files(&with_nested(nothing(), &known));
    assert!(entered.contains("opaque/a\n"), "without a Git mode they are ordinary folders");
}

#[test]
fn below_a_root_that_is_no_repository_nested_ones_are_entered_and_follow_their_own_rules() {
    let tree = Tree::new(
        ".gitignore: *.x\\n\na.x\nfree/.git/HEAD\nfree/a.x\nfree/b.y\nfree/in/.git/HEAD\nfree/in/c\nfree2/.git/HEAD\nfree2/d.y",
    );
    let known = [
        ("free", Nested::Undeclared(excluding("*.y\n"))),
        ("free/in", Nested::Undeclared(RepoRules::default())),
        ("free2", Nested::Undeclared(RepoRules::default())),
    ];
    let policy = with_nested(Policy { repository: None, ..ignore_rules() }, &known);
    assert_eq!(tree.files(&policy), ".gitignore\nfree/a.x\nfree2/d.y\n");
}

#[test]
fn a_repository_whose_rules_could_not_be_read_is_hidden_and_counted() {
    let tree = Tree::new("a\nsub/.git: x\nsub/b");
    let lost = RepoRules { unreadable: 2, ..RepoRules::default() };
    let policy = with_nested(ignore_rules(), &[("sub", Nested::Declared(lost.clone()))]);
    let selection = tree.select(&policy);
    assert_eq!((files(&selection).as_str(), selection.partial.ignore_files), ("a\n", 2));
    let selection = tree.select(&Policy { repository: Some(lost), ..ignore_rules() });
    assert_eq!((files(&selection).as_str(), selection.partial.ignore_files), ("", 2));
}

fn tracked(paths: &[&str]) -> Policy {
    let files: PathSet = paths.iter().map(|text| path(text)).collect();
    Policy { git: GitRules::Tracked(Arc::new(files)), ..ignore_rules() }
}

#[test]
fn tracked_mode_shows_the_index_and_nothing_else_whatever_the_ignore_rules_say() {
    let tree = Tree::new(".gitignore: *.o\\n\na.o\nsrc/b.c\nsrc/untracked\nother/x\nempty/");
    let policy = tracked(&["a.o", "src/b.c", "src/gone.c", "dir/gone", "other"]);
    assert_eq!(tree.files(&policy), "a.o\nsrc/b.c\n");
    assert_eq!(tree.folders(&policy), "src\n");
    assert_eq!(tree.files(&tracked(&[])), "");
    assert!(!tree.select(&tracked(&[])).everything_ignored);
}

#[test]
fn tracked_mode_keeps_the_toggles_and_does_not_read_ignore_files() {
    let tree = Tree::new(".gitignore |\n.env\na.c\nlost/b.c");
    let policy = Policy { toggles: Toggles::none().with(Toggle::DotFiles), ..tracked(&[".env", "a.c"]) };
    let selection = tree.select(&policy);
    assert_eq!((files(&selection).as_str(), selection.partial.is_partial()), ("a.c\n", false));
}

#[test]
fn undeclared_repositories_are_opaque_in_tracked_mode_too() {
    let tree = Tree::new("a\nnest/.git/HEAD\nnest/b\nsub/.git: x\nsub/c");
    let known =
        [("nest", Nested::Undeclared(RepoRules::default())), ("sub", Nested::Declared(RepoRules::default()))];
    let policy = with_nested(tracked(&["a", "nest/b", "sub/c"]), &known);
    assert_eq!(tree.files(&policy), "a\nsub/c\n");
}
