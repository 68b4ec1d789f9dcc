//! P27: of two processes that race for the next number of one changeset, one gets it, every time.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

use propose::*;
use testkit::Tree;

use crate::bench::{Office, fill};

const ROUNDS: u32 = 200;
const PLACE: &str = "READROOM_RACE_PROJECT";

/// The racer: on each line it proposes for the version that the line says, and says what came of it.
#[test]
fn a_racer_in_a_process_of_its_own() {
    let Some(root) = std::env::var_os(PLACE) else { return };
    let office = Office::open(root.as_ref());
    let store = Store::new(&office.roots);
    let mut input = BufReader::new(std::io::stdin());
    let mut line = String::new();
    // A line of our own: the test harness writes before it.
    println!("\nready");
    while input.read_line(&mut line).expect("readable") > 0 {
        let (id, name) = line.trim().split_once(' ').expect("two words");
        let id = ChangesetId::parse(id).expect("an id");
        let stored = store.read(&id).expect("readable");
        let outcome = office.retitle(&id, "REQ-1", &format!("{name} {}", stored.log.version()));
        match outcome {
            Ok(accepted) => println!("won {}", accepted.version),
            Err(fault) => println!("{} {}", fault.problem.as_str(), stored.log.version()),
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
        while racer.line() != "ready" {}
        racer
    }

    fn say(&mut self, line: &str) {
        writeln!(self.0.stdin.as_mut().expect("piped"), "{line}").expect("alive");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.1.read_line(&mut line).expect("readable") > 0, "the racer ended");
        line.trim().to_owned()
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
    let mut racers = [Racer::start(&tree), Racer::start(&tree)];
    let mut collisions = 0;
    let mut id = office.changeset().expect("made");
    let mut version = 0;
    for round in 0..ROUNDS {
        if version >= 90 {
            id = office.changeset().expect("made");
            version = 0;
        }
        for (racer, name) in racers.iter_mut().zip(["one", "two"]) {
            racer.say(&format!("{id} {name}-{round}"));
        }
        let answers = racers.each_mut().map(Racer::line);
        let won: Vec<&String> = answers.iter().filter(|answer| answer.starts_with("won ")).collect();
        // Whoever comes second sees the new version and gets the next number, or is told that it was too late.
        assert!(!won.is_empty(), "{answers:?}");
        for answer in &answers {
            assert!(
                answer.starts_with("won ") || *answer == format!("changeset_version_conflict {version}"),
                "{answers:?}"
            );
        }
        collisions += u32::from(won.len() == 1);
        version += u32::try_from(won.len()).expect("two");
        let numbers: std::collections::BTreeSet<&String> = won.into_iter().collect();
        let log = office.stored(&id).log;
        assert_eq!((log.version(), log.is_damaged), (version, false));
        assert!(numbers.contains(&format!("won {version}")), "each number was given once: {answers:?}");
    }
    assert!(collisions > 0, "they met at least once");
}
