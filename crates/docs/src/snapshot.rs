//! A project at one moment: contract, nodes, edges and findings, immutable and shared. It does not know how it was
//! put together.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::contract::Contract;
use crate::diagnose::Diagnostic;
use crate::hash::Hash;
use crate::model::{Edge, EdgeIx, EdgeKind, Node, NodeIx, Review};
use crate::search::Postings;

/// One immutable state of a project.
#[derive(Debug)]
pub struct Snapshot {
    pub(crate) contract: Arc<Contract>,
    pub(crate) files: Vec<FileEntry>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) by_id: HashMap<String, NodeIx>,
    pub(crate) by_alias: HashMap<String, Vec<NodeIx>>,
    pub(crate) ambiguous: BTreeMap<String, Vec<String>>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) out: Vec<Vec<EdgeIx>>,
    pub(crate) inbound: Vec<Vec<EdgeIx>>,
    pub(crate) dangling: Vec<Dangling>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) adapter_version: String,
    pub(crate) revision: String,
    pub(crate) source_hash: Hash,
    pub(crate) snapshot_id: String,
    pub(crate) text: TextIndex,
}

/// The text index of a snapshot, made when it is first asked for.
#[derive(Debug, Default)]
pub(crate) struct TextIndex {
    postings: OnceLock<Arc<Postings>>,
    /// That of the snapshot before, until this one has its own.
    earlier: Mutex<Option<Arc<Postings>>>,
}

/// One source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Project-relative, with `/`.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 of its raw bytes.
    pub hash: Hash,
    /// The id of its source; `None` for the manifest and for sibling files.
    pub source: Option<String>,
}

/// A stated relation or a mention whose target does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dangling {
    /// Where it starts.
    pub from: NodeIx,
    /// Place of the relation in the contract.
    pub relation: u32,
    /// Stated or read from a body.
    pub kind: EdgeKind,
    /// The target as written.
    pub target: String,
}

/// Whether the project is as its contract wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProjectState {
    /// No finding is an error.
    Valid,
    /// Some are; everything that could be read is served.
    Invalid,
}

/// What an id leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookUp<'a> {
    /// The node that has it.
    Found(NodeIx),
    /// The node that had it before.
    ByAlias(NodeIx),
    /// Several claim it; none is served. Their paths.
    Ambiguous(&'a [String]),
    /// Nothing has it.
    Missing,
}

impl Snapshot {
    /// The contract that it was checked against.
    pub fn contract(&self) -> &Arc<Contract> {
        &self.contract
    }

    /// Every file whose bytes count in the source hash, sorted by path bytes; the manifest is among them.
    pub fn files(&self) -> &[FileEntry] {
        &self.files
    }

    /// Every node, sorted by id bytes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    pub fn node(&self, ix: NodeIx) -> &Node {
        &self.nodes[ix.0 as usize]
    }

    /// Every index, in order.
    pub fn indices(&self) -> impl Iterator<Item = NodeIx> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(NodeIx)
    }

    /// What an id leads to. Two nodes with one alias are ambiguous.
    pub fn look_up(&self, id: &str) -> LookUp<'_> {
        if let Some(ix) = self.by_id.get(id) {
            return LookUp::Found(*ix);
        }
        if let Some(paths) = self.ambiguous.get(id) {
            return LookUp::Ambiguous(paths);
        }
        match self.by_alias.get(id).map(Vec::as_slice) {
            Some([one]) => LookUp::ByAlias(*one),
            _ => LookUp::Missing,
        }
    }

    /// Every edge.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// An edge.
    pub fn edge(&self, ix: EdgeIx) -> &Edge {
        &self.edges[ix.0 as usize]
    }

    /// The edges that start at a node, by relation in contract order, relations before mentions, then by target.
    pub fn out(&self, ix: NodeIx) -> impl Iterator<Item = &Edge> {
        self.out[ix.0 as usize].iter().map(|edge| self.edge(*edge))
    }

    /// The edges that lead to a node, by relation in contract order, relations before mentions, then by source.
    pub fn inbound(&self, ix: NodeIx) -> impl Iterator<Item = &Edge> {
        self.inbound[ix.0 as usize].iter().map(|edge| self.edge(*edge))
    }

    /// What leads nowhere, by source, relation and target.
    pub fn dangling(&self) -> &[Dangling] {
        &self.dangling
    }

    /// Every finding, in the published order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Takes over what the text index of an earlier state holds unchanged, once there is need for one.
    pub fn succeeds(&self, earlier: &Snapshot) {
        let before = &earlier.text;
        let known = before.postings.get().cloned().or_else(|| before.lock().clone());
        *self.text.lock() = known;
    }

    /// The text index.
    pub(crate) fn postings(&self) -> &Postings {
        self.text.postings.get_or_init(|| {
            let earlier = self.text.lock().take();
            Arc::new(Postings::build(self, earlier.as_deref()))
        })
    }

    /// The nodes whose format keeps a mark of reviews and that are not reviewed as they are now, by id bytes.
    pub fn unreviewed(&self) -> impl Iterator<Item = (NodeIx, Review)> {
        self.indices()
            .filter_map(|ix| Some((ix, self.node(ix).review?)))
            .filter(|(_, review)| *review != Review::Current)
    }

    /// Valid or invalid.
    pub fn state(&self) -> ProjectState {
        let has_error = self.diagnostics.iter().any(|one| one.severity == crate::Severity::Error);
        if has_error { ProjectState::Invalid } else { ProjectState::Valid }
    }

    /// Adapters in use (spec C4).
    pub fn adapter_version(&self) -> &str {
        &self.adapter_version
    }

    /// `r1-` and a SHA-256 over meaning and placement (spec C4).
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// SHA-256 over the bytes of every file, reproducible with coreutils (spec C4).
    pub fn source_hash(&self) -> Hash {
        self.source_hash
    }

    /// `s1-` and a SHA-256 over engine, revision, sources and findings (spec C4).
    pub fn snapshot_id(&self) -> &str {
        &self.snapshot_id
    }
}

impl TextIndex {
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<Postings>>> {
        self.earlier.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
