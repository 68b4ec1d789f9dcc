//! What is hidden without any rule of the project: version control folders, junk files, and the output, stores
//! and caches of build tools ("smart ignore", spec `project.md` 6.3 and 6.4). A name alone is not enough where it
//! can also be source: hiding real source is the worse mistake.

mod evidence;
mod signatures;
mod stacks;

pub(crate) use evidence::is_proven;
pub(crate) use stacks::{Stacks, stacks_of};

use disk::{RelPath, Root};

/// Whether a name belongs to a version control system; always hidden, whatever it names.
pub(crate) fn is_version_control(name: &[u8]) -> bool {
    matches!(name, b".git" | b".hg" | b".svn")
}

/// Whether a file is one that desktops and editors leave behind.
pub(crate) fn is_junk_file(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 3] = [b".DS_Store", b"Thumbs.db", b"desktop.ini"];
    const ENDINGS: [&[u8]; 4] = [b".sln.DotSettings.user", b".csproj.user", b".fsproj.user", b".vbproj.user"];
    NAMES.iter().any(|junk| junk.eq_ignore_ascii_case(name))
        || ENDINGS.iter().any(|ending| ends_with_ignoring_case(name, ending))
}

/// Whether a folder is build output, a dependency store or a cache: by the rules of the stack that owns it, or by
/// what it holds.
pub(crate) fn is_artefact(root: &Root, folder: &RelPath, name: &[u8], owner: Stacks) -> bool {
    let Some(name) = Lowered::new(name) else { return false };
    stacks::hides(owner, name.as_str()) || is_proven(root, folder, name.as_str(), owner)
}

/// A short name in lower case, without an allocation.
struct Lowered {
    bytes: [u8; 64],
    len: usize,
}

impl Lowered {
    /// Nothing for names that no table holds: longer than the buffer, or not ASCII.
    fn new(name: &[u8]) -> Option<Lowered> {
        let mut lowered = Lowered { bytes: [0; 64], len: name.len() };
        let bytes = lowered.bytes.get_mut(..name.len())?;
        if !name.is_ascii() {
            return None;
        }
        bytes.copy_from_slice(name);
        bytes.make_ascii_lowercase();
        Some(lowered)
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

fn ends_with_ignoring_case(name: &[u8], ending: &[u8]) -> bool {
    name.len().checked_sub(ending.len()).is_some_and(|from| name[from..].eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_control_names_are_exact() {
        for name in [".git", ".hg", ".svn"] {
            assert!(is_version_control(name.as_bytes()));
        }
        for name in [".github", ".gitattributes", ".git-owned", ".gitignore", "git", ".Git"] {
            assert!(!is_version_control(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn junk_files_are_known_by_name_or_ending_in_any_case() {
        for name in [
            ".DS_Store",
            ".ds_store",
            "Thumbs.db",
            "thumbs.DB",
            "Desktop.ini",
            "App.sln.DotSettings.user",
            "app.SLN.dotsettings.USER",
            "App.csproj.user",
            "App.fsproj.user",
            "App.vbproj.user",
        ] {
            assert!(is_junk_file(name.as_bytes()), "{name}");
        }
        for name in
            ["App.csproj", "App.user", "App.sln.DotSettings", "thumbs.db.rs", "DS_Store", "a.cxxproj.user"]
        {
            assert!(!is_junk_file(name.as_bytes()), "{name}");
        }
    }
}
