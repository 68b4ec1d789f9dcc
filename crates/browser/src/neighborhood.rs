//! `/api/v1/neighborhood`: a node with what is around it, as a picture whose places are worked out here. Further nodes may
//! be opened up in the same picture; what does not fit stands in it as a cluster with a number. It walks no further than
//! three steps.

mod walk;

use docs::{EdgeKind, LookUp, NodeIx, RelationDef, Snapshot};
use serde_json::{Map, Value, json};

use crate::faults::Refusal;
use crate::layout::{Arc, Card, place};
use crate::limits::{
    DANGLING_MAX, DEPTH_MAX, EDGES_MAX, NEIGHBORHOOD_LIMIT, NEIGHBORHOOD_LIMIT_MAX, SEEDS_MAX,
};
use crate::node::{cut_chars, detail, reference};
use crate::params::{Params, bad};
use walk::{Cluster, Walked};

const KNOWN: &[(&str, bool)] =
    &[("id", true), ("depth", false), ("direction", false), ("relations", false), ("limit", false)];
/// How large a node is drawn, with the room around it.
const CARD: Card = Card { width: 184, height: 52, gap_x: 84, gap_y: 20 };
/// Characters of a missing target that are sent.
const TARGET_CHARS_MAX: usize = 200;

/// Which edges are followed from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Those that lead to it.
    In,
    /// Those that start at it.
    Out,
    /// All.
    Both,
}

/// What a request asks for.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The node in the middle, then those that are opened up as well.
    pub(crate) seeds: Vec<NodeIx>,
    pub(crate) depth: usize,
    pub(crate) direction: Direction,
    /// For each relation of the contract, whether it is followed.
    pub(crate) relations: Vec<bool>,
    pub(crate) limit: usize,
}

impl Asked {
    /// Reads and checks the query of a request.
    pub(crate) fn read(query: Option<&str>, snapshot: &Snapshot) -> Result<Asked, Refusal> {
        let params = Params::read(query, KNOWN)?;
        let mut seeds: Vec<NodeIx> = Vec::new();
        for id in params.all("id") {
            let ix = match snapshot.look_up(id) {
                LookUp::Found(ix) | LookUp::ByAlias(ix) => ix,
                LookUp::Ambiguous(_) => return Err(Refusal::NodeAmbiguous),
                LookUp::Missing => return Err(Refusal::NodeNotFound),
            };
            if !seeds.contains(&ix) {
                seeds.push(ix);
            }
        }
        if seeds.is_empty() || seeds.len() > SEEDS_MAX {
            return Err(bad(format!("`id` names 1 to {SEEDS_MAX} nodes.")));
        }
        let direction = match params.one("direction") {
            None | Some("both") => Direction::Both,
            Some("in") => Direction::In,
            Some("out") => Direction::Out,
            Some(_) => return Err(bad("`direction` is in, out or both.")),
        };
        Ok(Asked {
            seeds,
            depth: params.number("depth", 1, DEPTH_MAX)?,
            direction,
            relations: relations(&params, &snapshot.contract().relations)?,
            limit: params.number("limit", NEIGHBORHOOD_LIMIT, NEIGHBORHOOD_LIMIT_MAX)?,
        })
    }
}

fn relations(params: &Params, known: &[RelationDef]) -> Result<Vec<bool>, Refusal> {
    let mut wanted = vec![false; known.len()];
    let mut is_any = false;
    for name in params.list("relations") {
        let at = known.iter().position(|relation| relation.name == name);
        *at.and_then(|at| wanted.get_mut(at))
            .ok_or_else(|| bad("`relations` names a relation that the contract does not declare."))? = true;
        is_any = true;
    }
    if !is_any {
        wanted.fill(true);
    }
    Ok(wanted)
}

/// What is around the nodes that are asked for, `limit` nodes at most.
pub(crate) fn around(asked: &Asked, limit: usize, snapshot: &Snapshot) -> Value {
    let walked = Walked::from(asked, limit, snapshot);
    let mut picture =
        Picture { snapshot, walked: &walked, nodes: Vec::new(), edges: Vec::new(), arcs: Vec::new() };
    picture.nodes();
    picture.edges(asked);
    let dangling_total = picture.dangling(asked);
    picture.clusters();
    let seeds: Vec<usize> = (0..asked.seeds.len().min(walked.nodes.len())).collect();
    let seed = snapshot.snapshot_id();
    let layout = place(picture.nodes.len(), &picture.arcs, &seeds, CARD, seed);
    for (at, node) in picture.nodes.iter_mut().enumerate() {
        let (x, y) = layout.at(at);
        node.insert("x".to_owned(), Value::from(x));
        node.insert("y".to_owned(), Value::from(y));
    }
    let edges_total = picture.edges.len();
    picture.edges.truncate(EDGES_MAX);
    let ids = asked.seeds.iter().map(|ix| snapshot.node(*ix).id.as_str()).collect::<Vec<_>>();
    json!({
        "center": detail(snapshot, asked.seeds[0]),
        "seeds": ids,
        "nodes": picture.nodes,
        "edges": picture.edges,
        "edges_total": edges_total,
        "dangling_total": dangling_total,
        "hidden_total": walked.hidden_total,
        "truncated": walked.hidden_total > 0,
        "layout": layout.to_json(CARD),
    })
}

/// A picture in the making; what is in it is addressed by its place in `nodes`.
struct Picture<'a> {
    snapshot: &'a Snapshot,
    walked: &'a Walked,
    nodes: Vec<Map<String, Value>>,
    edges: Vec<Value>,
    arcs: Vec<Arc>,
}

impl Picture<'_> {
    fn nodes(&mut self) {
        for drawn in &self.walked.nodes {
            let mut object = reference(self.snapshot, drawn.ix);
            object.insert("kind".to_owned(), Value::from("node"));
            object.insert("key".to_owned(), Value::from(format!("n:{}", self.snapshot.node(drawn.ix).id)));
            object.insert("depth".to_owned(), Value::from(drawn.depth));
            object.insert("more".to_owned(), Value::from(drawn.more));
            self.nodes.push(object);
        }
    }

    /// The edges between what is drawn, of the relations that are followed.
    fn edges(&mut self, asked: &Asked) {
        for (from, drawn) in self.walked.nodes.iter().enumerate() {
            for edge in self.snapshot.out(drawn.ix) {
                let Some(to) = self.walked.place(edge.to) else { continue };
                if !asked.relations[edge.relation as usize] {
                    continue;
                }
                let relation = &self.snapshot.contract().relations[edge.relation as usize];
                if from != to && !relation.symmetric {
                    self.arcs.push(Arc { from, to });
                }
                self.edges.push(json!({
                    "from": from,
                    "to": to,
                    "relation": relation.name,
                    "kind": edge.kind.as_str(),
                    "suspect": edge.suspect == Some(true),
                }));
            }
        }
    }

    /// Targets that do not exist, each as a mark of its own; how many there are.
    fn dangling(&mut self, asked: &Asked) -> usize {
        if asked.direction == Direction::In {
            return 0;
        }
        let all = self.snapshot.dangling();
        let mut total = 0;
        for (from, drawn) in self.walked.nodes.iter().enumerate() {
            let first = all.partition_point(|one| one.from < drawn.ix);
            let own = all[first..].iter().take_while(|one| one.from == drawn.ix);
            for one in own.filter(|one| asked.relations[one.relation as usize]) {
                total += 1;
                if total > DANGLING_MAX {
                    continue;
                }
                let relation = &self.snapshot.contract().relations[one.relation as usize].name;
                let (target, _) = cut_chars(&one.target, TARGET_CHARS_MAX);
                let to = self.nodes.len();
                let mut object = Map::new();
                object.insert("kind".to_owned(), Value::from("dangling"));
                let key = format!("d:{}:{relation}:{total}", self.snapshot.node(drawn.ix).id);
                object.insert("key".to_owned(), Value::from(key));
                object.insert("doc".to_owned(), json!({ "target": target }));
                crate::node::mark_hidden(&mut object, [target]);
                self.nodes.push(object);
                self.arcs.push(Arc { from, to });
                let kind = if one.kind == EdgeKind::Relation { "relation" } else { "mention" };
                self.edges.push(json!({
                    "from": from, "to": to, "relation": relation, "kind": kind, "suspect": false, "dangling": true,
                }));
            }
        }
        total
    }

    /// What did not fit around the nodes that are opened up.
    fn clusters(&mut self) {
        for Cluster { of, relation, is_out, count } in &self.walked.clusters {
            let name = &self.snapshot.contract().relations[*relation as usize].name;
            let direction = if *is_out { "out" } else { "in" };
            let at = self.nodes.len();
            let owner = self.snapshot.node(self.walked.nodes[*of].ix).id.as_str();
            let mut object = Map::new();
            object.insert("kind".to_owned(), Value::from("cluster"));
            object.insert("key".to_owned(), Value::from(format!("c:{owner}:{name}:{direction}")));
            object.insert("of".to_owned(), Value::from(owner));
            object.insert("relation".to_owned(), Value::from(name.as_str()));
            object.insert("direction".to_owned(), Value::from(direction));
            object.insert("count".to_owned(), Value::from(*count));
            self.nodes.push(object);
            let (from, to) = if *is_out { (*of, at) } else { (at, *of) };
            self.arcs.push(Arc { from, to });
            self.edges.push(json!({
                "from": from, "to": to, "relation": name, "kind": "relation", "suspect": false, "cluster": true,
            }));
        }
    }
}
