//! P28: whichever call to the file system fails, the documents are all as they were or all as they are to be, and nothing
//! acknowledged is lost.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use apply::{ApplyProblem, Direction, Due, collect};
use disk::{FileCall, FileCalls};
use fault::Unwatched;
use propose::*;
use testkit::Tree;

use crate::bench::{Office, documents, fill, leftovers};

/// Fails the call of one number, and with `dies` every later one too, as when the process is gone.
#[derive(Clone, Debug)]
struct Failing {
    count: Arc<AtomicUsize>,
    at: usize,
    dies: bool,
    kind: io::ErrorKind,
}

impl FileCalls for Failing {
    fn before(&self, call: FileCall, bytes: usize) -> io::Result<usize> {
        let now = self.count.fetch_add(1, Ordering::SeqCst);
        if now == self.at || (self.dies && now > self.at) {
            return Err(io::Error::from(self.kind));
        }
        // The write before the failure is a short one.
        Ok(if now + 1 == self.at && call == FileCall::Write { bytes.div_ceil(2) } else { bytes })
    }
}

/// A changeset that changes, makes, moves and removes files.
fn propose_all(office: &Office) -> ChangesetId {
    let id = office.changeset().expect("made");
    office.retitle(&id, "REQ-1", "Uno").expect("proposed");
    office.create(&id, "REQ-9", "docs/new/nine.md", &[]).expect("proposed");
    office.relocate(&id, "REQ-2", "docs/moved/two.md").expect("proposed");
    office.delete(&id, "REQ-3").expect("proposed");
    office.delete(&id, "alpha").expect("proposed");
    id
}

/// Whether a recovery is due. Another test of this process may just be starting a program, which has a copy of every
/// handle, and so of a lock, until it runs.
fn is_due(office: &Office) -> bool {
    loop {
        match office.documents.due().expect("readable") {
            Due::Running => std::thread::yield_now(),
            due => return due == Due::Yes,
        }
    }
}

#[test]
fn p28_whichever_call_fails_all_documents_are_old_or_all_are_new() {
    for (dies, kind) in
        [(false, io::ErrorKind::Other), (true, io::ErrorKind::StorageFull), (true, io::ErrorKind::Other)]
    {
        let (undone, finished) = fail_each_call(dies, kind, &[]);
        assert!(undone > 20 && finished > 5, "{undone} {finished}");
    }
}

#[test]
fn p28_whichever_call_fails_a_part_is_applied_whole_or_not_at_all() {
    for dies in [false, true] {
        let (undone, finished) = fail_each_call(dies, io::ErrorKind::StorageFull, &["REQ-1", "REQ-9"]);
        assert!(undone > 15 && finished > 5, "{undone} {finished}");
    }
}

/// Applies a changeset, or some nodes of it, with the first call failing, then the second, until none does; gives how often
/// it was undone and how often it went through.
fn fail_each_call(dies: bool, kind: io::ErrorKind, only: &[&str]) -> (usize, usize) {
    let after = {
        let tree = Tree::of_many("");
        fill(&tree);
        let office = Office::open(&tree.root());
        let request = office.request(&propose_all(&office), only);
        apply::apply(&office.shop(), &request, &Unwatched).expect("applied");
        documents(&tree.root())
    };
    let (mut undone, mut finished) = (0, 0);
    for at in 0.. {
        let tree = Tree::of_many("");
        fill(&tree);
        let before = documents(&tree.root());
        let plain = Office::open(&tree.root());
        let id = propose_all(&plain);
        let calls = Failing { count: Arc::default(), at, dies, kind };
        let handed = calls.clone();
        let failing = Office::open_with(&tree.root(), Arc::new(move || Box::new(handed.clone())));
        let request = failing.request(&id, only);
        let outcome = apply::apply(&failing.shop(), &request, &Unwatched);
        let is_due = is_due(&plain);
        match &outcome {
            Ok(_) => assert!(!is_due && documents(&tree.root()) == after, "{at}"),
            Err(fault) if fault.problem == ApplyProblem::RecoveryRequired => assert!(is_due, "{at}"),
            Err(fault) => {
                assert_eq!(fault.problem, ApplyProblem::Io, "{at}: {fault:?}");
                assert!(!is_due && documents(&tree.root()) == before, "{at}: nothing was done");
            }
        }
        if is_due {
            // As long as that is so, nobody else applies.
            assert_eq!(plain.apply(&id).expect_err("due").problem, ApplyProblem::RecoveryRequired);
            let settled = plain.recover().expect("settled");
            let now = documents(&tree.root());
            match settled[0].direction {
                Direction::Forward => assert!(now == after, "{at}"),
                Direction::Back => assert!(now == before, "{at}"),
            }
            assert_eq!(plain.documents.due(), Ok(Due::No));
        }
        let now = documents(&tree.root());
        let stored = plain.stored(&id);
        let is_applied = now == after;
        assert!(is_applied || now == before, "{at}: neither old nor new");
        assert!(!stored.log.is_damaged, "{at}");
        // What was proposed is there; a part that was applied has a note behind it.
        let notes = u32::from(is_applied && !only.is_empty());
        assert_eq!(stored.log.version(), 5 + notes, "{at}");
        let is_closed = is_applied && only.is_empty();
        assert_eq!(stored.state == ChangesetState::Applied, is_closed, "{at}");
        assert_eq!(stored.state == ChangesetState::Open, !is_closed, "{at}");
        if is_applied {
            finished += 1;
        } else {
            undone += 1;
        }
        assert_eq!(plain.recover(), Ok(Vec::new()));
        collect(&plain.shop()).expect("swept");
        assert!(leftovers(&tree.root()).is_empty(), "{at}");
        if outcome.is_ok() && calls.count.load(Ordering::SeqCst) <= at {
            return (undone, finished);
        }
    }
    unreachable!("the numbers do not end")
}

#[test]
fn p28_whichever_call_fails_a_changeset_is_open_or_closed() {
    for dies in [false, true] {
        let (mut open, mut closed) = (0, 0);
        for at in 0.. {
            let tree = Tree::of_many("");
            fill(&tree);
            let before = documents(&tree.root());
            let plain = Office::open(&tree.root());
            let id = propose_all(&plain);
            let calls = Failing { count: Arc::default(), at, dies, kind: io::ErrorKind::Other };
            let handed = calls.clone();
            let failing = Office::open_with(&tree.root(), Arc::new(move || Box::new(handed.clone())));
            let outcome = failing.close(&id, ChangesetState::Rejected);
            let stored = plain.stored(&id);
            assert!(!stored.log.is_damaged && stored.log.version() == 5, "{at}");
            assert!(documents(&tree.root()) == before && !is_due(&plain), "{at}");
            match stored.state {
                ChangesetState::Open => {
                    assert!(outcome.is_err(), "{at}: it said that it was closed");
                    open += 1;
                }
                state => {
                    assert_eq!(state, ChangesetState::Rejected, "{at}");
                    closed += 1;
                }
            }
            collect(&plain.shop()).expect("swept");
            assert!(leftovers(&tree.root()).is_empty(), "{at}");
            assert_eq!(plain.stored(&id).state, stored.state, "{at}");
            if outcome.is_ok() && calls.count.load(Ordering::SeqCst) <= at {
                break;
            }
        }
        assert!(open > 3 && closed > 3, "{open} {closed}");
    }
}

#[test]
fn p28_a_recovery_that_fails_can_be_done_again() {
    for stop in [30, 62, 70, 75] {
        for at in 0.. {
            let tree = Tree::of_many("");
            fill(&tree);
            let plain = Office::open(&tree.root());
            let id = propose_all(&plain);
            let office = |at: usize| {
                let calls =
                    Failing { count: Arc::default(), at, dies: true, kind: io::ErrorKind::StorageFull };
                let handed = calls.clone();
                (Office::open_with(&tree.root(), Arc::new(move || Box::new(handed.clone()))), calls)
            };
            let before = documents(&tree.root());
            let _ = office(stop).0.apply(&id);
            let (failing, calls) = office(at);
            let _ = failing.recover();
            plain.recover().expect("settled");
            let now = documents(&tree.root());
            let is_applied = plain.stored(&id).state == ChangesetState::Applied;
            assert!(is_applied || now == before, "{stop} {at}");
            assert!(!is_applied || !tree.path("docs/three.md").exists(), "{stop} {at}");
            if calls.count.load(Ordering::SeqCst) <= at {
                break;
            }
        }
    }
}

#[test]
fn a_document_that_somebody_else_wrote_to_is_left_to_them() {
    let mut met = 0;
    for at in 40..80 {
        let tree = Tree::of_many("");
        fill(&tree);
        let plain = Office::open(&tree.root());
        let id = propose_all(&plain);
        let mut before = documents(&tree.root());
        let calls = Failing { count: Arc::default(), at, dies: true, kind: io::ErrorKind::Other };
        let failing = Office::open_with(&tree.root(), Arc::new(move || Box::new(calls.clone())));
        let _ = failing.apply(&id);
        let now = documents(&tree.root());
        // The process died when some documents had changed and this one had not.
        if now == before || !now.contains_key("docs/three.md") {
            continue;
        }
        met += 1;
        let mine = "---\nid: REQ-3\ntype: req\ntitle: Mine\n---\n";
        tree.file("docs/three.md", mine);
        let settled = plain.recover().expect("settled");
        assert_eq!(settled[0].direction, Direction::Back, "{at}");
        assert_eq!(settled[0].left, ["docs/three.md"], "{at}");
        before.insert("docs/three.md".to_owned(), mine.into());
        assert!(documents(&tree.root()) == before, "{at}: all others are as they were");
        assert_eq!(plain.stored(&id).state, ChangesetState::Open);
    }
    assert!(met > 3, "{met}");
}

/// Saves a document right before a name of the project is exchanged, as an editor may in the same instant.
#[derive(Clone, Debug)]
struct Saving {
    count: Arc<AtomicUsize>,
    at: usize,
    file: std::path::PathBuf,
}

/// What the person saves.
const MINE: &str = "---\nid: REQ-3\ntype: req\ntitle: Mine\n---\n";

impl FileCalls for Saving {
    fn before(&self, call: FileCall, bytes: usize) -> io::Result<usize> {
        if call == FileCall::Publish && self.count.fetch_add(1, Ordering::SeqCst) == self.at {
            std::fs::write(&self.file, MINE)?;
        }
        Ok(bytes)
    }
}

#[test]
fn what_a_person_saves_in_the_last_instant_is_never_lost() {
    for is_removed in [false, true] {
        let (mut refused, mut kept_theirs) = (0, 0);
        for at in 0.. {
            let tree = Tree::of_many("");
            fill(&tree);
            let before = documents(&tree.root());
            let plain = Office::open(&tree.root());
            let id = plain.changeset().expect("made");
            plain.retitle(&id, "REQ-1", "Uno").expect("proposed");
            if is_removed {
                plain.delete(&id, "REQ-3").expect("proposed");
            } else {
                plain.retitle(&id, "REQ-3", "Tre").expect("proposed");
            }
            let calls = Saving { count: Arc::default(), at, file: tree.path("docs/three.md") };
            let handed = calls.clone();
            let saving = Office::open_with(&tree.root(), Arc::new(move || Box::new(handed.clone())));
            let request = saving.request(&id, &[]);
            let outcome = apply::apply(&saving.shop(), &request, &Unwatched);
            let now = documents(&tree.root());
            let is_theirs = now.get("docs/three.md").is_some_and(|bytes| bytes == MINE.as_bytes());
            let is_saved = calls.count.load(Ordering::SeqCst) > at;
            assert_eq!(is_theirs, is_saved, "{at}: {outcome:?}");
            match outcome {
                // Saved after the document had its new text: that is an edit like any other.
                Ok(_) => kept_theirs += u32::from(is_saved),
                Err(fault) => {
                    assert!(is_saved && fault.problem == ApplyProblem::Conflict, "{at}: {fault:?}");
                    assert_eq!(
                        now["docs/one.md"], before["docs/one.md"],
                        "{at}: all others are as they were"
                    );
                    assert_eq!(plain.stored(&id).state, ChangesetState::Open);
                    assert!(!is_due(&plain));
                    refused += 1;
                }
            }
            if !is_saved {
                break;
            }
        }
        assert!(refused >= 2 && kept_theirs >= 2, "{refused} {kept_theirs}");
    }
}

#[test]
fn a_journal_that_cannot_be_read_is_for_a_person() {
    let tree = Tree::of_many("");
    fill(&tree);
    let office = Office::open(&tree.root());
    let id = office.changeset().expect("made");
    tree.file(&format!(".docforge/apply/{id}/intent.json"), "{}");
    assert!(is_due(&office));
    let before = documents(&tree.root());
    let fault = office.recover().expect_err("unreadable");
    assert_eq!(fault.problem, ApplyProblem::RecoveryRequired);
    assert_eq!(fault.about, [format!(".docforge/apply/{id}")]);
    assert!(documents(&tree.root()) == before);
}

#[test]
fn a_journal_that_nobody_here_wrote_changes_nothing_but_documents() {
    let tree = Tree::of_many("");
    fill(&tree);
    let office = Office::open(&tree.root());
    let id = office.changeset().expect("made");
    let forge = |path: &str, folders: &[&str]| {
        let bytes = b"#!/bin/sh\n";
        tree.bytes(&format!(".docforge/apply/{id}/after/000000"), bytes);
        let intent = serde_json::json!({
            "schema": "docforge.apply/1",
            "changeset": id.as_str(),
            "version": 0,
            "ids": [],
            "whole": true,
            "files": [{ "path": path, "before": null, "after": docs::Hash::of(&[bytes]).to_string() }],
            "folders": folders,
            "outcome": {},
        });
        tree.file(&format!(".docforge/apply/{id}/intent.json"), &intent.to_string());
    };
    tree.add(".git/hooks/");
    for (path, folders) in [
        (".git/hooks/post-checkout", [].as_slice()),
        ("docs/.git/x.md", &["docs/.git"]),
        ("Makefile", &[]),
        ("docforge.toml", &[]),
        (".docforge/changesets/x.md", &[]),
        ("docs/new.md", &["bin"]),
        ("docs/../x.md", &[]),
    ] {
        forge(path, folders);
        let before = documents(&tree.root());
        let fault = office.recover().expect_err("not ours");
        assert_eq!(fault.problem, ApplyProblem::RecoveryRequired, "{path}: {fault:?}");
        assert!(documents(&tree.root()) == before && !tree.path("bin").exists(), "{path}");
        assert!(
            !tree.path(".git/hooks/post-checkout").exists() && !tree.path("docs/.git").exists(),
            "{path}"
        );
        assert!(!tree.path(".docforge/changesets/x.md").exists(), "{path}");
    }
    // What it may name is finished as any other.
    forge("docs/a/new.md", &["docs/a"]);
    assert_eq!(office.recover().expect("settled")[0].direction, Direction::Forward);
    assert!(tree.path("docs/a/new.md").exists());
}
