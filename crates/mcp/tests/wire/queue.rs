//! protocol.md 3: one queue, what is answered beside it, cancellation, panics.

use mcp::catalog::{CallContext, Cancelled, Hints, Limits, Surface, Tool, Turn, closed_object};
use mcp::reply::Reply;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use crate::client::{BOTH, Client, Era, call, request};
use crate::fake::{Fake, Latch};

fn cancel(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id.into(), "reason": "enough"}})
}

#[tokio::test]
async fn calls_run_one_at_a_time_in_the_order_they_came() {
    for era in BOTH {
        let (fake, stage, mut starts) = Fake::new();
        let mut client = Client::start(fake, era).await;
        for n in 0..5 {
            client.send(&call(era, n, "get_tree", json!({"project": format!("block {n}")}))).await;
        }
        assert_eq!(starts.recv().await.as_deref(), Some("block 0"));
        client.send(&request(era, "beside", "tools/list", json!({}))).await;
        assert_eq!(client.recv().await["id"], "beside");
        assert_eq!(stage.seen().len(), 1, "the others wait");
        stage.latch.open();
        for n in 0..5 {
            assert_eq!(client.recv().await["id"], n);
        }
    }
}

#[tokio::test]
async fn ping_lists_and_discover_are_answered_while_a_call_runs() {
    let (fake, stage, mut starts) = Fake::new();
    let mut client = Client::start(fake, Era::Handshake).await;
    client.send(&call(Era::Handshake, 1, "get_tree", json!({"project": "block"}))).await;
    starts.recv().await;
    assert_eq!(client.ask(&request(Era::Handshake, 2, "ping", json!({}))).await["result"], json!({}));
    assert!(
        client.ask(&request(Era::Handshake, 3, "tools/list", json!({}))).await["result"]["tools"].is_array()
    );
    assert!(
        client.ask(&request(Era::PerRequest, 4, "server/discover", json!({}))).await["result"].is_object()
    );
    stage.latch.open();
    assert_eq!(client.recv().await["id"], 1);
}

#[tokio::test]
async fn list_projects_and_read_pack_do_not_wait_for_the_gate() {
    let (fake, stage, mut starts) = Fake::new();
    let mut client = Client::start(fake, Era::Handshake).await;
    client
        .send(&call(Era::Handshake, 1, "search_project", json!({"project": "block", "pattern": "x"})))
        .await;
    starts.recv().await;
    assert!(client.ask(&call(Era::Handshake, 2, "list_projects", json!({}))).await["result"].is_object());
    assert!(
        client.ask(&call(Era::Handshake, 3, "read_pack", json!({"pack_id": "x"}))).await["result"]
            .is_object()
    );
    stage.latch.open();
    assert_eq!(client.recv().await["id"], 1);
}

#[tokio::test]
async fn every_tool_that_reads_a_project_takes_the_gate() {
    for (tool, arguments) in [
        ("get_tree", json!({})),
        ("analyze", json!({})),
        ("pack_context", json!({})),
        ("search_project", json!({"pattern": "x"})),
        ("get_file", json!({"path": "x"})),
    ] {
        let (fake, stage, mut starts) = Fake::new();
        let mut client = Client::start(fake, Era::Handshake).await;
        client.send(&call(Era::Handshake, 1, "get_tree", json!({"project": "block"}))).await;
        starts.recv().await;
        client.send(&call(Era::Handshake, 2, tool, arguments)).await;
        client.is_silent().await;
        assert_eq!(stage.seen().len(), 1, "{tool} did not wait");
        stage.latch.open();
        assert_eq!(client.recv().await["id"], 1);
        assert_eq!(client.recv().await["id"], 2);
    }
}

#[tokio::test]
async fn a_running_call_that_is_taken_back_stops_and_is_not_answered() {
    for era in BOTH {
        let (fake, _stage, mut starts) = Fake::new();
        let mut client = Client::start(fake, era).await;
        client.send(&call(era, 1, "get_tree", json!({"project": "block"}))).await;
        starts.recv().await;
        client.send(&cancel(1)).await;
        // The next call runs only when the first has stopped.
        assert!(client.ask(&call(era, 2, "get_tree", json!({}))).await["result"].is_object());
        client.is_silent().await;
    }
}

#[tokio::test]
async fn a_waiting_call_that_is_taken_back_leaves_the_queue() {
    for era in BOTH {
        let (fake, stage, mut starts) = Fake::new();
        let mut client = Client::start(fake, era).await;
        client.send(&call(era, 1, "get_tree", json!({"project": "block"}))).await;
        starts.recv().await;
        client.send(&call(era, "two", "get_tree", json!({"project": "waiting"}))).await;
        client.send(&call(era, 3, "get_tree", json!({"project": "after"}))).await;
        client.send(&cancel("two")).await;
        client.is_silent().await;
        stage.latch.open();
        assert_eq!(client.recv().await["id"], 1);
        assert_eq!(client.recv().await["id"], 3);
        assert!(!stage.seen().iter().any(|seen| seen.contains("waiting")), "{:?}", stage.seen());
    }
}

#[tokio::test]
async fn an_id_can_be_used_again_after_its_call_has_stopped() {
    let (fake, _stage, mut starts) = Fake::new();
    let mut client = Client::start(fake, Era::Handshake).await;
    client.send(&call(Era::Handshake, 1, "get_tree", json!({"project": "block"}))).await;
    starts.recv().await;
    client.send(&cancel(1)).await;
    assert!(client.ask(&call(Era::Handshake, 2, "get_tree", json!({}))).await["result"].is_object());
    assert!(client.ask(&call(Era::Handshake, 1, "get_tree", json!({}))).await["result"].is_object());
    assert!(client.ask(&call(Era::Handshake, 1, "get_tree", json!({}))).await["result"].is_object());
}

#[tokio::test]
async fn taking_back_an_unknown_or_answered_id_changes_nothing() {
    let (fake, stage, mut starts) = Fake::new();
    let mut client = Client::start(fake, Era::Handshake).await;
    client.ask(&call(Era::Handshake, 9, "get_tree", json!({}))).await;
    client.send(&call(Era::Handshake, 1, "get_tree", json!({"project": "block"}))).await;
    starts.recv().await;
    starts.recv().await;
    for id in [json!(9), json!("1"), json!(2), json!(1.0), json!([1]), json!(null)] {
        client.send(&cancel(id)).await;
    }
    client.is_silent().await;
    stage.latch.open();
    assert_eq!(client.recv().await["id"], 1);
}

#[tokio::test]
async fn an_id_that_is_under_way_is_refused_and_the_first_call_is_not_disturbed() {
    for era in BOTH {
        let (fake, stage, mut starts) = Fake::new();
        let mut client = Client::start(fake, era).await;
        client.send(&call(era, "same", "get_tree", json!({"project": "block"}))).await;
        starts.recv().await;
        for method in ["tools/call", "tools/list"] {
            client.send(&request(era, "same", method, json!({"name": "get_tree"}))).await;
            let answer = client.recv().await;
            assert_eq!(answer["error"]["code"], -32600);
            assert!(
                answer["error"]["message"].as_str().is_some_and(|text| text.contains("same")),
                "{answer}"
            );
        }
        stage.latch.open();
        let answer = client.recv().await;
        assert_eq!((answer["id"].as_str(), &answer["result"]["isError"]), (Some("same"), &json!(false)));
        client.is_silent().await;
    }
}

#[tokio::test]
async fn a_number_and_a_string_are_different_ids() {
    let (fake, stage, mut starts) = Fake::new();
    let mut client = Client::start(fake, Era::Handshake).await;
    client.send(&call(Era::Handshake, 1, "get_tree", json!({"project": "block"}))).await;
    starts.recv().await;
    assert!(client.ask(&request(Era::Handshake, "1", "tools/list", json!({}))).await["result"].is_object());
    stage.latch.open();
    assert_eq!(client.recv().await["id"], 1);
}

#[tokio::test]
async fn a_panic_is_an_internal_error_of_that_call_and_says_nothing_of_the_project() {
    for era in BOTH {
        let mut client = Client::start(Fake::plain(), era).await;
        let answer = client.ask(&call(era, 5, "get_tree", json!({"project": "panic"}))).await;
        assert_eq!(answer["error"]["code"], -32603);
        assert!(!answer.to_string().contains("nobody may see"));
        assert_eq!(client.panics(), 1);
        assert!(client.ask(&call(era, 6, "get_tree", json!({}))).await["result"].is_object());
    }
}

#[tokio::test]
async fn a_call_that_gives_up_unasked_is_still_answered() {
    let mut client = Client::start(Fake::plain(), Era::Handshake).await;
    let answer = client.ask(&call(Era::Handshake, 5, "get_tree", json!({"project": "unasked cancel"}))).await;
    assert_eq!(answer["error"]["code"], -32603);
}

/// A server with a queue of its own length.
struct Short {
    latch: Latch,
    started: mpsc::UnboundedSender<()>,
}

impl Surface for Short {
    fn name(&self) -> &'static str {
        "short"
    }
    fn title(&self) -> &'static str {
        "Short"
    }
    fn instructions(&self) -> String {
        String::new()
    }
    fn tools(&self) -> Vec<Tool> {
        vec![Tool {
            name: "work",
            title: "Work",
            description: "Works.",
            input: closed_object(Vec::new(), &[]),
            output: None,
            hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: false },
            meta: None,
            turn: Turn::Gate,
            progress: false,
        }]
    }
    fn limits(&self) -> Limits {
        Limits {
            line_bytes_max: 1_000,
            admitted_max: Some(16),
            call_time_max: None,
            end_grace: std::time::Duration::ZERO,
        }
    }
    fn call(&self, _: &str, _: Map<String, Value>, context: &CallContext<'_>) -> Result<Reply, Cancelled> {
        let _ = self.started.send(());
        assert!(context.watch.deadline().is_none());
        self.latch.wait_for(context.watch).map_err(|_| Cancelled)?;
        Ok(Reply::text("done".to_owned()))
    }
    fn busy(&self) -> Reply {
        Reply::error_text("BUSY: come back")
    }
}

#[tokio::test]
async fn a_bounded_queue_admits_16_calls_and_refuses_the_17th_at_once() {
    let (started, mut starts) = mpsc::unbounded_channel();
    let latch = Latch::default();
    let mut client = Client::on(Short { latch: latch.clone(), started });
    for n in 0..17 {
        client.send(&call(Era::PerRequest, n, "work", json!({}))).await;
    }
    let refused = client.recv().await;
    assert_eq!((refused["id"].as_i64(), &refused["result"]["isError"]), (Some(16), &json!(true)));
    assert_eq!(refused["result"]["content"][0]["text"], "BUSY: come back");
    // A call that leaves the queue makes room for another.
    starts.recv().await;
    client.send(&cancel(7)).await;
    client.send(&call(Era::PerRequest, 17, "work", json!({}))).await;
    client.send(&call(Era::PerRequest, 18, "work", json!({}))).await;
    assert_eq!(client.recv().await["id"], 18);
    latch.open();
    for n in (0..7).chain(8..16).chain([17]) {
        assert_eq!(client.recv().await["id"], n);
    }
}

#[tokio::test]
async fn the_cap_of_a_line_is_the_surfaces() {
    let mut client = Client::on(Short { latch: Latch::default(), started: mpsc::unbounded_channel().0 });
    let (code, _, text) = client.refused(&vec![b'x'; 1_001]).await;
    assert_eq!(code, -32600);
    assert!(text.contains("1000"), "{text}");
    assert_eq!(client.refused(&vec![b'x'; 1_000]).await.0, -32700);
}

#[tokio::test]
async fn a_flood_of_waiting_calls_is_answered_in_order() {
    let (fake, stage, mut starts) = Fake::new();
    let mut client = Client::start(fake, Era::Handshake).await;
    client.send(&call(Era::Handshake, 0, "get_tree", json!({"project": "block"}))).await;
    starts.recv().await;
    for n in 1..200 {
        client.send(&call(Era::Handshake, n, "get_tree", json!({}))).await;
    }
    stage.latch.open();
    for n in 0..200 {
        assert_eq!(client.recv().await["id"], n);
    }
}

#[test]
fn call_seconds_max_is_30_seconds_of_every_call() {
    let surface = mcp::project::ProjectSurface::new(Fake::plain(), mcp::project::ProjectOptions::default());
    assert_eq!(surface.limits().call_time_max, Some(std::time::Duration::from_secs(30)));
    assert_eq!(project::limits::CALL_SECONDS_MAX, 30);
}
