//! Pins that a person sets: whichever call to the file system fails, every document has them or none has, and nodes that pin
//! each other in a circle are refused.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use apply::{ApplyProblem, Direction, Due, PinRequest, accept_pins, collect};
use disk::{FileCall, FileCalls};
use fault::Unwatched;
use testkit::Tree;

use crate::bench::{MANIFEST, Office, documents, fill, leftovers};

/// Fails every call from the one of a number on.
#[derive(Clone, Debug)]
struct Dying {
    count: Arc<AtomicUsize>,
    at: usize,
}

impl FileCalls for Dying {
    fn before(&self, _call: FileCall, bytes: usize) -> io::Result<usize> {
        let now = self.count.fetch_add(1, Ordering::SeqCst);
        if now >= self.at { Err(io::Error::from(io::ErrorKind::StorageFull)) } else { Ok(bytes) }
    }
}

fn project(relation: &str) -> Tree {
    let tree = Tree::of_many("");
    fill(&tree);
    let inverse = "inverse = \"needed_by\"";
    tree.file("docforge.toml", &MANIFEST.replace(inverse, &format!("{inverse}\npin = \"required\"")));
    tree.file("docs/three.md", &format!("---\nid: REQ-3\ntype: req\ntitle: Three\n{relation}---\nBody.\n"));
    tree
}

fn request(ids: &[&str]) -> PinRequest {
    let ids = ids.iter().map(|id| (*id).to_owned()).collect();
    PinRequest { ids, pins_all: false, who: "a person".to_owned() }
}

#[test]
fn whichever_call_fails_all_pins_are_set_or_none() {
    let wanted = request(&["REQ-3", "REQ-1"]);
    let after = {
        let tree = project("needs:\n  - REQ-1 # first\n");
        let office = Office::open(&tree.root());
        let pinned = accept_pins(&office.shop(), &wanted, &Unwatched).expect("set");
        assert_eq!(pinned.pins.len(), 2, "{pinned:?}");
        assert_eq!(pinned.files, ["docs/one.md", "docs/three.md"]);
        documents(&tree.root())
    };
    let (mut undone, mut finished) = (0, 0);
    for at in 0.. {
        let tree = project("needs:\n  - REQ-1 # first\n");
        let before = documents(&tree.root());
        let plain = Office::open(&tree.root());
        let calls = Dying { count: Arc::default(), at };
        let handed = calls.clone();
        let failing = Office::open_with(&tree.root(), Arc::new(move || Box::new(handed.clone())));
        let outcome = accept_pins(&failing.shop(), &wanted, &Unwatched);
        if let Err(fault) = &outcome {
            assert!(
                matches!(fault.problem, ApplyProblem::Io | ApplyProblem::RecoveryRequired),
                "{at}: {fault:?}"
            );
        }
        for settled in plain.recover().expect("settled") {
            let now = documents(&tree.root());
            assert!(
                now == if settled.direction == Direction::Forward { after.clone() } else { before.clone() }
            );
        }
        let now = documents(&tree.root());
        assert!(now == after || now == before, "{at}: neither old nor new");
        assert_eq!(plain.documents.due(), Ok(Due::No));
        collect(&plain.shop()).expect("swept");
        assert!(leftovers(&tree.root()).is_empty(), "{at}");
        if now == after {
            finished += 1;
        } else {
            undone += 1;
        }
        if outcome.is_ok() && calls.count.load(Ordering::SeqCst) <= at {
            assert!(undone > 5 && finished > 2, "{undone} {finished}");
            return;
        }
    }
}

#[test]
fn a_circle_of_pins_is_refused_and_nothing_is_written() {
    let tree = project("needs: [REQ-4]\n");
    tree.file("docs/four.md", "---\nid: REQ-4\ntype: req\ntitle: Four\nneeds: [REQ-3]\n---\n");
    let before = documents(&tree.root());
    let office = Office::open(&tree.root());
    let fault = accept_pins(&office.shop(), &request(&["REQ-3", "REQ-4"]), &Unwatched).expect_err("refused");
    assert_eq!(fault.problem, ApplyProblem::Conflict);
    assert!(fault.message.contains("pin_fields"), "{fault}");
    assert!(documents(&tree.root()) == before);
}
