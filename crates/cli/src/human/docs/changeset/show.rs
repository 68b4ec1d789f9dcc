//! `readroom docs changeset show`: what one changeset is about, how its entries stand, how it was closed, and its log.

use apply::{Review, review};
use docs::Checked;
use propose::{ChangesetState, Entry, Store};
use serde_json::{Value, json};

use super::super::json::tell;
use super::super::project::print;
use super::diff;
use super::office::{Office, ended, id, refused};
use super::page::{Look, Page, quoted};
use crate::exit::{Ended, Exit};
use crate::flags::docs::changeset::OneFlags;

pub(super) fn run(flags: &OneFlags) -> Result<Exit, Ended> {
    if flags.read.json {
        let arguments = json!({ "changeset_id": flags.id, "include": ["entries", "log"] });
        return Ok(tell(&flags.read.root.path, "docforge_get_changeset", &arguments)?.1);
    }
    let id = id(&flags.id)?;
    let office = Office::open(&flags.read.root.path, Checked::Stat)?;
    let shop = office.shop();
    let review = review(&shop, office.snapshot()?, &id, &[]).map_err(ended)?;
    let stored = &review.case.stored;
    let mut page = Page::new();
    head(&review, &mut page);
    if let Some(reason) = &stored.log.header.reason {
        page.plain_line("reason");
        for line in reason.lines() {
            page.plain_line(&format!("    {line}"));
        }
    }
    let store = Store::new(shop.roots);
    if let Some(outcome) = store.outcome(stored).map_err(refused)? {
        let text = |key: &str| outcome.get(key).and_then(Value::as_str).unwrap_or("?").to_owned();
        page.plain_line(&format!("{} by {} at {}", text("state"), quoted(&text("who")), text("when")));
    }
    if stored.state == ChangesetState::Open {
        page.plain_line("entries");
        for entry in &review.validation.entries {
            page.plain_line(&format!("    {:<6}  {}  {}", entry.kind, entry.id, entry.state.as_str()));
        }
        diff::overlaps(&review, &mut page);
    }
    page.plain_line("log");
    for one in &stored.log.operations {
        let about = match &one.entry {
            Entry::Applied { ids, through } => format!("{} (through {through})", ids.join(" ")),
            other => other.id().to_owned(),
        };
        page.plain_line(&format!(
            "    {}  {}  {}  {about}  ({})",
            one.n,
            one.time,
            one.entry.kind(),
            one.tool
        ));
    }
    print(&page.into_text())?;
    Ok(Exit::Ok)
}

/// What every page about one changeset begins with.
pub(super) fn head(review: &Review, page: &mut Page) {
    let stored = &review.case.stored;
    let header = &stored.log.header;
    page.line(
        Look::Head,
        &format!(
            "{}  {}  version {}  by {}  {}",
            header.id,
            stored.state.as_str(),
            stored.log.version(),
            header.writer,
            quoted(&header.title)
        ),
    );
    page.plain_line(&format!("made {} for revision {}", header.created, header.base.revision));
    if stored.log.is_damaged {
        page.line(
            Look::Removed,
            &format!("damaged: only the operations through {} hold together", stored.log.version()),
        );
    }
}
