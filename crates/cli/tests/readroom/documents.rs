//! `readroom docs` as a person meets it: a project to begin with, findings with their remedies, and exit codes.

use std::process::{Command, Output};

use testkit::Tree;

use super::BINARY;

pub(super) fn run(tree: &Tree, arguments: &[&str]) -> Output {
    Command::new(BINARY)
        .arg("docs")
        .args(arguments)
        .current_dir(tree.root())
        .env("READROOM_HOME", tree.home())
        .output()
        .expect("the binary runs")
}

pub(super) fn told(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

pub(super) fn project() -> Tree {
    let tree = Tree::new("");
    assert_eq!(run(&tree, &["init"]).status.code(), Some(0));
    tree
}

#[test]
fn every_preset_checks_clean_and_is_never_written_over() {
    for preset in ["req", "adr", "notes"] {
        let tree = Tree::new("");
        let (code, out, err) = told(&run(&tree, &["init", "--preset", preset]));
        assert_eq!(code, Some(0), "{err}");
        assert!(out.starts_with("docforge.toml\n") && out.ends_with("Next: readroom docs check\n"), "{out}");
        let (code, out, _) = told(&run(&tree, &["check"]));
        assert_eq!(code, Some(0), "{preset}: {out}");
        assert!(out.starts_with("0 error(s), 0 warning(s), 0 info(s); "), "{preset}: {out}");
        tree.file("docforge.toml", "mine");
        let (code, out, err) = told(&run(&tree, &["init", "--preset", preset]));
        assert_eq!((code, out.as_str()), (Some(3), ""), "refused");
        assert!(err.contains("docforge.toml exists already; nothing was written"), "{err}");
        assert_eq!(std::fs::read(tree.path("docforge.toml")).expect("there"), b"mine");
    }
}

#[test]
fn findings_say_where_what_and_what_to_write_instead() {
    let tree = project();
    let session = std::fs::read_to_string(tree.path("docs/session.md")).expect("there");
    tree.file("docs/session.md", &session.replace("approved", "aproved").replace("REQ-0001", "REQ-0009"));
    tree.file("docs/b\u{1B}[31m.md", "---\nid: REQ-0007\n---\n");
    tree.file(
        "docs/red.md",
        "---\nid: REQ-0008\ntype: req\ntitle: \"\\e[31m\"\nstatus: \"\\e]0;x\\a\"\n---\nb\n",
    );
    let (code, out, _) = told(&run(&tree, &["check"]));
    assert_eq!(code, Some(1));
    for expected in [
        "docs/session.md:5:9: error[enum_value]: the value of `status` is not one of the declared values (REQ-0002)\n  text: aproved\n  fix: did you mean `approved`?\n",
        "docs/session.md:6:11: error[dangling_relation]: ",
        "fix: did you mean `REQ-0001`?",
        "docs: error[path_unsupported]: ",
        "text: \\u001B]0;x\\u0007",
    ] {
        assert!(out.contains(expected), "{expected} in {out}");
    }
    assert!(!out.contains('\u{1B}'), "nothing steers the terminal");
    let (_, shown, _) = told(&run(&tree, &["show", "REQ-0008"]));
    assert!(shown.contains("\\u001B[31m") && !shown.contains('\u{1B}'));
}

#[test]
fn nodes_are_shown_filtered_and_followed() {
    let tree = project();
    let (code, out, _) = told(&run(&tree, &["show", "REQ-0002"]));
    assert_eq!(code, Some(0));
    assert!(out.starts_with("REQ-0002  req  clean  Sessions end  docs/session.md:1\n  status: approved\n  refines: REQ-0001\n  verified_by: TST-0001\n"), "{out}");
    let (code, out, _) = told(&run(&tree, &["filter", "type = req and none(in.verifies)"]));
    assert_eq!((code, out.lines().count()), (Some(0), 2), "{out}");
    assert_eq!(run(&tree, &["filter", "status = retired"]).status.code(), Some(1), "nothing found");
    let (code, _, err) = told(&run(&tree, &["filter", "statsu = draft"]));
    assert_eq!(code, Some(2));
    assert!(err.contains("at character 1") && err.contains("did you mean status"), "{err}");
    let (code, _, err) = told(&run(&tree, &["show", "REQ-002"]));
    assert!(code == Some(1) && err.contains("did you mean REQ-0002"), "{err}");
    let (code, out, _) = told(&run(&tree, &["search", "session activ*"]));
    assert!(code == Some(0) && out.starts_with("REQ-0002  req  clean  Sessions end"), "{out}");
    assert!(out.ends_with("1 hit(s)\n"), "{out}");
    assert_eq!(run(&tree, &["search", "zebra"]).status.code(), Some(1));
    assert_eq!(run(&tree, &["search", "*"]).status.code(), Some(2));
    let (_, out, _) = told(&run(&tree, &["links", "REQ-0002", "--in"]));
    assert_eq!(out, "TST-0001 -verifies-> REQ-0002\n");
    let (_, out, _) = told(&run(&tree, &["contract", "--json"]));
    let contract: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(contract["result"]["contract"]["project"]["id"], "example");
}

#[test]
fn sources_can_be_checked_with_coreutils() {
    let tree = project();
    let (code, out, _) = told(&run(&tree, &["sources", "-0"]));
    assert_eq!(code, Some(0));
    let paths: Vec<&str> = out.trim_end_matches('\0').split('\0').collect();
    assert_eq!(paths, ["docforge.toml", "docs/login.md", "docs/session-test.md", "docs/session.md"]);
}

#[test]
fn what_cannot_be_loaded_says_why_and_is_another_code() {
    let tree = Tree::new("");
    let (code, out, err) = told(&run(&tree, &["check"]));
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(
        err.contains("docforge.toml: error[manifest_missing]") && err.contains("readroom docs init"),
        "{err}"
    );
    let tree = project();
    let manifest = std::fs::read_to_string(tree.path("docforge.toml")).expect("there");
    tree.file("docforge.toml", &manifest.replace("from = [\"test\"]", "from = [\"tset\"]"));
    let (code, _, err) = told(&run(&tree, &["check"]));
    assert_eq!(code, Some(2));
    assert!(err.contains("error[manifest_invalid]") && err.contains("did you mean `test`?"), "{err}");
    assert_eq!(run(&tree, &["check", "--project-root", "/nonexistent"]).status.code(), Some(2));
}

/// What newcomers get wrong: each finding but the nudges of the reader has a place, and every one says what to write.
#[test]
fn every_finding_has_a_place_and_a_remedy() {
    let tree = project();
    let manifest = std::fs::read_to_string(tree.path("docforge.toml")).expect("there");
    let fields = "[types.req.fields.days]\ntype = \"integer\"\nmax = 9\n[types.req.fields.word]\ntype = \"string\"\nmax_length = 3\npattern = \"[a-z]+\"\n[types.req.fields.tags]\ntype = \"string\"\nlist = true\nmax_items = 1\n";
    tree.file("docforge.toml", &manifest.replace("[types.test]\n", &format!("{fields}\n[types.test]\n")));
    let documents: &[(&str, &[u8])] = &[
        ("docs/a.md", b"---\nid: REQ-0010\ntype: rq\nstatus: draft\n---\nb\n"),
        ("docs/b.md", b"---\nid: REQ-11\ntype: req\ntitle: X\nstatus: draft\nzzz: x\n---\nb\n"),
        ("docs/c.md", b"---\nid: REQ-0012\ntype: req\ntitle: X\nrefine: [REQ-0001]\nverified_by: [TST-0001]\n---\n"),
        ("docs/d.md", b"no front matter\n"),
        ("docs/e.md", b"---\nid: REQ-0013\nstatus: draft\n---\nb\n"),
        ("docs/f.md", b"---\nid: REQ-0014\ntype: req\nstatus: &a draft\n---\nb\n"),
        ("docs/g.md", b"---\nid: REQ-0015\ntype: req\nstatus: draft\nb\n"),
        ("docs/h.md", b"---\nid: REQ-0016\ntype: req\nstatus: [draft]\nrefines: {a: b}\n---\nb [x](nowhere.md) [y](session.md#nope)\n"),
        ("docs/i.md", b"---\nid: REQ-0017\ntype: req\nstatus: draft\nstatus: draft\n---\nb\n"),
        ("docs/j.md", b"---\nid: REQ-0018\ntype: req\nstatus: draft\nrefines: [REQ-0018, TST-0001]\n---\nb\n"),
        ("docs/k.md", b"---\nid: REQ-0001\ntype: req\nstatus: draft\n---\nb\n"),
        ("docs/l.md", b"---\nid: REQ 0019\ntype: req\nstatus: draft\n---\nb\n"),
        ("docs/m.md", b"---\nid: REQ-0020\n---\nb\xff\n"),
        ("docs/n.md", b"---\nid:REQ-0021\ntype: req\n---\nb\n"),
        ("docs/o.md", b"---\nid: TST-0009\ntype: test\nverifies: [{to: REQ-0002, pin: x, nte: y}]\n---\nb\n"),
        ("docs/p.md", b"---\nid: REQ-0022\ntype: req\nstatus: draft\ndays: ten\nword: ABCD\ntags: [a, b]\n---\nb\n"),
        ("docs/q.md", b"---\nid: REQ-0023\ntype: req\nstatus: draft\ndays: 10\nword: [a]\n---\nb\n"),
    ];
    for (path, bytes) in documents {
        std::fs::write(tree.path(path), bytes).expect("written");
    }
    let (code, out, _) = told(&run(&tree, &["check"]));
    assert_eq!(code, Some(1));
    let mut found = std::collections::BTreeSet::new();
    for finding in out.lines().filter(|line| !line.starts_with(' ') && line.contains('[')) {
        let mut parts = finding.splitn(4, ':');
        let (path, line, column) = (parts.next(), parts.next(), parts.next());
        let is_number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
        assert!(path.is_some() && is_number(line) && is_number(column), "{finding}");
        let after = &out[out.find(finding).expect("there") + finding.len()..];
        let about = after.split_inclusive('\n').skip(1).take_while(|line| line.starts_with("  "));
        assert!(about.into_iter().any(|line| line.starts_with("  fix: ")), "no remedy: {finding}");
        let code = finding.split_once('[').and_then(|(_, rest)| rest.split_once(']')).expect("a code").0;
        found.insert(code.to_owned());
    }
    assert!(found.len() >= 22, "{found:?}");
    assert!(out.contains("docs/m.md:4:2: error[encoding_invalid]"), "{out}");
}
