//! One file of awkward forms per language, and what is left of it at each tier.
//!
//! The files lie in `fixtures/reduce`, what is left of them in `fixtures/reduce/snapshots`.

use reduce::{Tier, apply, language_of, languages, outline};

use crate::{BODIES, reduced};

/// The name of a fixture and its text.
macro_rules! fixtures {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../../fixtures/reduce/", $name)))),*]
    };
}

const FIXTURES: [(&str, &str); 33] = fixtures![
    "bash.sh",
    "c.c",
    "cpp.cpp",
    "csharp.cs",
    "css.css",
    "dart.dart",
    "Dockerfile",
    "elixir.ex",
    "go.go",
    "haskell.hs",
    "hcl.tf",
    "header.h",
    "html.html",
    "java.java",
    "javascript.js",
    "jsonc.jsonc",
    "kotlin.kt",
    "lua.lua",
    "objectivec.m",
    "php.php",
    "protobuf.proto",
    "python.py",
    "ruby.rb",
    "rust.rs",
    "scala.scala",
    "sql.sql",
    "swift.swift",
    "toml.toml",
    "tsx.tsx",
    "typescript.ts",
    "xml.xml",
    "yaml.yaml",
    "zig.zig",
];

#[test]
fn every_language_has_a_fixture() {
    let mut tested: Vec<&str> =
        FIXTURES.iter().filter_map(|(name, text)| language_of(name, text)).map(|one| one.name).collect();
    tested.sort_unstable_by_key(|name| name.to_lowercase());
    tested.dedup();
    let listed: Vec<&str> = languages().iter().map(|one| one.name).collect();
    assert_eq!(tested, listed);
}

#[test]
fn fixtures_are_reduced_as_their_snapshots_say() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../fixtures/reduce/snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, text) in FIXTURES {
            let mut shown = format!("===== compact =====\n{}", reduced(name, text, Tier::Compact.wanted()));
            if language_of(name, text).is_some_and(|language| language.bodies) {
                shown +=
                    &format!("===== signatures =====\n{}", reduced(name, text, Tier::Signatures.wanted()));
            }
            insta::assert_snapshot!(name, shown);
        }
    });
}

#[test]
fn what_is_left_of_a_fixture_is_the_same_when_it_is_reduced_again() {
    for (name, text) in FIXTURES {
        for wanted in [Tier::Compact.wanted(), Tier::Signatures.wanted(), BODIES] {
            let once = reduced(name, text, wanted);
            assert_eq!(reduced(name, &once, wanted), once, "{name}");
        }
    }
}

#[test]
fn declarations_that_are_not_inside_a_body_stay_in_every_fixture() {
    for (name, text) in FIXTURES {
        let edits = reduce::reduce(text, name, Tier::Signatures.wanted(), &fault::Unwatched)
            .expect("because nobody stops it");
        let before = outline(text, name).expect("its language is supported");
        let after = outline(&apply(text, &edits), name).expect("its language is supported");
        let kept = before.declarations.iter().filter(|(range, _)| {
            !edits.iter().any(|edit| edit.range.start <= range.start && range.end <= edit.range.end)
        });
        assert!(kept.map(|(_, name)| name).eq(after.declarations.iter().map(|(_, name)| name)), "{name}");
    }
}

/// The one form without which a header would be none, and which no grammar of C reads whole.
const DEFECTS: [(&str, usize); 1] = [("header.h", 1)];

#[test]
fn fixtures_hold_no_defects() {
    for (name, text) in FIXTURES {
        let expected = DEFECTS.iter().find(|(one, _)| *one == name).map_or(0, |(_, defects)| *defects);
        let outline = outline(text, name).expect("its language is supported");
        assert_eq!(outline.defects, expected, "{name}");
    }
}

#[test]
fn line_ends_of_two_characters_change_nothing_else() {
    for (name, text) in FIXTURES {
        for wanted in [Tier::Compact.wanted(), Tier::Signatures.wanted(), BODIES] {
            let crlf = text.replace('\n', "\r\n");
            let expected = reduced(name, text, wanted).replace('\n', "\r\n");
            assert_eq!(reduced(name, &crlf, wanted), expected, "{name}");
        }
    }
}
