//! Which nodes a neighbourhood holds: step by step from its seeds, a few of every relation before many of one, until the
//! picture is full. It places nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use docs::{NodeIx, Snapshot};

use super::{Asked, Direction};

/// Clusters of one picture.
const CLUSTERS_MAX: usize = 24;

/// A node of the picture.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) ix: NodeIx,
    /// Steps from a node that is opened up.
    pub(super) depth: usize,
    /// Neighbours that the picture does not hold.
    pub(super) more: usize,
}

/// Neighbours of one node over one relation that found no room.
#[derive(Debug)]
pub(super) struct Cluster {
    /// Place of the node.
    pub(super) of: usize,
    pub(super) relation: u32,
    pub(super) is_out: bool,
    pub(super) count: usize,
}

/// What was found.
#[derive(Debug)]
pub(super) struct Walked {
    pub(super) nodes: Vec<Drawn>,
    places: HashMap<NodeIx, usize>,
    pub(super) clusters: Vec<Cluster>,
    /// Neighbours of nodes within the depth that found no room.
    pub(super) hidden_total: usize,
}

/// The neighbours of one node over one relation in one direction, each once, in the order of the snapshot.
type Groups = BTreeMap<(bool, u32), Vec<NodeIx>>;

impl Walked {
    /// Walks from the seeds; they are in the picture whatever `limit` says.
    pub(super) fn from(asked: &Asked, limit: usize, snapshot: &Snapshot) -> Walked {
        let mut walked =
            Walked { nodes: Vec::new(), places: HashMap::new(), clusters: Vec::new(), hidden_total: 0 };
        for seed in &asked.seeds {
            walked.draw(*seed, 0);
        }
        let has_room = limit > walked.nodes.len();
        let mut hidden = HashSet::new();
        let mut step: Vec<usize> = (0..walked.nodes.len()).collect();
        for depth in 1..=asked.depth {
            // Only what is around the middle is looked at beyond one step; the others are opened up by one.
            let parents: Vec<usize> = match depth {
                2 if asked.seeds.len() > 1 => {
                    let center: HashSet<NodeIx> =
                        groups(asked, snapshot, asked.seeds[0]).into_values().flatten().collect();
                    step.iter().copied().filter(|at| center.contains(&walked.nodes[*at].ix)).collect()
                }
                _ => step.clone(),
            };
            let groups: Vec<(usize, Groups)> =
                parents.into_iter().map(|at| (at, groups(asked, snapshot, walked.nodes[at].ix))).collect();
            step = walked.fill(&groups, depth, limit);
            for (_, groups) in &groups {
                let left_out = groups.values().flatten().filter(|ix| !walked.places.contains_key(ix));
                hidden.extend(left_out.copied());
            }
            if depth == 1 && has_room {
                walked.cluster(&groups);
            }
        }
        walked.hidden_total = hidden.iter().filter(|ix| !walked.places.contains_key(*ix)).count();
        for at in 0..walked.nodes.len() {
            let around = groups(asked, snapshot, walked.nodes[at].ix);
            let mut absent: Vec<NodeIx> =
                around.into_values().flatten().filter(|ix| !walked.places.contains_key(ix)).collect();
            absent.sort_unstable();
            absent.dedup();
            walked.nodes[at].more = absent.len();
        }
        walked
    }

    /// Where a node stands in the picture.
    pub(super) fn place(&self, ix: NodeIx) -> Option<usize> {
        self.places.get(&ix).copied()
    }

    fn draw(&mut self, ix: NodeIx, depth: usize) -> Option<usize> {
        if self.places.contains_key(&ix) {
            return None;
        }
        let at = self.nodes.len();
        self.places.insert(ix, at);
        self.nodes.push(Drawn { ix, depth, more: 0 });
        Some(at)
    }

    /// Takes one of each group in turn while there is room; the places of what was taken.
    fn fill(&mut self, groups: &[(usize, Groups)], depth: usize, limit: usize) -> Vec<usize> {
        let mut queues: Vec<std::slice::Iter<'_, NodeIx>> =
            groups.iter().flat_map(|(_, groups)| groups.values().map(|group| group.iter())).collect();
        let mut taken = Vec::new();
        while !queues.is_empty() {
            queues.retain_mut(|queue| {
                if self.nodes.len() >= limit {
                    return false;
                }
                // What another group brought in already costs no turn.
                for ix in queue.by_ref() {
                    if let Some(at) = self.draw(*ix, depth) {
                        taken.push(at);
                        return true;
                    }
                }
                false
            });
        }
        taken
    }

    fn cluster(&mut self, groups: &[(usize, Groups)]) {
        for (of, groups) in groups {
            for ((is_in, relation), group) in groups {
                let count = group.iter().filter(|ix| !self.places.contains_key(ix)).count();
                if count > 0 && self.clusters.len() < CLUSTERS_MAX {
                    self.clusters.push(Cluster { of: *of, relation: *relation, is_out: !is_in, count });
                }
            }
        }
    }
}

/// Out before in, relations in the order of the contract.
fn groups(asked: &Asked, snapshot: &Snapshot, ix: NodeIx) -> Groups {
    let mut groups = Groups::new();
    let mut add = |is_in: bool, relation: u32, other: NodeIx| {
        if other == ix || !asked.relations[relation as usize] {
            return;
        }
        let group = groups.entry((is_in, relation)).or_default();
        group.push(other);
    };
    if asked.direction != Direction::In {
        snapshot.out(ix).for_each(|edge| add(false, edge.relation, edge.to));
    }
    if asked.direction != Direction::Out {
        snapshot.inbound(ix).for_each(|edge| add(true, edge.relation, edge.from));
    }
    for group in groups.values_mut() {
        // A relation that is stated and mentioned leads to one neighbour.
        let mut seen = HashSet::with_capacity(group.len());
        group.retain(|other| seen.insert(*other));
    }
    groups
}
