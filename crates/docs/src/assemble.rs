//! From parsed files to a snapshot: ids, types, targets, edges, hashes and findings, all from values alone (spec C4, C6,
//! C7). It opens no file, and the same files give the same snapshot in every order.

mod anchors;
mod check;
mod cycle;
mod hashing;
mod identity;
mod resolve;
mod structure;
mod typing;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::contract::Contract;
use crate::diagnose::{Check, Diagnostic, Severity};
use crate::hash::Hash;
use crate::model::{Edge, EdgeIx, EdgeKind, Link, Node, NodeIx, State};
use crate::parsed::{ParsedFile, ParsedNode};
use crate::snapshot::{Dangling, FileEntry, Snapshot};

pub(crate) use hashing::INDEX_SCHEMA;
pub use hashing::{ENGINE, node_json, pin_of};

/// A file as it was read, before anything is looked up in others.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// Its path, size and hash, and the source that claims it.
    pub entry: FileEntry,
    /// What its adapter read.
    pub parsed: ParsedFile,
    /// Files beside it whose text became part of its nodes.
    pub beside: Vec<FileEntry>,
}

/// What an assembly is made of.
pub struct Parts<'a> {
    /// The contract.
    pub contract: Arc<Contract>,
    /// Every file whose bytes count; those without a source hold no nodes.
    pub files: &'a [Arc<LoadedFile>],
    /// What went wrong before.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether something is at a project-relative path that is none of `files`.
    pub exists: &'a dyn Fn(&str) -> bool,
    /// Stands in front of the adapters in use; an integration names itself here.
    pub adapter_prefix: String,
}

/// The findings of an assembly, at the severities of the contract.
pub(crate) struct Findings<'c> {
    contract: &'c Contract,
    pub(crate) all: Vec<Diagnostic>,
}

impl Findings<'_> {
    /// Notes a finding unless its check is off.
    pub(crate) fn add(&mut self, mut finding: Diagnostic) {
        if let Some(severity) = self.contract.checks.severity(&finding.check) {
            finding.severity = severity;
            self.all.push(finding);
        }
    }

    /// Notes a finding at a severity that does not come from `[checks]`.
    pub(crate) fn add_at(&mut self, severity: Severity, mut finding: Diagnostic) {
        if self.contract.checks.severity(&finding.check).is_some() {
            finding.severity = severity;
            self.all.push(finding);
        }
    }
}

/// A node that has an id, a type and values; its targets are not looked up yet.
pub(crate) struct Draft<'f> {
    pub(crate) node: Node,
    pub(crate) parsed: &'f ParsedNode,
    /// Place of its source in the contract.
    pub(crate) source: usize,
}

/// Puts a snapshot together.
pub fn assemble(parts: Parts<'_>) -> Snapshot {
    assemble_after(parts, None)
}

/// Puts a snapshot together. The hash of a node that is in `earlier` as it is now is taken from there; the snapshot is the
/// same without it.
pub fn assemble_after(parts: Parts<'_>, earlier: Option<&Snapshot>) -> Snapshot {
    let contract = Arc::clone(&parts.contract);
    let mut findings = Findings { contract: &contract, all: Vec::new() };
    for finding in parts.diagnostics {
        findings.add(finding);
    }
    let mut files: Vec<&Arc<LoadedFile>> = parts.files.iter().collect();
    files.sort_by(|left, right| left.entry.path.as_bytes().cmp(right.entry.path.as_bytes()));
    for file in &files {
        for finding in &file.parsed.diagnostics {
            findings.add(finding.clone());
        }
    }
    let mut drafts = identity::drafts(&files, &mut findings);
    let ambiguous = identity::settle(&mut drafts, &mut findings);
    drafts.sort_by(|left, right| left.node.id.as_bytes().cmp(right.node.id.as_bytes()));
    let by_id: HashMap<String, NodeIx> =
        drafts.iter().enumerate().map(|(at, draft)| (draft.node.id.clone(), ix(at))).collect();
    let by_alias = identity::aliases(&mut drafts, &by_id, &mut findings);
    let linked = resolve::link(&mut drafts, &by_id, &by_alias, &mut findings);
    let earlier = earlier.filter(|earlier| Arc::ptr_eq(&earlier.contract, &contract));
    for draft in &mut drafts {
        let known = earlier.and_then(|earlier| Some(earlier.node(*earlier.by_id.get(&draft.node.id)?)));
        draft.node.hash = match known.filter(|known| hashing::is_same(known, &draft.node)) {
            Some(known) => known.hash,
            None => hashing::node_hash(&draft.node, &contract),
        };
    }
    let edges = with_pins(linked.edges, &drafts, &contract);
    let (out, inbound) = adjacency(&edges, drafts.len());
    let mut entries: Vec<FileEntry> = files.iter().map(|file| file.entry.clone()).collect();
    entries.extend(files.iter().flat_map(|file| file.beside.iter().cloned()));
    // A file that is claimed by a source as well counts once, as what it is there.
    entries.sort_by(|left, right| {
        left.path
            .as_bytes()
            .cmp(right.path.as_bytes())
            .then_with(|| left.source.is_none().cmp(&right.source.is_none()))
    });
    entries.dedup_by(|later, earlier| later.path == earlier.path);
    let mut snapshot = Snapshot {
        adapter_version: format!("{}{}", parts.adapter_prefix, contract.adapter_version()),
        contract: Arc::clone(&contract),
        nodes: Vec::new(),
        by_id,
        by_alias,
        ambiguous,
        edges,
        out,
        inbound,
        dangling: linked.dangling,
        diagnostics: Vec::new(),
        revision: String::new(),
        source_hash: hashing::source_hash(&entries),
        files: entries,
        snapshot_id: String::new(),
        text: crate::snapshot::TextIndex::default(),
    };
    let parsed: Vec<&ParsedNode> = drafts.iter().map(|draft| draft.parsed).collect();
    snapshot.nodes = drafts.into_iter().map(|draft| draft.node).collect();
    check::nodes(&snapshot, &parsed, &mut findings);
    anchors::check(&snapshot, &parsed, &linked.read, parts.exists, &mut findings);
    structure::check(&snapshot, &mut findings);
    mark_states(&mut snapshot, &findings.all);
    check::conditions_and_rules(&snapshot, &mut findings);
    let mut all = findings.all;
    all.sort_by(Diagnostic::order);
    all.dedup();
    mark_states(&mut snapshot, &all);
    snapshot.revision = hashing::revision(&snapshot);
    snapshot.snapshot_id = hashing::snapshot_id(&snapshot, &all);
    snapshot.diagnostics = all;
    snapshot
}

fn ix(at: usize) -> NodeIx {
    NodeIx(u32::try_from(at).unwrap_or(u32::MAX))
}

/// Compares every pin with its target.
fn with_pins(mut edges: Vec<Edge>, drafts: &[Draft<'_>], contract: &Contract) -> Vec<Edge> {
    for edge in &mut edges {
        let Some(relation) = contract.relations.get(edge.relation as usize) else { continue };
        if let Some(pin) = &edge.pin
            && relation.pin != crate::contract::PinUse::Off
            && edge.kind == EdgeKind::Relation
        {
            let Draft { node: target, source, .. } = &drafts[edge.to.0 as usize];
            if target.stamp.is_none() && contract.sources[*source].adapter == "doorstop@1" {
                // That tool does not find an item that is not active, so it compares nothing.
                continue;
            }
            let is_stamp = target.stamp.as_ref() == Some(pin);
            edge.suspect = Some(!is_stamp && *pin != pin_of(target, relation, contract).to_string());
        }
    }
    edges
}

/// The edges of each node: those that start there and those that lead there.
fn adjacency(edges: &[Edge], nodes: usize) -> (Vec<Vec<EdgeIx>>, Vec<Vec<EdgeIx>>) {
    let mut out = vec![Vec::new(); nodes];
    let mut inbound = vec![Vec::new(); nodes];
    for (at, edge) in edges.iter().enumerate() {
        let ix = EdgeIx(u32::try_from(at).unwrap_or(u32::MAX));
        out[edge.from.0 as usize].push(ix);
        inbound[edge.to.0 as usize].push(ix);
    }
    for list in &mut inbound {
        list.sort_by_key(|ix| {
            let edge = &edges[ix.0 as usize];
            (edge.relation, edge.kind, edge.from)
        });
    }
    (out, inbound)
}

fn mark_states(snapshot: &mut Snapshot, findings: &[Diagnostic]) {
    let mut states = vec![State::default(); snapshot.nodes.len()];
    for finding in findings {
        let Some(ix) = finding.node.as_ref().and_then(|id| snapshot.by_id.get(id)) else { continue };
        let state = &mut states[ix.0 as usize];
        match finding.severity {
            Severity::Error => state.error = true,
            Severity::Warn => state.warn = true,
            Severity::Info => {}
        }
    }
    for edge in &snapshot.edges {
        if edge.suspect == Some(true) {
            states[edge.from.0 as usize].suspect = true;
        }
    }
    for (at, state) in states.iter_mut().enumerate() {
        state.orphan = snapshot.out[at].is_empty() && snapshot.inbound[at].is_empty();
    }
    for (node, state) in snapshot.nodes.iter_mut().zip(states) {
        node.state = state;
    }
}

/// A finding about a node, where its values begin.
pub(crate) fn about(check: Check, node: &Node, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(check, node.span.place(&node.path), message).about(node.id.clone())
}

/// A finding about a stated relation, where it stands.
pub(crate) fn about_link(check: Check, node: &Node, link: &Link, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(check, link.span.place(&node.path), message).about(node.id.clone())
}

/// What stays open between the steps.
pub(crate) struct Linked {
    pub(crate) edges: Vec<Edge>,
    pub(crate) dangling: Vec<Dangling>,
    pub(crate) read: Read,
}

/// Inline links that were read as mentions, by node and first byte: the node that each leads to, or that it was reported.
pub(crate) type Read = HashMap<(NodeIx, usize), Option<NodeIx>>;

/// Ids that several nodes claim, and where.
pub(crate) type Ambiguous = BTreeMap<String, Vec<String>>;

/// An empty hash, until the real one is known.
pub(crate) fn no_hash() -> Hash {
    Hash::from_bytes([0; 32])
}

#[cfg(test)]
mod tests;
