//! `readroom cat`: one file, whole or a range of its lines.

use project::request::FileRequest;
use serde_json::json;

use super::{Opening, open, print, print_json, say};
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};
use crate::flags::CatFlags;

pub(crate) fn run(flags: &CatFlags) -> Result<Exit, Ended> {
    let opening = Opening {
        dir: flags.root.as_deref(),
        git_mode: flags.git_mode,
        hide_private_data: flags.hide_private_data,
        remote: &flags.remote,
    };
    let (session, target) = open(&opening)?;
    let request = FileRequest {
        target,
        path: flags.path.clone(),
        start_line: flags.lines.map(|(first, _)| first),
        end_line: flags.lines.and_then(|(_, last)| last),
    };
    let payload = session.file_unpaged(&request, &CtrlC::watch())?;
    if flags.json {
        print_json(&json!({ "path": flags.path, "text": payload.text, "trailers": payload.trailers }))?;
    } else {
        print(&payload.text)?;
        say(&payload.trailers);
    }
    Ok(Exit::Ok)
}
