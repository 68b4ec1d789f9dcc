//! `readroom docs changeset`: what agents propose, for people to look at, apply or close. It sends each command to its own
//! file.

mod close;
mod decide;
mod diff;
mod gate;
mod list;
pub(super) mod office;
mod page;
mod settle;
mod show;
mod validate;

use crate::exit::{Ended, Exit};
use crate::flags::docs::changeset::ChangesetCommand;

/// Runs one command.
pub(super) fn run(command: &ChangesetCommand) -> Result<Exit, Ended> {
    match command {
        ChangesetCommand::List(flags) => list::run(flags),
        ChangesetCommand::Show(flags) => show::run(flags),
        ChangesetCommand::Diff(flags) => diff::run(flags),
        ChangesetCommand::Validate(flags) => validate::run(flags),
        ChangesetCommand::Apply(flags) => decide::run(flags),
        ChangesetCommand::Reject(flags) => close::run(flags, propose::ChangesetState::Rejected),
        ChangesetCommand::Withdraw(flags) => close::run(flags, propose::ChangesetState::Withdrawn),
        ChangesetCommand::Recover(flags) => settle::recover(flags),
        ChangesetCommand::Gc(flags) => settle::gc(flags),
    }
}
