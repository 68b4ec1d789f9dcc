//! The index file beside its project: made, believed, and refused in every way that it can be wrong.

use std::path::{Path, PathBuf};

use super::*;
use crate::{ProjectRoot, ProjectService};

const INDEX: &str = ".docforge/index/project.dfx";

struct Made {
    tree: testkit::Tree,
    service: ProjectService,
}

impl Made {
    fn new() -> Made {
        let tree = testkit::Tree::new("");
        let manifest = "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.note]\n[relations.about]\n\
            from = [\"*\"]\nto = [\"*\"]\ninverse = \"subject_of\"\n[[sources]]\nid = \"main\"\nadapter = \"markdown@1\"\n\
            include = [\"docs/*.md\"]\ntype = \"note\"\n";
        tree.file("docforge.toml", manifest);
        tree.file("docs/a.md", "---\nid: A\nabout: [{to: B, note: why}, C]\n---\nThe needle of A. 東京都\n");
        tree.file("docs/b.md", "---\nid: B\ntitle: \"It's B\"\n---\nBody\n");
        tree.file(INDEX, "");
        let root = ProjectRoot::open(&tree.root()).unwrap();
        let service = ProjectService::load(root, &Unwatched).unwrap();
        Made { tree, service }
    }

    fn path(&self) -> PathBuf {
        self.tree.root().join(INDEX)
    }

    fn state(&self) -> IndexState {
        let state = index_state(self.service.root().root(), &self.service.snapshot().unwrap());
        assert_eq!(self.service.index(), Some(state), "the service says what a look of its own says");
        state
    }

    /// What a project that is opened now answers: its identity, and a search.
    fn answers(&self) -> (String, Vec<crate::Hit>) {
        let root = ProjectRoot::open(&self.tree.root()).unwrap();
        let snapshot = ProjectService::load(root, &Unwatched).unwrap().snapshot().unwrap();
        let query = crate::Query::parse("needle").unwrap();
        let hits = snapshot.search(&query, crate::SearchScope::default()).unwrap();
        (snapshot.snapshot_id().to_owned(), hits)
    }

    fn bytes(&self) -> Vec<u8> {
        index_bytes(&self.service.snapshot().unwrap()).unwrap()
    }

    fn write(&self, bytes: &[u8]) -> &Made {
        drop(std::fs::remove_file(self.path()));
        std::fs::write(self.path(), bytes).unwrap();
        self
    }

    /// The index after a statement, as a person with a database shell would leave it.
    fn edited(&self, sql: &str) -> IndexState {
        self.write(&self.bytes());
        Connection::open(self.path()).unwrap().execute_batch(sql).unwrap();
        self.state()
    }
}

#[test]
fn an_index_of_this_state_is_current_and_can_be_queried() {
    let made = Made::new();
    let bytes = made.bytes();
    assert_eq!(bytes, made.bytes(), "the same snapshot gives the same bytes");
    assert_eq!(made.write(&bytes).state(), IndexState::Current(Hash::of(&[&bytes])));
    let database = Connection::open(made.path()).unwrap();
    let found: String = database
        .query_row(
            "SELECT id FROM node WHERE rowid IN (SELECT rowid FROM fts WHERE fts MATCH 'needle')",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(found, "A");
    let rows: u32 = database
        .query_row("SELECT count(*) FROM fts_tri WHERE fts_tri MATCH '東京都'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 1);
}

#[test]
fn an_edited_row_is_damage_wherever_it_is() {
    let made = Made::new();
    for sql in [
        "UPDATE node SET canonical_json = replace(canonical_json, 'needle', 'noodle') WHERE id = 'A'",
        "UPDATE node SET title = 'x' WHERE id = 'B'",
        "UPDATE edge SET note = 'because'",
        "DELETE FROM edge",
        "UPDATE file SET size = size + 1 WHERE path = 'docs/a.md'",
        "DELETE FROM diag",
        "INSERT INTO node SELECT 'Z', type, title, path, ordinal, line, canonical_json, node_hash FROM node LIMIT 1",
        "DROP TABLE edge; CREATE VIEW edge AS SELECT 1 AS src",
        "CREATE TRIGGER t AFTER INSERT ON node BEGIN SELECT 1; END",
        "DELETE FROM meta",
    ] {
        assert_eq!(made.edited(sql), IndexState::Damaged, "{sql}");
    }
    assert!(matches!(made.edited("SELECT 1"), IndexState::Current(_)));
}

#[test]
fn an_index_of_another_state_or_engine_is_stale() {
    let made = Made::new();
    assert_eq!(
        made.edited("UPDATE meta SET value = 'readroom 0.0.1' WHERE name = 'engine'"),
        IndexState::Stale
    );
    let old = made.bytes();
    made.tree.file("docs/b.md", "---\nid: B\n---\nAnother body\n");
    made.service.refresh(crate::Checked::Hash, &Unwatched).unwrap();
    assert_eq!(made.write(&old).state(), IndexState::Stale);
}

#[test]
fn what_is_no_database_is_damaged() {
    let made = Made::new();
    let bytes = made.bytes();
    for wrong in [&b""[..], b"not a database", &bytes[..bytes.len() / 2], &bytes[..100]] {
        assert_eq!(made.write(wrong).state(), IndexState::Damaged, "{} bytes", wrong.len());
    }
}

#[test]
fn links_and_second_names_are_refused() {
    let made = Made::new();
    let other = made.tree.root().join("docs/other.dfx");
    std::fs::write(&other, made.bytes()).unwrap();
    let replace = |by: &dyn Fn(&Path)| {
        std::fs::remove_file(made.path()).unwrap();
        by(&made.path());
        made.state()
    };
    assert_eq!(replace(&|path| std::os::unix::fs::symlink(&other, path).unwrap()), IndexState::Refused);
    assert_eq!(replace(&|path| std::fs::hard_link(&other, path).unwrap()), IndexState::Refused);
    assert_eq!(replace(&|_| {}), IndexState::Absent);
}

/// R18 of the acceptance cases.
#[test]
fn whatever_the_index_is_the_answers_are_those_without_one() {
    let made = Made::new();
    std::fs::remove_file(made.path()).unwrap();
    let without = made.answers();
    assert_eq!(made.state(), IndexState::Absent);
    let bytes = made.bytes();
    let at = bytes.windows(6).position(|window| window == b"needle").unwrap();
    let mut one_byte = bytes.clone();
    one_byte[at] = b'N';
    let old = {
        made.tree.file("docs/b.md", "---\nid: B\n---\nAnother body\n");
        made.service.refresh(crate::Checked::Hash, &Unwatched).unwrap();
        let old = made.bytes();
        made.tree.file("docs/b.md", "---\nid: B\ntitle: \"It's B\"\n---\nBody\n");
        made.service.refresh(crate::Checked::Hash, &Unwatched).unwrap();
        old
    };
    for (content, expected) in [
        (&bytes[..], IndexState::Current(Hash::of(&[&bytes]))),
        (&one_byte, IndexState::Damaged),
        (&old, IndexState::Stale),
        (&bytes[..bytes.len() - 4096], IndexState::Damaged),
    ] {
        assert_eq!(made.write(content).state(), expected);
        assert_eq!(made.answers(), without, "{expected:?}");
    }
    let other = made.tree.root().join("docs/other.dfx");
    std::fs::write(&other, &bytes).unwrap();
    std::fs::remove_file(made.path()).unwrap();
    std::fs::hard_link(&other, made.path()).unwrap();
    assert_eq!((made.state(), made.answers()), (IndexState::Refused, without.clone()));
    std::fs::remove_file(made.path()).unwrap();
    std::os::unix::fs::symlink(&other, made.path()).unwrap();
    // Opened anew, a link in this place is a fault of the manifest (A9), and there are no answers to compare.
    assert_eq!(made.state(), IndexState::Refused);
}

#[test]
fn a_look_is_kept_only_while_nothing_changed() {
    let made = Made::new();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    made.write(&made.bytes());
    assert!(matches!(made.state(), IndexState::Current(_)));
    let mut bytes = made.bytes();
    bytes.truncate(bytes.len() - 1);
    made.write(&bytes);
    std::fs::File::open(made.path()).unwrap().set_modified(old).unwrap();
    assert_eq!(made.state(), IndexState::Damaged);
    std::fs::write(made.path(), made.bytes()).unwrap();
    std::fs::File::open(made.path()).unwrap().set_modified(old).unwrap();
    assert!(matches!(made.state(), IndexState::Current(_)), "the system's own time of change tells");
    made.tree.file("docs/b.md", "---\nid: B\n---\nAnother body\n");
    made.service.refresh(crate::Checked::Hash, &Unwatched).unwrap();
    assert_eq!(made.state(), IndexState::Stale);
}
