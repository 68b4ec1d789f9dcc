//! P27: of two processes that race for the next number of one changeset, exactly one gets it, every time.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use apply::Due;
use disk::{FileCall, FileCalls};
use propose::*;
use testkit::Tree;

use crate::bench::{Office, fill};

/// As many as a changeset may have operations.
const ROUNDS: u32 = 200;
const PLACE: &str = "READROOM_RACE_PROJECT";

/// Waits for a word right before the operation gets its number, so that both racers stand there at once.
#[derive(Clone, Debug)]
struct Start(Arc<AtomicUsize>);

impl FileCalls for Start {
    fn before(&self, call: FileCall, bytes: usize) -> io::Result<usize> {
        // The first name of a call is that of the base, the second one that of the operation.
        if call == FileCall::Publish && self.0.fetch_add(1, Ordering::SeqCst) == 1 {
            io::stdout().write_all(b"\nready\n")?;
            io::stdin().read_line(&mut String::new())?;
        }
        Ok(bytes)
    }
}

/// The racer: on each line it proposes for the version that the line says, and says what came of it.
#[test]
fn a_racer_in_a_process_of_its_own() {
    let Some(root) = std::env::var_os(PLACE) else { return };
    let start = Start(Arc::default());
    let handed = start.clone();
    let office = Office::open_with(root.as_ref(), Arc::new(move || Box::new(handed.clone())));
    let mut line = String::new();
    // A line of our own: the test harness writes before it.
    println!("\nhere");
    while io::stdin().read_line(&mut line).expect("readable") > 0 {
        let words: Vec<&str> = line.trim().split(' ').collect();
        let (id, version) =
            (ChangesetId::parse(words[0]).expect("an id"), words[1].parse().expect("a number"));
        start.0.store(0, Ordering::SeqCst);
        match office.retitle_at(&id, version, "REQ-1", words[2]) {
            Ok(accepted) => println!("\nwon {}", accepted.version),
            Err(fault) => println!("\n{} {}", fault.problem.as_str(), fault.details["version"]),
        }
        line.clear();
    }
}

struct Racer(Child, BufReader<ChildStdout>);

impl Racer {
    fn start(tree: &Tree) -> Racer {
        let mut child = Command::new(std::env::current_exe().expect("ourselves"))
            .args(["--exact", "race::a_racer_in_a_process_of_its_own", "--nocapture"])
            .env(PLACE, tree.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let out = BufReader::new(child.stdout.take().expect("piped"));
        let mut racer = Racer(child, out);
        while racer.line() != "here" {}
        racer
    }

    fn say(&mut self, line: &str) {
        writeln!(self.0.stdin.as_mut().expect("piped"), "{line}").expect("alive");
    }

    fn line(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.1.read_line(&mut line).expect("readable") > 0, "the racer ended");
            if !line.trim().is_empty() {
                return line.trim().to_owned();
            }
        }
    }
}

impl Drop for Racer {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

#[test]
fn p27_of_two_processes_one_gets_each_number() {
    let tree = Tree::of_many("");
    fill(&tree);
    let office = Office::open(&tree.root());
    let id = office.changeset().expect("made");
    let mut racers = [Racer::start(&tree), Racer::start(&tree)];
    let mut wins = [0, 0];
    for version in 0..ROUNDS {
        for (racer, name) in racers.iter_mut().zip(["one", "two"]) {
            racer.say(&format!("{id} {version} {name}-{version}"));
        }
        for racer in &mut racers {
            assert_eq!(racer.line(), "ready", "both believe in version {version}");
        }
        for racer in &mut racers {
            racer.say("go");
        }
        let next = version + 1;
        let (won, lost) = (format!("won {next}"), format!("changeset_version_conflict {next}"));
        let answers = racers.each_mut().map(Racer::line);
        let winner = answers.iter().position(|answer| *answer == won).expect("one wins");
        assert_eq!(answers[1 - winner], lost);
        wins[winner] += 1;
        let log = office.stored(&id).log;
        assert_eq!((log.version(), log.is_damaged), (next, false));
        let Some(Entry::Update { items, .. }) = log.operations.last().map(|one| &one.entry) else {
            panic!("an update is the last");
        };
        let title = format!("{}-{version}", ["one", "two"][winner]);
        assert_eq!(items[0].1.as_ref().and_then(serde_json::Value::as_str), Some(title.as_str()));
    }
    assert_eq!(wins[0] + wins[1], ROUNDS);
}

/// Who only looks never believes that a run which is over, or still going on, is to be recovered.
#[test]
fn a_run_that_goes_on_is_never_due() {
    let tree = Tree::of_many("");
    fill(&tree);
    let mut office = Office::open(&tree.root());
    let looker = Office::open(&tree.root());
    let is_over = AtomicBool::new(false);
    let (looks, seen) = std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let (mut looks, mut seen) = (0, Vec::new());
            while !is_over.load(Ordering::SeqCst) {
                seen.push(looker.documents.due().expect("readable"));
                looks += 1;
                seen.sort_by_key(|due| *due as u8);
                seen.dedup();
            }
            (looks, seen)
        });
        let mut refused = Vec::new();
        for round in 0..60 {
            let id = office.changeset().expect("made");
            office.retitle(&id, "REQ-1", &format!("Round {round}")).expect("proposed");
            refused.extend(office.apply(&id).err());
            office.refresh();
        }
        is_over.store(true, Ordering::SeqCst);
        assert_eq!(refused, []);
        looking.join().expect("no panic")
    });
    assert!(looks > 60 && seen.contains(&Due::Running), "{looks} {seen:?}");
    assert!(!seen.contains(&Due::Yes), "{seen:?}");
}

/// An agent goes on while a person applies: what was accepted is in the documents or still open, never gone.
#[test]
fn what_is_accepted_while_a_person_applies_is_applied_or_stays_open() {
    let (mut in_documents, mut still_open) = (0, 0);
    for round in 0..40 {
        let tree = Tree::of_many("");
        fill(&tree);
        let mut person = Office::open(&tree.root());
        let agent = Office::open(&tree.root());
        let id = agent.changeset().expect("made");
        agent.retitle(&id, "REQ-1", "Uno").expect("proposed");
        let is_over = AtomicBool::new(false);
        let (last, applied) = std::thread::scope(|scope| {
            let proposing = scope.spawn(|| {
                let mut last = None;
                for number in 0..30 {
                    let title = format!("{round}.{number}");
                    match agent.retitle(&id, "REQ-2", &title) {
                        Ok(_) => last = Some(title),
                        // Closed, or another was faster: it was told, so it is not lost.
                        Err(_) if is_over.load(Ordering::SeqCst) => break,
                        Err(_) => {}
                    }
                }
                last
            });
            let applied = person.apply(&id);
            is_over.store(true, Ordering::SeqCst);
            (proposing.join().expect("no panic"), applied)
        });
        let Some(last) = last else { continue };
        person.refresh();
        let stored = person.stored(&id);
        assert!(!stored.log.is_damaged);
        let is_served = person.title_of("REQ-2").as_deref() == Some(last.as_str());
        let entries = effective(&stored.log);
        let change = entries.get("REQ-2").and_then(|entry| entry.items.get(&Item::Title));
        let is_open = stored.state == ChangesetState::Open
            && change.and_then(|change| change.value.as_ref()?.as_str()) == Some(last.as_str());
        assert!(is_served || is_open, "{round} {last}: {applied:?} {:?} {entries:?}", stored.state);
        in_documents += u32::from(is_served);
        still_open += u32::from(is_open);
    }
    assert!(in_documents + still_open > 10, "{in_documents} {still_open}");
}
