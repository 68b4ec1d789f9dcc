//! `readroom docs sources`: the files whose bytes count in the source hash. It reads none of them for what they say.

use docs::Checked;
use fault::one_line;
use serde_json::{Value, json};

use super::json::told;
use super::project::{open, print};
use crate::exit::{Ended, Exit};
use crate::flags::docs::SourcesFlags;

pub(super) fn run(flags: &SourcesFlags) -> Result<Exit, Ended> {
    let opened = open(&flags.root.path, Checked::Hash)?;
    let snapshot = opened.snapshot()?;
    if flags.json {
        let files: Vec<Value> = snapshot
            .files()
            .iter()
            .map(|file| {
                json!({ "path": file.path, "bytes": file.size, "sha256": file.hash.to_string(), "source": file.source })
            })
            .collect();
        return told(opened, json!({ "files": files }));
    }
    let end = if flags.zero { '\0' } else { '\n' };
    let mut lines = String::new();
    for file in snapshot.files() {
        if flags.zero {
            lines.push_str(&file.path);
        } else {
            one_line(&file.path, &mut lines);
        }
        lines.push(end);
    }
    if flags.zero {
        use std::io::Write as _;
        let mut out = std::io::stdout().lock();
        out.write_all(lines.as_bytes())?;
        out.flush()?;
    } else {
        print(&lines)?;
    }
    Ok(Exit::Ok)
}
