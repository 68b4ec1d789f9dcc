//! Checks of single nodes and of what they state: ends of relations, pins, hidden characters, titles, conditions and rules
//! (spec C7). It changes nothing.

use std::collections::HashMap;

use super::{Findings, about, about_link};
use crate::contract::{MANIFEST_NAME, PinUse};
use crate::diagnose::{Check, Diagnostic, Place};
use crate::filter::Budget;
use crate::hidden::hidden;
use crate::model::{EdgeKind, Link, Node};
use crate::parsed::ParsedNode;
use crate::path::stem;
use crate::snapshot::Snapshot;
use crate::value::Value;

/// Everything that one node and its relations show.
pub(super) fn nodes(snapshot: &Snapshot, parsed: &[&ParsedNode], findings: &mut Findings<'_>) {
    let contract = findings.contract;
    let mut titles: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for (at, node) in snapshot.nodes.iter().enumerate() {
        for link in &node.links {
            if link.is_resolved {
                ends(snapshot, node, link, findings);
            }
        }
        hidden_characters(node, findings);
        let kind = contract.type_def(&node.type_name);
        let pattern = kind.and_then(|kind| kind.id_pattern.as_ref()).or(contract.ids.pattern.as_ref());
        let stem = stem(&node.path);
        if let Some(pattern) = pattern
            && parsed[at].span.start == 0
            && stem != node.id
            && pattern.matches(stem)
        {
            let message = "the file is named like an id, but like another one than that of its node";
            findings.add(about(Check::IdPathMismatch, node, message).with_doc(stem.to_owned()));
        }
        if !node.title.is_empty() {
            titles.entry((node.type_name.as_str(), node.title.as_str())).or_default().push(at);
        }
        if snapshot.out[at].is_empty() && snapshot.inbound[at].is_empty() {
            let fix = "relate it to another node, or set `orphan = \"off\"` in [checks]";
            findings.add(about(Check::Orphan, node, "no relation starts or ends here").fix(fix));
        }
    }
    for twins in titles.into_values().filter(|twins| twins.len() > 1) {
        for at in &twins {
            let node = &snapshot.nodes[*at];
            let mut finding =
                about(Check::DuplicateTitle, node, "another node of this type has the same title");
            let others = twins.iter().filter(|other| *other != at).take(10);
            finding.related = others.map(|other| snapshot.nodes[*other].id.clone()).collect();
            findings.add(finding.fix("give one of them another title"));
        }
    }
}

/// Types at both ends, loops, pins and pairs of one stated relation.
fn ends(snapshot: &Snapshot, node: &Node, link: &Link, findings: &mut Findings<'_>) {
    let contract = findings.contract;
    let Some(relation) = contract.relation(&link.relation) else { return };
    let Some(target) = snapshot.by_id.get(&link.to).map(|ix| snapshot.node(*ix)) else { return };
    let admits = |types: &[String], name: &str| types.is_empty() || types.iter().any(|one| one == name);
    if !admits(&relation.from, &node.type_name) {
        let message = format!("`{}` may not start at a `{}`", relation.name, node.type_name);
        let fix = format!("it starts at {}", relation.from.join(", "));
        findings.add(about_link(Check::RelationTypeFrom, node, link, message).fix(fix));
    }
    if !admits(&relation.to, &target.type_name) {
        let message = format!("`{}` may not lead to a `{}`", relation.name, target.type_name);
        let mut finding = about_link(Check::RelationTypeTo, node, link, message);
        finding.related = vec![target.id.clone()];
        findings.add(finding.fix(format!("it leads to {}", relation.to.join(", "))));
    }
    if target.id == node.id && !relation.self_loop {
        let message = format!("`{}` leads to its own node", relation.name);
        let fix = format!("take it out, or set `self = true` in [relations.{}]", relation.name);
        findings.add(about_link(Check::SelfRelation, node, link, message).fix(fix));
    }
    match (&relation.pin, &link.pin) {
        (PinUse::Required, None) => {
            let message = format!("`{}` needs a pin", relation.name);
            let mut finding = about_link(Check::PinMissing, node, link, message);
            finding.related = vec![target.id.clone()];
            findings.add(
                finding.fix("review the target and run `readroom docs pins accept` with the id of this node"),
            );
        }
        (PinUse::Optional | PinUse::Required, Some(_)) => {
            let is_suspect = snapshot.by_id.get(&node.id).is_some_and(|from| {
                snapshot.out(*from).any(|edge| {
                    edge.suspect == Some(true)
                        && edge.kind == EdgeKind::Relation
                        && snapshot.node(edge.to).id == link.to
                        && contract.relations[edge.relation as usize].name == link.relation
                })
            });
            if is_suspect {
                let message = format!("the target of `{}` has changed since it was pinned", relation.name);
                let mut finding = about_link(Check::SuspectPin, node, link, message);
                finding.related = vec![target.id.clone()];
                let is_ours =
                    contract.source(&node.source).is_some_and(|source| source.adapter == "markdown@1");
                findings.add(finding.fix(if is_ours {
                    "review the target and run `readroom docs pins accept` with the id of this node"
                } else {
                    "review the target and renew the pin with the tool that keeps this file"
                }));
            }
        }
        _ => {}
    }
    if let Some(pair) = &relation.paired_with {
        let answers = |other: &Link| other.relation == *pair && other.to == node.id;
        if !target.links.iter().any(answers) {
            let message = format!("the other end does not state `{pair}`");
            let mut finding = about_link(Check::MissingPair, node, link, message);
            finding.related = vec![target.id.clone()];
            findings.add(finding.fix(format!("add `{pair}: [{}]` there", node.id)));
        }
    }
}

fn hidden_characters(node: &Node, findings: &mut Findings<'_>) {
    let mut classes = hidden(&node.title);
    classes.extend(hidden(&node.body));
    for field in &node.fields {
        match &field.value {
            Value::Text(text) => classes.extend(hidden(text)),
            Value::List(items) => {
                for item in items {
                    if let Value::Text(text) = item {
                        classes.extend(hidden(text));
                    }
                }
            }
            Value::Json(json) => classes.extend(hidden(&json.to_string())),
            _ => {}
        }
    }
    classes.sort_unstable();
    classes.dedup();
    if !classes.is_empty() {
        let words: Vec<&str> = classes.into_iter().map(crate::hidden::Hidden::as_str).collect();
        let message = format!("the node holds characters that do not show ({})", words.join(", "));
        findings.add(about(Check::HiddenCharacters, node, message).fix("remove them, or turn the check off"));
    }
}

/// Conditions on targets, and the rules of the manifest.
pub(super) fn conditions_and_rules(snapshot: &Snapshot, findings: &mut Findings<'_>) {
    let contract = findings.contract;
    for (at, relation) in contract.relations.iter().enumerate() {
        let Some(condition) = &relation.target_where else { continue };
        let mut budget = Budget::new();
        for edge in snapshot
            .edges
            .iter()
            .filter(|edge| edge.relation as usize == at && edge.kind == EdgeKind::Relation)
        {
            let (from, to) = (snapshot.node(edge.from), snapshot.node(edge.to));
            match condition.matches(snapshot, edge.to, &mut budget) {
                Ok(true) => {}
                Ok(false) => {
                    let link =
                        from.links.iter().find(|link| link.relation == relation.name && link.to == to.id);
                    let message = format!("the target of `{}` does not meet its condition", relation.name);
                    let mut finding = match link {
                        Some(link) => about_link(Check::TargetCondition, from, link, message),
                        None => about(Check::TargetCondition, from, message),
                    };
                    finding.related = vec![to.id.clone()];
                    findings.add(finding.with_doc(condition.source().to_owned()));
                }
                Err(_) => {
                    let message = format!("the condition of `{}` costs too much to check", relation.name);
                    findings.add(Diagnostic::new(Check::LimitExceeded, Place::file(MANIFEST_NAME), message));
                    break;
                }
            }
        }
    }
    for rule in &contract.rules {
        let mut budget = Budget::new();
        for ix in snapshot.indices() {
            let broken = rule
                .applies
                .matches(snapshot, ix, &mut budget)
                .and_then(|applies| Ok(applies && !rule.require.matches(snapshot, ix, &mut budget)?));
            let node = snapshot.node(ix);
            match broken {
                Ok(false) => {}
                Ok(true) => {
                    let message = format!("the rule `{}` does not hold", rule.id);
                    let words = rule
                        .message
                        .replace("{id}", &node.id)
                        .replace("{type}", &node.type_name)
                        .replace("{title}", &node.title);
                    let finding = about(Check::Rule(rule.id.clone()), node, message).with_doc(words);
                    findings.add_at(rule.severity, finding);
                }
                Err(_) => {
                    let message = format!("the rule `{}` costs too much to check", rule.id);
                    findings.add(Diagnostic::new(Check::LimitExceeded, Place::file(MANIFEST_NAME), message));
                    break;
                }
            }
        }
    }
}
