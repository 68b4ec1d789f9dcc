//! `readroom docs pins`: how each stands, and that setting one changes the bytes of the pin alone.

use testkit::Tree;

use super::documents::{project, run, told};

/// A project whose tests need pins, and one test in each way in which a relation can be written.
fn pinned() -> Tree {
    let tree = project();
    let manifest = std::fs::read_to_string(tree.path("docforge.toml")).expect("there");
    tree.file("docforge.toml", &manifest.replace("pin = \"optional\"", "pin = \"required\""));
    for (at, relation) in [
        "verifies: REQ-0001",
        "verifies: [REQ-0001, 'REQ-0002'] # both",
        "verifies:\r\n  - REQ-0001   # the first\r\n  - to: REQ-0002\r\n    note: read twice # by two",
        "verifies: [{to: REQ-0001, note: \"so, it is\"}]",
    ]
    .iter()
    .enumerate()
    {
        let end = if relation.contains('\r') { "\r\n" } else { "\n" };
        let head =
            format!("---{end}# kept{end}type: test{end}title:   'Spaced'{end}id: TST-000{}{end}", at + 2);
        tree.file(&format!("docs/t{}.md", at + 2), &format!("{head}{relation}{end}---{end}Body.{end}{end}"));
    }
    tree
}

fn text(tree: &Tree, path: &str) -> String {
    std::fs::read_to_string(tree.path(path)).expect("there")
}

/// The text without what a pin adds.
fn without_pins(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(at) = text.find("sha256:") {
        text.replace_range(at..at + "sha256:".len() + 64, "");
    }
    text
}

#[test]
fn pins_are_listed_set_and_go_stale_again() {
    let tree = pinned();
    let (code, out, err) = told(&run(&tree, &["pins", "list"]));
    assert_eq!(code, Some(1), "{err}");
    assert!(out.contains("missing   TST-0002 -verifies-> REQ-0001  docs/t2.md:6\n"), "{out}");
    let before: Vec<String> = (2..=5).map(|at| text(&tree, &format!("docs/t{at}.md"))).collect();
    let ids = ["pins", "accept", "TST-0001", "TST-0002", "TST-0003", "TST-0004", "TST-0005"];
    let (code, out, err) = told(&run(&tree, &ids));
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("TST-0002 -verifies-> REQ-0001  sha256:") && out.contains(" pin(s) set\n"), "{out}");
    let expected = [
        before[0].replace(": REQ-0001", ": [{to: REQ-0001, pin: \"\"}]"),
        before[1]
            .replace("[REQ-0001, 'REQ-0002']", "[{to: REQ-0001, pin: \"\"}, {to: 'REQ-0002', pin: \"\"}]"),
        before[2]
            .replace("- REQ-0001 ", "- {to: REQ-0001, pin: \"\"} ")
            .replace("# by two\r\n", "# by two\r\n    pin: \"\"\r\n"),
        before[3].replace("it is\"}", "it is\", pin: \"\"}"),
    ];
    for (at, expected) in (2..=5).zip(expected) {
        assert_eq!(without_pins(&text(&tree, &format!("docs/t{at}.md"))), expected);
    }
    let (code, out, _) = told(&run(&tree, &["pins", "list"]));
    assert!(code == Some(0) && out.ends_with(" 0 suspect, 0 missing, 0 unpinned\n"), "{out}");
    // A second time there is nothing to write.
    let now = text(&tree, "docs/t3.md");
    let (_, out, _) = told(&run(&tree, &ids));
    assert_eq!((out.as_str(), text(&tree, "docs/t3.md")), ("0 pin(s) set\n", now.clone()));

    tree.file("docs/session.md", &text(&tree, "docs/session.md").replace("fifteen", "fifty"));
    let (code, out, _) = told(&run(&tree, &["pins", "list", "--json"]));
    let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let suspect: Vec<&str> = answer["result"]["pins"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|pin| pin["state"] == "suspect")
        .map(|pin| pin["from"].as_str().expect("an id"))
        .collect();
    assert_eq!((code, suspect), (Some(1), vec!["TST-0001", "TST-0003", "TST-0004"]));
    assert!(answer["revision"].is_string() && answer["ok"] == true);
    assert_eq!(run(&tree, &["pins", "accept", "TST-0003"]).status.code(), Some(0));
    let changed = text(&tree, "docs/t3.md");
    assert_eq!(without_pins(&changed), without_pins(&now));
    let lines = changed.lines().zip(now.lines()).filter(|(left, right)| left != right).count();
    assert_eq!(lines, 1, "only the pin of REQ-0002");
    let left: Vec<_> = std::fs::read_dir(tree.path(".docforge/apply")).expect("a folder").collect();
    assert!(left.is_empty(), "no journal stays: {left:?}");
}

#[test]
fn a_pin_of_a_node_that_is_pinned_itself_is_set_after_it() {
    let tree = project();
    let manifest = std::fs::read_to_string(tree.path("docforge.toml")).expect("there");
    let acyclic = "inverse = \"refined_by\"\nacyclic = true";
    assert!(manifest.contains(acyclic));
    tree.file("docforge.toml", &manifest.replace(acyclic, &format!("{acyclic}\npin = \"optional\"")));
    // TST-0001 verifies REQ-0002, which refines REQ-0001: named in the wrong order, both are current afterwards.
    let (code, out, err) = told(&run(&tree, &["pins", "accept", "--all", "TST-0001", "REQ-0002"]));
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.contains("2 pin(s) set\n") || out.contains("3 pin(s) set\n"), "{out}");
    let (code, out, _) = told(&run(&tree, &["pins", "list"]));
    assert!(code == Some(0) && out.contains(" 0 suspect, 0 missing"), "{out}");
    // A changed end of the chain reaches the node beside it, and that one only once its own pin is set anew.
    tree.file("docs/login.md", &format!("{}More.\n", text(&tree, "docs/login.md")));
    let (_, out, _) = told(&run(&tree, &["pins", "accept", "REQ-0002"]));
    assert!(out.contains("suspect now, because they pin a node that got pins: TST-0001\n"), "{out}");
}

#[test]
fn what_is_only_read_is_refused_and_nothing_is_written() {
    let tree = pinned();
    let manifest = text(&tree, "docforge.toml");
    tree.file(
        "docforge.toml",
        manifest.replace("write = true\n", "").split("# What an agent").next().expect("a part"),
    );
    let before = text(&tree, "docs/t2.md");
    let (code, out, err) = told(&run(&tree, &["pins", "accept", "TST-0002"]));
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(
        err.contains("adapter_read_only: ") && err.contains("`write = true`") && err.contains("TST-0002"),
        "{err}"
    );
    assert_eq!(text(&tree, "docs/t2.md"), before);
    let (code, _, err) = told(&run(&tree, &["pins", "accept", "TST-0099"]));
    assert!(code == Some(1) && err.contains("node_not_found"), "{err}");
    assert_eq!(run(&tree, &["pins", "accept"]).status.code(), Some(2));
}
