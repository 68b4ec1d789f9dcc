//! Looks for the proof that a signature names. A folder that cannot be read, or that proves nothing, stays
//! visible. Links are no evidence and are not followed.

use disk::{Entry, Kind, RelPath, Root};

use super::signatures::{CMAKE_BUILD, Deep, SIGNATURES, Signature};
use super::stacks::Stacks;
use super::{Lowered, ends_with_ignoring_case};

/// Entries of a folder that are scanned for a suffix or a prefix.
const SCANNED_MAX: usize = 1_024;
/// Children of a folder that are looked into.
const CHILDREN_MAX: usize = 48;

/// Whether a folder with this name (in lower case) holds the evidence of section 6.4.
pub(crate) fn is_proven(root: &Root, folder: &RelPath, name: &str, owner: Stacks) -> bool {
    let key = if name.starts_with(CMAKE_BUILD) { CMAKE_BUILD } else { name };
    let mut entries: Option<Vec<Entry>> = None;
    SIGNATURES
        .iter()
        .filter(|signature| signature.names.contains(&key))
        .filter(|signature| signature.owner.is_none() || owner.has(signature.owner))
        .any(|signature| {
            if signature.below.is_some_and(|above| lies_in(root, folder, above)) {
                return true;
            }
            let entries = entries.get_or_insert_with(|| root.list(folder).unwrap_or_default());
            holds(signature, entries) || holds_deep(root, folder, entries, signature.deep)
        })
}

/// Whether the folder that holds `folder` has this name; the root's own path counts too.
fn lies_in(root: &Root, folder: &RelPath, above: &str) -> bool {
    let is_it = |name: &[u8]| name.eq_ignore_ascii_case(above.as_bytes());
    match folder.parent() {
        Some(parent) if !parent.is_root() => is_it(parent.file_name()),
        _ => is_it(root.name().as_bytes()),
    }
}

fn holds(signature: &Signature, entries: &[Entry]) -> bool {
    let mut pairs = 0;
    let seen = entries.iter().filter(|entry| matches!(entry.kind, Kind::File | Kind::Directory));
    for (at, entry) in seen.enumerate() {
        let listed = |names: &[&str]| match Lowered::new(&entry.name) {
            Some(name) => names.contains(&name.as_str()),
            None => false,
        };
        let found = match entry.kind {
            Kind::File => listed(signature.files),
            _ => {
                pairs += usize::from(listed(signature.two_folders));
                pairs == 2 || listed(signature.folders)
            }
        };
        if found || at < SCANNED_MAX && fits(signature, &entry.name) {
            return true;
        }
    }
    false
}

fn fits(signature: &Signature, name: &[u8]) -> bool {
    let begins = |prefix: &&str| {
        name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    signature.suffixes.iter().any(|suffix| ends_with_ignoring_case(name, suffix.as_bytes()))
        || signature.prefixes.iter().any(begins)
}

fn holds_deep(root: &Root, folder: &RelPath, entries: &[Entry], deep: Deep) -> bool {
    let children = || entries.iter().filter(|entry| entry.kind == Kind::Directory).take(CHILDREN_MAX);
    let inside = |child: &Entry| root.list(&folder.join(&child.name)).unwrap_or_default();
    let is_named = |entry: &Entry, name: &str| entry.name.eq_ignore_ascii_case(name.as_bytes());
    match deep {
        Deep::No => false,
        Deep::Folder(child, wanted) => entries
            .iter()
            .filter(|entry| entry.kind == Kind::Directory && is_named(entry, child))
            .any(|child| {
                inside(child).iter().any(|entry| entry.kind == Kind::Directory && is_named(entry, wanted))
            }),
        Deep::AnyChild(wanted) => children().any(|child| {
            inside(child).iter().any(|entry| {
                matches!(entry.kind, Kind::File | Kind::Directory)
                    && wanted.iter().any(|wanted| is_named(entry, wanted))
            })
        }),
        Deep::NamedPackages => {
            let is_package = |child: &&Entry| {
                let package = [&child.name, b".nupkg".as_slice()].concat();
                inside(child)
                    .iter()
                    .any(|entry| entry.kind == Kind::File && entry.name.eq_ignore_ascii_case(&package))
            };
            children().filter(is_package).nth(1).is_some()
        }
    }
}
