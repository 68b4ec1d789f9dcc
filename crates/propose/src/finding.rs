//! What a check of a changeset found. It checks nothing.

use docs::{Hash, Severity, canon::canonical};
use serde_json::{Map, Value, json};

/// One of the ordered checks V01 to V20 (spec C10.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CheckCode(u8);

impl CheckCode {
    /// How many there are.
    pub const COUNT: u8 = 20;

    /// The check of this number; numbers out of range are the last one.
    pub const fn new(number: u8) -> CheckCode {
        if number == 0 || number > CheckCode::COUNT { CheckCode(CheckCode::COUNT) } else { CheckCode(number) }
    }

    /// Every check in order.
    pub fn all() -> impl Iterator<Item = CheckCode> {
        (1..=CheckCode::COUNT).map(CheckCode)
    }

    /// The form on the wire: `V01`.
    pub fn word(self) -> String {
        format!("V{:02}", self.0)
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// What a check came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckState {
    /// Nothing was found.
    Pass,
    /// Something to know.
    Warn,
    /// Something that must change.
    Fail,
    /// The project has moved on in the same place.
    Conflict,
    /// An earlier failure left nothing to check.
    Skipped,
}

impl CheckState {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            CheckState::Pass => "pass",
            CheckState::Warn => "warn",
            CheckState::Fail => "fail",
            CheckState::Conflict => "conflict",
            CheckState::Skipped => "skipped",
        }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The check that made it.
    pub check: CheckCode,
    /// What was found, as a word.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// The node that it concerns.
    pub entry: Option<String>,
    /// The file that it concerns.
    pub path: Option<String>,
    /// What is wrong, in words of the engine.
    pub message: String,
    /// What a program may act on.
    pub details: Map<String, Value>,
    /// Free text that belongs to it, for under `doc`.
    pub doc: Map<String, Value>,
    /// Whether an operation with it is refused at once.
    pub is_hard: bool,
}

impl Finding {
    /// An error of a check.
    pub fn error(check: u8, code: impl Into<String>, message: impl Into<String>) -> Finding {
        Finding {
            check: CheckCode::new(check),
            code: code.into(),
            severity: Severity::Error,
            entry: None,
            path: None,
            message: message.into(),
            details: Map::new(),
            doc: Map::new(),
            is_hard: false,
        }
    }

    /// A warning of a check.
    pub fn warn(check: u8, code: impl Into<String>, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warn, ..Finding::error(check, code, message) }
    }

    /// The same about a node.
    #[must_use]
    pub fn about(mut self, id: &str) -> Finding {
        self.entry = Some(id.to_owned());
        self
    }

    /// The same about a file.
    #[must_use]
    pub fn at(mut self, path: &str) -> Finding {
        self.path = Some(path.to_owned());
        self
    }

    /// The same with a detail.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Finding {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// The same with free text.
    #[must_use]
    pub fn with_doc(mut self, key: &str, value: impl Into<Value>) -> Finding {
        self.doc.insert(key.to_owned(), value.into());
        self
    }

    /// The same, so that an operation with it is refused.
    #[must_use]
    pub fn hard(mut self) -> Finding {
        self.is_hard = true;
        self
    }

    /// As JSON, for answers and for the hash of a validation.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("check".to_owned(), self.check.word().into());
        out.insert("code".to_owned(), self.code.as_str().into());
        out.insert("severity".to_owned(), self.severity.as_str().into());
        if let Some(entry) = &self.entry {
            out.insert("entry".to_owned(), entry.as_str().into());
        }
        if let Some(path) = &self.path {
            out.insert("path".to_owned(), path.as_str().into());
        }
        out.insert("message".to_owned(), self.message.as_str().into());
        out.insert("details".to_owned(), Value::Object(self.details.clone()));
        if !self.doc.is_empty() {
            out.insert("doc".to_owned(), Value::Object(self.doc.clone()));
        }
        Value::Object(out)
    }
}

/// A hash over a value in canonical form.
pub(crate) fn hash_of(tag: &str, value: &Value) -> Hash {
    Hash::of(&[tag.as_bytes(), b"\n", canonical(value).as_bytes()])
}

/// The words of the arguments of a call, hashed.
pub(crate) fn arguments_hash(value: &Value) -> Hash {
    hash_of("docforge.args.v1", &json!(value))
}
