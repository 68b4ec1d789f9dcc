//! The projects that the targets read their inputs into. They hold every type of field and every option that changes how a
//! text is read.

use std::sync::{Arc, OnceLock};

use docs::{Contract, FileText, ParsedFile, Snapshot, load, probe};

use super::text::{loaded, project};

/// What all of them declare; `{source}` is filled in.
const TYPES: &str = r#"
schema = "docforge/1"
[project]
id = "sample"
title = "Sample"
[types.req]
unknown_fields = "keep"
[types.req.fields.status]
type = "enum"
values = ["draft", "in review", "approved"]
[types.req.fields.priority]
type = "integer"
min = 0
max = 9
[types.req.fields.share]
type = "number"
[types.req.fields.due]
type = "date"
[types.req.fields.seen]
type = "datetime"
[types.req.fields.ready]
type = "boolean"
[types.req.fields.tags]
type = "string"
list = true
unique = true
[types.req.fields.owner]
type = "string"
hash = false
[types.req.fields.more]
type = "text"
[types.req.fields.home]
type = "url"
[types.req.fields.table]
type = "map"
[types.req.fields.any]
type = "json"
[types.test.fields.status]
type = "string"
[types.test.fields.state]
type = "string"
[relations.refines]
from = ["*"]
to = ["*"]
inverse = "refined_by"
acyclic = true
pin = "optional"
[relations.proves]
from = ["test"]
to = ["req"]
inverse = "proved_by"
[relations.links]
from = ["*"]
to = ["*"]
inverse = "linked_from"
[[sources]]
id = "main"
include = ["**"]
type = "req"
"#;

/// The contract with a source of this adapter and these options.
pub fn contract(source: &str) -> Arc<Contract> {
    let manifest = format!("{TYPES}{source}");
    Arc::new(load(&manifest).unwrap_or_else(|found| panic!("{found:#?}")))
}

/// Reads a file as the only source does.
pub fn read(contract: &Contract, file: &FileText) -> ParsedFile {
    probe::parse_file(contract, &contract.sources[0], file)
}

/// Documents of a few words, among them what folds, joins and repeats.
const DOCUMENTS: &[(&str, &str)] = &[
    (
        "a.md",
        "---\nid: REQ-1\ntitle: Session expiry\nstatus: draft\npriority: 3\nrefines: [REQ-2]\ntags: [red, blue]\n---\nSessions end after 15 minutes.\n",
    ),
    (
        "b.md",
        "---\nid: REQ-2\ntitle: Über Sessions\nstatus: approved\nready: true\naliases: [OLD-2]\n---\nend end after\n",
    ),
    (
        "c.md",
        "---\nid: req-3\ntype: test\ntitle: multi-agent a'b\nstatus: in review\nproves: [REQ-1, REQ-2]\n---\n東京都 tower\n",
    ),
    ("d.md", "---\nid: TST-4\ntype: test\nproves: [REQ-9]\nrefines: [TST-4]\n---\n"),
    (
        "e.md",
        "---\nid: REQ-5\ntitle: café\ndue: 2025-01-31\nshare: 1.50\nrefines: [REQ-1]\nowner: ann\n---\n# Draft\n\nSee [[REQ-1]] and minutes.\n",
    ),
];

/// The documents.
pub fn documents() -> &'static Snapshot {
    static SNAPSHOT: OnceLock<Snapshot> = OnceLock::new();
    SNAPSHOT.get_or_init(|| {
        let contract = contract(MARKDOWN);
        project(&contract, DOCUMENTS.iter().map(|(path, text)| loaded(&contract, path, text, read)).collect())
    })
}

/// One node in each file.
pub const MARKDOWN: &str = "adapter = \"markdown@1\"\nwrite = true\n[sources.options]\ninline = [{syntax = \"wikilink\", relation = \"links\"}, {syntax = \"embed\", relation = \"links\"}, {syntax = \"relative\", relation = \"links\"}, {syntax = \"pattern\", pattern = \"see ([A-Z]+-[0-9]+)\", relation = \"links\"}]\nresolve = [\"id\", \"alias\", \"path\", \"dir\", \"stem\"]\n";
/// Many nodes in each file.
pub const SECTIONS: &str =
    "adapter = \"markdown@1\"\nwrite = true\n[sources.options]\nsections = true\naccept_inverse = true\n";
/// Proposals with `Key: value` at the top.
pub const RFC822: &str = "adapter = \"header@1\"\n[sources.options]\nstyle = \"rfc822\"\nlist_separator = \",\"\nignore_values = [\"n/a\"]\nkeys = {ID = \"id\", Title = \"title\"}\n";
/// Proposals with a list at the top.
pub const BULLET: &str = "adapter = \"header@1\"\n[sources.options]\nstyle = \"bullet\"\nlist_separator = \", \"\nid_from = \"stem\"\nkeys = {Title = \"title\"}\n";
/// Items of doorstop.
pub const DOORSTOP: &str = "adapter = \"doorstop@1\"\n[sources.options]\nrelation = \"links\"\n";
