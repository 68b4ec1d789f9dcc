//! What one accepted call adds to a changeset, and its form in the log. It judges nothing.

use std::collections::BTreeMap;

use docs::Hash;
use serde_json::{Map, Value, json};

use crate::content::{Content, Item};

/// Where a node is to stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The source.
    pub source: String,
    /// The file, project-relative.
    pub path: String,
    /// Where in the file.
    pub place: Place,
}

/// Where in a file a node is to stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// As the only node of the file, or after the last one.
    #[default]
    End,
    /// Right after this node.
    After(String),
    /// At the end of the section with this heading.
    Section(String),
}

/// The node that an entry was made for, as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseMark {
    /// Its hash: the name of the kept base.
    pub hash: Hash,
    /// Its file.
    pub path: String,
    /// Its place in the file.
    pub ordinal: usize,
}

/// One accepted call.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A new node.
    Create {
        /// What it says.
        content: Content,
        /// Where it is to stand.
        placement: Placement,
        /// The targets of its relations as they were.
        targets: BTreeMap<String, Hash>,
    },
    /// A change of a node.
    Update {
        /// The node.
        id: String,
        /// As it was; absent for a node that the changeset itself creates.
        base: Option<BaseMark>,
        /// The new value of each item that changes; `None` takes it away.
        items: Vec<(Item, Option<Value>)>,
        /// The targets of added relations as they were.
        targets: BTreeMap<String, Hash>,
    },
    /// A move to another place.
    Move {
        /// The node.
        id: String,
        /// As it was; absent for a node that the changeset itself creates.
        base: Option<BaseMark>,
        /// Where it is to stand.
        to: Placement,
    },
    /// The removal of a node.
    Delete {
        /// The node.
        id: String,
        /// As it was; absent for a node that the changeset itself creates.
        base: Option<BaseMark>,
        /// Why.
        reason: String,
    },
    /// What a person applied; written by the command line alone.
    Applied {
        /// The nodes whose entries are done.
        ids: Vec<String>,
        /// The last operation that was applied: what came after it about one of these nodes is still open.
        through: u32,
    },
}

impl Entry {
    /// The word for it: `create`, `update`, `move`, `delete` or `applied`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Entry::Create { .. } => "create",
            Entry::Update { .. } => "update",
            Entry::Move { .. } => "move",
            Entry::Delete { .. } => "delete",
            Entry::Applied { .. } => "applied",
        }
    }

    /// The node that it is about; empty for `applied`.
    pub fn id(&self) -> &str {
        match self {
            Entry::Create { content, .. } => &content.id,
            Entry::Update { id, .. } | Entry::Move { id, .. } | Entry::Delete { id, .. } => id,
            Entry::Applied { .. } => "",
        }
    }

    /// The base that it was made for.
    pub fn base(&self) -> Option<&BaseMark> {
        match self {
            Entry::Update { base, .. } | Entry::Move { base, .. } | Entry::Delete { base, .. } => {
                base.as_ref()
            }
            Entry::Create { .. } | Entry::Applied { .. } => None,
        }
    }

    /// The form in the log.
    pub(crate) fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("kind".to_owned(), self.kind().into());
        match self {
            Entry::Create { content, placement, targets } => {
                out.insert("node".to_owned(), content.to_json());
                out.insert("placement".to_owned(), placement.to_json());
                out.insert("targets".to_owned(), targets_json(targets));
            }
            Entry::Update { items, targets, .. } => {
                let items = items.iter().map(|(item, value)| json!([item.to_json(), value]));
                out.insert("items".to_owned(), items.collect());
                out.insert("targets".to_owned(), targets_json(targets));
            }
            Entry::Move { to, .. } => {
                out.insert("to".to_owned(), to.to_json());
            }
            Entry::Delete { reason, .. } => {
                out.insert("reason".to_owned(), reason.as_str().into());
            }
            Entry::Applied { ids, through } => {
                out.insert("ids".to_owned(), ids.clone().into());
                out.insert("through".to_owned(), (*through).into());
            }
        }
        if !matches!(self, Entry::Create { .. } | Entry::Applied { .. }) {
            out.insert("id".to_owned(), self.id().into());
            if let Some(base) = self.base() {
                let mark =
                    json!({ "hash": base.hash.to_string(), "path": base.path, "ordinal": base.ordinal });
                out.insert("base".to_owned(), mark);
            }
        }
        Value::Object(out)
    }

    /// Reads the form of the log; `None` for anything else.
    pub(crate) fn from_json(value: &Value) -> Option<Entry> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let base = match value.get("base") {
            None => None,
            Some(mark) => Some(BaseMark {
                hash: Hash::parse(mark.get("hash")?.as_str()?)?,
                path: mark.get("path")?.as_str()?.to_owned(),
                ordinal: usize::try_from(mark.get("ordinal")?.as_u64()?).ok()?,
            }),
        };
        Some(match value.get("kind")?.as_str()? {
            "create" => Entry::Create {
                content: Content::from_json(value.get("node")?)?,
                placement: Placement::from_json(value.get("placement")?)?,
                targets: targets_from(value)?,
            },
            "update" => {
                let items = value.get("items")?.as_array()?.iter().map(|pair| {
                    let pair = pair.as_array().filter(|pair| pair.len() == 2)?;
                    let new = if pair[1].is_null() { None } else { Some(pair[1].clone()) };
                    Some((Item::from_json(&pair[0])?, new))
                });
                let items = items.collect::<Option<Vec<_>>>()?;
                Entry::Update { id: text("id")?, base, items, targets: targets_from(value)? }
            }
            "move" => Entry::Move { id: text("id")?, base, to: Placement::from_json(value.get("to")?)? },
            "delete" => Entry::Delete { id: text("id")?, base, reason: text("reason")? },
            "applied" => {
                let ids = value.get("ids")?.as_array()?.iter().map(|id| id.as_str().map(str::to_owned));
                let through = u32::try_from(value.get("through")?.as_u64()?).ok()?;
                Entry::Applied { ids: ids.collect::<Option<Vec<_>>>()?, through }
            }
            _ => return None,
        })
    }
}

fn targets_json(targets: &BTreeMap<String, Hash>) -> Value {
    Value::Object(targets.iter().map(|(id, hash)| (id.clone(), hash.to_string().into())).collect())
}

fn targets_from(value: &Value) -> Option<BTreeMap<String, Hash>> {
    let targets = value.get("targets")?.as_object()?;
    targets.iter().map(|(id, hash)| Some((id.clone(), Hash::parse(hash.as_str()?)?))).collect()
}

impl Placement {
    /// The form in the log: `{"source","path","after"?|"section"?}`.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("source".to_owned(), self.source.as_str().into());
        out.insert("path".to_owned(), self.path.as_str().into());
        match &self.place {
            Place::End => {}
            Place::After(id) => drop(out.insert("after".to_owned(), id.as_str().into())),
            Place::Section(heading) => drop(out.insert("section".to_owned(), heading.as_str().into())),
        }
        Value::Object(out)
    }

    fn from_json(value: &Value) -> Option<Placement> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let place = match (text("after"), text("section")) {
            (None, None) => Place::End,
            (Some(id), None) => Place::After(id),
            (None, Some(heading)) => Place::Section(heading),
            (Some(_), Some(_)) => return None,
        };
        Some(Placement { source: text("source")?, path: text("path")?, place })
    }
}
