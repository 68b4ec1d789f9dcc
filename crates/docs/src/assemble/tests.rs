//! Snapshots of small projects: who is served, what is found, and which hashes depend on what.

use super::*;
use crate::adapter;
use crate::contract;
use crate::parsed::FileText;
use crate::snapshot::LookUp;

const HEAD: &str = r#"
schema = "docforge/1"
[project]
id = "t"
title = "T"
[types.req]
id_pattern = "(REQ|req)-[0-9]+"
[types.req.fields.status]
type = "enum"
values = ["draft", "approved"]
[types.req.fields.size]
type = "integer"
min = 1
max = 9
[types.req.fields.due]
type = "date"
[types.req.fields.tags]
type = "string"
list = true
unique = true
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
pin = "optional"
[relations.mentions]
from = ["*"]
to = ["*"]
inverse = "mentioned_by"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["**/*.md"]
"#;

fn loaded(contract: &Contract, path: &str, text: &str) -> Arc<LoadedFile> {
    let file = FileText { path: path.to_owned(), text: Arc::from(text), bom_bytes: 0, siblings: Vec::new() };
    let entry = FileEntry {
        path: path.to_owned(),
        size: text.len() as u64,
        hash: Hash::of(&[text.as_bytes()]),
        source: Some(contract.sources[0].id.clone()),
    };
    Arc::new(LoadedFile {
        entry,
        parsed: adapter::parse(&contract.sources[0], contract, &file),
        beside: Vec::new(),
    })
}

fn build_with(extra: &str, files: &[(&str, &str)]) -> Snapshot {
    let manifest = format!("{HEAD}{extra}");
    let contract = Arc::new(contract::load(&manifest).unwrap_or_else(|found| panic!("{found:#?}")));
    let files: Vec<_> = files.iter().map(|(path, text)| loaded(&contract, path, text)).collect();
    assemble(Parts {
        contract,
        files: &files,
        diagnostics: Vec::new(),
        exists: &|_| false,
        adapter_prefix: String::new(),
    })
}

fn build(files: &[(&str, &str)]) -> Snapshot {
    build_with("", files)
}

fn req(id: &str, rest: &str) -> String {
    format!("---\nid: {id}\ntype: req\n{rest}---\n")
}

/// Codes with the nodes that they concern.
fn found(snapshot: &Snapshot) -> Vec<String> {
    let shown = |one: &Diagnostic| format!("{} {}", one.check.code(), one.node.clone().unwrap_or_default());
    snapshot.diagnostics().iter().filter(|one| one.severity != Severity::Info).map(shown).collect()
}

fn node<'s>(snapshot: &'s Snapshot, id: &str) -> &'s Node {
    match snapshot.look_up(id) {
        LookUp::Found(ix) => snapshot.node(ix),
        other => panic!("{id}: {other:?}"),
    }
}

#[test]
fn values_get_their_types_and_what_is_wrong_is_said_with_its_place() {
    let good = req("REQ-1", "title: One\nstatus: draft\nsize: 3\ndue: 2025-01-30\ntags: [b, a]\n");
    let bad = req("REQ-2", "status: aproved\nsize: 12\ndue: 2025-30-01\nstatsu: x\ntags: [a, a]\n");
    let snapshot = build(&[("a.md", &good), ("b.md", &bad)]);
    let one = node(&snapshot, "REQ-1");
    let fields: Vec<_> =
        one.fields.iter().map(|field| format!("{}={}", field.name, field.value.to_json())).collect();
    assert_eq!(fields, ["due=\"2025-01-30\"", "size=3", "status=\"draft\"", "tags=[\"a\",\"b\"]"]);
    assert!(!one.state.error);
    let lines: Vec<_> = snapshot
        .diagnostics()
        .iter()
        .filter(|one| one.node.as_deref() == Some("REQ-2") && one.severity == Severity::Error)
        .map(|one| (one.check.code().into_owned(), one.place.line.unwrap_or(0)))
        .collect();
    let expected =
        [("enum_value", 4), ("field_range", 5), ("field_type", 6), ("unknown_field", 7), ("field_range", 8)];
    assert_eq!(lines, expected.map(|(code, line)| (code.to_owned(), line)));
    let fixes: Vec<_> = snapshot.diagnostics().iter().filter_map(|one| one.fix.as_deref()).collect();
    assert!(
        fixes.contains(&"did you mean `approved`?") && fixes.contains(&"did you mean `status`?"),
        "{fixes:?}"
    );
    assert!(node(&snapshot, "REQ-2").state.error && node(&snapshot, "REQ-2").field("due").is_none());
}

#[test]
fn all_claimants_of_an_id_are_out_and_twins_by_case_are_told() {
    let snapshot = build(&[
        ("a.md", &req("REQ-1", "")),
        ("b.md", &req("REQ-1", "")),
        ("c.md", &req("REQ-2", "")),
        ("d.md", &req("req-2", "aliases: [REQ-3, OLD]\n")),
        ("e.md", &req("REQ-3", "aliases: OLD\n")),
    ]);
    assert_eq!(snapshot.look_up("REQ-1"), LookUp::Ambiguous(&["a.md".to_owned(), "b.md".to_owned()]));
    assert_eq!(
        found(&snapshot),
        [
            "duplicate_id REQ-1",
            "duplicate_id REQ-1",
            "id_case_collision REQ-2",
            "alias_conflict req-2",
            "alias_conflict req-2",
            "id_case_collision req-2",
            "alias_conflict REQ-3"
        ]
    );
    // The live id wins over an alias; two nodes with one alias are ambiguous.
    assert_eq!(snapshot.node(snapshot.by_id["REQ-3"]).path, "e.md");
    assert_eq!(snapshot.look_up("OLD"), LookUp::Missing);
}

#[test]
fn what_has_no_id_or_no_type_is_out_and_said() {
    let snapshot = build(&[
        ("a.md", "no front matter\n"),
        ("b.md", "---\nid: REQ-1\n---\n"),
        ("c.md", "---\nid: REQ-2\ntype: rec\n---\n"),
        ("d.md", "---\nid: 'a b'\ntype: req\n---\n"),
        ("e.md", "---\nid: X-1\ntype: req\n---\n"),
    ]);
    let codes: Vec<_> = snapshot
        .diagnostics()
        .iter()
        .filter(|one| one.severity == Severity::Error)
        .map(|one| one.check.code().into_owned())
        .collect();
    assert_eq!(codes, ["id_missing", "type_missing", "type_unknown", "id_invalid", "id_invalid"]);
    assert_eq!(snapshot.nodes().iter().map(|node| node.id.as_str()).collect::<Vec<_>>(), ["X-1"]);
}

#[test]
fn relations_are_checked_at_both_ends() {
    let snapshot = build(&[
        ("a.md", &req("REQ-1", "refines: [REQ-2, REQ-2, REQ-9, REQ-1]\n")),
        ("b.md", &req("REQ-2", "verifies: REQ-1\n")),
    ]);
    let codes = found(&snapshot);
    for expected in [
        "duplicate_relation REQ-1",
        "dangling_relation REQ-1",
        "self_relation REQ-1",
        "cycle REQ-1",
        "relation_type_from REQ-2",
    ] {
        assert!(codes.contains(&expected.to_owned()), "{expected} in {codes:?}");
    }
    assert_eq!(snapshot.dangling()[0].target, "REQ-9");
    assert_eq!(snapshot.edges().len(), 3);
}

#[test]
fn a_cycle_names_a_shortest_one() {
    let snapshot = build(&[
        ("a.md", &req("REQ-1", "refines: REQ-2\n")),
        ("b.md", &req("REQ-2", "refines: [REQ-3, REQ-4]\n")),
        ("c.md", &req("REQ-3", "refines: REQ-1\n")),
        ("d.md", &req("REQ-4", "refines: REQ-5\n")),
        ("e.md", &req("REQ-5", "refines: REQ-1\n")),
    ]);
    let cycles: Vec<_> = snapshot.diagnostics().iter().filter(|one| one.check == Check::Cycle).collect();
    assert_eq!(cycles.len(), 1);
    assert_eq!(cycles[0].related, ["REQ-1", "REQ-2", "REQ-3"]);
}

#[test]
fn cardinality_counts_what_is_stated() {
    let extra = "[relations.needs]\nfrom = [\"req\"]\nto = [\"req\"]\ninverse = \"needed_by\"\nmin = 1\nmax = 1\ninverse_max = 1\n";
    let manifest = extra;
    let snapshot = build_with(
        manifest,
        &[
            ("a.md", &req("REQ-1", "needs: [REQ-3]\n")),
            ("b.md", &req("REQ-2", "needs: [REQ-3, REQ-9]\n")),
            ("c.md", &req("REQ-3", "")),
        ],
    );
    let codes = found(&snapshot);
    assert_eq!(
        codes,
        [
            "cardinality_max REQ-2",
            "dangling_relation REQ-2",
            "cardinality_min REQ-3",
            "inverse_cardinality REQ-3"
        ]
    );
}

#[test]
fn a_pin_is_suspect_once_its_target_changed() {
    let before = build(&[("a.md", &req("REQ-1", "title: One\n"))]);
    let pin = node(&before, "REQ-1").hash;
    let test = format!("---\nid: T-1\ntype: test\nverifies: [{{to: REQ-1, pin: \"{pin}\"}}]\n---\n");
    let same = build(&[("a.md", &req("REQ-1", "title: One\n")), ("t.md", &test)]);
    assert!(found(&same).is_empty(), "{:?}", found(&same));
    assert_eq!(same.edges()[0].suspect, Some(false));
    let changed = build(&[("a.md", &req("REQ-1", "title: Two\n")), ("t.md", &test)]);
    assert_eq!(found(&changed), ["suspect_pin T-1"]);
    assert!(node(&changed, "T-1").state.suspect);
}

#[test]
fn rules_and_conditions_hold_or_say_so_in_their_own_words() {
    let extra = "[[rules]]\nid = \"approved-is-tested\"\nwhere = 'type = req and status = \"approved\"'\nrequire = 'count(in.verifies) >= 1'\nmessage = \"{id} ({title}) has no test\"\nseverity = \"warn\"\n";
    let snapshot = build_with(extra, &[("a.md", &req("REQ-1", "title: One\nstatus: approved\n"))]);
    let finding = snapshot
        .diagnostics()
        .iter()
        .find(|one| matches!(one.check, Check::Rule(_)))
        .expect("it does not hold");
    assert_eq!(
        (finding.check.code().as_ref(), finding.severity),
        ("rule:approved-is-tested", Severity::Warn)
    );
    assert_eq!(
        (finding.doc.as_deref(), finding.message.contains("One")),
        (Some("REQ-1 (One) has no test"), false)
    );
}

#[test]
fn meaning_and_bytes_are_told_apart() {
    let text = "---\nid: REQ-1\ntype: req\ntitle: One\n---\nbody\n";
    let base = build(&[("a.md", text)]);
    let same_meaning = [
        text.replace('\n', "\r\n"),
        text.replace("title: One\n", "# a comment\ntitle: One\n"),
        "---\ntitle: One\ntype: req\nid: REQ-1\n---\nbody\n".to_owned(),
        format!("{text}\n\n"),
    ];
    for other in &same_meaning {
        let snapshot = build(&[("a.md", other)]);
        assert_ne!(snapshot.source_hash(), base.source_hash(), "{other:?}");
        assert_eq!(snapshot.revision(), base.revision(), "{other:?}");
    }
    let edited = build(&[("a.md", &text.replace("body", "bodY"))]);
    assert_ne!(edited.revision(), base.revision());
    assert_ne!(node(&edited, "REQ-1").hash, node(&base, "REQ-1").hash);
    let moved = build(&[("b.md", text)]);
    assert_ne!(moved.revision(), base.revision());
    assert_eq!(node(&moved, "REQ-1").hash, node(&base, "REQ-1").hash);
    let hash = Hash::of(&[text.as_bytes()]);
    assert_eq!(base.source_hash(), Hash::of(&[format!("{}  a.md\n", hash.hex()).as_bytes()]));
}

#[test]
fn the_hashed_object_is_the_documented_one() {
    let snapshot = build(&[
        ("a.md", &req("REQ-1", "title: One\nsize: 3\nrefines: [{to: REQ-2, note: n}]\n")),
        ("b.md", &req("REQ-2", "")),
    ]);
    let json = serde_json::Value::Object(node_json(node(&snapshot, "REQ-1"), snapshot.contract()));
    let text = crate::canon::canonical(&json);
    assert_eq!(
        text,
        r#"{"body":"","fields":{"size":3},"id":"REQ-1","relations":[{"name":"refines","note":"n","to":"REQ-2"}],"title":"One","type":"req"}"#
    );
    assert_eq!(node(&snapshot, "REQ-1").hash, Hash::of(&[b"docforge.node.v1\n", text.as_bytes()]));
}

#[test]
fn a_vault_is_linked_by_stems_nearest_first() {
    let options = "type = \"test\"\n[sources.options]\nid_from = \"path\"\ntitle_from = \"stem\"\nresolve = [\"path\", \"stem\"]\ninline = [{syntax = \"wikilink\", relation = \"mentions\"}, {syntax = \"relative\", relation = \"mentions\"}]\n";
    let snapshot = build_with(
        options,
        &[
            (
                "a/one.md",
                "[[Two]] and [[two]] [[pic.png]] [[Missing]] [[one]] [x](../b/two.md) [y](gone.md)\n",
            ),
            ("a/two.md", "# Head\n\n[z](#head) [w](#nowhere) [[one#part]]\n"),
            ("b/two.md", "[[c/deep]]\n"),
            ("c/deep.md", "[[two]]\n"),
        ],
    );
    let edges: Vec<_> = snapshot
        .edges()
        .iter()
        .map(|edge| format!("{}->{}", snapshot.node(edge.from).id, snapshot.node(edge.to).id))
        .collect();
    assert_eq!(edges, ["a/one->a/two", "a/one->b/two", "a/two->a/one", "b/two->c/deep"]);
    assert_eq!(
        found(&snapshot),
        [
            "mention_dangling a/one",
            "mention_dangling a/one",
            "duplicate_title a/two",
            "broken_anchor a/two",
            "duplicate_title b/two",
            "ambiguous_target c/deep"
        ]
    );
}

#[test]
fn a_link_that_is_read_as_a_mention_is_judged_once() {
    let options = "type = \"test\"\n[sources.options]\nid_from = \"stem\"\nresolve = [\"url:/site/\"]\ninline = [{syntax = \"relative\", relation = \"mentions\"}]\n";
    let pages = [
        ("pages/one.md", "[a](/site/pages/two) [b](/site/pages/two#head) [c](/site/pages/two#gone)\n"),
        ("pages/two.md", "# Head\n\n[d](three.md) [e](three.png) [f](one#x)\n"),
    ];
    let snapshot = build_with(options, &pages);
    assert_eq!(snapshot.edges().len(), 2);
    assert_eq!(
        found(&snapshot),
        ["broken_anchor one", "mention_dangling two", "broken_path_link two", "broken_anchor two"]
    );
}

#[test]
fn checks_can_be_turned_off_and_the_floor_cannot() {
    let off =
        build_with("[checks]\ndangling_relation = \"off\"\n", &[("a.md", &req("REQ-1", "refines: REQ-9\n"))]);
    assert!(found(&off).is_empty());
    assert!(contract::load(&format!("{HEAD}[checks]\nduplicate_id = \"off\"\n")).is_err());
}

#[test]
fn hashes_taken_from_an_earlier_snapshot_change_nothing() {
    let one = req("REQ-1", "title: One\nrefines: [REQ-2]\n");
    let two = req("REQ-2", "size: 3\n");
    let earlier = build(&[("a.md", &one), ("b.md", &two)]);
    let contract = Arc::clone(earlier.contract());
    let changes = [
        one.clone(),
        req("REQ-1", "title: Two\nrefines: [REQ-2]\n"),
        req("REQ-1", "title: One\nrefines: [{to: REQ-2, note: n}]\n"),
        req("REQ-1", "title: One\nrefines: [REQ-2]\nsize: 4\n"),
        req("REQ-1", "title: One\nrefines: [REQ-2]\ntags: [a]\n"),
        format!("{one}A body.\n"),
        one.replace("type: req", "type: test"),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for changed in &changes {
        let files = [loaded(&contract, "a.md", changed), loaded(&contract, "c.md", &two)];
        let parts = || Parts {
            contract: Arc::clone(&contract),
            files: &files,
            diagnostics: Vec::new(),
            exists: &|_| false,
            adapter_prefix: String::new(),
        };
        let (after, anew) = (assemble_after(parts(), Some(&earlier)), assemble(parts()));
        assert_eq!(after.snapshot_id(), anew.snapshot_id());
        assert!(seen.insert(node(&after, "REQ-1").hash), "{changed}");
        assert_eq!(node(&after, "REQ-2").hash, node(&earlier, "REQ-2").hash);
    }
}

#[test]
fn items_of_doorstop_are_found_whatever_their_zeros_and_inactive_ones_make_nothing_suspect() {
    let manifest = "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.item]\n[relations.parent]\nfrom = [\"*\"]\nto = [\"*\"]\ninverse = \"child\"\npin = \"optional\"\n[[sources]]\nid = \"main\"\nadapter = \"doorstop@1\"\ninclude = [\"**/*.yml\"]\ntype = \"item\"\n[sources.options]\nrelation = \"parent\"\n";
    let contract = Arc::new(contract::load(manifest).unwrap());
    let files = [
        ("REQ001.yml", "text: a\n"),
        ("REQ002.yml", "text: b\nactive: false\n"),
        ("TST-1.yml", "links:\n- req1: old\n- REQ2: old\n- REQ3: old\n"),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| loaded(&contract, path, text)).collect();
    let snapshot = assemble(Parts {
        contract,
        files: &files,
        diagnostics: Vec::new(),
        exists: &|_| false,
        adapter_prefix: String::new(),
    });
    assert_eq!(found(&snapshot), ["suspect_pin TST-1", "dangling_relation TST-1"]);
    let edges: Vec<_> =
        snapshot.edges().iter().map(|edge| (&*snapshot.node(edge.to).id, edge.suspect)).collect();
    assert_eq!(edges, [("REQ001", Some(true)), ("REQ002", None)]);
    let suspect = snapshot.diagnostics().iter().find(|one| one.check == Check::SuspectPin).unwrap();
    assert!(suspect.fix.as_ref().unwrap().contains("with the tool that keeps this file"));
}
