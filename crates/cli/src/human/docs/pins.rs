//! `readroom docs pins`: which relations were reviewed with their target as it is now, and the word of a person that they
//! are. What is written, and how, belongs to `apply`.

use apply::{PinRequest, accept_pins};
use docs::{Checked, Pin, PinState, Snapshot};
use serde_json::{Value, json};

use super::changeset::office::{Office, ended};
use super::json::told;
use super::project::{open, print, shown};
use crate::cancel::{CtrlC, Finishing};
use crate::exit::{Ended, Exit};
use crate::flags::docs::{OneRoot, PinsAcceptFlags, PinsCommand};
use crate::wire::who;

pub(super) fn run(command: &PinsCommand) -> Result<Exit, Ended> {
    match command {
        PinsCommand::List(flags) => list(flags),
        PinsCommand::Accept(flags) => accept(flags),
    }
}

fn list(flags: &OneRoot) -> Result<Exit, Ended> {
    let opened = open(&flags.root.path, Checked::Hash)?;
    let snapshot = opened.snapshot()?;
    let count = |wanted: PinState| snapshot.pins().filter(|pin| pin.state == wanted).count();
    let (suspect, missing) = (count(PinState::Suspect), count(PinState::Missing));
    let exit = if suspect + missing > 0 { Exit::FINDINGS } else { Exit::Ok };
    if flags.json {
        let pins: Vec<Value> = snapshot.pins().map(|pin| entry(snapshot, &pin)).collect();
        let said = told(opened, json!({ "pins": pins }))?;
        return Ok(if said == Exit::Ok { exit } else { said });
    }
    let mut out = String::new();
    for pin in snapshot.pins() {
        let node = snapshot.node(pin.from);
        let (from, to) = (shown(&node.id), shown(&snapshot.node(pin.to).id));
        let place = format!("{}:{}", shown(&node.path), pin.link.span.line);
        out.push_str(&format!("{:<8}  {from} -{}-> {to}  {place}\n", pin.state.as_str(), pin.relation.name));
    }
    let (current, unpinned) = (count(PinState::Current), count(PinState::Unpinned));
    out.push_str(&format!("{current} current, {suspect} suspect, {missing} missing, {unpinned} unpinned\n"));
    print(&out)?;
    Ok(exit)
}

fn entry(snapshot: &Snapshot, pin: &Pin<'_>) -> Value {
    let node = snapshot.node(pin.from);
    let mut out = json!({
        "state": pin.state.as_str(),
        "from": node.id,
        "relation": pin.relation.name,
        "to": snapshot.node(pin.to).id,
        "path": node.path,
        "line": pin.link.span.line,
        "wanted": pin.wanted.to_string(),
    });
    // A pin of another form than ours is whatever somebody wrote there.
    match &pin.link.pin {
        Some(text) if docs::Hash::parse(text).is_some() => out["pin"] = json!(text),
        Some(text) => out["doc"] = json!({ "pin": text }),
        None => {}
    }
    out
}

fn accept(flags: &PinsAcceptFlags) -> Result<Exit, Ended> {
    let office = Office::open(&flags.root.path, Checked::Hash)?;
    let request = PinRequest { ids: flags.ids.clone(), pins_all: flags.all, who: who() };
    let done = {
        let _finishing = Finishing::begin();
        accept_pins(&office.shop(), &request, &CtrlC).map_err(ended)?
    };
    let mut out = String::new();
    for pin in &done.pins {
        out.push_str(&format!(
            "{} -{}-> {}  {}\n",
            shown(&pin.from),
            pin.relation,
            shown(&pin.to),
            pin.after
        ));
    }
    for path in &done.files {
        out.push_str(&format!("written {}\n", shown(path)));
    }
    if !done.newly_suspect.is_empty() {
        let ids: Vec<String> = done.newly_suspect.iter().map(|id| shown(id)).collect();
        out.push_str(&format!("suspect now, because they pin a node that got pins: {}\n", ids.join(", ")));
    }
    out.push_str(&format!("{} pin(s) set\n", done.pins.len()));
    print(&out)?;
    Ok(Exit::Ok)
}
