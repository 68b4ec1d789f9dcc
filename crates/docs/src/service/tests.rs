//! Projects on a disk: what is loaded, what is refused, and how changes are noticed.

use std::time::{Duration, SystemTime};

use fault::Unwatched;
use testkit::Tree;

use super::*;
use crate::diagnose::Severity;
use crate::snapshot::LookUp;

const MANIFEST: &str = "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.req]\n[types.req.fields.status]\ntype = \"string\"\n[[sources]]\nid = \"main\"\nadapter = \"markdown@1\"\ninclude = [\"docs/**/*.md\"]\ntype = \"req\"\n";

fn project() -> Tree {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    for at in 1..=3 {
        tree.file(&format!("docs/r{at}.md"), &format!("---\nid: REQ-{at}\n---\nbody {at}\n"));
    }
    tree
}

fn open(tree: &Tree) -> ProjectService {
    ProjectService::load(ProjectRoot::open(&tree.root()).unwrap(), &Unwatched).unwrap()
}

fn refresh(service: &ProjectService) -> Refresh {
    service.refresh(Checked::Stat, &Unwatched).unwrap()
}

fn ids(refresh: &Refresh) -> Vec<String> {
    refresh
        .snapshot
        .as_ref()
        .map_or_else(Vec::new, |snapshot| snapshot.nodes().iter().map(|node| node.id.clone()).collect())
}

fn codes(refresh: &Refresh) -> Vec<String> {
    let snapshot = refresh.snapshot.as_ref().unwrap();
    let shown =
        |one: &Diagnostic| format!("{} {}", one.check.code(), one.place.path.clone().unwrap_or_default());
    snapshot.diagnostics().iter().filter(|one| one.severity != Severity::Info).map(shown).collect()
}

#[test]
fn a_project_is_loaded_and_its_source_hash_is_that_of_coreutils() {
    let tree = project();
    let service = open(&tree);
    let refresh = refresh(&service);
    assert_eq!((refresh.freshness, ids(&refresh).len()), (Freshness::Fresh, 3));
    let snapshot = refresh.snapshot.unwrap();
    assert_eq!(
        snapshot.files().iter().map(|file| file.path.as_str()).collect::<Vec<_>>(),
        ["docforge.toml", "docs/r1.md", "docs/r2.md", "docs/r3.md"]
    );
    let script = "sha256sum docforge.toml docs/*.md | LC_ALL=C sort -k2 | sha256sum";
    let output =
        std::process::Command::new("sh").args(["-c", script]).current_dir(tree.root()).output().unwrap();
    let expected = String::from_utf8(output.stdout).unwrap();
    assert_eq!(snapshot.source_hash().hex(), expected.split(' ').next().unwrap());
}

#[test]
fn changes_are_served_at_the_next_look_and_nothing_else_is_done() {
    let tree = project();
    let service = open(&tree);
    let first = refresh(&service).snapshot.unwrap();
    assert!(Arc::ptr_eq(&first, &refresh(&service).snapshot.unwrap()), "nothing changed");
    tree.file("docs/new.md", "---\nid: REQ-9\n---\n");
    tree.remove("docs/r2.md");
    assert_eq!(ids(&refresh(&service)), ["REQ-1", "REQ-3", "REQ-9"]);
}

#[test]
fn an_edit_that_keeps_size_and_time_is_noticed() {
    let tree = project();
    let path = tree.path("docs/r1.md");
    let service = open(&tree);
    let before = refresh(&service).snapshot.unwrap();
    let mtime = std::fs::metadata(&path).unwrap().modified().unwrap();
    std::fs::write(&path, "---\nid: REQ-1\n---\nbodY 1\n").unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(mtime).unwrap();
    let after = refresh(&service);
    assert_eq!(after.freshness, Freshness::Fresh);
    assert_ne!(after.snapshot.as_ref().unwrap().revision(), before.revision());
    // And one whose time was forged to long ago.
    std::fs::write(&path, "---\nid: REQ-1\n---\nBODY 1\n").unwrap();
    let old = SystemTime::now() - Duration::from_secs(1_000_000);
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    assert_ne!(refresh(&service).snapshot.unwrap().revision(), after.snapshot.unwrap().revision());
}

#[test]
fn a_broken_file_costs_itself_alone_and_comes_back() {
    let tree = project();
    let service = open(&tree);
    tree.file("docs/r2.md", "---\nid: [REQ-2\n---\n");
    let broken = refresh(&service);
    assert_eq!(ids(&broken), ["REQ-1", "REQ-3"]);
    assert_eq!(codes(&broken), ["yaml_invalid docs/r2.md"]);
    tree.file("docs/r2.md", "---\nid: REQ-2\n---\n");
    let mended = refresh(&service);
    assert_eq!((ids(&mended).len(), codes(&mended).len()), (3, 0));
}

#[test]
fn hostile_names_and_files_are_said_once_each_and_everything_else_is_served() {
    let tree = project();
    tree.file("outside.md", "---\nid: REQ-66\n---\n");
    tree.link("docs/link.md", "/etc/passwd").link("docs/inner.md", "r1.md").fifo("docs/pipe.md");
    tree.link("docs/folder", "/etc").link("docs/logo.png", "r1.md").link("elsewhere", "/etc");
    tree.file("docs/big.md", &"x".repeat(4 * 1024 * 1024 + 1));
    tree.bytes("docs/latin.md", b"---\nid: REQ-8\n---\n\xFF\n");
    tree.file("docs/.hidden/a.md", "---\nid: REQ-77\n---\n");
    tree.file("docs/deep.md", &format!("---\nid: REQ-7\na: {}\n---\n", "[".repeat(200)));
    let mut bomb = String::from("---\nid: REQ-6\na: &a [x]\n");
    for at in 0..1_000 {
        bomb.push_str(&format!("k{at}: [*a, *a, *a, *a]\n"));
    }
    tree.file("docs/bomb.md", &format!("{bomb}---\n"));
    tree.file("docs/a\u{202E}b.md", "---\nid: REQ-5\n---\n");
    let service = open(&tree);
    let refresh = refresh(&service);
    assert_eq!(ids(&refresh), ["REQ-1", "REQ-2", "REQ-3"]);
    assert_eq!(
        codes(&refresh),
        [
            "path_unsupported docs",
            "file_too_large docs/big.md",
            "yaml_unsupported docs/bomb.md",
            "yaml_unsupported docs/deep.md",
            "symlink_refused docs/folder",
            "symlink_refused docs/inner.md",
            "encoding_invalid docs/latin.md",
            "symlink_refused docs/link.md",
            "special_refused docs/pipe.md",
        ]
    );
    let all = format!("{:?}", refresh.snapshot.unwrap().diagnostics());
    assert!(!all.contains('\u{202E}') && !all.contains("root:"));
}

#[test]
fn a_manifest_that_changed_leaves_the_pinned_contract_in_force() {
    let tree = project();
    let service = open(&tree);
    tree.file("docforge.toml", &MANIFEST.replace("title = \"T\"", "title = \"Other\""));
    tree.file("docs/r4.md", "---\nid: REQ-4\n---\n");
    let stale = refresh(&service);
    assert_eq!(
        (stale.freshness, stale.changed.as_slice()),
        (Freshness::StaleContract, ["docforge.toml".to_owned()].as_slice())
    );
    assert_eq!(stale.snapshot.as_ref().unwrap().contract().project.title, "T");
    assert_eq!(ids(&stale).len(), 4, "sources are still followed");
    tree.file("docforge.toml", "schema = ");
    let broken = refresh(&service);
    assert_eq!((broken.freshness, broken.problems.is_empty()), (Freshness::StaleContract, false));
}

#[test]
fn without_a_manifest_nothing_is_served_until_there_is_one() {
    let tree = Tree::new("docs/a.md: x");
    let service = open(&tree);
    let none = refresh(&service);
    assert_eq!(
        (none.freshness, none.problems[0].check.clone()),
        (Freshness::Unavailable, Check::ManifestMissing)
    );
    tree.file("docforge.toml", "schema = \"docforge/1\"\n[project\n");
    assert_eq!(refresh(&service).problems[0].check, Check::ManifestInvalid);
    tree.file("docforge.toml", MANIFEST);
    assert_eq!(refresh(&service).freshness, Freshness::Fresh);
}

#[test]
fn two_sources_that_claim_one_file_make_a_project_unloadable_and_the_last_snapshot_stays() {
    let tree = project();
    let second =
        "[[sources]]\nid = \"more\"\nadapter = \"markdown@1\"\ninclude = [\"docs/x*.md\"]\ntype = \"req\"\n";
    tree.file("docforge.toml", &format!("{MANIFEST}{second}"));
    let service = open(&tree);
    assert_eq!(refresh(&service).freshness, Freshness::Fresh);
    tree.file("docs/x1.md", "---\nid: REQ-4\n---\n");
    let stale = refresh(&service);
    assert_eq!(stale.freshness, Freshness::StaleSources);
    assert_eq!((ids(&stale).len(), stale.problems[0].check.clone()), (3, Check::SourceOverlap));
    assert!(matches!(stale.snapshot.unwrap().look_up("REQ-4"), LookUp::Missing));
    tree.remove("docs/x1.md");
    let again = refresh(&service);
    assert_eq!((again.freshness, ids(&again).len()), (Freshness::Fresh, 3));
}

#[test]
fn limits_of_the_manifest_hold() {
    let tree = project();
    tree.file("docforge.toml", &format!("{MANIFEST}[limits]\nmax_files = 2\n"));
    let service = open(&tree);
    let refresh = refresh(&service);
    assert_eq!(
        (refresh.freshness, refresh.problems[0].check.clone()),
        (Freshness::Unavailable, Check::LimitExceeded)
    );
}

/// Items as doorstop 3.0 wrote them: reviewed and linked, then the text of one requirement was edited.
#[test]
fn suspect_links_of_doorstop_are_ours() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/docs/doorstop");
    let service = ProjectService::load(ProjectRoot::open(&folder).unwrap(), &Unwatched).unwrap();
    let refresh = refresh(&service);
    assert_eq!(ids(&refresh), ["REQ001", "REQ002", "REQ003", "TST001", "TST002", "TST003"]);
    let snapshot = refresh.snapshot.as_ref().unwrap();
    let suspect: Vec<_> =
        snapshot.nodes().iter().filter(|node| node.state.suspect).map(|node| node.id.as_str()).collect();
    assert_eq!(suspect, ["TST002"]);
    assert_eq!(codes(&refresh), ["suspect_pin tests/TST002.yml"]);
    let unreviewed: Vec<_> =
        snapshot.unreviewed().map(|(ix, review)| (snapshot.node(ix).id.as_str(), review)).collect();
    assert_eq!(unreviewed, [("REQ002", crate::model::Review::Changed)]);
    let paths: Vec<_> = snapshot.files().iter().map(|file| file.path.as_str()).collect();
    assert!(paths.contains(&"reqs/.doorstop.yml"), "settings count in the source hash: {paths:?}");
}

#[test]
fn an_overlay_is_the_project_with_other_files() {
    let tree = testkit::Tree::new("");
    tree.file(
        "docforge.toml",
        "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.note]\n[[sources]]\nid = \"main\"\n\
         adapter = \"markdown@1\"\ninclude = [\"docs/*.md\"]\nwrite = true\n",
    );
    tree.file("docs/a.md", "---\nid: A\ntype: note\n---\nOne.\n");
    tree.file("docs/b.md", "---\nid: B\ntype: note\n---\n");
    let root = ProjectRoot::open(&tree.root()).expect("a root");
    let service = ProjectService::load(root, &fault::Unwatched).expect("loads");
    let served = service.snapshot().expect("served");
    let same = service.overlay(&std::collections::BTreeMap::new()).expect("served");
    assert_eq!(same.snapshot_id(), served.snapshot_id());
    let bytes = service.source_bytes("docs/a.md").expect("unchanged");
    let changed = [
        ("docs/a.md".to_owned(), Some([&bytes[..], b"Two.\n"].concat())),
        ("docs/b.md".to_owned(), None),
        ("docs/c.md".to_owned(), Some(b"---\nid: C\ntype: note\n---\n".to_vec())),
    ];
    let overlay = service.overlay(&changed.into()).expect("served");
    let ids: Vec<&str> = overlay.nodes().iter().map(|node| node.id.as_str()).collect();
    assert_eq!(ids, ["A", "C"]);
    assert_eq!(overlay.nodes()[0].body, "One.\nTwo.\n");
    tree.file("docs/a.md", "edited");
    assert_eq!(service.source_bytes("docs/a.md"), None);
}

#[test]
fn paths_that_are_links_or_lie_behind_one_keep_a_project_from_being_loaded() {
    let manifest = "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.note]\n";
    for (link, key) in [
        (".docforge/changesets", "changesets"),
        (".docforge/previews", "previews"),
        (".docforge/index/project.dfx", "index"),
        (".docforge", "baselines"),
    ] {
        let tree = testkit::Tree::new("");
        tree.file("docforge.toml", manifest).link(link, tree.scratch());
        let service = open(&tree);
        let refresh = refresh(&service);
        assert_eq!(refresh.freshness, Freshness::Unavailable);
        let words = format!("`{key}` of [paths] is a link or lies behind one");
        assert!(refresh.problems.iter().any(|one| one.message == words), "{link}: {:?}", refresh.problems);
    }
}
