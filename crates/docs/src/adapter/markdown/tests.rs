//! Nodes of front matter and of sections, as they are read.

use std::sync::Arc;

use super::*;
use crate::contract;

const MANIFEST: &str = r#"
schema = "docforge/1"
[project]
id = "t"
title = "T"
[types.req]
[types.req.fields.status]
type = "string"
[relations.refines]
from = ["req"]
to = ["req"]
inverse = "refined_by"
[relations.links]
from = ["*"]
to = ["*"]
inverse = "linked_from"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["**/*.md"]
"#;

fn read_with(options: &str, path: &str, text: &str) -> ParsedFile {
    let manifest = format!("{MANIFEST}{options}");
    let contract = contract::load(&manifest).unwrap_or_else(|found| panic!("{found:#?}"));
    let file = FileText { path: path.to_owned(), text: Arc::from(text), bom_bytes: 0, siblings: Vec::new() };
    parse(&contract.sources[0], &contract, &file)
}

fn read(text: &str) -> ParsedFile {
    read_with("", "a/b.md", text)
}

fn only(file: &ParsedFile) -> &ParsedNode {
    assert!(file.diagnostics.is_empty(), "{:#?}", file.diagnostics);
    assert_eq!(file.nodes.len(), 1);
    &file.nodes[0]
}

#[test]
fn front_matter_states_a_node_and_the_rest_is_its_body() {
    let file = read(
        "---\nid: REQ-7\ntype: req\ntitle: Session expiry\nstatus: approved\nrefines: [GOAL-2, {to: GOAL-3, pin: 'sha256:9f', note: why}]\naliases: OLD-7\n---\n# Head\n\nSee <https://example.org> and [x](y.md).\r\n\n\n",
    );
    let node = only(&file);
    assert_eq!((node.id.as_str(), node.type_name.as_deref()), ("REQ-7", Some("req")));
    assert_eq!(
        (node.title.as_str(), node.aliases.as_slice()),
        ("Session expiry", ["OLD-7".to_owned()].as_slice())
    );
    assert_eq!(node.fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["status"]);
    let links: Vec<_> =
        node.links.iter().map(|link| (link.target.as_str(), link.pin.as_deref(), link.span.line)).collect();
    assert_eq!(links, [("GOAL-2", None, 6), ("GOAL-3", Some("sha256:9f"), 6)]);
    assert_eq!(node.body, "# Head\n\nSee <https://example.org> and [x](y.md).\n");
    assert_eq!(
        (node.headings.as_slice(), node.external.as_slice()),
        (["Head".to_owned()].as_slice(), ["https://example.org".to_owned()].as_slice())
    );
    assert_eq!((node.body_span.line, node.id_span.line), (9, 2));
}

#[test]
fn what_cannot_be_read_quarantines_the_file_and_says_where() {
    for (text, check, line) in [
        ("---\nid: x\n", Check::FrontMatterUnclosed, 1),
        ("---\nid: [x\n---\n", Check::YamlInvalid, 3),
        ("---\nid: &a x\n---\n", Check::YamlUnsupported, 2),
        ("---\n- a\n---\n", Check::YamlInvalid, 2),
        ("---\nid: a\nid: b\n---\n", Check::YamlUnsupported, 3),
    ] {
        let file = read(text);
        assert!(file.is_quarantined && file.nodes.is_empty(), "{text:?}");
        let finding = &file.diagnostics[0];
        assert_eq!(finding.check, check, "{text:?}");
        assert!(
            finding.place.line.is_some_and(|found| found.abs_diff(line) <= 1) && finding.fix.is_some(),
            "{finding:?}"
        );
    }
}

#[test]
fn inverse_names_are_an_error_with_a_way_out_or_turned_round() {
    let text = "---\nid: A\nrefined_by: [B]\n---\n";
    let finding = &read(text).diagnostics[0];
    assert_eq!((&finding.check, finding.place.line), (&Check::InverseStated, Some(3)));
    assert!(finding.fix.as_deref().unwrap_or_default().contains("`refines`"));
    let file = read_with("[sources.options]\naccept_inverse = true\n", "a.md", text);
    let link = &only(&file).links[0];
    assert!(link.is_inverse && link.relation == "refines" && link.target == "B");
}

#[test]
fn sections_hold_many_nodes_and_prose_belongs_to_none() {
    let text = "Prose first.\n\n# Part\n\n## Lockout\n```node\nid: REQ-8\nrefines:\n  - {to: GOAL-2, note: \"agreed\"}\n```\n\nFive wrong passwords.\n\n### Details\n\nmore\n\n## Second `x`\n~~~node\nid: REQ-9\ntitle: Given\n~~~\nbody\n# Part two\n\nprose\n\n## Not a node\n\n```node\nid: REQ-10\n```\n";
    let file = read_with("[sources.options]\nsections = true\n", "a.md", text);
    assert!(file.diagnostics.is_empty(), "{:#?}", file.diagnostics);
    let shown: Vec<_> = file
        .nodes
        .iter()
        .map(|node| (node.id.as_str(), node.title.as_str(), node.body.as_str(), node.ordinal, node.span.line))
        .collect();
    assert_eq!(
        shown,
        [
            ("REQ-8", "Lockout", "Five wrong passwords.\n\n### Details\n\nmore\n", 0, 5),
            ("REQ-9", "Given", "body\n", 1, 18),
            ("REQ-10", "Not a node", "", 2, 28),
        ]
    );
    assert_eq!(
        &text[file.nodes[1].span.start..file.nodes[1].span.end],
        "## Second `x`\n~~~node\nid: REQ-9\ntitle: Given\n~~~\nbody\n"
    );
}

#[test]
fn a_fence_that_is_not_directly_behind_a_heading_is_text() {
    let text =
        "## A\n\nwords\n\n```node\nid: X\n```\n\n> ## B\n> ```node\n> id: Y\n> ```\n\n```node\nid: Z\n```\n";
    assert!(read_with("[sources.options]\nsections = true\n", "a.md", text).nodes.is_empty());
}

#[test]
fn notes_of_a_vault_have_their_path_as_id() {
    let options = "[sources.options]\npreset = \"obsidian\"\n";
    let file = read_with(
        options,
        "People/Ada L.md",
        "---\nalias: [Ada]\nrefines: \"[[Other|label]]\"\n---\nKnows [[Bob#x|him]] and ![[pic.png]].\n",
    );
    let node = only(&file);
    assert_eq!((node.id.as_str(), node.title.as_str()), ("People/Ada L", "Ada L"));
    assert_eq!(
        (node.aliases.as_slice(), node.links[0].target.as_str()),
        (["Ada".to_owned()].as_slice(), "Other")
    );
    let mentions: Vec<_> = node.mentions.iter().map(|one| one.target.as_str()).collect();
    assert_eq!(mentions, ["Bob", "pic.png"]);
    let plain = read_with(options, "x.md", "no front matter\n");
    assert_eq!((only(&plain).id.as_str(), only(&plain).body.as_str()), ("x", "no front matter\n"));
}

#[test]
fn options_say_where_ids_types_and_titles_come_from() {
    let options = "[sources.options]\nid_from = \"number-in-stem\"\nid_transform = \"prefix:ADR-\"\ntype_from = \"dir-map\"\ntitle_from = \"h1\"\nkeys = {Status = \"status\", \"Superseded by\" = \"refines\"}\nignore_values = [\"n/a\"]\n";
    let file = read_with(
        options,
        "docs/reqs/0012-use-x.md",
        "---\nStatus: accepted\nSuperseded by: n/a\n---\n# Use X\n",
    );
    let node = only(&file);
    assert_eq!(
        (node.id.as_str(), node.type_name.as_deref(), node.title.as_str()),
        ("ADR-0012", Some("req"), "Use X")
    );
    assert_eq!((node.fields[0].0.as_str(), node.links.len()), ("status", 0));
}
