//! Whatever fails and whoever is faster: a changeset has one version or the next one, and its log holds together.

#![expect(clippy::disallowed_methods, reason = "tests look at the files that were made")]

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use disk::{FileCall, FileCalls, Root};
use docs::Paths;
use testkit::Tree;

use super::*;
use crate::content::Item;
use crate::entry::Entry;
use crate::oplog::BaseState;

fn paths() -> Paths {
    Paths {
        changesets: ".docforge/changesets".to_owned(),
        previews: ".docforge/previews".to_owned(),
        index: ".docforge/index".to_owned(),
        baselines: ".docforge/baselines".to_owned(),
    }
}

fn project(tree: &Tree) -> Arc<Root> {
    Arc::new(Root::pin(&tree.root()).expect("a root"))
}

fn roots(tree: &Tree) -> ConfinedRoots {
    ConfinedRoots::open(project(tree), &paths()).expect("two folders")
}

fn id(seconds: u64) -> ChangesetId {
    ChangesetId::new(UNIX_EPOCH + Duration::from_secs(seconds)).expect("random bytes")
}

fn header(id: &ChangesetId) -> Header {
    Header {
        id: id.clone(),
        title: "A title".to_owned(),
        reason: Some("why".to_owned()),
        writer: "agent".to_owned(),
        writer_policy_hash: Hash::of(&[b"policy"]),
        created: "2026-01-01T00:00:00Z".to_owned(),
        idempotency: Some(("key-12345".to_owned(), Hash::of(&[b"arguments"]))),
        base: BaseState {
            revision: "r1-0".to_owned(),
            source_hash: "sha256:0".to_owned(),
            contract_hash: "sha256:1".to_owned(),
            adapter_version: "markdown@1".to_owned(),
            engine: "readroom 0".to_owned(),
        },
    }
}

fn next(log: &Log, title: &str) -> Operation {
    Operation {
        n: log.version() + 1,
        prev: log.tip(),
        time: "2026-01-01T00:00:00Z".to_owned(),
        tool: "docforge_propose_node_update".to_owned(),
        args_hash: Hash::of(&[title.as_bytes()]),
        entry: Entry::Update {
            id: "N-1".to_owned(),
            base: None,
            items: vec![(Item::Title, Some(Value::from(title)))],
            targets: BTreeMap::new(),
        },
    }
}

#[test]
fn a_changeset_reads_back_as_it_was_written() {
    let tree = Tree::new("");
    let roots = roots(&tree);
    let store = Store::new(&roots);
    assert_eq!(store.ids().expect("readable"), []);
    let (early, late) = (id(1), id(2));
    for one in [&early, &late] {
        store.create(&header(one)).expect("writable");
    }
    assert_eq!(store.ids().expect("readable"), [(late, false), (early.clone(), false)]);
    for title in ["one", "two"] {
        let stored = store.read(&early).expect("readable");
        store.append(&stored, &next(&stored.log, title)).expect("writable");
    }
    let stored = store.read(&early).expect("readable");
    assert_eq!(stored.log.header, header(&early));
    assert_eq!((stored.log.version(), stored.log.is_damaged, stored.state), (2, false, ChangesetState::Open));
    let kept = KeptBase {
        content: Content::from_json(
            &json!({"id": "N", "type": "t", "title": "", "fields": {}, "relations": [], "body": ""}),
        )
        .expect("content"),
        span: "---\n".to_owned(),
    };
    store.keep_base(&stored, Hash::of(&[b"b"]), &kept).expect("writable");
    store.keep_base(&stored, Hash::of(&[b"b"]), &kept).expect("kept already");
    assert_eq!(store.base(&stored, Hash::of(&[b"b"])).expect("readable"), Some(kept));
    assert!(store.base_bytes(&stored).expect("readable") > 0);
    assert_eq!(store.read(&id(9)).expect_err("absent").problem, Problem::ChangesetNotFound);
}

#[test]
fn a_closed_changeset_lies_in_the_archive_and_takes_nothing() {
    let tree = Tree::new("");
    let roots = roots(&tree);
    let store = Store::new(&roots);
    let id = id(1);
    store.create(&header(&id)).expect("writable");
    let stored = store.read(&id).expect("readable");
    let outcome = Outcome {
        state: ChangesetState::Rejected,
        who: "me".to_owned(),
        when: "2026".to_owned(),
        details: Value::Null,
    };
    store.close(&stored, &outcome).expect("writable");
    assert_eq!(store.close(&stored, &outcome).expect_err("closed").problem, Problem::ChangesetClosed);
    assert_eq!(
        store.append(&stored, &next(&stored.log, "x")).expect_err("closed").problem,
        Problem::ChangesetClosed
    );
    assert_eq!(store.read(&id).expect("readable").state, ChangesetState::Rejected);
    assert_eq!(store.ids().expect("readable"), [(id, true)]);
}

#[test]
fn damage_is_noticed_and_the_sound_beginning_stays() {
    let tree = Tree::new("");
    let roots = roots(&tree);
    let store = Store::new(&roots);
    let id = id(1);
    store.create(&header(&id)).expect("writable");
    for title in ["one", "two", "three"] {
        let stored = store.read(&id).expect("readable");
        store.append(&stored, &next(&stored.log, title)).expect("writable");
    }
    let at = |file: &str| format!(".docforge/changesets/{id}/{file}");
    let text = |file: &str| std::fs::read_to_string(tree.path(&at(file))).expect("there");
    let check = |version: u32| {
        let stored = store.read(&id).expect("readable");
        assert!(stored.log.is_damaged);
        assert_eq!(stored.log.version(), version);
    };
    let second = text("ops/000002.json");
    tree.file(&at("ops/000002.json"), &second.replace("\"two\"", "\"owt\""));
    check(1);
    tree.remove(&at("ops/000002.json"));
    check(1);
    tree.file(&at("ops/000002.json"), &second);
    assert!(!store.read(&id).expect("readable").log.is_damaged);
    tree.file(&at("ops/.tmp-left"), "half");
    assert!(!store.read(&id).expect("readable").log.is_damaged);
    assert_eq!(store.sweep().expect("writable"), [at("ops/.tmp-left")]);
    tree.file(&at("header.json"), &text("header.json").replace("A title", "B title"));
    check(0);
    tree.file(&at("header.json"), "{}");
    assert_eq!(store.read(&id).expect_err("no header").problem, Problem::Damaged);
}

/// Fails the call of this number, and with `dies` every later one too, as when the process is gone.
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

#[test]
fn whichever_call_fails_the_version_is_the_old_or_the_new_one() {
    for dies in [false, true] {
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::Other] {
            for at in 0.. {
                let tree = Tree::of_many("");
                let calls = Failing { count: Arc::default(), at, dies, kind };
                let handed = calls.clone();
                let roots = ConfinedRoots::open_with(
                    project(&tree),
                    &paths(),
                    Box::new(move || Box::new(handed.clone())),
                )
                .expect("two folders");
                let store = Store::new(&roots);
                let id = id(1);
                let created = store.create(&header(&id));
                let mut appended = None;
                if let (Ok(()), Ok(stored)) = (&created, store.read(&id)) {
                    appended = Some(store.append(&stored, &next(&stored.log, "one")));
                }
                // Somebody else looks at what is there now.
                let other = self::roots(&tree);
                let seen = Store::new(&other).read(&id);
                match (&created, &seen) {
                    (Ok(()), seen) => {
                        let log = &seen.as_ref().expect("acknowledged").log;
                        let least = u32::from(appended.as_ref().is_some_and(Result::is_ok));
                        assert!(!log.is_damaged && (least..=1).contains(&log.version()), "{at}");
                    }
                    (Err(_), Ok(seen)) => assert!(!seen.log.is_damaged && seen.log.version() == 0, "{at}"),
                    (Err(_), Err(fault)) => assert_eq!(fault.problem, Problem::ChangesetNotFound, "{at}"),
                }
                Store::new(&other).sweep().expect("writable");
                let names = Store::new(&other).ids().expect("readable");
                assert_eq!(names.len(), usize::from(seen.is_ok()));
                if appended.is_some_and(|appended| appended.is_ok())
                    && calls.count.load(Ordering::SeqCst) <= at
                {
                    assert!(at >= 15, "every call was made to fail once");
                    break;
                }
            }
        }
    }
}

#[test]
fn of_two_who_race_for_a_number_one_wins() {
    const ROUNDS: u32 = 200;
    let tree = Tree::of_many("");
    let first = roots(&tree);
    let id = id(1);
    Store::new(&first).create(&header(&id)).expect("writable");
    let second = roots(&tree);
    for round in 0..ROUNDS {
        let barrier = std::sync::Barrier::new(2);
        let race = |roots: &ConfinedRoots, title: &str| {
            let store = Store::new(roots);
            let stored = store.read(&id).expect("readable");
            assert_eq!(stored.log.version(), round);
            barrier.wait();
            store.append(&stored, &next(&stored.log, title))
        };
        let outcomes = std::thread::scope(|scope| {
            let one = scope.spawn(|| race(&first, "one"));
            let two = scope.spawn(|| race(&second, "two"));
            [one.join().expect("no panic"), two.join().expect("no panic")]
        });
        let lost: Vec<_> = outcomes.into_iter().filter_map(Result::err).collect();
        assert_eq!(lost.len(), 1);
        assert_eq!(lost[0].problem, Problem::VersionConflict);
        assert_eq!(lost[0].details["version"], round + 1);
        assert_eq!(lost[0].details["last"]["id"], "N-1");
    }
    let stored = Store::new(&first).read(&id).expect("readable");
    assert_eq!((stored.log.version(), stored.log.is_damaged), (ROUNDS, false));
}

#[test]
fn a_folder_that_was_exchanged_is_not_used() {
    let tree = Tree::new("");
    let roots = roots(&tree);
    let store = Store::new(&roots);
    let id = id(1);
    store.create(&header(&id)).expect("writable");
    let stored = store.read(&id).expect("readable");
    let outside = tree.scratch().to_owned();
    tree.rename(".docforge", "elsewhere").link(".docforge", &outside);
    for fault in [
        store.read(&id).expect_err("exchanged"),
        store.append(&stored, &next(&stored.log, "x")).expect_err("exchanged"),
        store.create(&header(&id)).expect_err("exchanged"),
        store.ids().expect_err("exchanged"),
    ] {
        assert_eq!(fault.problem, Problem::RootUnavailable);
    }
    assert!(!outside.join("changesets").try_exists().expect("readable"));
}

#[test]
fn links_are_refused_at_the_start_and_nothing_is_made_for_a_reader() {
    let tree = Tree::new("");
    let opened = roots(&tree);
    Store::new(&opened).ids().expect("readable");
    assert!(!tree.path(".docforge").try_exists().expect("readable"), "reading makes no folder");
    tree.link(".docforge", tree.scratch());
    let fault = ConfinedRoots::open(project(&tree), &paths()).expect_err("a link");
    assert_eq!(fault, crate::roots::RootsFault::Changesets);
}
