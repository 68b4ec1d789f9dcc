//! The manifest as a tree of TOML values with their places, and the findings about it. It does not know which keys
//! there are; `form` asks for them.

use std::cell::RefCell;
use std::ops::Range;

use toml_edit::{Document, Item, TableLike, Value};

use crate::diagnose::{Check, Diagnostic, Place};

/// The name of the manifest below the project root.
pub const MANIFEST_NAME: &str = "docforge.toml";

/// A value with its bytes in the manifest.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// What it is.
    pub(crate) value: Data,
    /// Where it stands.
    pub(crate) span: Range<usize>,
}

/// What a value is.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    /// A string.
    Text(String),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A date or a time, as written.
    Date(String),
    /// An array, or an array of tables.
    Array(Vec<Entry>),
    /// A table of any spelling.
    Table(Table),
}

impl Data {
    /// What to call it in a message.
    pub(crate) const fn noun(&self) -> &'static str {
        match self {
            Data::Text(_) => "a string",
            Data::Integer(_) => "an integer",
            Data::Float(_) => "a float",
            Data::Boolean(_) => "a boolean",
            Data::Date(_) => "a date",
            Data::Array(_) => "an array",
            Data::Table(_) => "a table",
        }
    }
}

/// A table in manifest order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Its members.
    pub(crate) members: Vec<Member>,
}

impl Table {
    /// The member of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|one| one.name == name)
    }
}

/// One key of a table with its value.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// The key.
    pub(crate) name: String,
    /// Where the key stands.
    pub(crate) span: Range<usize>,
    /// The value.
    pub(crate) entry: Entry,
}

/// What is wrong with a manifest, gathered while it is read.
pub(crate) struct Faults<'m> {
    text: &'m str,
    found: RefCell<Vec<Diagnostic>>,
}

impl<'m> Faults<'m> {
    /// Nothing is wrong yet with `text`.
    pub(crate) fn of(text: &'m str) -> Faults<'m> {
        Faults { text, found: RefCell::new(Vec::new()) }
    }

    /// Adds a finding at `span`; the words are the engine's and repeat checked names only.
    pub(crate) fn add(&self, span: &Range<usize>, message: impl Into<String>) {
        self.push(Diagnostic::new(Check::ManifestInvalid, self.place(span), message));
    }

    /// The same with what to write instead.
    pub(crate) fn add_with_fix(
        &self,
        span: &Range<usize>,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.push(Diagnostic::new(Check::ManifestInvalid, self.place(span), message).fix(fix));
    }

    /// Adds a finding of any kind.
    pub(crate) fn push(&self, diagnostic: Diagnostic) {
        self.found.borrow_mut().push(diagnostic);
    }

    /// Line and column of the first byte of `span`.
    pub(crate) fn place(&self, span: &Range<usize>) -> Place {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        Place {
            path: Some(MANIFEST_NAME.to_owned()),
            line: u32::try_from(line).ok(),
            column: u32::try_from(column).ok(),
        }
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// Every finding in the published order, each once.
    pub(crate) fn into_sorted(self) -> Vec<Diagnostic> {
        let mut found = self.found.into_inner();
        found.sort_by(Diagnostic::order);
        found.dedup();
        found
    }
}

/// Reads TOML; `None` when it is not TOML, which is then among the faults.
pub(crate) fn parse(text: &str, faults: &Faults<'_>) -> Option<Table> {
    match Document::parse(text) {
        Ok(document) => Some(table(document.as_table())),
        Err(error) => {
            let span = error.span().unwrap_or(0..0);
            // The parser's own words name what it expected; they quote no text of the file.
            let words = error.message().lines().next().unwrap_or("").trim().to_owned();
            faults.push(
                Diagnostic::new(
                    Check::ManifestInvalid,
                    faults.place(&span),
                    "the manifest is not valid TOML",
                )
                .with_doc(words),
            );
            None
        }
    }
}

fn table(source: &dyn TableLike) -> Table {
    let members = source.iter().filter_map(|(name, item)| {
        let (key, _) = source.get_key_value(name)?;
        let entry = entry(item)?;
        let span = key.span().unwrap_or_else(|| entry.span.clone());
        Some(Member { name: name.to_owned(), span, entry })
    });
    Table { members: members.collect() }
}

fn entry(item: &Item) -> Option<Entry> {
    let span = item.span().unwrap_or(0..0);
    match item {
        Item::None => None,
        Item::Value(value) => Some(value_entry(value)),
        Item::Table(one) => Some(Entry { value: Data::Table(table(one)), span }),
        Item::ArrayOfTables(many) => {
            let entries = many.iter().map(|one| Entry {
                value: Data::Table(table(one)),
                span: one.span().unwrap_or_else(|| span.clone()),
            });
            Some(Entry { value: Data::Array(entries.collect()), span })
        }
    }
}

fn value_entry(value: &Value) -> Entry {
    let data = match value {
        Value::String(text) => Data::Text(text.value().clone()),
        Value::Integer(number) => Data::Integer(*number.value()),
        Value::Float(number) => Data::Float(*number.value()),
        Value::Boolean(truth) => Data::Boolean(*truth.value()),
        Value::Datetime(time) => Data::Date(time.value().to_string()),
        Value::Array(items) => Data::Array(items.iter().map(value_entry).collect()),
        Value::InlineTable(inline) => Data::Table(table(inline)),
    };
    Entry { value: data, span: value.span().unwrap_or(0..0) }
}

/// The value as JSON, dates as text; an infinity, which JSON has not, as null.
pub(crate) fn to_json(entry: &Entry) -> serde_json::Value {
    match &entry.value {
        Data::Text(text) | Data::Date(text) => serde_json::Value::from(text.as_str()),
        Data::Integer(number) => serde_json::Value::from(*number),
        Data::Float(number) => serde_json::Value::from(*number),
        Data::Boolean(truth) => serde_json::Value::from(*truth),
        Data::Array(items) => items.iter().map(to_json).collect(),
        Data::Table(table) => {
            let members = table.members.iter().map(|member| (member.name.clone(), to_json(&member.entry)));
            serde_json::Value::Object(members.collect())
        }
    }
}
