//! The manifest: every check of it, each with a manifest that breaks it.

use super::*;
use crate::diagnose::Diagnostic;
use crate::limits::MANIFEST_BYTES_MAX;

/// A manifest in which every section has something.
const WHOLE: &str = r#"
schema = "docforge/1"

[project]
id = "wind-farm"
title = "Wind farm"
description = "Turbines and their duties."
language = "en-GB"

[limits]
max_nodes = 500

[ids]
pattern = "[A-Z]+-[0-9]+"

[types.duty]
title = "Duty"
id_pattern = "DUTY-[0-9]{3}"
id_hint = "DUTY-<3 digits>"
body = "required"

[types.duty.fields.status]
type = "enum"
values = ["open", "done"]
required = true

[types.duty.fields.priority]
type = "integer"
min = 1
max = 5

[types.duty.fields.due]
type = "date"
min = 2020-01-01

[types.duty.fields.tags]
type = "string"
list = true
unique = true
max_items = 8
pattern = "[a-z]+"

[types.proof]
extends = "duty"
unknown_fields = "keep"

[types.proof.fields.priority]
type = "number"
min = 0.5

[types.note]

[relations.proves]
from = ["proof"]
to = ["duty"]
inverse = "proved_by"
pin = "required"
pin_fields = ["title", "field:status"]
target_where = 'status = open'
max = 3

[relations.needs]
from = ["*"]
to = ["*"]
inverse = "needed_by"
acyclic = true
acyclic_with = ["proves"]
weight = 9
context = "always"

[relations.beside]
from = ["note"]
to = ["note"]
symmetric = true

[[sources]]
id = "main"
adapter = "markdown@1"
include = ["docs/**/*.md"]
exclude = ["docs/old/**"]
type = "note"
write = true

[[rules]]
id = "done-is-proved"
where = 'type = duty and status = done'
require = 'any(in.proves where priority > 0.5)'
severity = "warn"
message = "{id} ({type}) is done without proof"

[checks]
orphan = "off"
pin_missing = "error"

[views.duties]
title = "Duties"
renderer = "table@1"
where = "type = duty"
sort = ["-field:priority", "id"]
output = "site/duties.html"
[views.duties.options]
columns = ["id", "title", "field:status", "in.proves", "state"]

[views.cover]
title = "Cover"
renderer = "matrix@1"
[views.cover.options]
rows = "type = duty"
cols = "type = proof"
relation = "proves"
direction = "in"

[writers.clerk]
title = "Clerk"
operations = ["create", "update"]
types = ["duty", "note"]
sources = ["main"]
where = 'status != done'
fields = { deny = ["status"] }
relations = { allow = ["needs"] }
max_open = 2
"#;

fn lines(faults: &[Diagnostic]) -> Vec<String> {
    let line = |one: &Diagnostic| {
        let place = format!("{}:{}", one.place.line.unwrap_or(0), one.place.column.unwrap_or(0));
        let fix = one.fix.as_deref().map(|fix| format!(" [{fix}]")).unwrap_or_default();
        format!("{place} {}{fix}", one.message)
    };
    faults.iter().map(line).collect()
}

/// The findings about the whole manifest after `old` was replaced by `new`.
fn broken(old: &str, new: &str) -> Vec<String> {
    assert!(WHOLE.contains(old), "{old:?} is in the manifest");
    lines(&load(&WHOLE.replacen(old, new, 1)).expect_err(new))
}

/// Replaces `old` by `new` and expects exactly one finding with these words.
#[track_caller]
fn check(old: &str, new: &str, words: &str) {
    let found = broken(old, new);
    assert!(found.len() == 1 && found[0].contains(words), "{new:?} gives {found:#?}, not {words:?}");
}

fn whole() -> Contract {
    load(WHOLE).unwrap_or_else(|faults| panic!("{:#?}", lines(&faults)))
}

#[test]
fn a_whole_manifest_is_read() {
    let contract = whole();
    assert_eq!(contract.project.language.as_deref(), Some("en-GB"));
    assert_eq!(contract.limits.max_nodes, 500);
    assert_eq!(contract.limits.max_files, 200_000);
    let proof = contract.type_def("proof").expect("declared");
    let names: Vec<&str> = proof.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["status", "priority", "due", "tags"]);
    assert_eq!(proof.field("priority").map(|field| field.kind), Some(FieldType::Number));
    assert_eq!(proof.field("priority").and_then(|field| field.min.as_deref()), Some("0.5"));
    assert_eq!(proof.field("due").and_then(|field| field.min.as_deref()), Some("2020-01-01"));
    let needs = contract.relation("needs").expect("declared");
    assert!(needs.from.is_empty() && needs.weight == 9);
    assert_eq!(contract.relation("beside").map(|one| one.inverse.as_str()), Some("beside"));
    assert_eq!(contract.by_inverse("proved_by").map(|one| one.name.as_str()), Some("proves"));
    assert_eq!(contract.checks.severity(&crate::Check::Orphan), None);
    assert_eq!(contract.paths.index, ".docforge/index/project.dfx");
    assert_eq!(contract.adapter_version(), "markdown@1");
    let pattern = contract.ids.pattern.as_ref().expect("declared");
    assert!(pattern.matches("DUTY-1") && !pattern.matches("xDUTY-1") && !pattern.matches("DUTY-1\n"));
    assert_eq!(contract.view("cover").map(|view| view.options["coverage"].clone()), Some("shallow".into()));
    let sort = &contract.view("duties").expect("declared").sort;
    assert!(sort[0].descending && sort[0].key == "field:priority" && !sort[1].descending);
}

#[test]
fn a_small_manifest_is_enough() {
    let small = "schema = \"docforge/1\"\n[project]\nid = \"a\"\ntitle = \"A\"\n[types.note]\n";
    let contract = load(small).expect("valid");
    assert!(contract.sources.is_empty() && contract.ids.case_unique);
}

#[test]
fn faults_are_reported_together_with_their_places_and_what_to_write_instead() {
    let manifest = "schema = \"docforge/1\"\n\
                    [project]\n\
                    id = \"Acme\"\n\
                    titel = \"A\"\n\
                    [types.req.fields.status]\n\
                    type = \"enumm\"\n\
                    [relations.verifies]\n\
                    from = [\"tests\"]\n\
                    to = [\"rq\"]\n\
                    inverse = \"verified_by\"\n";
    let found = lines(&load(manifest).expect_err("broken"));
    assert_eq!(
        found,
        [
            "2:1 [project] has no `title` [add `title = …` to [project]]",
            "3:6 `id` of [project] takes lower-case letters, digits and `-`, and neither begins nor ends with `-`",
            "4:1 `titel` is not a key of [project] [did you mean `title`?]",
            "6:8 `type` of [types.req.fields.status] must be one of `string`, `text`, `integer`, `number`, `boolean`, \
             `date`, `datetime`, `enum`, `url`, `map`, `json` [did you mean `enum`?]",
            "8:9 `from` of [relations.verifies] names `tests`, which is no declared type",
            "9:7 `to` of [relations.verifies] names `rq`, which is no declared type [did you mean `req`?]",
        ]
    );
}

#[test]
fn what_is_not_this_schema_is_left_alone() {
    let other = load("schema = \"docforge/2\"\n[anything]\nat = \"all\"\n").expect_err("another schema");
    assert_eq!(other.len(), 1);
    assert_eq!(other[0].check, crate::Check::ManifestUnsupportedSchema);
    assert_eq!((other[0].place.line, other[0].place.column), (Some(1), Some(10)));
    check("schema = \"docforge/1\"", "", "the manifest has no `schema`");
}

#[test]
fn what_is_not_toml_has_a_place() {
    let found = load("schema = \"docforge/1\"\n[project\n").expect_err("broken");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].place.line, Some(2));
    let bomb = format!("a = {}{}", "[".repeat(5_000), "]".repeat(5_000));
    assert_eq!(load(&bomb).expect_err("too deep").len(), 1);
    let large = format!("{WHOLE}#{}", "x".repeat(usize::try_from(MANIFEST_BYTES_MAX).expect("small")));
    assert!(load(&large).expect_err("too large")[0].message.contains("262144 bytes"));
}

#[test]
fn unknown_keys_are_found_everywhere() {
    for (old, new, words) in [
        ("[ids]\n", "[idz]\nx = 1\n[ids]\n", "`idz` is not a key of the manifest"),
        ("pattern = \"[A-Z]", "patern = 1\npattern = \"[A-Z]", "`patern` is not a key of [ids]"),
        ("body = \"required\"", "bodi = \"required\"", "`bodi` is not a key of [types.duty]"),
        ("required = true", "require = true", "`require` is not a key of [types.duty.fields.status]"),
        ("weight = 9", "wieght = 9", "`wieght` is not a key of [relations.needs]"),
        ("write = true", "writable = true\nwrite = true", "`writable` is not a key of [[sources]]"),
        ("severity = \"warn\"", "level = \"warn\"", "`level` is not a key of [[rules]]"),
        ("columns = [", "collumns = [", "`collumns` is not a key of [views.duties.options] of table@1"),
        ("max_open = 2", "max_opens = 2", "`max_opens` is not a key of [writers.clerk]"),
        ("max_nodes = 500", "max_node = 500", "`max_node` is not a key of [limits]"),
        (
            "{ deny = [\"status\"] }",
            "{ deny = [\"status\"], denied = [] }",
            "`denied` is not a key of `fields`",
        ),
        ("orphan = \"off\"", "orphans = \"off\"", "[did you mean `orphan`?]"),
        ("[limits]", "[\"a\\u202eb\"]\n[limits]", "a key is not a key of the manifest"),
    ] {
        check(old, new, words);
    }
}

#[test]
fn names_have_their_form() {
    for (old, new, words) in [
        ("[types.note]", "[types.Note]\n[types.note]", "the name of a type"),
        ("[types.note]", "[types.note.fields.1st]\ntype = \"string\"", "the name of a field"),
        ("[relations.beside]", "[relations.Be]\n[relations.beside]", "the name of a relation"),
        ("id = \"main\"", "id = \"Main\"", "the id of a source"),
        ("id = \"done-is-proved\"", "id = \"7\"", "the id of a rule"),
        ("[views.cover]", "[views.\"a b\"]\n[views.cover]", "the name of a view"),
        ("[writers.clerk]", "[writers.\"\"]\n[writers.clerk]", "the name of a writer"),
        ("id = \"wind-farm\"", "id = \"-wind\"", "`id` of [project]"),
        ("title = \"Wind farm\"", "title = \"\"", "must have 1 to 200 characters"),
        ("language = \"en-GB\"", "language = \"e\"", "not a language tag"),
        ("title = \"Duty\"", "title = 7", "is an integer, not a string"),
    ] {
        let found = broken(old, new);
        assert!(found.iter().any(|one| one.contains(words)), "{new:?} gives {found:#?}");
    }
    let long = format!("[types.{}]\n[types.note]", "a".repeat(49));
    check("[types.note]", &long, "the name of a type");
}

#[test]
fn limits_may_only_be_lowered() {
    check("max_nodes = 500", "max_nodes = 200001", "must lie between 1 and 200000");
    check("max_nodes = 500", "max_nodes = 0", "must lie between 1 and 200000");
    check("max_nodes = 500", "max_body_bytes = 262145", "must lie between 1 and 262144");
    check("max_nodes = 500", "max_total_bytes = \"1\"", "is a string, not an integer");
    for key in [
        "max_files",
        "max_file_bytes",
        "max_total_bytes",
        "max_depth",
        "max_body_bytes",
        "max_fields_per_node",
        "max_field_bytes",
        "max_relations_per_node",
        "max_title_chars",
        "max_changeset_ops",
        "max_changeset_bytes",
        "max_open_changesets",
    ] {
        load(&WHOLE.replace("max_nodes = 500", &format!("{key} = 1"))).expect(key);
        check("max_nodes = 500", &format!("{key} = 1100000000"), "must lie between 1 and");
    }
}

#[test]
fn patterns_are_bounded() {
    check("pattern = \"[A-Z]+-[0-9]+\"", "pattern = \"(\"", "not a valid pattern");
    check("pattern = \"[A-Z]+-[0-9]+\"", "pattern = \"(?=a)\"", "not a valid pattern");
    check("pattern = \"[A-Z]+-[0-9]+\"", "pattern = \"a)|(?:b\"", "not a valid pattern");
    check("pattern = \"[A-Z]+-[0-9]+\"", "pattern = '\\pL{1000}{100}'", "too large to compile");
    let long = format!("pattern = \"{}\"", "a".repeat(257));
    check("pattern = \"[A-Z]+-[0-9]+\"", &long, "1 to 256 characters");
    let verbose =
        load(&WHOLE.replace("\"[A-Z]+-[0-9]+\"", "'(?x) [A-Z]+-[0-9]+ # the number'")).expect("valid");
    let pattern = verbose.ids.pattern.expect("declared");
    assert!(pattern.matches("A-1") && !pattern.matches("A-1x"));
    check("id_pattern = \"DUTY-[0-9]{3}\"", "id_pattern = \"[\"", "`id_pattern` of [types.duty]");
    check("pattern = \"[a-z]+\"", "pattern = \"*\"", "`pattern` of [types.duty.fields.tags]");
}

#[test]
fn a_field_takes_only_what_its_type_can_have() {
    let field = |keys: &str| format!("[types.note.fields.extra]\n{keys}\n[relations.proves]");
    for (keys, words) in [
        ("list = true", "has no `type`"),
        ("type = \"enum\"", "has no `values`"),
        ("type = \"enum\"\nvalues = []", "1 to 200 items"),
        ("type = \"enum\"\nvalues = [\"a\", \"a\"]", "names the same thing twice"),
        ("type = \"enum\"\nvalues = [1]", "is an integer, not a string"),
        ("type = \"string\"\nvalues = [\"a\"]", "belongs to a field of type enum"),
        ("type = \"text\"\npattern = \"a\"", "belongs to a field of type string"),
        ("type = \"integer\"\nmax_length = 3", "belongs to a field of type string or text"),
        ("type = \"string\"\nmin = 3", "belongs to a field of type integer, number or date"),
        ("type = \"integer\"\nmin = 1.5", "is not an integer"),
        ("type = \"number\"\nmax = \"x\"", "is not a number"),
        ("type = \"date\"\nmin = \"2023-02-29\"", "is not a day"),
        ("type = \"string\"\nmin_items = 1", "belongs to a field with `list = true`"),
        ("type = \"string\"\nunique = true", "belongs to a field with `list = true`"),
        ("type = \"string\"\nlist = true\nmin_items = 3\nmax_items = 2", "`max_items`"),
        ("type = \"string\"\nmin_length = 3\nmax_length = 2", "`max_length`"),
        ("type = \"number\"\nmin = 10\nmax = 9.5", "`max` of"),
        ("type = \"date\"\nmin = 2021-01-02\nmax = 2021-01-01", "`max` of"),
        ("type = \"boolean\"\nrequired = 1", "not `true` or `false`"),
    ] {
        check("[relations.proves]", &field(keys), words);
    }
    let named = |name: &str| format!("[types.note.fields.{name}]\ntype = \"string\"\n[relations.proves]");
    check("[relations.proves]", &named("title"), "reserved key");
    check("[relations.proves]", &named("needs"), "is a relation and cannot be a field too");
    check("[relations.proves]", &named("needed_by"), "is the inverse of a relation");
    let many: String = (0..65).map(|at| format!("[types.note.fields.f{at}]\ntype = \"string\"\n")).collect();
    check("[relations.proves]", &format!("{many}[relations.proves]"), "more than 64 fields");
}

#[test]
fn types_inherit_in_a_short_straight_line() {
    check("[types.note]", "[types.note]\nextends = \"nope\"", "which is no declared type");
    let found =
        broken("[types.note]", "[types.a]\nextends = \"b\"\n[types.b]\nextends = \"a\"\n[types.note]");
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|one| one.contains("extends itself in a circle")), "{found:#?}");
    let line = |count: usize| -> String {
        let one = |at: usize| {
            format!(
                "[types.t{at}]\nextends = \"{}\"\n",
                if at == 0 { "note".to_owned() } else { format!("t{}", at - 1) }
            )
        };
        format!("{}[types.note]", (0..count).map(one).collect::<String>())
    };
    load(&WHOLE.replace("[types.note]", &line(4))).expect("four ancestors");
    check("[types.note]", &line(5), "has more than 4 ancestors");
    let none = load("schema = \"docforge/1\"\n[project]\nid = \"a\"\ntitle = \"A\"\n").expect_err("no type");
    assert!(lines(&none)[0].contains("declares no type"));
}

#[test]
fn relations_make_sense() {
    for (old, new, words) in [
        ("inverse = \"proved_by\"", "", "has no `inverse`"),
        ("inverse = \"proved_by\"", "inverse = \"needs\"", "already the name or the inverse"),
        ("inverse = \"needed_by\"", "inverse = \"proved_by\"", "already the name or the inverse"),
        ("inverse = \"needed_by\"", "inverse = \"needs\"", "already the name or the inverse"),
        ("inverse = \"needed_by\"", "inverse = \"Needed\"", "not a name that a relation can have"),
        ("from = [\"proof\"]", "from = [\"prof\"]", "[did you mean `proof`?]"),
        ("from = [\"proof\"]", "from = [\"*\", \"proof\"]", "beside other types"),
        ("from = [\"proof\"]", "from = []", "1 to 200 items"),
        ("from = [\"proof\"]", "", "has no `from`"),
        ("max = 3", "max = 3\nmin = 4", "`max` of [relations.proves] is less than `min`"),
        ("max = 3", "inverse_max = 1\ninverse_min = 2", "`inverse_max` of [relations.proves]"),
        ("acyclic = true", "", "needs `acyclic = true`"),
        ("acyclic_with = [\"proves\"]", "acyclic_with = [\"proofs\"]", "which is no declared relation"),
        ("symmetric = true", "symmetric = true\ninverse = \"next_to\"", "its inverse is its own name"),
        ("to = [\"note\"]\nsymmetric", "to = [\"duty\"]\nsymmetric", "`from` and `to` are the same types"),
        ("symmetric = true", "symmetric = true\nacyclic = true", "cannot be acyclic"),
        ("pin = \"required\"", "", "`pin_fields` of [relations.proves] needs"),
        ("pin = \"required\"", "pin = \"must\"", "must be one of `off`, `optional`, `required`"),
        ("[\"title\", \"field:status\"]", "[\"titles\"]", "is none of title, body, relations, field:NAME"),
        ("[\"title\", \"field:status\"]", "[\"field:stat\"]", "a field of no type"),
        ("weight = 9", "weight = 11", "must lie between 0 and 10"),
        ("weight = 9", "paired_with = \"nothing\"", "which is no declared relation"),
        ("target_where = 'status = open'", "target_where = 'statuss = open'", "[did you mean `status`?]"),
        ("[relations.beside]", "[relations.type]", "is a reserved key"),
    ] {
        let found = broken(old, new);
        assert!(found.iter().any(|one| one.contains(words)), "{new:?} gives {found:#?}");
    }
}

#[test]
fn sources_are_checked() {
    for (old, new, words) in [
        (
            "adapter = \"markdown@1\"",
            "adapter = \"markdown@2\"",
            "must be one of markdown@1, yaml@1, header@1, doorstop@1",
        ),
        ("adapter = \"markdown@1\"", "adapter = \"yaml@1\"", "yaml@1 cannot write"),
        ("include = [\"docs/**/*.md\"]", "include = []", "1 to 100 items"),
        ("include = [\"docs/**/*.md\"]", "include = [\"../*.md\"]", "`..` segment"),
        ("exclude = [\"docs/old/**\"]", "exclude = [\"docs/{a,b}\"]", "holds a brace"),
        ("type = \"note\"", "type = \"nte\"", "[did you mean `note`?]"),
        (
            "[[rules]]",
            "[[sources]]\nid = \"main\"\nadapter = \"yaml@1\"\ninclude = [\"x/*.yml\"]\n[[rules]]",
            "two sources have the id `main`",
        ),
        ("write = true", "write = true\noptions = 3", "is an integer, not a table"),
        (
            "write = true",
            "write = true\n[sources.options]\nwhatever = 1",
            "`whatever` is not a key of [sources.options] of markdown@1",
        ),
    ] {
        let found = broken(old, new);
        assert!(found.iter().any(|one| one.contains(words)), "{new:?} gives {found:#?}");
    }
}

#[test]
fn rules_and_checks_are_checked() {
    for (old, new, words) in [
        (
            "where = 'type = duty and status = done'",
            "where = 'type = duti'",
            "(type_unknown) [did you mean `duty`?]",
        ),
        ("where = 'type = duty and status = done'", "", "[[rules]] has no `where`"),
        ("where = 'type = duty and status = done'", "where = 'type ='", "character 7"),
        (
            "require = 'any(in.proves where priority > 0.5)'",
            "require = 'any(in.proof)'",
            "(relation_unknown)",
        ),
        ("severity = \"warn\"", "severity = \"off\"", "must be one of `error`, `warn`, `info`"),
        ("message = \"{id} ({type})", "message = \"{path} ({type})", "uses a brace"),
        (
            "[checks]",
            "[[rules]]\nid = \"done-is-proved\"\nwhere = 'type = duty'\nrequire = 'title is set'\nmessage = \"m\"\n[checks]",
            "two rules have the id",
        ),
        ("orphan = \"off\"", "orphan = \"none\"", "must be one of `error`, `warn`, `info`, `off`"),
        ("orphan = \"off\"", "duplicate_id = \"off\"", "the severity of `duplicate_id` is fixed"),
        ("orphan = \"off\"", "symlink_refused = \"off\"", "the severity of `symlink_refused` is fixed"),
    ] {
        check(old, new, words);
    }
}

#[test]
fn every_check_that_can_be_set_is_taken_and_no_other() {
    for one in crate::Check::BUILT_IN {
        let manifest = WHOLE
            .replace("orphan = \"off\"", &format!("{} = \"info\"", one.code()))
            .replace(if *one == crate::Check::PinMissing { "pin_missing = \"error\"" } else { "\u{0}" }, "");
        match load(&manifest) {
            Ok(contract) => {
                assert!(one.is_settable(), "{}", one.code());
                assert_eq!(contract.checks.severity(one), Some(crate::Severity::Info));
            }
            Err(_) => assert!(!one.is_settable(), "{}", one.code()),
        }
    }
}

#[test]
fn views_are_checked() {
    for (old, new, words) in [
        ("renderer = \"table@1\"", "renderer = \"tabel@1\"", "[did you mean `table@1`?]"),
        ("renderer = \"table@1\"", "", "[views.duties] has no `renderer`"),
        ("where = \"type = duty\"", "where = \"type\"", "expected an operator"),
        ("sort = [\"-field:priority\", \"id\"]", "sort = [\"size\"]", "a sort word is"),
        ("sort = [\"-field:priority\", \"id\"]", "sort = [\"field:nope\"]", "no type declares this field"),
        ("\"in.proves\", \"state\"]", "\"in.proof\"]", "is not a column"),
        ("rows = \"type = duty\"", "", "has no `rows`"),
        ("cols = \"type = proof\"", "cols = \"priority ~ 3\"", "(filter_type_error)"),
        ("relation = \"proves\"\ndirection", "relation = \"prove\"\ndirection", "[did you mean `proves`?]"),
        ("direction = \"in\"", "direction = \"up\"", "must be one of `out`, `in`"),
        ("direction = \"in\"", "coverage = \"full\"", "must be one of `shallow`, `deep`"),
        (
            "title = \"Cover\"\nrenderer = \"matrix@1\"\n[views.cover.options]",
            "title = \"Cover\"\nrenderer = \"graph@1\"\n[views.cover.options]\nmax_nodes = 401",
            "must lie between 1 and 400",
        ),
        (
            "title = \"Cover\"\nrenderer = \"matrix@1\"\n[views.cover.options]",
            "title = \"Cover\"\nrenderer = \"changelog@1\"\n[views.cover.options]",
            "has no `baseline`",
        ),
        (
            "title = \"Cover\"\nrenderer = \"matrix@1\"\n[views.cover.options]",
            "title = \"Cover\"\nrenderer = \"report@1\"\n[views.cover.options]",
            "is not a key of [views.cover.options] of report@1",
        ),
        (
            "title = \"Cover\"\nrenderer = \"matrix@1\"\n[views.cover.options]",
            "title = \"Cover\"\nrenderer = \"document@1\"\n[views.cover.options]\ngroup_by = \"size\"",
            "is none of type, path, field:NAME",
        ),
    ] {
        let found = broken(old, new);
        assert!(found.iter().any(|one| one.contains(words)), "{new:?} gives {found:#?}");
    }
}

#[test]
fn writers_are_checked() {
    for (old, new, words) in [
        ("operations = [\"create\", \"update\"]", "operations = []", "1 to 4 items"),
        (
            "operations = [\"create\", \"update\"]",
            "operations = [\"aply\"]",
            "takes create, update, move, delete",
        ),
        ("operations = [\"create\", \"update\"]", "", "has no `operations`"),
        ("types = [\"duty\", \"note\"]", "types = [\"all\"]", "is not a declared type"),
        ("sources = [\"main\"]", "sources = [\"mian\"]", "[did you mean `main`?]"),
        ("write = true", "", "is not a source with `write = true`"),
        (
            "where = 'status != done'",
            "where = 'status != dnoe'",
            "(filter_type_error) [did you mean `done`?]",
        ),
        ("{ deny = [\"status\"] }", "{ deny = [\"statu\"] }", "[did you mean `status`?]"),
        ("{ deny = [\"status\"] }", "{}", "takes `allow` or `deny`"),
        ("{ deny = [\"status\"] }", "{ allow = [\"title\"], deny = [\"body\"] }", "takes `allow` or `deny`"),
        ("{ allow = [\"needs\"] }", "{ allow = [\"wants\"] }", "is not a declared relation"),
        ("max_open = 2", "max_open = 101", "must lie between 1 and 100"),
        ("max_open = 2", "max_ops = 201", "must lie between 1 and 200"),
        ("max_open = 2", "strict_base = \"yes\"", "not `true` or `false`"),
    ] {
        check(old, new, words);
    }
}

#[test]
fn paths_stay_inside_the_project_and_away_from_documents() {
    let paths = |key: &str, path: &str| format!("[paths]\n{key} = \"{path}\"\n[limits]");
    for key in ["changesets", "previews", "index", "baselines"] {
        for (path, words) in [
            ("/tmp/x", "is absolute"),
            ("C:/x", "is absolute"),
            ("a/../../x", "has a `..` segment"),
            ("..", "has a `..` segment"),
            ("a//b", "has an empty segment"),
            ("./a", "has a `.` segment"),
            ("a\\\\b", "holds a backslash"),
            ("a\\u202eb", "holds a character that does not show"),
            (".git/x", "lies inside .git"),
            ("sub/.GIT/x", "lies inside .git"),
            ("docs/x.md", "lies inside what the source `main` includes"),
            ("site/duties.html", "equals the output of [views.duties]"),
            ("site", "lie inside each other"),
            ("docforge.toml", "is the manifest itself"),
        ] {
            let words = format!("`{key}` of [paths] {words}");
            let found = broken("[limits]", &paths(key, path));
            let is_said = found.iter().any(|one| {
                one.contains(&words)
                    || (one.contains(&format!("`{key}` of [paths]"))
                        && one.contains("lie inside each other")
                        && path == "site")
            });
            assert!(is_said && found.len() == 1, "{path}: {found:#?}");
            assert!(found[0].starts_with("11:"), "{}", found[0]);
        }
    }
    check("[limits]", &paths("changesets", "docs/drafts"), "lies inside what the source `main` includes");
    let both = "[paths]\nchangesets = \"a/b\"\npreviews = \"a/b\"\n[limits]";
    check("[limits]", both, "`previews` and `changesets` of [paths] are the same path");
    let nested = "[paths]\nchangesets = \"a/b\"\npreviews = \"a/b/c\"\n[limits]";
    check("[limits]", nested, "`previews` and `changesets` of [paths] lie inside each other");
    load(&WHOLE.replace("[limits]", &paths("changesets", "work/changes"))).expect("a path of its own");
}

#[test]
fn outputs_stay_inside_the_project_and_away_from_documents() {
    for (output, words) in [
        ("/duties.html", "is absolute"),
        ("../duties.html", "has a `..` segment"),
        ("site/duties.md", "does not end in .html"),
        (".docforge/previews/x.html", "lie inside each other"),
    ] {
        check("output = \"site/duties.html\"", &format!("output = \"{output}\""), words);
    }
    let claimed = WHOLE.replace("docs/**/*.md", "site/*");
    let found = lines(&load(&claimed).expect_err("the output is a source"));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("`output` of [views.duties] is a file of the source `main`"), "{found:#?}");
    let excluded = claimed.replace("docs/old/**", "site/*.html");
    load(&excluded).expect("an excluded file is no source");
    let twice = "title = \"Cover\"\noutput = \"site/duties.html\"";
    check("title = \"Cover\"", twice, "is also that of [views.duties]");
}

#[test]
fn the_hash_sees_meaning_and_not_spelling() {
    let hash = |manifest: &str| load(manifest).expect("valid").hash;
    let base = hash(WHOLE);
    let same = [
        WHOLE.replace("[ids]", "# a comment\n[ids]"),
        WHOLE.replace("id = \"wind-farm\"\ntitle = \"Wind farm\"", "title = 'Wind farm'\nid = 'wind-farm'"),
        WHOLE.replace("weight = 9\ncontext = \"always\"", "context = \"always\"\nweight = 9\nself = false"),
        WHOLE.replace("[limits]", "[paths]\npreviews = \"previews\"\n[limits]"),
        format!("\u{FEFF}{WHOLE}"),
        WHOLE.replace('\n', "\r\n"),
    ];
    for manifest in same {
        assert_eq!(hash(&manifest), base);
    }
    let other = [
        WHOLE.replace("weight = 9", "weight = 8"),
        WHOLE.replace("[\"open\", \"done\"]", "[\"done\", \"open\"]"),
        WHOLE.replace("{ deny = [\"status\"] }", "{ deny = [] }"),
        WHOLE.replace("Wind farm", "Wind Farm"),
        WHOLE.replace("orphan = \"off\"", "orphan = \"warn\""),
        WHOLE.replace("docs/old/**", "docs/older/**"),
        WHOLE.replace("status = open", "status = done"),
    ];
    for manifest in other {
        assert_ne!(hash(&manifest), base);
    }
}

#[test]
fn free_text_of_the_manifest_stands_under_doc() {
    fn walk(value: &serde_json::Value, in_doc: bool, free: &[&str]) {
        match value {
            serde_json::Value::String(text) if !in_doc => assert!(!free.contains(&text.as_str()), "{text}"),
            serde_json::Value::Array(items) => items.iter().for_each(|item| walk(item, in_doc, free)),
            serde_json::Value::Object(members) => {
                members.iter().for_each(|(key, member)| walk(member, in_doc || key == "doc", free));
            }
            _ => {}
        }
    }
    let free = [
        "Wind farm",
        "Turbines and their duties.",
        "Duty",
        "DUTY-<3 digits>",
        "DUTY-[0-9]{3}",
        "open",
        "status = open",
        "{id} ({type}) is done without proof",
        "Duties",
        "type = duty",
        "Clerk",
        "status != done",
    ];
    let json = whole().to_json();
    walk(&json, false, &free);
    let text = json.to_string();
    for one in free {
        assert!(text.contains(one), "{one} is there");
    }
    assert_eq!(json["relations"]["needs"]["from"], serde_json::json!(["*"]));
    assert!(json.get("paths").is_none());
}

#[test]
fn a_skeleton_is_front_matter_to_be_filled_in() {
    let contract = whole();
    assert_eq!(
        contract.skeleton("duty").expect("declared"),
        "---\n\
         id:  # DUTY-<3 digits>\n\
         type: duty\n\
         title:\n\
         status:  # enum: open | done\n\
         # priority:  # optional, integer, 1 to 5\n\
         # due:  # optional, date, at least 2020-01-01\n\
         # tags:  # optional, list of string, matches [a-z]+\n\
         # needs: [ID]  # out, to any type\n\
         # proved_by  # in, stated as `proves` by proof\n\
         # needed_by  # in, stated as `needs` by any type\n\
         ---\n\
         Body (required).\n"
    );
    assert!(contract.skeleton("nothing").is_none());
}

#[test]
fn the_policy_of_a_writer_has_its_own_hash() {
    let hash = |manifest: &str| {
        writer_policy_hash(load(manifest).expect("valid").writer("clerk").expect("declared"))
    };
    assert_eq!(hash(WHOLE), hash(&WHOLE.replace("weight = 9", "weight = 1")));
    assert_ne!(hash(WHOLE), hash(&WHOLE.replace("max_open = 2", "max_open = 3")));
}
