//! The single checks of a changeset (spec C10.7): what one entry shows, and what the project as it would be shows. Rights
//! and places have files of their own.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use docs::{
    Budget, Check, Diagnostic, EdgeKind, Hidden, LookUp, Node, Severity, Snapshot, hidden, is_id,
    writer_policy_hash,
};

use crate::case::{Case, Desk, RenderProblem, writer_of};
use crate::content::{Content, Item, Relation};
use crate::faults::ProposeFault;
use crate::finding::Finding;
use crate::fold::{Effective, Kind};
use crate::place;
use crate::policy::ChangesetView;
use crate::standing::EntryState;

/// Ids that one finding lists.
const LISTED_MAX: usize = 20;

/// A served node by its id.
pub(crate) fn node<'s>(snapshot: &'s Snapshot, id: &str) -> Option<&'s Node> {
    match snapshot.look_up(id) {
        LookUp::Found(ix) => Some(snapshot.node(ix)),
        _ => None,
    }
}

/// V01, V02 and V04: the log, the writer, the contract.
pub(crate) fn header(desk: &Desk<'_>, case: &Case) -> Vec<Finding> {
    let mut found = Vec::new();
    let log = &case.stored.log;
    if log.is_damaged {
        let message = "the log of the changeset has a gap or does not hold together";
        found.push(Finding::error(1, "changeset_damaged", message).with("sound_version", log.version()));
    }
    match writer_of(desk, &case.stored) {
        None => {
            let message = "the contract does not declare the writer of the changeset any more";
            found.push(Finding::error(2, "writer_policy_changed", message));
        }
        Some(writer) if writer_policy_hash(writer) != log.header.writer_policy_hash => {
            let message = "the permissions of the writer are not those that the changeset was made under";
            found.push(Finding::error(2, "writer_policy_changed", message));
        }
        Some(_) => {}
    }
    if log.header.base.contract_hash != desk.contract().hash.to_string() {
        let message = "the contract is not the one that the changeset was made under";
        found.push(Finding::warn(4, "contract_changed", message));
    }
    found
}

/// V05, V07, V12, V14 (sizes of the node), V15, V16: what one entry shows.
pub(crate) fn entry(desk: &Desk<'_>, case: &Case, entry: &Effective) -> Vec<Finding> {
    let mut found = Vec::new();
    let id = entry.id.as_str();
    found.extend(state(case, entry));
    if let Some(content) = &entry.content {
        found.extend(new_id(desk, content));
    }
    let mut is_placed = true;
    if let Some(placement) = &entry.placement {
        let finding = place::check(desk, id, placement);
        is_placed = finding.is_none();
        found.extend(finding);
    }
    if let Some(fault) = case.overlay.faults.get(id).filter(|_| is_placed) {
        let path = entry.placement.as_ref().map(|placement| placement.path.as_str());
        let path = path.or_else(|| entry.base.as_ref().map(|base| base.path.as_str())).unwrap_or_default();
        found.push(place::fault(id, path, fault));
        is_placed = false;
    }
    if let Some(intended) = case.standings.get(id).and_then(|one| one.intended.as_ref()) {
        found.extend(node_sizes(desk, intended));
        found.extend(texts(entry, intended));
        let is_taken = case.standings.get(id).is_some_and(|one| one.state == EntryState::ConflictCreated);
        if is_placed && !is_taken {
            found.extend(round_trip(desk, case, intended));
        }
    }
    found
}

/// V05: how the entry stands.
fn state(case: &Case, entry: &Effective) -> Option<Finding> {
    let standing = case.standings.get(&entry.id)?;
    let message = match standing.state {
        EntryState::Clean | EntryState::TargetMissing | EntryState::ConflictContract => return None,
        EntryState::Mergeable => {
            return Some(
                Finding::warn(5, "mergeable", "the node has changed elsewhere since").about(&entry.id),
            );
        }
        EntryState::ConflictContent => "the node has changed in the same place since",
        EntryState::ConflictDeleted => "the node is gone",
        EntryState::ConflictCreated => "the id is taken now",
        EntryState::ConflictPath => "the node stands elsewhere now",
    };
    let words: Vec<String> = standing.conflicts.iter().map(|one| one.item.word()).collect();
    let finding = Finding::error(5, standing.state.as_str(), message).about(&entry.id).with("items", words);
    Some(if standing.is_identical { finding.with("identical", true) } else { finding })
}

/// V07: the id of a new node.
fn new_id(desk: &Desk<'_>, content: &Content) -> Vec<Finding> {
    let id = content.id.as_str();
    let contract = desk.contract();
    let invalid = |message: &str| Finding::error(7, "id_invalid", message).about(id).hard();
    let mut found = Vec::new();
    if !is_id(id, contract.ids.charset) {
        // It is no address, so it is not repeated as one.
        let finding =
            Finding::error(7, "id_invalid", "the id has characters or a form that is not allowed").hard();
        return vec![finding.with_doc("id", id)];
    }
    let patterns = [
        contract.ids.pattern.as_ref(),
        contract.type_def(&content.type_name).and_then(|one| one.id_pattern.as_ref()),
    ];
    for pattern in patterns.into_iter().flatten() {
        if !pattern.matches(id) {
            found.push(
                invalid("the id does not match the pattern of the contract")
                    .with_doc("pattern", pattern.source.as_str()),
            );
        }
    }
    let taken = |message: &str| Finding::error(7, "id_taken", message).about(id).hard();
    match desk.snapshot.look_up(id) {
        LookUp::Missing => {}
        LookUp::Found(_) | LookUp::Ambiguous(_) => found.push(taken("a node has this id")),
        LookUp::ByAlias(_) => found.push(taken("a node had this id before")),
    }
    if contract.ids.case_unique {
        let folded = id.to_lowercase();
        let twin =
            desk.snapshot.nodes().iter().find(|node| node.id != id && node.id.to_lowercase() == folded);
        if let Some(twin) = twin {
            found.push(taken("a node has an id that differs only by case").with("other", twin.id.as_str()));
        }
    }
    found
}

/// V14: what one node may hold.
fn node_sizes(desk: &Desk<'_>, content: &Content) -> Vec<Finding> {
    let limits = &desk.contract().limits;
    let values = content.fields.values().map(|value| value.to_string().len()).max().unwrap_or(0);
    let sizes = [
        ("title", content.title.chars().count(), limits.max_title_chars),
        ("body", content.body.len(), limits.max_body_bytes),
        ("fields", content.fields.len(), limits.max_fields_per_node),
        ("field", values, limits.max_field_bytes),
        ("relations", content.relations.len(), limits.max_relations_per_node),
    ];
    let over = sizes.into_iter().filter(|(_, size, most)| size > most);
    over.map(|(what, _, most)| {
        let message = format!("the node holds more than the project allows: {what}");
        Finding::error(14, "argument_too_large", message).about(&content.id).with("limit", most).hard()
    })
    .collect()
}

/// V14: what the changeset may hold.
pub(crate) fn sizes(desk: &Desk<'_>, case: &Case) -> Result<Vec<Finding>, ProposeFault> {
    let limits = &desk.contract().limits;
    let log = &case.stored.log;
    let operations = writer_of(desk, &case.stored)
        .map_or(limits.max_changeset_ops, |writer| writer.max_ops.min(limits.max_changeset_ops));
    let mut found = Vec::new();
    if log.operations.len() > operations {
        let message = "the changeset has more operations than allowed";
        found.push(Finding::error(14, "changeset_limit_exceeded", message).with("limit", operations));
    }
    if log.bytes + desk.store().base_bytes(&case.stored)? > limits.max_changeset_bytes {
        let message = "the changeset has more bytes than allowed";
        found.push(
            Finding::error(14, "changeset_limit_exceeded", message).with("limit", limits.max_changeset_bytes),
        );
    }
    Ok(found)
}

/// V15: characters that do not show, raw HTML, links that run or carry something.
fn texts(entry: &Effective, content: &Content) -> Vec<Finding> {
    let mut written = vec![content.title.as_str()];
    let is_new = |item: &Item| entry.content.is_some() || entry.items.contains_key(item);
    let mut found = Vec::new();
    written.extend(content.fields.values().filter_map(|value| value.as_str()));
    written.extend(content.relations.iter().filter_map(|one| one.note.as_deref()));
    written.push(&content.body);
    let classes: BTreeSet<&str> = written.iter().flat_map(|text| hidden(text)).map(Hidden::as_str).collect();
    if !classes.is_empty() {
        let words: Vec<&str> = classes.into_iter().collect();
        let finding = Finding::warn(15, "hidden_characters", "the node holds characters that do not show");
        found.push(finding.about(&content.id).with("classes", words));
    }
    if is_new(&Item::Body) {
        if has_raw_html(&content.body) {
            found.push(
                Finding::warn(15, "raw_html", "the body holds raw HTML, which is shown as text")
                    .about(&content.id),
            );
        }
        let folded = content.body.to_lowercase();
        if ["javascript:", "vbscript:", "(data:", "<data:", ": data:"]
            .iter()
            .any(|scheme| folded.contains(scheme))
        {
            let finding =
                Finding::warn(15, "unsafe_link", "the body holds a link that runs or carries something");
            found.push(finding.about(&content.id));
        }
    }
    found
}

/// Whether something looks like a tag; an address in angle brackets is none.
fn has_raw_html(body: &str) -> bool {
    body.match_indices('<').any(|(at, _)| {
        let rest = &body[at + 1..];
        let name: String =
            rest.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        let after = rest.trim_start_matches('/')[name.len()..].chars().next();
        rest.starts_with("!--") || (!name.is_empty() && matches!(after, Some('>' | ' ' | '/' | '\n')))
    })
}

/// V16: what was written reads back as it was meant.
fn round_trip(desk: &Desk<'_>, case: &Case, intended: &Content) -> Option<Finding> {
    let after = case.overlay.snapshot.as_ref()?;
    let failed = |what: &str| {
        let message = format!("the text would not read back as it was proposed: {what}");
        Some(Finding::error(16, "adapter_roundtrip_failed", message).about(&intended.id).hard())
    };
    let Some(read) = node(after, &intended.id).map(Content::of) else {
        return failed("the node is not found in it");
    };
    let contract = desk.contract();
    if read.type_name != intended.type_name {
        return failed("type");
    }
    if read.title != intended.title {
        return failed("title");
    }
    if read.body != intended.body {
        return failed("body");
    }
    // A value that does not fit its type is not read; that is said by V08.
    let has_finding = |id: &str| {
        after.diagnostics().iter().any(|one| one.node.as_deref() == Some(id) && is_schema(&one.check))
    };
    if read.fields != intended.fields && !has_finding(&intended.id) {
        return failed("fields");
    }
    let sorted = |relations: &[Relation]| {
        let mut sorted: Vec<Relation> = relations.to_vec();
        sorted.sort_by(|left, right| {
            let is_ordered =
                left.name == right.name && contract.relation(&left.name).is_some_and(|one| one.ordered);
            if is_ordered { std::cmp::Ordering::Equal } else { left.cmp(right) }
        });
        sorted.dedup();
        sorted
    };
    if sorted(&read.relations) != sorted(&intended.relations) {
        return failed("relations");
    }
    None
}

const fn is_schema(check: &Check) -> bool {
    matches!(
        check,
        Check::FieldRequired
            | Check::FieldTypeWrong
            | Check::EnumValue
            | Check::FieldRange
            | Check::FieldPattern
            | Check::UnknownField
            | Check::BodyRequired
            | Check::BodyForbidden
            | Check::LimitExceeded
            | Check::TypeMissing
            | Check::TypeUnknown
    )
}

/// Findings about relations, and whether an operation with one is refused at once.
const fn relation(check: &Check) -> Option<bool> {
    match check {
        Check::RelationUnknown | Check::RelationTypeFrom | Check::RelationTypeTo | Check::SelfRelation => {
            Some(true)
        }
        Check::TargetCondition
        | Check::DanglingRelation
        | Check::AmbiguousTarget
        | Check::CardinalityMin
        | Check::CardinalityMax
        | Check::InverseCardinality
        | Check::DuplicateRelation
        | Check::PinMissing => Some(false),
        _ => None,
    }
}

/// V08 to V11, V13 and V17: what the project as it would be shows.
pub(crate) fn whole(desk: &Desk<'_>, case: &Case, after: &Snapshot, delta: &docs::Delta) -> Vec<Finding> {
    let mut found = Vec::new();
    let removed = |id: &str| case.entries.get(id).is_some_and(|entry| entry.kind == Kind::Delete);
    let new: BTreeSet<_> = delta
        .new
        .iter()
        .map(|one| (one.check.code(), &one.node, &one.message, &one.doc, &one.related))
        .collect();
    for one in after.diagnostics() {
        let about = one.node.as_deref().filter(|id| case.entries.contains_key(*id));
        let is_new = new.contains(&(one.check.code(), &one.node, &one.message, &one.doc, &one.related));
        let finding = match (&one.check, about) {
            (check, Some(_)) if is_schema(check) => carried(8, one, is_new).hard(),
            (check, Some(_)) if relation(check).is_some() => {
                let finding = carried(9, one, is_new);
                if relation(check) == Some(true) { finding.hard() } else { finding }
            }
            (check, None) if relation(check).is_some() && is_new => carried(9, one, true),
            (Check::Cycle | Check::MissingPair, _) if is_new => carried(10, one, true),
            (Check::Rule(_), _) if is_new => carried(11, one, true),
            _ => continue,
        };
        // What was wrong before does not keep a node from being changed.
        let is_hard = finding.is_hard && is_new && finding.severity == Severity::Error;
        found.push(Finding { is_hard, ..finding });
    }
    for entry in case.entries.values() {
        found.extend(missing_targets(case, after, entry));
        found.extend(bad_pins(entry));
        if entry.kind == Kind::Delete {
            found.extend(left_behind(desk.snapshot, after, &entry.id, &removed));
        }
    }
    found.extend(collateral(desk, case, after));
    found
}

fn carried(check: u8, one: &Diagnostic, is_new: bool) -> Finding {
    let finding = match one.severity {
        Severity::Error => Finding::error(check, one.check.code(), one.message.as_str()),
        _ => Finding::warn(check, one.check.code(), one.message.as_str()),
    };
    let finding = Finding { entry: one.node.clone(), path: one.place.path.clone(), ..finding };
    let finding = finding.with("related", one.related.clone()).with("new", is_new);
    match &one.doc {
        Some(text) => finding.with_doc("text", text.as_str()),
        None => finding,
    }
}

/// V09: a target of a new relation that does not exist.
fn missing_targets(case: &Case, after: &Snapshot, entry: &Effective) -> Vec<Finding> {
    let Some(intended) = case.standings.get(&entry.id).and_then(|one| one.intended.as_ref()) else {
        return Vec::new();
    };
    let is_new = |one: &&Relation| {
        let item = Item::Relation { name: one.name.clone(), to: one.to.clone() };
        entry.content.is_some() || entry.items.contains_key(&item)
    };
    let missing = intended.relations.iter().filter(is_new).filter(|one| node(after, &one.to).is_none());
    missing
        .map(|one| {
            let message = "the target of a new relation does not exist";
            let finding = Finding::warn(9, "target_missing", message).about(&entry.id);
            finding.with("relation", one.name.as_str()).with_doc("target", one.to.as_str())
        })
        .collect()
}

/// V09: a pin has one form.
fn bad_pins(entry: &Effective) -> Vec<Finding> {
    let created =
        entry.content.iter().flat_map(|content| &content.relations).filter_map(|one| one.pin.clone());
    let set = entry
        .items
        .values()
        .filter_map(|change| change.value.as_ref()?.get("pin")?.as_str().map(str::to_owned));
    let bad = created.chain(set).filter(|pin| docs::Hash::parse(pin).is_none());
    bad.map(|_| {
        Finding::error(9, "pin_invalid", "a pin is `sha256:` and 64 hexadecimal digits")
            .about(&entry.id)
            .hard()
    })
    .collect()
}

/// V13: who still leads to a node that goes.
fn left_behind(
    before: &Snapshot,
    after: &Snapshot,
    id: &str,
    removed: &dyn Fn(&str) -> bool,
) -> Option<Finding> {
    let LookUp::Found(ix) = before.look_up(id) else { return None };
    let still = |from: &str| {
        node(after, from).is_some_and(|node| node.links.iter().any(|link| link.to == id && !link.is_resolved))
    };
    let mut sources: Vec<String> = before
        .inbound(ix)
        .filter(|edge| edge.kind == EdgeKind::Relation)
        .map(|edge| before.node(edge.from).id.clone())
        .filter(|from| from != id && !removed(from) && still(from))
        .collect();
    sources.dedup();
    if sources.is_empty() {
        return None;
    }
    let total = sources.len();
    sources.truncate(LISTED_MAX);
    let message = "relations still lead to the node that is to go";
    Some(
        Finding::error(13, "inbound_left", message)
            .about(id)
            .with("inbound", sources)
            .with("inbound_total", total),
    )
}

/// V17: the other nodes of every touched file stay as they are.
fn collateral(desk: &Desk<'_>, case: &Case, after: &Snapshot) -> Vec<Finding> {
    let mut found = Vec::new();
    for other in desk.snapshot.nodes() {
        if !case.overlay.files.contains_key(&other.path) || case.entries.contains_key(&other.id) {
            continue;
        }
        let is_same = node(after, &other.id).is_some_and(|then| then.hash == other.hash);
        // A target that goes changes nothing that a neighbour says.
        if !is_same {
            let message = "another node of a touched file would change";
            found.push(
                Finding::error(17, "collateral_change", message).about(&other.id).at(&other.path).hard(),
            );
        }
    }
    let known: BTreeSet<&str> = desk.snapshot.nodes().iter().map(|node| node.id.as_str()).collect();
    for then in after.nodes() {
        let is_expected = known.contains(then.id.as_str()) || case.entries.contains_key(&then.id);
        if !is_expected && case.overlay.files.contains_key(&then.path) {
            let message = "a node would appear that was not proposed";
            found
                .push(Finding::error(17, "collateral_change", message).about(&then.id).at(&then.path).hard());
        }
    }
    found
}

/// V18: what the validators of an integration say; one that panics is an error of its own.
pub(crate) fn integration(desk: &Desk<'_>, case: &Case, after: &Snapshot) -> Vec<Finding> {
    let entries: Vec<&Effective> = case.entries.values().collect();
    let view =
        ChangesetView { header: &case.stored.log.header, entries: &entries, before: desk.snapshot, after };
    let mut found = Vec::new();
    for validator in desk.validators {
        match catch_unwind(AssertUnwindSafe(|| (validator.id().to_owned(), validator.review(&view)))) {
            Ok((id, findings)) => {
                // Whatever number it gives itself, it is the integration that speaks.
                found.extend(findings.into_iter().map(|finding| {
                    let is_hard = finding.severity == Severity::Error;
                    let finding = Finding { check: Finding::error(18, "", "").check, is_hard, ..finding };
                    finding.with("validator", id.as_str())
                }));
            }
            Err(_) => {
                found.push(Finding::error(18, "validator_failed", "a validator of the integration failed"))
            }
        }
    }
    found
}

/// V19: views that show a touched node still render.
pub(crate) fn views(desk: &Desk<'_>, case: &Case, after: &Snapshot) -> Vec<Finding> {
    let Some(render) = desk.render else { return Vec::new() };
    let shows =
        |snapshot: &Snapshot, view: &docs::ViewDef, id: &str| match (snapshot.look_up(id), &view.selects) {
            (LookUp::Found(ix), Some(filter)) => {
                filter.matches(snapshot, ix, &mut Budget::new()).unwrap_or(true)
            }
            (LookUp::Found(_), None) => true,
            _ => false,
        };
    let mut found = Vec::new();
    for view in &desk.contract().views {
        let is_touched =
            case.entries.keys().any(|id| shows(desk.snapshot, view, id) || shows(after, view, id));
        if !is_touched {
            continue;
        }
        if let Err(problem) = render(after, view) {
            let code = match problem {
                RenderProblem::TooLarge => "render_limit_exceeded",
                RenderProblem::Failed => "render_failed",
            };
            found.push(Finding::error(19, code, problem.to_string()).with("view", view.name.as_str()));
        }
    }
    found
}

/// V20: pins that will not match any more.
pub(crate) fn pins(desk: &Desk<'_>, after: &Snapshot) -> Vec<Finding> {
    let suspects = |snapshot: &Snapshot| -> BTreeSet<(String, u32, String)> {
        let edges = snapshot.edges().iter().filter(|edge| edge.suspect == Some(true));
        edges
            .map(|edge| {
                (snapshot.node(edge.from).id.clone(), edge.relation, snapshot.node(edge.to).id.clone())
            })
            .collect()
    };
    let before = suspects(desk.snapshot);
    let new = suspects(after).into_iter().filter(|one| !before.contains(one));
    new.map(|(from, relation, to)| {
        let name = desk.contract().relations.get(relation as usize).map_or("", |one| one.name.as_str());
        let finding = Finding::warn(20, "pin_becomes_suspect", "a pin will not match its target any more");
        finding.about(&from).with("relation", name).with("to", to)
    })
    .collect()
}
