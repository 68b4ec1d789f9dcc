//! `readroom docs changeset apply`: a person looks at a changeset, says yes to exactly that, and gets it into the documents.

use apply::{Applied, ApplyRequest, apply, review};
use docs::Checked;

use super::super::project::print;
use super::office::{Office, ended, id};
use super::page::{Look, Page, count};
use super::{gate, validate};
use crate::cancel::{CtrlC, Finishing};
use crate::exit::{Ended, Exit};
use crate::flags::docs::changeset::ApplyFlags;
use crate::wire::who;

pub(super) fn run(flags: &ApplyFlags) -> Result<Exit, Ended> {
    let id = id(&flags.id)?;
    let office = Office::open(&flags.root.path, Checked::Hash)?;
    let shop = office.shop();
    let seen = review(&shop, office.snapshot()?, &id, &flags.only).map_err(ended)?;
    gate::present(&seen)?;
    if flags.gate.confirm.is_none() {
        // Nobody is asked for a yes that would not help.
        seen.may_apply(flags.merge).map_err(ended)?;
    }
    let confirmed = gate::confirmed(flags.gate.confirm.as_deref(), seen.diff_hash, "apply")?;
    let request =
        ApplyRequest { changeset: id, only: flags.only.clone(), confirmed, merges: flags.merge, who: who() };
    let applied = {
        let _finishing = Finishing::begin();
        apply(&shop, &request, &CtrlC).map_err(ended)?
    };
    let mut page = Page::new();
    result(&applied, &mut page);
    let mut text = page.into_text();
    let after = shop.service.refresh(Checked::Hash, &CtrlC).map_err(|_| Ended::Cancelled)?;
    match after.snapshot {
        Some(after) => text.push_str(&validate::delta(&docs::Delta::between(&seen.snapshot, &after))),
        None => text.push_str("the project cannot be loaded now; see `readroom docs check`\n"),
    }
    print(&text)?;
    Ok(Exit::Ok)
}

fn result(applied: &Applied, page: &mut Page) {
    let files = count(applied.files.len(), "file", "files");
    page.line(Look::Added, &format!("applied {}: {} in {files}", applied.changeset, applied.ids.join(", ")));
    for file in &applied.files {
        page.plain_line(&format!("    {file}"));
    }
    if applied.is_closed {
        page.plain_line("the changeset is closed and lies in the archive");
    } else {
        page.plain_line(&format!(
            "the changeset stays open with {}",
            count(applied.remaining, "more entry", "more entries")
        ));
    }
}
