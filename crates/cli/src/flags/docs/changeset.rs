//! What a person types behind `readroom docs changeset`.

use clap::{Args, Subcommand, ValueEnum};

use super::{ReadFlags, RootFlag};

/// `readroom docs changeset`.
#[derive(Debug, Subcommand)]
pub(crate) enum ChangesetCommand {
    /// List the changesets, the newest first
    List(ListFlags),
    /// Print what one is about: its entries, how they stand, and its log
    Show(OneFlags),
    /// Print what it would change, node by node or as a patch
    Diff(DiffFlags),
    /// Run every check on it
    Validate(OneFlags),
    /// Put it into the documents, after a look at it
    Apply(ApplyFlags),
    /// Close it because its proposal is not wanted
    Reject(CloseFlags),
    /// Close it because it is not needed any more
    Withdraw(CloseFlags),
    /// Finish or undo a change of documents that was interrupted
    Recover(AllFlags),
    /// Remove what interrupted writers left behind
    Gc(AllFlags),
}

#[derive(Debug, Args)]
pub(crate) struct ListFlags {
    /// Only those in this state
    #[arg(long, value_name = "STATE", value_enum)]
    pub(crate) state: Option<StateFlag>,
    /// Only those of this writer
    #[arg(long, value_name = "NAME")]
    pub(crate) writer: Option<String>,
    /// Only those with an entry for this node
    #[arg(long, value_name = "ID")]
    pub(crate) node: Option<String>,
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

/// What became of a changeset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StateFlag {
    /// It takes proposals
    Open,
    /// It is in the documents
    Applied,
    /// A person rejected it
    Rejected,
    /// A person withdrew it
    Withdrawn,
}

#[derive(Debug, Args)]
pub(crate) struct OneFlags {
    /// The changeset, such as cs-01kbd3mv5s0k6x2hq4n8r7t9wy
    #[arg(value_name = "CHANGESET")]
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

#[derive(Debug, Args)]
pub(crate) struct DiffFlags {
    /// The changeset
    #[arg(value_name = "CHANGESET")]
    pub(crate) id: String,
    /// As a patch of the files, which `git apply` takes
    #[arg(long)]
    pub(crate) unified: bool,
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

#[derive(Debug, Args)]
pub(crate) struct ApplyFlags {
    /// The changeset
    #[arg(value_name = "CHANGESET")]
    pub(crate) id: String,
    /// Only the entries of these nodes; the others stay open
    #[arg(long, value_name = "NODE", num_args = 1..)]
    pub(crate) only: Vec<String>,
    /// Put both changes together where a node was changed elsewhere too
    #[arg(long)]
    pub(crate) merge: bool,
    #[command(flatten)]
    pub(crate) gate: GateFlags,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct CloseFlags {
    /// The changeset
    #[arg(value_name = "CHANGESET")]
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) gate: GateFlags,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

/// How a person says yes.
#[derive(Debug, Args)]
pub(crate) struct GateFlags {
    /// The whole hash of the difference, for a script of one's own; without it the terminal is asked
    #[arg(long, value_name = "HASH")]
    pub(crate) confirm: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AllFlags {
    #[command(flatten)]
    pub(crate) root: RootFlag,
}
