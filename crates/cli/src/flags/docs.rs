//! What a person types behind `readroom docs`: one struct a command, and the project root once for all of them.

pub(crate) mod changeset;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::path;

/// `readroom docs`.
#[derive(Debug, Subcommand)]
pub(crate) enum DocsCommand {
    /// Make a small project that checks clean
    Init(InitFlags),
    /// Say everything that is wrong, with place and remedy
    Check(CheckFlags),
    /// Write the index file, one database that other programs can query
    Index(IndexFlags),
    /// Print one node
    Show(ShowFlags),
    /// Find nodes by words: all must match; `"in a row"`, `begin*`, `-without`, `one | other`
    Search(SearchFlags),
    /// List the nodes that meet a condition, such as `type = req and none(in.verifies)`
    Filter(FilterFlags),
    /// List what leads to a node and where it leads
    Links(LinksFlags),
    /// List the files whose bytes count in the source hash
    Sources(SourcesFlags),
    /// Print what the manifest says
    Contract(ContractFlags),
    /// List the formats that can be read
    Adapters,
    /// Look at what agents propose, and apply or close it
    #[command(subcommand)]
    Changeset(changeset::ChangesetCommand),
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
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct SearchFlags {
    /// What to look for
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct FilterFlags {
    /// The condition
    pub(crate) expression: String,
    #[command(flatten)]
    pub(crate) root: RootFlag,
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
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct SourcesFlags {
    /// End each path with a NUL instead of a line end
    #[arg(short = '0')]
    pub(crate) zero: bool,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}

#[derive(Debug, Args)]
pub(crate) struct ContractFlags {
    /// As normalised JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) root: RootFlag,
}
