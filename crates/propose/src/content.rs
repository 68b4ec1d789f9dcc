//! What a node says, item by item, so that two versions of it can be compared, and a change be put onto another
//! version than the one that it was made for. It knows no file.

use std::collections::BTreeMap;

use docs::Node;
use serde_json::{Map, Value, json};

/// What a node says: everything that a proposal may change, and its id and type.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    /// Its stable id.
    pub id: String,
    /// Its type.
    pub type_name: String,
    /// Its title; empty when there is none.
    pub title: String,
    /// Its fields as JSON.
    pub fields: BTreeMap<String, Value>,
    /// What it relates to, in author order.
    pub relations: Vec<Relation>,
    /// Its canonical body.
    pub body: String,
}

/// One stated relation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Relation {
    /// The relation as declared.
    pub name: String,
    /// The id of the target.
    pub to: String,
    /// The pin.
    pub pin: Option<String>,
    /// The note.
    pub note: Option<String>,
}

/// One thing that can change by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// The title.
    Title,
    /// A field.
    Field(String),
    /// A relation to one target.
    Relation {
        /// The relation as declared.
        name: String,
        /// The id of the target.
        to: String,
    },
    /// The body.
    Body,
}

impl Item {
    /// A word for it: `title`, `body`, `field:NAME` or `relation:NAME`.
    pub fn word(&self) -> String {
        match self {
            Item::Title => "title".to_owned(),
            Item::Body => "body".to_owned(),
            Item::Field(name) => format!("field:{name}"),
            Item::Relation { name, .. } => format!("relation:{name}"),
        }
    }

    /// The form in the log.
    pub fn to_json(&self) -> Value {
        match self {
            Item::Relation { name, to } => json!({ "relation": name, "to": to }),
            other => Value::from(other.word()),
        }
    }

    /// Reads the form of the log.
    pub(crate) fn from_json(value: &Value) -> Option<Item> {
        match value {
            Value::String(word) => match word.as_str() {
                "title" => Some(Item::Title),
                "body" => Some(Item::Body),
                other => other.strip_prefix("field:").map(|name| Item::Field(name.to_owned())),
            },
            other => Some(Item::Relation {
                name: other.get("relation")?.as_str()?.to_owned(),
                to: other.get("to")?.as_str()?.to_owned(),
            }),
        }
    }
}

impl Content {
    /// What a served node says.
    pub fn of(node: &Node) -> Content {
        let relations = node.links.iter().map(|link| Relation {
            name: link.relation.clone(),
            to: link.to.clone(),
            pin: link.pin.clone(),
            note: link.note.clone(),
        });
        Content {
            id: node.id.clone(),
            type_name: node.type_name.clone(),
            title: node.title.clone(),
            fields: node.fields.iter().map(|field| (field.name.clone(), field.value.to_json())).collect(),
            relations: relations.collect(),
            body: node.body.clone(),
        }
    }

    /// The value of one item; `None` when it is not there. An empty title or body is not there.
    pub fn get(&self, item: &Item) -> Option<Value> {
        let text = |text: &str| (!text.is_empty()).then(|| Value::from(text));
        match item {
            Item::Title => text(&self.title),
            Item::Body => text(&self.body),
            Item::Field(name) => self.fields.get(name).cloned(),
            Item::Relation { name, to } => {
                let found = self.relations.iter().find(|one| one.name == *name && one.to == *to)?;
                Some(found.ends_json())
            }
        }
    }

    /// Sets one item, or takes it away.
    pub fn set(&mut self, item: &Item, value: Option<&Value>) {
        let text = || value.and_then(Value::as_str).unwrap_or_default().to_owned();
        match item {
            Item::Title => self.title = text(),
            Item::Body => self.body = text(),
            Item::Field(name) => match value {
                Some(value) => drop(self.fields.insert(name.clone(), value.clone())),
                None => drop(self.fields.remove(name)),
            },
            Item::Relation { name, to } => {
                let place = self.relations.iter().position(|one| one.name == *name && one.to == *to);
                let new = value.map(|value| Relation::from_ends(name, to, value));
                match (place, new) {
                    (Some(place), Some(new)) => self.relations[place] = new,
                    (Some(place), None) => drop(self.relations.remove(place)),
                    (None, Some(new)) => self.relations.push(new),
                    (None, None) => {}
                }
            }
        }
    }

    /// Every item that is there in this or in the other version, in a fixed order.
    pub fn items_with<'c>(&'c self, other: &'c Content) -> Vec<Item> {
        let mut items = vec![Item::Title];
        let names: std::collections::BTreeSet<&String> =
            self.fields.keys().chain(other.fields.keys()).collect();
        items.extend(names.into_iter().map(|name| Item::Field(name.clone())));
        let relations = self.relations.iter().chain(&other.relations);
        let ends: std::collections::BTreeSet<(&String, &String)> =
            relations.map(|one| (&one.name, &one.to)).collect();
        items
            .extend(ends.into_iter().map(|(name, to)| Item::Relation { name: name.clone(), to: to.clone() }));
        items.push(Item::Body);
        items
    }

    /// The items that differ between this and the other version.
    pub fn changed_items(&self, other: &Content) -> Vec<Item> {
        self.items_with(other).into_iter().filter(|item| self.get(item) != other.get(item)).collect()
    }

    /// The form in the log and among the bases.
    pub fn to_json(&self) -> Value {
        let relations: Vec<Value> = self.relations.iter().map(Relation::to_json).collect();
        json!({
            "body": self.body,
            "fields": self.fields.iter().map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>(),
            "id": self.id,
            "relations": relations,
            "title": self.title,
            "type": self.type_name,
        })
    }

    /// Reads the form of the log; `None` for anything else.
    pub fn from_json(value: &Value) -> Option<Content> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let fields = value.get("fields")?.as_object()?;
        let relations: Option<Vec<Relation>> =
            value.get("relations")?.as_array()?.iter().map(Relation::from_json).collect();
        Some(Content {
            id: text("id")?,
            type_name: text("type")?,
            title: text("title")?,
            fields: fields.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            relations: relations?,
            body: text("body")?,
        })
    }
}

impl Relation {
    fn ends_json(&self) -> Value {
        let mut out = Map::new();
        if let Some(pin) = &self.pin {
            out.insert("pin".to_owned(), pin.as_str().into());
        }
        if let Some(note) = &self.note {
            out.insert("note".to_owned(), note.as_str().into());
        }
        Value::Object(out)
    }

    fn from_ends(name: &str, to: &str, value: &Value) -> Relation {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        Relation { name: name.to_owned(), to: to.to_owned(), pin: text("pin"), note: text("note") }
    }

    /// The form in the log: `{"name","to","note"?,"pin"?}`.
    pub fn to_json(&self) -> Value {
        let mut out = self.ends_json();
        if let Some(members) = out.as_object_mut() {
            members.insert("name".to_owned(), self.name.as_str().into());
            members.insert("to".to_owned(), self.to.as_str().into());
        }
        out
    }

    fn from_json(value: &Value) -> Option<Relation> {
        let name = value.get("name")?.as_str()?;
        let to = value.get("to")?.as_str()?;
        Some(Relation::from_ends(name, to, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Content {
        Content {
            id: "R-1".to_owned(),
            type_name: "req".to_owned(),
            title: "One".to_owned(),
            fields: [("status".to_owned(), json!("open")), ("tags".to_owned(), json!(["a", "b"]))].into(),
            relations: vec![Relation {
                name: "needs".to_owned(),
                to: "R-2".to_owned(),
                pin: None,
                note: Some("why".to_owned()),
            }],
            body: "Text.\n".to_owned(),
        }
    }

    #[test]
    fn content_reads_back() {
        assert_eq!(Content::from_json(&sample().to_json()), Some(sample()));
        assert_eq!(Content::from_json(&json!({ "id": "R-1" })), None);
    }

    #[test]
    fn every_item_can_be_set_and_taken_away() {
        let base = sample();
        for item in base.items_with(&base) {
            assert_eq!(Item::from_json(&item.to_json()), Some(item.clone()));
            let mut other = base.clone();
            other.set(&item, None);
            assert_eq!(other.get(&item), None);
            assert_eq!(base.changed_items(&other), std::slice::from_ref(&item));
            other.set(&item, base.get(&item).as_ref());
            assert_eq!(other, base);
        }
    }
}
