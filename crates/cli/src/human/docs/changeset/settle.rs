//! `readroom docs changeset recover` and `gc`: what interrupted runs left is finished, undone or taken away.

use apply::{Direction, Recovered, collect};

use super::super::project::print;
use super::office::{Office, ended};
use super::page::{Page, count};
use crate::cancel::Finishing;
use crate::exit::{Ended, Exit};
use crate::flags::docs::changeset::AllFlags;

/// Settles every interrupted change; none is no fault.
pub(super) fn recover(flags: &AllFlags) -> Result<Exit, Ended> {
    let office = Office::open_unsettled(&flags.root.path)?;
    let settled = {
        let _finishing = Finishing::begin();
        apply::recover(&office.shop()).map_err(ended)?
    };
    let mut page = Page::new();
    if settled.is_empty() {
        page.plain_line("nothing was interrupted");
    }
    for one in &settled {
        told(one, &mut page);
    }
    print(&page.into_text())?;
    Ok(Exit::Ok)
}

fn told(one: &Recovered, page: &mut Page) {
    page.plain_line(&match one.direction {
        Direction::Forward => format!("{}: finished; every document has its new text", one.changeset),
        Direction::Back => format!("{}: undone; every document has its old text again", one.changeset),
    });
    for path in &one.left {
        page.plain_line(&format!(
            "    {path}: somebody else wrote to it meanwhile, so it is as they left it"
        ));
    }
}

/// Takes away what interrupted writers left, and says what that was.
pub(super) fn gc(flags: &AllFlags) -> Result<Exit, Ended> {
    let office = Office::open(&flags.root.path, docs::Checked::Stat)?;
    let collected = collect(&office.shop()).map_err(ended)?;
    let mut page = Page::new();
    for path in &collected.removed {
        page.plain_line(&format!("removed {path}"));
    }
    for id in &collected.archived {
        page.plain_line(&format!("archived {id}"));
    }
    let removed = count(collected.removed.len(), "leftover", "leftovers");
    let archived = count(collected.archived.len(), "closed changeset", "closed changesets");
    page.plain_line(&format!("{removed} removed, {archived} moved to the archive"));
    print(&page.into_text())?;
    Ok(Exit::Ok)
}
