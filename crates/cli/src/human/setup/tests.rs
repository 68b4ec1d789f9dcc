//! Tests of the editors: what they write, and that every other byte stays.

use super::*;
use proptest::prelude::*;

fn entry() -> Entry {
    Entry {
        name: "readroom".to_owned(),
        command: "/opt/read room".to_owned(),
        args: ["mcp", "--root", "/a \"b\""].map(str::to_owned).to_vec(),
    }
}

/// Sets the entry, once and again, takes it out, and gives both documents.
fn json_round(before: &str, key: &str) -> (String, String) {
    let set = json::set(before, key, &entry(), false).expect("edited");
    assert_eq!(json::set(&set, key, &entry(), false).expect("edited"), set, "a second time changes nothing");
    let removed = json::remove(&set, key, "readroom").expect("edited");
    assert_eq!(json::remove(&removed, key, "readroom").expect("edited"), removed);
    (set, removed)
}

#[test]
fn a_document_that_is_missing_or_blank_is_made() {
    let made = json::set("", "servers", &entry(), true).expect("made");
    assert_eq!(
        made,
        r#"{
  "servers": {
    "readroom": {
      "type": "stdio",
      "command": "/opt/read room",
      "args": ["mcp", "--root", "/a \"b\""]
    }
  }
}
"#
    );
    assert_eq!(json::set(" \n", "servers", &entry(), true), Ok(made));
}

#[test]
fn the_entry_comes_last_and_comments_and_neighbours_stay() {
    let before = "// mine\n{\n\t\"theme\": \"x\", // why\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\":\"o\"} // last\n\t\t/* end */\n\t},\n\t\"z\": [1,2,],\n}\n";
    let (set, removed) = json_round(before, "mcpServers");
    assert_eq!(
        set,
        "// mine\n{\n\t\"theme\": \"x\", // why\n\t\"mcpServers\": {\n\t\t\"other\": {\"command\":\"o\"}, // last\n\t\t/* end */\n\t\t\"readroom\": {\n\t\t\t\"command\": \"/opt/read room\",\n\t\t\t\"args\": [\"mcp\", \"--root\", \"/a \\\"b\\\"\"]\n\t\t}\n\t},\n\t\"z\": [1,2,],\n}\n"
    );
    assert_eq!(removed, before);
}

#[test]
fn every_shape_of_a_document_comes_back_as_it_was() {
    for before in [
        "{\"mcpServers\":{\"a\":{}}}",
        "{ \"mcpServers\": { \"a\": {}, } }",
        "{\n  \"mcpServers\": {}\n}",
        "{\r\n    \"mcpServers\": {\r\n        \"a\": {}\r\n    }\r\n}\r\n",
        "\u{feff}{\"mcpServers\": {\"a\": 1}}\n",
        "{\n  \"mcpServers\": {\n    \"a\": {},\n    // a word\n  }\n}\n",
        "{\n  \"mcpServers\": {\n    // nothing yet\n  }\n}\n",
    ] {
        let (set, removed) = json_round(before, "mcpServers");
        assert!(set.contains("readroom"), "{before}");
        assert_eq!(removed, before, "{set}");
    }
    let (set, removed) = json_round("{\n  \"a\": 1\n}\n", "mcpServers");
    assert!(
        set.starts_with("{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"readroom\": {\n      \"command\""),
        "{set}"
    );
    assert_eq!(removed, "{\n  \"a\": 1,\n  \"mcpServers\": {}\n}\n", "an empty table is nobody's harm");
}

#[test]
fn an_entry_keeps_what_a_person_added_to_it() {
    let before = "{\"mcpServers\": {\"readroom\": {\"command\": \"old\", \"env\": {\"A\": \"1\"}, \"args\": [\"x\" /* why */], \"disabled\": true}, \"b\": 2}}";
    let (set, removed) = json_round(before, "mcpServers");
    assert_eq!(
        set,
        "{\"mcpServers\": {\"readroom\": {\"command\": \"/opt/read room\", \"env\": {\"A\": \"1\"}, \"args\": [\"mcp\", \"--root\", \"/a \\\"b\\\"\"], \"disabled\": true}, \"b\": 2}}"
    );
    assert_eq!(removed, "{\"mcpServers\": { \"b\": 2}}");
}

#[test]
fn what_cannot_be_edited_safely_is_left_alone_with_its_line() {
    let fault = |text: &str| json::set(text, "k", &entry(), false).expect_err("refused").to_string();
    assert!(fault("{\n \"k\": {\n  \"a\": 1\n  \"b\": 2 } }").starts_with("line 4 is not what"));
    assert!(fault("{\"k\": {}} x").contains("behind the document"));
    assert!(fault("{\"k\": {},\n\"k\": {}}").starts_with("line 2: `k` stands twice"));
    assert!(fault("{\"k\": {\"readroom\": {}, \"readroom\": {}}}").contains("twice"));
    assert!(fault("[]").contains("`k` is written in a form"));
    assert!(fault("{\"k\": []}").contains("`k` is written in a form"));
    for broken in ["{", "{\"k\"", "{\"k\":", "{\"k\":}", "{/*", "{\"k", "{\"k\": \"\\", "{\"k\": tru}", "nul"]
    {
        fault(broken);
    }
    fault(&"[".repeat(100_000));
}

#[test]
fn toml_tables_of_others_their_comments_and_their_order_stay() {
    let before = "# mine\nmodel = \"m\" # why\n\n[mcp_servers.other]\ncommand = 'o'  # keep\nargs = [ 'a',\n  'b' ]\n\n[profiles.x]\nk = 1\n";
    let set = toml::set(before, &entry()).expect("edited");
    assert_eq!(
        set,
        format!(
            "{before}\n[mcp_servers.readroom]\ncommand = \"/opt/read room\"\nargs = [\"mcp\", \"--root\", \"/a \\\"b\\\"\"]\n"
        )
    );
    assert_eq!(toml::set(&set, &entry()).as_ref(), Ok(&set));
    assert_eq!(toml::remove(&set, "readroom"), Ok(before.to_owned()));
    assert_eq!(toml::remove(before, "readroom"), Ok(before.to_owned()));
    assert_eq!(toml::remove("", "readroom"), Ok(String::new()));
    let alone = toml::set("", &entry()).expect("made");
    assert!(alone.starts_with("[mcp_servers.readroom]\n"));
    assert_eq!(toml::remove(&alone, "readroom"), Ok(String::new()));
}

#[test]
fn a_toml_entry_keeps_what_a_person_added_to_it_and_goes_whole() {
    let before = "[mcp_servers.readroom] # ours\r\nstartup_timeout_sec = 5 # slow disk\r\ncommand = \"old\" # old\r\n[mcp_servers.readroom.env]\r\nA = \"1\"\r\n# about b\r\n[mcp_servers.b]\r\ncommand = \"b\"\r\n";
    let set = toml::set(before, &entry()).expect("edited");
    assert_eq!(
        set,
        "[mcp_servers.readroom] # ours\r\nargs = [\"mcp\", \"--root\", \"/a \\\"b\\\"\"]\r\nstartup_timeout_sec = 5 # slow disk\r\ncommand = \"/opt/read room\" # old\r\n[mcp_servers.readroom.env]\r\nA = \"1\"\r\n# about b\r\n[mcp_servers.b]\r\ncommand = \"b\"\r\n"
    );
    assert_eq!(toml::set(&set, &entry()).as_ref(), Ok(&set));
    assert_eq!(
        toml::remove(&set, "readroom"),
        Ok("# about b\r\n[mcp_servers.b]\r\ncommand = \"b\"\r\n".to_owned())
    );
}

#[test]
fn toml_in_a_form_that_shares_lines_is_left_alone() {
    for text in [
        "mcp_servers = { readroom = { command = \"x\" } }\n",
        "mcp_servers.readroom.command = \"x\"\n",
        "[mcp_servers]\nreadroom = { command = \"x\" }\n",
        "mcp_servers = 3\n",
    ] {
        assert!(matches!(toml::set(text, &entry()), Err(EditFault::Form { .. })), "{text}");
    }
    let nested = "[mcp_servers.readroom.env]\nA = \"1\"\n";
    let set = toml::set(nested, &entry()).expect("a table of its own");
    assert!(set.starts_with(nested));
    assert_eq!(toml::set("a = \n", &entry()), Err(EditFault::Malformed { line: 1, what: "no TOML" }));
}

#[test]
fn a_difference_shows_the_lines_that_change_and_nothing_else() {
    let shown = difference(Path::new("/a"), "secret\nold\u{1b}\nsame\n", "secret\nnew\nmore\nsame\n");
    assert_eq!(shown, "/a, line 2:\n-old\\u001B\n+new\n+more\n");
    assert_eq!(difference(Path::new("/a"), "x\n", "x\nx\n"), "/a, line 2:\n+x\n");
}

/// A document of some shape, with the blanks, comments and commas that people put in.
fn documents() -> impl Strategy<Value = String> {
    let blank = prop_oneof![
        Just(String::new()),
        Just(" ".to_owned()),
        Just("\n  ".to_owned()),
        Just(" /* } , \" */ ".to_owned()),
        Just(" // {,\"\n".to_owned()),
        Just("\r\n\t".to_owned()),
    ];
    let value = prop_oneof![
        Just("1".to_owned()),
        Just("\"}\\\"\"".to_owned()),
        Just("[1, {\"x\": []}]".to_owned()),
        Just("{\"command\": \"c\"}".to_owned()),
    ];
    let member = (blank.clone(), blank.clone(), value).prop_map(|(a, b, value)| (a, b, value));
    let object = (prop::collection::vec(member, 0..4), blank.clone(), any::<bool>());
    (object, blank.clone(), blank).prop_map(|((members, tail, trailing), head, end)| {
        let count = members.len();
        let members: String = members
            .into_iter()
            .enumerate()
            .map(|(at, (a, b, value))| {
                let comma = if at + 1 < count || trailing { "," } else { "" };
                format!("{a}\"m{at}\":{b}{value}{comma}")
            })
            .collect();
        format!("{head}{{\"before\": 1, \"k\": {{{members}{tail}}} }}{end}")
    })
}

proptest! {
    #[test]
    fn an_entry_that_comes_and_goes_leaves_every_other_byte(before in documents()) {
        let (set, removed) = json_round(&before, "k");
        prop_assert!(set.contains("/opt/read room"));
        // Blanks inside of a table that holds nothing are the only ones that may differ.
        let squeezed = |text: &str| text.replace("{\r\n\t}", "{}").replace("{\n  }", "{}").replace("{ }", "{}");
        prop_assert_eq!(squeezed(&removed), squeezed(&before));
    }

    #[test]
    fn no_text_makes_an_editor_panic(text in "[\\[\\]{}\",:/*a\\\\ \n=.#']{0,40}") {
        let _ = json::set(&text, "a", &entry(), false);
        let _ = json::remove(&text, "a", "a");
        let _ = toml::set(&text, &entry());
        let _ = toml::remove(&text, "a");
    }
}
