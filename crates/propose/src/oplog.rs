//! The log of a changeset: a header and numbered operations, each bound to the one before by a hash (spec C10.2,
//! C10.4). It reads and writes no file.

use docs::{Hash, canon::canonical};
use serde_json::{Map, Value, json};

use crate::entry::Entry;
use crate::id::ChangesetId;

/// The form of the log that this build reads and writes.
const SCHEMA: &str = "docforge.changeset/1";

/// The project as it was when a changeset was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseState {
    /// Its revision.
    pub revision: String,
    /// The hash of its files.
    pub source_hash: String,
    /// The hash of its contract.
    pub contract_hash: String,
    /// Its adapters.
    pub adapter_version: String,
    /// The engine that made the changeset.
    pub engine: String,
}

impl BaseState {
    /// As JSON, for the log and for answers.
    pub fn to_json(&self) -> Value {
        json!({
            "revision": self.revision,
            "source_hash": self.source_hash,
            "contract_hash": self.contract_hash,
            "adapter_version": self.adapter_version,
            "engine": self.engine,
        })
    }
}

/// What is written once, when a changeset is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its id.
    pub id: ChangesetId,
    /// Its title; free text.
    pub title: String,
    /// Why it was made; free text.
    pub reason: Option<String>,
    /// The writer that made it.
    pub writer: String,
    /// The permissions of that writer then.
    pub writer_policy_hash: Hash,
    /// When it was made, RFC 3339; informational.
    pub created: String,
    /// The key of the caller, and the hash of the arguments that came with it.
    pub idempotency: Option<(String, Hash)>,
    /// The project then.
    pub base: BaseState,
}

impl Header {
    /// The bytes of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Map::new();
        out.insert("schema".to_owned(), SCHEMA.into());
        out.insert("id".to_owned(), self.id.as_str().into());
        out.insert("title".to_owned(), self.title.as_str().into());
        if let Some(reason) = &self.reason {
            out.insert("reason".to_owned(), reason.as_str().into());
        }
        out.insert("writer".to_owned(), self.writer.as_str().into());
        out.insert("writer_policy_hash".to_owned(), self.writer_policy_hash.to_string().into());
        out.insert("created".to_owned(), self.created.as_str().into());
        if let Some((key, arguments)) = &self.idempotency {
            out.insert("idempotency_key".to_owned(), key.as_str().into());
            out.insert("args_hash".to_owned(), arguments.to_string().into());
        }
        out.insert("base".to_owned(), self.base.to_json());
        file_bytes(&Value::Object(out))
    }

    /// Reads the bytes of the file; `None` for anything else.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Header> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        if text("schema")? != SCHEMA {
            return None;
        }
        let base = value.get("base")?;
        let base_text = |key: &str| base.get(key).and_then(Value::as_str).map(str::to_owned);
        let idempotency = match text("idempotency_key") {
            Some(key) => Some((key, Hash::parse(&text("args_hash")?)?)),
            None => None,
        };
        Some(Header {
            id: ChangesetId::parse(&text("id")?)?,
            title: text("title")?,
            reason: text("reason"),
            writer: text("writer")?,
            writer_policy_hash: Hash::parse(&text("writer_policy_hash")?)?,
            created: text("created")?,
            idempotency,
            base: BaseState {
                revision: base_text("revision")?,
                source_hash: base_text("source_hash")?,
                contract_hash: base_text("contract_hash")?,
                adapter_version: base_text("adapter_version")?,
                engine: base_text("engine")?,
            },
        })
    }
}

/// One operation of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Its number, from 1.
    pub n: u32,
    /// The sum of the operation before, or the hash of the header.
    pub prev: Hash,
    /// When it was accepted, RFC 3339; informational.
    pub time: String,
    /// The tool that it came by.
    pub tool: String,
    /// The hash of the arguments.
    pub args_hash: Hash,
    /// What it adds.
    pub entry: Entry,
}

impl Operation {
    fn body(&self) -> Value {
        json!({
            "n": self.n,
            "prev": self.prev.to_string(),
            "time": self.time,
            "tool": self.tool,
            "args_hash": self.args_hash.to_string(),
            "entry": self.entry.to_json(),
        })
    }

    /// What the next operation is bound to.
    pub fn sum(&self) -> Hash {
        Hash::of(&[b"docforge.op.v1\n", canonical(&self.body()).as_bytes()])
    }

    /// The bytes of the file.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut body = self.body();
        if let Some(members) = body.as_object_mut() {
            members.insert("sum".to_owned(), self.sum().to_string().into());
        }
        file_bytes(&body)
    }

    /// Reads the bytes of a file; `None` when it is anything else, or its sum is not that of its content.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Operation> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let operation = Operation {
            n: u32::try_from(value.get("n")?.as_u64()?).ok()?,
            prev: Hash::parse(&text("prev")?)?,
            time: text("time")?,
            tool: text("tool")?,
            args_hash: Hash::parse(&text("args_hash")?)?,
            entry: Entry::from_json(value.get("entry")?)?,
        };
        (Hash::parse(&text("sum")?)? == operation.sum()).then_some(operation)
    }
}

/// The sound beginning of a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The header.
    pub header: Header,
    /// The operations that hold together, in order.
    pub operations: Vec<Operation>,
    /// Whether something after them does not.
    pub is_damaged: bool,
    /// Bytes of header and operations.
    pub bytes: u64,
}

impl Log {
    /// Starts a log from the bytes of its header; `None` when that cannot be read.
    pub(crate) fn begin(id: &ChangesetId, header: &[u8]) -> Option<(Log, Hash)> {
        let read = Header::from_bytes(header).filter(|header| header.id == *id)?;
        let bytes = u64::try_from(header.len()).unwrap_or(u64::MAX);
        Some((Log { header: read, operations: Vec::new(), is_damaged: false, bytes }, header_hash(header)))
    }

    /// Adds the next operation when it is bound to `tip`; gives the new tip.
    pub(crate) fn add(&mut self, bytes: &[u8], tip: Hash) -> Option<Hash> {
        let operation = Operation::from_bytes(bytes)?;
        if operation.n != self.version() + 1 || operation.prev != tip {
            return None;
        }
        let sum = operation.sum();
        self.bytes += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.operations.push(operation);
        Some(sum)
    }

    /// The number of the last operation; 0 when there is none.
    pub fn version(&self) -> u32 {
        u32::try_from(self.operations.len()).unwrap_or(u32::MAX)
    }

    /// What the next operation is bound to.
    pub fn tip(&self) -> Hash {
        match self.operations.last() {
            Some(last) => last.sum(),
            None => header_hash(&self.header.to_bytes()),
        }
    }

    /// A hash of everything that the changeset says; times are left out.
    pub fn content_hash(&self) -> Hash {
        let entries: Vec<Value> = self.operations.iter().map(|one| one.entry.to_json()).collect();
        let whole =
            json!({ "id": self.header.id.as_str(), "base": self.header.base.to_json(), "entries": entries });
        Hash::of(&[b"docforge.changeset.v1\n", canonical(&whole).as_bytes()])
    }
}

fn header_hash(bytes: &[u8]) -> Hash {
    Hash::of(&[b"docforge.header.v1\n", bytes])
}

fn file_bytes(value: &Value) -> Vec<u8> {
    let mut text = canonical(value);
    text.push('\n');
    text.into_bytes()
}
