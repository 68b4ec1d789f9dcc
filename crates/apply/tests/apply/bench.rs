//! A small project with its changesets, as a person and as an agent see it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use apply::{
    Applied, ApplyFault, ApplyRequest, CloseRequest, Documents, Recovered, Review, Workshop, apply, close,
    recover, review,
};
use disk::{FileCalls, PlainCalls, Root};
use docs::{Checked, ProjectRoot, ProjectService, Snapshot};
use fault::Unwatched;
use propose::*;
use serde_json::json;
use testkit::Tree;

pub(crate) const MANIFEST: &str = r#"
schema = "docforge/1"
[project]
id = "t"
title = "T"
[types.req]
id_pattern = "REQ-[0-9]+"
[types.req.fields.status]
type = "enum"
values = ["draft", "approved"]
[types.req.fields.owner]
type = "string"
[types.note]
[relations.needs]
from = ["*"]
to = ["req"]
inverse = "needed_by"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["docs/**/*.md"]
write = true
[[sources]]
id = "many"
adapter = "markdown@1"
include = ["many/*.md"]
type = "note"
write = true
[sources.options]
sections = true
[views.reqs]
title = "Reqs"
renderer = "table@1"
where = "type = req"
[writers.agent]
title = "Agent"
operations = ["create", "update", "move", "delete"]
max_open = 100
max_ops = 200
"#;

/// Comments, quotes and two kinds of line ends: an editor would love to tidy it up.
pub(crate) const MIXED: &str = "---\r\n# kept as it is\nid: REQ-1\r\ntype: req\ntitle: 'One'   # quoted\r\nstatus: draft # new\nowner:   Ann\r\nneeds: [REQ-2]\n---\r\nFirst line.\r\n\nSecond line.\n\r\nThird line.";

/// Makes the watcher of file calls, once for each folder that is held.
pub(crate) type Calls = Arc<dyn Fn() -> Box<dyn FileCalls> + Send + Sync>;

/// Gives the project its files.
pub(crate) fn fill(tree: &Tree) {
    tree.file("docforge.toml", MANIFEST);
    tree.file("docs/one.md", MIXED);
    tree.file("docs/two.md", "---\nid: REQ-2\ntype: req\ntitle: Two\nstatus: approved\nowner: Bob\n---\n");
    tree.file("docs/three.md", "---\nid: REQ-3\ntype: req\ntitle: Three\n---\nBody.\n");
    tree.file(
        "many/all.md",
        "# Notes\n\n## Alpha\n```node\nid: alpha\n```\n\nText.\n\n## Beta\n```node\nid: beta\n```\n\nText.\n",
    );
}

/// Everything that one process holds of a project.
pub(crate) struct Office {
    pub(crate) service: ProjectService,
    pub(crate) roots: ConfinedRoots,
    pub(crate) documents: Documents,
    pub(crate) snapshot: Arc<Snapshot>,
}

impl Office {
    pub(crate) fn open(root: &Path) -> Office {
        Office::open_with(root, Arc::new(|| Box::new(PlainCalls)))
    }

    pub(crate) fn open_with(root: &Path, calls: Calls) -> Office {
        let service =
            ProjectService::load(ProjectRoot::open(root).expect("a root"), &Unwatched).expect("loads");
        let snapshot = service.snapshot().expect("served");
        let pinned = Arc::new(Root::pin(root).expect("a root"));
        let paths = &snapshot.contract().paths;
        let documents = Documents::open_with(&pinned, paths, calls()).expect("the root");
        let roots = ConfinedRoots::open_with(pinned, paths, Box::new(move || calls())).expect("two folders");
        Office { service, roots, documents, snapshot }
    }

    pub(crate) fn refresh(&mut self) {
        let refreshed = self.service.refresh(Checked::Hash, &Unwatched).expect("not stopped");
        self.snapshot = refreshed.snapshot.expect("served");
    }

    pub(crate) fn shop(&self) -> Workshop<'_> {
        Workshop {
            service: &self.service,
            roots: &self.roots,
            documents: &self.documents,
            render: None,
            now: now(),
        }
    }

    fn agent<T>(&self, act: impl FnOnce(&Desk<'_>) -> T) -> T {
        let writer = StartupWriter::of(self.snapshot.contract(), "agent").expect("declared");
        act(&Desk { writer: Some(&writer), ..self.shop().desk(&self.snapshot) })
    }

    pub(crate) fn changeset(&self) -> Result<ChangesetId, ProposeFault> {
        let request = ChangesetRequest { title: "A change".to_owned(), ..ChangesetRequest::default() };
        self.agent(|desk| create_changeset(desk, &request)).map(|header| header.id)
    }

    pub(crate) fn stored(&self, id: &ChangesetId) -> Stored {
        Store::new(&self.roots).read(id).expect("readable")
    }

    fn ticket(&self, id: &ChangesetId) -> Ticket {
        ticket_at(id, self.stored(id).log.version())
    }

    pub(crate) fn hash(&self, id: &str) -> String {
        match self.snapshot.look_up(id) {
            docs::LookUp::Found(ix) => self.snapshot.node(ix).hash.to_string(),
            other => panic!("{id}: {other:?}"),
        }
    }

    pub(crate) fn title_of(&self, id: &str) -> Option<String> {
        match self.snapshot.look_up(id) {
            docs::LookUp::Found(ix) => Some(self.snapshot.node(ix).title.clone()),
            _ => None,
        }
    }

    pub(crate) fn retitle(
        &self,
        id: &ChangesetId,
        node: &str,
        title: &str,
    ) -> Result<Accepted, ProposeFault> {
        self.update(id, UpdateRequest { title: Some(title.to_owned()), ..self.change(node) })
    }

    /// The same for a version that was read earlier.
    pub(crate) fn retitle_at(
        &self,
        id: &ChangesetId,
        version: u32,
        node: &str,
        title: &str,
    ) -> Result<Accepted, ProposeFault> {
        let request = UpdateRequest { title: Some(title.to_owned()), ..self.change(node) };
        self.agent(|desk| propose_update(desk, &ticket_at(id, version), &request))
    }

    /// An update of a node as it is now.
    pub(crate) fn change(&self, node: &str) -> UpdateRequest {
        UpdateRequest { id: node.to_owned(), base_hash: self.hash(node), ..UpdateRequest::default() }
    }

    pub(crate) fn update(&self, id: &ChangesetId, request: UpdateRequest) -> Result<Accepted, ProposeFault> {
        self.agent(|desk| propose_update(desk, &self.ticket(id), &request))
    }

    pub(crate) fn create(
        &self,
        id: &ChangesetId,
        node: &str,
        path: &str,
        needs: &[&str],
    ) -> Result<Accepted, ProposeFault> {
        let link = |to: &&str| LinkDraft {
            relation: "needs".to_owned(),
            to: (*to).to_owned(),
            pin: None,
            note: None,
        };
        let draft = NodeDraft {
            id: node.to_owned(),
            type_name: "req".to_owned(),
            title: format!("New {node}"),
            relations: needs.iter().map(link).collect(),
            body: "New text.\n".to_owned(),
            ..NodeDraft::default()
        };
        let placement = Placement { source: "main".to_owned(), path: path.to_owned(), place: Place::End };
        self.agent(|desk| propose_create(desk, &self.ticket(id), &draft, &placement))
    }

    pub(crate) fn relocate(
        &self,
        id: &ChangesetId,
        node: &str,
        path: &str,
    ) -> Result<Accepted, ProposeFault> {
        let to = Placement { source: "main".to_owned(), path: path.to_owned(), place: Place::End };
        self.agent(|desk| propose_move(desk, &self.ticket(id), node, &self.hash(node), &to))
    }

    pub(crate) fn delete(&self, id: &ChangesetId, node: &str) -> Result<Accepted, ProposeFault> {
        self.agent(|desk| propose_delete(desk, &self.ticket(id), node, &self.hash(node), "not needed"))
    }

    pub(crate) fn review(&self, id: &ChangesetId, only: &[&str]) -> Review {
        let only: Vec<String> = only.iter().map(|id| (*id).to_owned()).collect();
        review(&self.shop(), &self.snapshot, id, &only).expect("readable")
    }

    /// What a person types who has seen the difference.
    pub(crate) fn request(&self, id: &ChangesetId, only: &[&str]) -> ApplyRequest {
        ApplyRequest {
            changeset: id.clone(),
            only: only.iter().map(|id| (*id).to_owned()).collect(),
            confirmed: self.review(id, only).diff_hash,
            merges: false,
            who: "a person".to_owned(),
        }
    }

    pub(crate) fn apply(&self, id: &ChangesetId) -> Result<Applied, ApplyFault> {
        apply(&self.shop(), &self.request(id, &[]), &Unwatched)
    }

    pub(crate) fn close(&self, id: &ChangesetId, state: ChangesetState) -> Result<(), ApplyFault> {
        let confirmed = self.review(id, &[]).diff_hash;
        let request = CloseRequest { changeset: id.clone(), state, confirmed, who: "a person".to_owned() };
        close(&self.shop(), &request, &Unwatched)
    }

    pub(crate) fn recover(&self) -> Result<Vec<Recovered>, ApplyFault> {
        recover(&self.shop())
    }
}

fn ticket_at(id: &ChangesetId, expected_version: u32) -> Ticket {
    Ticket { changeset: id.clone(), expected_version, tool: "test", arguments: json!({}) }
}

pub(crate) fn now() -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(1_800_000_000)
}

/// Every file outside of the product's own folder and of git's, with its bytes.
pub(crate) fn documents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("readable") {
            let path = entry.expect("readable").path();
            let name = path.strip_prefix(root).expect("below").to_string_lossy().into_owned();
            if name == ".docforge" || name == ".git" {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(name, std::fs::read(&path).expect("readable"));
            }
        }
    }
    files
}

/// Names below the product's own folder that begin as things in the making do.
pub(crate) fn leftovers(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.join(".docforge")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let entry = entry.expect("readable");
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(".tmp-") {
                found.push(name);
            } else if entry.path().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    found
}
