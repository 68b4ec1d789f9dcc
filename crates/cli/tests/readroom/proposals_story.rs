//! From what an agent proposes to what a person has in the documents, at a terminal and in a shell: only the proposed lines
//! change, nothing is merged unseen, and nobody's text is lost.

use testkit::Tree;

use super::agent::Agent;
use super::proposals::{changeset, diff_hash, project};
use super::terminal::Terminal;

/// Comments, quotes and two kinds of line ends, as people leave them.
const MIXED: &str = "---\r\n# agreed in the meeting\r\nid: REQ-0005\r\ntype: req\ntitle: 'Audit log'   # keep the quotes\r\nstatus: draft # for now\n---\r\nEvery login is logged.\r\n\nEvery failure too.\n\r\nNothing else.";

fn mixed() -> (Tree, String) {
    let tree = project();
    tree.file("docs/audit.md", MIXED);
    tree.git(&["init", "-q"]);
    tree.git(&["config", "core.autocrlf", "false"]);
    tree.file(".gitignore", ".docforge/\n");
    tree.commit("as it was");
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("Log more");
    agent.set(&id, "REQ-0005", serde_json::json!({ "status": "retired" }));
    agent.edit(&id, "REQ-0005", "Every failure too.", "Every failure, and who it was.");
    (tree, id)
}

fn text(tree: &Tree, path: &str) -> String {
    std::fs::read_to_string(tree.path(path)).expect("there")
}

/// Lines that git says differ, without their marks' file names.
fn differing(tree: &Tree, path: &str) -> Vec<String> {
    let diff = tree.git(&["diff", "--unified=0", "--", path]);
    let is_line = |line: &&str| {
        (line.starts_with('+') || line.starts_with('-'))
            && !line.starts_with("+++")
            && !line.starts_with("---")
    };
    diff.split('\n').filter(is_line).map(str::to_owned).collect()
}

#[test]
fn p36_a_person_at_a_terminal_types_the_fingerprint_and_only_the_proposed_lines_change() {
    let (tree, id) = mixed();
    let mut terminal = Terminal::start(&tree, &["changeset", "apply", &id], &[]);
    let shown = terminal.until("behind `sha256:`: ");
    assert!(shown.contains("verdict: pass"), "{shown}");
    assert!(
        shown.contains("\u{1B}[31m    - status: draft\u{1B}[0m\n\u{1B}[32m    + status: retired\u{1B}[0m\n"),
        "{shown}"
    );
    let hash = shown.split("diff_hash: sha256:").nth(1).expect("a hash")[..8].to_owned();
    assert_eq!(text(&tree, "docs/audit.md"), MIXED, "nothing before the word");
    terminal.type_line(&hash);
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains(&format!("applied {id}: REQ-0005 in 1 file")), "{shown}");
    let now = text(&tree, "docs/audit.md");
    let expected =
        MIXED.replace("status: draft", "status: retired").replace("failure too.", "failure, and who it was.");
    assert_eq!(now, expected);
    assert_eq!(
        differing(&tree, "docs/audit.md"),
        [
            "-status: draft # for now",
            "+status: retired # for now",
            "-Every failure too.",
            "+Every failure, and who it was."
        ]
    );
    assert_eq!(
        tree.git(&["status", "--porcelain"]),
        " M docs/audit.md\n",
        "nothing else, and nothing committed"
    );
}

#[test]
fn p36_a_wrong_word_changes_nothing() {
    let (tree, id) = mixed();
    let hash = diff_hash(&tree, &id);
    for typed in ["00000000", "", "yes", &hash[7..14]] {
        let mut terminal = Terminal::start(&tree, &["changeset", "apply", &id], &[("NO_COLOR", "1")]);
        let shown = terminal.until("behind `sha256:`: ");
        assert!(!shown.contains('\u{1B}'), "no colour when nobody wants it");
        terminal.type_line(typed);
        let (code, shown) = terminal.end();
        assert_eq!(code, Some(3), "{shown}");
        assert!(shown.contains("readroom: apply_fingerprint_mismatch: "), "{shown}");
    }
    assert_eq!(text(&tree, "docs/audit.md"), MIXED);
    assert_eq!(tree.git(&["status", "--porcelain"]), "");
    let mut terminal = Terminal::start(&tree, &["changeset", "reject", &id], &[("NO_COLOR", "1")]);
    terminal.until("To reject this, type ");
    terminal.type_line(&hash[7..15]);
    assert_eq!(terminal.end().0, Some(0));
    assert_eq!(text(&tree, "docs/audit.md"), MIXED);
}

#[test]
fn p36_a_source_that_is_edited_while_the_person_reads_is_not_written_over() {
    let (tree, id) = mixed();
    // In the same node: what was confirmed is not what would be applied.
    let mut terminal = Terminal::start(&tree, &["changeset", "apply", &id], &[]);
    let shown = terminal.until("behind `sha256:`: ");
    let hash = shown.split("diff_hash: sha256:").nth(1).expect("a hash")[..8].to_owned();
    let mine = MIXED.replace("Nothing else.", "Nothing more.");
    tree.file("docs/audit.md", &mine);
    terminal.type_line(&hash);
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(3), "{shown}");
    assert!(shown.contains("apply_fingerprint_mismatch"), "{shown}");
    assert_eq!(text(&tree, "docs/audit.md"), mine);
    // Then it is told before anybody is asked, and put together only on request.
    let (code, shown) = Terminal::start(&tree, &["changeset", "apply", &id], &[]).end();
    assert_eq!(code, Some(3));
    assert!(
        shown.contains("apply_conflict: ")
            && shown.contains("--merge")
            && shown.contains("REQ-0005: mergeable"),
        "{shown}"
    );
    // A comment that nobody proposed anything for stays with the rest.
    let mine = mine.replace("# agreed in the meeting", "# agreed twice");
    let mut terminal = Terminal::start(&tree, &["changeset", "apply", &id, "--merge"], &[]);
    let shown = terminal.until("behind `sha256:`: ");
    let hash = shown.split("diff_hash: sha256:").nth(1).expect("a hash")[..8].to_owned();
    tree.file("docs/audit.md", &mine);
    terminal.type_line(&hash.to_uppercase());
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
    let expected =
        mine.replace("status: draft", "status: retired").replace("failure too.", "failure, and who it was.");
    assert_eq!(text(&tree, "docs/audit.md"), expected);
}

#[test]
fn a_terminal_shows_text_of_documents_and_obeys_none_of_it() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("\u{1B}]0;owned\u{7}");
    agent.edit(&id, "REQ-0002", "fifteen", "\u{1B}[2J\u{202E}nine\u{9B}1m");
    for (arguments, variables) in [
        (["changeset", "list", ""], [("NO_COLOR", "1")]),
        (["changeset", "show", &id], [("NO_COLOR", "1")]),
        (["changeset", "diff", &id], [("NO_COLOR", "1")]),
        (["changeset", "validate", &id], [("TERM", "dumb")]),
    ] {
        let arguments: Vec<&str> = arguments.into_iter().filter(|word| !word.is_empty()).collect();
        let (code, shown) = Terminal::start(&tree, &arguments, &variables).end();
        assert_eq!(code, Some(0), "{shown}");
        let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202E}';
        assert!(!shown.contains(steers), "{arguments:?} {shown:?}");
    }
    let (_, shown) =
        Terminal::start(&tree, &["changeset", "diff", "--unified", &id], &[("NO_COLOR", "1")]).end();
    assert!(shown.contains("+A session ends after \\u001B[2J\\u202Enine\\u009B1m minutes"), "{shown}");
    // A program gets the patch as it is.
    let (_, patch, _) = changeset(&tree, &["diff", "--unified", &id]);
    assert!(patch.contains("+A session ends after \u{1B}[2J\u{202E}nine\u{9B}1m minutes"), "{patch}");
}

#[test]
fn p29_of_two_proposals_for_one_node_none_is_lost() {
    let tree = project();
    let mut agent = Agent::of(&tree);
    let first = agent.changeset("First");
    agent.retitle(&first, "REQ-0001", "People sign in");
    let second = agent.changeset("Second");
    agent.retitle(&second, "REQ-0001", "Users log in");
    let third = agent.changeset("Third");
    agent.edit(&third, "REQ-0001", "an account", "a valid account");
    // Each is told of the others before anything is applied.
    for (one, others) in
        [(&first, [&second, &third]), (&second, [&first, &third]), (&third, [&first, &second])]
    {
        for verb in ["show", "diff", "validate"] {
            let (_, out, _) = changeset(&tree, &[verb, one]);
            for other in others {
                assert!(out.contains(&format!("    {other}  REQ-0001  same_node\n")), "{verb}: {out}");
            }
        }
    }
    let hash = diff_hash(&tree, &first);
    assert_eq!(changeset(&tree, &["apply", &first, "--confirm", &hash]).0, Some(0));

    let (code, out, _) = changeset(&tree, &["validate", &second]);
    assert!(code == Some(3) && out.contains("verdict: conflict\n"), "{out}");
    let (_, out, _) = changeset(&tree, &["diff", &second]);
    assert!(out.contains("update REQ-0001  docs/login.md  [conflict_content]\n"), "{out}");
    assert!(
        out.contains(
            "    ! title was changed elsewhere too\n        then:     People log in\n        now:      People sign in\n        proposed: Users log in\n"
        ),
        "{out}"
    );
    for flags in [["--confirm", &diff_hash(&tree, &second), "--merge"].as_slice(), &["--merge"], &[]] {
        let (code, _, err) = changeset(&tree, &[&["apply", second.as_str()], flags].concat());
        assert_eq!(code, Some(3));
        assert!(
            err.starts_with("readroom: apply_conflict: ") && err.contains("REQ-0001: conflict_content"),
            "{err}"
        );
    }
    assert!(text(&tree, "docs/login.md").contains("title: People sign in\n"));

    let (code, out, _) = changeset(&tree, &["diff", &third]);
    assert!(code == Some(0) && out.contains("[mergeable]\n"), "{out}");
    let hash = diff_hash(&tree, &third);
    let (code, _, err) = changeset(&tree, &["apply", &third, "--confirm", &hash]);
    assert!(code == Some(3) && err.contains("pass --merge"), "{err}");
    assert_eq!(changeset(&tree, &["apply", &third, "--merge", "--confirm", &hash]).0, Some(0));
    let now = text(&tree, "docs/login.md");
    assert!(now.contains("title: People sign in\n") && now.contains("who has a valid account"), "{now}");
}

/// The whole way of one change: an agent proposes, a person looks, applies, and looks at what git says.
#[test]
fn an_agent_proposes_and_a_person_applies() {
    let tree = project();
    let session = "---\r\n# limits are agreed with support\r\nid: REQ-0002\r\ntype: req\r\ntitle: Sessions end\r\nstatus: approved # 2026\r\nrefines: [REQ-0001]\r\n---\r\nA session ends after fifteen minutes without activity.\r\n";
    tree.file("docs/session.md", session);
    tree.git(&["init", "-q"]);
    tree.git(&["config", "core.autocrlf", "false"]);
    tree.file(".gitignore", ".docforge/\n");
    tree.commit("as it was");

    let mut agent = Agent::of(&tree);
    let contract = agent.call("docforge_get_contract", serde_json::json!({ "type": "req" }));
    assert!(contract.to_string().contains("REQ-<4 digits>"), "{contract}");
    let found = agent.call("docforge_search", serde_json::json!({ "query": "session activity" }));
    assert_eq!(found["hits"][0]["id"], "REQ-0002", "{found}");
    let older = agent.changeset("Longer sessions");
    agent.edit(&older, "REQ-0002", "fifteen", "sixty");
    let id = agent.changeset("Shorter sessions, and a lock");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    agent.create(&id, "REQ-0003", "Wrong passwords lock", "docs/lockout.md", &["REQ-0001"]);
    let validated = agent.call("docforge_validate_changeset", serde_json::json!({ "changeset_id": id }));
    assert_eq!(validated["verdict"], "pass", "{validated}");
    assert_eq!(validated["overlaps"][0]["changeset_id"], older.as_str(), "{validated}");
    let compared = agent.call("docforge_get_changeset_diff", serde_json::json!({ "changeset_id": id }));
    assert_eq!(tree.git(&["status", "--porcelain"]), "", "no document was touched");

    let (code, out, _) = changeset(&tree, &["validate", &id]);
    assert!(code == Some(0) && out.contains("verdict: pass"), "{out}");
    let mut terminal = Terminal::start(&tree, &["changeset", "apply", &id], &[("NO_COLOR", "1")]);
    let shown = terminal.until("behind `sha256:`: ");
    assert!(shown.contains(&format!("    {older}  REQ-0002  same_node\n")), "{shown}");
    let hash = shown.split("diff_hash: sha256:").nth(1).expect("a hash")[..8].to_owned();
    assert!(compared["diff_hash"].as_str().expect("a hash").starts_with(&format!("sha256:{hash}")));
    terminal.type_line(&hash);
    let (code, shown) = terminal.end();
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.contains("findings of the project: 0 new, 0 fixed, 0 stay"), "{shown}");

    assert_eq!(text(&tree, "docs/session.md"), session.replace("fifteen", "five"));
    assert_eq!(
        differing(&tree, "docs/session.md"),
        [
            "-A session ends after fifteen minutes without activity.\r",
            "+A session ends after five minutes without activity.\r"
        ]
    );
    assert_eq!(
        text(&tree, "docs/lockout.md"),
        "---\nid: REQ-0003\ntype: req\ntitle: Wrong passwords lock\nstatus: draft\nrefines: [REQ-0001]\n---\nWrong passwords lock.\n"
    );
    assert_eq!(tree.git(&["status", "--porcelain"]), " M docs/session.md\n?? docs/lockout.md\n");

    // The agent sees what became of it, and that its older proposal now meets a person's text.
    let applied = agent.call("docforge_get_changeset", serde_json::json!({ "changeset_id": id }));
    assert_eq!(applied["state"], "applied");
    let older_now = agent.call("docforge_validate_changeset", serde_json::json!({ "changeset_id": older }));
    assert_eq!(
        (&older_now["verdict"], &older_now["entries"][0]["base_state"]),
        (&"conflict".into(), &"conflict_content".into())
    );
    // So does the person, with what both sides say.
    let (code, out, _) = changeset(&tree, &["diff", &older]);
    assert_eq!(code, Some(0));
    let conflict = "    ! body was changed elsewhere too\n        now, beside what it was then:\n        @@ -1 +1 @@\n        -A session ends after fifteen minutes without activity.\n        +A session ends after five minutes without activity.\n        proposed, beside what it was then:\n        @@ -1 +1 @@\n        -A session ends after fifteen minutes without activity.\n        +A session ends after sixty minutes without activity.\n";
    assert!(out.contains(conflict), "{out}");
    let (code, _, err) = changeset(&tree, &["apply", &older, "--confirm", &diff_hash(&tree, &older)]);
    assert!(code == Some(3) && err.contains("apply_conflict"), "{err}");
}

/// What the page for people says is what happens: its commands are run in order, with an agent at work after the first ones.
#[test]
fn the_commands_of_the_page_run() {
    let page = include_str!("../../../../docs/proposals.md");
    let blocks: Vec<&str> =
        page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let (begin, rest) = blocks.split_first().expect("commands");
    assert!(rest.len() >= 4, "{blocks:?}");
    let tree = Tree::new("");
    shell(&tree, begin);
    let mut agent = Agent::of(&tree);
    let id = agent.changeset("Shorter sessions");
    agent.edit(&id, "REQ-0002", "fifteen", "five");
    agent.create(&id, "REQ-0003", "Wrong passwords lock", "docs/lockout.md", &["REQ-0001"]);
    let out = shell(&tree, &rest.concat());
    // The difference is printed on the page as it is printed here.
    let shown =
        page.split("```text\n").nth(1).and_then(|rest| rest.split("meets other").next()).expect("a block");
    assert!(out.contains(shown), "{shown}\n{out}");
    for expected in [
        &format!("applied {id}: REQ-0002, REQ-0003 in 2 files\n"),
        "+A session ends after five minutes",
        "0 error(s), 0 warning(s), 0 info(s); 4 node(s)",
        "nothing was interrupted\n",
        "0 leftovers removed",
    ] {
        assert!(out.contains(expected), "{expected:?} in {out}");
    }
}

/// Runs lines as a person does; stops at the first that fails.
pub(super) fn shell(tree: &Tree, lines: &str) -> String {
    let folder = std::path::Path::new(super::BINARY).parent().expect("a folder").to_str().expect("UTF-8");
    let path = std::env::var("PATH").expect("a path");
    let output = std::process::Command::new("bash")
        .args(["-euo", "pipefail", "-c", lines])
        .current_dir(tree.root())
        .env_clear()
        .env("PATH", format!("{folder}:{path}"))
        .env("HOME", tree.home())
        .env("READROOM_HOME", tree.home())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .envs([("GIT_AUTHOR_NAME", "Test"), ("GIT_AUTHOR_EMAIL", "test@example.invalid")])
        .envs([("GIT_COMMITTER_NAME", "Test"), ("GIT_COMMITTER_EMAIL", "test@example.invalid")])
        .output()
        .expect("bash runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{lines}\n{}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}
