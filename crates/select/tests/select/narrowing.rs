//! What a request may narrow, and what is counted on the way (spec `project.md` 6.5 to 6.8).

use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use disk::RelPath;
use fault::{Phase, Stop, Unwatched, Watch};
use select::{Globs, Narrow, PathSet, Policy, SelectFault, Sizes, Toggle, Toggles, select, select_one};

use crate::tree::{Tree, files, folders, ignore_rules, nothing, only, path};

fn project() -> Tree {
    Tree::new(
        "README.md
        src/a.rs
        src/deep/b.rs
        src/deep/c.txt
        src-old/x.rs
        docs/guide.md
        empty/",
    )
}

fn globs(include: &[&str], exclude: &[&str]) -> Narrow {
    Narrow {
        include: Globs::compile(include).unwrap(),
        exclude: Globs::compile(exclude).unwrap(),
        ..Narrow::default()
    }
}

fn paths(paths: &[&str]) -> Narrow {
    Narrow { paths: paths.iter().map(|text| path(text)).collect(), ..Narrow::default() }
}

#[test]
fn a_star_misses_nested_files_and_double_star_finds_them() {
    let tree = project();
    assert_eq!(files(&tree.narrowed(&nothing(), &globs(&["*.rs"], &[]))), "");
    let all = "src-old/x.rs\nsrc/a.rs\nsrc/deep/b.rs\n";
    assert_eq!(files(&tree.narrowed(&nothing(), &globs(&["**/*.rs"], &[]))), all);
}

#[test]
fn exclude_beats_include_and_works_alone() {
    let tree = project();
    let both = globs(&["src/**"], &["**/*.rs"]);
    assert_eq!(files(&tree.narrowed(&nothing(), &both)), "src/deep/c.txt\n");
    let alone = globs(&[], &["src/**", "src-old/*"]);
    assert_eq!(files(&tree.narrowed(&nothing(), &alone)), "README.md\ndocs/guide.md\n");
}

#[test]
fn a_glob_equal_to_a_folder_selects_nothing() {
    let selection = project().narrowed(&nothing(), &globs(&["src"], &[]));
    assert!(selection.files.is_empty() && selection.folders.is_empty());
}

#[test]
fn after_narrowing_folders_without_included_files_vanish() {
    let selection = project().narrowed(&nothing(), &globs(&["src/deep/*.rs"], &[]));
    assert_eq!(folders(&selection), "src\nsrc/deep\n");
}

#[test]
fn globs_cannot_bring_back_what_the_baseline_hides() {
    let tree = Tree::new(".gitignore: *.log\\n\na.log\n.git/config\nnode_modules/.bin/x");
    let narrow = globs(&["**", "a.log", ".git/**"], &[]);
    assert_eq!(files(&tree.narrowed(&Policy::default(), &narrow)), ".gitignore\n");
}

#[test]
fn paths_select_files_and_whole_effective_subtrees() {
    let tree = project();
    let narrow = paths(&["README.md", "src"]);
    let seen = "README.md\nsrc/a.rs\nsrc/deep/b.rs\nsrc/deep/c.txt\n";
    assert_eq!(files(&tree.narrowed(&nothing(), &narrow)), seen);
    let both = Narrow { include: Globs::compile(&["**/*.rs"]).unwrap(), ..paths(&["src/deep", "docs"]) };
    assert_eq!(files(&tree.narrowed(&nothing(), &both)), "src/deep/b.rs\n");
    let root = Narrow { paths: vec![RelPath::root()], ..Narrow::default() };
    assert_eq!(tree.narrowed(&nothing(), &root).files.len(), 6);
}

#[test]
fn a_path_to_a_filtered_file_gives_an_empty_selection() {
    let tree = Tree::new(".gitignore: *.log\\n\na.log\nlost/b.log");
    for requested in ["a.log", "lost", "lost/b.log", "nothing/here"] {
        let selection = tree.narrowed(&ignore_rules(), &paths(&[requested]));
        assert!(selection.files.is_empty() && selection.folders.is_empty(), "{requested}");
    }
}

#[test]
fn an_explicitly_requested_empty_folder_is_kept_and_others_vanish() {
    let tree = Tree::new("a/b/empty/\na/b/other/\na/c.rs\nfull/x.rs");
    for toggles in [Toggles::none(), Toggles::baseline()] {
        let policy = Policy { toggles, ..nothing() };
        let selection = tree.narrowed(&policy, &paths(&["a/b/empty", "full"]));
        assert_eq!(folders(&selection), "a\na/b\na/b/empty\nfull\n");
        let members: PathSet = [path("full/x.rs")].into_iter().collect();
        let scoped = Narrow { members: Some(Arc::new(members)), ..paths(&["a", "a/b/empty", "full"]) };
        assert_eq!(folders(&tree.narrowed(&policy, &scoped)), "a\na/b\na/b/empty\nfull\n");
    }
    // A folder that holds files is not empty because a glob lets none of them through.
    let narrow = Narrow { include: Globs::compile(&["*.md"]).unwrap(), ..paths(&["full"]) };
    assert_eq!(folders(&tree.narrowed(&nothing(), &narrow)), "");
}

#[test]
fn a_scope_intersects_the_baseline() {
    let tree = Tree::new(".gitignore: *.log\\n\na.log\nb/c.rs\nb/d.rs\ne.rs");
    let members: PathSet = ["a.log", "b/c.rs", "gone.rs"].into_iter().map(path).collect();
    let narrow = Narrow { members: Some(Arc::new(members)), ..Narrow::default() };
    let selection = tree.narrowed(&ignore_rules(), &narrow);
    assert_eq!((files(&selection).as_str(), folders(&selection).as_str()), ("b/c.rs\n", "b\n"));
    let clean = Narrow { members: Some(Arc::default()), ..Narrow::default() };
    assert!(tree.narrowed(&ignore_rules(), &clean).files.is_empty());
}

#[test]
fn a_file_exactly_at_the_size_limit_stays_and_one_byte_more_goes() {
    let tree = Tree::new("a: 123456789\nb: 1234567890\nc: 12345678901\nd =");
    let narrow = Narrow { max_file_bytes: Some(10), ..Narrow::default() };
    let selection = tree.narrowed(&nothing(), &narrow);
    assert_eq!(files(&selection), "a\nb\nd\n");
    let sizes: Vec<_> = selection.files.iter().map(|file| file.size_bytes).collect();
    assert_eq!(sizes, [Some(9), Some(10), Some(0)]);
}

#[test]
fn sizes_are_there_when_they_are_asked_for() {
    let tree = Tree::new("a: 123\nb |");
    let selected = |sizes| {
        let selection = select(&tree.root(), &nothing(), &Narrow::default(), sizes, &Unwatched).unwrap();
        selection.files.iter().map(|file| (file.size_bytes, file.special)).collect::<Vec<_>>()
    };
    assert_eq!(selected(Sizes::All), [(Some(3), false), (None, true)]);
    assert_eq!(selected(Sizes::AsNeeded), [(None, false), (None, true)]);
}

#[test]
fn files_come_in_ordinal_order_of_their_full_path() {
    let tree = Tree::new("b/x\nb-c/x\nb.d\nb0\nB\na/z/y\na/z-1\na/z\u{301}\nc");
    let ordered = "B\na/z-1\na/z/y\na/z\u{301}\nb-c/x\nb.d\nb/x\nb0\nc\n";
    assert_eq!(tree.files(&nothing()), ordered);
    let selection = tree.select(&nothing());
    assert!(selection.files.is_sorted_by(|a, b| a.path < b.path));
    assert!(selection.folders.is_sorted());
}

#[test]
fn siblings_that_differ_only_in_case_or_are_no_text_are_different_entries() {
    let tree = Tree::new("Readme\nreadme");
    for byte in [0xFE, 0xFF] {
        std::fs::write(tree.path().join(std::ffi::OsStr::from_bytes(&[byte, b'.', b't'])), "x").unwrap();
    }
    assert_eq!(tree.files(&nothing()), "Readme\nreadme\n\\xFE.t\n\\xFF.t\n");
}

#[test]
fn links_are_never_listed_and_never_followed() {
    let tree = Tree::new("a/b\nfile -> a/b\nfolder -> a\nloop -> .\nlost -> nowhere\nout -> /etc");
    assert_eq!(tree.files(&nothing()), "a/b\n");
    assert_eq!(tree.folders(&nothing()), "a\n");
}

#[test]
fn special_files_are_listed_as_such() {
    let tree = Tree::new("a |\nb");
    let _socket = std::os::unix::net::UnixListener::bind(tree.path().join("s")).unwrap();
    let selection = tree.select(&Policy { toggles: Toggles::none().with(Toggle::EmptyFiles), ..nothing() });
    let special: Vec<_> = selection.files.iter().map(|file| file.special).collect();
    assert_eq!((files(&selection).as_str(), special), ("a\nb\ns\n", vec![true, false, true]));
    let one = select_one(&tree.root(), &nothing(), &path("a"), &Unwatched).unwrap().unwrap();
    assert!(one.special && one.size_bytes.is_none());
}

fn selecting(list: &[&str]) -> Policy {
    Policy { selected_paths: list.iter().map(|text| path(text)).collect(), ..nothing() }
}

#[test]
fn selected_paths_choose_files_and_folders_of_the_baseline() {
    let tree = project();
    let policy = selecting(&["src/deep", "README.md"]);
    assert_eq!(tree.files(&policy), "README.md\nsrc/deep/b.rs\nsrc/deep/c.txt\n");
    assert_eq!(tree.folders(&policy), "src\nsrc/deep\n");
    assert_eq!(tree.select(&policy).missing_selected_paths, []);
}

#[test]
fn selected_paths_outside_the_effective_tree_are_counted_once_each() {
    let tree = Tree::new(".gitignore: *.log\\n\na.log\nb.rs\nempty/\nsrc/c.rs");
    let policy = Policy {
        selected_paths: ["a.log", "b.rs", "gone", "src", "src/c.rs", "empty", "gone"].map(path).to_vec(),
        ..ignore_rules()
    };
    assert_eq!(tree.select(&policy).missing_selected_paths.len(), 2);
    let hiding = Policy { toggles: Toggles::none().with(Toggle::EmptyFolders), ..policy };
    assert_eq!(tree.select(&hiding).missing_selected_paths.len(), 3, "a hidden empty folder is missing");
    // A narrowed request does not make a path missing.
    let narrow = Narrow { include: Globs::compile(&["x"]).unwrap(), ..paths(&["src"]) };
    assert_eq!(tree.narrowed(&hiding, &narrow).missing_selected_paths.len(), 3);
}

#[test]
fn with_selected_paths_only_their_own_empty_folders_are_shown() {
    let tree = Tree::new("a/empty/\nb/empty/\nc");
    assert_eq!(tree.folders(&selecting(&["a"])), "a\na/empty\n");
    assert_eq!(tree.folders(&selecting(&["b/empty"])), "b\nb/empty\n");
}

#[test]
fn a_file_asked_about_alone_comes_with_its_facts() {
    let tree = Tree::new("package.json\nsrc/a.js: 12345\nsrc/b.js =");
    let policy = only(Toggle::EmptyFiles);
    let one = |name: &str| select_one(&tree.root(), &policy, &path(name), &Unwatched).unwrap();
    let found = one("src/a.js").unwrap();
    assert_eq!((found.size_bytes, found.stack_bits, found.special), (Some(5), 2, false));
    for name in ["src/b.js", "src", "gone", "src/a.js/x", "gone/x"] {
        assert!(one(name).is_none(), "{name}");
    }
    assert!(select_one(&tree.root(), &policy, &RelPath::root(), &Unwatched).unwrap().is_none());
}

#[test]
fn a_folder_at_level_256_is_seen_and_level_257_is_cut_and_said() {
    let deep = |levels: usize| {
        let tree = Tree::new("");
        tree.write(&format!("{}f", "d/".repeat(levels - 1)), "x");
        let selection = tree.select(&nothing());
        (selection.files.len(), selection.partial.depth_cut)
    };
    assert_eq!(deep(255), (1, 0));
    assert_eq!(deep(256), (1, 0));
    assert_eq!(deep(257), (0, 1));
}

#[test]
fn a_folder_that_cannot_be_listed_is_counted_and_a_root_that_cannot_be_listed_is_an_error() {
    let tree = Tree::new("a/x\nb/y\nc/.gitignore: z\nc/z");
    let set = |name: &str, mode: u32| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(tree.path().join(name), mode).unwrap();
    };
    let nobody = rustix::process::Uid::from_raw(65_534);
    let as_nobody = |policy: Policy| {
        std::thread::scope(|scope| {
            let run = || {
                if rustix::process::geteuid().is_root() {
                    rustix::thread::set_thread_res_uid(nobody, nobody, nobody).unwrap();
                }
                let root = disk::Root::pin(tree.path()).unwrap();
                select(&root, &policy, &Narrow::default(), Sizes::AsNeeded, &Unwatched)
            };
            scope.spawn(run).join().unwrap()
        })
    };
    set("a", 0o000);
    set("c/.gitignore", 0o000);
    let selection = as_nobody(ignore_rules()).unwrap();
    assert_eq!(files(&selection), "b/y\n");
    assert_eq!((selection.partial.directories, selection.partial.ignore_files), (1, 1));
    set(".", 0o111);
    assert_eq!(as_nobody(ignore_rules()).unwrap_err(), SelectFault::RootUnreadable);
    for (name, mode) in [(".", 0o755), ("a", 0o755)] {
        set(name, mode);
    }
}

/// Cancelled from the start.
struct Cancelled;

impl Watch for Cancelled {
    fn cancelled(&self) -> bool {
        true
    }
    fn deadline(&self) -> Option<std::time::Instant> {
        None
    }
    fn step(&self, _phase: Phase, _done: u64, _total: u64) {}
}

#[test]
fn a_cancelled_selection_stops() {
    let tree = project();
    let stopped = select(&tree.root(), &nothing(), &Narrow::default(), Sizes::AsNeeded, &Cancelled);
    assert_eq!(stopped.unwrap_err(), SelectFault::Stopped(Stop::Cancelled));
    let one = select_one(&tree.root(), &nothing(), &path("README.md"), &Cancelled);
    assert_eq!(one.unwrap_err(), SelectFault::Stopped(Stop::Cancelled));
}
