//! The walk: order, limits, depth and width.

use std::fs;

use fault::Unwatched;

use super::*;
use crate::Mechanism;
use crate::trial::{AtCheck, MECHANISMS, Trial, rel};

/// Writes down what it sees; enters what `enters` says.
struct Diary<F: Fn(&RelPath) -> bool> {
    lines: Vec<String>,
    enters: F,
}

impl<F: Fn(&RelPath) -> bool> Diary<F> {
    fn new(enters: F) -> Self {
        Diary { lines: Vec::new(), enters }
    }
}

impl<F: Fn(&RelPath) -> bool> Visitor for Diary<F> {
    fn enter(&mut self, dir: &RelPath, entries: &[Entry], _folder: &Folder<'_>) -> Vec<Step> {
        let names: Vec<String> =
            entries.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect();
        self.lines.push(format!("+{} [{}]", dir.to_address(), names.join(" ")));
        entries
            .iter()
            .map(|entry| if (self.enters)(&dir.join(&entry.name)) { Step::Descend } else { Step::Keep })
            .collect()
    }

    fn leave(&mut self, dir: &RelPath) {
        self.lines.push(format!("-{}", dir.to_address()));
    }

    fn unreadable(&mut self, dir: &RelPath) {
        self.lines.push(format!("!{}", dir.to_address()));
    }
}

fn diary(root: &Root, start: &str, limits: WalkLimits) -> (Vec<String>, WalkEnd) {
    let mut diary = Diary::new(|_| true);
    let end = walk(root, &rel(start), &limits, &mut diary, &Unwatched).unwrap();
    (diary.lines, end)
}

#[test]
fn a_walk_is_ordered_and_follows_no_link() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/a/x", "");
        trial.file("root/a-b/y", "");
        trial.file("root/B/z/w", "");
        trial.file("out/secret", "");
        trial.link("root/a/loop", "..");
        trial.link("root/out", trial.at("out"));
        trial.pipe("root/pipe");
        let (lines, end) = diary(&root, ".", WalkLimits::default());
        // "a-b/" comes before "a/".
        assert_eq!(
            lines,
            [
                "+. [B a a-b out pipe]",
                "+B [z]",
                "+B/z [w]",
                "-B/z",
                "-B",
                "+a-b [y]",
                "-a-b",
                "+a [loop x]",
                "-a",
                "-.",
            ]
        );
        assert_eq!(end, WalkEnd { entries: 10, ..WalkEnd::default() });
        let (lines, _) = diary(&root, "B", WalkLimits::default());
        assert_eq!(lines, ["+B [z]", "+B/z [w]", "-B/z", "-B"]);
    }
}

#[test]
fn only_what_the_visitor_wants_is_entered() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    trial.file("root/a/x", "");
    trial.file("root/b/y", "");
    let mut diary = Diary::new(|path| path.as_bytes() == b"b");
    walk(&root, &RelPath::root(), &WalkLimits::default(), &mut diary, &Unwatched).unwrap();
    assert_eq!(diary.lines, ["+. [a b]", "+b [y]", "-b", "-."]);
}

#[test]
fn a_start_that_is_no_directory_is_unreadable() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.file("root/f", "");
        trial.link("root/l", ".");
        for start in ["f", "l", "nothing", "l/l"] {
            let (lines, end) = diary(&root, start, WalkLimits::default());
            assert_eq!(lines, [format!("!{start}")]);
            assert_eq!(end, WalkEnd { unreadable: 1, ..WalkEnd::default() });
        }
    }
}

#[test]
fn another_file_system_is_not_entered() {
    for mechanism in MECHANISMS {
        let root = Root::pin_with("/".as_ref(), mechanism).unwrap();
        let mut diary = Diary::new(|path| path.as_bytes() == b"proc");
        let end = walk(&root, &RelPath::root(), &WalkLimits::default(), &mut diary, &Unwatched).unwrap();
        assert_eq!(diary.lines[1..], ["!proc", "-."]);
        assert_eq!(end.unreadable, 1);
    }
}

#[test]
fn a_scan_stops_at_256_levels() {
    let limits = WalkLimits::default();
    assert_eq!((limits.max_depth, limits.max_entries), (256, 1_000_000));
    for mechanism in MECHANISMS {
        for (depth, cut) in [(255, 0), (256, 1), (257, 1)] {
            let trial = Trial::of_many();
            let root = trial.root(mechanism);
            trial.chain("root", depth);
            let (lines, end) = diary(&root, ".", limits);
            // The last directory of 256 is seen, and not entered.
            assert_eq!((end.entries, end.depth_cut), (depth.min(256), cut), "{depth}");
            assert_eq!(lines.len(), 2 * (depth + 1).min(256), "{depth}");
        }
    }
}

#[test]
fn a_depth_counts_from_the_root_wherever_the_walk_starts() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    trial.chain("root", 4);
    let limits = WalkLimits { max_depth: 3, ..WalkLimits::default() };
    let (lines, end) = diary(&root, "a/a", limits);
    assert_eq!(lines, ["+a/a [a]", "-a/a"]);
    assert_eq!(end.depth_cut, 1);
}

#[test]
fn a_tree_of_20000_levels_does_no_harm() {
    let trial = Trial::of_many();
    trial.chain("root", 20_000);
    for mechanism in MECHANISMS {
        let root = trial.root(mechanism);
        let (_, end) = diary(&root, ".", WalkLimits::default());
        assert_eq!((end.entries, end.depth_cut, end.unreadable), (256, 1, 0));
    }
}

#[test]
fn a_directory_whose_path_the_system_cannot_take_is_not_entered() {
    for mechanism in MECHANISMS {
        let trial = Trial::new();
        let root = trial.root(mechanism);
        trial.chain_of("root", &"n".repeat(255), 20);
        let (_, end) = diary(&root, ".", WalkLimits::default());
        // 15 names have 3,839 bytes with their separators, 16 have 4,095, and 17 have more than a path may have.
        assert_eq!((end.entries, end.depth_cut, end.unreadable), (17, 1, 0), "{mechanism:?}");
    }
}

#[test]
fn a_scan_stops_at_the_number_of_entries_and_says_so() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    for name in ["a/1", "a/2", "b/3", "c"] {
        trial.file(format!("root/{name}"), "");
    }
    let limited = |max_entries| diary(&root, ".", WalkLimits { max_entries, ..WalkLimits::default() });
    let whole = ["+. [a b c]", "+a [1 2]", "-a", "+b [3]", "-b", "-."];
    for (max_entries, cut) in [(7, false), (6, false), (5, true)] {
        let (lines, end) = limited(max_entries);
        assert_eq!((end.entry_cut, end.entries), (cut, max_entries.min(6)), "{max_entries}");
        assert_eq!(lines.len(), whole.len(), "{max_entries}");
    }
    // The names that remain are the first in order, and every entered directory is left.
    assert_eq!(limited(6).0, whole);
    assert_eq!(limited(4).0, ["+. [a b c]", "+a [1]", "-a", "-."]);
    assert_eq!(limited(2).0, ["+. [a b]", "-."], "more names in one folder than the walk may see at all");
    assert_eq!(limited(0).0, ["+. []", "-."]);
}

#[test]
fn a_walk_stops_when_nobody_waits() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    trial.chain("root", 50);
    let mut diary = Diary::new(|_| true);
    let watch = AtCheck::new(|asked| asked == 20);
    let end = walk(&root, &RelPath::root(), &WalkLimits::default(), &mut diary, &watch);
    assert_eq!(end, Err(Stop::Cancelled));
    assert!(diary.lines.len() < 20);
}

#[test]
fn a_directory_that_goes_during_the_walk_is_counted() {
    let trial = Trial::new();
    let root = trial.root(Mechanism::of_this_machine());
    trial.directory("root/a");
    trial.directory("root/b");
    let mut diary = Diary::new(|path| {
        if path.as_bytes() == b"b" {
            fs::remove_dir(trial.at("root/a")).unwrap();
        }
        true
    });
    let end = walk(&root, &RelPath::root(), &WalkLimits::default(), &mut diary, &Unwatched).unwrap();
    assert_eq!(diary.lines, ["+. [a b]", "!a", "+b []", "-b", "-."]);
    assert_eq!(end.unreadable, 1);
}

#[test]
fn a_folder_of_many_names_is_seen_whole() {
    let trial = Trial::of_many();
    let root = trial.root(Mechanism::of_this_machine());
    trial.directory("root/wide");
    for number in 0..20_000 {
        fs::File::create(trial.at(format!("root/wide/{number}"))).unwrap();
    }
    let (_, end) = diary(&root, ".", WalkLimits::default());
    assert_eq!((end.entries, end.entry_cut), (20_001, false));
}
