//! P28: a process that proposes, previews and applies is killed at 300 points that a fixed seed draws. Whenever that is, no
//! file is torn, nothing that it acknowledged is lost, and a recovery reaches all-before or all-after.

use std::io;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use apply::{Due, collect};
use disk::{FileCall, FileCalls};
use propose::*;
use rustix::process::{Signal, getpid, kill_process};
use testkit::Tree;

use crate::bench::{Office, fill, leftovers};

const ROUNDS: usize = 300;
const WORKERS: usize = 4;
const PLACE: &str = "READROOM_KILL_PROJECT";
const CALL: &str = "READROOM_KILL_CALL";

/// Kills its own process right before the call of one number, or in the middle of its bytes.
#[derive(Clone, Debug)]
struct Killing {
    count: Arc<AtomicUsize>,
    at: usize,
}

impl FileCalls for Killing {
    fn before(&self, call: FileCall, bytes: usize) -> io::Result<usize> {
        let now = self.count.fetch_add(1, Ordering::SeqCst);
        if now == self.at {
            kill_process(getpid(), Signal::KILL)?;
        }
        // The write before the end is a short one.
        Ok(if now + 1 == self.at && call == FileCall::Write { bytes.div_ceil(2) } else { bytes })
    }
}

/// The one that is killed: it says each thing once it is done.
#[test]
fn a_worker_in_a_process_of_its_own() {
    let Some(root) = std::env::var_os(PLACE) else { return };
    let at = std::env::var(CALL).expect("a number").parse().expect("a number");
    let calls = Killing { count: Arc::default(), at };
    let mut office = Office::open_with(root.as_ref(), Arc::new(move || Box::new(calls.clone())));
    let say = |line: String| {
        let mut out = io::stdout().lock();
        writeln!(out, "\n{line}").and_then(|()| out.flush()).expect("someone listens");
    };
    loop {
        let count = count_of(&office) + 1;
        let id = office.changeset().expect("made");
        say(format!("made {id} 0"));
        office.retitle(&id, "REQ-1", &format!("Count {count}")).expect("proposed");
        say(format!("made {id} 1"));
        office.retitle(&id, "REQ-2", &format!("Count {count}")).expect("proposed");
        say(format!("made {id} 2"));
        let (comes, goes) = if count % 2 == 1 { ("REQ-8", "REQ-9") } else { ("REQ-9", "REQ-8") };
        office.create(&id, comes, &format!("docs/d{}/new.md", count % 2), &[]).expect("proposed");
        if office.title_of(goes).is_some() {
            office.delete(&id, goes).expect("proposed");
        }
        let version = office.stored(&id).log.version();
        say(format!("made {id} {version}"));
        view(&office, &id);
        office.apply(&id).expect("applied");
        say(format!("applied {count}"));
        office.refresh();
    }
}

/// Writes a page that shows when a piece of it is missing.
fn view(office: &Office, id: &ChangesetId) {
    let shop = office.shop();
    let desk = shop.desk(&office.snapshot);
    let case = Case::open(&desk, office.stored(id)).expect("readable");
    let page = |_: &docs::Snapshot, _: &docs::ViewDef, notes: &PreviewNotes<'_>| {
        let line = format!("{} {}\n", notes.changeset, notes.version);
        Ok(line.repeat(200).into_bytes())
    };
    preview(&desk, &case, "reqs", &page).expect("written");
}

/// The number in the titles; both nodes have the same one.
fn count_of(office: &Office) -> u32 {
    let count = |id: &str| {
        let title = office.title_of(id).expect("served");
        title.strip_prefix("Count ").map_or(0, |count| count.parse().expect("a number"))
    };
    let (one, two) = (count("REQ-1"), count("REQ-2"));
    assert_eq!(one, two, "all before or all after");
    let has = |id: &str| office.title_of(id).is_some();
    assert_eq!((has("REQ-8"), has("REQ-9")), (one % 2 == 1, one > 0 && one % 2 == 0), "{one}");
    one
}

/// One life of a worker, and what it said.
fn live(root: &Path, at: usize) -> Vec<String> {
    let output = Command::new(std::env::current_exe().expect("ourselves"))
        .args(["--exact", "kill::a_worker_in_a_process_of_its_own", "--nocapture"])
        .env(PLACE, root)
        .env(CALL, at.to_string())
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .expect("started");
    let ended = std::os::unix::process::ExitStatusExt::signal(&output.status);
    let said = String::from_utf8(output.stdout).expect("text");
    assert_eq!(ended, Some(Signal::KILL.as_raw()), "killed, not failed: {said}");
    said.lines().map(str::to_owned).collect()
}

fn check(tree: &Tree, said: &[String]) -> Vec<bool> {
    let mut seen = vec![false; 4];
    let mut office = Office::open(&tree.root());
    seen[0] = office.documents.due() == Ok(Due::Yes);
    for settled in office.recover().expect("settled") {
        assert!(settled.left.is_empty());
        seen[if settled.direction == apply::Direction::Forward { 1 } else { 2 }] = true;
    }
    assert_eq!(office.documents.due(), Ok(Due::No));
    office.refresh();
    let count = count_of(&office);
    for line in said {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["made", id, version] => {
                let stored = office.stored(&ChangesetId::parse(id).expect("an id"));
                let version: u32 = version.parse().expect("a number");
                assert!(!stored.log.is_damaged && stored.log.version() >= version, "{line}");
            }
            ["applied", number] => assert!(count >= number.parse().expect("a number"), "{line}"),
            _ => {}
        }
    }
    let store = Store::new(&office.roots);
    for (id, _) in store.ids().expect("readable") {
        let stored = store.read(&id).expect("a header");
        assert!(!stored.log.is_damaged);
        let page = tree.path(&format!(".docforge/previews/{id}--reqs.html"));
        if let Ok(page) = std::fs::read_to_string(page) {
            assert_eq!(page, format!("{id} {}\n", stored.log.version()).repeat(200));
            seen[3] = true;
        }
        if stored.state == ChangesetState::Open {
            office.close(&id, ChangesetState::Withdrawn).expect("withdrawn");
        }
    }
    collect(&office.shop()).expect("swept");
    assert!(leftovers(&tree.root()).is_empty());
    seen
}

#[test]
fn p28_whenever_a_process_is_killed_nothing_is_torn_or_lost() {
    let seen = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| {
                scope.spawn(move || {
                    let tree = Tree::of_many("");
                    fill(&tree);
                    tree.file("docs/one.md", "---\nid: REQ-1\ntype: req\ntitle: One\n---\n");
                    // Knuth's multiplier: the points are the same in every run.
                    let mut state = 0x9E37_79B9_7F4A_7C15_u64 ^ worker as u64;
                    let mut seen = [0_usize; 4];
                    for _ in 0..ROUNDS / WORKERS {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        let at = usize::try_from((state >> 33) % 190).expect("small");
                        let said = live(&tree.root(), at);
                        for (sum, one) in seen.iter_mut().zip(check(&tree, &said)) {
                            *sum += usize::from(one);
                        }
                        tree.remove(".docforge");
                    }
                    seen
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect::<Vec<_>>()
    });
    let sum = |place: usize| seen.iter().map(|one| one[place]).sum::<usize>();
    let (due, forward, previews) = (sum(0), sum(1), sum(3));
    assert!(due > 10 && forward > 5 && previews > 10, "the points were spread: {due} {forward} {previews}");
}
