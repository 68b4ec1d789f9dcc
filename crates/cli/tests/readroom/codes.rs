//! Each code of the contract where a caller meets it, with advice that works: what the text says is done, and then it
//! works. Codes of Git states and of remote sources are tried where those are.

use serde_json::{Value, json};
use testkit::{Answer, Session, Tree};

use super::{payload, serve, serve_with, trailers};

/// An error with this code whose text holds all these words, on one line and without a structured part.
fn told(answer: &Answer, code: &str, words: &[&str]) {
    assert_eq!(answer.code(), code, "{}", answer.text());
    for word in words {
        assert!(answer.text().contains(word), "{word} in {}", answer.text());
    }
    assert!(!answer.text().contains('\n') && answer.blocks().len() == 1, "{}", answer.text());
    assert!(answer.result().get("structuredContent").is_none());
}

fn ask(session: &mut Session, tool: &str, arguments: Value) -> Answer {
    session.call(tool, arguments)
}

#[test]
fn invalid_arguments_lists_the_sorted_valid_names() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    let code = "DPX-MCP-INVALID-ARGUMENTS";
    let answer = ask(&mut session, "read_pack", json!({ "pack": "x", "end_line": 1 }));
    told(&answer, code, &["'pack'", "end_line, pack_id, start_line"]);
    for tool in session.list_tools() {
        let name = tool["name"].as_str().expect("a name").to_owned();
        let mut valid: Vec<String> =
            tool["inputSchema"]["properties"].as_object().expect("properties").keys().cloned().collect();
        valid.sort();
        told(&ask(&mut session, &name, json!({ "no such": 1 })), code, &["'no such'", &valid.join(", ")]);
        for near in valid.iter().map(|name| name.to_uppercase()) {
            told(&ask(&mut session, &name, json!({ near.clone(): 1 })), code, &[&near]);
        }
    }
}

#[test]
fn invalid_arguments_names_the_argument_and_what_it_accepts() {
    let tree = Tree::new("a.txt: x\np.json: {}");
    let mut session = serve(&tree);
    for (tool, name, value, accepted) in [
        ("get_tree", "format", json!("yaml"), "markdown, text, json, xml"),
        ("pack_context", "format", json!("Markdown"), "text, markdown, json, xml"),
        ("pack_context", "view", json!(""), "tree, content, tree-content"),
        ("analyze", "detail", json!(["full"]), ""),
        ("analyze", "detail", json!("FULL"), "full, compact, signatures"),
        ("get_tree", "git_scope", json!("Staged"), "diff:<ref>..<ref>"),
        ("get_tree", "tracked_only", json!("yes"), "true or false"),
        ("analyze", "paths", json!({}), "array of strings"),
        ("analyze", "paths", json!(["a.txt", " "]), "blank"),
        ("analyze", "profile", json!("p.json"), "schemaVersion"),
        ("analyze", "profile", json!("."), "directory"),
        ("analyze", "top_files", json!([]), "1 to 1000"),
        ("get_file", "path", json!(7), "string"),
        ("search_project", "pattern", json!(null), "required"),
        ("get_tree", "branch", json!("main"), "URL"),
        ("get_tree", "tracked_only", json!(true), "omit"),
    ] {
        let answer = ask(&mut session, tool, json!({ name: value }));
        told(&answer, "DPX-MCP-INVALID-ARGUMENTS", &[accepted]);
    }
}

#[test]
fn invalid_range_gives_the_bounds_or_the_valid_lines() {
    let tree = Tree::new("a.txt: 1\\n2\\n3");
    let mut session = serve(&tree);
    let code = "DPX-MCP-INVALID-RANGE";
    for (tool, name, value, bounds) in [
        ("get_tree", "max_depth", json!(-1), "0 to 1000"),
        ("get_tree", "max_depth", json!("1e2"), "0 to 1000"),
        ("get_tree", "max_file_bytes", json!(0), "1 to 9223372036854775807"),
        ("get_tree", "max_file_bytes", json!(9_223_372_036_854_775_808_u64), "1 to 9223372036854775807"),
        ("analyze", "top_files", json!(10.5), "1 to 1000"),
        ("pack_context", "max_tokens", json!(0), "1 to 9223372036854775807"),
        ("pack_context", "max_tokens", json!("-1"), "1 to 9223372036854775807"),
    ] {
        told(&ask(&mut session, tool, json!({ name: value })), code, &[name, bounds]);
    }
    for (start, end) in [(json!(4), json!(9)), (json!(3), json!(2)), (json!(9), Value::Null)] {
        let answer =
            ask(&mut session, "get_file", json!({ "path": "a.txt", "start_line": start, "end_line": end }));
        told(&answer, code, &["1-3"]);
    }
    assert_eq!(payload(&ask(&mut session, "get_file", json!({ "path": "a.txt", "start_line": 3 }))), "3");
}

#[test]
fn numbers_and_booleans_as_strings_work_on_every_parameter() {
    let tree = Tree::new("a.txt: 1\\n2\\n3\nb.txt: 1");
    tree.file("long.txt", &"x\n".repeat(40_000));
    let mut session = serve(&tree);
    let stored = ask(&mut session, "pack_context", json!({}));
    let id = stored.text().split('\'').nth(1).expect("an id").to_owned();
    let required = json!({
        "get_tree": {}, "analyze": {}, "pack_context": {}, "read_pack": { "pack_id": id },
        "search_project": { "pattern": "1" }, "get_file": { "path": "a.txt" },
    });
    let mut tried = 0;
    for tool in session.list_tools() {
        let name = tool["name"].as_str().expect("a name").to_owned();
        let properties = tool["inputSchema"]["properties"].as_object().expect("properties").clone();
        for (argument, schema) in properties {
            let (good, wrong): (Value, &[&str]) = match schema["type"].as_str() {
                Some("integer") => (json!("2"), &["+5", " 5", "5 ", "5.0", "0x5", "5e0", "-5"]),
                Some("boolean") => (json!("false"), &["TRUE", "False", "yes", "1", "0", "", " true"]),
                _ => continue,
            };
            tried += 1;
            let mut arguments = required[&name].clone();
            arguments[&argument] = good;
            let answer = ask(&mut session, &name, arguments.clone());
            assert!(!answer.is_error(), "{name} {argument}: {}", answer.text());
            for text in wrong {
                arguments[&argument] = json!(text);
                let answer = ask(&mut session, &name, arguments.clone());
                let expected = if schema["type"] == "integer" { "RANGE" } else { "ARGUMENTS" };
                told(&answer, &format!("DPX-MCP-INVALID-{expected}"), &[&argument]);
            }
        }
    }
    assert_eq!(tried, 18);
}

#[test]
fn invalid_pattern_gives_the_reason_and_for_globs_the_rules() {
    let tree = Tree::new("a.txt: x");
    let mut session = serve(&tree);
    let code = "DPX-MCP-INVALID-PATTERN";
    for (pattern, reason) in
        [("a(", "character 2"), ("(?<=a)b", "look-around"), (r"(.)\1", "back-references"), ("[z-a]", "valid")]
    {
        told(&ask(&mut session, "search_project", json!({ "pattern": pattern })), code, &[reason]);
    }
    for (glob, reason) in [
        ("/a", "begins with `/`"),
        ("a\\b", "backslash"),
        ("../a", "`..`"),
        ("D:/a", "drive"),
        ("a\u{0}", "NUL"),
        ("!a", "exclude_patterns"),
        ("[ab]", "{a,b}"),
        ("{a", "partner"),
    ] {
        for name in ["include_patterns", "exclude_patterns"] {
            let answer = ask(&mut session, "get_tree", json!({ name: ["ok", glob] }));
            told(&answer, code, &[name, "pattern 2", reason, "`**/` matches any folders"]);
        }
    }
}

#[test]
fn unknown_project_lists_the_valid_roots() {
    let one = Tree::new("a.txt: x\nsub/b.txt: x");
    let two = Tree::new("c.txt: x");
    let second = two.root();
    let second = second.to_str().expect("UTF-8");
    let mut session = serve_with(&one, &["--root", second]);
    let first = one.root();
    let first = first.to_str().expect("UTF-8");
    for tool in ["get_tree", "analyze", "pack_context", "search_project", "get_file"] {
        for project in [Value::Null, json!(""), json!("/nowhere"), json!(one.path("sub")), json!("sub")] {
            let mut arguments = json!({ "project": project });
            if tool == "search_project" {
                arguments["pattern"] = json!("x");
            } else if tool == "get_file" {
                arguments["path"] = json!("a.txt");
            }
            let answer = ask(&mut session, tool, arguments);
            told(&answer, "DPX-MCP-UNKNOWN-PROJECT", &["list_projects", first, second]);
        }
    }
    let spelled = format!("{first}/./sub/..//");
    assert!(payload(&ask(&mut session, "get_tree", json!({ "project": spelled }))).contains("a.txt"));
}

#[test]
fn root_violation_gives_the_path_and_the_root() {
    let tree = Tree::new("a.txt: x\nout -> /etc\nhost -> /etc/hostname");
    let mut session = serve(&tree);
    let root = tree.root();
    let root = root.to_str().expect("UTF-8");
    for path in ["../a.txt", "sub/../../a.txt", "/etc/hostname", "out/hostname", "host", "out"] {
        for (tool, arguments) in [
            ("get_file", json!({ "path": path })),
            ("analyze", json!({ "paths": ["a.txt", path] })),
            ("pack_context", json!({ "paths": path })),
            ("analyze", json!({ "profile": path })),
        ] {
            told(&ask(&mut session, tool, arguments), "DPX-MCP-ROOT-VIOLATION", &[path, root]);
        }
    }
    let inside = format!("{root}/a.txt");
    assert_eq!(payload(&ask(&mut session, "get_file", json!({ "path": inside }))), "x");
}

#[test]
fn path_not_found_says_which_of_the_three_it_is() {
    let tree = Tree::new(".gitignore: hidden.txt\na.txt: x\nhidden.txt: x\nsub/b.txt: x");
    let mut session = serve(&tree);
    for (path, word) in [
        ("none.txt", "does not exist"),
        ("sub/none.txt", "does not exist"),
        ("a.txt/b", "does not exist"),
        ("sub", "directory"),
        ("hidden.txt", "outside the effective selection"),
    ] {
        let answer = ask(&mut session, "get_file", json!({ "path": path }));
        told(&answer, "DPX-MCP-PATH-NOT-FOUND", &[path, word, "get_tree"]);
    }
    for tool in ["analyze", "pack_context"] {
        let answer = ask(&mut session, tool, json!({ "paths": ["a.txt", "none.txt"] }));
        told(&answer, "DPX-MCP-PATH-NOT-FOUND", &["none.txt", "does not exist"]);
    }
}

#[test]
fn project_unavailable_holds_the_inner_code_and_a_retry_works() {
    let tree = Tree::new("a.txt: x\nsub/b.txt: y");
    if !tree.permissions_hold() {
        return;
    }
    let mut session = serve(&tree);
    tree.mode("", 0o000);
    for (tool, arguments) in [
        ("get_tree", json!({})),
        ("analyze", json!({})),
        ("pack_context", json!({})),
        ("search_project", json!({ "pattern": "x" })),
        ("get_file", json!({ "path": "a.txt" })),
    ] {
        let answer = ask(&mut session, tool, arguments);
        told(&answer, "DPX-MCP-PROJECT-UNAVAILABLE", &["DPX-PROJECT-PARTIAL-ACCESS", "permissions"]);
    }
    tree.mode("", 0o755);
    assert!(!ask(&mut session, "get_tree", json!({})).is_error());
}

#[test]
fn payload_truncated_is_an_error_of_trees_and_files_and_a_warning_of_selections() {
    let tree = Tree::new("a.txt: needle");
    tree.bytes("bad.txt", b"caf\xE9").bytes("nul.txt", b"a\0b");
    tree.file("big.txt", &"x".repeat(16 * 1024 * 1024 + 1));
    let mut session = serve(&tree);
    let code = "DPX-MCP-PAYLOAD-TRUNCATED";
    for path in ["bad.txt", "nul.txt", "big.txt"] {
        told(&ask(&mut session, "get_file", json!({ "path": path })), code, &[path]);
    }
    for number in 0..2_000 {
        tree.file(&format!("many/{number}.md"), "");
    }
    for format in ["json", "xml"] {
        let answer = ask(&mut session, "get_tree", json!({ "format": format }));
        told(&answer, code, &["2000", "max_depth"]);
        assert!(!ask(&mut session, "get_tree", json!({ "format": format, "max_depth": 1 })).is_error());
    }
    let narrow = json!({ "exclude_patterns": ["many/**", "nul.txt"] });
    let words = ["their metrics are estimated", "withheld", "not searched"];
    for (tool, word) in ["analyze", "pack_context", "search_project"].into_iter().zip(words) {
        let mut arguments = narrow.clone();
        if tool == "search_project" {
            arguments["pattern"] = json!("needle");
        }
        let answer = ask(&mut session, tool, arguments.clone());
        let text = answer.blocks().last().expect("a block").to_string();
        let warning = text.lines().find(|line| line.starts_with("[Warning ")).expect("a warning").to_owned();
        assert!(warning.starts_with(&format!("[Warning {code}] ")) && warning.contains(word), "{warning}");
        assert!(warning.contains("16777216") && !warning.contains(".txt"), "{warning}");
        // The advice works.
        arguments["max_file_bytes"] = json!(16_777_216);
        arguments["exclude_patterns"] = json!(["many/**", "nul.txt", "bad.txt"]);
        let complete = ask(&mut session, tool, arguments);
        assert!(!complete.all_text().contains("[Warning"), "{}", complete.all_text());
    }
}

#[test]
fn pack_expired_says_to_pack_again() {
    let tree = Tree::new("");
    tree.file("a.txt", &"x\n".repeat(40_000));
    let mut session = serve(&tree);
    let pack = |session: &mut Session| {
        let stored = ask(session, "pack_context", json!({}));
        stored.text().split('\'').nth(1).expect("an id").to_owned()
    };
    let (one, two) = (pack(&mut session), pack(&mut session));
    assert_ne!(one, two);
    let mut other = serve(&tree);
    for id in [one.as_str(), "unknown", "../../a", &"0".repeat(48)] {
        let answer = ask(&mut other, "read_pack", json!({ "pack_id": id }));
        told(&answer, "DPX-MCP-PACK-EXPIRED", &["pack_context"]);
    }
    let mut open = vec![tree.home().join("runtime")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).expect("listed").flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else if entry.file_name() == format!("{one}.pack").as_str() {
                std::fs::remove_file(entry.path()).expect("removed");
            }
        }
    }
    told(
        &ask(&mut session, "read_pack", json!({ "pack_id": one })),
        "DPX-MCP-PACK-EXPIRED",
        &["pack_context"],
    );
    assert!(!ask(&mut session, "read_pack", json!({ "pack_id": two })).is_error());
}

#[test]
fn operation_failed_has_generic_advice_and_no_raw_message() {
    let tree = Tree::new("");
    tree.file("a.txt", &"x\n".repeat(40_000));
    let mut session = serve(&tree);
    std::fs::remove_dir_all(tree.home().join("runtime")).expect("removed");
    let answer = ask(&mut session, "pack_context", json!({}));
    told(&answer, "DPX-MCP-OPERATION-FAILED", &["call again", "restart"]);
    for raw in ["os error", "No such file", "Io", "runtime"] {
        assert!(!answer.text().contains(raw), "{}", answer.text());
    }
    assert!(!ask(&mut session, "pack_context", json!({ "view": "tree" })).is_error());
}

#[test]
fn project_partial_access_counts_folders_and_ignore_files_in_every_tool() {
    let tree =
        Tree::new("a.txt: needle\npiped/b.txt: needle\nlinked/c.txt: needle\nlinked/.gitignore -> ../a.txt");
    tree.fifo("piped/.gitignore");
    let mut session = serve(&tree);
    for (tool, arguments) in [
        ("get_tree", json!({})),
        ("analyze", json!({})),
        ("pack_context", json!({})),
        ("search_project", json!({ "pattern": "needle" })),
    ] {
        let answer = ask(&mut session, tool, arguments);
        let text = answer.all_text();
        let warning = text.lines().rfind(|line| line.starts_with("[Warning ")).expect("a warning");
        assert!(warning.starts_with("[Warning DPX-PROJECT-PARTIAL-ACCESS] "), "{warning}");
        assert!(
            warning.contains('2') && !warning.contains("piped") && !warning.contains("linked"),
            "{warning}"
        );
        assert!(!text.contains("b.txt") && !text.contains("c.txt"), "{text}");
    }
    if !tree.permissions_hold() {
        return;
    }
    tree.add("closed/d.txt: needle\nshut.txt: needle").mode("closed", 0o000).mode("shut.txt", 0o000);
    let answer = ask(&mut session, "search_project", json!({ "pattern": "needle", "context_lines": 0 }));
    assert_eq!(payload(&answer), "a.txt:1:needle");
    let said = trailers(&answer);
    assert!(said[0].starts_with("[Warning DPX-MCP-PAYLOAD-TRUNCATED] 1 selected file "), "{said:?}");
    assert!(
        said[1].starts_with("[Warning DPX-PROJECT-PARTIAL-ACCESS] ") && said[1].contains("1 folder"),
        "{said:?}"
    );
    tree.mode("closed", 0o755).mode("shut.txt", 0o644);
}

#[test]
fn selection_path_missing_counts_and_names_nothing_in_any_format() {
    let tree = Tree::new("src/a.rs: x\nempty/");
    let profile = json!({
        "schemaVersion": 1,
        "selection": {
            "gitMode": "none",
            "exclusions": ["empty-folders"],
            "selectedPaths": ["src", "gone-one", "gone/two", "empty"],
        },
    });
    tree.file("p.json", &profile.to_string());
    let mut session = serve(&tree);
    for format in ["text", "markdown", "json", "xml"] {
        for view in ["tree", "content", "tree-content"] {
            let arguments = json!({ "profile": "p.json", "format": format, "view": view });
            let answer = ask(&mut session, "pack_context", arguments);
            let said = trailers(&answer);
            assert_eq!(said.len(), 1, "{said:?}");
            assert!(said[0].starts_with("[Warning DPX-SELECTION-PATH-MISSING] 3 "), "{said:?}");
            assert!(said[0].contains("get_tree"), "{said:?}");
            let text = answer.all_text();
            for missing in ["gone-one", "gone/two", "empty\"", "empty<"] {
                assert!(!text.contains(missing), "{missing} in {text}");
            }
        }
    }
}

#[test]
fn project_selection_warning_tells_of_a_project_that_is_ignored_whole() {
    let tree = Tree::new(".gitignore: *\na.txt: x");
    let mut session = serve(&tree);
    for tool in ["get_tree", "analyze", "pack_context"] {
        let answer = ask(&mut session, tool, json!({}));
        let text = answer.all_text();
        let warning = text.lines().last().expect("a line");
        assert!(warning.starts_with("[Warning DPX-PROJECT-SELECTION-WARNING] "), "{tool}: {text}");
        assert!(!warning.contains("a.txt"), "{warning}");
    }
}
