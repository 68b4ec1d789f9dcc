//! How many of what there are, in which order nodes stand, and which of them belong together. It knows no page.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::contract::{Contract, SortKey};
use crate::literal::compare_numbers;
use crate::model::{EdgeKind, Node, NodeIx};
use crate::near::near;
use crate::snapshot::Snapshot;
use crate::value::Value;

/// What a snapshot holds, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes that are served.
    pub nodes: usize,
    /// Stated relations that lead to a node.
    pub edges: usize,
    /// Mentions: one for each source, relation and target.
    pub mentions: usize,
    /// Files whose bytes count in the source hash.
    pub files: usize,
    /// Nodes of each declared type, in the order of the contract.
    pub by_type: Vec<(String, usize)>,
    /// Stated relations of each declared one, in the order of the contract.
    pub by_relation: Vec<(String, usize)>,
}

/// What nodes are put together by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupKey {
    /// Their type.
    Type,
    /// The folder of their file; `.` at the root.
    PathDir,
    /// A field; each item of a list counts.
    Field(String),
}

/// Why a word about fields cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordFault {
    /// It is none of the words.
    Unknown(&'static str),
    /// It names a field that no type declares; at most three that were perhaps meant.
    Field(Vec<String>),
}

impl Contract {
    /// Whether some type declares a field of this name.
    pub fn has_field(&self, name: &str) -> bool {
        self.types.iter().any(|one| one.field(name).is_some())
    }

    /// The names of all declared fields, sorted.
    pub fn field_names(&self) -> Vec<&str> {
        let fields = self.types.iter().flat_map(|one| &one.fields).map(|field| field.name.as_str());
        let mut names: Vec<&str> = fields.collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Reads a sort word of the manifest's grammar.
    ///
    /// # Errors
    /// [`WordFault`] when it is none, or names no declared field.
    pub fn sort_key(&self, word: &str) -> Result<SortKey, WordFault> {
        SortKey::parse(word, |field| self.has_field(field)).map_err(|reason| {
            match word.split_once("field:") {
                Some(("" | "-", field)) => self.no_field(field),
                _ => WordFault::Unknown(reason),
            }
        })
    }

    /// Reads `type`, `path_dir` or `field:NAME`.
    ///
    /// # Errors
    /// As [`Contract::sort_key`].
    pub fn group_key(&self, word: &str) -> Result<GroupKey, WordFault> {
        match (word, word.strip_prefix("field:")) {
            ("type", _) => Ok(GroupKey::Type),
            ("path_dir", _) => Ok(GroupKey::PathDir),
            (_, Some(field)) if self.has_field(field) => Ok(GroupKey::Field(field.to_owned())),
            (_, Some(field)) => Err(self.no_field(field)),
            _ => Err(WordFault::Unknown("a group is type, path_dir or field:NAME")),
        }
    }

    fn no_field(&self, field: &str) -> WordFault {
        WordFault::Field(near(field, self.field_names(), 3).into_iter().map(str::to_owned).collect())
    }
}

impl Snapshot {
    /// Counts everything.
    pub fn counts(&self) -> Counts {
        let contract = &self.contract;
        let mut types: BTreeMap<&str, usize> = BTreeMap::new();
        for node in &self.nodes {
            *types.entry(&node.type_name).or_default() += 1;
        }
        let mut relations = vec![0; contract.relations.len()];
        let mut mentions = 0;
        for edge in &self.edges {
            match edge.kind {
                EdgeKind::Mention => mentions += 1,
                EdgeKind::Relation => relations[edge.relation as usize] += 1,
            }
        }
        let of_type = |name: &String| (name.clone(), types.get(name.as_str()).copied().unwrap_or(0));
        let names = contract.relations.iter().map(|one| one.name.clone());
        Counts {
            nodes: self.nodes.len(),
            edges: relations.iter().sum(),
            mentions,
            files: self.files.len(),
            by_type: contract.types.iter().map(|one| of_type(&one.name)).collect(),
            by_relation: names.zip(relations).collect(),
        }
    }

    /// Puts nodes in order: by each key in turn, ties by id bytes. Values are compared by their type, a node without the
    /// field stands last either way.
    pub fn sort(&self, nodes: &mut [NodeIx], keys: &[SortKey]) {
        nodes.sort_by(|left, right| {
            let (one, other) = (self.node(*left), self.node(*right));
            let mut order = keys.iter().map(|key| compare(one, other, key));
            order.find(|order| order.is_ne()).unwrap_or_else(|| left.cmp(right))
        });
    }

    /// How many of the nodes each group has, largest first, then by name. A node without the field is in none.
    pub fn groups(&self, nodes: &[NodeIx], by: &GroupKey) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut count = |key: String| *counts.entry(key).or_default() += 1;
        for ix in nodes {
            let node = self.node(*ix);
            match by {
                GroupKey::Type => count(node.type_name.clone()),
                GroupKey::PathDir => {
                    count(node.path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned());
                }
                GroupKey::Field(name) => match node.field(name) {
                    Some(Value::List(items)) => {
                        let mut words: Vec<String> = items.iter().map(word).collect();
                        words.sort_unstable();
                        words.dedup();
                        words.into_iter().for_each(&mut count);
                    }
                    Some(value) => count(word(value)),
                    None => {}
                },
            }
        }
        let mut groups: Vec<(String, usize)> = counts.into_iter().collect();
        groups.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        groups
    }
}

/// A value as the name of a group.
fn word(value: &Value) -> String {
    match value.to_json() {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    }
}

fn compare(left: &Node, right: &Node, key: &SortKey) -> Ordering {
    let plain = match key.key.as_str() {
        "id" => left.id.as_bytes().cmp(right.id.as_bytes()),
        "title" => left.title.cmp(&right.title),
        "type" => left.type_name.cmp(&right.type_name),
        "path" => {
            left.path.as_bytes().cmp(right.path.as_bytes()).then_with(|| left.ordinal.cmp(&right.ordinal))
        }
        field => {
            let name = field.strip_prefix("field:").unwrap_or(field);
            match (left.field(name), right.field(name)) {
                (None, None) => Ordering::Equal,
                // Last in both directions.
                (None, Some(_)) => return Ordering::Greater,
                (Some(_), None) => return Ordering::Less,
                (Some(left), Some(right)) => compare_values(left, right),
            }
        }
    };
    if key.descending { plain.reverse() } else { plain }
}

/// Values of one type by their meaning; those of different types by a fixed order of types.
fn compare_values(left: &Value, right: &Value) -> Ordering {
    let number = |value: &Value| match value {
        Value::Integer(number) => Some(number.to_string()),
        Value::Number(text) => Some(text.clone()),
        _ => None,
    };
    if let (Some(left), Some(right)) = (number(left), number(right)) {
        return compare_numbers(&left, &right);
    }
    match (left, right) {
        (Value::Boolean(left), Value::Boolean(right)) => left.cmp(right),
        (Value::List(left), Value::List(right)) => {
            let pairs = left.iter().zip(right).map(|(left, right)| compare_values(left, right));
            pairs.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
        }
        (Value::Json(left), Value::Json(right)) => left.to_string().cmp(&right.to_string()),
        _ => rank(left).cmp(&rank(right)).then_with(|| word(left).cmp(&word(right))),
    }
}

const fn rank(value: &Value) -> u8 {
    match value {
        Value::Boolean(_) => 0,
        Value::Integer(_) | Value::Number(_) => 1,
        Value::Date(_) => 2,
        Value::DateTime(_) => 3,
        Value::Text(_) => 4,
        Value::List(_) => 5,
        Value::Json(_) => 6,
    }
}
