//! Whom a change touches, along the relations that carry it, and what would break. It changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::{ImpactFlow, Part, PinUse, RelationDef, ViewDef};
use crate::delta::Delta;
use crate::diagnose::{Check, Diagnostic};
use crate::filter::TooComplex;
use crate::model::{Edge, EdgeKind, NodeIx};
use crate::snapshot::{LookUp, Snapshot};
use crate::walk::EdgeScope;

/// What happens to the nodes that change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// They say something else.
    Content,
    /// They go.
    Delete,
    /// One field of them gets another value.
    Field(String),
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct ImpactRequest<'a> {
    /// What happens.
    pub change: Change,
    /// Which edges carry it.
    pub scope: EdgeScope<'a>,
    /// Most steps.
    pub depth: usize,
}

/// Why a node is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A relation carries the change.
    Relation,
    /// Its relation to what changes is pinned.
    Pin,
    /// It relates to a node that goes.
    Delete,
    /// A rule would hold for it no more.
    Rule,
}

impl Reason {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Relation => "relation",
            Reason::Pin => "pin",
            Reason::Delete => "delete",
            Reason::Rule => "rule",
        }
    }
}

/// A node that is touched.
#[derive(Clone, Debug)]
pub struct Affected {
    /// The node, in the state before.
    pub node: NodeIx,
    /// Steps from what changes; at least 1.
    pub distance: usize,
    /// Places in [`Snapshot::edges`] of the edges on the shortest way, from what changes on.
    pub via: Vec<usize>,
    /// Why.
    pub reason: Reason,
    /// Whether the first edge carries a pin that does not match.
    pub suspect: bool,
    /// Findings about the node that would appear.
    pub breaks: Vec<Diagnostic>,
}

/// A rule whose verdict would change; `true` means that it holds everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChange {
    /// The rule.
    pub id: String,
    /// Now.
    pub now: bool,
    /// Afterwards.
    pub then: bool,
}

/// Whom a change touches.
#[derive(Clone, Debug, Default)]
pub struct Impact {
    /// By distance, then id bytes.
    pub affected: Vec<Affected>,
    /// Rules whose verdict would change, in the order of the contract.
    pub rules: Vec<RuleChange>,
    /// Findings that would appear and concern none of the touched nodes.
    pub other_breaks: usize,
    /// Whether nodes beyond the depth would be touched as well.
    pub is_truncated: bool,
}

/// What would change about a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewChange {
    /// It shows other nodes.
    Selection,
    /// It shows them in another order.
    Order,
    /// It shows something that changes.
    Content,
}

impl ViewChange {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            ViewChange::Selection => "selection",
            ViewChange::Order => "order",
            ViewChange::Content => "content",
        }
    }
}

impl Snapshot {
    /// Whom a change of `changed` touches. `after` is the project as it would be, where that is known; findings that would
    /// appear and rules are told from it.
    pub fn impact(
        &self,
        changed: &[NodeIx],
        request: &ImpactRequest<'_>,
        after: Option<&Snapshot>,
    ) -> Impact {
        let (reached, is_truncated) = self.carried(changed, request);
        let mut impact = Impact { is_truncated, ..Impact::default() };
        for (node, (distance, via)) in reached {
            let first = via.first().map(|at| &self.edges[*at]);
            let pinned = first.is_some_and(|edge| self.is_pinned(edge));
            let reason = match (&request.change, distance) {
                (Change::Delete, 1) => Reason::Delete,
                _ if pinned => Reason::Pin,
                _ => Reason::Relation,
            };
            let suspect = first.is_some_and(|edge| edge.suspect == Some(true));
            impact.affected.push(Affected { node, distance, via, reason, suspect, breaks: Vec::new() });
        }
        if let Some(after) = after {
            self.add_breaks(&mut impact, changed, after);
            impact.rules = self.rule_changes(after);
        }
        impact.affected.sort_by_key(|one| (one.distance, one.node));
        impact
    }

    /// The nodes that edges carry the change to, with the shortest way to each.
    fn carried(
        &self,
        changed: &[NodeIx],
        request: &ImpactRequest<'_>,
    ) -> (BTreeMap<NodeIx, (usize, Vec<usize>)>, bool) {
        let carries: Vec<(bool, bool)> =
            self.contract.relations.iter().map(|relation| flows(relation, &request.change)).collect();
        let mut start: Vec<NodeIx> = changed.to_vec();
        start.sort_unstable();
        start.dedup();
        let mut came_by: BTreeMap<NodeIx, Option<(NodeIx, usize)>> =
            start.iter().map(|node| (*node, None)).collect();
        let mut reached = BTreeMap::new();
        let mut layer = start;
        let mut distance = 0;
        while !layer.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for node in layer {
                for (to, at) in self.touched_by(node, &carries, &request.scope) {
                    if came_by.contains_key(&to) {
                        continue;
                    }
                    if distance > request.depth {
                        return (reached, true);
                    }
                    came_by.insert(to, Some((node, at)));
                    let mut via = vec![at];
                    let mut from = node;
                    while let Some(Some((before, edge))) = came_by.get(&from) {
                        via.push(*edge);
                        from = *before;
                    }
                    via.reverse();
                    reached.insert(to, (distance, via));
                    next.push(to);
                }
            }
            layer = next;
        }
        (reached, false)
    }

    /// The ends of the edges that carry a change of `node`, with their places: relations in contract order, then ids.
    fn touched_by(
        &self,
        node: NodeIx,
        carries: &[(bool, bool)],
        scope: &EdgeScope<'_>,
    ) -> Vec<(NodeIx, usize)> {
        let inbound = self.inbound[node.0 as usize].iter().map(|ix| (ix.0 as usize, true));
        let out = self.out[node.0 as usize].iter().map(|ix| (ix.0 as usize, false));
        let mut ends: Vec<(u32, NodeIx, usize)> = inbound
            .chain(out)
            .filter_map(|(at, is_inbound)| {
                let edge = &self.edges[at];
                let (to_source, to_target) = carries[edge.relation as usize];
                let is_carried = if is_inbound { to_source } else { to_target };
                let end = if is_inbound { edge.from } else { edge.to };
                (is_carried && scope.takes(edge.relation, edge.kind)).then_some((edge.relation, end, at))
            })
            .collect();
        ends.sort_unstable();
        ends.into_iter().map(|(_, end, at)| (end, at)).collect()
    }

    fn is_pinned(&self, edge: &Edge) -> bool {
        let relation = &self.contract.relations[edge.relation as usize];
        edge.kind == EdgeKind::Relation && edge.pin.is_some() && relation.pin != PinUse::Off
    }

    /// Gives each touched node the findings that would appear about it; one that only a rule concerns is touched by that.
    fn add_breaks(&self, impact: &mut Impact, changed: &[NodeIx], after: &Snapshot) {
        let own: BTreeSet<NodeIx> = changed.iter().copied().collect();
        let mut at: BTreeMap<NodeIx, usize> =
            impact.affected.iter().enumerate().map(|(at, one)| (one.node, at)).collect();
        for finding in Delta::between(self, after).new {
            let node = finding.node.as_deref().and_then(|id| match self.look_up(id) {
                LookUp::Found(ix) => Some(ix),
                _ => None,
            });
            match node {
                Some(node) if at.contains_key(&node) => impact.affected[at[&node]].breaks.push(finding),
                Some(node) if matches!(finding.check, Check::Rule(_)) && !own.contains(&node) => {
                    at.insert(node, impact.affected.len());
                    impact.affected.push(Affected {
                        node,
                        distance: 1,
                        via: Vec::new(),
                        reason: Reason::Rule,
                        suspect: false,
                        breaks: vec![finding],
                    });
                }
                _ => impact.other_breaks += 1,
            }
        }
    }

    fn rule_changes(&self, after: &Snapshot) -> Vec<RuleChange> {
        let holds = |snapshot: &Snapshot, id: &str| {
            !snapshot.diagnostics.iter().any(|one| matches!(&one.check, Check::Rule(rule) if rule == id))
        };
        let rules = self.contract.rules.iter().map(|rule| RuleChange {
            id: rule.id.clone(),
            now: holds(self, &rule.id),
            then: holds(after, &rule.id),
        });
        rules.filter(|rule| rule.now != rule.then).collect()
    }

    /// The nodes of a view in its order.
    ///
    /// # Errors
    /// [`TooComplex`] when its filter visits too many edges.
    pub fn of_view(&self, view: &ViewDef) -> Result<Vec<NodeIx>, TooComplex> {
        let mut nodes = match &view.selects {
            Some(filter) => filter.select(self)?,
            None => self.indices().collect(),
        };
        self.sort(&mut nodes, &view.sort);
        Ok(nodes)
    }

    /// How the nodes that a view shows differ in the project as it would be: others, another order, or the same.
    ///
    /// # Errors
    /// As [`Snapshot::of_view`].
    pub fn view_change(&self, after: &Snapshot, view: &ViewDef) -> Result<Option<ViewChange>, TooComplex> {
        let ids = |snapshot: &Snapshot| -> Result<Vec<String>, TooComplex> {
            Ok(snapshot.of_view(view)?.into_iter().map(|ix| snapshot.node(ix).id.clone()).collect())
        };
        let (before, then) = (ids(self)?, ids(after)?);
        if before == then {
            return Ok(None);
        }
        let sorted = |mut ids: Vec<String>| {
            ids.sort_unstable();
            ids
        };
        let is_same = sorted(before) == sorted(then);
        Ok(Some(if is_same { ViewChange::Order } else { ViewChange::Selection }))
    }
}

/// Whether a relation carries a change of its target to its source, and the other way round.
fn flows(relation: &RelationDef, change: &Change) -> (bool, bool) {
    let counts = match change {
        Change::Content | Change::Delete => true,
        Change::Field(name) => {
            relation.impact_fields.is_empty() || relation.impact_fields.contains(&Part::Field(name.clone()))
        }
    };
    let (to_source, to_target) = match relation.impact {
        ImpactFlow::ToSource => (true, false),
        ImpactFlow::ToTarget => (false, true),
        ImpactFlow::Both => (true, true),
        ImpactFlow::None => (false, false),
    };
    (counts && to_source, counts && to_target)
}
