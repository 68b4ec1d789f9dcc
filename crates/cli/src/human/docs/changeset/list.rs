//! `readroom docs changeset list`: every changeset on one line, the newest first.

use docs::Checked;
use propose::{ChangesetId, ChangesetState, ListRequest, Store, Summary, list};

use serde_json::{Map, Value};

use super::super::json::tell;
use super::super::project::print;
use super::office::{Office, refused};
use super::page::{Look, Page, count, quoted};
use crate::exit::{Ended, Exit};
use crate::flags::docs::changeset::{ListFlags, StateFlag};

pub(super) fn run(flags: &ListFlags) -> Result<Exit, Ended> {
    if flags.read.json {
        let mut arguments = Map::new();
        let state = flags.state.map(|flag| state_of(flag).as_str().to_owned());
        for (name, value) in
            [("state", state), ("writer", flags.writer.clone()), ("node", flags.node.clone())]
        {
            arguments.extend(value.map(|value| (name.to_owned(), Value::from(value))));
        }
        let arguments = Value::Object(arguments);
        return Ok(tell(&flags.read.root.path, "docforge_list_changesets", &arguments)?.1);
    }
    let office = Office::open(&flags.read.root.path, Checked::Stat)?;
    let snapshot = office.snapshot()?;
    let shop = office.shop();
    let desk = shop.desk(snapshot);
    let request = ListRequest {
        state: flags.state.map(state_of),
        writer: flags.writer.clone(),
        node: flags.node.clone(),
    };
    let found = list(&desk, &request).map_err(refused)?;
    let mut page = Page::new();
    for one in &found {
        line(one, &mut page);
    }
    let mut unreadable = Vec::new();
    if request == ListRequest::default() {
        unreadable = unread(&desk.store(), &found).map_err(refused)?;
        for id in &unreadable {
            page.plain_line(&format!("{id}  damaged: its header cannot be read"));
        }
    }
    page.plain_line(&count(found.len() + unreadable.len(), "changeset", "changesets"));
    print(&page.into_text())?;
    Ok(Exit::Ok)
}

fn line(one: &Summary, page: &mut Page) {
    let is_open = one.state == ChangesetState::Open;
    let mut text = format!("{}  {}  version {}, {}", one.id, one.state.as_str(), one.version, entries(one));
    if one.is_damaged {
        text.push_str(", damaged");
    }
    text.push_str(&format!("  by {}  {}", one.writer, quoted(&one.title)));
    page.line(if is_open { Look::Head } else { Look::Plain }, &text);
    for overlap in &one.overlaps {
        page.plain_line(&format!(
            "    meets {}: {} {}",
            overlap.changeset,
            overlap.node,
            overlap.meeting.as_str()
        ));
    }
}

fn entries(one: &Summary) -> String {
    let open = count(one.entries, "entry", "entries");
    if one.state == ChangesetState::Open { format!("{open}, base {}", one.base.as_str()) } else { open }
}

/// Changesets that have a folder and no header that can be read.
fn unread(store: &Store<'_>, found: &[Summary]) -> Result<Vec<ChangesetId>, propose::ProposeFault> {
    let ids = store.ids()?.into_iter().map(|(id, _)| id);
    Ok(ids.filter(|id| !found.iter().any(|one| one.id == *id)).collect())
}

const fn state_of(flag: StateFlag) -> ChangesetState {
    match flag {
        StateFlag::Open => ChangesetState::Open,
        StateFlag::Applied => ChangesetState::Applied,
        StateFlag::Rejected => ChangesetState::Rejected,
        StateFlag::Withdrawn => ChangesetState::Withdrawn,
    }
}
