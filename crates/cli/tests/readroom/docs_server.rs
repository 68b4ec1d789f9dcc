//! `readroom mcp docs` over its pipes: that every tool answers in one envelope, whatever it is asked. The other files of this name
//! hold what lists, hashes, changes on the disk, queries and graphs look like from there.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use testkit::{Client, Era, Session, Tree};

use super::BINARY;

/// The tools, in the order in which they are listed.
pub(super) const READ: [&str; 12] = [
    "docforge_project_info",
    "docforge_get_contract",
    "docforge_get_node",
    "docforge_search",
    "docforge_filter_nodes",
    "docforge_backlinks",
    "docforge_dependencies",
    "docforge_impact",
    "docforge_get_context",
    "docforge_validate_project",
    "docforge_render_status",
    "docforge_visualize",
];

/// A docs server with the output schema of each tool.
pub(super) struct Server {
    pub(super) session: Session,
    schemas: BTreeMap<String, Validator>,
    pub(super) tools: Vec<Value>,
}

impl Server {
    /// On the project of `tree`, never with a page.
    pub(super) fn start(tree: &Tree, options: &[&str]) -> Server {
        Server::start_at(&tree.root(), tree, options)
    }

    /// On another folder.
    pub(super) fn start_at(root: &Path, tree: &Tree, options: &[&str]) -> Server {
        let root = root.to_str().expect("the test's folder is UTF-8");
        let mut arguments = vec!["mcp", "docs", "--project-root", root, "--no-visualize"];
        arguments.extend(options);
        let client = Client::start(Path::new(BINARY), &arguments, &tree.home());
        Server::on(Session::open(client, Era::Legacy("2025-11-25")))
    }

    pub(super) fn on(mut session: Session) -> Server {
        let tools = session.list_tools();
        let name = |tool: &Value| tool["name"].as_str().expect("a name").to_owned();
        let schema = |tool: &Value| jsonschema::validator_for(&tool["outputSchema"]).expect("a schema");
        let schemas = tools.iter().map(|tool| (name(tool), schema(tool))).collect();
        Server { session, schemas, tools }
    }

    /// A whole answer, looked at from all sides: its envelope, its schema, its size, its text.
    pub(super) fn ask(&mut self, tool: &str, arguments: Value) -> Value {
        let asked = format!("{tool} {arguments}");
        let answer = self.session.call(tool, arguments);
        let value = answer.structured().clone();
        assert_eq!(answer.blocks().len(), 1, "{asked}");
        let text: Value = serde_json::from_str(answer.text()).expect("the text is the same JSON");
        assert_eq!(text, value, "{asked}");
        assert_eq!(value["ok"] == false, answer.is_error(), "{asked}");
        let chars = answer.text().chars().count();
        assert!(chars <= 80_000, "{chars} characters: {asked}");
        assert_envelope(&value, &asked);
        let schema = &self.schemas[tool];
        let faults: Vec<String> = schema.iter_errors(&value).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{asked}: {faults:?} in {value}");
        value
    }

    /// The result of a call that succeeds.
    #[track_caller]
    pub(super) fn result(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask(tool, arguments);
        assert_eq!(answer["ok"], true, "{tool}: {}", answer["error"]);
        answer["result"].clone()
    }

    /// The error of a call that fails.
    #[track_caller]
    pub(super) fn error(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask(tool, arguments);
        assert_eq!(answer["ok"], false, "{tool}: {answer}");
        answer["error"].clone()
    }

    /// The code of such an error.
    #[track_caller]
    pub(super) fn code(&mut self, tool: &str, arguments: Value) -> String {
        self.error(tool, arguments)["code"].as_str().expect("a code").to_owned()
    }
}

fn assert_envelope(value: &Value, asked: &str) {
    let notice = value["notice"].as_str().expect("a notice");
    assert!(notice.contains("project content") && notice.contains("data"), "{asked}: {notice}");
    let is_hash = |value: &Value, prefix: &str| {
        value.as_str().and_then(|text| text.strip_prefix(prefix)).is_some_and(|hex| {
            hex.len() == 64 && hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        })
    };
    assert!(
        value["project"]["doc"].get("title").is_some() && value["project"].get("id").is_some(),
        "{asked}"
    );
    let state = value["project"]["state"].as_str().expect("a state");
    let is_loaded = !value["snapshot_id"].is_null();
    assert_eq!(is_loaded, ["valid", "invalid"].contains(&state), "{asked}: {state}");
    if is_loaded {
        assert!(
            is_hash(&value["revision"], "r1-") && is_hash(&value["source_hash"], "sha256:"),
            "{asked}: {value}"
        );
        assert!(
            is_hash(&value["snapshot_id"], "s1-") && is_hash(&value["contract_hash"], "sha256:"),
            "{asked}"
        );
        assert!(value["adapter_version"].as_str().is_some_and(|text| text.contains('@')), "{asked}");
    } else {
        assert!(value["revision"].is_null() && value["source_hash"].is_null(), "{asked}");
    }
    assert!(value["engine_version"].as_str().is_some_and(|text| text.starts_with("readroom ")), "{asked}");
    let staleness = value["staleness"]["state"].as_str().expect("a state");
    let states = ["fresh", "stale_sources", "stale_contract", "unverified", "unavailable"];
    assert!(states.contains(&staleness), "{asked}: {staleness}");
    assert!(
        value["staleness"]["changed"].is_array() && value["staleness"]["changed_total"].is_u64(),
        "{asked}"
    );
    assert!(value["warnings"].is_array(), "{asked}");
    assert_eq!(value["ok"] == true, value.get("result").is_some(), "{asked}");
    assert_eq!(value["ok"] == false, value.get("error").is_some(), "{asked}");
    if let Some(error) = value.get("error") {
        assert!(
            error["code"].is_string() && error["message"].is_string() && error["details"].is_object(),
            "{asked}"
        );
        let retry = error["retry"].as_str().expect("a word");
        assert!(
            ["no", "after_change", "after_refresh", "other_arguments"].contains(&retry),
            "{asked}: {retry}"
        );
    }
}

/// Every entry below a folder, with its kind, size and time of change, and what links say; sorted.
pub(super) fn listing(root: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let data = std::fs::symlink_metadata(&path).expect("there");
            let target = std::fs::read_link(&path).unwrap_or_default();
            out.push(format!(
                "{} {:o} {} {}.{} {}",
                path.display(),
                data.mode(),
                if data.is_dir() { 0 } else { data.size() },
                data.mtime(),
                data.mtime_nsec(),
                target.display()
            ));
            if data.is_dir() {
                folders.push(path);
            }
        }
    }
    out.sort_unstable();
    out
}

/// A project with relations of every kind, and a writer who may do everything.
pub(super) fn project() -> Tree {
    let tree = Tree::new("");
    tree.file("docforge.toml", MANIFEST);
    for at in 1..=12_u32 {
        let refines = if at > 1 { format!("refines: [REQ-{}]\n", at / 2) } else { String::new() };
        let status = ["draft", "approved", "retired"][at as usize % 3];
        tree.file(
            &format!("docs/req/r{at:02}.md"),
            &format!("---\nid: REQ-{at}\ntype: req\ntitle: Requirement {at}\naliases: [OLD-{at}]\nstatus: {status}\npriority: {at}\n{refines}---\nThe body of number {at}. Sessions end; see [[REQ-1]].\n"),
        );
    }
    for at in 1..=6_u32 {
        tree.file(
            &format!("docs/test/t{at}.md"),
            &format!(
                "---\nid: TST-{at}\ntype: test\ntitle: Test {at}\nverifies: [REQ-{at}, REQ-{}]\n---\nRuns.\n",
                at + 6
            ),
        );
    }
    tree.file("docs/test/t9.md", "---\nid: TST-9\ntype: test\ntitle: Lost\nverifies: [REQ-99]\n---\nRuns.\n");
    tree
}

pub(super) const MANIFEST: &str = r#"schema = "docforge/1"
[project]
id = "served"
title = "Served"
[types.req]
[types.req.fields.status]
type = "enum"
values = ["draft", "approved", "retired"]
required = true
[types.req.fields.priority]
type = "integer"
[types.req.fields.tags]
type = "string"
list = true
[types.test]
[relations.refines]
from = ["req"]
to = ["req"]
inverse = "refined_by"
acyclic = true
[relations.verifies]
from = ["test"]
to = ["req"]
inverse = "verified_by"
min = 1
pin = "optional"
[relations.mentions]
from = ["*"]
to = ["*"]
inverse = "mentioned_by"
impact = "none"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["docs/**/*.md"]
write = true
[sources.options]
inline = [{ syntax = "wikilink", relation = "mentions" }]
[[sources]]
id = "many"
adapter = "markdown@1"
include = ["many/**/*.md"]
[sources.options]
sections = true
[[rules]]
id = "approved-is-tested"
where = 'type = req and status = "approved"'
require = 'count(in.verifies) >= 1'
message = "{id} is approved but nothing verifies it"
[views.all]
title = "Everything"
renderer = "document@1"
output = "site/all.html"
[views.reqs]
title = "Requirements"
renderer = "table@1"
where = "type = req"
[writers.agent]
title = "Agent"
operations = ["create", "update", "move", "delete"]
"#;

/// Draws the same arguments each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Values that an argument of this name may have, good ones among bad ones.
fn drawn(dice: &mut Dice, name: &str, schema: &Value) -> Value {
    let words: &[&str] = match name {
        "id" | "node" => {
            &["REQ-1", "REQ-12", "TST-9", "OLD-3", "req-1", "REQ-99", "", " ", "\u{202E}", "../x", "日本"]
        }
        "query" => {
            &["session", "\"body of\"", "num*", "-x", "a | b", "*", "\"", "NEAR(x)", "REQ-1", "\u{0}", ""]
        }
        "where" => &[
            "type = req",
            "priority > 3",
            "priority ~ 3",
            "statsu = x",
            "(",
            "none(in.verifies)",
            "state = error",
            "",
        ],
        "sort" => &["id", "-id", "field:priority", "-field:status", "path", "nope", "field:nope"],
        "fields" => &["status", "priority", "nope", "tags"],
        "group_by" => &["type", "path_dir", "field:status", "field:nope", "nope"],
        "types" => &["req", "test", "rqe"],
        "type" => &["req", "test", "rqe", ""],
        "relations" => &["refines", "verifies", "mentions", "refined_by", "nope"],
        "codes" => &["dangling_relation", "rule:approved-is-tested", "nope"],
        "path" => &["docs", "docs/req/r01.md", "docs/", "/etc/passwd", "..", ""],
        "change" => &["content", "delete", "field:status", "field:nope", "x"],
        "cursor" => &["", "AAAA", "bm90IGEgY3Vyc29y", "=", "ü"],
        "changeset_id" => &["cs-01k0000000000000000000000a", "cs-", "../x", ""],
        "view" | "view_id" => &["all", "reqs", "nope", "document@1", "../x"],
        "base_hash" => &["sha256:00", "x", ""],
        "title" | "reason" | "idempotency_key" => &["A title", "x", "", "12345678", "\u{E0041}\u{202E}"],
        _ => &["", "x", "all", "semantic", "unified", "open"],
    };
    match dice.below(12) {
        0 => dice
            .of(&[
                json!(null),
                json!(0),
                json!(-1),
                json!(1.5),
                json!(true),
                json!({}),
                json!([]),
                json!([1]),
            ])
            .clone(),
        1 => json!("x".repeat(dice.below(6_000))),
        _ => match schema["type"].as_str() {
            Some("integer") => {
                let most = schema["maximum"].as_u64().unwrap_or(50);
                let numbers = [
                    json!(1),
                    json!(most),
                    json!(most + 1),
                    json!(0),
                    json!("3"),
                    json!(most / 2 + 1),
                    json!(1e30),
                ];
                dice.of(&numbers).clone()
            }
            Some("boolean") => dice.of(&[json!(true), json!(false), json!("true"), json!(1)]).clone(),
            Some("array") => {
                let length = dice.below(4);
                (0..length).map(|_| json!(dice.of(words))).collect()
            }
            Some("object") => dice
                .of(&[
                    json!({}),
                    json!({"id": "NEW-1", "type": "req", "title": "New", "fields": {"status": "draft"}}),
                    json!({"source": "main", "path": "docs/new.md"}),
                    json!({"path": "../x"}),
                    json!({"title": 3}),
                ])
                .clone(),
            _ => match schema["enum"].as_array() {
                Some(choices) if dice.below(4) > 0 => dice.of(choices).clone(),
                _ => json!(dice.of(words)),
            },
        },
    }
}

fn drawn_arguments(dice: &mut Dice, tool: &Value) -> Value {
    let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
    let required: Vec<&str> =
        tool["inputSchema"]["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut out = Map::new();
    for (name, schema) in properties {
        let is_given =
            if required.contains(&name.as_str()) { dice.below(20) > 0 } else { dice.below(4) == 0 };
        if is_given {
            out.insert(name.clone(), drawn(dice, name, schema));
        }
    }
    if dice.below(25) == 0 {
        out.insert("nope".to_owned(), json!(1));
    }
    Value::Object(out)
}

#[test]
fn two_thousand_drawn_calls_are_answered_in_the_envelope_and_by_the_schema() {
    let tree = project();
    let before = listing(&tree.path("docs"));
    let mut dice = Dice(20_260);
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    // A writer makes the mutation tools go further than their first line; without one they end at access.
    for (options, rounds) in [(&["--proposal-writer", "agent"][..], 1_500), (&[], 500)] {
        let mut server = Server::start(&tree, options);
        let tools = server.tools.clone();
        for round in 0..rounds {
            let tool = &tools[round % tools.len()];
            let name = tool["name"].as_str().expect("a name").to_owned();
            let answer = server.ask(&name, drawn_arguments(&mut dice, tool));
            let count = counts.entry(name).or_default();
            if answer["ok"] == true {
                count.0 += 1
            } else {
                count.1 += 1
            }
            assert_ne!(answer["error"]["code"], "internal_error", "{answer}");
        }
        assert_eq!(server.session.finish().stderr, "");
    }
    for name in READ {
        let (good, bad) = counts.get(name).copied().unwrap_or_default();
        if counts.contains_key(name) {
            assert!(good > 0 || name == "docforge_visualize", "{name} never succeeds: {counts:?}");
            assert!(bad > 0, "{name} never fails: {counts:?}");
        }
    }
    assert_eq!(listing(&tree.path("docs")), before, "no document was touched");
}

#[test]
fn a_project_without_a_manifest_has_the_envelope_too() {
    let tree = Tree::new("docs/a.md: text");
    let mut server = Server::start(&tree, &[]);
    for tool in server.tools.clone() {
        let name = tool["name"].as_str().expect("a name");
        let arguments = match name {
            "docforge_get_node"
            | "docforge_backlinks"
            | "docforge_dependencies"
            | "docforge_impact"
            | "docforge_get_context" => json!({ "id": "A" }),
            "docforge_search" => json!({ "query": "text" }),
            _ => json!({}),
        };
        let answer = server.ask(name, arguments);
        assert_eq!(answer["project"]["state"], "unloadable", "{name}");
        assert_eq!(answer["staleness"]["state"], "unavailable", "{name}");
        let is_told = ["docforge_project_info", "docforge_validate_project"].contains(&name);
        assert_eq!(answer["ok"] == true, is_told, "{name}: {answer}");
    }
    tree.file("docforge.toml", MANIFEST);
    let loaded = server.ask("docforge_project_info", json!({}));
    assert_eq!(
        (&loaded["staleness"]["state"], &loaded["result"]["counts"]["nodes"]),
        (&json!("fresh"), &json!(0))
    );
}
