//! `readroom docs index` in a shell: the file appears whole, is right already the second time, and is never written through
//! a link.

use super::documents::{project, run, told};

const INDEX: &str = ".docforge/index/project.dfx";

#[test]
fn the_index_is_written_once_and_again_when_a_document_changed() {
    let tree = project();
    let (code, out, err) = told(&run(&tree, &["index"]));
    assert_eq!(code, Some(0), "{err}");
    assert!(out.starts_with(".docforge/index/project.dfx: 3 node(s), "), "{out}");
    let first = std::fs::read(tree.path(INDEX)).expect("there");
    let (code, out, _) = told(&run(&tree, &["index"]));
    assert_eq!(code, Some(0));
    assert!(out.starts_with(".docforge/index/project.dfx: already current, sha256:"), "{out}");
    tree.file("docs/more.md", "---\nid: REQ-0009\ntype: req\ntitle: More\nstatus: draft\n---\nMore.\n");
    let (_, out, _) = told(&run(&tree, &["index"]));
    assert!(out.starts_with(".docforge/index/project.dfx: 4 node(s), "), "{out}");
    assert_ne!(std::fs::read(tree.path(INDEX)).expect("there"), first);
    let names: Vec<_> = std::fs::read_dir(tree.path(".docforge/index"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names, ["project.dfx"], "nothing else is left");
}

#[test]
fn an_index_is_never_written_through_a_link_nor_into_what_is_no_folder() {
    let tree = project();
    let away = tree.home().join("away");
    std::fs::create_dir_all(&away).expect("a folder");
    std::fs::create_dir_all(tree.path(".docforge")).expect("a folder");
    std::os::unix::fs::symlink(&away, tree.path(".docforge/index")).expect("a link");
    let (code, out, err) = told(&run(&tree, &["index"]));
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("`index` of [paths] is a link or lies behind one"), "{err}");
    assert_eq!(std::fs::read_dir(&away).expect("a folder").count(), 0);
    std::fs::remove_file(tree.path(".docforge/index")).expect("removed");
    tree.file(".docforge/index", "a file");
    let (code, _, err) = told(&run(&tree, &["index"]));
    assert!(
        code == Some(4) && err.contains(".docforge/index/project.dfx cannot be written"),
        "{code:?} {err}"
    );
    std::fs::remove_file(tree.path(".docforge/index")).expect("removed");
    std::fs::create_dir_all(tree.path(INDEX)).expect("a folder");
    let (code, _, err) = told(&run(&tree, &["index"]));
    assert!(code == Some(4) && err.contains("cannot be written"), "{code:?} {err}");
}
