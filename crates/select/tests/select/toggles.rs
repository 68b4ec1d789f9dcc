//! Each toggle alone, the baseline and the profile `standard` (spec `project.md` 6.2).

use select::{GitRules, Policy, Toggle, Toggles};

use crate::tree::{Tree, nothing, only};

fn project() -> Tree {
    Tree::new(
        "src/main.rs
        src/empty.rs =
        .github/workflows/ci.yml
        .env
        Makefile
        notes.
        hollow/deep/
        node_modules/.bin/tsc
        image.png",
    )
}

const ALL: &str = ".env\n.github/workflows/ci.yml\nMakefile\nimage.png\nnode_modules/.bin/tsc\nnotes.\nsrc/empty.rs\nsrc/main.rs\n";

fn without(lost: &[&str]) -> String {
    ALL.lines().filter(|line| !lost.contains(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn without_toggles_everything_is_seen_and_binaries_are_not_excluded() {
    let tree = project();
    assert_eq!(tree.files(&nothing()), ALL);
    let folders = "\
        .github\n.github/workflows\nhollow\nhollow/deep\nnode_modules\nnode_modules/.bin\nsrc\n";
    assert_eq!(tree.folders(&nothing()), folders);
}

#[test]
fn smart_ignore_alone_hides_the_dependency_store() {
    assert_eq!(project().files(&only(Toggle::SmartIgnore)), without(&["node_modules/.bin/tsc"]));
}

#[test]
fn empty_folders_alone_hides_folders_and_no_file() {
    let tree = project();
    assert_eq!(tree.files(&only(Toggle::EmptyFolders)), ALL);
    let folders = ".github\n.github/workflows\nnode_modules\nnode_modules/.bin\nsrc\n";
    assert_eq!(tree.folders(&only(Toggle::EmptyFolders)), folders);
}

#[test]
fn empty_files_alone_hides_files_of_no_bytes() {
    assert_eq!(project().files(&only(Toggle::EmptyFiles)), without(&["src/empty.rs"]));
}

#[test]
fn the_hidden_attribute_hides_nothing_on_linux() {
    assert_eq!(project().files(&only(Toggle::HiddenFiles)), ALL);
    assert_eq!(project().files(&only(Toggle::HiddenFolders)), ALL);
}

#[test]
fn dot_folders_alone_hides_them_with_everything_below() {
    let lost = [".github/workflows/ci.yml", "node_modules/.bin/tsc"];
    assert_eq!(project().files(&only(Toggle::DotFolders)), without(&lost));
}

#[test]
fn dot_files_alone_hides_files_and_no_folder() {
    assert_eq!(project().files(&only(Toggle::DotFiles)), without(&[".env"]));
}

#[test]
fn extensionless_files_alone_hides_names_without_extension_but_no_dot_file() {
    let lost = ["Makefile", "notes.", "node_modules/.bin/tsc"];
    assert_eq!(project().files(&only(Toggle::ExtensionlessFiles)), without(&lost));
}

#[test]
fn the_baseline_shows_dot_files_extensionless_and_empty_files() {
    let tree = project();
    assert_eq!(tree.files(&Policy::default()), without(&["node_modules/.bin/tsc"]));
    assert_eq!(tree.folders(&Policy::default()), ".github\n.github/workflows\nsrc\n");
}

#[test]
fn standard_hides_dot_empty_and_extensionless_entries() {
    let standard = Policy { toggles: Toggles::standard(), ..Policy::default() };
    assert_eq!(project().files(&standard), "image.png\nsrc/main.rs\n");
    assert_eq!(project().folders(&standard), "src\n");
}

#[test]
fn a_folder_whose_files_a_toggle_hides_is_empty_and_shown_only_when_that_toggle_is_off() {
    let tree = Tree::new("only/.env\na.rs");
    assert_eq!(tree.folders(&only(Toggle::DotFiles)), "only\n");
    let both =
        Policy { toggles: Toggles::none().with(Toggle::DotFiles).with(Toggle::EmptyFolders), ..nothing() };
    assert_eq!(tree.folders(&both), "");
}

#[test]
fn extensions_are_compared_without_case_and_leave_extensionless_files_alone() {
    let tree = Tree::new("A.CS\nb.cs\nc.rs\nMakefile\n.env\nd.\ne.Ä");
    let extensions = |list: &[&str]| Policy {
        extensions: Some(list.iter().map(|text| (*text).to_owned()).collect()),
        ..nothing()
    };
    assert_eq!(tree.files(&extensions(&[".cs"])), "A.CS\nMakefile\nb.cs\nd.\n");
    assert_eq!(tree.files(&extensions(&["CS", ".env"])), ".env\nA.CS\nMakefile\nb.cs\nd.\n");
    assert_eq!(tree.files(&extensions(&[".ä"])), "Makefile\nd.\ne.Ä\n");
    assert_eq!(tree.files(&extensions(&[])), "Makefile\nd.\n");
}

#[test]
fn roots_concern_top_level_folders_and_leave_files_at_the_root() {
    let tree = Tree::new("a/x/b/y\nb/z\nA/q\nroot.txt");
    let roots = |list: &[&str]| Policy {
        roots: Some(list.iter().map(|text| (*text).to_owned()).collect()),
        ..nothing()
    };
    assert_eq!(tree.files(&roots(&["a"])), "a/x/b/y\nroot.txt\n");
    assert_eq!(tree.folders(&roots(&["a"])), "a\na/x\na/x/b\n");
    assert_eq!(tree.files(&roots(&[])), "root.txt\n");
}

#[test]
fn version_control_folders_are_hidden_in_every_mode_and_at_every_depth() {
    let tree = Tree::new(
        ".git/config\n.hg/x\n.svn/x\na/.git/config\na/b/.svn/y\na/.hg: file\n.github/x\n.gitattributes\n.git-owned/x\nz/.git: f",
    );
    let seen = ".git-owned/x\n.gitattributes\n.github/x\n";
    assert_eq!(tree.files(&nothing()), seen);
    assert_eq!(tree.files(&Policy { git: GitRules::Ignore, ..nothing() }), seen);
}
