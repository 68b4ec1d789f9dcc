//! `readroom docs check` for build systems and hooks: the rule that names its inputs, and the findings of what changed.

use std::process::Command;

use testkit::Tree;

use super::documents::{project, run, told};

#[test]
fn a_dependency_file_names_every_input_and_is_the_same_each_time() {
    let tree = project();
    tree.file("docs/a b#c$%.md", "---\nid: REQ-0009\ntype: req\ntitle: More\nstatus: draft\n---\nMore.\n");
    let (code, _, err) = told(&run(&tree, &["check", "--depfile", "check.d"]));
    assert_eq!(code, Some(0), "{err}");
    let written = std::fs::read_to_string(tree.path("check.d")).expect("there");
    assert_eq!(
        written,
        "check: \\\n  docforge.toml \\\n  docs/a\\ b\\#c$$%.md \\\n  docs/login.md \\\n  docs/session-test.md \\\n  \
         docs/session.md\ndocforge.toml:\ndocs/a\\ b\\#c$$\\%.md:\ndocs/login.md:\ndocs/session-test.md:\n\
         docs/session.md:\n"
    );
    run(&tree, &["check", "--depfile", "check.d"]);
    assert_eq!(std::fs::read_to_string(tree.path("check.d")).expect("there"), written);
    let root = tree.root();
    let root = root.to_str().expect("UTF-8");
    run(&tree, &["check", "--project-root", root, "--depfile", "out.stamp.d"]);
    let written = std::fs::read_to_string(tree.path("out.stamp.d")).expect("there");
    assert!(written.starts_with(&format!("out.stamp: \\\n  {root}/docforge.toml \\\n")), "{written}");
    // Findings are no reason to leave it out: the build that runs again needs it.
    tree.file("docs/login.md", "---\nid: REQ-0001\n");
    assert_eq!(run(&tree, &["check", "--depfile", "after.d"]).status.code(), Some(1));
    assert!(std::fs::read_to_string(tree.path("after.d")).expect("there").contains("docs/login.md"));
}

#[test]
fn a_dependency_file_takes_the_place_of_no_document_and_of_no_link() {
    let tree = project();
    let before = std::fs::read(tree.path("docs/login.md")).expect("there");
    let (code, out, err) = told(&run(&tree, &["check", "--depfile", "docs/../docs/login.md"]));
    assert_eq!((code, out.as_str()), (Some(3), ""), "{err}");
    assert!(err.contains("docs/login.md is a file of the project"), "{err}");
    assert_eq!(std::fs::read(tree.path("docs/login.md")).expect("there"), before);
    std::os::unix::fs::symlink(tree.path("docs/login.md"), tree.path("link.d")).expect("a link");
    assert_eq!(run(&tree, &["check", "--depfile", "link.d"]).status.code(), Some(3));
    assert_eq!(std::fs::read(tree.path("docs/login.md")).expect("there"), before);
    assert_eq!(run(&tree, &["check", "--depfile", "no/such.d"]).status.code(), Some(4));
}

fn git(tree: &Tree, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .current_dir(tree.root())
        .env("HOME", tree.home())
        .output()
        .expect("git runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn only_what_changed_since_the_last_commit_is_judged() {
    let tree = project();
    let (code, _, err) = told(&run(&tree, &["check", "--changed-only"]));
    assert!(code == Some(2) && err.contains("not in a Git repository"), "{err}");
    // One old finding, committed.
    tree.file("docs/old.md", "---\nid: REQ-0007\ntype: req\ntitle: Old\nstatus: wrong\n---\nOld.\n");
    git(&tree, &["init", "-q"]);
    git(&tree, &["add", "-A"]);
    git(&tree, &["commit", "-q", "-m", "begin"]);
    let (code, out, _) = told(&run(&tree, &["check", "--changed-only"]));
    assert_eq!(code, Some(0), "{out}");
    assert!(
        out.contains("0 error(s)") && out.contains("2 more finding(s) do not concern what changed"),
        "{out}"
    );
    // A new file with a finding, which is not even added yet.
    tree.file("docs/new.md", "---\nid: REQ-0008\ntype: req\ntitle: New\nstatus: wrong\n---\nNew.\n");
    let (code, out, _) = told(&run(&tree, &["check", "--changed-only"]));
    assert!(code == Some(1) && out.contains("docs/new.md") && !out.contains("docs/old.md"), "{out}");
    std::fs::remove_file(tree.path("docs/new.md")).expect("removed");
    // What leads to a removed document stands in a file that did not change.
    std::fs::remove_file(tree.path("docs/login.md")).expect("removed");
    let (code, out, _) = told(&run(&tree, &["check", "--changed-only"]));
    assert!(code == Some(1) && out.contains("docs/session.md:6:11: error[dangling_relation]"), "{out}");
    assert!(!out.contains("docs/old.md"), "{out}");
    // Another manifest concerns everything.
    let manifest = std::fs::read_to_string(tree.path("docforge.toml")).expect("there");
    tree.file("docforge.toml", &format!("# changed\n{manifest}"));
    let (_, out, _) = told(&run(&tree, &["check", "--changed-only"]));
    assert!(out.contains("docs/old.md") && !out.contains("more finding(s)"), "{out}");
}
