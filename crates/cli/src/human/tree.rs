//! `readroom tree`.

use project::request::TreeRequest;

use super::{Opening, open, print, say, warn};
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};
use crate::flags::{FormatFlag, SelectionFlags, TreeFlags};

pub(crate) fn run(flags: &TreeFlags) -> Result<Exit, Ended> {
    let (session, target) = open(&opening(flags.dir.as_deref(), &flags.selection))?;
    let format = if flags.json { FormatFlag::Json } else { flags.format };
    let request = TreeRequest {
        target,
        narrowing: flags.selection.narrowing(&[]),
        max_depth: flags.max_depth,
        format: format.into(),
    };
    let outcome = session.tree(&request, &CtrlC::watch())?;
    print(&outcome.value.text)?;
    say(&outcome.value.trailers);
    warn(&outcome.notices);
    Ok(Exit::Ok)
}

/// The opening of a command with selection flags.
pub(crate) fn opening<'f>(dir: Option<&'f str>, selection: &'f SelectionFlags) -> Opening<'f> {
    Opening {
        dir,
        git_mode: selection.git_mode,
        hide_private_data: selection.hide_private_data,
        remote: &selection.remote,
    }
}
