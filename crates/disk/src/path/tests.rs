//! What a relative path accepts, refuses and shows.

use proptest::prelude::*;

use super::*;

fn parsed(text: &str) -> Result<String, PathFault> {
    RelPath::parse(text).map(|path| path.as_str().unwrap().to_owned())
}

#[test]
fn spellings_of_one_path_become_one_path() {
    for text in ["a/b", "./a/b", "a//b", "a/./b", "a/b/", "a/b/.", ".//a///b//"] {
        assert_eq!(parsed(text).as_deref(), Ok("a/b"), "{text}");
    }
    for text in [".", "./", "./.", "././/"] {
        assert_eq!(RelPath::parse(text), Ok(RelPath::root()), "{text}");
    }
}

#[test]
fn a_path_that_leaves_by_its_text_is_refused() {
    for text in ["..", "../a", "a/..", "a/../b", "./..//", "a/b/../../..", "./../R-evil/s.txt"] {
        assert_eq!(parsed(text), Err(PathFault::Traversal), "{text}");
    }
    for text in ["/", "/a", "//a", "/../a"] {
        assert_eq!(parsed(text), Err(PathFault::Absolute), "{text}");
    }
    assert_eq!(parsed(""), Err(PathFault::Empty));
    assert_eq!(parsed("a\0b"), Err(PathFault::Nul));
    assert_eq!(parsed("\0"), Err(PathFault::Nul));
}

#[test]
fn names_with_dots_are_names() {
    for text in ["...", "..a", "a..", ".a", "a.", "a/.../b"] {
        assert_eq!(parsed(text).as_deref(), Ok(text));
    }
}

#[test]
fn a_name_has_at_most_255_bytes() {
    for (bytes, fits) in [(254, true), (255, true), (256, false)] {
        assert_eq!(parsed(&"n".repeat(bytes)).is_ok(), fits, "{bytes}");
        assert_eq!(parsed(&format!("d/{}", "n".repeat(bytes))).is_ok(), fits, "{bytes}");
    }
    // Bytes, not characters.
    assert_eq!(parsed(&"ü".repeat(128)), Err(PathFault::TooLong));
}

#[test]
fn a_path_has_at_most_4096_bytes() {
    let of = |bytes: usize| {
        let mut text = "abcdefg/".repeat(bytes / 8);
        text.push_str(&"x".repeat(bytes % 8));
        if text.ends_with('/') {
            text.pop();
            text.push('x');
        }
        assert_eq!(text.len(), bytes);
        text
    };
    for (bytes, fits) in [(4_095, true), (4_096, true), (4_097, false)] {
        assert_eq!(parsed(&of(bytes)).is_ok(), fits, "{bytes}");
    }
    // What is dropped does not count.
    assert!(parsed(&format!("{}a", "./".repeat(4_096))).is_ok());
}

#[test]
fn the_order_is_the_order_of_bytes() {
    let mut paths: Vec<RelPath> =
        ["src/x", "src-old/x", "b", "B", "a/b", "a"].map(|text| RelPath::parse(text).unwrap()).into();
    paths.sort();
    let sorted: Vec<&str> = paths.iter().map(|path| path.as_str().unwrap()).collect();
    assert_eq!(sorted, ["B", "a", "a/b", "b", "src-old/x", "src/x"]);
}

#[test]
fn parts_of_a_path() {
    let path = RelPath::parse("src/net/a.tar.gz").unwrap();
    assert_eq!(path.file_name(), b"a.tar.gz");
    assert_eq!(path.extension(), Some(&b"gz"[..]));
    assert_eq!(path.depth(), 3);
    assert_eq!(path.components().collect::<Vec<_>>(), [&b"src"[..], b"net", b"a.tar.gz"]);
    assert_eq!(path.parent().unwrap(), RelPath::parse("src/net").unwrap());
    assert_eq!(RelPath::parse("a").unwrap().parent(), Some(RelPath::root()));
    assert_eq!(RelPath::root().parent(), None);
    assert_eq!(RelPath::root().depth(), 0);
    assert_eq!(RelPath::root().components().count(), 0);
    assert_eq!(RelPath::root().file_name(), b"");
    assert_eq!(RelPath::root().join(b"a").join(b"b"), RelPath::parse("a/b").unwrap());
}

#[test]
fn an_extension_needs_a_name_before_it_and_letters_behind_it() {
    for (name, extension) in [
        (".env", None),
        ("a.", None),
        ("a", None),
        (".", None),
        ("a.b", Some("b")),
        (".a.b", Some("b")),
        ("..a", Some("a")),
    ] {
        let path = RelPath::parse(name).unwrap();
        assert_eq!(path.extension(), extension.map(str::as_bytes), "{name}");
        if !path.is_root() {
            assert_eq!(
                RelPath::parse("d.x").unwrap().join(name.as_bytes()).extension(),
                extension.map(str::as_bytes)
            );
        }
    }
}

#[test]
fn starts_with_compares_whole_names() {
    let path = RelPath::parse("src/ab/c").unwrap();
    for (dir, inside) in [
        (".", true),
        ("src", true),
        ("src/ab", true),
        ("src/ab/c", true),
        ("src/a", false),
        ("sr", false),
        ("src/ab/c/d", false),
        ("ab", false),
    ] {
        assert_eq!(path.starts_with(&RelPath::parse(dir).unwrap()), inside, "{dir}");
    }
}

#[test]
fn an_address_is_the_path_itself_unless_it_would_mislead() {
    for (bytes, address) in [
        (&b"src/a.rs"[..], "src/a.rs"),
        ("grüße/日本".as_bytes(), "grüße/日本"),
        (b"a\nb", "a\nb"),
        (b"win\\dows", "win\\dows"),
        (b"\xff.txt", "\\xFF.txt"),
        (b"\xfe.txt", "\\xFE.txt"),
        // A name that only looks like the one above.
        (b"\\xFF.txt", "\\\\xFF.txt"),
        (b"a\\nb", "a\\\\nb"),
        (b"a\\\\b", "a\\\\\\\\b"),
        (b"\xff\\n", "\\xFF\\\\n"),
        (b"\xe2\x82", "\\xE2\\x82"),
    ] {
        let path = RelPath::from_bytes(bytes).unwrap();
        assert_eq!(path.to_address(), address, "{bytes:?}");
        assert_eq!(RelPath::from_address(address), Ok(path), "{address}");
    }
    assert_eq!(RelPath::root().to_address(), ".");
}

#[test]
fn a_shown_name_leads_back_to_the_file() {
    for (shown, bytes) in [
        ("a\\u001B[2J", &b"a\x1b[2J"[..]),
        ("a\\u{202E}b", "a\u{202e}b".as_bytes()),
        ("a\\u{E0041}", "a\u{e0041}".as_bytes()),
        ("a\\nb\\rc\\td", b"a\nb\rc\td"),
        ("a\\qb", b"a\\qb"),
        ("a\\", b"a\\"),
        ("a\\x", b"a\\x"),
        ("a\\x4", b"a\\x4"),
        // Below 0x80 a byte is always shown as itself.
        ("a\\x41", b"a\\x41"),
        ("a\\u00", b"a\\u00"),
        ("a\\uD800", b"a\\uD800"),
        ("a\\u{}", b"a\\u{}"),
        ("a\\u{110000}", b"a\\u{110000}"),
        ("a\\u{0000041}", b"a\\u{0000041}"),
    ] {
        assert_eq!(RelPath::from_address(shown).unwrap().as_bytes(), bytes, "{shown}");
    }
}

#[test]
fn an_address_cannot_smuggle_what_a_path_may_not_hold() {
    for (address, fault) in [
        ("a/\\u002E\\u002E/b", PathFault::Traversal),
        ("\\u{2F}etc", PathFault::Absolute),
        ("a\\u0000b", PathFault::Nul),
        ("", PathFault::Empty),
    ] {
        assert_eq!(RelPath::from_address(address), Err(fault), "{address}");
    }
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => any::<u8>(),
        3 => prop::sample::select(b"\\xXuUnrt{}0123456789abcdefABCDEF.".to_vec()),
        1 => 0x80_u8..,
    ];
    prop::collection::vec(byte, 1..12).prop_filter("a name", |name| {
        !name.contains(&0) && !name.contains(&b'/') && name != b"." && name != b".."
    })
}

fn path() -> impl Strategy<Value = RelPath> {
    prop::collection::vec(name(), 0..4)
        .prop_map(|names| names.iter().fold(RelPath::root(), |path, name| path.join(name)))
}

proptest! {
    #[test]
    fn every_path_comes_back_from_its_address(path in path()) {
        let address = path.to_address();
        let back = RelPath::from_address(&address);
        prop_assert_eq!(back, Ok(path.clone()));
    }

    #[test]
    fn every_path_comes_back_from_its_bytes(path in path()) {
        if path.is_root() {
            return Ok(());
        }
        let back = RelPath::from_bytes(path.as_bytes());
        prop_assert_eq!(back, Ok(path.clone()));
        if let Some(text) = path.as_str() {
            prop_assert_eq!(RelPath::parse(text), Ok(path));
        }
    }

    #[test]
    fn whatever_is_accepted_stays_below_the_root(text in "[a./\\\\x0-9F{}u]{0,24}") {
        for path in [RelPath::parse(&text), RelPath::from_address(&text)].into_iter().flatten() {
            prop_assert!(path.components().all(|name| !matches!(name, b"" | b"." | b"..")));
            prop_assert!(!path.as_bytes().starts_with(b"/") && !path.as_bytes().ends_with(b"/"));
            prop_assert_eq!(path.components().count(), path.depth());
        }
    }
}

#[test]
fn a_path_is_moved_below_another_and_seen_from_it_again() {
    let path = |text: &str| if text.is_empty() { RelPath::root() } else { RelPath::parse(text).unwrap() };
    for (dir, rest, whole) in [("a/b", "c/d", "a/b/c/d"), ("", "x", "x"), ("a", "", "a"), ("", "", "")] {
        assert_eq!(path(dir).join_path(&path(rest)), path(whole));
    }
    assert_eq!(path("a/b/c").seen_from(&path("a")), Some(path("b/c")));
    assert_eq!(path("a").seen_from(&path("")), Some(path("a")));
    for (whole, dir) in [("ab/c", "a"), ("a", "a"), ("", ""), ("b", "a")] {
        assert_eq!(path(whole).seen_from(&path(dir)), None);
    }
}
