//! `readroom docs index`: the one writer of the index file (spec C6). Nothing is written when the file is right already.

use disk::{ConfinedFolder, PlainCalls, RelPath};
use docs::{Checked, IndexState, index_bytes, index_state};

use super::project::{open, print, shown, unwritable};
use crate::exit::{Ended, Exit};
use crate::flags::docs::IndexFlags;

pub(super) fn run(flags: &IndexFlags) -> Result<Exit, Ended> {
    let opened = open(&flags.root.path, Checked::Hash)?;
    let snapshot = opened.snapshot()?;
    let root = opened.service.root().root();
    let path = &snapshot.contract().paths.index;
    let rel = RelPath::parse(path)
        .map_err(|fault| Ended::Message(Exit::REFUSED, format!("the index cannot be written: {fault}")))?;
    if let IndexState::Current(hash) = index_state(root, snapshot) {
        print(&format!("{}: already current, {hash}\n", shown(path)))?;
        return Ok(Exit::Ok);
    }
    let bytes = index_bytes(snapshot).map_err(|fault| Ended::Message(Exit::IO, fault.to_string()))?;
    let folder = rel.parent().unwrap_or_else(RelPath::root);
    let name = RelPath::root().join(rel.file_name());
    ConfinedFolder::make(root, &folder, Box::new(PlainCalls))
        .and_then(|folder| folder.write_over(&name, &bytes))
        .map_err(|fault| unwritable(path, fault))?;
    // What was written is looked at as a reader would look at it.
    let state = index_state(root, snapshot);
    let IndexState::Current(hash) = state else {
        let message = format!("{} was written and is {}: {}", shown(path), state.as_str(), state.reason());
        return Err(Ended::Message(Exit::IO, message));
    };
    print(&format!("{}: {} node(s), {} bytes, {hash}\n", shown(path), snapshot.nodes().len(), bytes.len()))?;
    Ok(Exit::Ok)
}
