//! Proposals on small projects, from the first call to the patch: what is refused, what is told, and that no document is
//! ever touched.

#![expect(clippy::disallowed_methods, reason = "tests look at the files that were made")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use disk::{FileCall, FileCalls, Root};
use docs::{Checked, ProjectRoot, ProjectService, Snapshot};
use propose::*;
use serde_json::{Value, json};
use testkit::Tree;

const MANIFEST: &str = r#"
schema = "docforge/1"
[project]
id = "t"
title = "T"
[types.req]
id_pattern = "REQ-[0-9]+"
[types.req.fields.status]
type = "enum"
values = ["draft", "approved"]
required = true
[types.req.fields.owner]
type = "string"
[types.req.fields.size]
type = "integer"
max = 9
[types.memo]
[types.note]
[types.note.fields.tags]
type = "string"
list = true
[relations.needs]
from = ["*"]
to = ["req"]
inverse = "needed_by"
pin = "optional"
[relations.beside]
from = ["note"]
to = ["note"]
inverse = "beside_of"
max = 1
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["docs/**/*.md"]
exclude = ["docs/README.md"]
write = true
[[sources]]
id = "many"
adapter = "markdown@1"
include = ["many/*.md"]
type = "note"
write = true
[sources.options]
sections = true
[[sources]]
id = "old"
adapter = "markdown@1"
include = ["old/*.md"]
type = "note"
[[rules]]
id = "approved-has-owner"
where = 'type = req and status = approved'
require = 'owner is set'
message = "{id} has no owner"
[views.reqs]
title = "Reqs"
renderer = "table@1"
where = "type = req"
[writers.agent]
title = "Agent"
operations = ["create", "update", "move", "delete"]
[writers.clerk]
title = "Clerk"
operations = ["create", "update"]
types = ["req"]
sources = ["main"]
where = 'status != approved'
fields = { deny = ["status"] }
relations = { deny = ["needs"] }
max_open = 2
max_ops = 2
[writers.strict]
title = "Strict"
operations = ["update"]
strict_base = true
"#;

const REQ_1: &str = "---\nid: REQ-1\ntype: req\ntitle: One\nstatus: draft # new\nowner: Ann\nneeds: [REQ-2]\n---\nFirst line.\n\nSecond line.\n\nThird line.\n";
const MANY: &str = "# Notes\n\n## Alpha\n```node\nid: alpha\nbeside: [beta]\n```\n\nText of alpha.\n\n## Beta\n```node\nid: beta\n```\n\nText of beta.\n";

struct Bench {
    tree: Tree,
    service: ProjectService,
    roots: ConfinedRoots,
    snapshot: Arc<Snapshot>,
    clock: SystemTime,
    policy: Box<dyn ProposalPolicy>,
    validators: Vec<Box<dyn ProposalValidator>>,
}

impl Bench {
    fn new() -> Bench {
        let tree = Tree::of_many("");
        tree.file("docforge.toml", MANIFEST);
        tree.file("docs/one.md", REQ_1);
        tree.file(
            "docs/two.md",
            "---\nid: REQ-2\ntype: req\ntitle: Two\nstatus: approved\nowner: Bob\n---\n",
        );
        tree.file("docs/three.md", "---\nid: REQ-3\ntype: req\ntitle: Three\nstatus: draft\n---\n");
        tree.file("docs/README.md", "Not a node.\n");
        tree.file("old/x.md", "---\nid: x\n---\n");
        tree.file("many/all.md", MANY);
        Bench::of(tree)
    }

    fn of(tree: Tree) -> Bench {
        let service =
            ProjectService::load(ProjectRoot::open(&tree.root()).expect("a root"), &fault::Unwatched)
                .expect("loads");
        let snapshot = service.snapshot().expect("served");
        let root = Arc::new(Root::pin(&tree.root()).expect("a root"));
        let roots = ConfinedRoots::open(root, &snapshot.contract().paths).expect("two folders");
        let clock = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        Bench { tree, service, roots, snapshot, clock, policy: Box::new(WriterRules), validators: Vec::new() }
    }

    /// Looks at the files again.
    fn refresh(&mut self) {
        let refreshed = self.service.refresh(Checked::Hash, &fault::Unwatched).expect("not stopped");
        self.snapshot = refreshed.snapshot.expect("served");
    }

    fn writer(&self, name: &str) -> StartupWriter {
        StartupWriter::of(self.snapshot.contract(), name).expect("declared")
    }

    fn desk<'d>(&'d self, writer: Option<&'d StartupWriter>) -> Desk<'d> {
        Desk {
            service: &self.service,
            snapshot: &self.snapshot,
            roots: &self.roots,
            writer,
            policy: &*self.policy,
            validators: &self.validators,
            render: None,
            now: self.clock,
        }
    }

    fn changeset(&self, writer: &str) -> ChangesetId {
        let writer = self.writer(writer);
        let request = ChangesetRequest { title: "A change".to_owned(), ..ChangesetRequest::default() };
        create_changeset(&self.desk(Some(&writer)), &request).expect("made").id
    }

    fn version(&self, id: &ChangesetId) -> u32 {
        Store::new(&self.roots).read(id).expect("readable").log.version()
    }

    fn ticket(&self, id: &ChangesetId) -> Ticket {
        Ticket {
            changeset: id.clone(),
            expected_version: self.version(id),
            tool: "test",
            arguments: json!({}),
        }
    }

    fn hash(&self, id: &str) -> String {
        match self.snapshot.look_up(id) {
            docs::LookUp::Found(ix) => self.snapshot.node(ix).hash.to_string(),
            other => panic!("{id}: {other:?}"),
        }
    }

    fn update(
        &self,
        id: &ChangesetId,
        writer: &str,
        request: UpdateRequest,
    ) -> Result<Accepted, ProposeFault> {
        let writer = self.writer(writer);
        propose_update(&self.desk(Some(&writer)), &self.ticket(id), &request)
    }

    fn create(
        &self,
        id: &ChangesetId,
        writer: &str,
        draft: &NodeDraft,
        at: &str,
    ) -> Result<Accepted, ProposeFault> {
        let writer = self.writer(writer);
        let source = if at.starts_with("many/") { "many" } else { "main" };
        let placement = Placement { source: source.to_owned(), path: at.to_owned(), place: Place::End };
        propose_create(&self.desk(Some(&writer)), &self.ticket(id), draft, &placement)
    }

    fn delete(&self, id: &ChangesetId, node: &str) -> Result<Accepted, ProposeFault> {
        let writer = self.writer("agent");
        propose_delete(&self.desk(Some(&writer)), &self.ticket(id), node, &self.hash(node), "not needed")
    }

    fn validate(&self, id: &ChangesetId) -> (Case, Validation) {
        let stored = Store::new(&self.roots).read(id).expect("readable");
        validate(&self.desk(None), stored).expect("validated")
    }

    fn state(&self, id: &ChangesetId, node: &str) -> EntryState {
        let (_, validation) = self.validate(id);
        validation.entries.iter().find(|entry| entry.id == node).expect("an entry").state
    }

    /// Every file outside of the product's own folder, with its bytes.
    fn documents(&self) -> BTreeMap<String, Vec<u8>> {
        let files = self.snapshot.files().iter().map(|file| file.path.clone());
        files.map(|path| (path.clone(), std::fs::read(self.tree.path(&path)).expect("there"))).collect()
    }
}

fn title(id: &str, base_hash: String, title: &str) -> UpdateRequest {
    UpdateRequest { id: id.to_owned(), base_hash, title: Some(title.to_owned()), ..UpdateRequest::default() }
}

fn body(id: &str, base_hash: String, body: BodyEdit) -> UpdateRequest {
    UpdateRequest { id: id.to_owned(), base_hash, body: Some(body), ..UpdateRequest::default() }
}

fn fields(id: &str, base_hash: String, fields: Value) -> UpdateRequest {
    let fields = fields.as_object().expect("an object").clone();
    UpdateRequest { id: id.to_owned(), base_hash, fields, ..UpdateRequest::default() }
}

fn req(id: &str) -> NodeDraft {
    NodeDraft {
        id: id.to_owned(),
        type_name: "req".to_owned(),
        title: "New".to_owned(),
        fields: json!({"status": "draft"}).as_object().expect("an object").clone(),
        ..NodeDraft::default()
    }
}

fn problem<T: std::fmt::Debug>(outcome: Result<T, ProposeFault>) -> Problem {
    outcome.expect_err("refused").problem
}

#[test]
fn a_change_goes_from_the_first_call_to_a_patch_and_no_document_is_touched() {
    let bench = Bench::new();
    let before = bench.documents();
    let cs = bench.changeset("agent");
    let edits = vec![Edit { find: "Second".to_owned(), replace: "Middle".to_owned(), occurrence: None }];
    let accepted = bench
        .update(&cs, "agent", body("REQ-1", bench.hash("REQ-1"), BodyEdit::Edits(edits)))
        .expect("accepted");
    assert_eq!((accepted.version, accepted.kind), (1, "update"));
    assert_eq!(accepted.base_hash.map(|hash| hash.to_string()), Some(bench.hash("REQ-1")));
    bench
        .update(&cs, "agent", fields("REQ-1", bench.hash("REQ-1"), json!({"status": "approved", "size": 3})))
        .expect("accepted");
    let mut draft = req("REQ-9");
    draft.body = "The body.\n".to_owned();
    draft.relations = vec![LinkDraft {
        relation: "needs".to_owned(),
        to: "REQ-1".to_owned(),
        pin: None,
        note: Some("so: it is".to_owned()),
    }];
    bench.create(&cs, "agent", &draft, "docs/sub/nine.md").expect("accepted");
    let (case, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Pass, "{:#?}", validation.findings);
    assert_eq!(validation.checks.len(), 20);
    assert!(validation.delta.new.is_empty() && validation.entries.len() == 2);
    let patch = unified(&case);
    assert_eq!(
        patch,
        "diff --git a/docs/one.md b/docs/one.md\n\
         --- a/docs/one.md\n\
         +++ b/docs/one.md\n\
         @@ -2,12 +2,13 @@\n \
         id: REQ-1\n type: req\n title: One\n\
         -status: draft # new\n\
         +status: approved # new\n \
         owner: Ann\n needs: [REQ-2]\n\
         +size: 3\n \
         ---\n First line.\n \n\
         -Second line.\n\
         +Middle line.\n \n \
         Third line.\n\
         diff --git a/docs/sub/nine.md b/docs/sub/nine.md\n\
         new file mode 100644\n\
         --- /dev/null\n\
         +++ b/docs/sub/nine.md\n\
         @@ -0,0 +1,9 @@\n\
         +---\n+id: REQ-9\n+type: req\n+title: New\n+status: draft\n+needs:\n+  - {to: REQ-1, note: \"so: it is\"}\n+---\n+The body.\n"
    );
    let desk = bench.desk(None);
    let (diffs, hash) = semantic(&desk, &case, &validation.entries);
    assert_eq!(diffs.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["REQ-1", "REQ-9"]);
    assert_eq!(diffs[0].fields.len(), 2);
    assert_eq!(diffs[1].to_json()["relations"]["added"][0]["doc"]["note"], "so: it is");
    assert_eq!(semantic(&desk, &case, &validation.entries).1, hash);
    assert_eq!(bench.documents(), before);
    // git takes the patch, and the project then is the one that was shown.
    bench.tree.git(&["init", "-q"]);
    bench.tree.file("change.patch", &patch);
    bench.tree.git(&["apply", "change.patch"]);
    let mut bench = bench;
    bench.refresh();
    assert_eq!(Some(bench.snapshot.revision()), case.overlay.snapshot.as_ref().map(Snapshot::revision));
}

#[test]
fn without_a_writer_nothing_is_made_and_everything_is_read() {
    let bench = Bench::new();
    let request = ChangesetRequest { title: "x".to_owned(), ..ChangesetRequest::default() };
    assert_eq!(problem(create_changeset(&bench.desk(None), &request)), Problem::AccessDisabled);
    let cs = bench.changeset("agent");
    let ticket = bench.ticket(&cs);
    assert_eq!(problem(propose_delete(&bench.desk(None), &ticket, "REQ-1", "", "")), Problem::AccessDisabled);
    let listed = list(&bench.desk(None), &ListRequest::default()).expect("readable");
    assert_eq!((listed.len(), listed[0].version, listed[0].base), (1, 0, BaseSummary::Current));
    let none = ListRequest { state: Some(ChangesetState::Applied), ..ListRequest::default() };
    assert!(list(&bench.desk(None), &none).expect("readable").is_empty());
}

#[test]
fn a_key_gives_the_same_changeset_and_limits_hold() {
    let bench = Bench::new();
    let clerk = bench.writer("clerk");
    let desk = bench.desk(Some(&clerk));
    let mut request = ChangesetRequest {
        title: "x".to_owned(),
        reason: None,
        idempotency_key: Some("key-1234".to_owned()),
    };
    let first = create_changeset(&desk, &request).expect("made");
    assert_eq!(create_changeset(&desk, &request).expect("found").id, first.id);
    request.title = "y".to_owned();
    assert_eq!(problem(create_changeset(&desk, &request)), Problem::IdempotencyMismatch);
    request.idempotency_key = Some("short".to_owned());
    assert_eq!(problem(create_changeset(&desk, &request)), Problem::InvalidArguments);
    request.idempotency_key = None;
    create_changeset(&desk, &request).expect("the second");
    assert_eq!(problem(create_changeset(&desk, &request)), Problem::LimitExceeded);
    for name in ["A", "B"] {
        bench.update(&first.id, "clerk", title("REQ-1", bench.hash("REQ-1"), name)).expect("accepted");
    }
    let third = bench.update(&first.id, "clerk", title("REQ-1", bench.hash("REQ-1"), "C"));
    assert_eq!(problem(third), Problem::LimitExceeded);
}

#[test]
fn versions_and_writers_are_held_to() {
    let bench = Bench::new();
    let cs = bench.changeset("agent");
    bench.update(&cs, "agent", title("REQ-1", bench.hash("REQ-1"), "A")).expect("accepted");
    let agent = bench.writer("agent");
    let stale = Ticket { expected_version: 0, ..bench.ticket(&cs) };
    let fault = propose_update(&bench.desk(Some(&agent)), &stale, &title("REQ-1", bench.hash("REQ-1"), "B"))
        .expect_err("stale");
    assert_eq!((fault.problem, &fault.details["version"]), (Problem::VersionConflict, &json!(1)));
    let clerk = bench.update(&cs, "clerk", title("REQ-1", bench.hash("REQ-1"), "B"));
    assert_eq!(problem(clerk), Problem::ForeignWriter);
    let absent = ChangesetId::parse("cs-01arz3ndektsv4rrffq69g5fav").expect("an id");
    let ticket = Ticket { changeset: absent, ..bench.ticket(&cs) };
    let absent =
        propose_update(&bench.desk(Some(&agent)), &ticket, &title("REQ-1", bench.hash("REQ-1"), "B"));
    assert_eq!(problem(absent), Problem::ChangesetNotFound);
    let store = Store::new(&bench.roots);
    let stored = store.read(&cs).expect("readable");
    let outcome = Outcome {
        state: ChangesetState::Withdrawn,
        who: String::new(),
        when: String::new(),
        details: Value::Null,
    };
    store.close(&stored, &outcome).expect("closed");
    let closed = bench.update(&cs, "agent", title("REQ-1", bench.hash("REQ-1"), "B"));
    assert_eq!(problem(closed), Problem::ChangesetClosed);
}

#[test]
fn a_base_that_is_not_the_node_is_refused_with_what_moved() {
    let mut bench = Bench::new();
    let cs = bench.changeset("agent");
    let stale = bench.hash("REQ-1");
    let wrong = bench.update(&cs, "agent", title("REQ-1", bench.hash("REQ-2"), "A"));
    assert_eq!(problem(wrong), Problem::BaseConflict);
    bench.update(&cs, "agent", title("REQ-1", stale.clone(), "A")).expect("accepted");
    bench.tree.file("docs/two.md", "---\nid: REQ-2\ntype: req\ntitle: Another\nstatus: draft\n---\n");
    bench.refresh();
    // An unrelated node moved: the hash is still that of the node.
    bench.update(&cs, "agent", fields("REQ-1", stale.clone(), json!({"size": 1}))).expect("accepted");
    bench.tree.file("docs/one.md", &REQ_1.replace("Ann", "Eve"));
    bench.refresh();
    // The base is kept in the changeset, so it may go on from there; another one may not.
    bench.update(&cs, "agent", fields("REQ-1", stale.clone(), json!({"size": 2}))).expect("accepted");
    let other = bench.changeset("agent");
    let fault = bench.update(&other, "agent", title("REQ-1", stale, "B")).expect_err("moved");
    assert_eq!(fault.problem, Problem::BaseConflict);
    assert_eq!(fault.details["current_hash"], json!(bench.hash("REQ-1")));
}

#[test]
fn pieces_of_a_body_are_found_once_or_numbered() {
    let bench = Bench::new();
    let cs = bench.changeset("agent");
    let edit = |find: &str, occurrence| {
        let edit = Edit { find: find.to_owned(), replace: "x".to_owned(), occurrence };
        bench.update(&cs, "agent", body("REQ-1", bench.hash("REQ-1"), BodyEdit::Edits(vec![edit])))
    };
    assert_eq!(problem(edit("absent", None)), Problem::EditNotFound);
    assert_eq!(problem(edit("line", None)), Problem::EditAmbiguous);
    let accepted = edit("line", Some(2)).expect("accepted");
    let text = accepted
        .changes
        .iter()
        .find_map(|(item, _, after)| (*item == Item::Body).then(|| after.clone()))
        .flatten();
    assert_eq!(text, Some(json!("First line.\n\nSecond x.\n\nThird line.\n")));
    // A second edit starts from the proposed body.
    edit("Second x", None).expect("accepted");
    assert_eq!(
        problem(bench.update(&cs, "agent", title("REQ-1", bench.hash("REQ-1"), "One"))),
        Problem::NoChange
    );
}

#[test]
fn no_text_is_lost_when_two_change_one_node() {
    let mut bench = Bench::new();
    let (first, second) = (bench.changeset("agent"), bench.changeset("agent"));
    let one = |title| UpdateRequest {
        title: Some(title),
        ..body(
            "REQ-1",
            bench.hash("REQ-1"),
            BodyEdit::Edits(vec![Edit {
                find: "First".to_owned(),
                replace: "Premier".to_owned(),
                occurrence: None,
            }]),
        )
    };
    bench.update(&first, "agent", one("Ours".to_owned())).expect("accepted");
    let third = vec![Edit { find: "Third".to_owned(), replace: "Troisième".to_owned(), occurrence: None }];
    bench
        .update(&second, "agent", body("REQ-1", bench.hash("REQ-1"), BodyEdit::Edits(third)))
        .expect("accepted");
    for (this, other) in [(&first, &second), (&second, &first)] {
        let (_, validation) = bench.validate(this);
        let met: Vec<_> = validation.overlaps.iter().map(|one| (&one.changeset, one.meeting)).collect();
        assert_eq!(met, [(other, Meeting::SameNode)]);
    }
    // The first one is applied.
    let (case, _) = bench.validate(&first);
    for (path, file) in &case.overlay.files {
        bench.tree.bytes(path, file.after.as_ref().expect("a file"));
    }
    bench.refresh();
    assert_eq!(bench.state(&second, "REQ-1"), EntryState::Mergeable);
    let (case, validation) = bench.validate(&second);
    assert_eq!(validation.verdict, Verdict::Pass, "{:#?}", validation.findings);
    let merged = case.standings["REQ-1"].intended.as_ref().expect("an update");
    assert_eq!(
        (merged.title.as_str(), merged.body.as_str()),
        ("Ours", "Premier line.\n\nSecond line.\n\nTroisième line.\n")
    );
    // A change in the same place keeps both values.
    let rival = bench.changeset("agent");
    bench.update(&rival, "agent", title("REQ-1", bench.hash("REQ-1"), "Theirs")).expect("accepted");
    let text = std::fs::read_to_string(bench.tree.path("docs/one.md")).expect("there");
    bench.tree.file("docs/one.md", &text.replace("title: Ours", "title: Newer"));
    bench.refresh();
    let (_, validation) = bench.validate(&rival);
    assert_eq!(validation.verdict, Verdict::Conflict);
    let entry = &validation.entries[0];
    assert_eq!(entry.state, EntryState::ConflictContent);
    let conflict = &entry.conflicts[0];
    assert_eq!(conflict.item, Item::Title);
    assert_eq!(
        [&conflict.base, &conflict.current, &conflict.proposed],
        [&Some(json!("Ours")), &Some(json!("Newer")), &Some(json!("Theirs"))]
    );
    bench.tree.remove("docs/one.md");
    bench.refresh();
    assert_eq!(bench.state(&rival, "REQ-1"), EntryState::ConflictDeleted);
}

#[test]
fn a_strict_writer_takes_any_change_for_a_conflict() {
    let mut bench = Bench::new();
    let cs = bench.changeset("strict");
    bench.update(&cs, "strict", title("REQ-1", bench.hash("REQ-1"), "A")).expect("accepted");
    assert_eq!(bench.state(&cs, "REQ-1"), EntryState::Clean);
    bench.tree.file("docs/one.md", &REQ_1.replace("Ann", "Eve"));
    bench.refresh();
    assert_eq!(bench.state(&cs, "REQ-1"), EntryState::ConflictContent);
}

#[test]
fn ids_and_places_are_held_to_the_contract() {
    let bench = Bench::new();
    let cs = bench.changeset("agent");
    let create = |draft: &NodeDraft, at: &str| problem(bench.create(&cs, "agent", draft, at));
    assert_eq!(create(&req("REQ-1"), "docs/new.md"), Problem::IdTaken);
    assert_eq!(create(&req("XYZ"), "docs/new.md"), Problem::IdInvalid);
    assert_eq!(create(&req("a b"), "docs/new.md"), Problem::IdInvalid);
    for path in [
        "../x.md",
        "/x.md",
        "docs/a\\b.md",
        "docs/CON.md",
        "docs/x.md.",
        "docs/../x.md",
        "elsewhere/x.md",
        "docs/x.txt",
    ] {
        assert_eq!(create(&req("REQ-9"), path), Problem::PlacementInvalid, "{path}");
    }
    assert_eq!(create(&req("REQ-9"), &format!("docs/{}.md", "x".repeat(300))), Problem::PlacementInvalid);
    assert_eq!(create(&req("REQ-9"), "docs/ONE.md"), Problem::PlacementConflict);
    assert_eq!(create(&req("REQ-9"), "docs/one.md"), Problem::PlacementConflict);
    assert_eq!(create(&req("REQ-9"), "docs/README.md"), Problem::PlacementInvalid, "excluded");
    let outside = bench.tree.scratch().to_owned();
    bench.tree.link("docs/door", &outside);
    assert_eq!(create(&req("REQ-9"), "docs/door/x.md"), Problem::PlacementInvalid);
    let agent = bench.writer("agent");
    let old = Placement { source: "old".to_owned(), path: "old/y.md".to_owned(), place: Place::End };
    let note = NodeDraft { id: "y".to_owned(), type_name: "note".to_owned(), ..NodeDraft::default() };
    let read_only = propose_create(&bench.desk(Some(&agent)), &bench.ticket(&cs), &note, &old);
    assert_eq!(problem(read_only), Problem::AdapterReadOnly);
    assert_eq!(bench.version(&cs), 0, "nothing was kept");
}

#[test]
fn what_does_not_fit_the_type_is_refused() {
    let bench = Bench::new();
    let cs = bench.changeset("agent");
    let with =
        |value: Value| NodeDraft { fields: value.as_object().expect("an object").clone(), ..req("REQ-9") };
    for (draft, expected) in [
        (with(json!({"status": "dunno"})), Problem::SchemaViolation),
        (with(json!({})), Problem::SchemaViolation),
        (with(json!({"status": "draft", "size": "many"})), Problem::SchemaViolation),
        (with(json!({"status": "draft", "size": 10})), Problem::SchemaViolation),
        (with(json!({"status": "draft", "nope": 1})), Problem::SchemaViolation),
        (NodeDraft { type_name: "nope".to_owned(), ..req("REQ-9") }, Problem::SchemaViolation),
        (NodeDraft { title: "a\nb".to_owned(), ..req("REQ-9") }, Problem::SchemaViolation),
        (NodeDraft { title: "x".repeat(301), ..req("REQ-9") }, Problem::ArgumentTooLarge),
        (NodeDraft { body: "x".repeat(256 * 1024 + 1), ..req("REQ-9") }, Problem::ArgumentTooLarge),
        (NodeDraft { body: "a\rb\n".to_owned(), ..req("REQ-9") }, Problem::RoundtripFailed),
    ] {
        assert_eq!(
            problem(bench.create(&cs, "agent", &draft, "docs/new.md")),
            expected,
            "{:?}",
            draft.fields
        );
    }
    let link = |relation: &str, to: &str, pin: Option<&str>| NodeDraft {
        relations: vec![LinkDraft {
            relation: relation.to_owned(),
            to: to.to_owned(),
            pin: pin.map(str::to_owned),
            note: None,
        }],
        ..req("REQ-9")
    };
    for draft in [
        link("wants", "REQ-1", None),
        link("needs", "alpha", None),
        link("beside", "alpha", None),
        link("needs", "REQ-9", None),
        link("needs", "REQ-1", Some("x")),
    ] {
        assert_eq!(
            problem(bench.create(&cs, "agent", &draft, "docs/new.md")),
            Problem::RelationViolation,
            "{:?}",
            draft.relations
        );
    }
    // A target that is not there yet is told, not refused.
    let accepted =
        bench.create(&cs, "agent", &link("needs", "REQ-77", None), "docs/new.md").expect("accepted");
    assert!(accepted.quick_checks.iter().any(|one| one.code == "target_missing"));
    assert_eq!(bench.state(&cs, "REQ-9"), EntryState::TargetMissing);
}

#[test]
fn bodies_come_back_exactly_or_are_refused_and_neighbours_stay() {
    let bench = Bench::new();
    let bodies = [
        "---\nid: evil\n---\n",
        "```node\nid: evil\n```\n",
        "## Heading\n```node\nid: evil\n```\n",
        "## Heading of the same level\n\ntext\n",
        "# Higher\n",
        "key: value\n- item\n",
        "Setext\n======\n",
        "text\n---\n",
        "```\nunclosed fence\n",
        "<!-- unclosed comment\n",
        "    indented\n",
        "\n\nblank first\n",
        "trailing  \n",
    ];
    for text in bodies {
        for (id, at) in [("REQ-50", "docs/new.md"), ("fresh", "many/all.md")] {
            let cs = bench.changeset("agent");
            let mut draft = if at.starts_with("docs") {
                req(id)
            } else {
                NodeDraft { id: id.to_owned(), type_name: "note".to_owned(), ..NodeDraft::default() }
            };
            draft.body = text.to_owned();
            let created = bench.create(&cs, "agent", &draft, at);
            let updated = bench.update(
                &cs,
                "agent",
                body("alpha", bench.hash("alpha"), BodyEdit::Replace(text.to_owned())),
            );
            for outcome in [created, updated] {
                if let Err(fault) = outcome {
                    assert!(
                        matches!(fault.problem, Problem::RoundtripFailed | Problem::CollateralChange),
                        "{text:?}: {fault:?}"
                    );
                }
            }
            let (case, validation) = bench.validate(&cs);
            assert!(
                validation.findings.iter().all(|one| one.check.number() < 16),
                "{text:?} {:#?}",
                validation.findings
            );
            for (id, entry) in &case.entries {
                let after = case.overlay.snapshot.as_ref().expect("loadable");
                let docs::LookUp::Found(ix) = after.look_up(id) else { panic!("{id} {entry:?}") };
                assert_eq!(after.node(ix).body, text, "{id}");
            }
            let store = Store::new(&bench.roots);
            let outcome = Outcome {
                state: ChangesetState::Withdrawn,
                who: String::new(),
                when: String::new(),
                details: Value::Null,
            };
            store.close(&store.read(&cs).expect("readable"), &outcome).expect("closed");
        }
    }
}

#[test]
fn rights_are_those_of_the_writer_and_an_integration_can_only_take_away() {
    let mut bench = Bench::new();
    let cs = bench.changeset("clerk");
    assert_eq!(
        problem(bench.update(&cs, "clerk", title("REQ-2", bench.hash("REQ-2"), "x"))),
        Problem::ScopeDenied,
        "approved"
    );
    assert_eq!(
        problem(bench.update(&cs, "clerk", title("alpha", bench.hash("alpha"), "x"))),
        Problem::ScopeDenied,
        "type"
    );
    let status = fields("REQ-1", bench.hash("REQ-1"), json!({"status": "approved"}));
    assert_eq!(problem(bench.update(&cs, "clerk", status)), Problem::FieldDenied);
    let needs = UpdateRequest {
        remove: vec![("needs".to_owned(), "REQ-2".to_owned())],
        ..UpdateRequest { id: "REQ-1".to_owned(), base_hash: bench.hash("REQ-1"), ..UpdateRequest::default() }
    };
    assert_eq!(problem(bench.update(&cs, "clerk", needs)), Problem::FieldDenied);
    let clerk = bench.writer("clerk");
    let deleted =
        propose_delete(&bench.desk(Some(&clerk)), &bench.ticket(&cs), "REQ-1", &bench.hash("REQ-1"), "x");
    assert_eq!(problem(deleted), Problem::OperationDenied);
    let mut draft = req("REQ-9");
    draft.fields.remove("status");
    assert_eq!(problem(bench.create(&cs, "clerk", &draft, "many/all.md")), Problem::ScopeDenied, "source");

    struct NoTitles;
    impl ProposalPolicy for NoTitles {
        fn check(&self, op: &OpView<'_>) -> Narrow {
            if op.items.contains(&Item::Title) {
                return Narrow::Deny(
                    ReasonCode::new("no_titles").expect("a code"),
                    "titles are frozen".to_owned(),
                );
            }
            Narrow::Pass
        }
    }
    bench.policy = Box::new(NoTitles);
    let fault = bench.update(&cs, "clerk", title("REQ-1", bench.hash("REQ-1"), "x")).expect_err("denied");
    assert_eq!((fault.problem, &fault.details["reason"]), (Problem::PolicyDenied, &json!("no_titles")));
    let owner = fields("REQ-1", bench.hash("REQ-1"), json!({"owner": "Zoe"}));
    bench.policy = Box::new(WriterRules);

    struct Denies;
    impl ProposalValidator for Denies {
        fn id(&self) -> &str {
            "denies"
        }
        fn review(&self, changeset: &ChangesetView<'_>) -> Vec<Finding> {
            changeset
                .entries
                .iter()
                .map(|entry| Finding::error(1, "not_today", "no").about(&entry.id))
                .collect()
        }
    }
    bench.validators = vec![Box::new(Denies)];
    assert_eq!(problem(bench.update(&cs, "clerk", owner.clone())), Problem::ValidatorDenied);

    struct Panics;
    impl ProposalValidator for Panics {
        fn id(&self) -> &str {
            "panics"
        }
        fn review(&self, _changeset: &ChangesetView<'_>) -> Vec<Finding> {
            std::panic::resume_unwind(Box::new(()))
        }
    }
    bench.validators = vec![Box::new(Panics)];
    bench.update(&cs, "clerk", owner).expect("a panic refuses nothing at once");
    let (_, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Fail);
    assert!(validation.findings.iter().any(|one| one.code == "validator_failed"));
}

#[test]
fn nodes_go_only_when_nobody_leads_to_them() {
    let bench = Bench::new();
    let cs = bench.changeset("agent");
    let accepted = bench.delete(&cs, "REQ-2").expect("accepted");
    assert_eq!(accepted.inbound, ["REQ-1"]);
    let (_, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Fail);
    let finding = validation.findings.iter().find(|one| one.code == "inbound_left").expect("found");
    assert_eq!(finding.details["inbound"], json!(["REQ-1"]));
    // The same changeset leads the relation elsewhere.
    let retarget = UpdateRequest {
        id: "REQ-1".to_owned(),
        base_hash: bench.hash("REQ-1"),
        remove: vec![("needs".to_owned(), "REQ-2".to_owned())],
        add: vec![LinkDraft { relation: "needs".to_owned(), to: "REQ-3".to_owned(), pin: None, note: None }],
        ..UpdateRequest::default()
    };
    bench.update(&cs, "agent", retarget).expect("accepted");
    let (case, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Pass, "{:#?}", validation.findings);
    assert!(unified(&case).contains("deleted file mode 100644\n--- a/docs/two.md\n+++ /dev/null\n"));
    // Another changeset leads to it meanwhile.
    let other = bench.changeset("agent");
    let link = LinkDraft { relation: "needs".to_owned(), to: "REQ-2".to_owned(), pin: None, note: None };
    let add = UpdateRequest {
        id: "REQ-3".to_owned(),
        base_hash: bench.hash("REQ-3"),
        add: vec![link],
        ..UpdateRequest::default()
    };
    bench.update(&other, "agent", add).expect("accepted");
    let (_, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Pass);
    assert!(validation.overlaps.iter().any(|one| one.meeting == Meeting::LinksToRemoved));
    let (_, validation) = bench.validate(&other);
    assert!(validation.overlaps.iter().any(|one| one.meeting == Meeting::RemovesTarget));
}

#[test]
fn nodes_move_with_every_byte_of_theirs() {
    let mut bench = Bench::new();
    let cs = bench.changeset("agent");
    let agent = bench.writer("agent");
    let go = |bench: &Bench, id: &str, source: &str, path: &str, place: Place| {
        let to = Placement { source: source.to_owned(), path: path.to_owned(), place };
        propose_move(&bench.desk(Some(&agent)), &bench.ticket(&cs), id, &bench.hash(id), &to)
    };
    assert_eq!(problem(go(&bench, "REQ-1", "main", "docs/two.md", Place::End)), Problem::PlacementConflict);
    assert_eq!(problem(go(&bench, "REQ-1", "many", "many/x.md", Place::End)), Problem::PlacementInvalid);
    let accepted = go(&bench, "REQ-1", "main", "docs/moved/one.md", Place::End).expect("accepted");
    assert_eq!(accepted.proposed_hash.map(|hash| hash.to_string()), Some(bench.hash("REQ-1")));
    go(&bench, "alpha", "many", "many/all.md", Place::After("beta".to_owned())).expect("accepted");
    let (case, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Pass, "{:#?}", validation.findings);
    let patch = unified(&case);
    assert!(
        patch.contains("similarity index 100%\nrename from docs/one.md\nrename to docs/moved/one.md\n"),
        "{patch}"
    );
    let moved = case.overlay.files["many/all.md"].after.clone().expect("a file");
    assert_eq!(
        String::from_utf8(moved).expect("text"),
        "# Notes\n\n## Beta\n```node\nid: beta\n```\n\nText of beta.\n\n## Alpha\n```node\nid: alpha\nbeside: [beta]\n```\n\nText of alpha.\n\n"
    );
    bench.tree.rename("docs/one.md", "docs/elsewhere.md");
    bench.refresh();
    assert_eq!(bench.state(&cs, "REQ-1"), EntryState::ConflictPath);
}

#[test]
fn a_node_that_exists_only_here_is_known_by_its_proposed_hash() {
    let bench = Bench::new();
    let cs = bench.changeset("agent");
    let made = bench.create(&cs, "agent", &req("REQ-9"), "docs/new.md").expect("accepted");
    let hash = made.proposed_hash.expect("there").to_string();
    assert_eq!(problem(bench.create(&cs, "agent", &req("REQ-9"), "docs/new.md")), Problem::IdTaken);
    assert_eq!(
        problem(bench.update(&cs, "agent", title("REQ-9", bench.hash("REQ-1"), "x"))),
        Problem::BaseConflict
    );
    let changed = bench.update(&cs, "agent", title("REQ-9", hash, "Changed")).expect("accepted");
    let (case, validation) = bench.validate(&cs);
    assert_eq!((validation.entries.len(), validation.entries[0].kind), (1, "create"));
    assert_eq!(validation.entries[0].proposed_hash, changed.proposed_hash);
    assert_eq!(case.entries["REQ-9"].content.as_ref().map(|one| one.title.as_str()), Some("Changed"));
}

#[test]
fn rules_cycles_and_pins_of_the_whole_project_are_told() {
    let bench = Bench::new();
    let cs = bench.changeset("agent");
    bench
        .update(&cs, "agent", fields("REQ-3", bench.hash("REQ-3"), json!({"status": "approved"})))
        .expect("accepted");
    let (_, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Fail);
    assert!(
        validation
            .findings
            .iter()
            .any(|one| one.check.word() == "V11" && one.code == "rule:approved-has-owner")
    );
    assert_eq!(validation.delta.new.len(), 1);
    bench
        .update(&cs, "agent", fields("REQ-3", bench.hash("REQ-3"), json!({"owner": "Cy"})))
        .expect("accepted");
    let (_, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Pass, "{:#?}", validation.findings);
    let again = bench.validate(&cs).1;
    assert_eq!(again.validation_hash, validation.validation_hash);
}

#[test]
fn a_changed_policy_or_contract_is_noticed_after_a_restart() {
    let bench = Bench::new();
    let cs = bench.changeset("clerk");
    bench.update(&cs, "clerk", title("REQ-1", bench.hash("REQ-1"), "A")).expect("accepted");
    bench.tree.file("docforge.toml", &MANIFEST.replace("max_open = 2", "max_open = 3"));
    let Bench { tree, .. } = bench;
    let bench = Bench::of(tree);
    assert_eq!(
        problem(bench.update(&cs, "clerk", title("REQ-1", bench.hash("REQ-1"), "B"))),
        Problem::PolicyChanged
    );
    let (_, validation) = bench.validate(&cs);
    let codes: Vec<&str> = validation.findings.iter().map(|one| one.code.as_str()).collect();
    assert!(codes.contains(&"writer_policy_changed") && codes.contains(&"contract_changed"), "{codes:?}");
}

#[test]
fn a_preview_is_one_file_in_its_folder() {
    let bench = Bench::new();
    let cs = bench.changeset("agent");
    bench.update(&cs, "agent", title("REQ-1", bench.hash("REQ-1"), "A")).expect("accepted");
    bench.create(&cs, "agent", &req("REQ-9"), "docs/new.md").expect("accepted");
    let render = |after: &Snapshot, view: &docs::ViewDef, notes: &PreviewNotes<'_>| {
        let marks: Vec<String> =
            notes.marks.iter().map(|(id, mark)| format!("{id} {}", mark.as_str())).collect();
        Ok(format!("{} {} {} {}", view.name, after.nodes().len(), notes.version, marks.join(","))
            .into_bytes())
    };
    let (case, _) = bench.validate(&cs);
    let desk = bench.desk(None);
    let made = preview(&desk, &case, "reqs", &render).expect("written");
    assert_eq!(
        (made.path.as_str(), made.nodes_changed),
        (format!(".docforge/previews/{cs}--reqs.html").as_str(), 2)
    );
    let text = std::fs::read_to_string(bench.tree.path(&made.path)).expect("there");
    assert_eq!(text, "reqs 7 2 REQ-1 changed,REQ-9 added");
    assert_eq!(preview(&desk, &case, "reqs", &render).expect("written again"), made);
    for view in ["table@1", "../reqs", "nope"] {
        assert_eq!(problem(preview(&desk, &case, view, &render)), Problem::ViewNotFound);
    }
    let fails = |_: &Snapshot, _: &docs::ViewDef, _: &PreviewNotes<'_>| Err(RenderProblem::TooLarge);
    assert_eq!(problem(preview(&desk, &case, "reqs", &fails)), Problem::RenderLimitExceeded);
    let outside = bench.tree.scratch().to_owned();
    bench.tree.rename(".docforge/previews", "gone").link(".docforge/previews", &outside);
    assert_eq!(problem(preview(&desk, &case, "reqs", &render)), Problem::PreviewRootUnavailable);
}

/// Fails the call of this number, and with `dies` every later one too, as when the process is gone.
#[derive(Clone, Debug)]
struct Failing {
    count: Arc<AtomicUsize>,
    at: usize,
    dies: bool,
    kind: std::io::ErrorKind,
}

impl FileCalls for Failing {
    fn before(&self, call: FileCall, bytes: usize) -> std::io::Result<usize> {
        let now = self.count.fetch_add(1, Ordering::SeqCst);
        match call {
            _ if now == self.at || (self.dies && now > self.at) => Err(std::io::Error::from(self.kind)),
            FileCall::Write if now + 1 == self.at => Ok(bytes.div_ceil(2)),
            _ => Ok(bytes),
        }
    }
}

#[test]
fn whichever_call_fails_a_proposal_is_whole_or_absent_and_a_preview_old_or_new() {
    let render = |_: &Snapshot, _: &docs::ViewDef, notes: &PreviewNotes<'_>| {
        Ok(format!("version {}", notes.version).into_bytes())
    };
    for (dies, kind) in [
        (true, std::io::ErrorKind::StorageFull),
        (false, std::io::ErrorKind::StorageFull),
        (false, std::io::ErrorKind::Other),
    ] {
        for at in 0.. {
            let mut bench = Bench::new();
            let cs = bench.changeset("agent");
            let (case, _) = bench.validate(&cs);
            let old = preview(&bench.desk(None), &case, "reqs", &render).expect("written");
            let calls = Failing { count: Arc::default(), at, dies, kind };
            let handed = calls.clone();
            let root = Arc::new(Root::pin(&bench.tree.root()).expect("a root"));
            let paths = &bench.snapshot.contract().paths;
            let failing = ConfinedRoots::open_with(root, paths, Box::new(move || Box::new(handed.clone())))
                .expect("two folders");
            let plain = std::mem::replace(&mut bench.roots, failing);
            let updated = bench.update(&cs, "agent", title("REQ-1", bench.hash("REQ-1"), "A"));
            let (case, _) = bench.validate(&cs);
            let shown = preview(&bench.desk(None), &case, "reqs", &render);
            bench.roots = plain;
            let stored = Store::new(&bench.roots).read(&cs).expect("acknowledged");
            let version = stored.log.version();
            assert!(!stored.log.is_damaged && version <= 1 && (version == 1 || updated.is_err()), "{at}");
            if version == 1 {
                let (case, validation) = bench.validate(&cs);
                assert_eq!(validation.verdict, Verdict::Pass, "{at}: the base is there with the operation");
                assert_eq!(case.bases.len(), 1);
            }
            let text = std::fs::read_to_string(bench.tree.path(&old.path)).expect("there");
            let is_new = text == format!("version {version}");
            assert!(is_new || (text == "version 0" && shown.is_err()), "{at}: {text}");
            if let Err(fault) = &updated {
                assert_eq!(fault.problem, Problem::Io, "{at}: {fault:?}");
            }
            Store::new(&bench.roots).sweep().expect("writable");
            assert_eq!(Store::new(&bench.roots).sweep().expect("writable"), Vec::<String>::new());
            if calls.count.load(Ordering::SeqCst) <= at {
                assert!(updated.is_ok() && shown.is_ok() && at >= 10, "every call failed once");
                break;
            }
        }
    }
}

#[test]
fn what_was_seen_under_a_hash_is_of_one_type_and_at_one_place() {
    let bench = Bench::new();
    let hash = |cs: &ChangesetId| {
        let (case, validation) = bench.validate(cs);
        semantic(&bench.desk(None), &case, &validation.entries).1
    };
    let cs = bench.changeset("agent");
    let agent = bench.writer("agent");
    let make = |type_name: &str, place: Place| {
        let draft = NodeDraft {
            id: "x9".to_owned(),
            type_name: type_name.to_owned(),
            title: "New".to_owned(),
            ..NodeDraft::default()
        };
        let placement = Placement { source: "many".to_owned(), path: "many/all.md".to_owned(), place };
        let made = propose_create(&bench.desk(Some(&agent)), &bench.ticket(&cs), &draft, &placement);
        let proposed = made.expect("accepted").proposed_hash.expect("there").to_string();
        let seen = hash(&cs);
        let gone = propose_delete(&bench.desk(Some(&agent)), &bench.ticket(&cs), "x9", &proposed, "again");
        gone.expect("accepted");
        seen
    };
    let first = make("note", Place::End);
    assert_eq!(first, make("note", Place::End), "the same again");
    assert_ne!(first, make("note", Place::After("alpha".to_owned())), "another place in the file");
    assert_ne!(first, make("memo", Place::End), "another type");
}

#[test]
fn a_patch_of_moves_is_taken_by_git_whoever_stood_there_before() {
    let bench = Bench::new();
    bench.tree.git(&["init", "-q"]);
    bench.tree.commit("as it was");
    let cs = bench.changeset("agent");
    let agent = bench.writer("agent");
    let go = |id: &str, path: &str| {
        let to = Placement { source: "main".to_owned(), path: path.to_owned(), place: Place::End };
        let moved = propose_move(&bench.desk(Some(&agent)), &bench.ticket(&cs), id, &bench.hash(id), &to);
        moved.expect("accepted");
    };
    // One goes and another takes its place; a new one comes where that one stood; a third one moves and changes.
    let retarget = UpdateRequest {
        id: "REQ-1".to_owned(),
        base_hash: bench.hash("REQ-1"),
        remove: vec![("needs".to_owned(), "REQ-2".to_owned())],
        ..UpdateRequest::default()
    };
    bench.update(&cs, "agent", retarget).expect("accepted");
    bench.delete(&cs, "REQ-2").expect("accepted");
    go("REQ-1", "docs/two.md");
    bench.create(&cs, "agent", &req("REQ-9"), "docs/one.md").expect("accepted");
    bench.update(&cs, "agent", title("REQ-3", bench.hash("REQ-3"), "Tre")).expect("accepted");
    go("REQ-3", "docs/a b/\u{e9}.md");
    let (case, validation) = bench.validate(&cs);
    assert_eq!(validation.verdict, Verdict::Pass, "{:#?}", validation.findings);
    let patch = unified(&case);
    bench.tree.file("change.patch", &patch);
    bench.tree.git(&["apply", "change.patch"]);
    for (path, file) in &case.overlay.files {
        let now = std::fs::read(bench.tree.path(path)).ok();
        assert!(now == file.after, "{path}\n{patch}");
    }
}

#[test]
fn a_sweep_takes_nothing_from_a_writer_at_work() {
    let bench = Bench::new();
    let root = Arc::new(Root::pin(&bench.tree.root()).expect("a root"));
    let paths = &bench.snapshot.contract().paths;
    let other = ConfinedRoots::open(root, paths).expect("two folders");
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let swept = std::thread::scope(|scope| {
        let sweeper = scope.spawn(|| {
            let mut swept = 0;
            while !is_over.load(Ordering::SeqCst) {
                swept += Store::new(&other).sweep().expect("writable").len();
            }
            swept
        });
        // Looked at once the sweeper has ended, so that a refusal does not let it run forever.
        let mut refused = Vec::new();
        for _ in 0..200 {
            let agent = bench.writer("agent");
            let request = ChangesetRequest { title: "A".to_owned(), ..ChangesetRequest::default() };
            match create_changeset(&bench.desk(Some(&agent)), &request) {
                Ok(header) => {
                    let proposed =
                        bench.update(&header.id, "agent", title("REQ-1", bench.hash("REQ-1"), "A"));
                    refused.extend(proposed.err());
                    let store = Store::new(&bench.roots);
                    let stored = store.read(&header.id).expect("readable");
                    let outcome = Outcome {
                        state: ChangesetState::Withdrawn,
                        who: String::new(),
                        when: String::new(),
                        details: Value::Null,
                    };
                    refused.extend(store.close(&stored, &outcome).err());
                }
                Err(fault) => refused.push(fault),
            }
        }
        is_over.store(true, Ordering::SeqCst);
        assert_eq!(refused, []);
        sweeper.join().expect("no panic")
    });
    assert!(swept > 0, "they met");
    let store = Store::new(&bench.roots);
    for (id, _) in store.ids().expect("readable") {
        let log = store.read(&id).expect("whole").log;
        assert_eq!((log.version(), log.is_damaged), (1, false));
    }
}

#[test]
fn no_node_is_put_into_the_manifest() {
    let bench = Bench::new();
    bench.tree.file("docforge.toml", &MANIFEST.replace("\"many/*.md\"", "\"*\", \"many/*.md\""));
    let Bench { tree, .. } = bench;
    let bench = Bench::of(tree);
    let cs = bench.changeset("agent");
    let agent = bench.writer("agent");
    let draft = NodeDraft { id: "x9".to_owned(), type_name: "note".to_owned(), ..NodeDraft::default() };
    let placement =
        Placement { source: "many".to_owned(), path: "docforge.toml".to_owned(), place: Place::End };
    let made = propose_create(&bench.desk(Some(&agent)), &bench.ticket(&cs), &draft, &placement);
    assert_eq!(problem(made), Problem::PlacementInvalid);
}
