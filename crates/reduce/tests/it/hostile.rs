//! Files made to exhaust a parser: they stay complete, and the process stays alive.

use fault::Unwatched;
use reduce::{Tier, languages, reduce};

/// The file stays as it is at every tier. It is run on the small stack of a test's thread.
#[track_caller]
fn stays_complete(path: &str, text: &str) {
    for tier in [Tier::Compact, Tier::Signatures] {
        let edits = reduce(text, path, tier.wanted(), &Unwatched).expect("because nobody stops it");
        assert_eq!(edits, [], "{path} {}", tier.as_str());
    }
}

#[test]
fn a_hundred_thousand_open_parentheses_stay_complete() {
    let text = "(".repeat(100_000);
    for language in languages() {
        let name = language.extensions.first().map_or_else(String::new, |extension| format!("a.{extension}"));
        stays_complete(&name, &text);
    }
}

#[test]
fn half_a_million_unterminated_strings_stay_complete() {
    let text = "\"a\n".repeat(500_000);
    for path in ["a.c", "a.go", "a.rs", "a.java", "a.ts"] {
        stays_complete(path, &text);
    }
}

#[test]
fn two_hundred_thousand_nested_type_arguments_stay_complete() {
    let text = "a<".repeat(200_000);
    for path in ["a.cc", "a.cs", "a.ts", "a.java", "a.kt", "a.rs"] {
        stays_complete(path, &text);
    }
}

#[test]
fn deep_chains_of_else_stay_complete() {
    let chain = "if (a) b(); else ".repeat(50_000);
    for (path, text) in [
        ("a.c", format!("int f() {{ {chain}; }} // c\n")),
        ("a.cc", format!("int f() {{ {chain}; }} // c\n")),
        ("a.java", format!("class A {{ int f() {{ {chain}; }} }} // c\n")),
        ("a.js", format!("function f() {{ {chain}; }} // c\n")),
    ] {
        // Deep but sound: whether it is reduced or not, it comes to an end.
        reduce(&text, path, Tier::Signatures.wanted(), &Unwatched).expect("because nobody stops it");
    }
}

#[test]
fn deeply_nested_functions_come_to_an_end() {
    let text = format!("// c\n{}{}", "function f() { ".repeat(20_000), "}".repeat(20_000));
    reduce(&text, "a.js", Tier::Compact.wanted(), &Unwatched).expect("because nobody stops it");
    let text = format!("{}1{}; // c\n", "x = ((".repeat(20_000), "))".repeat(20_000));
    reduce(&text, "a.js", Tier::Signatures.wanted(), &Unwatched).expect("because nobody stops it");
}

#[test]
fn bytes_at_random_never_abort() {
    // A fixed sequence, so that a failure can be seen again.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let pieces = [
        "(", ")", "{", "}", "[", "]", "<", ">", "\"", "'", "`", "/*", "*/", "//", "#", "\n", "\r\n", "\t",
        " ", "a", "1", "=>", "=", ":", ";", "@", "$", "\\", "<<EOF", "def ", "end", "fn ", "class ", "é",
        "\u{2028}", "\u{feff}", "%q(", "=begin", "<!--", "-->", "<?php", "?>", "|", "- ", "do", "if ", "\0",
    ];
    for language in languages() {
        let name = language.extensions.first().map_or_else(String::new, |extension| format!("a.{extension}"));
        for _ in 0..20 {
            let mut text = String::new();
            for _ in 0..300 {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                text.push_str(pieces[(state % pieces.len() as u64) as usize]);
            }
            let edits =
                reduce(&text, &name, Tier::Signatures.wanted(), &Unwatched).expect("because nobody stops it");
            let after = reduce::apply(&text, &edits);
            assert!(after.len() <= text.len());
        }
    }
}
