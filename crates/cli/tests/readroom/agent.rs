//! The side of an agent: a scripted client of `readroom mcp docs` that reads, proposes and checks; everything else is left to
//! the commands.

use std::path::Path;

use serde_json::{Map, Value, json};
use testkit::{Client, Era, Session, Tree};

use super::BINARY;

/// An agent whose server is bound to a project and to its writer `agent`.
pub(super) struct Agent {
    session: Session,
}

impl Agent {
    pub(super) fn of(tree: &Tree) -> Agent {
        Agent::with(tree, &["--proposal-writer", "agent"])
    }

    /// One whose server was started with other options.
    pub(super) fn with(tree: &Tree, options: &[&str]) -> Agent {
        let root = tree.root();
        let root = root.to_str().expect("the test's folder is UTF-8");
        let arguments = [&["mcp", "docs", "--project-root", root], options].concat();
        Agent::on(Client::start(Path::new(BINARY), &arguments, &tree.home()))
    }

    /// One that talks to a server that runs.
    pub(super) fn on(client: Client) -> Agent {
        Agent { session: Session::open(client, Era::Legacy("2025-11-25")) }
    }

    /// The names of the tools.
    pub(super) fn tools(&mut self) -> Vec<String> {
        let name = |tool: Value| tool["name"].as_str().expect("a name").to_owned();
        self.session.list_tools().into_iter().map(name).collect()
    }

    /// A whole answer, whatever it is.
    pub(super) fn answer(&mut self, tool: &str, arguments: Value) -> Value {
        self.session.call(tool, arguments).structured().clone()
    }

    /// The error of a call that fails.
    #[track_caller]
    pub(super) fn error(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.answer(tool, arguments);
        assert_eq!(answer["ok"], false, "{tool}: {answer}");
        answer["error"].clone()
    }

    /// The code of such an error.
    #[track_caller]
    pub(super) fn code(&mut self, tool: &str, arguments: Value) -> String {
        self.error(tool, arguments)["code"].as_str().expect("a code").to_owned()
    }

    /// Calls a tool; its result.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.session.call(tool, arguments);
        let answer = answer.structured();
        assert_eq!(answer["ok"], true, "{tool}: {answer}");
        answer["result"].clone()
    }

    /// A new changeset; its id.
    pub(super) fn changeset(&mut self, title: &str) -> String {
        let made = self.call("docforge_create_changeset", json!({ "title": title }));
        made["changeset_id"].as_str().expect("an id").to_owned()
    }

    /// The hash of a node as it is now.
    pub(super) fn hash(&mut self, id: &str) -> Value {
        self.call("docforge_get_node", json!({ "id": id }))["node_hash"].clone()
    }

    /// Arguments with the changeset and its version.
    pub(super) fn at(&mut self, changeset: &str, arguments: Value) -> Value {
        let version =
            self.call("docforge_get_changeset", json!({ "changeset_id": changeset }))["version"].clone();
        let mut all: Map<String, Value> = arguments.as_object().expect("an object").clone();
        all.insert("changeset_id".to_owned(), changeset.into());
        all.insert("expected_version".to_owned(), version);
        Value::Object(all)
    }

    fn propose(&mut self, tool: &str, changeset: &str, arguments: Value) -> Value {
        let arguments = self.at(changeset, arguments);
        self.call(tool, arguments)
    }

    fn update(&mut self, changeset: &str, id: &str, part: &str, change: Value) {
        let base_hash = self.hash(id);
        let arguments = json!({ "id": id, "base_hash": base_hash, part: change });
        self.propose("docforge_propose_node_update", changeset, arguments);
    }

    /// Proposes another title.
    pub(super) fn retitle(&mut self, changeset: &str, id: &str, title: &str) {
        self.update(changeset, id, "set", json!({ "title": title }));
    }

    /// Proposes other fields.
    pub(super) fn set(&mut self, changeset: &str, id: &str, fields: Value) {
        self.update(changeset, id, "set", json!({ "fields": fields }));
    }

    /// Proposes to replace a piece of a body.
    pub(super) fn edit(&mut self, changeset: &str, id: &str, find: &str, replace: &str) {
        self.update(changeset, id, "body", json!({ "edits": [{ "find": find, "replace": replace }] }));
    }

    /// Proposes a requirement.
    pub(super) fn create(&mut self, changeset: &str, id: &str, title: &str, path: &str, refines: &[&str]) {
        let node = json!({
            "id": id,
            "type": "req",
            "title": title,
            "fields": { "status": "draft" },
            "relations": { "refines": refines },
            "body": format!("{title}.\n"),
        });
        let placement = json!({ "source": "docs", "path": path });
        let arguments = json!({ "node": node, "placement": placement });
        self.propose("docforge_propose_node_create", changeset, arguments);
    }

    /// Proposes that a node goes.
    pub(super) fn delete(&mut self, changeset: &str, id: &str, reason: &str) {
        let base_hash = self.hash(id);
        let arguments = json!({ "id": id, "base_hash": base_hash, "reason": reason });
        self.propose("docforge_propose_node_delete", changeset, arguments);
    }
}
