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
        index_state(self.service.root().root(), &self.service.snapshot().unwrap())
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
