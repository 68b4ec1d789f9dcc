//! The fingerprint of a pack: SHA-256 over the root, the selection and the included nodes (spec `project.md`
//! 5.5). Opaque to clients; it covers no content, so that it is known without reading a file.

use sha2::{Digest, Sha256};

use crate::document::SelectionEcho;

/// A fingerprint in the making. Feed the nodes in their order.
#[derive(Clone, Debug)]
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// Begins with the root's address and the selection.
    pub fn new(root: &str, selection: &SelectionEcho) -> Self {
        let mut made = Fingerprint(Sha256::new());
        made.field(b'R', root);
        made.field(b'G', &selection.git_mode);
        for (kind, list) in [
            (b'E', &selection.exclusions),
            (b'O', &selection.roots),
            (b'X', &selection.extensions),
            (b'P', &selection.selected_paths),
        ] {
            for item in list {
                made.field(kind, item);
            }
        }
        made
    }

    /// Adds a shown folder.
    pub fn folder(&mut self, address: &str) {
        self.field(b'd', address);
    }

    /// Adds a selected file.
    pub fn file(&mut self, address: &str) {
        self.field(b'f', address);
    }

    /// The fingerprint in lower-case hexadecimal, 64 digits.
    pub fn finish(self) -> String {
        let mut text = String::with_capacity(64);
        for byte in self.0.finalize() {
            text.push(char::from(b"0123456789abcdef"[usize::from(byte >> 4)]));
            text.push(char::from(b"0123456789abcdef"[usize::from(byte & 0xF)]));
        }
        text
    }

    /// The kind and the length before each value keep two different sequences apart.
    fn field(&mut self, kind: u8, value: &str) {
        self.0.update([kind]);
        self.0.update((value.len() as u64).to_le_bytes());
        self.0.update(value.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(root: &str, exclusions: &[&str], nodes: &[(bool, &str)]) -> String {
        let selection = SelectionEcho {
            git_mode: "gitignore".to_owned(),
            exclusions: exclusions.iter().map(ToString::to_string).collect(),
            ..SelectionEcho::default()
        };
        let mut fingerprint = Fingerprint::new(root, &selection);
        for (is_file, address) in nodes {
            if *is_file { fingerprint.file(address) } else { fingerprint.folder(address) }
        }
        fingerprint.finish()
    }

    #[test]
    fn root_selection_and_nodes_each_change_the_fingerprint() {
        let base = made("/r", &["smart-ignore"], &[(false, "a"), (true, "a/b")]);
        assert_eq!(base.len(), 64);
        assert!(base.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)));
        assert_eq!(base, made("/r", &["smart-ignore"], &[(false, "a"), (true, "a/b")]));
        for other in [
            made("/s", &["smart-ignore"], &[(false, "a"), (true, "a/b")]),
            made("/r", &["empty-folders"], &[(false, "a"), (true, "a/b")]),
            made("/r", &["smart-ignore"], &[(true, "a"), (true, "a/b")]),
            made("/r", &["smart-ignore"], &[(false, "a")]),
            made("/r", &["smart-", "ignore"], &[(false, "a"), (true, "a/b")]),
        ] {
            assert_ne!(base, other);
        }
    }
}
