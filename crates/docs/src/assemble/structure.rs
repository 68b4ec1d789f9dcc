//! Checks of the graph as a whole: how many relations start and end where, and cycles (spec C7). It changes nothing.

use super::{Findings, about, cycle};
use crate::contract::RelationDef;
use crate::diagnose::Check;
use crate::model::{EdgeKind, NodeIx};
use crate::snapshot::Snapshot;

/// Cardinalities of both ends, then cycles.
pub(super) fn check(snapshot: &Snapshot, findings: &mut Findings<'_>) {
    let contract = findings.contract;
    for (at, relation) in contract.relations.iter().enumerate() {
        let at = u32::try_from(at).unwrap_or_default();
        let bounded = relation.min.is_some() || relation.max.is_some();
        if bounded || relation.inverse_min.is_some() || relation.inverse_max.is_some() {
            cardinality(snapshot, at, relation, findings);
        }
    }
    let mut done: Vec<Vec<u32>> = Vec::new();
    for (at, relation) in contract.relations.iter().enumerate().filter(|(_, relation)| relation.acyclic) {
        let mut together: Vec<u32> = contract
            .relations
            .iter()
            .enumerate()
            .filter(|(other, one)| *other == at || relation.acyclic_with.contains(&one.name))
            .filter_map(|(other, _)| u32::try_from(other).ok())
            .collect();
        together.sort_unstable();
        if done.contains(&together) {
            continue;
        }
        cycles(snapshot, &together, relation, findings);
        done.push(together);
    }
}

fn cardinality(snapshot: &Snapshot, at: u32, relation: &RelationDef, findings: &mut Findings<'_>) {
    let admits = |types: &[String], name: &str| types.is_empty() || types.iter().any(|one| one == name);
    let is_stated = |edge: &&crate::model::Edge| edge.relation == at && edge.kind == EdgeKind::Relation;
    let mut missing = vec![0_usize; snapshot.nodes.len()];
    for dangling in &snapshot.dangling {
        if dangling.relation == at && dangling.kind == EdgeKind::Relation {
            missing[dangling.from.0 as usize] += 1;
        }
    }
    for ix in snapshot.indices() {
        let node = snapshot.node(ix);
        if admits(&relation.from, &node.type_name) {
            let count = snapshot.out(ix).filter(is_stated).count() + missing[ix.0 as usize];
            if let Some(min) = relation.min.filter(|min| count < *min) {
                let message = format!(
                    "`{}` must be stated at least {min} times here, and is {count} times",
                    relation.name
                );
                let finding = about(Check::CardinalityMin, node, message);
                findings.add(finding.fix(format!("add `{}: [ID]`", relation.name)));
            }
            if let Some(max) = relation.max.filter(|max| count > *max) {
                let message = format!(
                    "`{}` may be stated at most {max} times here, and is {count} times",
                    relation.name
                );
                findings.add(about(Check::CardinalityMax, node, message));
            }
        }
        if admits(&relation.to, &node.type_name) {
            let count = snapshot.inbound(ix).filter(is_stated).count();
            let (min, max) = (relation.inverse_min.unwrap_or(0), relation.inverse_max.unwrap_or(usize::MAX));
            if !(min..=max).contains(&count) {
                let bound = if count < min { format!("at least {min}") } else { format!("at most {max}") };
                let message = format!("{bound} `{}` must lead here, and {count} do", relation.name);
                findings.add(about(Check::InverseCardinality, node, message));
            }
        }
    }
}

fn cycles(snapshot: &Snapshot, relations: &[u32], relation: &RelationDef, findings: &mut Findings<'_>) {
    let next = |ix: NodeIx| {
        let edges = snapshot
            .out(ix)
            .filter(|edge| edge.kind == EdgeKind::Relation && relations.contains(&edge.relation));
        edges.map(|edge| edge.to).collect::<Vec<_>>()
    };
    for found in cycle::shortest(snapshot.nodes.len(), &next) {
        let node = snapshot.node(found[0]);
        let message = format!("`{}` leads back here after {} step(s)", relation.name, found.len());
        let mut finding = about(Check::Cycle, node, message);
        finding.related = found.iter().map(|ix| snapshot.node(*ix).id.clone()).collect();
        findings.add(finding.fix("take one of the relations on the way out"));
    }
}
