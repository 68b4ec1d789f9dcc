//! What is seen without further words, and how a request narrows it.

use serde_json::json;
use testkit::Tree;

use super::{payload, serve, serve_with, shown, trailers};

const MIXED: &str = "
    .env.example: A=1
    .github/ci.yml: on
    Dockerfile: FROM x
    LICENSE: text
    pkg/__init__.py:
    src/a.rs: a
    void/
";

#[test]
fn the_baseline_sees_dot_files_extensionless_and_empty_files() {
    let tree = Tree::new(MIXED);
    let mut session = serve(&tree);
    let text = shown(&mut session, json!({}));
    for name in [".env.example", "ci.yml", "Dockerfile", "LICENSE", "__init__.py", "a.rs"] {
        assert!(text.contains(name), "{name} in {text}");
    }
    assert!(!text.contains("void"), "an empty folder is hidden");
}

#[test]
fn the_standard_profile_hides_dot_empty_and_extensionless_files() {
    let tree = Tree::new(MIXED);
    let mut session = serve(&tree);
    let pack = payload(
        &session.call("pack_context", json!({ "profile": "standard", "view": "tree", "format": "text" })),
    );
    assert_eq!(pack.split_once('\n').map(|(_, rest)| rest), Some("└── src\n    └── a.rs"));
}

#[test]
fn a_build_folder_needs_evidence_to_be_hidden() {
    let tree = Tree::new(
        "Cargo.toml: [package]\nsrc/target/mod.rs: source\ntarget/debug/x.txt: artefact\ntarget/CACHEDIR.TAG: x\nbuild/notes.md: source",
    );
    let mut session = serve(&tree);
    let text = shown(&mut session, json!({}));
    assert!(text.contains("mod.rs") && text.contains("notes.md") && !text.contains("x.txt"), "{text}");
}

#[test]
fn nested_ignore_files_and_negations_work_as_in_git() {
    let tree = Tree::new(
        "
        .gitignore: *.log\\n!keep.log\\n/out/\\n!out/never.txt
        a.log: x
        keep.log: x
        out/never.txt: x
        sub/.gitignore: !b.log\\nlocal.txt
        sub/b.log: x
        sub/local.txt: x
        local.txt: x
    ",
    );
    let mut session = serve(&tree);
    assert_eq!(
        shown(&mut session, json!({})),
        "├── sub\n│   ├── .gitignore\n│   └── b.log\n├── .gitignore\n├── keep.log\n└── local.txt"
    );
    let mut open = serve_with(&tree, &["--git-mode", "none"]);
    assert!(shown(&mut open, json!({})).contains("a.log"));
}

#[test]
fn rules_above_the_root_and_info_exclude_hold() {
    let outer =
        Tree::new(".gitignore: *.tmp\ninner/a.tmp: x\ninner/b.txt: x\ninner/c.bak: x\ninner/d.txt: x");
    outer.git(&["init", "--quiet"]);
    outer.file(".git/info/exclude", "*.bak\n/inner/d.txt\n");
    let root = outer.path("inner");
    let client = testkit::Client::start(
        std::path::Path::new(super::BINARY),
        &["mcp", "--root", root.to_str().expect("UTF-8")],
        &outer.home(),
    );
    let mut session = testkit::Session::open(client, testkit::Era::Modern);
    assert_eq!(shown(&mut session, json!({})), "└── b.txt");
}

#[test]
fn an_ignore_file_that_cannot_be_applied_hides_its_folder_and_is_counted() {
    let tree = Tree::new("a.txt: x\nsub/b.txt: x");
    tree.fifo("sub/.gitignore");
    let mut session = serve(&tree);
    let answer = session.call("get_tree", json!({ "format": "text" }));
    assert!(!payload(&answer).contains("b.txt"));
    let last = trailers(&answer).pop().expect("a warning");
    assert!(last.starts_with("[Warning DPX-PROJECT-PARTIAL-ACCESS] "), "{last}");
    assert!(!last.contains("sub"), "warnings name no path");
}

#[test]
fn git_itself_is_hidden_and_its_neighbours_are_not() {
    let tree = Tree::new(".gitattributes: x\n.github/a.yml: x\nsub/.git/HEAD: x\nsub/c.txt: x");
    tree.file(".git-owned", "x");
    let mut session = serve(&tree);
    let text = shown(&mut session, json!({}));
    assert!(
        !text.contains("HEAD") && text.contains(".gitattributes") && text.contains(".git-owned"),
        "{text}"
    );
    assert!(text.contains("c.txt"));
}

#[test]
fn globs_are_anchored_and_exclude_beats_include() {
    let tree = Tree::new("a.rs: x\nsrc/b.rs: x\nsrc/deep/c.rs: x\nsrc/d.md: x");
    let mut session = serve(&tree);
    let mut files = |include: &[&str], exclude: &[&str]| {
        let answer =
            session.call("analyze", json!({ "include_patterns": include, "exclude_patterns": exclude }));
        answer.structured()["files"].as_u64().expect("a number")
    };
    assert_eq!(files(&["*.rs"], &[]), 1);
    assert_eq!(files(&["**/*.rs"], &[]), 3);
    assert_eq!(files(&["src/*.{rs,md}"], &[]), 2);
    assert_eq!(files(&["**/*.rs"], &["src/**"]), 1);
    assert_eq!(files(&["src"], &[]), 0, "a folder's own name selects nothing");
}

#[test]
fn paths_to_filtered_files_select_nothing_and_missing_ones_fail() {
    let tree = Tree::new(".gitignore: b.txt\na.txt: x\nb.txt: x\nsub/c.txt: x");
    let mut session = serve(&tree);
    let mut files =
        |paths: &[&str]| session.call("analyze", json!({ "paths": paths })).structured()["files"].clone();
    assert_eq!(files(&["b.txt"]), json!(0));
    assert_eq!(files(&["sub", "./sub/", "sub/c.txt"]), json!(1));
    assert_eq!(files(&[]), json!(3), "an empty list is as absent");
    assert_eq!(session.call("analyze", json!({ "paths": ["nope"] })).code(), "DPX-MCP-PATH-NOT-FOUND");
    assert_eq!(
        session.call("analyze", json!({ "paths": "sub" })).structured()["files"],
        json!(1),
        "a lone string is a list of one"
    );
}

#[test]
fn max_file_bytes_keeps_a_file_exactly_at_the_limit() {
    let tree = Tree::new("four.txt: 1234\nfive.txt: 12345");
    let mut session = serve(&tree);
    assert_eq!(shown(&mut session, json!({ "max_file_bytes": 4 })), "└── four.txt");
    assert!(shown(&mut session, json!({ "max_file_bytes": "5" })).contains("five.txt"));
}

#[test]
fn git_arguments_are_refused_outside_of_a_repository_and_never_give_a_wrong_list() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    let answer = session.call("get_tree", json!({ "tracked_only": true, "git_scope": "staged" }));
    assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS");
    assert!(answer.text().contains("tracked_only") && answer.text().contains("git_scope"));
    tree.git(&["init", "--quiet"]);
    let nothing = session.call("analyze", json!({ "tracked_only": true }));
    assert_eq!(nothing.structured()["files"], json!(0), "an empty index tracks nothing");
    tree.file(".git/index", "damaged");
    for (arguments, inner) in [
        (json!({ "tracked_only": true }), "DPX-GIT-TRACKED-INDEX-UNAVAILABLE"),
        (json!({ "git_scope": "changes" }), "DPX-GIT-STATE-UNAVAILABLE"),
    ] {
        let answer = session.call("analyze", arguments);
        assert_eq!(answer.code(), "DPX-MCP-PROJECT-UNAVAILABLE");
        assert!(answer.text().contains(inner));
    }
}

#[test]
fn a_project_that_is_ignored_whole_says_so() {
    let tree = Tree::new(".gitignore: /*\na.txt: x");
    let mut session = serve(&tree);
    let answer = session.call("get_tree", json!({}));
    let last = trailers(&answer).pop().expect("a warning");
    assert!(last.starts_with("[Warning DPX-PROJECT-SELECTION-WARNING] "), "{last}");
}

#[test]
fn portable_profiles_select_reduce_and_report_missing_paths_by_count() {
    let tree = Tree::new("src/a.rs: x\nsrc/b.md: y\ndocs/c.md: z\nMakefile: m");
    tree.file("p.json", r#"{ // comment
        "schemaVersion": 1, "kind": "devprojex-profile",
        "selection": { "gitMode": "none", "extensions": [".MD"], "roots": ["src", "docs"],
                       "selectedPaths": ["src", "gone-away"], "stripComments": true, "hideSecrets": false } }"#);
    let mut session = serve(&tree);
    let answer =
        session.call("pack_context", json!({ "profile": "p.json", "view": "tree", "format": "xml" }));
    let document = payload(&answer);
    assert!(
        document.contains("b.md") && !document.contains("a.rs") && !document.contains("c.md"),
        "{document}"
    );
    assert!(!answer.all_text().contains("gone-away"));
    assert!(trailers(&answer).iter().any(|line| line.starts_with("[Warning DPX-SELECTION-PATH-MISSING] 1 ")));
    let answer = session.call("analyze", json!({ "profile": "p.json" }));
    assert_eq!(answer.structured()["detail"], json!("compact"));
    assert_eq!(answer.structured()["warnings"][0]["code"], json!("DPX-SELECTION-PATH-MISSING"));
    for (profile, word) in [
        ("nope.json", "standard"),
        ("src", "directory"),
        ("Makefile", "JSON"),
        ("local", "readroom profile save"),
    ] {
        let answer = session.call("analyze", json!({ "profile": profile }));
        assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS", "{profile}");
        assert!(answer.text().contains(word), "{}", answer.text());
    }
    assert_eq!(session.call("analyze", json!({ "profile": "../p.json" })).code(), "DPX-MCP-ROOT-VIOLATION");
}

#[test]
fn a_pack_names_the_selected_paths_of_its_profile_that_exist_however_it_is_narrowed() {
    let tree = Tree::new("src/a.rs: x\nsrc/b.rs: y\ndocs/c.md: z");
    let profile = r#"{"schemaVersion": 1, "selection": {"gitMode": "none", "selectedPaths": ["docs", "src/a.rs", "gone"]}}"#;
    tree.file("p.json", profile);
    let mut session = serve(&tree);
    for narrowing in [json!({}), json!({ "paths": ["src"] }), json!({ "include_patterns": ["nothing"] })] {
        let mut arguments = narrowing.clone();
        arguments["profile"] = json!("p.json");
        arguments["format"] = json!("json");
        let pack = payload(&session.call("pack_context", arguments));
        let pack: serde_json::Value = serde_json::from_str(&pack).expect("JSON");
        assert_eq!(pack["selection"]["selectedPaths"], json!(["docs", "src/a.rs"]), "{narrowing}");
    }
}

#[test]
fn a_profile_whose_selected_path_leads_out_through_a_link_is_refused() {
    let tree = Tree::new("a.txt: x\ninside -> a.txt\nout -> /etc");
    let profile = |path: &str| {
        format!(r#"{{"schemaVersion": 1, "selection": {{"gitMode": "none", "selectedPaths": ["{path}"]}}}}"#)
    };
    tree.file("out.json", &profile("out/passwd")).file("in.json", &profile("inside"));
    let mut session = serve(&tree);
    let answer = session.call("analyze", json!({ "profile": "out.json" }));
    assert_eq!(answer.code(), "DPX-MCP-INVALID-ARGUMENTS");
    assert!(answer.text().contains("selectedPaths"), "{}", answer.text());
    let answer = session.call("analyze", json!({ "profile": "in.json" }));
    assert_eq!(answer.structured()["warnings"][0]["code"], json!("DPX-SELECTION-PATH-MISSING"));
}
