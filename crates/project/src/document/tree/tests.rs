//! The order of names, and the walk over them.

use std::convert::Infallible;

use super::*;

fn tree(files: &[&str], folders: &[&str]) -> Tree {
    Tree::new(files, folders)
}

/// One line a visit: depth, `+` or `-` for a folder's two ends, `!` for the last sibling.
fn visits(tree: &Tree, max_depth: Option<u32>) -> Vec<String> {
    let mut seen = Vec::new();
    let Ok(()) = tree.walk(max_depth, &mut |Step { node, depth, last }| {
        let (mark, name) = match node {
            Visit::Open(folder) => ("+", folder.name),
            Visit::Close(folder) => ("-", folder.name),
            Visit::File { name, .. } => ("", name),
        };
        seen.push(format!("{depth}{mark}{name}{}", if last { "!" } else { "" }));
        Ok::<(), Infallible>(())
    });
    seen
}

#[test]
fn folders_come_before_files_and_names_go_without_regard_to_case() {
    let tree =
        tree(&["b.rs", "A.rs", "a.rs", "_x", "Z", "é", "É", "z/q", "B/q", "a/q", "src-old/x", "src/x"], &[]);
    let names: Vec<String> = visits(&tree, None).into_iter().filter(|visit| visit.starts_with("0")).collect();
    assert_eq!(
        names,
        [
            "0+a",
            "0-a",
            "0+B",
            "0-B",
            "0+src",
            "0-src",
            "0+src-old",
            "0-src-old",
            "0+z",
            "0-z",
            "0A.rs",
            "0a.rs",
            "0b.rs",
            "0Z",
            "0_x",
            "0É",
            "0é!"
        ]
    );
}

#[test]
fn the_order_is_that_of_upper_case_scalars_with_ties_by_the_exact_name() {
    for (a, b) in
        [("a", "B"), ("A", "a"), ("a", "A1"), ("a-", "a_"), ("Z", "_"), ("ss", "ß"), ("ä", "Ö"), ("1", "a")]
    {
        assert_eq!(order(a, b), Ordering::Less, "{a} {b}");
        assert_eq!(order(b, a), Ordering::Greater, "{b} {a}");
    }
    assert_eq!(order("a", "a"), Ordering::Equal);
}

#[test]
fn the_order_of_the_input_does_not_matter() {
    let mut files = vec!["a/b/c", "a/d", "e", "a/b/f", "g/h/i/j", "A/b"];
    let (first, second) = (Tree::new(&files, ["x", "a/y"]), {
        files.reverse();
        Tree::new(&files, ["a/y", "x", "a", "g/h"])
    });
    assert_eq!(visits(&first, None), visits(&second, None));
    assert_eq!((first.files(), first.folders()), (6, 8));
    assert_eq!((second.files(), second.folders()), (6, 8));
}

#[test]
fn every_opened_folder_is_closed_and_the_last_sibling_is_marked() {
    assert_eq!(
        visits(&tree(&["a/b/c", "a/d", "e"], &["f"]), None),
        ["0+a", "1+b", "2c!", "1-b", "1d!", "0-a", "0+f", "0-f", "0e!"]
    );
    assert_eq!(visits(&tree(&[], &["f"]), None), ["0+f!", "0-f!"]);
    assert!(visits(&tree(&[], &[]), None).is_empty() && tree(&[], &[]).is_empty());
}

#[test]
fn max_depth_counts_levels_below_the_root_and_leaves_pruned_folders_empty() {
    let tree = tree(&["a/b/c", "a/d", "e"], &[]);
    assert!(visits(&tree, Some(0)).is_empty());
    assert_eq!(visits(&tree, Some(1)), ["0+a", "0-a", "0e!"]);
    assert_eq!(visits(&tree, Some(2)), ["0+a", "1+b", "1-b", "1d!", "0-a", "0e!"]);
    assert_eq!(visits(&tree, Some(3)), visits(&tree, None));
    assert_eq!(visits(&tree, Some(u32::MAX)), visits(&tree, None));
    let Ok(()) = tree.walk(Some(1), &mut |step| {
        assert!(!matches!(step.node, Visit::Open(folder) if !folder.is_empty()), "{step:?}");
        Ok::<(), Infallible>(())
    });
    for (depth, nodes) in [(Some(0), 0), (Some(1), 2), (Some(2), 4), (Some(3), 5), (None, 5)] {
        assert_eq!(tree.nodes_within(depth), nodes);
    }
}

#[test]
fn two_thousand_levels_are_walked_without_recursion() {
    let deep = vec!["d"; 2_000].join("/");
    let tree = tree(&[&deep], &[]);
    assert_eq!((tree.folders(), tree.files()), (1_999, 1));
    assert_eq!(visits(&tree, None).len(), 2 * 1_999 + 1);
}

#[test]
fn the_first_error_ends_the_walk() {
    let mut seen = 0;
    let ended = tree(&["a/b", "c"], &[]).walk(None, &mut |_| {
        seen += 1;
        if seen == 2 { Err("enough") } else { Ok(()) }
    });
    assert_eq!((ended, seen), (Err("enough"), 2));
}

#[test]
fn the_root_among_the_folders_is_the_root() {
    let tree = tree(&["a"], &[".", "b", ""]);
    assert_eq!(visits(&tree, None), ["0+b", "0-b", "0a!"]);
    assert_eq!((tree.files(), tree.folders()), (1, 1));
}

#[test]
fn backticks_are_measured_name_by_name() {
    assert_eq!(tree(&["a``", "``b", "`c"], &[]).longest_backtick_run(), 2);
    assert_eq!(tree(&["a", "x```y/b"], &[]).longest_backtick_run(), 3);
    assert_eq!(tree(&["a"], &[]).longest_backtick_run(), 0);
}
