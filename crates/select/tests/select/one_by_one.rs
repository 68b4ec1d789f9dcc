//! Asked about one file at a time, the crate answers what the whole walk answers, on trees made at random.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use select::{GitRules, Policy, Toggle, Toggles};

use crate::tree::{Tree, ignore_rules, path};

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "b.rs",
        "c.log",
        ".d",
        "build",
        "bin",
        "obj",
        "node_modules",
        ".venv",
        "target",
        "src",
        "e.",
        "Debug",
        ".bin",
        "Thumbs.db",
    ])
}

fn file() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a",
        "b.rs",
        "c.log",
        ".d",
        "package.json",
        "App.csproj",
        "pyvenv.cfg",
        "CMakeCache.txt",
        "x.dll",
        "Cargo.toml",
        "main.tf",
        "e.",
    ])
}

fn line() -> impl Strategy<Value = String> {
    let folders = prop::collection::vec(name(), 0..4);
    let rules = prop::collection::vec(
        prop::sample::select(vec![
            "*.log", "build/", "/src", "!c.log", "**/obj", "a/**", "!*.rs", "*.rs", "/*",
        ]),
        1..3,
    );
    let tail = prop_oneof![
        6 => file().prop_map(str::to_owned),
        2 => file().prop_map(|name| format!("{name} =")),
        2 => rules.prop_map(|rules| format!(".gitignore: {}", rules.join("\\n"))),
        1 => Just("link -> a".to_owned()),
        1 => Just(".gitignore |".to_owned()),
        1 => Just("hollow/".to_owned()),
    ];
    (folders, tail)
        .prop_map(|(folders, tail)| folders.iter().map(|name| format!("{name}/")).collect::<String>() + &tail)
}

fn policy() -> impl Strategy<Value = Policy> {
    let toggles = prop::collection::vec(prop::sample::select(Toggle::ALL.to_vec()), 0..4);
    let selected =
        prop::collection::vec(prop::sample::select(vec!["src", "a", "build/a", "bin", "b.rs"]), 0..3);
    (toggles, any::<bool>(), any::<bool>(), any::<bool>(), selected).prop_map(
        |(toggles, git, roots, extensions, selected)| Policy {
            git: if git { GitRules::Ignore } else { GitRules::None },
            toggles: toggles.into_iter().fold(Toggles::none(), Toggles::with),
            roots: roots.then(|| ["src", "build", "bin"].map(str::to_owned).to_vec()),
            extensions: extensions.then(|| vec![".RS".to_owned(), ".json".to_owned()]),
            selected_paths: selected.into_iter().map(path).collect(),
            ..ignore_rules()
        },
    )
}

#[test]
fn every_file_of_a_random_tree_is_judged_alike_alone_and_in_the_walk() {
    let mut runner = TestRunner::deterministic();
    let mut selected = 0;
    for _ in 0..25 {
        let lines = prop::collection::vec(line(), 1..30).new_tree(&mut runner).unwrap().current();
        let tree = Tree::new("");
        for line in lines {
            tree.add_if_free(&line);
        }
        for _ in 0..4 {
            let policy = policy().new_tree(&mut runner).unwrap().current();
            selected += tree.select(&policy).files.len();
        }
    }
    assert!(selected > 60, "only {selected} files were ever selected");
}
