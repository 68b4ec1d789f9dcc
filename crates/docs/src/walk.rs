//! What a node leads to, step by step: the shortest way to each, circles, and what leads nowhere. It knows no tool.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Edge, EdgeKind, NodeIx};
use crate::snapshot::{Dangling, Snapshot};

/// Circles that one answer lists.
const CYCLES_MAX: usize = 20;

/// Which edges are followed.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeScope<'a> {
    /// Places of relations in the contract; all without it.
    pub relations: Option<&'a [u32]>,
    /// Whether links read from bodies are followed as well.
    pub mentions: bool,
}

impl EdgeScope<'_> {
    /// Whether an edge of this relation and kind is followed.
    pub fn takes(&self, relation: u32, kind: EdgeKind) -> bool {
        (self.mentions || kind == EdgeKind::Relation)
            && self.relations.is_none_or(|wanted| wanted.contains(&relation))
    }
}

/// A node that is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The node.
    pub node: NodeIx,
    /// Steps from the start; at least 1.
    pub depth: usize,
    /// The way: each step's relation, by its place in the contract, and the node that it leads to. The start is not in it.
    pub path: Vec<(u32, NodeIx)>,
}

/// What a node depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependencies {
    /// What is reached, by depth, then id bytes; the start is not among it.
    pub nodes: Vec<Reached>,
    /// Places in [`Snapshot::edges`] of the edges between the start and what is reached, in their order.
    pub edges: Vec<usize>,
    /// Circles among these edges, each a list of nodes that begins with the smallest; a self loop is a list of one.
    pub cycles: Vec<Vec<NodeIx>>,
    /// What of it leads nowhere.
    pub dangling: Vec<Dangling>,
    /// Whether there was more within the depth than the limit takes.
    pub is_truncated: bool,
}

impl Snapshot {
    /// Follows the edges that start at `start` for at most `depth` steps and keeps at most `limit` nodes. Of two ways of one
    /// length the one with the smaller (relation, id) at the first difference is told.
    pub fn dependencies(
        &self,
        start: NodeIx,
        scope: &EdgeScope<'_>,
        depth: usize,
        limit: usize,
    ) -> Dependencies {
        let mut came_by: BTreeMap<NodeIx, (usize, Option<(NodeIx, u32)>)> =
            BTreeMap::from([(start, (0, None))]);
        let mut order: Vec<(NodeIx, usize)> = Vec::new();
        let mut layer = vec![start];
        let mut is_truncated = false;
        for step in 1..=depth {
            let mut next: Vec<NodeIx> = Vec::new();
            // The layer stands in the order of its ways, and edges by relation and target: the first way found is the smallest.
            for from in &layer {
                for edge in self.out(*from).filter(|edge| scope.takes(edge.relation, edge.kind)) {
                    if let Entry::Vacant(free) = came_by.entry(edge.to) {
                        free.insert((step, Some((*from, edge.relation))));
                        next.push(edge.to);
                    }
                }
            }
            let mut by_id = next.clone();
            by_id.sort_unstable();
            order.extend(by_id.into_iter().map(|node| (node, step)));
            if next.is_empty() {
                break;
            }
            if order.len() > limit {
                is_truncated = true;
                break;
            }
            layer = next;
        }
        is_truncated |= order.len() > limit;
        order.truncate(limit);
        let way = |node: NodeIx| {
            let mut path = Vec::new();
            let mut at = node;
            while let Some((_, Some((from, relation)))) = came_by.get(&at) {
                path.push((*relation, at));
                at = *from;
            }
            path.reverse();
            path
        };
        let nodes: Vec<Reached> =
            order.into_iter().map(|(node, depth)| Reached { node, depth, path: way(node) }).collect();
        let mut among: BTreeSet<NodeIx> = nodes.iter().map(|one| one.node).collect();
        among.insert(start);
        let edges = self.edges_between(&among, scope);
        let cycles = cycles(&edges.iter().map(|at| &self.edges[*at]).collect::<Vec<_>>());
        let dangling = self
            .dangling
            .iter()
            .filter(|one| among.contains(&one.from) && scope.takes(one.relation, one.kind));
        Dependencies { dangling: dangling.cloned().collect(), nodes, edges, cycles, is_truncated }
    }

    /// Places in [`Snapshot::edges`] of the edges whose two ends are among the nodes, in their order.
    pub fn edges_between(&self, nodes: &BTreeSet<NodeIx>, scope: &EdgeScope<'_>) -> Vec<usize> {
        let mut places: Vec<usize> = Vec::new();
        for node in nodes {
            let out = &self.out[node.0 as usize];
            places.extend(out.iter().map(|ix| ix.0 as usize).filter(|at| {
                let edge = &self.edges[*at];
                nodes.contains(&edge.to) && scope.takes(edge.relation, edge.kind)
            }));
        }
        places.sort_unstable();
        places
    }
}

/// The strongly connected groups of the edges, as one short circle of each; at most [`CYCLES_MAX`].
fn cycles(edges: &[&Edge]) -> Vec<Vec<NodeIx>> {
    let mut out: BTreeMap<NodeIx, Vec<NodeIx>> = BTreeMap::new();
    for edge in edges {
        out.entry(edge.from).or_default().push(edge.to);
        out.entry(edge.to).or_default();
    }
    let mut circles: Vec<Vec<NodeIx>> = Vec::new();
    for group in groups(&out) {
        let is_loop = |node: &NodeIx| out.get(node).is_some_and(|to| to.contains(node));
        match group.as_slice() {
            [one] if !is_loop(one) => {}
            [one] => circles.push(vec![*one]),
            [first, ..] => circles.extend(shortest(*first, &group, &out)),
            [] => {}
        }
    }
    circles.sort();
    circles.truncate(CYCLES_MAX);
    circles
}

/// The shortest way from a node back to itself inside of its group.
fn shortest(start: NodeIx, group: &[NodeIx], out: &BTreeMap<NodeIx, Vec<NodeIx>>) -> Option<Vec<NodeIx>> {
    let inside: BTreeSet<NodeIx> = group.iter().copied().collect();
    let mut came_from: BTreeMap<NodeIx, NodeIx> = BTreeMap::new();
    let mut layer = vec![start];
    while !layer.is_empty() {
        let mut next = Vec::new();
        for from in layer {
            for to in out.get(&from).into_iter().flatten().filter(|to| inside.contains(to)) {
                if *to == start {
                    let mut circle = vec![from];
                    let mut at = from;
                    while at != start {
                        at = *came_from.get(&at)?;
                        circle.push(at);
                    }
                    circle.reverse();
                    return Some(circle);
                }
                if *to != start && !came_from.contains_key(to) {
                    came_from.insert(*to, from);
                    next.push(*to);
                }
            }
        }
        layer = next;
    }
    None
}

/// Strongly connected groups, each sorted (Tarjan, without recursion).
fn groups(out: &BTreeMap<NodeIx, Vec<NodeIx>>) -> Vec<Vec<NodeIx>> {
    #[derive(Clone, Copy)]
    struct Seen {
        number: usize,
        low: usize,
        is_open: bool,
    }
    let mut seen: BTreeMap<NodeIx, Seen> = BTreeMap::new();
    let mut open: Vec<NodeIx> = Vec::new();
    let mut found = Vec::new();
    for root in out.keys() {
        if seen.contains_key(root) {
            continue;
        }
        let mut work: Vec<(NodeIx, usize)> = vec![(*root, 0)];
        while let Some((node, at)) = work.pop() {
            if at == 0 {
                let number = seen.len();
                seen.insert(node, Seen { number, low: number, is_open: true });
                open.push(node);
            }
            let targets = out.get(&node).map_or(&[][..], Vec::as_slice);
            if let Some(to) = targets.get(at) {
                work.push((node, at + 1));
                match seen.get(to) {
                    None => work.push((*to, 0)),
                    Some(Seen { number, is_open: true, .. }) => {
                        let number = *number;
                        if let Some(own) = seen.get_mut(&node) {
                            own.low = own.low.min(number);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            let own = seen[&node];
            if let Some((parent, _)) = work.last()
                && let Some(above) = seen.get_mut(parent)
            {
                above.low = above.low.min(own.low);
            }
            if own.low == own.number {
                let mut group = Vec::new();
                while let Some(member) = open.pop() {
                    if let Some(one) = seen.get_mut(&member) {
                        one.is_open = false;
                    }
                    group.push(member);
                    if member == node {
                        break;
                    }
                }
                group.sort_unstable();
                found.push(group);
            }
        }
    }
    found
}
