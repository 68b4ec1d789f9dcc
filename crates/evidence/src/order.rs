//! The order of names and paths: UTF-16 code units, a folder as if it ended in `/`. It compares, and knows no file.

use std::cmp::Ordering;

use disk::{Entry, Kind};

/// Orders two entries of one folder so that a walk, which goes into each folder at once, meets full paths in the order
/// of their UTF-16 code units.
pub(crate) fn entries(a: &Entry, b: &Entry) -> Ordering {
    keys(a).cmp(keys(b))
}

fn keys(entry: &Entry) -> impl Iterator<Item = u8> {
    let slash = (entry.kind == Kind::Directory).then_some(b'/');
    entry.name.iter().copied().chain(slash).map(key)
}

/// A byte of UTF-8 so that comparing keys compares UTF-16 code units: code points beyond U+FFFF are surrogates there
/// and stand before U+E000, whose first bytes are 0xEE and 0xEF. The map loses nothing, so names that are not UTF-8
/// have an order too.
fn key(byte: u8) -> u8 {
    match byte {
        0xEE | 0xEF => byte + 0x10,
        0xF0..=0xFF => byte - 2,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(name: &str) -> Entry {
        Entry { name: name.as_bytes().into(), kind: Kind::File }
    }

    fn folder(name: &str) -> Entry {
        Entry { name: name.as_bytes().into(), kind: Kind::Directory }
    }

    #[test]
    fn names_beyond_the_first_plane_stand_before_private_use() {
        assert_eq!(entries(&file("\u{10000}"), &file("\u{E000}")), Ordering::Less);
        assert_eq!(entries(&file("\u{10000}"), &file("\u{FFFD}")), Ordering::Less);
        assert_eq!(entries(&file("\u{10000}"), &file("\u{D7FF}")), Ordering::Greater);
        assert_eq!(entries(&file("a\u{1F600}b"), &file("a\u{1F600}c")), Ordering::Less);
    }

    #[test]
    fn a_folder_is_compared_as_if_it_ended_in_a_slash() {
        assert_eq!(entries(&folder("a"), &file("a-b")), Ordering::Greater);
        assert_eq!(entries(&folder("a"), &file("a.b")), Ordering::Greater);
        assert_eq!(entries(&folder("a"), &file("a0")), Ordering::Less);
        assert_eq!(entries(&file("a"), &folder("a")), Ordering::Less);
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_utf_16(a in "\\PC{0,6}", b in "\\PC{0,6}", folders in any::<(bool, bool)>()) {
            let units = |name: &str, is_folder: bool| -> Vec<u16> {
                name.encode_utf16().chain(is_folder.then_some(u16::from(b'/'))).collect()
            };
            let entry = |name: &str, is_folder: bool| if is_folder { folder(name) } else { file(name) };
            let ours = entries(&entry(&a, folders.0), &entry(&b, folders.1));
            prop_assert_eq!(ours, units(&a, folders.0).cmp(&units(&b, folders.1)));
        }
    }
}
