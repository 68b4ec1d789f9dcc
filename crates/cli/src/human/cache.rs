//! `readroom cache`: what is kept of remote projects, and its removal. It says addresses, never folders.

use std::time::{Duration, SystemTime};

use disk::StoreFault;
use fault::one_line;
use serde_json::{Value, json};

use super::{print, print_json};
use crate::exit::{Ended, Exit};
use crate::flags::CacheCommand;
use crate::wire::user_dirs;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub(crate) fn run(command: &CacheCommand) -> Result<Exit, Ended> {
    let dirs = user_dirs()?;
    match command {
        CacheCommand::List { json } => {
            let entries = git::cached(&dirs).map_err(unusable)?;
            if *json {
                let entries: Vec<Value> = entries
                    .iter()
                    .map(|entry| {
                        json!({
                            "url": entry.url,
                            "branch": entry.branch,
                            "commit": entry.commit,
                            "sizeBytes": entry.size_bytes,
                            "lastOpened": entry.last_opened,
                        })
                    })
                    .collect();
                print_json(&json!({ "checkouts": entries }))?;
                return Ok(Exit::Ok);
            }
            let mut lines = String::new();
            for entry in &entries {
                let used = SystemTime::UNIX_EPOCH + Duration::from_secs(entry.last_opened);
                let days = used.elapsed().unwrap_or_default().as_secs() / DAY.as_secs();
                let branch = entry.branch.as_deref().unwrap_or("(default branch)");
                let mut shown = String::new();
                one_line(&entry.url, &mut shown);
                shown.push_str("  ");
                one_line(branch, &mut shown);
                lines.push_str(&format!(
                    "{shown}  {} KiB  used {days} day(s) ago\n",
                    entry.size_bytes.div_ceil(1024)
                ));
            }
            print(&lines)?;
        }
        CacheCommand::Clean => {
            let cleaned = git::clean(&dirs).map_err(unusable)?;
            let (removed, kib) = (cleaned.removed, cleaned.bytes.div_ceil(1024));
            let kept = match cleaned.in_use {
                0 => String::new(),
                count => format!("; {count} in use and kept"),
            };
            print(&format!("{removed} checkout(s) removed, {kib} KiB freed{kept}\n"))?;
        }
    }
    Ok(Exit::Ok)
}

fn unusable(fault: StoreFault) -> Ended {
    Ended::Message(Exit::Runtime, format!("the cache folder cannot be used: {fault}"))
}
