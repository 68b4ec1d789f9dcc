//! `readroom docs mcp-config`: how a client is told about this project, in the words of `readroom setup`. It changes nothing.

use docs::Checked;

use super::project::{open, shown};
use crate::exit::{Ended, Exit};
use crate::flags::docs::McpConfigFlags;
use crate::flags::setup::{ServerName, SetupFlags};
use crate::human::setup;

pub(super) fn run(flags: &McpConfigFlags) -> Result<Exit, Ended> {
    let mut options = Vec::new();
    if let Some(name) = &flags.proposal_writer {
        // A server that is bound to an unknown writer does not start.
        let opened = open(&flags.root.path, Checked::Stat)?;
        let writers = &opened.snapshot()?.contract().writers;
        if !writers.iter().any(|writer| writer.name == *name) {
            let declared: Vec<&str> = writers.iter().map(|writer| writer.name.as_str()).collect();
            let declared = match declared.as_slice() {
                [] => "the manifest declares none; add a table [writers.NAME]".to_owned(),
                names => format!("the manifest declares {}", names.join(", ")),
            };
            return Err(Ended::Message(
                Exit::Usage,
                format!("no writer is named '{}': {declared}", shown(name)),
            ));
        }
        options.extend(["--proposal-writer".to_owned(), name.clone()]);
    }
    setup::run(&SetupFlags {
        client: flags.client,
        server: ServerName::Docs,
        root: vec![flags.root.path.clone()],
        follow: false,
        name: None,
        command: None,
        file: None,
        write: false,
        remove: false,
        options,
    })
}
