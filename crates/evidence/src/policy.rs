//! Which paths are evidence: the rule for path arguments, the exclusions that nothing can undo, and the ignore files
//! of the root. It looks at names alone; what a name stands for is `disk`'s.

use select::{RootEffort, RootRules, RulesTooCostly};

use crate::limits::{DEPTH_MAX, PATH_JSON_BYTES_MAX};

/// Why a path is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    Empty,
    Nul,
    Backslash,
    Absolute,
    EmptySegment,
    DotSegment,
    SegmentEnd,
    Colon,
    DeviceName,
    TooLong,
    TooDeep,
    Secret,
    Excluded,
    Ignored,
    Link,
    Directory,
    Special,
    MultiLink,
    Elsewhere,
}

impl Denied {
    pub(crate) const fn says(self) -> &'static str {
        match self {
            Denied::Empty => "the path is empty",
            Denied::Nul => "the path holds a NUL",
            Denied::Backslash => "the path holds a backslash; separate names with '/'",
            Denied::Absolute => "the path is absolute; write it relative to the root",
            Denied::EmptySegment => "the path has an empty segment",
            Denied::DotSegment => "the path has a '.' or '..' segment",
            Denied::SegmentEnd => "a segment of the path ends in a dot or a space",
            Denied::Colon => "the path holds a ':'",
            Denied::DeviceName => "a segment of the path is a device name on Windows",
            Denied::TooLong => "the path is too long",
            Denied::TooDeep => "the path has more than 32 segments",
            Denied::Secret => "the path holds a secret; only a server started with --exact reads it",
            Denied::Excluded => "a default exclusion covers the path",
            Denied::Ignored => "an ignore rule of the root covers the path",
            Denied::Link => "a part of the path is a link",
            Denied::Directory => "the path is a directory",
            Denied::Special => "the path is a pipe, a socket or a device",
            Denied::MultiLink => "the file has several links",
            Denied::Elsewhere => "another file system begins on the path",
        }
    }
}

/// Checks the text of a path, before anything is asked of the disk.
///
/// # Errors
/// The first rule that it meets.
pub(crate) fn check(path: &str) -> Result<(), Denied> {
    if path.is_empty() {
        return Err(Denied::Empty);
    }
    for (byte, denied) in [(0, Denied::Nul), (b'\\', Denied::Backslash)] {
        if memchr::memchr(byte, path.as_bytes()).is_some() {
            return Err(denied);
        }
    }
    if path.starts_with('/') {
        return Err(Denied::Absolute);
    }
    let mut depth = 0;
    for segment in path.split('/') {
        check_segment(segment)?;
        depth += 1;
    }
    if depth > DEPTH_MAX {
        return Err(Denied::TooDeep);
    }
    if path.len() >= disk::PATH_BYTES_MAX || json_bytes(path) > PATH_JSON_BYTES_MAX {
        return Err(Denied::TooLong);
    }
    Ok(())
}

fn check_segment(segment: &str) -> Result<(), Denied> {
    match segment {
        "" => return Err(Denied::EmptySegment),
        "." | ".." => return Err(Denied::DotSegment),
        _ => {}
    }
    if segment.ends_with(['.', ' ']) {
        return Err(Denied::SegmentEnd);
    }
    if segment.contains(':') {
        return Err(Denied::Colon);
    }
    if is_device(segment) {
        return Err(Denied::DeviceName);
    }
    if segment.len() > disk::COMPONENT_BYTES_MAX {
        return Err(Denied::TooLong);
    }
    Ok(())
}

fn json_bytes(path: &str) -> usize {
    let mut json = String::with_capacity(path.len() + 2);
    fault::push_json(path, &mut json);
    json.len()
}

/// Names that Windows gives to devices in every folder, whatever follows the first dot.
fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or_default().trim_end_matches(' ');
    let numbered = |prefix: &str| {
        stem.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
            && matches!(
                &stem[3..],
                "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"
            )
    };
    ["con", "prn", "aux", "nul", "conin$", "conout$"].iter().any(|name| stem.eq_ignore_ascii_case(name))
        || numbered("com")
        || numbered("lpt")
}

/// Names that are excluded as a whole.
const NAMES: &[&str] = &[
    ".git",
    "node_modules",
    "vendor",
    "dist",
    "build",
    "coverage",
    ".next",
    ".cache",
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".env",
    ".npmrc",
    ".netrc",
];

/// Names that are excluded alone and before one of the given characters.
const STEMS: &[(&str, &[u8])] = &[
    (".env", b"."),
    ("credentials", b".-_"),
    ("secrets", b".-_"),
    ("service-account", b".-_"),
    ("service_account", b".-_"),
    ("id_rsa", b"."),
    ("id_dsa", b"."),
    ("id_ecdsa", b"."),
    ("id_ed25519", b"."),
];

/// Endings of names that are excluded.
const ENDINGS: &[&str] = &[".pem", ".key", ".p12", ".pfx"];

/// Whether the contract's default exclusions cover a name, in any case of ASCII letters.
pub(crate) fn is_excluded(name: &[u8]) -> bool {
    let begins = |start: &str| {
        name.get(..start.len()).is_some_and(|piece| piece.eq_ignore_ascii_case(start.as_bytes()))
    };
    let ends = |end: &str| {
        name.len() >= end.len() && name[name.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
    };
    NAMES.iter().any(|excluded| name.len() == excluded.len() && begins(excluded))
        || STEMS
            .iter()
            .any(|(stem, after)| begins(stem) && name.get(stem.len()).is_none_or(|next| after.contains(next)))
        || ENDINGS.iter().any(|ending| ends(ending))
}

/// Whether exclusions or ignore rules cover a path or a folder above it.
///
/// # Errors
/// [`RulesTooCostly`].
pub(crate) fn covered(path: &str, rules: &RootRules) -> Result<Option<Denied>, RulesTooCostly> {
    if path.split('/').any(|segment| is_excluded(segment.as_bytes())) {
        return Ok(Some(Denied::Excluded));
    }
    let mut effort = RootEffort::default();
    for (slash, _) in path.match_indices('/') {
        if rules.hide(&path.as_bytes()[..slash], true, &mut effort)? {
            return Ok(Some(Denied::Ignored));
        }
    }
    Ok(rules.hide(path.as_bytes(), false, &mut effort)?.then_some(Denied::Ignored))
}

#[cfg(test)]
pub(crate) mod tests;
