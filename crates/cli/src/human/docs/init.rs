//! `readroom docs init`: a small project that checks clean, to be changed into one's own. It never replaces a file.

#![expect(
    clippy::disallowed_methods,
    reason = "the folders of a new project are made where a person asks for them"
)]

use std::path::Path;

use disk::{WriteFault, write_atomic};

use super::project::print;
use crate::exit::{Ended, Exit};
use crate::flags::docs::DocsPreset;

/// Files of a preset: path and content.
type Files = &'static [(&'static str, &'static str)];

const REQ: Files = &[
    ("docforge.toml", include_str!("presets/req/docforge.toml")),
    ("docs/login.md", include_str!("presets/req/login.md")),
    ("docs/session.md", include_str!("presets/req/session.md")),
    ("docs/session-test.md", include_str!("presets/req/session-test.md")),
];
const ADR: Files = &[
    ("docforge.toml", include_str!("presets/adr/docforge.toml")),
    ("decisions/0001-record-decisions.md", include_str!("presets/adr/0001-record-decisions.md")),
    ("decisions/0002-keep-them-in-git.md", include_str!("presets/adr/0002-keep-them-in-git.md")),
];
const NOTES: Files = &[
    ("docforge.toml", include_str!("presets/notes/docforge.toml")),
    ("notes/Garden.md", include_str!("presets/notes/Garden.md")),
    ("notes/Tomatoes.md", include_str!("presets/notes/Tomatoes.md")),
];

pub(super) fn run(preset: DocsPreset, root: &Path) -> Result<Exit, Ended> {
    let files = match preset {
        DocsPreset::Req => REQ,
        DocsPreset::Adr => ADR,
        DocsPreset::Notes => NOTES,
    };
    if let Some((taken, _)) = files.iter().find(|(path, _)| root.join(path).symlink_metadata().is_ok()) {
        let message = format!(
            "{taken} exists already; nothing was written. Choose an empty folder with --project-root"
        );
        return Err(Ended::Message(Exit::REFUSED, message));
    }
    for (path, text) in files {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(error.kind()))?;
        }
        match write_atomic(&path, text.as_bytes(), 0o644, false) {
            Ok(()) => {}
            Err(WriteFault::AlreadyExists) => {
                return Err(Ended::Message(Exit::REFUSED, WriteFault::AlreadyExists.to_string()));
            }
            Err(fault) => return Err(Ended::Message(Exit::IO, fault.to_string())),
        }
    }
    let mut out: String = files.iter().map(|(path, _)| format!("{path}\n")).collect();
    out.push_str("Next: readroom docs check\n");
    print(&out)?;
    Ok(Exit::Ok)
}

fn failed(kind: std::io::ErrorKind) -> Ended {
    Ended::Message(Exit::IO, format!("a folder of the project cannot be made ({kind})"))
}
