//! Globs that match, globs that do not, and globs that are refused.

use super::*;

fn matches(pattern: &str, path: &str) -> bool {
    Globs::compile(&[pattern]).unwrap_or_else(|fault| panic!("{pattern}: {fault}")).matches(path)
}

fn reason(pattern: &str) -> GlobReason {
    match Globs::compile(&["fine.rs", pattern]) {
        Err(GlobFault::Pattern { index: 1, reason }) => reason,
        other => panic!("{pattern:?} gave {other:?}"),
    }
}

#[track_caller]
fn check(pattern: &str, hits: &[&str], misses: &[&str]) {
    for path in hits {
        assert!(matches(pattern, path), "{pattern} should match {path}");
    }
    for path in misses {
        assert!(!matches(pattern, path), "{pattern} should not match {path}");
    }
}

#[test]
fn a_star_stays_inside_one_segment() {
    check("*.rs", &["a.rs", ".rs", "a.b.rs"], &["src/a.rs", "a.rs/b", "a.rsx", "xa.RS"]);
    check("src/*/mod.rs", &["src/a/mod.rs"], &["src/mod.rs", "src/a/b/mod.rs"]);
    check("*", &["a", ".hidden"], &["a/b"]);
    check("a*b*c", &["abc", "aXbYc", "abbcc"], &["ab/c", "acb"]);
}

#[test]
fn a_question_mark_is_one_scalar_of_one_segment() {
    check("?.rs", &["a.rs", "é.rs", "😀.rs"], &["ab.rs", ".rs", "/.rs"]);
    check("*??", &["ab", "é€", "xyz"], &["€", "a"]);
    check("a?b", &["a-b"], &["a/b", "ab"]);
}

#[test]
fn double_star_and_slash_is_zero_or_more_whole_segments() {
    check("**/*.rs", &["a.rs", "x/a.rs", "x/y/a.rs"], &["a.rsx", "x/a.rs/b"]);
    check("**/a.rs", &["a.rs", "x/a.rs", "x/y/a.rs"], &["xa.rs", "x/ya.rs"]);
    check("src/**/a.rs", &["src/a.rs", "src/x/a.rs", "src/x/y/a.rs"], &["src/xa.rs", "xsrc/a.rs", "a.rs"]);
    check("**/t/**/u", &["t/u", "a/t/b/c/u"], &["t", "u", "at/u"]);
    check("**/**/a", &["a", "x/a", "x/y/z/a"], &["xa"]);
}

#[test]
fn double_star_elsewhere_matches_anything() {
    check("src/**", &["src/a", "src/a/b.c"], &["src", "srcx/a"]);
    check("**", &["a", "a/b/c"], &[]);
    check("a**b", &["ab", "axb", "a/x/b"], &["a", "xab"]);
    check("a**/b", &["ax/b", "a/b", "ax/y/b"], &["ab"]);
    check("src/**.rs", &["src/a.rs", "src/a/b.rs", "src/.rs"], &["src/a.c"]);
    check("***", &["a/b"], &[]);
}

#[test]
fn a_pattern_equal_to_a_folder_selects_nothing_below_it() {
    check("src", &["src"], &["src/a.rs"]);
    check("src/", &[], &["src", "src/a.rs"]);
}

#[test]
fn matching_is_case_sensitive() {
    check("*.RS", &["a.RS"], &["a.rs"]);
}

#[test]
fn braces_are_alternatives_and_nest() {
    check("*.{rs,toml}", &["a.rs", "a.toml"], &["a.c", "a.{rs,toml}"]);
    check("{src,tests}/**/*.{c,h{,pp}}", &["src/a.c", "tests/x/a.hpp", "src/a.h"], &["lib/a.c", "src/a.hp"]);
    check("{a}b{,c}", &["ab", "abc"], &["a", "b", "{a}b"]);
    check("a,b", &["a,b"], &["a", "b"]);
    check("x{a,{b,{c,d}}e}y", &["xay", "xbey", "xcey", "xdey"], &["xby", "xaey"]);
}

#[test]
fn a_leading_dot_segment_says_nothing() {
    check("./src/*.rs", &["src/a.rs"], &["a.rs"]);
    check("././**/*.rs", &["src/a.rs", "a.rs"], &[]);
}

#[test]
fn spellings_that_would_select_nothing_are_refused_with_a_reason() {
    let cases = [
        ("", GlobReason::Blank),
        (" \t", GlobReason::Blank),
        ("a\\b", GlobReason::Backslash),
        ("/a", GlobReason::Absolute),
        ("{/a,b}", GlobReason::Absolute),
        ("C:/a", GlobReason::Drive),
        ("c:a", GlobReason::Drive),
        ("..", GlobReason::Traversal),
        ("a/../b", GlobReason::Traversal),
        ("a/..", GlobReason::Traversal),
        ("a/{.,x}./b", GlobReason::Traversal),
        ("a\0b", GlobReason::Nul),
        ("!a", GlobReason::Negation),
        ("[ab].rs", GlobReason::Class),
        ("a[!b]c", GlobReason::Class),
        ("a{b", GlobReason::Braces),
        ("a}b", GlobReason::Braces),
        ("{a,{b}", GlobReason::Braces),
    ];
    for (pattern, expected) in cases {
        assert_eq!(reason(pattern), expected, "{pattern:?}");
    }
    for reason in ["..a", "a..b", "...", "a!b", "a]b", "a[b", "1:a"] {
        assert!(Globs::compile(&[reason]).is_ok(), "{reason}");
    }
}

#[test]
fn a_pattern_of_512_scalars_is_accepted_and_513_refused() {
    assert!(Globs::compile(&["é".repeat(512)]).is_ok());
    assert_eq!(reason(&"é".repeat(513)), GlobReason::TooLong);
}

#[test]
fn an_array_of_256_patterns_is_accepted_and_257_refused() {
    assert!(Globs::compile(&vec!["a"; 256]).is_ok());
    assert_eq!(Globs::compile(&vec!["a"; 257]).unwrap_err(), GlobFault::TooMany);
}

#[test]
fn a_pattern_may_stand_for_64_alternatives_but_not_for_65() {
    let list = |count: usize| format!("{{{}}}", vec!["a"; count].join(","));
    assert!(Globs::compile(&[list(64)]).is_ok());
    assert_eq!(reason(&list(65)), GlobReason::Alternatives);
    assert!(Globs::compile(&["{a,b}".repeat(6)]).is_ok());
    assert_eq!(reason(&"{a,b}".repeat(7)), GlobReason::Alternatives);
    assert_eq!(reason(&"{a,b}".repeat(100)), GlobReason::Alternatives);
}

#[test]
fn an_array_may_stand_for_1024_alternatives_but_not_for_1025() {
    let sixteen = vec!["{a,b}".repeat(6); 16];
    assert!(Globs::compile(&sixteen).is_ok());
    let mut more = sixteen;
    more.push("a".to_owned());
    assert_eq!(Globs::compile(&more).unwrap_err(), GlobFault::TooManyAlternatives);
}

#[test]
fn any_pattern_of_an_array_suffices_and_no_pattern_matches_nothing() {
    let globs = Globs::compile(&["*.md", "src/**", "a/b"]).unwrap();
    assert!(!globs.is_empty());
    for (path, expected) in [("x.md", true), ("src/a", true), ("a/b", true), ("b", false)] {
        assert_eq!(globs.matches(path), expected, "{path}");
    }
    let none = Globs::compile::<&str>(&[]).unwrap();
    assert!(none.is_empty() && !none.matches("a"));
}

#[test]
fn names_that_are_not_unicode_can_be_matched() {
    let globs = Globs::compile(&["?.txt"]).unwrap();
    assert!(globs.matches(b"\xff.txt") && globs.matches(b"\xfe.txt") && !globs.matches(b"\xff\xfe.txt"));
}

#[test]
fn hostile_patterns_cost_a_bounded_number_of_steps() {
    let path = format!("{}/{}", "a".repeat(255), vec!["a".repeat(255); 14].join("/"));
    for pattern in ["*".repeat(511), "*a".repeat(255), "**/*a*".repeat(85), "**a*".repeat(127)] {
        let globs = Globs::compile(&[format!("{pattern}b")]).unwrap();
        let mut effort = Effort::new(512 * 4_096 * 256);
        globs.matches_within(format!("{path}bc/b").as_bytes(), &mut effort);
        assert!(!effort.is_spent(), "{pattern}");
    }
}

/// A matcher that tries everything: slow and obviously right.
fn slow(tokens: &[Token], text: &[u8]) -> bool {
    let rests = |stop_at_slash: bool| {
        let reach = if stop_at_slash { memchr::memchr(b'/', text).unwrap_or(text.len()) } else { text.len() };
        (0..=reach).map(|from| &text[from..])
    };
    match tokens.split_first() {
        None => text.is_empty(),
        Some((Token::Star, rest)) => rests(true).any(|text| slow(rest, text)),
        Some((Token::StarAny, rest)) => rests(false).any(|text| slow(rest, text)),
        Some((Token::Folders, rest)) => {
            slow(rest, text)
                || (1..=text.len()).any(|from| text[from - 1] == b'/' && slow(rest, &text[from..]))
        }
        Some((Token::Byte(byte), rest)) => text.first() == Some(byte) && slow(rest, &text[1..]),
        Some((_, rest)) => text.first().is_some_and(|byte| *byte != b'/') && slow(rest, &text[1..]),
    }
}

proptest::proptest! {
    #[test]
    fn the_matcher_agrees_with_one_that_tries_everything(
        pattern in "([ab/?]|\\*|\\*\\*|\\*\\*/){1,9}", path in "[ab]{1,3}(/[ab]{1,3}){0,3}"
    ) {
        if let Ok(globs) = Globs::compile(&[&pattern]) {
            proptest::prop_assert_eq!(globs.matches(&path), slow(&tokens(&pattern), path.as_bytes()));
        }
    }

    #[test]
    fn no_pattern_makes_the_compiler_panic(pattern in "\\PC{0,40}", path in "\\PC{0,20}") {
        if let Ok(globs) = Globs::compile(&[&pattern]) {
            globs.matches(&path);
        }
    }
}
