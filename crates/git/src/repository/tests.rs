//! Discovery on real repositories, and pointers that lead elsewhere.

use super::*;
use testkit::Tree;

fn pin(path: &Path) -> Root {
    Root::pin(path).expect("the test's folder can be pinned")
}

fn at(path: &str) -> RelPath {
    RelPath::parse(path).expect("the test's path is valid")
}

#[test]
fn a_folder_without_git_belongs_to_no_repository() {
    let tree = Tree::new("a/b.txt: x");
    assert!(Repository::discover(&pin(&tree.path("a"))).is_none());
}

#[test]
fn the_nearest_folder_with_git_owns_a_root_below_it() {
    let tree = Tree::new(".gitignore: top\na/.gitignore: middle\na/b/c.txt: x\na/b/.gitignore: own");
    tree.git(&["init", "--quiet"]);
    let repository = Repository::discover(&pin(&tree.path("a/b"))).expect("owned");
    assert_eq!(repository.top().path(), tree.root());
    assert_eq!(repository.prefix(), &at("a/b"));
    let rules = |text: &str| Rules::Bytes(text.as_bytes().to_vec());
    assert_eq!(
        repository.ancestors(),
        [
            AncestorRules { folder: RelPath::root(), rules: rules("top") },
            AncestorRules { folder: at("a"), rules: rules("middle") },
        ]
    );
}

#[test]
fn exclude_and_case_come_from_the_repository_and_from_nowhere_else() {
    let tree = Tree::new("a.txt: x");
    tree.git(&["init", "--quiet"]);
    tree.git(&["config", "core.ignoreCase", "true"]);
    tree.file(".git/info/exclude", "*.bak\n");
    let repository = Repository::discover(&pin(&tree.root())).expect("owned");
    assert_eq!(repository.exclude(), Rules::Bytes(b"*.bak\n".to_vec()));
    assert!(repository.ignore_case());
    tree.remove(".git/info/exclude").fifo(".git/info/exclude");
    assert_eq!(repository.exclude(), Rules::Unreadable);
    tree.remove(".git/info/exclude").link(".git/info/exclude", "/etc/hostname");
    assert_eq!(repository.exclude(), Rules::Unreadable);
    tree.remove(".git/info/exclude");
    assert_eq!(repository.exclude(), Rules::Absent);
}

#[test]
fn a_worktree_shares_the_exclude_file_of_its_repository() {
    let tree = Tree::new("main/a.txt: x");
    tree.git_in("main", &["init", "--quiet"]);
    tree.git_in("main", &["add", "-A"]);
    tree.git_in(
        "main",
        &["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "x"],
    );
    tree.git_in("main", &["worktree", "add", "--quiet", "../side"]);
    tree.file("main/.git/info/exclude", "shared\n");
    let repository = Repository::discover(&pin(&tree.path("side"))).expect("owned");
    assert_eq!(repository.exclude(), Rules::Bytes(b"shared\n".to_vec()));
}

#[test]
fn a_git_file_that_names_somebody_elses_repository_is_not_followed() {
    let tree = Tree::new("mine/a.txt: x\nprivate/b.txt: y");
    tree.git_in("private", &["init", "--quiet"]);
    tree.file("private/.git/info/exclude", "CANARY\n");
    let named = tree.path("private/.git");
    tree.file("mine/.git", &format!("gitdir: {}\n", named.display()));
    let repository = Repository::discover(&pin(&tree.path("mine"))).expect("there is a boundary");
    assert!(repository.git_dir().is_none());
    assert_eq!(repository.exclude(), Rules::Absent);
}

#[test]
fn a_pipe_or_a_link_named_git_blocks_nothing_and_leads_nowhere() {
    let tree = Tree::new("a/x.txt: x\nb/x.txt: x\nreal/x.txt: x");
    tree.fifo("a/.git");
    tree.git_in("real", &["init", "--quiet"]);
    tree.link("b/.git", tree.path("real/.git"));
    for name in ["a", "b"] {
        let repository = Repository::discover(&pin(&tree.path(name))).expect("there is a boundary");
        assert!(repository.git_dir().is_none(), "{name}");
    }
}

#[test]
fn submodules_are_told_from_repositories_that_nothing_declares() {
    let tree = Tree::new(
        "lib/a.txt: x\nstray/b.txt: x\nplain/c.txt: x\n.gitmodules: [submodule \"lib\"]\\n\\tpath = lib\\n",
    );
    tree.git(&["init", "--quiet"]);
    tree.git_in("lib", &["init", "--quiet"]);
    tree.git_in("stray", &["init", "--quiet"]);
    tree.file("lib/.git/info/exclude", "own\n");
    let root = pin(&tree.root());
    let repository = Repository::discover(&root);
    let found = |dir: &str, owner: Option<&RelPath>| rules_at(&root, repository.as_ref(), owner, &at(dir));
    let top = RelPath::root();
    let own = SubmoduleRules { exclude: Rules::Bytes(b"own\n".to_vec()), ignore_case: false };
    assert_eq!(found("lib", Some(&top)), RulesAt::Declared(own.clone()));
    assert!(matches!(found("stray", Some(&top)), RulesAt::Undeclared(_)));
    assert_eq!(found("plain", Some(&top)), RulesAt::NotARepository);
    assert_eq!(found("lib", None), RulesAt::Undeclared(own));
}
