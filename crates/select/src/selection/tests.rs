//! Limits of a scan that are too large to be reached by a tree of a test, set lower.

#![expect(clippy::disallowed_methods, reason = "the tests make a tree")]

use std::fs;
use std::path::PathBuf;

use fault::Unwatched;

use super::*;
use crate::Globs;

/// A temporary folder with some files, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, names: &[&str]) -> Folder {
        let folder =
            Folder(std::env::temp_dir().join(format!("readroom-select-{test}-{}", std::process::id())));
        for name in names {
            let place = folder.0.join(name);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, "*.log\n").unwrap();
        }
        folder
    }

    fn select(&self, bounds: &Bounds, narrow: &Narrow) -> Result<Selection, SelectFault> {
        let root = Root::pin(&self.0).unwrap();
        select_within(bounds, &root, &Policy::default(), narrow, Sizes::AsNeeded, &Unwatched)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn entries(max_entries: usize) -> Bounds {
    let walk = WalkLimits { max_entries, ..Bounds::default().walk };
    Bounds { walk, ..Bounds::default() }
}

#[test]
fn a_scan_stops_at_its_limits_and_says_so() {
    assert_eq!((DEPTH_MAX, ENTRIES_MAX), (256, 1_000_000));
    let bounds = Bounds::default();
    assert_eq!((bounds.walk.max_depth, bounds.walk.max_entries), (DEPTH_MAX, ENTRIES_MAX));
    let folder = Folder::new("entries", &["a", "b/c", "d"]);
    let found = |max| {
        let selection = folder.select(&entries(max), &Narrow::default()).unwrap();
        (selection.files.len(), selection.partial.entry_cut)
    };
    assert_eq!(found(3), (2, true));
    assert_eq!(found(4), (3, false));
    assert_eq!(found(5), (3, false));
}

#[test]
fn an_ignore_file_beyond_the_cut_still_holds() {
    let folder = Folder::new("cut", &["-a.log", "-b", ".gitignore", "c"]);
    let selection = folder.select(&entries(2), &Narrow::default()).unwrap();
    let names: Vec<_> = selection.files.iter().filter_map(|file| file.path.as_str()).collect();
    assert_eq!((names, selection.partial.entry_cut), (vec!["-b"], true));
}

#[test]
fn globs_that_cost_too_much_are_refused_for_the_tree_at_hand() {
    let folder = Folder::new("globs", &["aaaaaaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaaaaaaa", "b"]);
    let include = Globs::compile(&["**a*a*aba*"]).unwrap();
    let narrow = Narrow { include, ..Narrow::default() };
    let result = |steps| {
        let bounds = Bounds { glob_effort: Effort::new(steps), ..Bounds::default() };
        folder.select(&bounds, &narrow).map(|selection| selection.files.len())
    };
    assert_eq!(result(1), Err(SelectFault::GlobsTooExpensive));
    assert_eq!(result(10_000), Ok(0));
}

#[test]
fn ignore_rules_that_cost_too_much_hide_the_rest_and_count_as_partial_access() {
    let folder = Folder::new("effort", &[".gitignore", "0.log", "a", "b"]);
    let result = |steps| {
        let bounds = Bounds { ignore_effort: Effort::new(steps), ..Bounds::default() };
        let selection = folder.select(&bounds, &Narrow::default()).unwrap();
        (selection.files.len(), selection.partial.ignore_files)
    };
    assert_eq!(result(1), (1, 1));
    assert_eq!(result(1_000), (3, 0));
}
