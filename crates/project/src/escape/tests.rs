//! Names and bodies in each format, and what readers make of them.

use proptest::prelude::*;
use pulldown_cmark::{Event, Parser};

use super::*;

fn markdown(text: &str) -> String {
    let mut out = String::new();
    push_markdown(text, &mut out);
    out
}

fn code_span(text: &str) -> String {
    let mut out = String::new();
    push_code_span(text, &mut out);
    out
}

fn json_name(text: &str) -> String {
    let mut out = String::new();
    push_json_name(text, &mut out);
    out
}

fn json_body(text: &str) -> String {
    let mut out = String::from("\"");
    push_json_body(text, &mut out);
    out.push('"');
    out
}

fn xml_name(text: &str) -> String {
    let mut out = String::new();
    push_xml_name(text, &mut out);
    out
}

fn xml_body(text: &str) -> String {
    let mut out = String::new();
    push_xml_body(text, &mut out);
    out
}

/// What a CommonMark reader shows of `markup`, or nothing when it holds anything but literal text.
fn shown(markup: &str) -> Option<String> {
    let mut text = String::new();
    for event in Parser::new(markup) {
        match event {
            Event::Text(piece) => text.push_str(&piece),
            Event::Start(pulldown_cmark::Tag::Paragraph) | Event::End(_) => {}
            _ => return None,
        }
    }
    Some(text)
}

#[test]
fn control_characters_become_visible_escapes() {
    assert_eq!(
        visible("a\r\n\tb\u{1b}[2J\u{7f}\u{85}\u{2028}\u{2029}é"),
        "a\\r\\n\\tb\\u001B[2J\\u007F\\u0085\\u2028\\u2029é"
    );
    assert_eq!(visible("\u{202e}\u{200b}\u{feff}\u{e0041}"), "\\u202E\\u200B\\uFEFF\\u{E0041}");
    let mut out = String::from("x");
    push_visible("plain name.rs", &mut out);
    push_visible("\u{7}", &mut out);
    assert_eq!(out, "xplain name.rs\\u0007");
}

#[test]
fn search_paths_double_backslashes_and_search_lines_keep_tabs() {
    assert_eq!(search_label(Some("a\\b\nc"), "a\\b\nc"), "a\\\\b\\nc");
    assert_eq!(search_label(Some("src/a.rs"), "src/a.rs"), "src/a.rs");
    assert_eq!(search_label(None, "a\\xFF\u{1b}"), "a\\xFF\\u001B");
    let mut out = String::new();
    push_line("\tif x {\u{1b}[31m\t}\r\u{202e}\\", &mut out);
    assert_eq!(out, "\tif x {\\u001B[31m\t}\\r\\u202E\\");
}

#[test]
fn markdown_escapes_exactly_the_listed_characters() {
    assert_eq!(markdown(r"\`*_{}[]<>&|~^$"), r"\\\`\*\_\{\}\[\]\<\>\&\|\~\^\$");
    assert_eq!(markdown("a\"'(,/:;=?@%"), "a\"'(,/:;=?@%");
    assert_eq!(markdown("a-b+c#d!e"), "a-b+c#d!e");
    for c in ['-', '+', '#', '!'] {
        assert_eq!(markdown(&format!("{c}a{c}")), format!("\\{c}a{c}"));
        assert_eq!(markdown(&format!("  {c}a")), format!("  \\{c}a"));
        assert_eq!(markdown(&format!("{c}{c}")), format!("\\{c}{c}"));
    }
    assert_eq!(markdown("1. a"), "1\\. a");
    assert_eq!(markdown("12) a. b) 3."), "12\\) a. b) 3.");
    assert_eq!(markdown("1.2.3"), "1\\.2.3");
    assert_eq!(markdown("a1. b"), "a1. b");
    assert_eq!(markdown(".gitignore"), ".gitignore");
    assert_eq!(markdown("Cargo.toml"), "Cargo.toml");
    assert_eq!(markdown("_init__.py"), "\\_init\\_\\_.py");
}

#[test]
fn hashes_at_the_end_of_a_heading_belong_to_the_name() {
    for name in
        ["a #", "a ##", "a # #", "C#", "C #", "#", "##", "# #", "a \\ #", "a\\#", "a #b", "a \\#", "#a#"]
    {
        let mut line = String::from("# ");
        push_heading(name, &mut line);
        let mut text = String::new();
        for event in Parser::new(&line) {
            match event {
                Event::Text(piece) => text.push_str(&piece),
                Event::Start(pulldown_cmark::Tag::Heading { .. }) | Event::End(_) => {}
                other => panic!("{line}: {other:?}"),
            }
        }
        assert_eq!(text, name, "{line}");
    }
    let mut plain = String::new();
    push_heading("a #1 b", &mut plain);
    assert_eq!(plain, "a #1 b");
}

#[test]
fn markdown_escapes_come_after_the_visible_ones() {
    assert_eq!(markdown("a\nb"), "a\\\\nb");
    assert_eq!(markdown("](x)<img>"), "\\](x)\\<img\\>");
    assert_eq!(markdown("\u{e0041}"), "\\\\u\\{E0041\\}");
    assert_eq!(markdown("-\u{1b}x"), "\\-\\\\u001Bx");
}

#[test]
fn a_code_span_is_delimited_by_more_backticks_than_it_holds() {
    assert_eq!(code_span("a.py"), "`a.py`");
    assert_eq!(code_span("a`b"), "``a`b``");
    assert_eq!(code_span("`a"), "`` `a ``");
    assert_eq!(code_span("a``"), "``` a`` ```");
    assert_eq!(code_span(" a "), "`  a  `");
    assert_eq!(code_span(" a"), "` a`");
    assert_eq!(code_span(" "), "` `");
    assert_eq!(code_span("a\n## b"), "`a\\n## b`");
}

#[test]
fn the_info_string_is_the_plain_lower_case_extension() {
    for (path, info) in [
        ("a.PY", "py"),
        ("x/archive.tar.gz", "gz"),
        (".env", ""),
        ("x.d/.env", ""),
        ("x.d/Makefile", ""),
        ("a.", ""),
        ("a.c++", ""),
        ("a.é", ""),
        ("a.b c", ""),
        ("a.x-y_1", "x-y_1"),
        ("a.`rs", ""),
        (".a.rs", "rs"),
    ] {
        assert_eq!(info_string(path), info, "{path}");
    }
}

#[test]
fn backtick_runs_are_measured_to_the_end() {
    for (text, run) in [("", 0), ("a", 0), ("`", 1), ("a``b`", 2), ("`a```", 3), ("````", 4)] {
        assert_eq!(longest_backtick_run(text), run, "{text}");
    }
}

#[test]
fn json_writes_letters_as_they_are_and_invisible_characters_as_escapes() {
    assert_eq!(json_name("é\"\\/\n\u{202e}\u{e0041}\u{7f}"), "\"é\\\"\\\\/\\n\\u202e\\udb40\\udc41\\u007f\"");
    assert_eq!(json_body("a\t\"b\"\\\r\n\u{1}\u{8}\u{c}é"), "\"a\\t\\\"b\\\"\\\\\\r\\n\\u0001\\b\\fé\"");
}

#[test]
fn xml_escapes_markup_keeps_carriage_returns_and_replaces_what_it_cannot_carry() {
    assert_eq!(xml_name("a&<>\"'\n\u{202e}\u{e0041}"), "a&amp;&lt;&gt;&quot;'&#xA;&#x202E;&#xE0041;");
    assert_eq!(xml_name("\0\u{1b}\u{fffe}\u{ffff}\u{fffd}"), "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}");
    assert_eq!(xml_body("a\r\n\tb & <c> ]]>"), "a&#xD;\n\tb &amp; &lt;c&gt; ]]&gt;");
    assert_eq!(
        xml_body("\u{b}x\u{fffe}\u{ffff}\u{ff41}\u{f000}"),
        "\u{fffd}x\u{fffd}\u{fffd}\u{ff41}\u{f000}"
    );
}

#[test]
fn eight_bytes_are_judged_each_for_itself() {
    for byte in 0..=u8::MAX {
        for at in 0..8 {
            for other in [0, 0x1F, 0x20, b'"', 0x7F, 0x80, 0xFF] {
                let mut word = [other; 8];
                word[at] = byte;
                let word = u64::from_le_bytes(word);
                let bit = 0x80 << (8 * at);
                assert_eq!(below(word, 0x20) & bit != 0, byte < 0x20, "{byte:#x} beside {other:#x}");
                assert_eq!(equal(word, b'"') & bit != 0, byte == b'"', "{byte:#x} beside {other:#x}");
                assert_eq!(equal(word, 0xEF) & bit != 0, byte == 0xEF, "{byte:#x} beside {other:#x}");
            }
        }
    }
}

/// Text with everything that is special somewhere.
fn hostile() -> impl Strategy<Value = String> {
    let special = prop::sample::select(vec![
        "\\",
        "`",
        "```",
        "*",
        "_",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "&",
        "|",
        "~",
        "^",
        "$",
        "-",
        "+",
        "#",
        "!",
        ".",
        "1",
        "23",
        " ",
        "\n",
        "\r",
        "\t",
        "\u{1b}",
        "\0",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{202e}",
        "\u{200b}",
        "\u{feff}",
        "\u{fffe}",
        "\u{ffff}",
        "\u{fffd}",
        "\u{e0041}",
        "é",
        "😀",
        "\"",
        "'",
        "a",
        "](x)<img>",
        "&amp;",
        "]]>",
        "<!--",
        "REDACTED[jwt#1]",
        "/",
        ":",
        "=",
        "http://x.y",
        "\u{ef}",
    ]);
    prop::collection::vec(
        prop_oneof![special.prop_map(str::to_owned), any::<char>().prop_map(String::from)],
        0..40,
    )
    .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_markdown_label_shows_its_visible_form(text in hostile()) {
        let line = visible(&text);
        // What Markdown does with spaces at the ends of a paragraph is not about the label.
        prop_assume!(!line.is_empty() && line.trim_matches(' ') == line);
        prop_assert_eq!(shown(&format!("Root: {}", markdown(&text))), Some(format!("Root: {line}")));
        prop_assert_eq!(shown(&markdown(&text)), Some(line));
    }

    #[test]
    fn a_code_span_shows_its_path(text in hostile()) {
        let line = visible(&text);
        prop_assume!(!line.is_empty());
        let markup = format!("x {} y", code_span(&text));
        let codes: Vec<String> = Parser::new(&markup)
            .filter_map(|event| if let Event::Code(code) = event { Some(code.to_string()) } else { None })
            .collect();
        prop_assert_eq!(codes, vec![line]);
    }

    #[test]
    fn json_gives_every_text_back(text in hostile()) {
        let (name, body) = (json_name(&text), json_body(&text));
        prop_assert_eq!(&serde_json::from_str::<String>(&name).unwrap(), &text);
        prop_assert_eq!(&serde_json::from_str::<String>(&body).unwrap(), &text);
        prop_assert!(!name.chars().any(fault::is_unprintable));
        prop_assert!(!body.chars().any(|c| c < ' '));
    }

    #[test]
    fn xml_gives_every_legal_text_back(text in hostile()) {
        let legal: String = text.chars().map(|c| if is_illegal_in_xml(c) { '\u{fffd}' } else { c }).collect();
        for markup in [xml_name(&text), xml_body(&text)] {
            prop_assert_eq!(quick_xml::escape::unescape(&markup).unwrap(), legal.as_str());
            prop_assert!(!markup.contains(['<', '\r']) && !markup.contains("]]>"));
            prop_assert!(!markup.chars().any(is_illegal_in_xml));
        }
        prop_assert!(!xml_name(&text).chars().any(fault::is_unprintable));
    }

    #[test]
    fn visible_text_is_one_printable_line_and_is_shown_as_it_is(text in hostile()) {
        let (mut pushed, line) = (String::new(), visible(&text));
        push_visible(&text, &mut pushed);
        prop_assert_eq!(&pushed, &line);
        prop_assert!(!line.chars().any(fault::is_unprintable));
        prop_assert_eq!(visible(&line), line);
    }
}
