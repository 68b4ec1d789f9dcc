//! The policy of an integration in place of ours: it says which nodes and how much of each, and nothing else. Texts, budget
//! and order stay here.

use serde_json::Value;

use super::{ContextRequest, Form};
use crate::model::{EdgeKind, NodeIx};
use crate::snapshot::{LookUp, Snapshot};

/// The name of a provider: `name@version`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderId(String);

impl ProviderId {
    /// A name of small letters, digits, `_`, `-`, then `@` and a version of digits; `None` for anything else.
    pub fn new(text: &str) -> Option<ProviderId> {
        let (name, version) = text.split_once('@')?;
        let is_name = (1..=48).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
        let is_version =
            (1..=6).contains(&version.len()) && version.bytes().all(|byte| byte.is_ascii_digit());
        (is_name && is_version).then(|| ProviderId(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Which nodes a provider wants shown, and how much of each, most wanted first. Ids that the project does not have are
/// passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContextPlan {
    /// Id and form.
    pub items: Vec<(String, Form)>,
}

/// A provider has no plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the context provider has no plan")]
pub struct ContextError;

/// Chooses what stands around a node.
pub trait ContextProvider: Send + Sync {
    /// Its name, which answers carry as their policy.
    fn id(&self) -> ProviderId;

    /// What is to be shown for a request.
    ///
    /// # Errors
    /// [`ContextError`] when it has no plan; the caller is told so.
    fn plan(
        &self,
        request: &ContextRequest<'_>,
        view: &SnapshotView<'_>,
    ) -> Result<ContextPlan, ContextError>;
}

/// A snapshot as a provider sees it: what nodes say and how they hang together, no file and no path.
#[derive(Clone, Copy, Debug)]
pub struct SnapshotView<'s> {
    snapshot: &'s Snapshot,
}

impl<'s> SnapshotView<'s> {
    /// The view of a snapshot.
    pub fn new(snapshot: &'s Snapshot) -> SnapshotView<'s> {
        SnapshotView { snapshot }
    }

    /// Every id, by bytes.
    pub fn ids(&self) -> impl Iterator<Item = &'s str> {
        self.snapshot.nodes().iter().map(|node| node.id.as_str())
    }

    /// The id of the node that a request starts at.
    pub fn start(&self, request: &ContextRequest<'_>) -> &'s str {
        &self.snapshot.node(request.start).id
    }

    /// The type of a node.
    pub fn type_of(&self, id: &str) -> Option<&'s str> {
        self.find(id).map(|ix| self.snapshot.node(ix).type_name.as_str())
    }

    /// The title of a node.
    pub fn title(&self, id: &str) -> Option<&'s str> {
        self.find(id).map(|ix| self.snapshot.node(ix).title.as_str())
    }

    /// The canonical body of a node.
    pub fn body(&self, id: &str) -> Option<&'s str> {
        self.find(id).map(|ix| self.snapshot.node(ix).body.as_str())
    }

    /// A field of a node as JSON.
    pub fn field(&self, id: &str, name: &str) -> Option<Value> {
        self.snapshot.node(self.find(id)?).field(name).map(crate::value::Value::to_json)
    }

    /// What a node states: relation and target.
    pub fn out(&self, id: &str) -> Vec<(&'s str, &'s str)> {
        let Some(ix) = self.find(id) else { return Vec::new() };
        let stated = self.snapshot.out(ix).filter(|edge| edge.kind == EdgeKind::Relation);
        stated.map(|edge| (self.relation(edge.relation), self.snapshot.node(edge.to).id.as_str())).collect()
    }

    /// What is stated about a node: relation and source.
    pub fn inbound(&self, id: &str) -> Vec<(&'s str, &'s str)> {
        let Some(ix) = self.find(id) else { return Vec::new() };
        let stated = self.snapshot.inbound(ix).filter(|edge| edge.kind == EdgeKind::Relation);
        stated.map(|edge| (self.relation(edge.relation), self.snapshot.node(edge.from).id.as_str())).collect()
    }

    fn relation(&self, at: u32) -> &'s str {
        &self.snapshot.contract.relations[at as usize].name
    }

    fn find(&self, id: &str) -> Option<NodeIx> {
        match self.snapshot.look_up(id) {
            LookUp::Found(ix) | LookUp::ByAlias(ix) => Some(ix),
            _ => None,
        }
    }
}
