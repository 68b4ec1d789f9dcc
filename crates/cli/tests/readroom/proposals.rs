//! `readroom docs changeset` in a shell: what is shown of a proposal, what it takes to apply or close one, and what each
//! refusal says.

use std::path::Path;

use disk::{FileCall, FileCalls, Root};
use testkit::Tree;

use super::agent::Agent;
use super::documents::{run, told};

/// A project of the preset whose writer may do everything.
pub(super) fn project() -> Tree {
    let tree = Tree::new("");
    assert_eq!(run(&tree, &["init"]).status.code(), Some(0));
    let manifest = std::fs::read_to_string(tree.path("docforge.toml")).expect("there");
    let (some, all) = ("[\"create\", \"update\"]", "[\"create\", \"update\", \"move\", \"delete\"]");
    assert!(manifest.contains(some), "{manifest}");
    tree.file("docforge.toml", &manifest.replace(some, all));
    tree
}

/// A command behind `docs changeset`.
pub(super) fn changeset(tree: &Tree, arguments: &[&str]) -> (Option<i32>, String, String) {
    told(&run(tree, &[&["changeset"], arguments].concat()))
}

/// The hash of what a changeset would change.
pub(super) fn diff_hash(tree: &Tree, id: &str) -> String {
    let (code, out, err) = changeset(tree, &["diff", id]);
    assert_eq!(code, Some(0), "{err}");
    out.lines().find_map(|line| line.strip_prefix("diff_hash: ")).expect("a hash").to_owned()
}

fn text(tree: &Tree, path: &str) -> String {
    std::fs::read_to_string(tree.path(path)).expect("there")
}

#[test]
fn a_proposal_is_listed_shown_and_compared() {
    let tree = project();
    let (code, out, err) = changeset(&tree, &["list"]);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "0 changesets\n", ""));
    assert!(!tree.path(".docforge").exists(), "looking makes nothing");
    let mut agent = Agent::of(&tree);
    let one = agent.changeset("Shorter sessions");
    agent.edit(&one, "REQ-0002", "fifteen", "five");
    agent.create(&one, "REQ-0003", "Wrong passwords", "docs/lockout.md", &["REQ-0001"]);
    let two = agent.changeset("A better title\u{1B}[2J");
    agent.retitle(&two, "REQ-0002", "Sessions\u{202E} end");
    agent.delete(&two, "TST-0001", "nobody runs it");
    let (code, out, _) = changeset(&tree, &["list"]);
    assert_eq!(code, Some(0));
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines.contains(
            &format!("{one}  open  version 2, 2 entries, base current  by agent  \"Shorter sessions\"")
                .as_str()
        ),
        "{out}"
    );
    assert!(lines.contains(&format!("    meets {two}: REQ-0002 same_node").as_str()), "{out}");
    assert!(out.contains("\"A better title\\u001B[2J\"") && out.ends_with("2 changesets\n"), "{out}");
    let (_, out, _) = changeset(&tree, &["list", "--node", "REQ-0003"]);
    assert!(out.starts_with(&one) && out.ends_with("1 changeset\n"), "{out}");
    assert_eq!(changeset(&tree, &["list", "--state", "applied"]).1, "0 changesets\n");

    let (code, out, _) = changeset(&tree, &["show", &one]);
    assert_eq!(code, Some(0));
    for expected in [
        "    create  REQ-0003  clean\n",
        "    update  REQ-0002  clean\n",
        &format!("meets other open changesets\n    {two}  REQ-0002  same_node\n"),
        "  update  REQ-0002  (docforge_propose_node_update)\n",
    ] {
        assert!(out.contains(expected), "{expected:?} in {out}");
    }
    let (code, out, _) = changeset(&tree, &["diff", &one]);
    assert_eq!(code, Some(0));
    assert!(
        out.contains(
            "update REQ-0002  docs/session.md\n    @@ -1 +1 @@\n    -A session ends after fifteen minutes without activity.\n    +A session ends after five minutes without activity.\ncreate REQ-0003 (req)  into docs/lockout.md\n    + title: Wrong passwords\n    + status: draft\n    + refines: REQ-0001\n    @@ -0,0 +1 @@\n    +Wrong passwords.\n"
        ),
        "{out}"
    );
    assert!(out.contains("\ndiff_hash: sha256:") && !out.contains('\u{1B}'), "{out}");
    let (_, out, _) = changeset(&tree, &["diff", &two]);
    assert!(
        out.contains("delete TST-0001  out of docs/session-test.md\n    reason: nobody runs it\n    - title: A session ends by itself\n    - verifies: REQ-0002\n    @@ -1 +0,0 @@\n    -Log in, wait"),
        "{out}"
    );
    assert!(out.contains("    + title: Sessions\\u202E end\n") && !out.contains('\u{202E}'), "{out}");
}

#[test]
fn every_check_is_told_and_the_verdict_is_the_exit_code() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let good = agent.changeset("Good");
    agent.edit(&good, "REQ-0002", "fifteen", "five");
    let (code, out, err) = changeset(&tree, &["validate", &good]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("\nverdict: pass\n    V01 pass      the log holds together\n"), "{out}");
    assert!(out.contains("    V20 pass      no pin becomes suspect\n"), "{out}");
    assert!(out.ends_with("findings of the project: 0 new, 0 fixed, 0 stay\n"), "{out}");
    let bad = agent.changeset("Bad");
    agent.delete(&bad, "TST-0001", "gone");
    let (code, out, _) = changeset(&tree, &["validate", &bad]);
    assert_eq!(code, Some(1));
    assert!(
        out.contains("verdict: fail\n") && out.contains("V11 error[rule:approved-is-tested] REQ-0002"),
        "{out}"
    );
    assert!(out.contains("findings of the project: 1 new, 0 fixed, 0 stay\ndocs/session.md:1"), "{out}");
    let hash = diff_hash(&tree, &bad);
    let (code, _, err) = changeset(&tree, &["apply", &bad, "--confirm", &hash]);
    assert_eq!(code, Some(3), "{err}");
    assert!(
        err.starts_with("readroom: apply_conflict: A check stands against the changeset.\n  REQ-0002: V11 "),
        "{err}"
    );
    assert!(tree.path("docs/session-test.md").exists());
}

#[test]
fn a_patch_is_taken_by_git() {
    let tree = project();
    tree.commit("as it was");
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("Patch");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    agent.create(&id, "REQ-0003", "Wrong passwords", "docs/a b/lockout.md", &[]);
    let (code, patch, err) = changeset(&tree, &["diff", "--unified", &id]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    tree.file("one.patch", &patch);
    tree.git(&["apply", "one.patch"]);
    assert!(text(&tree, "docs/session.md").contains("after five minutes"));
    assert!(text(&tree, "docs/a b/lockout.md").ends_with("---\nWrong passwords.\n"));
}

#[test]
fn without_a_terminal_the_whole_hash_is_needed() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("Shorter sessions");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    let hash = diff_hash(&tree, &id);
    let before = text(&tree, "docs/session.md");
    for verb in ["apply", "reject", "withdraw"] {
        let (code, out, err) = changeset(&tree, &[verb, &id]);
        assert_eq!(code, Some(3), "{verb}");
        assert!(err.starts_with("readroom: apply_needs_person: ") && err.contains(&hash), "{err}");
        assert!(out.contains("verdict: pass\n") && out.ends_with(&format!("diff_hash: {hash}\n")), "{out}");
        let other = hash.replace(&hash[7..9], if &hash[7..9] == "00" { "11" } else { "00" });
        for wrong in [&hash[7..15], &hash[7..], &other, "", "sha256:"] {
            let (code, _, err) = changeset(&tree, &[verb, &id, "--confirm", wrong]);
            assert_eq!(code, Some(3), "{verb} {wrong}");
            assert!(err.starts_with("readroom: apply_fingerprint_mismatch: "), "{err}");
        }
    }
    assert_eq!(text(&tree, "docs/session.md"), before);
    let (code, out, err) = changeset(&tree, &["apply", &id, "--confirm", &hash]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(
        out.ends_with(&format!(
            "applied {id}: REQ-0002 in 1 file\n    docs/session.md\nthe changeset is closed and lies in the archive\nfindings of the project: 0 new, 0 fixed, 0 stay\n"
        )),
        "{out}"
    );
    assert_eq!(text(&tree, "docs/session.md"), before.replace("fifteen", "five"));
    let (code, _, err) = changeset(&tree, &["apply", &id, "--confirm", &hash]);
    assert!(code == Some(3) && err.contains("readroom: "), "{err}");
    let (_, out, _) = changeset(&tree, &["show", &id]);
    assert!(
        out.starts_with(&format!("{id}  applied  version 1")) && out.contains("\napplied by \""),
        "{out}"
    );
    assert_eq!(changeset(&tree, &["list", "--state", "applied"]).1.lines().count(), 2);
}

#[test]
fn closed_is_closed_and_what_is_not_there_is_said() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let one = agent.changeset("One");
    agent.edit(&one, "REQ-0002", "fifteen", "five");
    let two = agent.changeset("Two");
    agent.retitle(&two, "REQ-0002", "Two");
    let before = text(&tree, "docs/session.md");
    let (hash_one, hash_two) = (diff_hash(&tree, &one), diff_hash(&tree, &two));
    let (code, _, err) = changeset(&tree, &["reject", &one, "--confirm", &hash_two]);
    assert!(code == Some(3) && err.contains("apply_fingerprint_mismatch"), "another changeset's hash: {err}");
    let (code, out, _) = changeset(&tree, &["reject", &one, "--confirm", &hash_one]);
    assert_eq!(code, Some(0));
    assert!(
        out.ends_with(&format!("rejected {one}; it lies in the archive, and no document was changed\n")),
        "{out}"
    );
    assert_eq!(changeset(&tree, &["withdraw", &two, "--confirm", &hash_two]).0, Some(0));
    for verb in ["apply", "reject", "withdraw"] {
        let (code, _, err) = changeset(&tree, &[verb, &one, "--confirm", &hash_one]);
        assert_eq!(code, Some(3), "{verb}");
        assert!(err.starts_with("readroom: changeset_closed: "), "{err}");
    }
    assert_eq!(text(&tree, "docs/session.md"), before);
    for id in ["cs-01arz3ndektsv4rrffq69g5fav", "../x", "one"] {
        for verb in ["show", "diff", "validate", "apply", "reject"] {
            let (code, _, err) = changeset(&tree, &[verb, id]);
            assert_eq!(code, Some(1), "{verb} {id}");
            assert!(
                err.starts_with("readroom: changeset_not_found: ") && err.contains("changeset list"),
                "{err}"
            );
        }
    }
    let (code, _, err) = changeset(&tree, &["apply", &two, "--only", "REQ-0009"]);
    assert!(code == Some(1) && err.starts_with("readroom: node_not_found: "), "{err}");
    // One that lost its header is named, and the others are still there.
    let three = agent.changeset("Three");
    tree.file(&format!(".docforge/changesets/{three}/header.json"), "{}");
    let (code, out, _) = changeset(&tree, &["list"]);
    assert!(code == Some(0) && out.contains(&format!("{three}  damaged: its header")), "{out}");
    let (code, _, err) = changeset(&tree, &["show", &three]);
    assert!(code == Some(3) && err.contains("changeset_damaged"), "{err}");
}

#[test]
fn a_part_is_applied_and_the_rest_stays_open() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("Several");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    agent.create(&id, "REQ-0003", "Base", "docs/base.md", &[]);
    agent.create(&id, "REQ-0004", "Top", "docs/top.md", &["REQ-0003"]);
    let (code, out, err) = changeset(&tree, &["apply", &id, "--only", "REQ-0004"]);
    assert!(
        code == Some(3) && err.contains("apply_conflict") && err.contains("REQ-0004 needs REQ-0003"),
        "{err}"
    );
    assert!(!out.contains("REQ-0002"), "only what was asked for is shown: {out}");
    // The hash is that of the part.
    let (_, out, _) = changeset(&tree, &["apply", &id, "--only", "REQ-0003", "REQ-0004"]);
    let hash = out.lines().find_map(|line| line.strip_prefix("diff_hash: ")).expect("a hash").to_owned();
    let (code, _, err) = changeset(&tree, &["apply", &id, "--confirm", &hash]);
    assert!(code == Some(3) && err.contains("apply_fingerprint_mismatch"), "the whole was not seen: {err}");
    let part = ["apply", &id, "--only", "REQ-0003", "--only", "REQ-0004", "--confirm", &hash];
    let (code, out, err) = changeset(&tree, &part);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("\nthe changeset stays open with 1 more entry\n"), "{out}");
    assert!(tree.path("docs/top.md").exists() && text(&tree, "docs/session.md").contains("fifteen"));
    let hash = diff_hash(&tree, &id);
    assert_eq!(changeset(&tree, &["apply", &id, "--confirm", &hash]).0, Some(0));
    assert!(text(&tree, "docs/session.md").contains("five minutes"));
}

/// Fails every call from one number on, as when the process is gone.
#[derive(Debug)]
struct Dying {
    count: std::sync::atomic::AtomicUsize,
    at: usize,
}

impl FileCalls for Dying {
    fn before(&self, _call: FileCall, bytes: usize) -> std::io::Result<usize> {
        if self.count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) >= self.at {
            return Err(std::io::Error::from(std::io::ErrorKind::StorageFull));
        }
        Ok(bytes)
    }
}

/// Applies a changeset in this process, which dies at a call.
fn interrupt(root: &Path, id: &str, at: usize) -> Option<apply::ApplyFault> {
    let service =
        docs::ProjectService::load(docs::ProjectRoot::open(root).expect("a root"), &fault::Unwatched)
            .expect("loads");
    let snapshot = service.snapshot().expect("served");
    let pinned = std::sync::Arc::new(Root::pin(root).expect("a root"));
    let paths = &snapshot.contract().paths;
    let calls = Box::new(Dying { count: Default::default(), at });
    let documents = apply::Documents::open_with(&pinned, paths, calls).expect("the root");
    let roots = propose::ConfinedRoots::open(pinned, paths).expect("two folders");
    let shop = apply::Workshop {
        service: &service,
        roots: &roots,
        documents: &documents,
        render: None,
        now: std::time::SystemTime::now(),
    };
    let changeset = propose::ChangesetId::parse(id).expect("an id");
    let confirmed = apply::review(&shop, &snapshot, &changeset, &[]).expect("readable").diff_hash;
    let request = apply::ApplyRequest {
        changeset,
        only: Vec::new(),
        confirmed,
        merges: false,
        who: "a test".to_owned(),
    };
    apply::apply(&shop, &request, &fault::Unwatched).err()
}

#[test]
fn while_a_recovery_is_due_every_command_says_so() {
    let mut directions = Vec::new();
    for at in 0..60 {
        let tree = project();
        let mut agent = Agent::of(&tree);
        let id = agent.changeset("Several");
        agent.edit(&id, "REQ-0002", "fifteen", "five");
        agent.create(&id, "REQ-0003", "New", "docs/new.md", &[]);
        let hash = diff_hash(&tree, &id);
        let Some(fault) = interrupt(&tree.root(), &id, at) else { break };
        if fault.problem != apply::ApplyProblem::RecoveryRequired {
            continue;
        }
        let commands: &[&[&str]] = &[
            &["check"],
            &["index"],
            &["show", "REQ-0001"],
            &["search", "session"],
            &["filter", "type = req"],
            &["links", "REQ-0001"],
            &["sources"],
            &["contract"],
            &["changeset", "list"],
            &["changeset", "show", &id],
            &["changeset", "diff", &id],
            &["changeset", "validate", &id],
            &["changeset", "apply", &id, "--confirm", &hash],
            &["changeset", "reject", &id, "--confirm", &hash],
            &["changeset", "gc"],
        ];
        for command in commands {
            let (code, out, err) = told(&run(&tree, command));
            assert_eq!((code, out.as_str()), (Some(5), ""), "{command:?}: {err}");
            assert!(
                err.starts_with("readroom: recovery_required: ")
                    && err.contains("`readroom docs changeset recover`"),
                "{err}"
            );
        }
        let (code, out, err) = changeset(&tree, &["recover"]);
        assert_eq!(code, Some(0), "{err}");
        let is_finished = out.starts_with(&format!("{id}: finished"));
        assert!(is_finished || out.starts_with(&format!("{id}: undone")), "{out}");
        assert_eq!(text(&tree, "docs/session.md").contains("five minutes"), is_finished);
        assert_eq!(tree.path("docs/new.md").exists(), is_finished);
        directions.push(is_finished);
        assert_eq!(run(&tree, &["check"]).status.code(), Some(0));
        assert_eq!(
            changeset(&tree, &["recover"]),
            (Some(0), "nothing was interrupted\n".to_owned(), String::new())
        );
        if directions.len() >= 3 {
            break;
        }
    }
    assert!(directions.len() >= 2, "{directions:?}");
}

#[test]
fn recover_and_gc_say_what_they_did() {
    let tree = project();
    assert_eq!(
        changeset(&tree, &["recover"]),
        (Some(0), "nothing was interrupted\n".to_owned(), String::new())
    );
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("One");
    tree.file(&format!(".docforge/changesets/{id}/ops/.tmp-1"), "half");
    tree.file(".docforge/changesets/.tmp-2/header.json", "half");
    tree.file(".docforge/previews/.tmp-3", "half");
    let (code, out, err) = changeset(&tree, &["gc"]);
    assert_eq!(code, Some(0), "{err}");
    for path in
        [format!("changesets/{id}/ops/.tmp-1"), "changesets/.tmp-2".to_owned(), "previews/.tmp-3".to_owned()]
    {
        assert!(out.contains(&format!("removed .docforge/{path}\n")), "{path}: {out}");
        assert!(!tree.path(&format!(".docforge/{path}")).exists());
    }
    assert!(out.ends_with("3 leftovers removed, 0 closed changesets moved to the archive\n"), "{out}");
    assert_eq!(changeset(&tree, &["list"]).1.lines().count(), 2);
    assert_eq!(
        changeset(&tree, &["gc"]).1,
        "0 leftovers removed, 0 closed changesets moved to the archive\n"
    );
}

#[test]
fn one_at_a_time_changes_documents() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("One");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    let hash = diff_hash(&tree, &id);
    let lock = std::fs::File::create(tree.path(".docforge/apply.lock")).expect("made");
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).expect("free");
    for verb in ["apply", "reject"] {
        let (code, _, err) = changeset(&tree, &[verb, &id, "--confirm", &hash]);
        assert!(code == Some(3) && err.starts_with("readroom: apply_locked: "), "{err}");
    }
    drop(lock);
    assert_eq!(changeset(&tree, &["apply", &id, "--confirm", &hash]).0, Some(0));
}

#[test]
fn nobody_looking_means_nothing_decided() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("One");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    let hash = diff_hash(&tree, &id);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = std::process::Command::new(super::BINARY)
        .args(["docs", "changeset", "apply", &id, "--confirm", &hash])
        .current_dir(tree.root())
        .env("READROOM_HOME", tree.home())
        .stdout(writer)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(4), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text(&tree, "docs/session.md").contains("fifteen"));
}

#[test]
fn json_is_what_the_tool_of_the_same_meaning_answers() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("One");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    let told = |arguments: &[&str]| {
        let (code, out, err) = changeset(&tree, &[arguments, &["--json"]].concat());
        assert!(err.is_empty() && out.lines().count() == 1, "{arguments:?} {out} {err}");
        (code, serde_json::from_str::<serde_json::Value>(&out).expect("JSON"))
    };
    for (arguments, tool, asked) in [
        (
            ["list", "--state", "open"].as_slice(),
            "docforge_list_changesets",
            serde_json::json!({ "state": "open" }),
        ),
        (
            &["show", &id],
            "docforge_get_changeset",
            serde_json::json!({ "changeset_id": id, "include": ["entries", "log"] }),
        ),
        (&["diff", &id], "docforge_get_changeset_diff", serde_json::json!({ "changeset_id": id })),
        (
            &["diff", "--unified", &id],
            "docforge_get_changeset_diff",
            serde_json::json!({ "changeset_id": id, "format": "unified" }),
        ),
        (&["validate", &id], "docforge_validate_changeset", serde_json::json!({ "changeset_id": id })),
    ] {
        let (code, answer) = told(arguments);
        assert_eq!((code, &answer["ok"]), (Some(0), &true.into()), "{arguments:?}: {answer}");
        assert_eq!(answer["project"]["id"], "example");
        assert_eq!(answer["result"], agent.call(tool, asked), "{arguments:?}");
    }
    let (code, answer) = told(&["show", "cs-01arz3ndektsv4rrffq69g5fav"]);
    assert_eq!((code, &answer["error"]["code"]), (Some(1), &"changeset_not_found".into()));
    agent.delete(&id, "TST-0001", "gone");
    let (code, answer) = told(&["validate", &id]);
    assert_eq!((code, &answer["result"]["verdict"]), (Some(1), &"fail".into()));
    tree.file("docforge.toml", "nothing");
    assert_eq!(changeset(&tree, &["list", "--json"]).0, Some(2));
}
