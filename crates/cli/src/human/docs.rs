//! `readroom docs`: a project of structured documents, for people. It sends each command to its own file.

mod changed;
mod changeset;
mod check;
mod context;
mod contract;
mod depfile;
mod doctor;
mod impact;
mod index;
mod init;
mod json;
mod links;
mod mcp_config;
mod pins;
mod project;
mod show;
mod sources;
mod status;

pub(crate) use project::{pin, shown};

use crate::exit::{Ended, Exit};
use crate::flags::docs::DocsCommand;

/// Runs one command.
pub(crate) fn run(command: &DocsCommand) -> Result<Exit, Ended> {
    match command {
        DocsCommand::Init(flags) => init::run(flags.preset, &flags.root.path),
        DocsCommand::Check(flags) => check::run(flags),
        DocsCommand::Index(flags) => index::run(flags),
        DocsCommand::Status(flags) => status::run(flags),
        DocsCommand::Doctor(flags) => doctor::run(flags),
        DocsCommand::Show(flags) => show::node(flags),
        DocsCommand::Search(flags) => show::search(flags),
        DocsCommand::Filter(flags) => show::filter(flags),
        DocsCommand::Links(flags) => links::run(flags),
        DocsCommand::Impact(flags) => impact::run(flags),
        DocsCommand::Context(flags) => context::run(flags),
        DocsCommand::Pins(command) => pins::run(command),
        DocsCommand::Sources(flags) => sources::run(flags),
        DocsCommand::Contract(flags) => contract::run(flags),
        DocsCommand::McpConfig(flags) => mcp_config::run(flags),
        DocsCommand::Adapters => contract::adapters(),
        DocsCommand::Changeset(command) => changeset::run(command),
    }
}
