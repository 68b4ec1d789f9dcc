//! The filter language: parsed, checked against a contract, evaluated on a snapshot (spec C8). It does not know which
//! tool asks.

mod evaluate;
mod fault;
mod parse;
mod scope;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use regex_automata::meta::Regex;

pub use evaluate::{Budget, TooComplex};
pub use fault::{FilterFault, FilterProblem};
pub use scope::FilterScope;

use crate::model::NodeIx;
use crate::snapshot::Snapshot;

/// A filter that is type-checked against one contract.
#[derive(Clone)]
pub struct Filter {
    source: String,
    expr: Arc<Expr>,
    /// Tells one filter from another in the memory of a [`Budget`].
    serial: u64,
}

static SERIAL: AtomicU64 = AtomicU64::new(0);

impl Filter {
    /// Reads `text` and checks every name, type and literal of it against `scope`.
    ///
    /// # Errors
    /// [`FilterFault`] says what is wrong and where.
    pub fn parse(text: &str, scope: &FilterScope) -> Result<Filter, FilterFault> {
        let expr = parse::parse(text, scope)?;
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        Ok(Filter { source: text.to_owned(), expr: Arc::new(expr), serial })
    }

    /// The text as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the node meets the filter. One `budget` serves a whole evaluation, on one snapshot that does not change.
    ///
    /// # Errors
    /// [`TooComplex`] once the evaluation has visited more than [`crate::limits::FILTER_EDGES_MAX`] edges.
    pub fn matches(
        &self,
        snapshot: &Snapshot,
        node: NodeIx,
        budget: &mut Budget,
    ) -> Result<bool, TooComplex> {
        evaluate::holds(&self.expr, self.serial, snapshot, node, budget)
    }

    /// Every node that meets the filter, by id bytes.
    ///
    /// # Errors
    /// [`TooComplex`] as for [`Filter::matches`].
    pub fn select(&self, snapshot: &Snapshot) -> Result<Vec<NodeIx>, TooComplex> {
        let mut budget = Budget::new();
        let mut chosen = Vec::new();
        for node in snapshot.indices() {
            if self.matches(snapshot, node, &mut budget)? {
                chosen.push(node);
            }
        }
        Ok(chosen)
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({:?})", self.source)
    }
}

/// What a filter asks, names resolved.
#[derive(Debug)]
enum Expr {
    Or(Vec<Expr>),
    And(Vec<Expr>),
    Not(Box<Expr>),
    /// `operand op value`.
    Compare {
        operand: Operand,
        op: Op,
        value: Literal,
    },
    /// `operand in [..]`.
    In {
        operand: Operand,
        values: Vec<Literal>,
    },
    /// `operand is set`, or `is unset`.
    Is {
        operand: Operand,
        set: bool,
    },
    /// `operand has value`.
    Has {
        field: String,
        value: Literal,
    },
    /// `any(..)`, `all(..)`, `none(..)`.
    Quantified {
        quantifier: Quantifier,
        walk: Walk,
        condition: Option<Box<Expr>>,
    },
    /// `count(..) op INT`.
    Count {
        walk: Walk,
        condition: Option<Box<Expr>>,
        op: Op,
        number: u64,
    },
    /// `reaches(..)`.
    Reaches {
        walk: Walk,
        target: String,
        depth: Option<u32>,
        /// Its place among the `reaches` of the filter.
        slot: usize,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Operand {
    Id,
    Type,
    Title,
    Path,
    Source,
    Body,
    State,
    Field(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    Starts,
    Ends,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantifier {
    Any,
    All,
    None,
}

/// The edges of one relation on one side of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Walk {
    is_out: bool,
    /// Place of the relation in the contract.
    relation: u32,
}

/// A literal, read as everything that it can be, so that a field of several types compares each with its own reading.
#[derive(Debug)]
struct Literal {
    text: String,
    integer: Option<i64>,
    number: Option<String>,
    boolean: Option<bool>,
    date: Option<String>,
    date_time: Option<String>,
    /// Finds the text whatever its case; only for `~`.
    folded: Option<Regex>,
}
