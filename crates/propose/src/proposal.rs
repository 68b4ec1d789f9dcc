//! What an agent may do with a changeset: make one, and add operations to it, each held against the writer's rights and
//! the project before it is kept (spec C12.6). Nothing here touches a document.

use std::collections::{BTreeMap, HashMap};

use docs::{Hash, LookUp, Severity, writer_policy_hash};
use serde_json::{Map, Value};

use crate::case::{Case, Desk};
use crate::check;
use crate::clock::utc;
use crate::content::{Content, Item, Relation};
use crate::draft::{self, BodyEdit, LinkDraft, NodeDraft};
use crate::entry::{BaseMark, Entry, Placement};
use crate::faults::{Problem, ProposeFault};
use crate::finding::{CheckCode, Finding, arguments_hash};
use crate::fold::{self, Effective, Kind, effective};
use crate::id::ChangesetId;
use crate::oplog::{BaseState, Header, Log, Operation};
use crate::policy::{Narrow, OpView, StartupWriter};
use crate::rights;
use crate::store::{ChangesetState, KeptBase, Stored};

/// A request for a new changeset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangesetRequest {
    /// Its title, 1 to 200 characters.
    pub title: String,
    /// Why, at most 4,000 characters.
    pub reason: Option<String>,
    /// A key of the caller, 8 to 64 characters: the same key and arguments give the same changeset.
    pub idempotency_key: Option<String>,
}

/// Which changeset an operation is for, and as which version the caller knows it.
#[derive(Clone, Debug)]
pub struct Ticket {
    /// The changeset.
    pub changeset: ChangesetId,
    /// Its version when the caller last looked.
    pub expected_version: u32,
    /// The tool that was called.
    pub tool: &'static str,
    /// Its arguments, for their hash.
    pub arguments: Value,
}

/// A change of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateRequest {
    /// The node.
    pub id: String,
    /// Its hash as the caller read it.
    pub base_hash: String,
    /// The new title.
    pub title: Option<String>,
    /// New values of fields; null takes one away.
    pub fields: Map<String, Value>,
    /// Fields that go.
    pub unset: Vec<String>,
    /// Relations that come, or get another pin or note.
    pub add: Vec<LinkDraft>,
    /// Relations that go: name and target.
    pub remove: Vec<(String, String)>,
    /// The new body.
    pub body: Option<BodyEdit>,
}

/// What became of an operation.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// The changeset.
    pub changeset: ChangesetId,
    /// Its version now.
    pub version: u32,
    /// `create`, `update`, `move` or `delete`.
    pub kind: &'static str,
    /// The node.
    pub id: String,
    /// The hash of its base; for a node that exists only here, its own.
    pub base_hash: Option<Hash>,
    /// The hash of the node as it would be; absent when it would be gone.
    pub proposed_hash: Option<Hash>,
    /// Each changed item with what it was and what it would be.
    pub changes: Vec<(Item, Option<Value>, Option<Value>)>,
    /// Nodes that lead to one that is to go.
    pub inbound: Vec<String>,
    /// What the quick checks found; nothing of it stands in the way.
    pub quick_checks: Vec<Finding>,
}

/// Makes a changeset, or finds the one that was made with the same key.
///
/// # Errors
/// [`Problem::AccessDisabled`], [`Problem::IdempotencyMismatch`], [`Problem::LimitExceeded`],
/// [`Problem::RootUnavailable`], [`Problem::Io`].
pub fn create_changeset(desk: &Desk<'_>, request: &ChangesetRequest) -> Result<Header, ProposeFault> {
    let writer = writer(desk)?;
    let chars = |text: &str, least: usize, most: usize| (least..=most).contains(&text.chars().count());
    let is_valid = chars(&request.title, 1, 200)
        && request.reason.as_ref().is_none_or(|reason| chars(reason, 0, 4_000))
        && request.idempotency_key.as_ref().is_none_or(|key| chars(key, 8, 64));
    if !is_valid {
        let message = "A title has 1 to 200 characters, a reason at most 4,000, a key 8 to 64.";
        return Err(ProposeFault::new(Problem::InvalidArguments, message));
    }
    let arguments = arguments_hash(&serde_json::json!({ "title": request.title, "reason": request.reason }));
    let store = desk.store();
    let (mut open, mut own_open) = (0, 0);
    for (id, is_archived) in store.ids()? {
        if is_archived && request.idempotency_key.is_none() {
            continue;
        }
        let Ok(stored) = store.read(&id) else { continue };
        let header = &stored.log.header;
        let is_own = header.writer == writer.def().name;
        if let (true, Some(key), Some((known, with))) =
            (is_own, &request.idempotency_key, &header.idempotency)
            && key == known
        {
            return if *with == arguments {
                Ok(header.clone())
            } else {
                let fault = ProposeFault::of(Problem::IdempotencyMismatch);
                Err(fault.with("changeset_id", id.as_str()))
            };
        }
        if stored.state == ChangesetState::Open {
            open += 1;
            own_open += usize::from(is_own);
        }
    }
    let limit = desk.contract().limits.max_open_changesets;
    if open >= limit || own_open >= writer.def().max_open {
        let fault = ProposeFault::new(Problem::LimitExceeded, "There are too many open changesets.");
        return Err(fault.with("limit", limit.min(writer.def().max_open)));
    }
    let id = ChangesetId::new(desk.now)
        .map_err(|_| ProposeFault::new(Problem::Io, "The system gave no random bytes for an id."))?;
    let header = Header {
        id,
        title: request.title.clone(),
        reason: request.reason.clone(),
        writer: writer.def().name.clone(),
        writer_policy_hash: writer_policy_hash(writer.def()),
        created: utc(desk.now),
        idempotency: request.idempotency_key.clone().map(|key| (key, arguments)),
        base: BaseState {
            revision: desk.snapshot.revision().to_owned(),
            source_hash: desk.snapshot.source_hash().to_string(),
            contract_hash: desk.contract().hash.to_string(),
            adapter_version: desk.snapshot.adapter_version().to_owned(),
            engine: docs::ENGINE.to_owned(),
        },
    };
    store.create(&header)?;
    Ok(header)
}

/// Proposes a new node.
///
/// # Errors
/// The proposal problems of spec C16.
pub fn propose_create(
    desk: &Desk<'_>,
    ticket: &Ticket,
    node: &NodeDraft,
    placement: &Placement,
) -> Result<Accepted, ProposeFault> {
    let stored = open(desk, ticket)?;
    let content = draft::content(desk.contract(), node)?;
    let entries = effective(&stored.log);
    if entries.contains_key(&content.id) {
        let fault = ProposeFault::new(Problem::IdTaken, "The changeset has an entry for this id already.");
        return Err(fault.with_doc("id", content.id.as_str()));
    }
    let targets = targets(desk, content.relations.iter().map(|one| one.to.as_str()));
    let entry = Entry::Create { content, placement: placement.clone(), targets };
    accept(desk, ticket, stored, entries, entry, None)
}

/// Proposes a change of a node.
///
/// # Errors
/// The proposal problems of spec C16.
pub fn propose_update(
    desk: &Desk<'_>,
    ticket: &Ticket,
    request: &UpdateRequest,
) -> Result<Accepted, ProposeFault> {
    let stored = open(desk, ticket)?;
    let entries = effective(&stored.log);
    let (stored, prior) = Prior::of(desk, stored, &entries, &request.id)?;
    let (base, kept) = base_of(desk, &prior, &request.id, &request.base_hash)?;
    let before = proposed_so_far(desk, &prior, &request.id)?;
    let items = items_of(desk, &before, request)?;
    if items.is_empty() {
        return Err(ProposeFault::of(Problem::NoChange));
    }
    let targets = targets(desk, request.add.iter().map(|link| link.to.as_str()));
    let entry = Entry::Update { id: request.id.clone(), base, items, targets };
    accept(desk, ticket, stored, entries, entry, kept)
}

/// Proposes another place for a node; its id stays.
///
/// # Errors
/// The proposal problems of spec C16.
pub fn propose_move(
    desk: &Desk<'_>,
    ticket: &Ticket,
    id: &str,
    base_hash: &str,
    to: &Placement,
) -> Result<Accepted, ProposeFault> {
    let stored = open(desk, ticket)?;
    let entries = effective(&stored.log);
    let (stored, prior) = Prior::of(desk, stored, &entries, id)?;
    let (base, kept) = base_of(desk, &prior, id, base_hash)?;
    let entry = Entry::Move { id: id.to_owned(), base, to: to.clone() };
    accept(desk, ticket, stored, entries, entry, kept)
}

/// Proposes that a node goes.
///
/// # Errors
/// The proposal problems of spec C16.
pub fn propose_delete(
    desk: &Desk<'_>,
    ticket: &Ticket,
    id: &str,
    base_hash: &str,
    reason: &str,
) -> Result<Accepted, ProposeFault> {
    let stored = open(desk, ticket)?;
    let entries = effective(&stored.log);
    let (stored, prior) = Prior::of(desk, stored, &entries, id)?;
    let (base, kept) = base_of(desk, &prior, id, base_hash)?;
    let entry = Entry::Delete { id: id.to_owned(), base, reason: reason.to_owned() };
    accept(desk, ticket, stored, entries, entry, kept)
}

fn writer<'d>(desk: &Desk<'d>) -> Result<&'d StartupWriter, ProposeFault> {
    desk.writer.ok_or_else(|| ProposeFault::of(Problem::AccessDisabled))
}

/// A changeset that takes an operation of this writer.
fn open(desk: &Desk<'_>, ticket: &Ticket) -> Result<Stored, ProposeFault> {
    let writer = writer(desk)?;
    let store = desk.store();
    let stored = store.read(&ticket.changeset)?;
    if stored.log.is_damaged {
        return Err(ProposeFault::of(Problem::Damaged).with("sound_version", stored.log.version()));
    }
    if stored.state != ChangesetState::Open {
        return Err(ProposeFault::of(Problem::ChangesetClosed).with("state", stored.state.as_str()));
    }
    let header = &stored.log.header;
    if header.writer != writer.def().name {
        return Err(ProposeFault::of(Problem::ForeignWriter).with("writer", header.writer.as_str()));
    }
    if header.writer_policy_hash != writer_policy_hash(writer.def()) {
        return Err(ProposeFault::of(Problem::PolicyChanged));
    }
    if stored.log.version() != ticket.expected_version {
        return Err(store.version_conflict(&ticket.changeset));
    }
    let limits = &desk.contract().limits;
    if stored.log.operations.len() >= writer.def().max_ops.min(limits.max_changeset_ops) {
        return Err(ProposeFault::new(
            Problem::LimitExceeded,
            "The changeset has all operations that it may have.",
        ));
    }
    Ok(stored)
}

/// The targets of relations as they are now.
fn targets<'t>(desk: &Desk<'_>, ids: impl Iterator<Item = &'t str>) -> BTreeMap<String, Hash> {
    ids.filter_map(|id| check::node(desk.snapshot, id).map(|node| (id.to_owned(), node.hash))).collect()
}

/// The base of an operation, and what to keep of it when it is not kept yet.
type Based = (Option<BaseMark>, Option<(Hash, KeptBase)>);

/// What the changeset already says of one node.
#[derive(Default)]
struct Prior {
    entry: Option<Effective>,
    /// The hash of the node as it would be.
    proposed: Option<Hash>,
    /// What it would say.
    intended: Option<Content>,
    bases: HashMap<Hash, Content>,
}

impl Prior {
    /// Only a node that has an entry needs the project as it would be.
    fn of(
        desk: &Desk<'_>,
        stored: Stored,
        entries: &BTreeMap<String, Effective>,
        id: &str,
    ) -> Result<(Stored, Prior), ProposeFault> {
        let Some(entry) = entries.get(id) else { return Ok((stored, Prior::default())) };
        let mut case = Case::of(desk, stored, entries.clone(), HashMap::new())?;
        let after = case.overlay.snapshot.as_ref();
        let proposed = after.and_then(|after| check::node(after, id)).map(|node| node.hash);
        let intended = case.standings.remove(id).and_then(|one| one.intended);
        let prior = Prior { entry: Some(entry.clone()), proposed, intended, bases: case.bases };
        Ok((case.stored, prior))
    }
}

/// What the caller's hash stands for.
fn base_of(desk: &Desk<'_>, prior: &Prior, id: &str, base_hash: &str) -> Result<Based, ProposeFault> {
    let entry = prior.entry.as_ref();
    if entry.is_some_and(|entry| entry.kind == Kind::Delete) {
        return Err(ProposeFault::new(Problem::NodeNotFound, "The changeset removes this node."));
    }
    let given = Hash::parse(base_hash);
    let proposed = prior.proposed;
    if entry.is_some_and(|entry| entry.kind == Kind::Create) {
        return if given.is_some() && given == proposed {
            Ok((None, None))
        } else {
            Err(conflict(proposed, Vec::new(), None))
        };
    }
    let node = match desk.snapshot.look_up(id) {
        LookUp::Found(ix) => desk.snapshot.node(ix),
        LookUp::ByAlias(ix) => {
            let fault = ProposeFault::new(Problem::NodeNotFound, "The node has another id now.");
            return Err(fault.with("id", desk.snapshot.node(ix).id.as_str()));
        }
        LookUp::Ambiguous(paths) => {
            return Err(ProposeFault::of(Problem::NodeAmbiguous).with("paths", paths.to_vec()));
        }
        LookUp::Missing => return Err(ProposeFault::of(Problem::NodeNotFound)),
    };
    let current = Content::of(node);
    if given == Some(node.hash) {
        let mark = BaseMark { hash: node.hash, path: node.path.clone(), ordinal: node.ordinal };
        let bytes = desk.service.source_bytes(&node.path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
        let span = text.get(node.span.start..node.span.end).unwrap_or_default().to_owned();
        return Ok((Some(mark), Some((node.hash, KeptBase { content: current, span }))));
    }
    if let (Some(given), Some(entry)) = (given, entry) {
        let known = entry
            .items
            .values()
            .filter_map(|change| change.base)
            .chain(entry.base.as_ref().map(|base| base.hash));
        if let Some(mark) = &entry.base
            && (Some(given) == proposed || known.into_iter().any(|hash| hash == given))
        {
            return Ok((Some(mark.clone()), None));
        }
    }
    let base = given.and_then(|given| prior.bases.get(&given));
    let moved = base.map(|base| base.changed_items(&current)).unwrap_or_default();
    Err(conflict(Some(node.hash), moved, base.map(|base| (base, &current))))
}

fn conflict(current: Option<Hash>, moved: Vec<Item>, versions: Option<(&Content, &Content)>) -> ProposeFault {
    let mut fault = ProposeFault::of(Problem::BaseConflict);
    if let Some(hash) = current {
        fault = fault.with("current_hash", hash.to_string());
    }
    fault = fault.with("moved", moved.iter().map(Item::word).collect::<Vec<String>>());
    if let Some((base, now)) = versions {
        let values = moved.iter().map(|item| {
            serde_json::json!({ "item": item.to_json(), "base": base.get(item), "current": now.get(item) })
        });
        fault = fault.with_doc("moved", values.collect::<Vec<Value>>());
    }
    fault
}

/// The node as the changeset would leave it so far.
fn proposed_so_far(desk: &Desk<'_>, prior: &Prior, id: &str) -> Result<Content, ProposeFault> {
    if let Some(intended) = &prior.intended {
        return Ok(intended.clone());
    }
    check::node(desk.snapshot, id).map(Content::of).ok_or_else(|| ProposeFault::of(Problem::NodeNotFound))
}

/// The items that differ from the node as it would be so far.
fn items_of(
    desk: &Desk<'_>,
    before: &Content,
    request: &UpdateRequest,
) -> Result<Vec<(Item, Option<Value>)>, ProposeFault> {
    let mut after = before.clone();
    if let Some(title) = &request.title {
        after.title = draft::title(title)?;
    }
    for (name, value) in &request.fields {
        let value = draft::field(desk.contract(), &before.type_name, name, value)?;
        after.set(&Item::Field(name.clone()), value.as_ref());
    }
    for name in &request.unset {
        if !after.fields.contains_key(name) {
            draft::field(desk.contract(), &before.type_name, name, &Value::Null)?;
        }
        after.set(&Item::Field(name.clone()), None);
    }
    for (relation, to) in &request.remove {
        let place = after.relations.iter().position(|one| one.name == *relation && one.to == *to);
        let Some(place) = place else {
            let fault = ProposeFault::new(
                Problem::RelationViolation,
                "The node does not state a relation that is to go.",
            );
            return Err(fault.with_doc("relation", relation.as_str()).with_doc("target", to.as_str()));
        };
        after.relations.remove(place);
    }
    for link in &request.add {
        let Relation { name, to, .. } = draft::relation(desk.contract(), link)?;
        let relation =
            Relation { name: name.clone(), to: to.clone(), pin: link.pin.clone(), note: link.note.clone() };
        match after.relations.iter().position(|one| one.name == name && one.to == to) {
            Some(place) => after.relations[place] = relation,
            None => after.relations.push(relation),
        }
    }
    if let Some(edit) = &request.body {
        after.body = draft::edited(&before.body, edit)?;
    }
    let changed = before.changed_items(&after);
    Ok(changed.into_iter().map(|item| (item.clone(), after.get(&item))).collect())
}

/// Holds an entry against rights, policy and checks, and keeps it when nothing hard stands against it.
fn accept(
    desk: &Desk<'_>,
    ticket: &Ticket,
    stored: Stored,
    before: BTreeMap<String, Effective>,
    entry: Entry,
    kept: Option<(Hash, KeptBase)>,
) -> Result<Accepted, ProposeFault> {
    let id = entry.id().to_owned();
    let version = stored.log.version() + 1;
    let mut entries = before;
    fold::add(&mut entries, version, &entry);
    let bases = kept.iter().map(|(hash, base)| (*hash, base.content.clone())).collect();
    let case = Case::of(desk, stored, entries, bases)?;
    let quick_checks = match case.entries.get(&id) {
        Some(effective) => quick(desk, &case, effective)?,
        None => Vec::new(),
    };
    let operation = Operation {
        n: version,
        prev: case.stored.log.tip(),
        time: utc(desk.now),
        tool: ticket.tool.to_owned(),
        args_hash: arguments_hash(&ticket.arguments),
        entry,
    };
    fits(desk, &case.stored.log, &operation)?;
    let store = desk.store();
    if let Some((hash, base)) = &kept {
        store.keep_base(&case.stored, *hash, base)?;
    }
    store.append(&case.stored, &operation)?;
    Ok(answer(desk, ticket, &case, &operation, quick_checks))
}

/// Whether the log may grow by this operation.
fn fits(desk: &Desk<'_>, log: &Log, operation: &Operation) -> Result<(), ProposeFault> {
    let bytes = log.bytes + u64::try_from(operation.to_bytes().len()).unwrap_or(u64::MAX);
    let most = desk.contract().limits.max_changeset_bytes;
    if bytes > most {
        let fault = ProposeFault::new(Problem::LimitExceeded, "The changeset would have too many bytes.");
        return Err(fault.with("limit", most));
    }
    Ok(())
}

/// The checks of one entry. What is hard is the answer; the rest is told with it.
fn quick(desk: &Desk<'_>, case: &Case, entry: &Effective) -> Result<Vec<Finding>, ProposeFault> {
    let writer = writer(desk)?;
    let mut findings = rights::check(desk, writer.def(), entry);
    if let Some(first) = findings.first() {
        return Err(refusal(first));
    }
    narrowed(desk, case, entry)?;
    findings.extend(check::entry(desk, case, entry));
    if let Some(after) = &case.overlay.snapshot {
        let delta = docs::Delta::between(desk.snapshot, after);
        findings.extend(check::whole(desk, case, after, &delta));
        findings.extend(check::integration(desk, case, after));
    }
    let is_of_entry = |one: &Finding| {
        one.entry.is_none() || one.entry.as_ref() == Some(&entry.id) || one.check.number() == 17
    };
    findings.retain(|one| is_of_entry(one) && !matches!(one.check.number(), 10 | 11 | 13));
    findings.sort_by_key(|one| (order(one.check), one.code.clone()));
    findings.dedup();
    if let Some(hard) = findings.iter().find(|one| one.is_hard && one.severity == Severity::Error) {
        return Err(refusal(hard));
    }
    Ok(findings)
}

/// Scope, schema, placement, then what the text does.
const fn order(check: CheckCode) -> u8 {
    match check.number() {
        3 => 0,
        14 => 1,
        7 => 2,
        8 => 3,
        9 => 4,
        12 => 5,
        16 => 6,
        17 => 7,
        18 => 8,
        other => other + 10,
    }
}

/// What the policy of an integration says.
fn narrowed(desk: &Desk<'_>, case: &Case, entry: &Effective) -> Result<(), ProposeFault> {
    let standing = case.standings.get(&entry.id);
    let before = standing.and_then(|one| one.current.as_ref());
    let after = standing.and_then(|one| one.intended.as_ref());
    let node = check::node(desk.snapshot, &entry.id);
    let items = rights::touched(entry);
    let placement = entry.placement.as_ref();
    let view = OpView {
        kind: entry.kind,
        id: &entry.id,
        type_name: after.or(before).map_or("", |content| content.type_name.as_str()),
        source: placement
            .map(|one| one.source.as_str())
            .or(node.map(|node| node.source.as_str()))
            .unwrap_or_default(),
        path: placement
            .map(|one| one.path.as_str())
            .or(node.map(|node| node.path.as_str()))
            .unwrap_or_default(),
        before,
        after,
        items: &items,
    };
    match desk.policy.check(&view) {
        Narrow::Pass => Ok(()),
        Narrow::Deny(code, words) => Err(ProposeFault::of(Problem::PolicyDenied)
            .with("reason", code.as_str())
            .with_doc("message", words)),
    }
}

/// A hard finding as the answer of the call.
fn refusal(finding: &Finding) -> ProposeFault {
    let problem = match (finding.check.number(), finding.code.as_str()) {
        (3, "writer_operation_denied") => Problem::OperationDenied,
        (3, "writer_field_denied") => Problem::FieldDenied,
        (3, _) => Problem::ScopeDenied,
        (7, "id_taken") => Problem::IdTaken,
        (7, _) => Problem::IdInvalid,
        (8, _) => Problem::SchemaViolation,
        (9, _) => Problem::RelationViolation,
        (12, "placement_conflict") => Problem::PlacementConflict,
        (12, "adapter_read_only") => Problem::AdapterReadOnly,
        (12, _) => Problem::PlacementInvalid,
        (14, "changeset_limit_exceeded") => Problem::LimitExceeded,
        (14, _) => Problem::ArgumentTooLarge,
        (17, _) => Problem::CollateralChange,
        (18, _) => Problem::ValidatorDenied,
        (5, _) => Problem::BaseConflict,
        _ => Problem::RoundtripFailed,
    };
    let mut fault = ProposeFault::new(problem, finding.message.as_str());
    *fault.details = finding.details.clone();
    *fault.doc = finding.doc.clone();
    fault = fault.with("check", finding.check.word()).with("code", finding.code.as_str());
    match &finding.path {
        Some(path) => fault.with("path", path.as_str()),
        None => fault,
    }
}

fn answer(
    desk: &Desk<'_>,
    ticket: &Ticket,
    case: &Case,
    operation: &Operation,
    quick_checks: Vec<Finding>,
) -> Accepted {
    let id = operation.entry.id();
    let standing = case.standings.get(id);
    let proposed_hash =
        case.overlay.snapshot.as_ref().and_then(|after| check::node(after, id)).map(|node| node.hash);
    let changes = match standing.map(|one| (&one.current, &one.intended)) {
        Some((Some(before), Some(after))) => {
            let changed = before.changed_items(after);
            changed.into_iter().map(|item| (item.clone(), before.get(&item), after.get(&item))).collect()
        }
        _ => Vec::new(),
    };
    let inbound = match (&operation.entry, desk.snapshot.look_up(id)) {
        (Entry::Delete { .. }, LookUp::Found(ix)) => {
            let mut ids: Vec<String> =
                desk.snapshot.inbound(ix).map(|edge| desk.snapshot.node(edge.from).id.clone()).collect();
            ids.dedup();
            ids
        }
        _ => Vec::new(),
    };
    let base_hash = operation.entry.base().map(|base| base.hash).or(proposed_hash);
    Accepted {
        changeset: ticket.changeset.clone(),
        version: operation.n,
        kind: operation.entry.kind(),
        id: id.to_owned(),
        base_hash,
        proposed_hash,
        changes,
        inbound,
        quick_checks,
    }
}
