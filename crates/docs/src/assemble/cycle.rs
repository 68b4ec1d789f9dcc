//! Cycles of a directed graph. It knows no relation.

use std::collections::VecDeque;

use crate::model::NodeIx;

/// Nodes of one component from which a shortest cycle is looked for.
const STARTS_MAX: usize = 256;

/// A shortest cycle of every component that has one: its nodes in order, the smallest first.
pub(crate) fn shortest(nodes: usize, next: &dyn Fn(NodeIx) -> Vec<NodeIx>) -> Vec<Vec<NodeIx>> {
    let mut found: Vec<Vec<NodeIx>> = Vec::new();
    for component in components(nodes, next) {
        let mut best: Option<Vec<NodeIx>> = None;
        for start in component.iter().take(STARTS_MAX) {
            let limit = best.as_ref().map_or(usize::MAX, Vec::len);
            if let Some(cycle) = through(*start, &component, next, limit) {
                best = Some(cycle);
            }
        }
        if let Some(mut cycle) = best {
            let smallest = cycle.iter().enumerate().min_by_key(|(_, ix)| **ix).map_or(0, |(at, _)| at);
            cycle.rotate_left(smallest);
            found.push(cycle);
        }
    }
    found.sort();
    found
}

/// The shortest way from `start` back to it inside its component, when it is shorter than `limit`.
fn through(
    start: NodeIx,
    component: &[NodeIx],
    next: &dyn Fn(NodeIx) -> Vec<NodeIx>,
    limit: usize,
) -> Option<Vec<NodeIx>> {
    let mut before: std::collections::HashMap<NodeIx, NodeIx> = std::collections::HashMap::new();
    let mut depth: std::collections::HashMap<NodeIx, usize> = std::collections::HashMap::from([(start, 0)]);
    let mut queue = VecDeque::from([start]);
    while let Some(ix) = queue.pop_front() {
        let steps = depth[&ix] + 1;
        if steps >= limit {
            return None;
        }
        for to in next(ix) {
            if to == start {
                let mut way = vec![ix];
                while let Some(earlier) = before.get(way.last()?) {
                    way.push(*earlier);
                }
                way.reverse();
                return Some(way);
            }
            if component.binary_search(&to).is_ok() && !depth.contains_key(&to) {
                depth.insert(to, steps);
                before.insert(to, ix);
                queue.push_back(to);
            }
        }
    }
    None
}

/// The strongly connected components that hold a cycle, each sorted. It never recurses.
fn components(nodes: usize, next: &dyn Fn(NodeIx) -> Vec<NodeIx>) -> Vec<Vec<NodeIx>> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; nodes];
    let mut low = vec![0_u32; nodes];
    let mut on_stack = vec![false; nodes];
    let mut stack: Vec<NodeIx> = Vec::new();
    let mut counter = 0;
    let mut found = Vec::new();
    for root in 0..nodes {
        if index[root] != NEW {
            continue;
        }
        let root = super::ix(root);
        let mut work: Vec<(NodeIx, Vec<NodeIx>, usize)> = vec![(root, next(root), 0)];
        while let Some((ix, targets, at)) = work.last_mut() {
            let (here, own) = (ix.0 as usize, *ix);
            if *at == 0 && index[here] == NEW {
                index[here] = counter;
                low[here] = counter;
                counter += 1;
                stack.push(own);
                on_stack[here] = true;
            }
            if let Some(to) = targets.get(*at).copied() {
                *at += 1;
                let there = to.0 as usize;
                if index[there] == NEW {
                    work.push((to, next(to), 0));
                } else if on_stack[there] {
                    low[here] = low[here].min(index[there]);
                }
                continue;
            }
            let loops = targets.contains(&own);
            work.pop();
            if let Some((above, _, _)) = work.last() {
                let above = above.0 as usize;
                low[above] = low[above].min(low[here]);
            }
            if low[here] == index[here] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member.0 as usize] = false;
                    component.push(member);
                    if member == own {
                        break;
                    }
                }
                if component.len() > 1 || loops {
                    component.sort_unstable();
                    found.push(component);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(nodes: usize, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let next = |ix: NodeIx| {
            edges.iter().filter(|(from, _)| *from == ix.0).map(|(_, to)| NodeIx(*to)).collect::<Vec<_>>()
        };
        shortest(nodes, &next).into_iter().map(|cycle| cycle.into_iter().map(|ix| ix.0).collect()).collect()
    }

    #[test]
    fn a_shortest_cycle_of_each_component_is_found() {
        assert!(cycles(4, &[(0, 1), (1, 2), (0, 2), (2, 3)]).is_empty());
        assert_eq!(cycles(3, &[(0, 0), (1, 2)]), [[0]]);
        assert_eq!(cycles(5, &[(0, 1), (1, 2), (2, 3), (3, 0), (2, 0)]), [[0, 1, 2]]);
        assert_eq!(cycles(6, &[(0, 1), (1, 0), (3, 4), (4, 5), (5, 3)]), [vec![0, 1], vec![3, 4, 5]]);
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let edges: Vec<(u32, u32)> = (0..5_000).map(|at| (at, (at + 1) % 5_000)).collect();
        let by_start: std::collections::HashMap<u32, u32> = edges.iter().copied().collect();
        let next = |ix: NodeIx| vec![NodeIx(by_start[&ix.0])];
        assert_eq!(shortest(5_000, &next)[0].len(), 5_000);
    }
}
