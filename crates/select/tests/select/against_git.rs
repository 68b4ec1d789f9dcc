//! Ignore rules give exactly the files that the installed git gives.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use select::{Policy, RepoRules};

use crate::tree::{Tree, files, ignore_rules};

/// Small projects of one random run.
const CASES: usize = 300;
/// Random runs.
const RUNS: usize = 1;

/// What git lists, without its own folder, one a line and sorted.
fn git_files(tree: &Tree) -> String {
    let listed = tree.git(&["ls-files", "-co", "--exclude-standard", "-z"]);
    let mut names: Vec<&[u8]> = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    names.iter().map(|name| format!("{}\n", disk::RelPath::from_bytes(name).unwrap().to_address())).collect()
}

fn init(tree: &Tree, ignore_case: bool) {
    tree.git(&["init", "-q", "."]);
    tree.git(&["config", "core.ignoreCase", if ignore_case { "true" } else { "false" }]);
}

fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => prop::sample::select(vec!["a", "b", "ab", "A", "c"]),
        4 => prop::sample::select(vec!["*", "**", "/", "/**/", "?", "**/", "/**", "*/"]),
        1 => prop::sample::select(vec![
            "[ab]", "[!a]", "[^b]", "[A-B]", "[[:alpha:]]", "[[:upper:]]", "[]-]", "[a-", "[\\]a]", "\\", "\\a", "\\A", "\\/", "\\*",
            " ", "\\ ", "!", "#", "-", "***", "\t", "\r", ".", "é", "[[:nope:]]", "[/]", "[a-c]",
        ]),
    ];
    let negation = prop_oneof![3 => Just(""), 1 => Just("!"), 1 => Just("/")];
    (negation, prop::collection::vec(piece, 1..6))
        .prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
}

fn rules() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..6).prop_map(|lines| lines.join("\n"))
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a", "b", "ab", "A", "aB", "c", "a b", "-", "é", "]", "*", "ba", "\\", "a]b"])
}

fn paths() -> impl Strategy<Value = Vec<String>> {
    let path = prop::collection::vec(name(), 1..5).prop_map(|names| names.join("/"));
    prop::collection::vec(path, 1..20)
}

/// Makes the files below a folder, leaving out those that lie below another file.
fn make(tree: &Tree, folder: &str, paths: &[String]) {
    for path in paths {
        let path = format!("{folder}/{path}");
        let place = tree.path().join(&path);
        let above_is_folder = place.parent().is_some_and(|above| std::fs::create_dir_all(above).is_ok());
        if above_is_folder && !place.exists() {
            tree.write(&path, "x");
        }
    }
}

/// The lines of each case, by its folder.
fn by_folder(lines: &str) -> HashMap<&str, Vec<&str>> {
    let mut cases: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in lines.lines() {
        let (folder, rest) = line.split_once('/').unwrap();
        cases.entry(folder).or_default().push(rest);
    }
    cases
}

/// Many small projects side by side in one repository, each with rules of its own, judged by one git.
fn random_rules_hide_what_git_hides(ignore_case: bool) {
    let mut runner = TestRunner::deterministic();
    let mut sample = || (paths(), rules(), rules()).new_tree(&mut runner).unwrap().current();
    for _ in 0..RUNS {
        let tree = Tree::new("");
        init(&tree, ignore_case);
        let mut cases = Vec::new();
        for number in 0..CASES {
            let (paths, top, nested) = sample();
            let folder = number.to_string();
            make(&tree, &folder, &paths);
            tree.write(&format!("{folder}/.gitignore"), &top);
            if tree.path().join(&folder).join("a").is_dir() {
                tree.write(&format!("{folder}/a/.gitignore"), &nested);
            }
            cases.push((folder, top, nested));
        }
        let repository = Some(RepoRules { ignore_case, ..RepoRules::default() });
        let policy = Policy { repository, ..ignore_rules() };
        let (ours, theirs) = (files(&tree.narrowed(&policy, &Default::default())), git_files(&tree));
        let (ours, theirs) = (by_folder(&ours), by_folder(&theirs));
        for (folder, top, nested) in &cases {
            let (ours, theirs) = (ours.get(folder.as_str()), theirs.get(folder.as_str()));
            assert_eq!(ours, theirs, "ours and git's\ntop:\n{top:?}\nin a:\n{nested:?}");
        }
    }
}

#[test]
fn random_rules_hide_exactly_what_git_hides() {
    random_rules_hide_what_git_hides(false);
}

#[test]
fn random_rules_hide_exactly_what_git_hides_when_case_is_ignored() {
    random_rules_hide_what_git_hides(true);
}
