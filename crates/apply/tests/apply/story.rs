//! What a person sees of the documents and of the changesets before and after they decide.

use std::os::unix::fs::PermissionsExt;

use apply::{ApplyProblem, ApplyRequest, Collected, Due, apply, collect, fingerprint};
use fault::Unwatched;
use propose::*;
use serde_json::json;
use testkit::Tree;

use crate::bench::{MIXED, Office, documents, fill, leftovers};

fn project() -> (Tree, Office) {
    let tree = Tree::of_many("");
    fill(&tree);
    let office = Office::open(&tree.root());
    (tree, office)
}

fn fields(values: serde_json::Value) -> serde_json::Map<String, serde_json::Value> {
    values.as_object().expect("an object").clone()
}

#[test]
fn p36_only_the_proposed_lines_of_a_mixed_file_change() {
    let (tree, office) = project();
    tree.git(&["init", "-q"]);
    tree.git(&["config", "core.autocrlf", "false"]);
    tree.commit("as it was");
    tree.mode("docs/one.md", 0o640);
    let id = office.changeset().expect("made");
    let body = BodyEdit::Edits(vec![Edit {
        find: "Second line.".to_owned(),
        replace: "Another line.".to_owned(),
        occurrence: None,
    }]);
    let change = UpdateRequest {
        fields: fields(json!({ "owner": "Eve" })),
        body: Some(body),
        ..office.change("REQ-1")
    };
    office.update(&id, change).expect("proposed");
    office.create(&id, "REQ-9", "docs/deep/er/nine.md", &["REQ-1"]).expect("proposed");
    let before = documents(&tree.root());
    let applied = office.apply(&id).expect("applied");
    assert_eq!(applied.files, ["docs/deep/er/nine.md", "docs/one.md"]);
    assert!(applied.is_closed && applied.remaining == 0);

    let now = std::fs::read_to_string(tree.path("docs/one.md")).expect("there");
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(MIXED), lines(&now));
    let changed: Vec<(&str, &str)> = old
        .iter()
        .zip(&new)
        .filter(|(old, new)| old != new)
        .map(|(old, new)| (old.as_str(), new.as_str()))
        .collect();
    assert_eq!(old.len(), new.len());
    assert_eq!(changed, [("owner:   Ann\r\n", "owner: Eve\r\n"), ("Second line.\n", "Another line.\n")]);
    let mode = std::fs::metadata(tree.path("docs/one.md")).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let diff = tree.git(&["diff", "--unified=0", "--", "docs/one.md"]);
    let touched: Vec<&str> = diff
        .lines()
        .filter(|line| (line.starts_with('+') || line.starts_with('-')) && !line[1..].starts_with(&line[..1]))
        .map(|line| line.trim_end_matches('\r'))
        .collect();
    assert_eq!(touched, ["-owner:   Ann", "+owner: Eve", "-Second line.", "+Another line."]);
    let after = documents(&tree.root());
    let same = before.iter().filter(|(path, bytes)| after.get(*path) == Some(bytes)).count();
    assert_eq!((same, after.len()), (before.len() - 1, before.len() + 1), "nothing else was touched");

    let stored = office.stored(&id);
    assert_eq!(stored.state, ChangesetState::Applied);
    let outcome = Store::new(&office.roots).outcome(&stored).expect("readable").expect("closed");
    assert_eq!(outcome["who"], "a person");
    let mut office = office;
    assert_eq!(outcome["details"]["before"]["revision"], office.snapshot.revision());
    office.refresh();
    assert_eq!(outcome["details"]["after"]["revision"], office.snapshot.revision());
    assert_eq!(outcome["details"]["after"]["source_hash"], office.snapshot.source_hash().to_string());
    assert_eq!(office.documents.due(), Ok(Due::No));
    assert!(leftovers(&tree.root()).is_empty());
    assert_eq!(
        office.apply(&id).expect_err("closed").problem,
        ApplyProblem::Changeset(Problem::ChangesetClosed)
    );
}

#[test]
fn p36_only_what_was_seen_is_applied() {
    let (tree, mut office) = project();
    let id = office.changeset().expect("made");
    office.retitle(&id, "REQ-1", "Uno").expect("proposed");
    let request = office.request(&id, &[]);
    assert_eq!(fingerprint(request.confirmed).len(), 8);
    let wrong = ApplyRequest { confirmed: docs::Hash::of(&[b"else"]), ..request.clone() };
    let before = documents(&tree.root());
    let refused = |office: &Office, request: &ApplyRequest| {
        apply(&office.shop(), request, &Unwatched).expect_err("refused").problem
    };
    assert_eq!(refused(&office, &wrong), ApplyProblem::FingerprintMismatch);
    // The agent goes on after the person looked.
    office.retitle(&id, "REQ-2", "Due").expect("proposed");
    assert_eq!(refused(&office, &request), ApplyProblem::FingerprintMismatch);
    assert_eq!(documents(&tree.root()), before);
    // The source is edited after the person looked: elsewhere in the node, then in the same place.
    let request = office.request(&id, &[]);
    tree.file("docs/one.md", &MIXED.replace("Third", "Last"));
    assert_eq!(refused(&office, &request), ApplyProblem::FingerprintMismatch);
    office.refresh();
    let request = office.request(&id, &[]);
    assert_eq!(refused(&office, &request), ApplyProblem::Conflict, "mergeable is not merged unasked");
    tree.file("docs/one.md", &MIXED.replace("'One'", "'Ein'"));
    office.refresh();
    let request = ApplyRequest { merges: true, ..office.request(&id, &[]) };
    assert_eq!(refused(&office, &request), ApplyProblem::Conflict);
    tree.file("docs/one.md", &MIXED.replace("Third", "Last"));
    office.refresh();
    let request = ApplyRequest { merges: true, ..office.request(&id, &[]) };
    apply(&office.shop(), &request, &Unwatched).expect("merged");
    let now = std::fs::read_to_string(tree.path("docs/one.md")).expect("there");
    assert_eq!(now, MIXED.replace("Third", "Last").replace("'One'", "Uno"));
}

#[test]
fn p29_what_was_applied_first_is_never_lost() {
    let (tree, mut office) = project();
    let (first, second) = (office.changeset().expect("made"), office.changeset().expect("made"));
    office.retitle(&first, "REQ-1", "Uno").expect("proposed");
    office.retitle(&second, "REQ-1", "Ein").expect("proposed");
    let third = office.changeset().expect("made");
    let owner = UpdateRequest { fields: fields(json!({ "owner": "Eve" })), ..office.change("REQ-1") };
    office.update(&third, owner).expect("proposed");
    for (one, other) in [(&first, &second), (&second, &first)] {
        let seen = office.review(one, &[]).validation.overlaps;
        assert!(seen.iter().any(|overlap| overlap.changeset == *other && overlap.node == "REQ-1"));
    }
    office.apply(&first).expect("applied");
    office.refresh();
    let review = office.review(&second, &[]);
    let entry = &review.validation.entries[0];
    assert_eq!(entry.state, EntryState::ConflictContent);
    let conflict = &entry.conflicts[0];
    assert_eq!(
        (conflict.base.as_ref(), conflict.current.as_ref(), conflict.proposed.as_ref()),
        (Some(&json!("One")), Some(&json!("Uno")), Some(&json!("Ein")))
    );
    let refused = office.apply(&second).expect_err("refused");
    assert_eq!(refused.problem, ApplyProblem::Conflict);
    assert_eq!(refused.about, ["REQ-1: conflict_content"]);
    assert_eq!(office.apply(&third).expect_err("refused").problem, ApplyProblem::Conflict);
    let request = ApplyRequest { merges: true, ..office.request(&third, &[]) };
    apply(&office.shop(), &request, &Unwatched).expect("merged");
    let text = std::fs::read_to_string(tree.path("docs/one.md")).expect("there");
    assert!(text.contains("title: Uno   # quoted") && text.contains("owner: Eve"), "{text}");
    office.close(&second, ChangesetState::Rejected).expect("rejected");
    assert_eq!(office.stored(&second).state, ChangesetState::Rejected);
}

#[test]
fn p34_a_node_goes_only_when_nothing_leads_to_it() {
    let (tree, office) = project();
    let id = office.changeset().expect("made");
    office.delete(&id, "REQ-2").expect("proposed");
    let refused = office.apply(&id).expect_err("REQ-1 leads to it");
    assert_eq!(refused.problem, ApplyProblem::Conflict);
    assert!(refused.about.iter().any(|line| line.contains("V13")), "{:?}", refused.about);
    let change = UpdateRequest {
        add: vec![LinkDraft { relation: "needs".to_owned(), to: "REQ-3".to_owned(), pin: None, note: None }],
        remove: vec![("needs".to_owned(), "REQ-2".to_owned())],
        ..office.change("REQ-1")
    };
    office.update(&id, change).expect("proposed");
    // The removal alone would leave the relation behind.
    let alone = apply(&office.shop(), &office.request(&id, &["REQ-2"]), &Unwatched).expect_err("refused");
    assert_eq!(alone.problem, ApplyProblem::Conflict);
    let other = office.changeset().expect("made");
    office.create(&other, "REQ-8", "docs/eight.md", &["REQ-2"]).expect("proposed");
    let meetings = office.review(&id, &[]).validation.overlaps;
    assert_eq!(meetings[0].meeting, Meeting::LinksToRemoved);
    office.apply(&id).expect("re-targeted in the same changeset");
    assert!(!tree.path("docs/two.md").exists());
}

#[test]
fn a_part_is_applied_and_the_rest_keeps_its_bases() {
    let (tree, mut office) = project();
    let id = office.changeset().expect("made");
    office.retitle(&id, "REQ-1", "Uno").expect("proposed");
    office.create(&id, "REQ-7", "docs/seven.md", &[]).expect("proposed");
    office.create(&id, "REQ-8", "docs/eight.md", &["REQ-7"]).expect("proposed");
    office.retitle(&id, "REQ-3", "Tre").expect("proposed");
    let alone = apply(&office.shop(), &office.request(&id, &["REQ-8"]), &Unwatched).expect_err("refused");
    assert_eq!((alone.problem, alone.about), (ApplyProblem::Conflict, vec!["REQ-8 needs REQ-7".to_owned()]));
    let unknown = apply::review(&office.shop(), &office.snapshot, &id, &["REQ-2".to_owned()]);
    assert_eq!(unknown.expect_err("no entry").problem, ApplyProblem::Changeset(Problem::NodeNotFound));
    let base = office.review(&id, &[]).case.entries["REQ-3"].base.clone();
    let both = apply(&office.shop(), &office.request(&id, &["REQ-7", "REQ-8"]), &Unwatched).expect("applied");
    assert_eq!((both.remaining, both.is_closed), (2, false));
    assert!(tree.path("docs/seven.md").exists() && tree.path("docs/eight.md").exists());
    office.refresh();
    let log = office.stored(&id).log;
    let last = log.operations.last().expect("a note");
    assert_eq!(last.tool, "docs changeset apply");
    assert_eq!(last.entry, Entry::Applied { ids: vec!["REQ-7".to_owned(), "REQ-8".to_owned()], through: 4 });
    let review = office.review(&id, &[]);
    assert_eq!(review.case.entries["REQ-3"].base, base);
    assert!(review.validation.entries.iter().all(|entry| entry.state == EntryState::Clean));
    // The agent can go on in the same changeset, and the last part closes it.
    office.retitle(&id, "REQ-3", "Trois").expect("proposed");
    apply(&office.shop(), &office.request(&id, &["REQ-1"]), &Unwatched).expect("applied");
    office.refresh();
    let rest = apply(&office.shop(), &office.request(&id, &["REQ-3"]), &Unwatched).expect("applied");
    assert_eq!((rest.remaining, rest.is_closed), (0, true));
    office.refresh();
    assert_eq!(office.title_of("REQ-3").as_deref(), Some("Trois"));
}

#[test]
fn nodes_move_with_their_bytes_and_new_folders_are_made() {
    let (tree, mut office) = project();
    let id = office.changeset().expect("made");
    office.relocate(&id, "REQ-1", "docs/a/b/moved.md").expect("proposed");
    office.apply(&id).expect("applied");
    assert_eq!(std::fs::read_to_string(tree.path("docs/a/b/moved.md")).expect("there"), MIXED);
    assert!(!tree.path("docs/one.md").exists());
    office.refresh();
    assert_eq!(office.title_of("REQ-1").as_deref(), Some("One"));
}

#[test]
fn one_at_a_time_applies() {
    let (tree, office) = project();
    let id = office.changeset().expect("made");
    office.retitle(&id, "REQ-1", "Uno").expect("proposed");
    let lock = std::fs::File::create(tree.path(".docforge/apply.lock")).expect("made");
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).expect("free");
    assert_eq!(office.apply(&id).expect_err("locked").problem, ApplyProblem::Locked);
    assert_eq!(
        office.close(&id, ChangesetState::Withdrawn).expect_err("locked").problem,
        ApplyProblem::Locked
    );
    drop(lock);
    office.apply(&id).expect("applied");
}

#[test]
fn a_link_in_the_place_of_a_document_or_of_the_journal_is_not_followed() {
    let (tree, office) = project();
    let id = office.changeset().expect("made");
    office.create(&id, "REQ-9", "docs/deep/nine.md", &[]).expect("proposed");
    let request = office.request(&id, &[]);
    let outside = tree.scratch().join("outside");
    std::fs::create_dir(&outside).expect("made");
    tree.link("docs/deep", &outside);
    assert!(apply(&office.shop(), &request, &Unwatched).is_err());
    tree.remove("docs/deep");
    tree.link(".docforge/apply", &outside);
    assert!(apply(&office.shop(), &request, &Unwatched).is_err());
    assert!(office.documents.due().is_err());
    assert_eq!(std::fs::read_dir(&outside).expect("there").count(), 0);
    tree.remove(".docforge/apply");
    apply(&office.shop(), &request, &Unwatched).expect("applied");
}

#[test]
fn a_changeset_is_closed_once_and_its_leftovers_go() {
    let (tree, office) = project();
    let (one, two) = (office.changeset().expect("made"), office.changeset().expect("made"));
    office.retitle(&one, "REQ-1", "Uno").expect("proposed");
    office.close(&one, ChangesetState::Withdrawn).expect("withdrawn");
    assert_eq!(office.stored(&one).state, ChangesetState::Withdrawn);
    assert_eq!(
        office.close(&one, ChangesetState::Rejected).expect_err("closed").problem,
        ApplyProblem::Changeset(Problem::ChangesetClosed)
    );
    assert!(office.close(&two, ChangesetState::Applied).is_err(), "only applying applies");
    tree.file(&format!(".docforge/changesets/{two}/ops/.tmp-1"), "half");
    tree.file(".docforge/apply/.tmp-2/intent.json", "half");
    tree.file(&format!(".docforge/changesets/{two}/outcome.json"), r#"{"state":"rejected"}"#);
    let collected = collect(&office.shop()).expect("swept");
    assert_eq!(
        collected.removed,
        [format!(".docforge/changesets/{two}/ops/.tmp-1"), ".docforge/apply/.tmp-2".to_owned()]
    );
    assert_eq!(collected.archived, std::slice::from_ref(&two));
    assert!(leftovers(&tree.root()).is_empty());
    assert!(tree.path(&format!(".docforge/changesets/archive/{two}")).exists());
    assert_eq!(collect(&office.shop()), Ok(Collected::default()));
}
