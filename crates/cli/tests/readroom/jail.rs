//! Nothing outside of a root comes out, whatever lies in it and whatever is asked.

use serde_json::json;
use testkit::Tree;

use super::{payload, serve, shown, trailers};

#[test]
fn paths_that_leave_the_root_are_refused_without_a_word_about_what_is_there() {
    let tree = Tree::new("a.txt: inside");
    std::fs::create_dir(tree.scratch().join("project-evil")).expect("sibling");
    std::fs::write(tree.scratch().join("project-evil/s.txt"), "CANARY").expect("sibling file");
    let outside = tree.scratch().join("project-evil/s.txt");
    let mut session = serve(&tree);
    for path in [
        "../project-evil/s.txt",
        "./..//project-evil/s.txt",
        "a/../../x",
        outside.to_str().expect("UTF-8"),
        "/etc/passwd",
        "//etc/passwd",
    ] {
        let answer = session.call("get_file", json!({ "path": path }));
        assert_eq!(answer.code(), "DPX-MCP-ROOT-VIOLATION", "{path}: {}", answer.text());
        assert!(!answer.text().contains("CANARY"));
        let answer = session.call("pack_context", json!({ "paths": [path] }));
        assert_eq!(answer.code(), "DPX-MCP-ROOT-VIOLATION", "{path}");
    }
    assert_eq!(payload(&session.call("get_file", json!({ "path": tree.path("a.txt") }))), "inside");
}

#[test]
fn links_are_never_listed_packed_or_searched() {
    let tree = Tree::new("a.txt: inside\nreal/b.txt: needle\nalias -> real\nfile -> real/b.txt");
    std::fs::write(tree.scratch().join("secret"), "needle CANARY").expect("outside");
    tree.link("out", tree.scratch().join("secret"));
    tree.link("outdir", tree.scratch());
    tree.link("proc", "/proc/self/environ");
    tree.link("zero", "/dev/zero");
    let mut session = serve(&tree);
    assert_eq!(shown(&mut session, json!({})), "├── real\n│   └── b.txt\n└── a.txt");
    let found = payload(&session.call("search_project", json!({ "pattern": "needle", "context_lines": 0 })));
    assert_eq!(found, "real/b.txt:1:needle");
    assert!(!session.call("pack_context", json!({})).all_text().contains("CANARY"));
    for path in ["out", "outdir/secret", "proc", "zero"] {
        let answer = session.call("get_file", json!({ "path": path }));
        assert!(answer.is_error(), "{path}");
        assert!(!answer.all_text().contains("CANARY"), "{path}");
    }
}

#[test]
fn a_link_inside_the_root_is_readable_by_its_own_name_only() {
    let tree = Tree::new(
        "real/b.txt: text\nalias -> real\n.gitignore: hidden.txt\nhidden.txt: x\nto_hidden -> hidden.txt",
    );
    let mut session = serve(&tree);
    assert_eq!(payload(&session.call("get_file", json!({ "path": "alias/b.txt" }))), "text");
    assert_eq!(session.call("get_file", json!({ "path": "to_hidden" })).code(), "DPX-MCP-PATH-NOT-FOUND");
}

#[test]
fn special_files_are_never_opened() {
    let tree = Tree::new("a.txt: inside");
    tree.fifo("pipe");
    let mut session = serve(&tree);
    let answer = session.call("pack_context", json!({}));
    assert!(payload(&answer).contains("inside"));
    assert_eq!(trailers(&answer).len(), 1, "{}", answer.text());
    assert!(trailers(&answer)[0].starts_with("[Warning DPX-MCP-PAYLOAD-TRUNCATED] 1 selected file "));
    assert_eq!(session.call("get_file", json!({ "path": "pipe" })).code(), "DPX-MCP-PATH-NOT-FOUND");
}

#[test]
fn a_root_that_was_replaced_is_refused_by_every_tool() {
    let tree = Tree::new("a.txt: inside");
    let mut session = serve(&tree);
    std::fs::rename(tree.root(), tree.scratch().join("moved")).expect("moved");
    std::os::unix::fs::symlink(tree.scratch().join("moved"), tree.root()).expect("link");
    for (tool, arguments) in [
        ("list_projects", json!({})),
        ("get_tree", json!({})),
        ("analyze", json!({})),
        ("pack_context", json!({})),
        ("search_project", json!({ "pattern": "x" })),
        ("get_file", json!({ "path": "a.txt" })),
    ] {
        assert_eq!(session.call(tool, arguments).code(), "DPX-MCP-UNKNOWN-PROJECT", "{tool}");
    }
}

#[test]
fn nothing_is_ever_written_below_the_root() {
    let tree = Tree::new("a.txt: inside\nsub/b.txt: more");
    tree.mtime("a.txt", 1_000).mtime("sub/b.txt", 2_000);
    let mut session = serve(&tree);
    for tool in ["get_tree", "analyze", "pack_context"] {
        assert!(!session.call(tool, json!({})).is_error());
    }
    let exit = session.finish();
    assert_eq!((exit.code, exit.stderr.as_str()), (Some(0), ""));
    let names: Vec<_> = std::fs::read_dir(tree.root())
        .expect("listed")
        .map(|entry| entry.expect("entry").file_name())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn several_roots_need_a_project_and_a_subfolder_is_none() {
    let first = Tree::new("sub/a.txt: one");
    let second = Tree::new("b.txt: two");
    let other = second.root();
    let mut session = super::serve_with(&first, &["--root", other.to_str().expect("UTF-8")]);
    let answer = session.call("get_tree", json!({}));
    assert_eq!(answer.code(), "DPX-MCP-UNKNOWN-PROJECT");
    assert!(
        answer.text().contains("list_projects") && answer.text().contains(other.to_str().expect("UTF-8"))
    );
    let sub = first.path("sub");
    assert_eq!(session.call("get_tree", json!({ "project": sub })).code(), "DPX-MCP-UNKNOWN-PROJECT");
    let spelled = format!("{}/../project/", first.root().display());
    assert!(payload(&session.call("get_tree", json!({ "project": spelled }))).contains("a.txt"));
    let listed = session.call("list_projects", json!({}));
    let paths: Vec<_> = listed.structured()["projects"]
        .as_array()
        .expect("array")
        .iter()
        .map(|p| p["path"].clone())
        .collect();
    assert_eq!(paths, [json!(first.root()), json!(other)]);
}

#[test]
fn a_sibling_whose_name_differs_from_the_root_only_in_case_or_by_an_ending_is_outside() {
    let tree = Tree::new("root/a.txt: inside\nROOT/a.txt: outside\nroot-evil/a.txt: outside");
    let root = tree.path("root");
    let client = testkit::Client::start(
        std::path::Path::new(super::BINARY),
        &["mcp", "--root", root.to_str().expect("UTF-8")],
        &tree.home(),
    );
    let mut session = testkit::Session::open(client, testkit::Era::Modern);
    for sibling in ["ROOT", "root-evil"] {
        let place = tree.path(sibling);
        for path in [format!("../{sibling}/a.txt"), format!("{}/a.txt", place.display())] {
            let answer = session.call("get_file", json!({ "path": path }));
            assert_eq!(answer.code(), "DPX-MCP-ROOT-VIOLATION", "{path}");
            let answer = session.call("analyze", json!({ "paths": [path] }));
            assert_eq!(answer.code(), "DPX-MCP-ROOT-VIOLATION");
        }
        let answer = session.call("get_tree", json!({ "project": place }));
        assert_eq!(answer.code(), "DPX-MCP-UNKNOWN-PROJECT", "{sibling}");
    }
}
