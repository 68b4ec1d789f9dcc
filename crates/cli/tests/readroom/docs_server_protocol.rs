//! The docs server in both eras of the protocol, and on traffic that is broken.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Client, Era, MODERN_VERSION, Session, Tree};

use super::BINARY;
use super::docs_server::{READ, Server, listing, project};

fn client(tree: &Tree) -> Client {
    let root = tree.root();
    let arguments = ["mcp", "docs", "--project-root", root.to_str().expect("UTF-8"), "--no-visualize"];
    Client::start(Path::new(BINARY), &arguments, &tree.home())
}

fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

fn ask(client: &mut Client, id: u64, method: &str, params: &Value) -> Value {
    client.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    let frame = client.read_frame();
    assert_eq!(frame["id"], id, "{frame}");
    frame
}

fn initialize(client: &mut Client, id: u64, version: &str) -> Value {
    let info = json!({"name": "t", "version": "1"});
    let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": info});
    ask(client, id, "initialize", &params)
}

#[test]
fn both_eras_are_served_and_list_the_same_tools_to_the_byte() {
    let tree = project();
    let mut lists = Vec::new();
    for version in ["2025-06-18", "1999-01-01"] {
        let mut client = client(&tree);
        let answer = initialize(&mut client, 1, version);
        assert_eq!(answer["result"]["serverInfo"]["name"], "readroom", "{answer}");
        let agreed = answer["result"]["protocolVersion"].as_str().expect("a version");
        if version == "2025-06-18" {
            assert_eq!(agreed, version);
        } else {
            assert!(agreed.starts_with("20"), "one that the server knows: {agreed}");
        }
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        lists.push(ask(&mut client, 2, "tools/list", &json!({}))["result"]["tools"].to_string());
        let called = ask(&mut client, 3, "tools/call", &json!({"name": READ[0], "arguments": {}}));
        assert_eq!(called["result"]["structuredContent"]["ok"], true);
    }
    let meta = modern_meta();
    // A modern call needs no discovery before it.
    let mut modern = client(&tree);
    let called = ask(&mut modern, 1, "tools/call", &json!({"name": READ[0], "arguments": {}, "_meta": meta}));
    assert_eq!(called["result"]["structuredContent"]["ok"], true, "{called}");
    let found = ask(&mut modern, 2, "server/discover", &json!({"_meta": meta}));
    assert!(found["result"].to_string().contains("\"readroom\""), "{found}");
    assert!(
        found["result"]["supportedVersions"].as_array().expect("versions").contains(&json!(MODERN_VERSION)),
        "{found}"
    );
    lists.push(ask(&mut modern, 3, "tools/list", &json!({"_meta": meta}))["result"]["tools"].to_string());
    // One that looks first and then falls back to the handshake.
    let mut fallback = client(&tree);
    ask(&mut fallback, 1, "server/discover", &json!({"_meta": meta}));
    assert_eq!(initialize(&mut fallback, 2, "2025-11-25")["result"]["protocolVersion"], "2025-11-25");
    fallback.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    lists.push(ask(&mut fallback, 3, "tools/list", &json!({}))["result"]["tools"].to_string());
    assert!(lists.iter().all(|list| *list == lists[0]), "the same bytes each time");
}

#[test]
fn the_tools_stand_in_a_fixed_order_with_hints_and_schemas() {
    let tree = project();
    let mut server = Server::start(&tree, &[]);
    let names: Vec<&str> = server.tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
    let read: Vec<&str> = READ.into_iter().filter(|name| names.contains(name)).collect();
    assert_eq!(names[..read.len()], read, "those that read come first, in the order of the contract");
    for tool in &server.tools {
        let hints = &tool["annotations"];
        let writes = ["docforge_create_changeset", "docforge_preview_changeset"]
            .contains(&tool["name"].as_str().expect("a name"))
            || tool["name"].as_str().is_some_and(|name| name.starts_with("docforge_propose"));
        assert_eq!(
            (&hints["readOnlyHint"], &hints["destructiveHint"], &hints["openWorldHint"]),
            (&json!(!writes), &json!(false), &json!(false)),
            "{tool}"
        );
        assert!(tool["outputSchema"]["properties"]["notice"].is_object(), "{tool}");
        assert_plain(&tool["inputSchema"], tool["name"].as_str().expect("a name"));
    }
    let unknown = server.session.call("docforge_apply_changeset", json!({}));
    assert_eq!(unknown.protocol_error(), -32602, "there is no way to apply");
}

/// Maps that a project fills: their names are those of its contract.
const OPEN: [&str; 3] = [".node.fields", ".node.relations", ".set.fields"];

/// A schema that every client can read: closed objects, one plain type a property, nothing that refers elsewhere.
fn assert_plain(schema: &Value, place: &str) {
    let members = schema.as_object().expect("an object");
    for word in ["$schema", "$ref", "$defs", "anyOf", "oneOf", "allOf", "format", "const"] {
        assert!(!members.contains_key(word), "{place} has {word}");
    }
    match schema["type"].as_str() {
        Some("object") => {
            let is_open = OPEN.iter().any(|open| place.ends_with(open));
            assert!(is_open || schema["additionalProperties"] == false, "{place} is open");
            let properties = schema["properties"].as_object();
            assert!(is_open || properties.is_some(), "{place} has no properties");
            for (name, property) in properties.into_iter().flatten() {
                assert_plain(property, &format!("{place}.{name}"));
            }
        }
        Some("array") => assert_plain(&schema["items"], &format!("{place}[]")),
        Some("string" | "integer" | "boolean") => {}
        other => panic!("{place} has the type {other:?}"),
    }
}

#[test]
fn broken_traffic_is_answered_and_the_process_lives_on() {
    let tree = project();
    let mut client = client(&tree);
    // Before any handshake, in the form of the old era.
    let early = ask(&mut client, 1, "tools/call", &json!({"name": READ[0], "arguments": {}}));
    assert!(early["error"]["code"].is_i64(), "{early}");
    client.send_line("this is no JSON");
    let garbage = client.read_frame();
    assert_eq!((&garbage["error"]["code"], &garbage["id"]), (&json!(-32700), &Value::Null), "{garbage}");
    client.send_line(r#"[{"jsonrpc":"2.0","id":8,"method":"ping"}]"#);
    assert_eq!(client.read_frame()["error"]["code"], -32600, "no batches");
    let long = format!(
        r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{{"name":"x","arguments":{{"a":"{}"}}}}}}"#,
        "x".repeat(3 * 1024 * 1024)
    );
    client.send_line(&long);
    let refused = client.read_frame();
    assert_eq!(
        (&refused["error"]["code"], &refused["id"]),
        (&json!(-32600), &json!(9)),
        "{}",
        refused["error"]
    );
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("2097152")), "{refused}");
    assert!(initialize(&mut client, 10, "2025-11-25")["result"].is_object());
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let called = ask(&mut client, 11, "tools/call", &json!({"name": READ[0], "arguments": {}}));
    assert_eq!(called["result"]["structuredContent"]["ok"], true);
    let exit = client.finish();
    assert_eq!((exit.code, exit.rest.len()), (Some(0), 0), "{}", exit.stderr);
    assert!(!exit.stderr.contains("no JSON"), "nothing of a line is logged");
}

#[test]
fn input_that_ends_within_a_call_ends_the_process_and_leaves_nothing() {
    let tree = project();
    for at in 0..400 {
        tree.file(
            &format!("docs/more/n{at}.md"),
            &format!("---\nid: N-{at}\ntype: req\nstatus: draft\n---\n{}\n", "word ".repeat(500)),
        );
    }
    let before = listing(tree.scratch());
    let mut session = Session::open(client(&tree), Era::Legacy("2025-11-25"));
    session.send("tools/call", json!({"name": "docforge_validate_project", "arguments": {}}));
    session.send("tools/call", json!({"name": "docforge_search", "arguments": {"query": "word"}}));
    // And a third that is cut in the middle of its line.
    session.client().send_bytes(br#"{"jsonrpc":"2.0","id":7,"method":"tools/ca"#);
    let began = Instant::now();
    let exit = session.finish();
    assert_eq!(exit.code, Some(0), "{}", exit.stderr);
    // A bound on hanging: one second is promised on a machine that has nothing else to do.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(listing(tree.scratch()), before, "no file is left");
}
