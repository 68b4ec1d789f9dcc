//! Setting pins: on the word of a person, a node says again that the targets of its relations were reviewed as they are now.
//! The documents change through the same lock, journal and recovery as by a changeset, and only the pins do.

use std::collections::BTreeMap;

use docs::{EditFault, FileEdit, Link, LookUp, Node, NodeIx, PinState, Snapshot, edit_file};
use fault::Watch;
use propose::{ChangesetId, Problem, ProposeFault, utc};
use serde_json::json;

use crate::act::{carry_out, nothing_is_due};
use crate::faults::{ApplyFault, ApplyProblem};
use crate::plan::{FILE_BYTES_MAX, Plan, PlannedFile, may_change, rel};
use crate::workshop::Workshop;

/// What a person decided.
#[derive(Clone, Debug)]
pub struct PinRequest {
    /// The nodes whose relations are pinned.
    pub ids: Vec<String>,
    /// Whether relations that may do without a pin get one too.
    pub pins_all: bool,
    /// Who; free text.
    pub who: String,
}

/// A pin that was set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinSet {
    /// The node.
    pub from: String,
    /// The relation.
    pub relation: String,
    /// Its target.
    pub to: String,
    /// The pin before.
    pub before: Option<String>,
    /// The pin now.
    pub after: String,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pinned {
    /// The pins, in the order of the nodes that were named; none when all were current.
    pub pins: Vec<PinSet>,
    /// The files that changed.
    pub files: Vec<String>,
    /// Nodes whose own pins do not match any longer, because they hold the pins of a node that was named.
    pub newly_suspect: Vec<String>,
}

/// Sets the pins of some nodes. Either every file of them is written, or none is.
///
/// # Errors
/// [`ApplyFault`]; after any problem but [`ApplyProblem::RecoveryRequired`] the documents are as they were.
pub fn accept_pins(
    shop: &Workshop<'_>,
    request: &PinRequest,
    watch: &dyn Watch,
) -> Result<Pinned, ApplyFault> {
    let documents = shop.documents;
    let _lock = documents.lock()?;
    nothing_is_due(shop)?;
    let snapshot = shop.fresh(watch)?;
    let mut ids: Vec<String> = Vec::new();
    for id in &request.ids {
        let own = snapshot.node(found(&snapshot, id)?).id.clone();
        if !ids.contains(&own) {
            ids.push(own);
        }
    }
    let draft = draft(shop, &snapshot, &ids, request.pins_all)?;
    if draft.files.is_empty() {
        return Ok(Pinned::default());
    }
    let mut files = Vec::new();
    for (path, (before, after)) in draft.files {
        let mode = documents.folder.read(&rel(&path)?, FILE_BYTES_MAX)?.map(|file| file.mode);
        files.push(PlannedFile { path, before: Some(before), after: Some(after), mode });
    }
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    // A journal is named like a changeset; there is none of this id, and so nothing to close.
    let name = ChangesetId::new(shop.now)
        .map_err(|_| ApplyFault::new(ApplyProblem::Io, "The system gives no random bytes."))?;
    let outcome = json!({ "who": request.who, "when": utc(shop.now), "details": { "pins": ids } });
    let plan =
        Plan { changeset: name, version: 0, ids, is_whole: false, files, folders: Vec::new(), outcome };
    carry_out(documents, &plan, |_| Ok(()))?;
    Ok(Pinned { pins: draft.pins, files: paths, newly_suspect: draft.newly_suspect })
}

fn found(snapshot: &Snapshot, id: &str) -> Result<NodeIx, ApplyFault> {
    match snapshot.look_up(id) {
        LookUp::Found(ix) | LookUp::ByAlias(ix) => Ok(ix),
        LookUp::Ambiguous(paths) => {
            Err(ApplyFault::from(ProposeFault::of(Problem::NodeAmbiguous)).about(paths.to_vec()))
        }
        LookUp::Missing => {
            Err(ApplyFault::from(ProposeFault::of(Problem::NodeNotFound)).about([id.to_owned()]))
        }
    }
}

/// What is to be written, and what it comes to.
struct Draft {
    pins: Vec<PinSet>,
    /// Each file with its bytes before and after.
    files: BTreeMap<String, (Vec<u8>, Vec<u8>)>,
    newly_suspect: Vec<String>,
}

/// Pins in rounds: a pin counts in the hash of its node, so that the pins of a node which leads to another one that was
/// named are only known once those of that one are set.
fn draft(shop: &Workshop<'_>, base: &Snapshot, ids: &[String], pins_all: bool) -> Result<Draft, ApplyFault> {
    let mut files: BTreeMap<String, (Vec<u8>, Vec<u8>)> = BTreeMap::new();
    let mut now: Option<Snapshot> = None;
    for _ in 0..=ids.len() {
        let snapshot = now.as_ref().unwrap_or(base);
        let edits = edits(snapshot, ids, pins_all)?;
        if edits.is_empty() {
            is_the_same_but_for_pins(base, snapshot, ids)?;
            let (pins, newly_suspect) = told(base, snapshot, ids);
            return Ok(Draft { pins, files, newly_suspect });
        }
        for (path, edits) in edits {
            let text = match files.get(&path) {
                Some((_, after)) => after.clone(),
                None => shop.service.source_bytes(&path).ok_or_else(|| {
                    let message = "A document was changed by somebody else meanwhile; look at it again.";
                    ApplyFault::new(ApplyProblem::Conflict, message).about([path.clone()])
                })?,
            };
            let after = edited(base, &path, &text, &edits)?;
            files.entry(path).or_insert_with(|| (text, Vec::new())).1 = after;
        }
        let changed = files.iter().map(|(path, (_, after))| (path.clone(), Some(after.clone()))).collect();
        now = Some(shop.service.overlay(&changed).ok_or_else(|| {
            ApplyFault::new(ApplyProblem::Unloadable, "The project cannot be put together with the new pins.")
        })?);
    }
    let message = "The nodes pin each other in a circle, and each pin would change the other; let the relation count fewer \
                   parts with `pin_fields` in the manifest.";
    Err(ApplyFault::new(ApplyProblem::Conflict, message).about(ids.iter().cloned()))
}

/// The pins that are to be set as things stand, by file.
fn edits(
    snapshot: &Snapshot,
    ids: &[String],
    pins_all: bool,
) -> Result<BTreeMap<String, Vec<FileEdit>>, ApplyFault> {
    let mut edits: BTreeMap<String, Vec<FileEdit>> = BTreeMap::new();
    for id in ids {
        let from = found(snapshot, id)?;
        let node = snapshot.node(from);
        for pin in snapshot.pins_of(from) {
            let is_wanted = match pin.state {
                PinState::Suspect | PinState::Missing => true,
                PinState::Unpinned => pins_all,
                PinState::Current => false,
            };
            if !is_wanted {
                continue;
            }
            if !may_change(snapshot.contract(), &node.path) {
                let message = "The pins of this node lie in a source that is only read: renew them with the tool that keeps \
                               the file, or, for `markdown@1`, set `write = true` on the source.";
                return Err(read_only(message, node));
            }
            edits.entry(node.path.clone()).or_default().push(FileEdit::Pin {
                id: node.id.clone(),
                at: pin.link.span,
                pin: pin.wanted.to_string(),
            });
        }
    }
    Ok(edits)
}

fn read_only(message: &str, node: &Node) -> ApplyFault {
    let about = format!("{}  {}", node.id, node.path);
    ApplyFault::from(ProposeFault::new(Problem::AdapterReadOnly, message)).about([about])
}

fn edited(base: &Snapshot, path: &str, text: &[u8], edits: &[FileEdit]) -> Result<Vec<u8>, ApplyFault> {
    let contract = base.contract();
    let done = match contract.source_of(path) {
        Some(source) => edit_file(contract, source, path, text, edits),
        None => Err(EditFault::ReadOnly),
    };
    match done {
        Ok(Some(after)) => Ok(after),
        Ok(None) | Err(EditFault::NodeNotFound | EditFault::RelationNotFound) => {
            let message = "A relation of this node is not stated in its own file, or in a form that takes no pin; write it \
                           there as `{to: ID}` first.";
            Err(ApplyFault::new(ApplyProblem::Conflict, message).about([path.to_owned()]))
        }
        Err(EditFault::ReadOnly) => {
            Err(ApplyFault::from(ProposeFault::of(Problem::AdapterReadOnly)).about([path.to_owned()]))
        }
        Err(_) => Err(ApplyFault::from(ProposeFault::of(Problem::RoundtripFailed)).about([path.to_owned()])),
    }
}

/// Refuses when anything would read back otherwise than before, the pins of the named nodes aside.
fn is_the_same_but_for_pins(before: &Snapshot, after: &Snapshot, ids: &[String]) -> Result<(), ApplyFault> {
    let is_same_link = |left: &Link, right: &Link, may_differ: bool| {
        left.relation == right.relation
            && left.to == right.to
            && left.note == right.note
            && (may_differ || left.pin == right.pin)
    };
    let is_same = |(left, right): (&Node, &Node)| {
        let may_differ = ids.contains(&left.id);
        left.id == right.id
            && left.type_name == right.type_name
            && left.title == right.title
            && left.fields == right.fields
            && left.body == right.body
            && left.path == right.path
            && left.links.len() == right.links.len()
            && left.links.iter().zip(&right.links).all(|(left, right)| is_same_link(left, right, may_differ))
    };
    let (left, right) = (before.nodes(), after.nodes());
    if left.len() == right.len() && left.iter().zip(right).all(is_same) {
        return Ok(());
    }
    Err(ProposeFault::of(Problem::RoundtripFailed).into())
}

fn told(before: &Snapshot, after: &Snapshot, ids: &[String]) -> (Vec<PinSet>, Vec<String>) {
    let mut pins = Vec::new();
    for id in ids {
        let (LookUp::Found(was), LookUp::Found(is)) = (before.look_up(id), after.look_up(id)) else {
            continue;
        };
        let links = before.node(was).links.iter().zip(&after.node(is).links);
        pins.extend(links.filter(|(was, is)| was.pin != is.pin).map(|(was, is)| PinSet {
            from: id.clone(),
            relation: is.relation.clone(),
            to: is.to.clone(),
            before: was.pin.clone(),
            after: is.pin.clone().unwrap_or_default(),
        }));
    }
    let was_suspect = |node: &Node| match before.look_up(&node.id) {
        LookUp::Found(ix) => before.node(ix).state.suspect,
        _ => false,
    };
    let newly = after.nodes().iter().filter(|node| node.state.suspect && !was_suspect(node));
    (pins, newly.map(|node| node.id.clone()).collect())
}
