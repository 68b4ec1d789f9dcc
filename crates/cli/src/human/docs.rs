//! `readroom docs`: a project of structured documents, for people. It sends each command to its own file.

mod changed;
mod changeset;
mod check;
mod contract;
mod depfile;
mod index;
mod init;
mod json;
mod links;
mod project;
mod show;
mod sources;

use crate::exit::{Ended, Exit};
use crate::flags::docs::DocsCommand;

/// Runs one command.
pub(crate) fn run(command: &DocsCommand) -> Result<Exit, Ended> {
    match command {
        DocsCommand::Init(flags) => init::run(flags.preset, &flags.root.path),
        DocsCommand::Check(flags) => check::run(flags),
        DocsCommand::Index(flags) => index::run(flags),
        DocsCommand::Show(flags) => show::node(&flags.id, &flags.root.path),
        DocsCommand::Search(flags) => show::search(&flags.query, &flags.root.path),
        DocsCommand::Filter(flags) => show::filter(&flags.expression, &flags.root.path),
        DocsCommand::Links(flags) => links::run(flags),
        DocsCommand::Sources(flags) => sources::run(flags),
        DocsCommand::Contract(flags) => contract::run(flags),
        DocsCommand::Adapters => contract::adapters(),
        DocsCommand::Changeset(command) => changeset::run(command),
    }
}
