//! What a result looks like to its reader: spotlight, trailers, structured results, errors, and the stored pack.

use mcp::project::{PageChars, ProjectOptions, ProjectSurface};
use mcp::spotlight::SENTENCE;
use serde_json::{Value, json};

use crate::client::{Client, Era, call, initialize, request};
use crate::fake::{Fake, Stage};

async fn result(tool: &str, arguments: Value) -> Value {
    let mut client = Client::start(Fake::plain(), Era::Handshake).await;
    client.ask(&call(Era::Handshake, 1, tool, arguments)).await["result"].clone()
}

async fn text(tool: &str, arguments: Value) -> String {
    let result = result(tool, arguments).await;
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(result["content"].as_array().map(Vec::len), Some(1));
    assert!(result.get("structuredContent").is_none());
    result["content"][0]["text"].as_str().expect("text").to_owned()
}

/// The text with every marker id replaced by its number of appearance, so that it can be compared.
fn masked(text: &str) -> String {
    const OPEN: &str = "<untrusted-data-";
    let is_id = |id: &str| id.len() == 24 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let ids: Vec<&str> =
        text.split(OPEN).skip(1).filter_map(|rest| rest.get(..24)).filter(|id| is_id(id)).collect();
    let mut out = text.to_owned();
    for (at, id) in ids.iter().enumerate() {
        assert_eq!(text.matches(id).count(), 2, "balanced and not in the payload");
        out = out.replace(id, &format!("#{}", at + 1));
    }
    out
}

fn block(number: usize, payload: &str) -> String {
    format!("{SENTENCE}\n<untrusted-data-#{number}>\n{payload}\n</untrusted-data-#{number}>")
}

const PARTIAL: &str = "[Warning DPX-PROJECT-PARTIAL-ACCESS] 2 folders could not be read";
const DELETED: &str = "[Warning DPX-GIT-STATE-DELETED] 3 paths are gone";
const UNINSPECTED: &str = "[Warning DPX-MCP-PAYLOAD-TRUNCATED] 1 selected file could not be inspected";

#[tokio::test]
async fn a_tree_ends_with_its_truncation_and_then_the_warnings() {
    assert_eq!(
        masked(&text("get_tree", json!({"project": "noticed"})).await),
        format!(
            "{}\n\n[Tree truncated at 2000 lines]\n{UNINSPECTED}\n{PARTIAL}\n{DELETED}",
            block(1, "Root: /srv/demo\n\n- a.rs")
        )
    );
}

#[tokio::test]
async fn a_search_ends_with_the_warnings_and_then_what_was_not_shown() {
    assert_eq!(
        masked(&text("search_project", json!({"project": "noticed", "pattern": "x"})).await),
        format!(
            "{}\n\n{UNINSPECTED}\n{PARTIAL}\n{DELETED}\n[3 more matching lines not shown]",
            block(1, "a.rs:1:x")
        )
    );
}

#[tokio::test]
async fn pages_end_with_where_to_continue() {
    let expected =
        format!("{}\n\n[Showing lines 1-2 of 9; continue with start_line 3]", block(1, "one\ntwo"));
    assert_eq!(masked(&text("get_file", json!({"path": "x"})).await), expected);
    assert_eq!(masked(&text("read_pack", json!({"pack_id": "x"})).await), expected);
}

#[tokio::test]
async fn an_inline_pack_is_one_block_and_its_report_another() {
    assert_eq!(masked(&text("pack_context", json!({})).await), block(1, "# demo\n\ncontent"));
    assert_eq!(
        masked(&text("pack_context", json!({"project": "report"})).await),
        format!("{}\n\n{}", block(1, "{\"a\": 1}"), block(2, "Budget: 5 tokens"))
    );
    assert_eq!(
        masked(&text("pack_context", json!({"project": "noticed"})).await),
        format!("{}\n\n{UNINSPECTED}\n{PARTIAL}\n{DELETED}", block(1, "# demo\n\ncontent"))
    );
}

#[tokio::test]
async fn a_stored_pack_starts_with_its_id_and_the_lines_it_has() {
    let stored = masked(&text("pack_context", json!({"project": "stored"})).await);
    let header = "Pack stored as '0123456789abcdef' (123456 characters). Call read_pack with this pack_id and start_line \
                  1 to read its 789 lines; the id is valid until this server ends.";
    assert_eq!(stored, format!("{header}\n\n{}", block(1, "/srv/demo:\n└── a.rs")));
}

#[tokio::test]
async fn a_stored_answer_has_at_most_50_000_characters_and_the_preview_gives_way() {
    let whole = text("pack_context", json!({"project": "big"})).await;
    let chars = whole.chars().count();
    assert!(chars <= 50_000 && chars > 49_900, "{chars}");
    let stored = masked(&whole);
    assert!(stored.starts_with("Pack stored as '0123456789abcdef' "));
    assert!(stored.contains("├── ünïcode.rs\n</untrusted-data-#1>"), "the preview is cut at a line");
    assert!(stored.contains("report line\n</untrusted-data-#2>"));
    assert!(
        stored.ends_with(
            "\n\n[Tree preview truncated; the stored pack is complete, read it with read_pack]\n[Budget report truncated]"
        ),
        "{}",
        &stored[stored.len() - 300..]
    );
    let wide = text("pack_context", json!({"project": "wide"})).await;
    assert_eq!(wide.chars().count(), 50_000, "a single long line is cut to the character");
}

#[tokio::test]
async fn notices_of_a_stored_pack_have_their_share() {
    let stored = text("pack_context", json!({"project": "many"})).await;
    let notices = &stored[stored.rfind("</untrusted-data-").expect("a block")..];
    let notices = notices.split_once("\n\n").expect("notices").1;
    assert!(notices.chars().count() <= 2_000, "{}", notices.chars().count());
    assert!(notices.ends_with("\n[Further notices truncated]"), "{notices}");
}

#[tokio::test]
async fn structured_results_are_valid_and_their_first_block_says_the_same() {
    let mut client = Client::start(Fake::plain(), Era::Handshake).await;
    let tools =
        client.ask(&request(Era::Handshake, 0, "tools/list", json!({}))).await["result"]["tools"].clone();
    for (tool, project) in [("list_projects", None), ("analyze", None), ("analyze", Some("noticed"))] {
        let arguments = project.map_or(json!({}), |project| json!({"project": project}));
        let result = client.ask(&call(Era::Handshake, 1, tool, arguments)).await["result"].clone();
        let schema = tools
            .as_array()
            .and_then(|all| all.iter().find(|one| one["name"] == tool))
            .map(|one| one["outputSchema"].clone());
        let schema = schema.expect("an output schema");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let structured = &result["structuredContent"];
        assert!(validator.is_valid(structured), "{structured}");
        let mut spoilt = structured.clone();
        spoilt["extra"] = json!(1);
        assert!(!validator.is_valid(&spoilt), "the schema is closed");
        let first = result["content"][0]["text"].as_str().expect("text");
        assert_eq!(serde_json::from_str::<Value>(first).expect("JSON"), *structured);
        let blocks = result["content"].as_array().map(Vec::len);
        assert_eq!(blocks, Some(if project.is_some() { 2 } else { 1 }));
    }
}

#[tokio::test]
async fn structured_text_is_compact_and_keeps_the_order_of_its_keys() {
    let list = result("list_projects", json!({})).await;
    assert_eq!(
        list["content"][0]["text"],
        r#"{"projects":[{"path":"/srv/demo","name":"demo","type":"git-repository"},{"path":"/srv/plain","name":"plain","type":"local-folder"}],"profiles":[{"project":"/srv/demo","name":"local"}]}"#
    );
    let analysis = result("analyze", json!({"project": "noticed"})).await;
    assert_eq!(
        analysis["content"][0]["text"],
        r#"{"files":3,"characters":41,"tokens":12,"detail":"compact","topFiles":[{"path":"b.rs","tokens":9},{"path":"a \"quoted\".rs","tokens":3,"uninspected":true}],"warnings":[{"code":"DPX-MCP-PAYLOAD-TRUNCATED","message":"1 selected file could not be inspected"},{"code":"DPX-PROJECT-PARTIAL-ACCESS","message":"2 folders could not be read"},{"code":"DPX-GIT-STATE-DELETED","message":"3 paths are gone"}]}"#
    );
    assert_eq!(analysis["content"][1]["text"], format!("{UNINSPECTED}\n{PARTIAL}\n{DELETED}"));
}

#[tokio::test]
async fn errors_are_plain_text_with_their_code_and_nothing_structured() {
    for tool in ["get_tree", "analyze", "pack_context"] {
        let result = result(tool, json!({"project": "fault"})).await;
        assert_eq!(result["isError"], true);
        assert_eq!(
            result["content"],
            json!([{"type": "text", "text": "DPX-MCP-UNKNOWN-PROJECT: nothing here"}])
        );
        assert!(result.get("structuredContent").is_none() && result.get("_meta").is_none(), "{result}");
    }
}

#[tokio::test]
async fn an_error_is_under_10_000_characters_and_masks_secrets() {
    let long = result("get_tree", json!({"project": "long"})).await;
    let text = long["content"][0]["text"].as_str().expect("text");
    assert_eq!(text.chars().count(), 9_999);
    let secret = result("get_tree", json!({"project": "secret"})).await;
    assert!(!secret.to_string().contains("hunter2"), "{secret}");
    assert!(secret.to_string().contains("REDACTED["), "{secret}");
    let echoed = result("get_tree", json!({"https://bot:hunter2@git.internal/x": 1})).await;
    assert!(!echoed.to_string().contains("hunter2"), "{echoed}");
}

#[tokio::test]
async fn two_equal_calls_differ_in_nothing_but_their_ids() {
    let (one, two) =
        (text("get_file", json!({"path": "x"})).await, text("get_file", json!({"path": "x"})).await);
    assert_ne!(one, two);
    assert_eq!(masked(&one), masked(&two));
}

#[tokio::test]
async fn long_results_carry_their_size_hint() {
    for (tool, arguments, hint) in [
        ("pack_context", json!({}), true),
        ("pack_context", json!({"project": "stored"}), true),
        ("read_pack", json!({"pack_id": "x"}), true),
        ("pack_context", json!({"project": "fault"}), false),
        ("get_file", json!({"path": "x"}), false),
        ("analyze", json!({}), false),
    ] {
        let result = result(tool, arguments).await;
        let expected = if hint { json!({"anthropic/maxResultSizeChars": 200_000}) } else { Value::Null };
        assert_eq!(result["_meta"], expected, "{tool}");
    }
    let mut client = Client::raw(Fake::plain());
    let answer = client.ask(&call(Era::PerRequest, 1, "pack_context", json!({}))).await;
    let meta = answer["result"]["_meta"].as_object().expect("object");
    assert_eq!(
        meta.keys().collect::<Vec<_>>(),
        ["anthropic/maxResultSizeChars", "io.modelcontextprotocol/serverInfo"]
    );
}

fn paged(page_chars: PageChars) -> (Client, Stage) {
    let (fake, stage, _) = Fake::new();
    let options = ProjectOptions { page_chars, ..ProjectOptions::default() };
    (Client::on(ProjectSurface::new(fake, options)), stage)
}

fn named(name: &str) -> Value {
    let mut message = initialize("2025-06-18");
    message["params"]["clientInfo"]["name"] = json!(name);
    message
}

#[tokio::test]
async fn pages_are_as_long_as_the_client_keeps() {
    let (mut client, stage) = paged(PageChars::Auto);
    client.ask(&named("somebody")).await;
    assert_eq!(*stage.page_chars.lock().expect("pages"), [50_000]);
    client.ask(&named("codex-mcp-client")).await;
    assert_eq!(*stage.page_chars.lock().expect("pages"), [50_000, 36_000]);
    let answer = client.ask(&call(Era::Handshake, 1, "pack_context", json!({"project": "wide"}))).await;
    let text = answer["result"]["content"][0]["text"].as_str().expect("text");
    assert_eq!(text.chars().count(), 36_000);
}

#[tokio::test]
async fn the_client_is_known_without_a_handshake_too() {
    let (mut client, stage) = paged(PageChars::Auto);
    let mut message = call(Era::PerRequest, 1, "get_tree", json!({}));
    message["params"]["_meta"]["io.modelcontextprotocol/clientInfo"]["name"] = json!("codex-mcp-client");
    client.ask(&message).await;
    assert_eq!(*stage.page_chars.lock().expect("pages"), [50_000, 36_000]);
}

#[tokio::test]
async fn a_fixed_page_holds_for_every_client() {
    let (mut client, stage) = paged(PageChars::Fixed(4_000));
    client.ask(&named("codex-mcp-client")).await;
    assert_eq!(*stage.page_chars.lock().expect("pages"), [4_000]);
    let answer = client.ask(&call(Era::Handshake, 1, "pack_context", json!({"project": "wide"}))).await;
    assert_eq!(answer["result"]["content"][0]["text"].as_str().map(|text| text.chars().count()), Some(4_000));
}
