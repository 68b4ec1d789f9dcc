//! `readroom search`.

use project::request::SearchRequest;
use serde_json::json;

use super::tree::opening;
use super::{open, print, print_json, say, warn, warnings};
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};
use crate::flags::SearchFlags;

pub(crate) fn run(flags: &SearchFlags) -> Result<Exit, Ended> {
    let (session, target) = open(&opening(flags.dir.as_deref(), &flags.selection))?;
    let request = SearchRequest {
        target,
        narrowing: flags.selection.narrowing(&[]),
        pattern: flags.pattern.clone(),
        context_lines: flags.context as usize,
        ignore_case: !flags.case_sensitive,
        max_results: flags.max_results as usize,
    };
    let outcome = session.search(&request, &CtrlC::watch())?;
    let found = &outcome.value;
    if flags.json {
        print_json(&json!({
            "text": found.text,
            "trailers": found.trailers,
            "warnings": warnings(&outcome.notices),
        }))?;
    } else {
        print(&found.text)?;
        warn(&outcome.notices);
        say(&found.trailers);
    }
    // As grep does: nothing found is no success.
    Ok(if found.text.is_empty() { Exit::Runtime } else { Exit::Ok })
}
