//! How near nodes are to one: the best product of edge factors over all ways of a few steps. It shows nothing.

use std::collections::BTreeMap;

use super::ContextRequest;
use crate::contract::ContextUse;
use crate::model::{Edge, EdgeKind, NodeIx};
use crate::search::SearchScope;
use crate::snapshot::Snapshot;

/// What one step costs, whatever the relation.
const STEP: f64 = 0.6;
/// What a step against the direction of a relation costs on top.
const AGAINST: f64 = 0.8;
/// The weight of a link that was read from a body.
const MENTION: f64 = 0.1;
/// How near a node is that the words of the request mean.
const HIT: f64 = 0.35;
/// How many of those count, and within how many steps they must lie.
const HITS_MAX: usize = 5;
const HIT_STEPS: usize = 4;

/// One step of a way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The relation, by its place in the contract.
    pub relation: u32,
    /// Whether the step follows the direction of the relation.
    pub is_out: bool,
    /// The node that it leads to.
    pub node: NodeIx,
}

/// A node that is near.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The node.
    pub node: NodeIx,
    /// How near, six decimals.
    pub score: f64,
    /// The way from the start, without it; empty for one that only the words mean.
    pub via: Vec<Step>,
    /// Whether the contract wants it beside the start always.
    pub is_mandatory: bool,
}

impl Snapshot {
    /// Everything near the start of a request, by score, then id bytes.
    pub fn candidates(&self, request: &ContextRequest<'_>) -> Vec<Candidate> {
        let mut best: BTreeMap<NodeIx, (f64, Vec<Step>)> =
            BTreeMap::from([(request.start, (1.0, Vec::new()))]);
        for hit in self.near_hits(request) {
            best.entry(hit).or_insert((HIT, Vec::new()));
        }
        let mut layer = best.clone();
        for _ in 0..request.depth {
            let mut next: BTreeMap<NodeIx, (f64, Vec<Step>)> = BTreeMap::new();
            for (from, (score, via)) in &layer {
                for (edge, is_out) in self.around(*from) {
                    let to = if is_out { edge.to } else { edge.from };
                    let Some(factor) = self.factor(edge, is_out, to, request) else { continue };
                    let reached = score * factor;
                    let is_better =
                        |known: Option<&(f64, Vec<Step>)>| known.is_none_or(|known| reached > known.0);
                    if is_better(best.get(&to)) && is_better(next.get(&to)) {
                        let mut way = via.clone();
                        way.push(Step { relation: edge.relation, is_out, node: to });
                        next.insert(to, (reached, way));
                    }
                }
            }
            best.extend(next.iter().map(|(node, known)| (*node, known.clone())));
            layer = next;
        }
        best.remove(&request.start);
        let mut mandatory: BTreeMap<NodeIx, u32> = BTreeMap::new();
        for edge in self.out(request.start) {
            let relation = &self.contract().relations[edge.relation as usize];
            if relation.context == ContextUse::Always
                && edge.kind == EdgeKind::Relation
                && edge.to != request.start
            {
                mandatory.entry(edge.to).or_insert(edge.relation);
            }
        }
        for (node, relation) in &mandatory {
            let step = Step { relation: *relation, is_out: true, node: *node };
            best.entry(*node).or_insert((0.0, vec![step]));
        }
        let mut near: Vec<Candidate> = best
            .into_iter()
            .map(|(node, (score, via))| Candidate {
                node,
                score: (score * 1e6).round() / 1e6,
                via,
                is_mandatory: mandatory.contains_key(&node),
            })
            .collect();
        near.sort_by(|left, right| {
            right.score.total_cmp(&left.score).then_with(|| left.node.cmp(&right.node))
        });
        near
    }

    /// The edges of a node with their direction seen from it: those that start there, then those that lead there.
    fn around(&self, node: NodeIx) -> impl Iterator<Item = (&Edge, bool)> {
        self.out(node).map(|edge| (edge, true)).chain(self.inbound(node).map(|edge| (edge, false)))
    }

    /// What is left of a score after a step; nothing when the step is not taken.
    fn factor(&self, edge: &Edge, is_out: bool, to: NodeIx, request: &ContextRequest<'_>) -> Option<f64> {
        let relation = &self.contract().relations[edge.relation as usize];
        let is_wanted = request.relations.is_none_or(|wanted| wanted.contains(&edge.relation));
        if !is_wanted || relation.context == ContextUse::Never || relation.weight == 0 {
            return None;
        }
        let weight = match edge.kind {
            EdgeKind::Relation => f64::from(relation.weight) / 10.0,
            EdgeKind::Mention => MENTION,
        };
        let degree = (self.out[to.0 as usize].len() + self.inbound[to.0 as usize].len()) as f64;
        let direction = if is_out { 1.0 } else { AGAINST };
        let factor = weight * direction * STEP / (2.0 + degree).log2();
        // Kept to nine decimals, so that no two machines differ in the last place of a logarithm.
        Some((factor * 1e9).round() / 1e9)
    }

    /// The best hits of the words that lie within a few steps.
    fn near_hits(&self, request: &ContextRequest<'_>) -> Vec<NodeIx> {
        let Some(query) = request.query else { return Vec::new() };
        let mut seen = std::collections::BTreeSet::from([request.start]);
        let mut layer = vec![request.start];
        for _ in 0..HIT_STEPS {
            let mut next = Vec::new();
            for from in layer {
                for (edge, is_out) in self.around(from) {
                    let to = if is_out { edge.to } else { edge.from };
                    if self.factor(edge, is_out, to, request).is_some() && seen.insert(to) {
                        next.push(to);
                    }
                }
            }
            layer = next;
        }
        // Without a filter no edge is counted, so this cannot cost too much.
        let hits = self.search(query, SearchScope::default()).unwrap_or_default();
        let near = hits.into_iter().map(|hit| hit.node).filter(|node| seen.contains(node));
        near.filter(|node| *node != request.start).take(HITS_MAX).collect()
    }
}
