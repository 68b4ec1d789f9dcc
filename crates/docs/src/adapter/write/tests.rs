//! Files before and after a change: what was meant changes, and not a byte beside it.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::contract::load;
use crate::parsed::ParsedNode;

const HEAD: &str = r#"
schema = "docforge/1"
[project]
id = "t"
title = "T"
[types.req]
[types.req.fields.status]
type = "string"
[types.req.fields.size]
type = "integer"
[types.req.fields.tags]
type = "string"
list = true
[types.req.fields.extra]
type = "json"
[relations.needs]
from = ["*"]
to = ["*"]
inverse = "needed_by"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["**/*.md"]
write = true
"#;

const SECTIONS: &str = "[sources.options]\nsections = true\n";

fn contract(options: &str) -> Contract {
    load(&format!("{HEAD}{options}")).unwrap_or_else(|found| panic!("{found:#?}"))
}

fn edited_with(options: &str, text: &str, edits: &[FileEdit]) -> Option<String> {
    let contract = contract(options);
    let edited =
        edit_file(&contract, &contract.sources[0], "a.md", text.as_bytes(), edits).expect("editable");
    edited.map(|bytes| String::from_utf8(bytes).expect("text"))
}

fn change(id: &str, keys: &[(&str, Value)], body: Option<&str>) -> FileEdit {
    let value = |value: &Value| if value.is_null() { None } else { Some(value.clone()) };
    let keys = keys.iter().map(|(name, new)| ((*name).to_owned(), value(new))).collect();
    FileEdit::Change { id: id.to_owned(), edit: NodeEdit { keys, body: body.map(str::to_owned) } }
}

fn nodes(options: &str, text: &str) -> Vec<ParsedNode> {
    let contract = contract(options);
    let file = read_markdown(&contract, &contract.sources[0], "a.md", text.as_bytes());
    assert!(!file.parsed.is_quarantined, "{text}\n{:#?}", file.parsed.diagnostics);
    file.parsed.nodes
}

const FILE: &str = "---\n# about this node\nid: R-1\ntype:   req   # kind\ntitle: 'Old'\nstatus: \"open\" # why\ntags: [a,  b]\n# on needs\nneeds:\n  - R-2   # first\n  - {to: R-3, note: \"n\"}\n\n# last words\n---\nOne.\n\nTwo.\nThree.\n\n\n";

#[test]
fn only_the_value_of_a_key_changes() {
    let edits = [change("R-1", &[("status", json!("done")), ("title", json!("New: one"))], None)];
    let expected = FILE.replace("\"open\"", "done").replace("'Old'", "\"New: one\"");
    assert_eq!(edited_with("", FILE, &edits).as_deref(), Some(expected.as_str()));
}

#[test]
fn keys_come_and_go_and_comments_stay() {
    let edits = [change(
        "R-1",
        &[("status", Value::Null), ("size", json!(3)), ("extra", json!({"a": ["1", 2]}))],
        None,
    )];
    let expected = FILE.replace("status: \"open\" # why\n", "").replace(
        "  - {to: R-3, note: \"n\"}\n",
        "  - {to: R-3, note: \"n\"}\nsize: 3\nextra: {\"a\": [\"1\", 2]}\n",
    );
    assert_eq!(edited_with("", FILE, &edits).as_deref(), Some(expected.as_str()));
    let edits = [change("R-1", &[("needs", Value::Null)], None)];
    let expected = FILE.replace("needs:\n  - R-2   # first\n  - {to: R-3, note: \"n\"}\n", "");
    assert_eq!(edited_with("", FILE, &edits).as_deref(), Some(expected.as_str()));
}

#[test]
fn a_relation_that_is_added_leaves_the_lines_of_the_others_alone() {
    let new = json!(["R-2", {"to": "R-3", "note": "n"}, {"to": "R-4", "pin": "sha256:0"}, "R-5"]);
    let edits = [change("R-1", &[("needs", new)], None)];
    let expected =
        FILE.replace("note: \"n\"}\n", "note: \"n\"}\n  - {to: R-4, pin: \"sha256:0\"}\n  - R-5\n");
    assert_eq!(edited_with("", FILE, &edits).as_deref(), Some(expected.as_str()));
    let check = |targets: Value, before: &str, after: &str| {
        let edits = [change("R-1", &[("needs", targets)], None)];
        let expected = FILE.replace(before, after);
        assert_ne!(expected, FILE);
        assert_eq!(edited_with("", FILE, &edits).as_deref(), Some(expected.as_str()));
    };
    let third = json!({"to": "R-3", "note": "n"});
    // One goes, one says something else, one goes and another comes, all are new.
    check(json!([third]), "  - R-2   # first\n", "");
    check(json!(["R-2"]), "  - {to: R-3, note: \"n\"}\n", "");
    check(json!(["R-2", "R-3"]), "{to: R-3, note: \"n\"}", "R-3");
    check(json!([{"to": "R-2", "note": "m"}, third]), "R-2   #", "{to: R-2, note: \"m\"}   #");
    check(json!(["R-2", "R-4"]), "{to: R-3, note: \"n\"}", "R-4");
    check(
        json!([third, "R-4"]),
        "  - R-2   # first\n  - {to: R-3, note: \"n\"}\n",
        "  - {to: R-3, note: \"n\"}\n  - R-4\n",
    );
    check(json!(["R-4"]), "needs:\n  - R-2   # first\n  - {to: R-3, note: \"n\"}\n", "needs: [R-4]\n");
}

#[test]
fn the_lines_of_a_list_keep_their_own_ends() {
    let mixed = FILE.replace("# first\n", "# first\r\n").replace("note: \"n\"}\n", "note: \"n\"}\r\n");
    let edits = [change("R-1", &[("needs", json!(["R-2", {"to": "R-3", "note": "n"}, "R-4"]))], None)];
    let expected = mixed.replace("note: \"n\"}\r\n", "note: \"n\"}\r\n  - R-4\r\n");
    assert_eq!(edited_with("", &mixed, &edits).as_deref(), Some(expected.as_str()));
}

#[test]
fn only_the_lines_of_a_body_that_differ_change() {
    let edits = [change("R-1", &[], Some("One.\n\nTwo!\nThree.\nFour.\n"))];
    let expected = FILE.replace("Two.\nThree.\n", "Two!\nThree.\nFour.\n");
    assert_eq!(edited_with("", FILE, &edits).as_deref(), Some(expected.as_str()));
}

#[test]
fn line_ends_the_mark_and_the_end_of_the_file_stay() {
    let mixed = "\u{FEFF}---\r\nid: R-1\ntype: req\r\nstatus: a\r\n---\r\nOne.\r\nTwo.\nThree.";
    let edits = [change(
        "R-1",
        &[("status", json!("b")), ("size", json!(1))],
        Some("One.\nTwo and a half.\nThree.\nFour.\n"),
    )];
    let expected = "\u{FEFF}---\r\nid: R-1\ntype: req\r\nstatus: b\r\nsize: 1\r\n---\r\nOne.\r\nTwo and a half.\nThree.\r\nFour.";
    assert_eq!(edited_with("", mixed, &edits).as_deref(), Some(expected));
    let edits = [change("R-1", &[], Some("One.\n"))];
    let expected = "\u{FEFF}---\r\nid: R-1\ntype: req\r\nstatus: a\r\n---\r\nOne.";
    assert_eq!(edited_with("", mixed, &edits).as_deref(), Some(expected));
}

const MANY: &str = "Prose.\n\n## One\n```node\nid: R-1\ntype: req\n```\n\nBody one.\n\n## Two\n```node\nid: R-2\ntype: req\ntitle: Second\n```\n\n# Plain\n\nwords\n\n### Three\n~~~node\nid: R-3\ntype: req\n~~~\nBody three.\n";

#[test]
fn a_section_changes_without_its_neighbours() {
    let edits = [
        change("R-1", &[("title", json!("First"))], Some("Body uno.\nMore.\n")),
        change("R-2", &[("title", json!("2nd"))], Some("Now a body.\n")),
    ];
    let expected = MANY
        .replace("## One", "## First")
        .replace("Body one.\n", "Body uno.\nMore.\n")
        .replace("title: Second", "title: 2nd")
        .replace("```\n\n# Plain", "```\n\nNow a body.\n\n# Plain");
    assert_eq!(edited_with(SECTIONS, MANY, &edits).as_deref(), Some(expected.as_str()));
    let edits = [change("R-1", &[("title", json!("*bold*"))], None)];
    let edited = edited_with(SECTIONS, MANY, &edits).expect("a file");
    assert!(edited.contains("## One\n```node\nid: R-1\ntype: req\ntitle: \"*bold*\"\n```"), "{edited}");
}

fn new_node(id: &str) -> NewNode {
    NewNode {
        id: id.to_owned(),
        type_name: "req".to_owned(),
        title: "Fresh one".to_owned(),
        keys: vec![("status".to_owned(), json!("open")), ("needs".to_owned(), json!(["R-1"]))],
        body: "Text.\n".to_owned(),
    }
}

#[test]
fn nodes_come_at_the_end_behind_another_and_into_a_section() {
    let insert = |place| [FileEdit::Insert { place, what: Insertion::Node(new_node("R-9")) }];
    let section = |level: &str| {
        format!("{level} Fresh one\n```node\nid: R-9\ntype: req\nstatus: open\nneeds: [R-1]\n```\n\nText.\n")
    };
    let end = edited_with(SECTIONS, MANY, &insert(NodePlace::End)).expect("a file");
    assert_eq!(end, format!("{MANY}\n{}", section("###")));
    let after = edited_with(SECTIONS, MANY, &insert(NodePlace::After("R-1".to_owned()))).expect("a file");
    assert_eq!(after, MANY.replace("## Two", &format!("{}\n## Two", section("##"))));
    let inside =
        edited_with(SECTIONS, MANY, &insert(NodePlace::Section("Plain".to_owned()))).expect("a file");
    assert_eq!(inside, format!("{MANY}\n{}", section("##")));
    let contract = contract(SECTIONS);
    let source = &contract.sources[0];
    let fault =
        edit_file(&contract, source, "a.md", MANY.as_bytes(), &insert(NodePlace::Section("No".to_owned())));
    assert_eq!(fault, Err(EditFault::SectionNotFound));
    let fault = edit_file(&contract, source, "a.md", MANY.as_bytes(), &[change("R-7", &[], None)]);
    assert_eq!(fault, Err(EditFault::NodeNotFound));
}

#[test]
fn nodes_go_and_prose_stays() {
    let remove = |id: &str| FileEdit::Remove { id: id.to_owned() };
    let edited = edited_with(SECTIONS, MANY, &[remove("R-1"), remove("R-3")]).expect("a file");
    assert_eq!(
        edited,
        "Prose.\n\n## Two\n```node\nid: R-2\ntype: req\ntitle: Second\n```\n\n# Plain\n\nwords\n\n"
    );
    let alone = "## One\n```node\nid: R-1\n```\n";
    assert_eq!(edited_with(SECTIONS, alone, &[remove("R-1")]), None);
    assert_eq!(edited_with("", FILE, &[remove("R-1")]), None);
}

#[test]
fn a_file_takes_one_node_without_sections() {
    let contract = contract("");
    let insert = [FileEdit::Insert { place: NodePlace::End, what: Insertion::Node(new_node("R-9")) }];
    assert_eq!(
        edit_file(&contract, &contract.sources[0], "a.md", FILE.as_bytes(), &insert),
        Err(EditFault::Occupied)
    );
    assert_eq!(edit_file(&contract, &contract.sources[0], "a.md", b"\xFF", &[]), Err(EditFault::Unreadable));
}

#[test]
fn a_new_file_has_its_keys_in_order() {
    let text = |options: &str| {
        let contract = contract(options);
        String::from_utf8(create_file(&contract, &contract.sources[0], &new_node("R-9")).expect("writable"))
            .expect("text")
    };
    assert_eq!(
        text(""),
        "---\nid: R-9\ntype: req\ntitle: Fresh one\nstatus: open\nneeds: [R-1]\n---\nText.\n"
    );
    assert_eq!(
        text(SECTIONS),
        "## Fresh one\n```node\nid: R-9\ntype: req\nstatus: open\nneeds: [R-1]\n```\n\nText.\n"
    );
}

fn body() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec!["", "a", "b  ", "- c", "> d", "1. e", "`f`", "g: h", "    i"]);
    prop::collection::vec(line, 0..6).prop_map(|lines| crate::adapter::body::canonical(&lines.join("\n")))
}

/// A file with one node, in any style that a person may have.
fn file() -> impl Strategy<Value = String> {
    let keys = prop::sample::subsequence(
        vec![
            "status: open",
            "status2: \"x\"",
            "# a comment",
            "quoted: \"a # b\"  # c",
            "single: 'it''s # x'  # d",
            "flow: [a, # e\n  b]  # f",
            "size:   3  # three",
            "tags:\n- a\n- 'b'   # second",
            "tags2: {a: 1}",
            "needs:\n    - R-2\n    - to: R-3\n      note: >\n        folded\n        text",
            "extra: |\n  some\n    text\n\n",
            "",
        ],
        0..12,
    );
    (keys, body(), prop::sample::select(vec!["\n", "\r\n"]), any::<bool>()).prop_map(
        |(keys, body, line_end, ends)| {
            let mut text = format!("---\nid: R-1\n{}\n---\n{body}", keys.join("\n"));
            if !ends {
                text.truncate(text.trim_end_matches('\n').len());
            }
            text.replace('\n', line_end)
        },
    )
}

fn edit() -> impl Strategy<Value = (Vec<(&'static str, Value)>, Option<String>)> {
    let key = prop_oneof![
        prop::sample::select(vec![json!("x"), json!("a: b"), Value::Null])
            .prop_map(|value| ("status", value)),
        prop::sample::select(vec![json!(7), Value::Null]).prop_map(|value| ("size", value)),
        prop::sample::select(vec![json!(["q"]), json!(["a", "b", "c"]), json!([]), Value::Null])
            .prop_map(|value| ("tags", value)),
        prop::sample::select(vec![json!({"k": [1, "2"]}), Value::Null]).prop_map(|value| ("extra", value)),
        prop::sample::select(vec![json!(["R-2", "R-9"]), json!([{"to": "R-4", "note": "x"}]), Value::Null])
            .prop_map(|value| ("needs", value)),
        prop::sample::select(vec![json!("A title"), json!("- odd: \"one\"")])
            .prop_map(|value| ("title", value)),
    ];
    (prop::collection::vec(key, 0..4), prop::option::of(body())).prop_map(|(mut keys, body)| {
        let mut seen = Vec::new();
        keys.retain(|(name, _)| {
            !seen.contains(name) && {
                seen.push(*name);
                true
            }
        });
        (keys, body)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn a_change_reads_back_and_leaves_the_rest(text in file(), (keys, body) in edit()) {
        let before = nodes("", &text).remove(0);
        let after_text = edited_with("", &text, &[change("R-1", &keys, body.as_deref())]).expect("a file");
        let after = nodes("", &after_text).remove(0);
        prop_assert_eq!(&after.body, body.as_ref().unwrap_or(&before.body), "{:?}\n{:?}", text, after_text);
        let title = keys.iter().find(|(name, _)| *name == "title");
        prop_assert_eq!(&after.title, title.and_then(|(_, value)| value.as_str()).unwrap_or(""));
        let shown = |node: &ParsedNode, skip: &dyn Fn(&str) -> bool| -> Vec<String> {
            node.fields.iter().filter(|(name, _)| !skip(name)).map(|(name, tree)| format!("{name} {}", plain(tree))).collect()
        };
        let is_touched = |name: &str| keys.iter().any(|(key, _)| *key == name);
        prop_assert_eq!(shown(&before, &is_touched), shown(&after, &is_touched), "{:?}\n{:?}", text, after_text);
        for (name, value) in keys.iter().filter(|(name, _)| !matches!(*name, "title" | "needs")) {
            let found = after.fields.iter().find(|(key, _)| key == name).map(|(_, tree)| plain(tree));
            let expected = if value.is_null() { None } else { Some(value_text(value)) };
            prop_assert_eq!(found, expected, "{} {:?}\n{:?}", name, text, after_text);
        }
        if !is_touched("needs") {
            let links = |node: &ParsedNode| -> Vec<_> { node.links.iter().map(|link| (link.target.clone(), link.note.clone())).collect() };
            prop_assert_eq!(links(&before), links(&after));
        }
        // Every comment stays, but one inside of a value that is new.
        for comment in ["# a comment", "# c", "# d", "# f", "# three"].iter().filter(|comment| text.contains(**comment)) {
            prop_assert!(after_text.contains(*comment) || keys.iter().any(|(_, value)| value.is_null()), "{:?}", after_text);
        }
        // Nothing at all changes when nothing is asked for.
        prop_assert_eq!(edited_with("", &text, &[change("R-1", &[], Some(&before.body))]), Some(text));
    }
}

fn plain(tree: &crate::tree::Tree) -> String {
    use crate::tree::TreeKind;
    match &tree.kind {
        TreeKind::Scalar(scalar) => scalar.text.clone(),
        TreeKind::Sequence(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(",")),
        TreeKind::Mapping(entries) => {
            format!(
                "{{{}}}",
                entries
                    .iter()
                    .map(|(key, _, value)| format!("{key}:{}", plain(value)))
                    .collect::<Vec<_>>()
                    .join(",")
            )
        }
    }
}

fn value_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.iter().map(value_text).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            format!(
                "{{{}}}",
                members
                    .iter()
                    .map(|(key, member)| format!("{key}:{}", value_text(member)))
                    .collect::<Vec<_>>()
                    .join(",")
            )
        }
        other => other.to_string(),
    }
}
