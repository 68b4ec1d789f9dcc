//! P28: whichever call to the file system fails, the documents are all as they were or all as they are to be, and nothing
//! acknowledged is lost.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use apply::{ApplyProblem, Direction, Due, collect};
use disk::{FileCall, FileCalls};
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
    let after = {
        let tree = Tree::of_many("");
        fill(&tree);
        let office = Office::open(&tree.root());
        office.apply(&propose_all(&office)).expect("applied");
        documents(&tree.root())
    };
    for (dies, kind) in
        [(false, io::ErrorKind::Other), (true, io::ErrorKind::StorageFull), (true, io::ErrorKind::Other)]
    {
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
            let outcome = failing.apply(&id);
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
            assert!(!stored.log.is_damaged && stored.log.version() == 5, "{at}: what was proposed is there");
            if now == after {
                assert_eq!(stored.state, ChangesetState::Applied, "{at}");
                finished += 1;
            } else {
                assert!(now == before, "{at}: neither old nor new");
                assert_eq!(stored.state, ChangesetState::Open, "{at}");
                undone += 1;
            }
            assert_eq!(plain.recover(), Ok(Vec::new()));
            collect(&plain.shop()).expect("swept");
            assert!(leftovers(&tree.root()).is_empty(), "{at}");
            if outcome.is_ok() && calls.count.load(Ordering::SeqCst) <= at {
                assert!(at > 60 && undone > 20 && finished > 5, "{at} {undone} {finished}");
                break;
            }
        }
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
