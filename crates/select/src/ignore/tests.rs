//! One file of ignore rules, read as git reads it.

use super::*;

fn rules(text: &str) -> Rules {
    Rules::parse(text.as_bytes(), false, &mut Quota::default()).unwrap()
}

fn verdict(rules: &Rules, path: &str) -> Option<bool> {
    let (path, is_folder) = match path.strip_suffix('/') {
        Some(folder) => (folder, true),
        None => (path, false),
    };
    rules.verdict(path.as_bytes(), is_folder, &mut Effort::new(u64::MAX))
}

/// Paths that the text ignores, and paths that it does not. A `/` at the end marks a folder.
#[track_caller]
fn check(text: &str, ignored: &[&str], seen: &[&str]) {
    let rules = rules(text);
    for path in ignored {
        assert_eq!(verdict(&rules, path), Some(true), "{text:?} should ignore {path}");
    }
    for path in seen {
        assert_ne!(verdict(&rules, path), Some(true), "{text:?} should not ignore {path}");
    }
}

#[test]
fn a_pattern_without_a_slash_matches_a_name_at_any_depth() {
    check("a.log", &["a.log", "x/y/a.log", "a.log/"], &["a.logx", "xa.log", "a.log/b"]);
    check("*.o", &["a.o", "x/.o", "d.o/"], &["a.ox", "a.O"]);
    check("doc?", &["docs", "x/doc1"], &["doc", "docsx", "doc\u{e9}"]);
}

#[test]
fn a_slash_anchors_a_pattern_to_its_folder() {
    check("/a", &["a", "a/"], &["x/a"]);
    check("a/b", &["a/b"], &["x/a/b", "a/b/c"]);
    check("a/*.c", &["a/x.c"], &["a/b/x.c", "x.c"]);
    check("/*", &["a", "b/"], &["a/b"]);
}

#[test]
fn a_slash_at_the_end_matches_folders_only() {
    check("build/", &["build/", "x/build/"], &["build"]);
    check("/a/b/", &["a/b/"], &["a/b"]);
    check("*.d/", &["x.d/"], &["x.d"]);
}

#[test]
fn double_stars_cross_folders_only_between_slashes() {
    check("**/a", &["a", "x/a", "x/y/a"], &["xa"]);
    check("a/**", &["a/b", "a/b/c"], &["a/", "b/a/c"]);
    check("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb"]);
    check("x**y", &["xy", "xay"], &["x/y"]);
    check("a/x**y", &["a/xby"], &["a/x"]);
    check("**", &["a", "a/b"], &[]);
}

#[test]
fn the_last_matching_rule_wins_and_an_exclamation_mark_re_includes() {
    let rules = rules("*.log\n!keep.log\n!dir/\nkeep.log2\n");
    assert_eq!(verdict(&rules, "x/keep.log"), Some(false));
    assert_eq!(verdict(&rules, "a.log"), Some(true));
    assert_eq!(verdict(&rules, "dir/"), Some(false));
    assert_eq!(verdict(&rules, "dir"), None);
    assert_eq!(verdict(&self::rules("!a\na"), "a"), Some(true));
    assert_eq!(verdict(&self::rules("a\n!a/\n"), "a"), Some(true));
}

#[test]
fn comments_blank_lines_and_escapes_are_read_as_git_does() {
    check("# a\n\n\\#b\n\\!c\n!!d\n", &["#b", "!c"], &["# a", "c", "!d", "d"]);
    check("a\\*b", &["a*b"], &["axb"]);
    check("tail\\", &[], &["tail", "tail\\"]);
    check(" lead", &[" lead"], &["lead"]);
    check("/\n//\n!\n", &[], &["a", "/"]);
}

#[test]
fn spaces_at_the_end_count_only_when_escaped_and_tabs_always() {
    check("a  \nb\\ \nc\\  \nd\t\n", &["a", "b ", "c ", "d\t"], &["a  ", "b", "c", "c  ", "d"]);
    check("   \n", &[], &["   ", "a"]);
}

#[test]
fn crlf_a_byte_order_mark_and_nul_are_read_as_git_does() {
    check("\u{feff}a\r\nb\r\r\nc\0d\ne", &["a", "b\r", "c", "e"], &["a\r", "b", "c\0d", "\u{feff}a"]);
}

#[test]
fn classes_and_their_posix_names_work() {
    check("[abc]x", &["ax", "cx"], &["dx", "x"]);
    check("[!a-c]x\n", &["dx", "-x"], &["ax", "bx"]);
    check("[^a]x", &["bx"], &["ax"]);
    check("[]]x\n[]-]y\n", &["]x", "-y", "]y"], &["x"]);
    check("[[:alpha:]]1", &["a1", "Z1"], &["11", "_1"]);
    check("[[:digit:][:upper:]]z", &["1z", "Az"], &["az"]);
    check("[a\\]b]q", &["]q", "aq"], &["\\q"]);
    check("x[[:nope:]]", &[], &["xa", "x:"]);
    check("open[", &[], &["open[", "open"]);
    check("a/[/]b", &[], &["a//b"]);
    check("[a-]m", &["am", "-m"], &["bm"]);
    check("[[:x]n", &["[n", ":n", "xn"], &["an"]);
}

#[test]
fn every_posix_class_holds_what_git_holds_in_it() {
    let held = |class: &str| -> usize {
        let rules = rules(&format!("[[:{class}:]]"));
        let is_held = |byte: &u8| rules.verdict(&[*byte], false, &mut Effort::new(u64::MAX)) == Some(true);
        (1..=u8::MAX).filter(|byte| *byte != b'/').filter(is_held).count()
    };
    // Without `/`, which no class matches, and without NUL, which no name holds.
    for (class, count) in [
        ("alnum", 62),
        ("alpha", 52),
        ("blank", 2),
        ("cntrl", 32),
        ("digit", 10),
        ("graph", 93),
        ("lower", 26),
        ("print", 94),
        ("punct", 31),
        ("space", 4),
        ("upper", 26),
        ("xdigit", 22),
    ] {
        assert_eq!(held(class), count, "{class}");
    }
}

#[test]
fn case_is_ignored_only_when_the_repository_says_so() {
    check("Read.ME", &["Read.ME"], &["read.me"]);
    let folded = Rules::parse(b"Read.ME\n*.LOG\n/A/b\n[x-z]q\n", true, &mut Quota::default()).unwrap();
    for path in ["read.me", "READ.ME", "a.log", "A.Log", "a/B", "Xq", "yQ"] {
        assert_eq!(verdict(&folded, path), Some(true), "{path}");
    }
    // Only ASCII letters are folded, as git does.
    let folded = Rules::parse("\u{c9}".as_bytes(), true, &mut Quota::default()).unwrap();
    assert_eq!(verdict(&folded, "\u{e9}"), None);
}

#[test]
fn bytes_that_are_not_unicode_are_compared_as_bytes() {
    let rules = Rules::parse(b"\xff*\n", false, &mut Quota::default()).unwrap();
    assert_eq!(rules.verdict(b"\xff\xfe", false, &mut Effort::new(u64::MAX)), Some(true));
    assert_eq!(rules.verdict(b"\xfe", false, &mut Effort::new(u64::MAX)), None);
}

fn fits(bytes: &[u8]) -> bool {
    Rules::parse(bytes, false, &mut Quota::default()).is_ok()
}

#[test]
fn a_file_of_256_kib_is_read_and_one_byte_more_refused() {
    let comment = |bytes: usize| [vec![b'#'; bytes - 1], vec![b'\n']].concat();
    assert!(fits(&comment(IGNORE_FILE_BYTES_MAX - 1)));
    assert!(fits(&comment(IGNORE_FILE_BYTES_MAX)));
    assert!(!fits(&comment(IGNORE_FILE_BYTES_MAX + 1)));
}

#[test]
fn a_file_of_10_000_patterns_is_read_and_one_more_refused() {
    let lines = |count: usize| format!("# comment\n\n{}", "a\n".repeat(count)).into_bytes();
    assert!(fits(&lines(IGNORE_FILE_PATTERNS_MAX - 1)));
    assert!(fits(&lines(IGNORE_FILE_PATTERNS_MAX)));
    assert!(!fits(&lines(IGNORE_FILE_PATTERNS_MAX + 1)));
}

#[test]
fn a_pattern_of_1024_bytes_is_read_and_one_more_refused() {
    for (extra, expected) in [(0, true), (1, false)] {
        let pattern = "a".repeat(IGNORE_PATTERN_BYTES_MAX + extra);
        assert_eq!(fits(format!("{pattern}   \r\n").as_bytes()), expected);
        assert!(fits(format!("#{pattern}\n").as_bytes()), "a comment is no pattern");
    }
}

#[test]
fn all_files_of_a_call_share_2_mib_and_50_000_patterns() {
    let mut quota = Quota::default();
    let file = vec![b'\n'; IGNORE_FILE_BYTES_MAX];
    for _ in 0..8 {
        assert!(Rules::parse(&file, false, &mut quota).is_ok());
    }
    assert!(Rules::parse(b"", false, &mut quota).is_ok());
    assert!(Rules::parse(b"\n", false, &mut quota).is_err());

    let mut quota = Quota::default();
    let file = "a\n".repeat(IGNORE_FILE_PATTERNS_MAX).into_bytes();
    for _ in 0..5 {
        assert!(Rules::parse(&file, false, &mut quota).is_ok());
    }
    assert!(Rules::parse(b"# none\n", false, &mut quota).is_ok());
    assert!(Rules::parse(b"a\n", false, &mut quota).is_err());
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_the_reader_or_the_matcher_panic(
        bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200),
        path in "[a-c/*\\[\\]!]{1,12}",
    ) {
        for ignore_case in [false, true] {
            let rules = Rules::parse(&bytes, ignore_case, &mut Quota::default()).unwrap();
            rules.verdict(path.as_bytes(), true, &mut Effort::new(u64::MAX));
        }
    }
}
