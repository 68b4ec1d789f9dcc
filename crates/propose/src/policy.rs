//! Who may propose what: the writer that a server is bound to at its start, and what an integration adds, which can only
//! narrow (spec C14). It knows no disk.

use docs::{Contract, Snapshot, WriterDef};

use crate::content::{Content, Item};
use crate::finding::Finding;
use crate::fold::{Effective, Kind};
use crate::oplog::Header;

/// The writer of a server, taken from the contract when it starts; there is no other way to have one.
#[derive(Clone, Debug)]
pub struct StartupWriter {
    def: WriterDef,
}

impl StartupWriter {
    /// The writer of this name; `None` when the contract declares none.
    pub fn of(contract: &Contract, name: &str) -> Option<StartupWriter> {
        contract.writer(name).map(|def| StartupWriter { def: def.clone() })
    }

    /// What it may do.
    pub fn def(&self) -> &WriterDef {
        &self.def
    }
}

/// What a policy says of an operation. There is no word for allowing: it can only take away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// Nothing against it.
    Pass,
    /// It may not be done: a code, and words for people.
    Deny(ReasonCode, String),
}

/// Why a policy denies, as a word that a program can act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasonCode(String);

impl ReasonCode {
    /// A code of 1 to 64 small letters, digits and `_`; `None` for anything else.
    pub fn new(text: &str) -> Option<ReasonCode> {
        let is_code = (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        is_code.then(|| ReasonCode(text.to_owned()))
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An operation as a policy sees it.
#[derive(Clone, Copy, Debug)]
pub struct OpView<'a> {
    /// What is done.
    pub kind: Kind,
    /// To which node.
    pub id: &'a str,
    /// The type of the node.
    pub type_name: &'a str,
    /// The source of the node, or of its new place.
    pub source: &'a str,
    /// The file of the node, or of its new place; an address, not a way to open it.
    pub path: &'a str,
    /// The node as it is.
    pub before: Option<&'a Content>,
    /// The node as it would be.
    pub after: Option<&'a Content>,
    /// What changes.
    pub items: &'a [Item],
}

/// Narrows what the writer may do, operation by operation.
pub trait ProposalPolicy: Send + Sync {
    /// Looks at one operation before it is accepted.
    fn check(&self, op: &OpView<'_>) -> Narrow;
}

/// The policy of the normal command: the writer's own rules and nothing more.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriterRules;

impl ProposalPolicy for WriterRules {
    fn check(&self, _op: &OpView<'_>) -> Narrow {
        Narrow::Pass
    }
}

/// A changeset as a validator sees it: to be looked at, not to be kept.
#[derive(Clone, Copy, Debug)]
pub struct ChangesetView<'a> {
    /// Who made it, when and for which state of the project.
    pub header: &'a Header,
    /// What it does, by node.
    pub entries: &'a [&'a Effective],
    /// The project as it is.
    pub before: &'a Snapshot,
    /// The project as it would be.
    pub after: &'a Snapshot,
}

/// Adds findings of an integration. They stand beside those of the core and can take none of them away.
pub trait ProposalValidator: Send + Sync {
    /// Its name: small letters, digits, `_` and `-`.
    fn id(&self) -> &str;
    /// Looks at a changeset.
    fn review(&self, changeset: &ChangesetView<'_>) -> Vec<Finding>;
}
