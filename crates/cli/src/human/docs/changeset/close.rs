//! `readroom docs changeset reject` and `withdraw`: a person closes a changeset, and no document changes.

use apply::{CloseRequest, close, review};
use docs::Checked;
use propose::ChangesetState;

use super::super::project::print;
use super::gate;
use super::office::{Office, ended, id};
use crate::cancel::{CtrlC, Finishing};
use crate::exit::{Ended, Exit};
use crate::flags::docs::changeset::CloseFlags;
use crate::wire::who;

pub(super) fn run(flags: &CloseFlags, state: ChangesetState) -> Result<Exit, Ended> {
    let verb = if state == ChangesetState::Rejected { "reject" } else { "withdraw" };
    let id = id(&flags.id)?;
    let office = Office::open(&flags.root.path, Checked::Hash)?;
    let shop = office.shop();
    let seen = review(&shop, office.snapshot()?, &id, &[]).map_err(ended)?;
    gate::present(&seen)?;
    let confirmed = gate::confirmed(flags.gate.confirm.as_deref(), seen.diff_hash, verb)?;
    let request = CloseRequest { changeset: id.clone(), state, confirmed, who: who() };
    {
        let _finishing = Finishing::begin();
        close(&shop, &request, &CtrlC).map_err(ended)?;
    }
    print(&format!("{} {id}; it lies in the archive, and no document was changed\n", state.as_str()))?;
    Ok(Exit::Ok)
}
