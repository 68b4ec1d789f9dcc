//! Evaluates a checked filter on a snapshot, counting the edges that it visits (spec C8). The order of evaluation is
//! that of the text.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::{Expr, Literal, Op, Operand, Quantifier, Walk};
use crate::limits;
use crate::literal::compare_numbers;
use crate::model::{EdgeIx, EdgeKind, Node, NodeIx};
use crate::snapshot::{LookUp, Snapshot};
use crate::value::Value;

/// The evaluation visited too many edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the filter visits more than 5,000,000 edges; make its quantifiers narrower")]
pub struct TooComplex;

/// What one evaluation may still visit, and what it remembers. It is made anew for each evaluation.
#[derive(Debug)]
pub struct Budget {
    edges_left: u64,
    /// Which nodes reach the target, for each `reaches` that was asked.
    reached: HashMap<(u64, usize), Vec<bool>>,
}

impl Budget {
    /// A full budget.
    pub fn new() -> Budget {
        Budget { edges_left: limits::FILTER_EDGES_MAX, reached: HashMap::new() }
    }

    fn visit(&mut self, edges: usize) -> Result<(), TooComplex> {
        let edges = u64::try_from(edges).unwrap_or(u64::MAX);
        self.edges_left = self.edges_left.checked_sub(edges).ok_or(TooComplex)?;
        Ok(())
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::new()
    }
}

/// Whether `node` meets `expr`, which belongs to the filter `serial`.
pub(super) fn holds(
    expr: &Expr,
    serial: u64,
    snapshot: &Snapshot,
    node: NodeIx,
    budget: &mut Budget,
) -> Result<bool, TooComplex> {
    Evaluation { serial, snapshot, budget }.holds(expr, node)
}

struct Evaluation<'e> {
    serial: u64,
    snapshot: &'e Snapshot,
    budget: &'e mut Budget,
}

impl Evaluation<'_> {
    fn holds(&mut self, expr: &Expr, ix: NodeIx) -> Result<bool, TooComplex> {
        let node = self.snapshot.node(ix);
        Ok(match expr {
            Expr::Or(parts) => {
                for part in parts {
                    if self.holds(part, ix)? {
                        return Ok(true);
                    }
                }
                false
            }
            Expr::And(parts) => {
                for part in parts {
                    if !self.holds(part, ix)? {
                        return Ok(false);
                    }
                }
                true
            }
            Expr::Not(part) => !self.holds(part, ix)?,
            Expr::Compare { operand, op, value } => compare(node, operand, *op, value),
            Expr::In { operand, values } => {
                values.iter().any(|value| compare(node, operand, Op::Equal, value))
            }
            Expr::Is { operand, set } => is_set(node, operand) == *set,
            Expr::Has { field, value } => match node.field(field) {
                Some(Value::List(items)) => items.iter().any(|item| value_meets(item, Op::Equal, value)),
                _ => false,
            },
            Expr::Quantified { quantifier, walk, condition } => {
                self.quantified(*quantifier, *walk, condition.as_deref(), ix)?
            }
            Expr::Count { walk, condition, op, number } => {
                let count = self.count(*walk, condition.as_deref(), ix)?;
                ordering_meets(count.cmp(number), *op)
            }
            Expr::Reaches { walk, target, depth, slot } => {
                let key = (self.serial, *slot);
                if !self.budget.reached.contains_key(&key) {
                    let reached = self.reaching(*walk, target, *depth)?;
                    self.budget.reached.insert(key, reached);
                }
                self.budget.reached[&key][ix.0 as usize]
            }
        })
    }

    /// How many stated targets of a relation do not exist.
    fn dangling(&self, walk: Walk, ix: NodeIx) -> usize {
        if !walk.is_out {
            return 0;
        }
        let name = &self.snapshot.contract.relations[walk.relation as usize].name;
        let links = &self.snapshot.node(ix).links;
        links.iter().filter(|link| !link.is_resolved && link.relation == *name).count()
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        walk: Walk,
        condition: Option<&Expr>,
        ix: NodeIx,
    ) -> Result<bool, TooComplex> {
        // A target that does not exist meets no condition.
        let dangling = self.dangling(walk, ix);
        self.budget.visit(dangling)?;
        let far = far_ends(self.snapshot, walk, ix);
        let Some(condition) = condition else {
            self.budget.visit(far.len())?;
            let any = far.len() + dangling > 0;
            return Ok(match quantifier {
                Quantifier::Any => any,
                Quantifier::None => !any,
                Quantifier::All => true,
            });
        };
        if quantifier == Quantifier::All && dangling > 0 {
            return Ok(false);
        }
        for far in far {
            self.budget.visit(1)?;
            match (quantifier, self.holds(condition, far)?) {
                (Quantifier::Any, true) => return Ok(true),
                (Quantifier::None, true) | (Quantifier::All, false) => return Ok(false),
                _ => {}
            }
        }
        Ok(quantifier != Quantifier::Any)
    }

    fn count(&mut self, walk: Walk, condition: Option<&Expr>, ix: NodeIx) -> Result<u64, TooComplex> {
        let dangling = self.dangling(walk, ix);
        self.budget.visit(dangling)?;
        let far = far_ends(self.snapshot, walk, ix);
        let Some(condition) = condition else {
            self.budget.visit(far.len())?;
            return Ok(u64::try_from(far.len() + dangling).unwrap_or(u64::MAX));
        };
        let mut count = 0;
        for far in far {
            self.budget.visit(1)?;
            count += u64::from(self.holds(condition, far)?);
        }
        Ok(count)
    }

    /// Which nodes come to `target` in 1 to `depth` steps: one walk backwards answers for every node.
    fn reaching(&mut self, walk: Walk, target: &str, depth: Option<u32>) -> Result<Vec<bool>, TooComplex> {
        let mut reached = vec![false; self.snapshot.nodes().len()];
        let (LookUp::Found(start) | LookUp::ByAlias(start)) = self.snapshot.look_up(target) else {
            return Ok(reached);
        };
        let back = Walk { is_out: !walk.is_out, ..walk };
        let mut frontier = vec![start];
        let mut steps = 0;
        while !frontier.is_empty() && depth.is_none_or(|depth| steps < depth) {
            let mut next = Vec::new();
            for ix in frontier {
                let far = far_ends(self.snapshot, back, ix);
                self.budget.visit(far.len())?;
                for far in far {
                    if !std::mem::replace(&mut reached[far.0 as usize], true) {
                        next.push(far);
                    }
                }
            }
            frontier = next;
            steps += 1;
        }
        Ok(reached)
    }
}

/// The far ends of the stated edges of a relation, without those that dangle.
fn far_ends(snapshot: &Snapshot, walk: Walk, ix: NodeIx) -> impl ExactSizeIterator<Item = NodeIx> {
    let edges = if walk.is_out { &snapshot.out[ix.0 as usize] } else { &snapshot.inbound[ix.0 as usize] };
    // Both lists are sorted by relation, and relations stand before mentions.
    let key = (walk.relation, EdgeKind::Relation);
    let key_of = |edge: &EdgeIx| {
        let edge = snapshot.edge(*edge);
        (edge.relation, edge.kind)
    };
    let start = edges.partition_point(|edge| key_of(edge) < key);
    let end = edges.partition_point(|edge| key_of(edge) <= key);
    edges[start..end].iter().map(move |edge| {
        let edge = snapshot.edge(*edge);
        if walk.is_out { edge.to } else { edge.from }
    })
}

fn is_set(node: &Node, operand: &Operand) -> bool {
    match operand {
        Operand::Field(name) => node.field(name).is_some(),
        Operand::State => true,
        _ => !text_of(node, operand).is_empty(),
    }
}

fn text_of<'n>(node: &'n Node, operand: &Operand) -> &'n str {
    match operand {
        Operand::Id => &node.id,
        Operand::Type => &node.type_name,
        Operand::Title => &node.title,
        Operand::Path => &node.path,
        Operand::Source => &node.source,
        Operand::Body => &node.body,
        Operand::State | Operand::Field(_) => "",
    }
}

fn compare(node: &Node, operand: &Operand, op: Op, literal: &Literal) -> bool {
    match operand {
        Operand::Field(name) => match node.field(name) {
            Some(value) => value_meets(value, op, literal),
            None => op == Op::Unequal,
        },
        Operand::State => {
            let state = node.state;
            let member = match literal.text.as_str() {
                "error" => state.error,
                "warn" => state.warn,
                "suspect" => state.suspect,
                "orphan" => state.orphan,
                _ => state.is_clean(),
            };
            member == (op == Op::Equal)
        }
        _ => {
            let text = text_of(node, operand);
            if text.is_empty() { op == Op::Unequal } else { text_meets(text, op, literal) }
        }
    }
}

/// A literal that cannot be read as the value's type is unequal to it and nothing else.
fn value_meets(value: &Value, op: Op, literal: &Literal) -> bool {
    let ordering = match value {
        Value::Text(text) => return text_meets(text, op, literal),
        Value::Integer(number) => literal.integer.map(|literal| number.cmp(&literal)),
        Value::Number(number) => literal.number.as_ref().map(|literal| compare_numbers(number, literal)),
        Value::Boolean(truth) => literal.boolean.map(|literal| truth.cmp(&literal)),
        Value::Date(day) => literal.date.as_ref().map(|literal| day.cmp(literal)),
        Value::DateTime(time) => {
            literal.date_time.as_ref().map(|literal| seconds(time).cmp(seconds(literal)))
        }
        Value::List(_) | Value::Json(_) => None,
    };
    ordering.map_or(op == Op::Unequal, |ordering| ordering_meets(ordering, op))
}

/// Without the closing `Z`, which would sort after a fraction.
fn seconds(time: &str) -> &str {
    time.strip_suffix('Z').unwrap_or(time)
}

fn text_meets(text: &str, op: Op, literal: &Literal) -> bool {
    match op {
        Op::Contains => literal.folded.as_ref().is_some_and(|folded| folded.is_match(text)),
        Op::Starts => text.starts_with(&literal.text),
        Op::Ends => text.ends_with(&literal.text),
        // The order of UTF-8 bytes is that of Unicode scalars.
        _ => ordering_meets(text.cmp(&literal.text), op),
    }
}

fn ordering_meets(ordering: Ordering, op: Op) -> bool {
    match op {
        Op::Equal => ordering.is_eq(),
        Op::Unequal => ordering.is_ne(),
        Op::Less => ordering.is_lt(),
        Op::LessOrEqual => ordering.is_le(),
        Op::Greater => ordering.is_gt(),
        Op::GreaterOrEqual => ordering.is_ge(),
        Op::Contains | Op::Starts | Op::Ends => false,
    }
}
