//! The side of an agent: it proposes, and everything else is left to the commands.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use disk::Root;
use docs::{Checked, LookUp, ProjectRoot, ProjectService, Snapshot};
use fault::Unwatched;
use propose::*;
use serde_json::{Value, json};

/// An agent that is bound to the writer `agent` of a project.
pub(super) struct Agent {
    service: ProjectService,
    roots: ConfinedRoots,
    snapshot: Arc<Snapshot>,
}

impl Agent {
    pub(super) fn of(root: &Path) -> Agent {
        let service =
            ProjectService::load(ProjectRoot::open(root).expect("a root"), &Unwatched).expect("loads");
        let snapshot = service.snapshot().expect("served");
        let pinned = Arc::new(Root::pin(root).expect("a root"));
        let roots = ConfinedRoots::open(pinned, &snapshot.contract().paths).expect("two folders");
        Agent { service, roots, snapshot }
    }

    fn at_work<T>(&mut self, act: impl FnOnce(&Desk<'_>) -> Result<T, ProposeFault>) -> T {
        let refreshed = self.service.refresh(Checked::Hash, &Unwatched).expect("not stopped");
        self.snapshot = refreshed.snapshot.expect("served");
        let writer = StartupWriter::of(self.snapshot.contract(), "agent").expect("declared");
        let desk = Desk {
            service: &self.service,
            snapshot: &self.snapshot,
            roots: &self.roots,
            writer: Some(&writer),
            policy: &WriterRules,
            validators: &[],
            render: None,
            now: SystemTime::now(),
        };
        act(&desk).expect("accepted")
    }

    /// A new changeset; its id.
    pub(super) fn changeset(&mut self, title: &str) -> String {
        let request = ChangesetRequest { title: title.to_owned(), ..ChangesetRequest::default() };
        self.at_work(|desk| create_changeset(desk, &request)).id.to_string()
    }

    fn ticket(desk: &Desk<'_>, changeset: &str) -> Ticket {
        let changeset = ChangesetId::parse(changeset).expect("an id");
        let expected_version = desk.store().read(&changeset).expect("there").log.version();
        Ticket { changeset, expected_version, tool: "test", arguments: json!({}) }
    }

    fn hash(desk: &Desk<'_>, id: &str) -> String {
        match desk.snapshot.look_up(id) {
            LookUp::Found(ix) => desk.snapshot.node(ix).hash.to_string(),
            other => panic!("{id}: {other:?}"),
        }
    }

    /// Proposes another title.
    pub(super) fn retitle(&mut self, changeset: &str, id: &str, title: &str) {
        self.change(changeset, id, |request| request.title = Some(title.to_owned()));
    }

    /// Proposes other fields.
    pub(super) fn set(&mut self, changeset: &str, id: &str, fields: Value) {
        self.change(changeset, id, |request| request.fields = fields.as_object().expect("an object").clone());
    }

    /// Proposes to replace a piece of a body.
    pub(super) fn edit(&mut self, changeset: &str, id: &str, find: &str, replace: &str) {
        let edit = Edit { find: find.to_owned(), replace: replace.to_owned(), occurrence: None };
        self.change(changeset, id, |request| request.body = Some(BodyEdit::Edits(vec![edit])));
    }

    fn change(&mut self, changeset: &str, id: &str, say: impl FnOnce(&mut UpdateRequest)) {
        self.at_work(|desk| {
            let mut request = UpdateRequest {
                id: id.to_owned(),
                base_hash: Agent::hash(desk, id),
                ..UpdateRequest::default()
            };
            say(&mut request);
            propose_update(desk, &Agent::ticket(desk, changeset), &request)
        });
    }

    /// Proposes a requirement.
    pub(super) fn create(&mut self, changeset: &str, id: &str, title: &str, path: &str, refines: &[&str]) {
        let link = |to: &&str| LinkDraft {
            relation: "refines".to_owned(),
            to: (*to).to_owned(),
            pin: None,
            note: None,
        };
        let node = NodeDraft {
            id: id.to_owned(),
            type_name: "req".to_owned(),
            title: title.to_owned(),
            fields: json!({ "status": "draft" }).as_object().expect("an object").clone(),
            relations: refines.iter().map(link).collect(),
            body: format!("{title}.\n"),
        };
        let placement = Placement { source: "docs".to_owned(), path: path.to_owned(), place: Place::End };
        self.at_work(|desk| propose_create(desk, &Agent::ticket(desk, changeset), &node, &placement));
    }

    /// Proposes that a node goes.
    pub(super) fn delete(&mut self, changeset: &str, id: &str, reason: &str) {
        self.at_work(|desk| {
            propose_delete(desk, &Agent::ticket(desk, changeset), id, &Agent::hash(desk, id), reason)
        });
    }
}
