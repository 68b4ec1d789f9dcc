//! Whether a node may stand where it is to stand: source, path, name and neighbours (spec C10.7, V12). It opens nothing.

use disk::{Kind as FileKind, Links, OpenFault, PATH_BYTES_MAX, RelPath};
use docs::{EditFault, MANIFEST_NAME, is_path};

use crate::case::Desk;
use crate::entry::Placement;
use crate::finding::Finding;
use crate::overlay::OverlayFault;

/// Bytes of one name.
const NAME_BYTES_MAX: usize = 255;
/// Names that some systems keep for devices.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// What is wrong with a place before anything is put there; `is_new_file` when there is no file yet.
pub(crate) fn check(desk: &Desk<'_>, id: &str, placement: &Placement) -> Option<Finding> {
    let path = &placement.path;
    let invalid = |message: &str| Finding::error(12, "placement_invalid", message).about(id).hard();
    let Some(source) = desk.contract().source(&placement.source) else {
        return Some(invalid("the contract has no source of this id"));
    };
    if !source.write || source.adapter != "markdown@1" {
        let message = "the source cannot be written";
        return Some(
            Finding::error(12, "adapter_read_only", message)
                .about(id)
                .with("source", source.id.as_str())
                .hard(),
        );
    }
    if let Some(reason) = unsafe_path(path, desk.contract().limits.max_depth) {
        return Some(invalid(reason));
    }
    let invalid = |message: &str| invalid(message).at(path);
    if path == MANIFEST_NAME {
        return Some(invalid("the path is that of the manifest"));
    }
    if !source.globs().claims(path) {
        return Some(invalid("the source does not include this path"));
    }
    let others = desk.contract().sources.iter().filter(|other| other.id != source.id);
    if others.into_iter().any(|other| other.globs().claims(path)) {
        return Some(invalid("another source includes this path too"));
    }
    let folded = path.to_lowercase();
    let twin = |other: &str| other != path && other.to_lowercase() == folded;
    if desk.snapshot.files().iter().any(|file| twin(&file.path)) {
        let message = "a file of the project differs from this path only by case";
        return Some(Finding::error(12, "placement_conflict", message).about(id).at(path).hard());
    }
    let root = desk.service.root().root();
    let mut here = RelPath::root();
    let folders: Vec<&str> = path.split('/').collect();
    for name in &folders[..folders.len() - 1] {
        here = here.join(name.as_bytes());
        match root.stat(&here, Links::Refuse) {
            Ok(stat) if stat.kind == FileKind::Directory => {}
            Err(OpenFault::NotFound) => break,
            _ => return Some(invalid("a folder on the way is a link or no folder")),
        }
    }
    None
}

/// Why a path may not be written; `None` when it may.
fn unsafe_path(path: &str, max_depth: usize) -> Option<&'static str> {
    if path.is_empty() || path.starts_with('/') || path.len() > PATH_BYTES_MAX {
        return Some("the path is empty, absolute or too long");
    }
    if !is_path(path) {
        return Some("the path holds a backslash or a character that does not show");
    }
    let names: Vec<&str> = path.split('/').collect();
    if names.len() > max_depth {
        return Some("the path has too many folders");
    }
    for name in names {
        let stem = name.split('.').next().unwrap_or(name).to_lowercase();
        let is_port = |prefix: &str| {
            stem.strip_prefix(prefix)
                .is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
        };
        if matches!(name, "" | "." | "..") {
            return Some("the path has an empty, `.` or `..` segment");
        }
        if name.len() > NAME_BYTES_MAX {
            return Some("a name of the path is too long");
        }
        if name.ends_with(['.', ' ']) || name.starts_with(' ') {
            return Some("a name of the path begins with a blank, or ends with a blank or a dot");
        }
        if name.contains(['<', '>', ':', '"', '|', '?', '*']) {
            return Some("a name of the path holds one of < > : \" | ? *");
        }
        if DEVICES.contains(&stem.as_str()) || is_port("com") || is_port("lpt") {
            return Some("a name of the path is that of a device on some systems");
        }
        if name.eq_ignore_ascii_case(".git") {
            return Some("the path lies inside .git");
        }
    }
    None
}

/// What it means that an entry could not be put into its file.
pub(crate) fn fault(id: &str, path: &str, fault: &OverlayFault) -> Finding {
    let finding = match fault {
        OverlayFault::Occupied | OverlayFault::Edit(EditFault::Occupied) => {
            Finding::error(12, "placement_conflict", "something else is at the place")
        }
        OverlayFault::NoSource => Finding::error(
            12,
            "placement_invalid",
            "the place belongs to no source, or to another than the node",
        ),
        OverlayFault::Edit(EditFault::ReadOnly) => {
            Finding::error(12, "adapter_read_only", "the source cannot be written")
        }
        OverlayFault::Edit(EditFault::SectionNotFound) => {
            Finding::error(12, "placement_invalid", "the file has no heading of this text")
        }
        OverlayFault::Edit(EditFault::NodeNotFound) => {
            Finding::error(12, "placement_invalid", "the node to stand behind is not in the file")
        }
        OverlayFault::Edit(EditFault::Unreadable | EditFault::RelationNotFound) => {
            Finding::error(16, "adapter_roundtrip_failed", "the file cannot be read as it is")
        }
        OverlayFault::Stale => {
            Finding::error(5, "conflict_path", "the file has changed since the snapshot was made")
        }
    };
    finding.about(id).at(path).hard()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_no_system_should_get_are_refused() {
        for path in [
            "",
            "/x.md",
            "../x.md",
            "a/../x.md",
            "a//x.md",
            "./x.md",
            "a\\b.md",
            "CON.md",
            "a/com1",
            "x.md.",
            "x ",
            " x",
            "a:b.md",
            "a\u{202e}b.md",
            ".git/x.md",
            "e\u{301}.md",
        ] {
            assert!(unsafe_path(path, 32).is_some(), "{path:?}");
        }
        assert!(unsafe_path(&"x".repeat(256), 32).is_some());
        assert!(unsafe_path("a/b/c.md", 2).is_some());
        for path in ["a.md", "docs/über uns.md", "docs/console.md", "docs/.hidden.md", "com/x.md"] {
            assert_eq!(unsafe_path(path, 32), None, "{path:?}");
        }
    }
}
