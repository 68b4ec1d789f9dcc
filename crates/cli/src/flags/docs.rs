//! What a person types behind `readroom docs`: one struct a command, and the project root once for all of them.

pub(crate) mod changeset;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::path;
use super::setup::ClientName;

/// `readroom docs`.
#[derive(Debug, Subcommand)]
pub(crate) enum DocsCommand {
    /// Make a small project that checks clean
    Init(InitFlags),
    /// Say everything that is wrong, with place and remedy
    Check(CheckFlags),
    /// Write the index file, one database that other programs can query
    Index(IndexFlags),
    /// Say how documents, index and changesets stand
    Status(OneRoot),
    /// Look for what keeps the project from being read, written or recovered, each with its remedy
    Doctor(OneRoot),
    /// Print one node
    Show(ShowFlags),
    /// Find nodes by words: all must match; `"in a row"`, `begin*`, `-without`, `one | other`
    Search(SearchFlags),
    /// List the nodes that meet a condition, such as `type = req and none(in.verifies)`
    Filter(FilterFlags),
    /// List what leads to a node and where it leads
    Links(LinksFlags),
    /// Say whom a change of nodes, or a changeset, would touch
    Impact(ImpactFlags),
    /// Print a node and what matters around it, within a budget of tokens
    Context(ContextFlags),
    /// Look at the pins of relations, or say that their targets were reviewed
    #[command(subcommand)]
    Pins(PinsCommand),
    /// List the files whose bytes count in the source hash
    Sources(SourcesFlags),
    /// Print what the manifest says
    Contract(ContractFlags),
    /// List the formats that can be read
    Adapters,
    /// Print how a client is told about this project
    McpConfig(McpConfigFlags),
    /// Look at what agents propose, and apply or close it
    #[command(subcommand)]
    Changeset(changeset::ChangesetCommand),
}

/// What every command has that reads and means the same as a tool.
#[derive(Debug, Args)]
pub(crate) struct ReadFlags {
    /// Print the answer of the tool that means the same
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

/// The project that a command is about.
#[derive(Debug, Args)]
pub(crate) struct RootFlag {
    /// The folder of the project
    #[arg(long = "project-root", value_name = "DIR", default_value = ".", value_parser = path)]
    pub(crate) path: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct InitFlags {
    /// What kind of project
    #[arg(long, value_name = "KIND", value_enum, default_value_t = DocsPreset::Req)]
    pub(crate) preset: DocsPreset,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

/// A kind of project to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DocsPreset {
    /// Requirements and tests
    Req,
    /// Decision records
    Adr,
    /// Linked notes
    Notes,
}

#[derive(Debug, Args)]
pub(crate) struct CheckFlags {
    /// Only findings that concern files which differ from the last Git commit
    #[arg(long)]
    pub(crate) changed_only: bool,
    /// Write a make rule that names every file that was read
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub(crate) depfile: Option<PathBuf>,
    /// Print the answer of the tool that means the same
    #[arg(long, conflicts_with = "changed_only")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct IndexFlags {
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct ShowFlags {
    /// Its id, or an alias
    pub(crate) id: String,
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

#[derive(Debug, Args)]
pub(crate) struct SearchFlags {
    /// What to look for
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

#[derive(Debug, Args)]
pub(crate) struct FilterFlags {
    /// The condition
    pub(crate) expression: String,
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

#[derive(Debug, Args)]
pub(crate) struct LinksFlags {
    /// Its id, or an alias
    pub(crate) id: String,
    /// Only what leads to it
    #[arg(long = "in")]
    pub(crate) inbound: bool,
    /// Only where it leads
    #[arg(long)]
    pub(crate) out: bool,
    /// Addresses outside of the project
    #[arg(long)]
    pub(crate) external: bool,
    /// Print the answer of the tool that means the same
    #[arg(long, conflicts_with = "external")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct SourcesFlags {
    /// End each path with a NUL instead of a line end
    #[arg(short = '0')]
    pub(crate) zero: bool,
    /// Print the answer of the project's tools, with the files
    #[arg(long, conflicts_with = "zero")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct ContractFlags {
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

#[derive(Debug, Args)]
pub(crate) struct OneRoot {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct ImpactFlags {
    /// The nodes that change, at most 20
    #[arg(value_name = "ID", required_unless_present = "changeset")]
    pub(crate) ids: Vec<String>,
    /// What changes is what this changeset proposes
    #[arg(long, value_name = "CHANGESET", conflicts_with_all = ["ids", "delete", "field"])]
    pub(crate) changeset: Option<String>,
    /// They are removed
    #[arg(long, conflicts_with = "field")]
    pub(crate) delete: bool,
    /// Only this field of them gets another value
    #[arg(long, value_name = "FIELD")]
    pub(crate) field: Option<String>,
    /// Most steps from what changes [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10))]
    pub(crate) depth: Option<u64>,
    /// Inline links carry a change as well
    #[arg(long)]
    pub(crate) mentions: bool,
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

#[derive(Debug, Args)]
pub(crate) struct ContextFlags {
    /// Its id, or an alias
    pub(crate) id: String,
    /// Most tokens, by an estimate of four characters each [default: 4000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(200..=20_000))]
    pub(crate) budget: Option<u64>,
    /// Words that bring their nodes nearer
    #[arg(long, value_name = "QUERY")]
    pub(crate) query: Option<String>,
    /// Most steps from the node [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4))]
    pub(crate) depth: Option<u64>,
    #[command(flatten)]
    pub(crate) read: ReadFlags,
}

#[derive(Debug, Args)]
pub(crate) struct McpConfigFlags {
    /// The client
    #[arg(value_name = "CLIENT", value_enum)]
    pub(crate) client: ClientName,
    /// Who the client may propose changes as, a writer of the manifest
    #[arg(long, value_name = "NAME")]
    pub(crate) proposal_writer: Option<String>,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

/// `readroom docs pins`.
#[derive(Debug, Subcommand)]
pub(crate) enum PinsCommand {
    /// List the relations that may be pinned, and how each stands
    List(OneRoot),
    /// Say that the targets of some nodes were reviewed as they are now: their pins are set
    Accept(PinsAcceptFlags),
}

#[derive(Debug, Args)]
pub(crate) struct PinsAcceptFlags {
    /// The nodes whose relations are pinned
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<String>,
    /// Pin relations that may do without a pin as well
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}
