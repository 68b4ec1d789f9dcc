//! The evidence server on the wire: its catalogue, its arguments, its queue and its errors, with a scripted service.

use std::sync::{Arc, Mutex};

use evidence::{Inventory, Page, RangeRequest, Search, Skipped};
use fault::{Code, Failure, Fault, Text, Watch};
use mcp::EvidenceService;
use mcp::catalog::Surface as _;
use mcp::evidence::EvidenceSurface;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::client::{BOTH, Client, Era, call, request};
use crate::fake::Latch;
use crate::schemas::lint;

/// Answers with what it was asked; the term or path `block` waits for the latch, `secret` is refused with a token.
struct Scripted {
    latch: Latch,
    seen: Arc<Mutex<Vec<String>>>,
    started: mpsc::UnboundedSender<()>,
    exact: bool,
}

impl Scripted {
    fn new(exact: bool) -> (Scripted, Latch, Arc<Mutex<Vec<String>>>, mpsc::UnboundedReceiver<()>) {
        let (started, starts) = mpsc::unbounded_channel();
        let scripted = Scripted { latch: Latch::default(), seen: Arc::default(), started, exact };
        let (latch, seen) = (scripted.latch.clone(), Arc::clone(&scripted.seen));
        (scripted, latch, seen, starts)
    }

    fn play(&self, what: String, watch: &dyn Watch) -> Result<(), Failure> {
        let blocks = what.contains("block");
        self.seen.lock().expect("seen").push(what);
        let _ = self.started.send(());
        if blocks && self.latch.wait_for(watch).is_err() {
            return Err(Failure::Cancelled);
        }
        Ok(())
    }
}

impl EvidenceService for Scripted {
    fn is_exact(&self) -> bool {
        self.exact
    }

    fn search(&self, terms: &[String], watch: &dyn Watch) -> Result<Search, Failure> {
        self.play(format!("{terms:?}"), watch)?;
        Ok(Search {
            hits: Vec::new(),
            reasons: Vec::new(),
            searched_files: 1,
            searched_bytes: 2,
            skipped: Skipped::default(),
            candidates: 0,
        })
    }

    fn read_range(&self, request: &RangeRequest, watch: &dyn Watch) -> Result<Page, Failure> {
        self.play(format!("{} {} {}", request.path, request.start, request.end), watch)?;
        match request.path.as_str() {
            "" => Err(Fault::new(Code::EvdPathDenied, Text::new("the path is empty")).into()),
            path => Ok(Page { path: path.to_owned(), lines: Vec::new(), total_lines: 0, next_line: None }),
        }
    }

    fn inventory(&self, watch: &dyn Watch) -> Result<Inventory, Failure> {
        self.play("inventory".to_owned(), watch)?;
        Ok(Inventory { files: Vec::new(), reasons: Vec::new(), skipped: Skipped::default() })
    }
}

fn client() -> (Client, Latch, Arc<Mutex<Vec<String>>>, mpsc::UnboundedReceiver<()>) {
    let (scripted, latch, seen, starts) = Scripted::new(false);
    (Client::on(EvidenceSurface::new(scripted)), latch, seen, starts)
}

fn text(answer: &Value) -> &str {
    let content = answer["result"]["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(content.len(), 1, "one block: {answer}");
    assert!(answer["result"].get("structuredContent").is_none());
    content[0]["text"].as_str().expect("text")
}

/// The error of a refusal, which must be one.
fn error(answer: &Value) -> Value {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let error: Value = serde_json::from_str(text(answer)).expect("JSON");
    assert_eq!(error.as_object().expect("object").len(), 1);
    error["error"].clone()
}

#[tokio::test]
async fn the_catalogue_is_the_golden_one_in_both_eras() {
    for era in BOTH {
        let (mut client, ..) = client();
        client.greet(era).await;
        let answer = client.ask(&request(era, 1, "tools/list", json!({}))).await;
        let tools = answer["result"]["tools"].clone();
        insta::assert_snapshot!("evidence_tools", serde_json::to_string_pretty(&tools).expect("JSON"));
        for tool in tools.as_array().expect("tools") {
            let name = tool["name"].as_str().expect("name");
            lint(&tool["inputSchema"], name);
            assert!(tool.get("outputSchema").is_none());
            assert!(tool["description"].as_str().expect("text").chars().count() < 1_500);
            let hints = json!({"title": tool["title"], "readOnlyHint": true, "destructiveHint": false,
                               "idempotentHint": true, "openWorldHint": false});
            assert_eq!(tool["annotations"], hints);
        }
    }
}

#[tokio::test]
async fn arguments_are_closed_and_taken_in_the_forms_that_clients_send() {
    let (mut client, _, seen, _) = client();
    for (n, (tool, arguments, expected)) in [
        ("context_search", json!({"terms": ["a", " ", "a"]}), "[\"a\", \" \", \"a\"]"),
        ("context_search", json!({"terms": "one"}), "[\"one\"]"),
        ("context_search", json!({"terms": "[\"x\", \"y\"]"}), "[\"x\", \"y\"]"),
        ("context_search", json!({"terms": vec!["é".repeat(128); 12]}), ""),
        ("read_range", json!({"path": "a", "start": 1, "end": 9}), "a 1 9"),
        ("read_range", json!({"path": "a", "start": "01", "end": 9.0}), "a 1 9"),
        ("file_inventory", json!({}), "inventory"),
        ("file_inventory", Value::Null, "inventory"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = client.ask(&call(Era::PerRequest, n, tool, arguments)).await;
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let last = seen.lock().expect("seen").last().cloned().unwrap_or_default();
        assert!(last.contains(expected), "{last}");
    }
}

#[tokio::test]
async fn arguments_out_of_form_have_their_code() {
    let (mut client, _, seen, _) = client();
    let range = |start: Value, end: Value| json!({"path": "a", "start": start, "end": end});
    for (n, (tool, arguments, code)) in [
        ("context_search", json!({}), "EVD-INVALID-ARGUMENTS"),
        ("context_search", json!({"terms": null}), "EVD-INVALID-ARGUMENTS"),
        ("context_search", json!({"terms": 7}), "EVD-INVALID-ARGUMENTS"),
        ("context_search", json!({"terms": ["a", 7]}), "EVD-INVALID-ARGUMENTS"),
        ("context_search", json!({"terms": ["a", ""]}), "EVD-INVALID-ARGUMENTS"),
        ("context_search", json!({"terms": vec!["a"; 13]}), "EVD-INVALID-ARGUMENTS"),
        ("context_search", json!({"terms": ["a".repeat(129)]}), "EVD-INVALID-ARGUMENTS"),
        ("context_search", json!({"terms": ["a"], "regex": true}), "EVD-INVALID-ARGUMENTS"),
        ("read_range", json!({"start": 1, "end": 2}), "EVD-INVALID-ARGUMENTS"),
        ("read_range", json!({"path": 5, "start": 1, "end": 2}), "EVD-INVALID-ARGUMENTS"),
        ("read_range", json!({"path": "a", "start": 1}), "EVD-INVALID-ARGUMENTS"),
        ("read_range", json!({"path": "a", "end": 1}), "EVD-INVALID-ARGUMENTS"),
        ("read_range", range(json!(0), json!(1)), "EVD-INVALID-RANGE"),
        ("read_range", range(json!(-3), json!(1)), "EVD-INVALID-RANGE"),
        ("read_range", range(json!("-3"), json!(1)), "EVD-INVALID-RANGE"),
        ("read_range", range(json!(1), json!(u64::MAX)), "EVD-INVALID-RANGE"),
        ("read_range", range(json!(1), json!(1e300)), "EVD-INVALID-RANGE"),
        ("read_range", range(json!(1.5), json!(2)), "EVD-INVALID-ARGUMENTS"),
        ("read_range", range(json!("1.5"), json!(2)), "EVD-INVALID-ARGUMENTS"),
        ("read_range", range(json!("one"), json!(2)), "EVD-INVALID-ARGUMENTS"),
        ("read_range", range(json!(true), json!(2)), "EVD-INVALID-ARGUMENTS"),
        ("read_range", range(json!([1]), json!(2)), "EVD-INVALID-ARGUMENTS"),
        ("file_inventory", json!({"path": "a"}), "EVD-INVALID-ARGUMENTS"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = client.ask(&call(Era::PerRequest, n, tool, arguments.clone())).await;
        let error = error(&answer);
        assert_eq!((&error["code"], &error["retryable"]), (&json!(code), &json!(false)), "{arguments}");
        assert!(error["message"].as_str().is_some_and(|text| text.len() > 15), "{error}");
    }
    assert!(seen.lock().expect("seen").is_empty(), "nothing reached the service");
    // An empty path is a path that is denied, and the service says so.
    let answer = client
        .ask(&call(Era::PerRequest, "p", "read_range", json!({"path": "", "start": 1, "end": 1})))
        .await;
    assert_eq!(error(&answer)["code"], "EVD-PATH-DENIED");
}

#[tokio::test]
async fn an_echoed_secret_is_masked() {
    let (mut client, ..) = client();
    let token = redact::sample::expand("ghp_{alnum:30}{crc32_base62:6}", &mut redact::sample::Dice::new(1));
    let answer =
        client.ask(&call(Era::PerRequest, 1, "file_inventory", json!({ (token.as_str()): 1 }))).await;
    assert_eq!(error(&answer)["code"], "EVD-INVALID-ARGUMENTS");
    assert!(!answer.to_string().contains(&token) && answer.to_string().contains("REDACTED["), "{answer}");
}

#[tokio::test]
async fn sixteen_calls_are_answered_in_order_and_the_17th_is_busy_at_once() {
    for era in BOTH {
        let (mut client, latch, seen, mut starts) = client();
        client.greet(era).await;
        let search = |n: i64| call(era, n, "context_search", json!({"terms": [format!("block {n}")]}));
        client.send(&search(0)).await;
        starts.recv().await;
        for n in 1..15 {
            client.send(&search(n)).await;
        }
        client.send(&call(era, 15, "file_inventory", json!({}))).await;
        for n in [16, 17] {
            let answer =
                client.ask(&call(era, n, "read_range", json!({"path": "a", "start": 1, "end": 1}))).await;
            let error = error(&answer);
            assert_eq!((&error["code"], &error["retryable"]), (&json!("EVD-BUSY"), &json!(true)));
        }
        latch.open();
        for n in 0..16 {
            assert_eq!(client.recv().await["id"], n);
        }
        assert_eq!(seen.lock().expect("seen").len(), 16);
        let answer = client.ask(&search(18)).await;
        assert_eq!(answer["result"]["isError"], false, "there is room again");
    }
}

#[tokio::test]
async fn a_waiting_call_that_is_taken_back_leaves_its_place() {
    for era in BOTH {
        let (mut client, latch, seen, mut starts) = client();
        client.greet(era).await;
        let search = |n: i64| call(era, n, "context_search", json!({"terms": [format!("block {n}")]}));
        client.send(&search(0)).await;
        starts.recv().await;
        for n in 1..16 {
            client.send(&search(n)).await;
        }
        let cancel =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}});
        client.send(&cancel).await;
        client.is_silent().await;
        client.send(&search(16)).await;
        assert_eq!(error(&client.ask(&search(17)).await)["code"], "EVD-BUSY");
        latch.open();
        for n in (0..17).filter(|n| *n != 5) {
            assert_eq!(client.recv().await["id"], n);
        }
        assert!(!seen.lock().expect("seen").iter().any(|seen| seen.contains("block 5")));
    }
}

#[tokio::test]
async fn the_end_of_input_with_calls_waiting_is_a_normal_end() {
    let (mut client, latch, _, mut starts) = client();
    let search = |n: i64| call(Era::PerRequest, n, "context_search", json!({"terms": ["block"]}));
    client.send(&search(0)).await;
    starts.recv().await;
    client.send(&search(1)).await;
    client.close();
    latch.open();
    let rest = client.rest().await;
    assert!(rest.len() <= 2, "{rest:?}");
}

#[test]
fn the_instructions_give_the_workflow_in_under_1_000_characters() {
    for exact in [false, true] {
        let text = EvidenceSurface::new(Scripted::new(exact).0).instructions();
        assert!(text.chars().count() < 1_000, "{}", text.chars().count());
        for word in
            ["context_search", "incomplete", "clipped", "read_range", "file_inventory", "data", "1.", "5."]
        {
            assert!(text.contains(word), "{word}");
        }
        assert_eq!((text.contains("REDACTED["), text.contains("--exact")), (!exact, exact));
    }
}
