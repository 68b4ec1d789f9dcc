//! Progress on the wire: only when asked for, before the result, none after. What is said when is tested below the wire.

use serde_json::{Value, json};

use crate::client::{BOTH, Client, Era, request};
use crate::fake::Fake;

fn asking(era: Era, id: i64, tool: &str, token: Value) -> Value {
    let arguments = match tool {
        "search_project" => json!({"pattern": "x"}),
        "get_file" => json!({"path": "x"}),
        "read_pack" => json!({"pack_id": "x"}),
        _ => json!({}),
    };
    request(
        era,
        id,
        "tools/call",
        json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": token}}),
    )
}

#[tokio::test]
async fn progress_rises_from_at_most_10_to_100_before_the_result() {
    for era in BOTH {
        for tool in ["analyze", "pack_context"] {
            for token in [json!("a"), json!(7), json!(0), json!("7")] {
                let mut client = Client::start(Fake::plain(), era).await;
                client.send(&asking(era, 5, tool, token.clone())).await;
                let mut values = Vec::new();
                let result = loop {
                    let message = client.recv().await;
                    if message.get("id").is_some() {
                        break message;
                    }
                    assert_eq!(message["method"], "notifications/progress");
                    let params = &message["params"];
                    assert_eq!(params["progressToken"], token, "the type is kept");
                    assert_eq!(params["total"], 100);
                    let text = params["message"].as_str().expect("a message");
                    let (phase, count) = text.rsplit_once(' ').expect("phase and count");
                    assert!(
                        !phase.is_empty() && count.split('/').all(|n| n.parse::<u64>().is_ok()),
                        "{text}"
                    );
                    values.push(params["progress"].as_i64().expect("an integer"));
                };
                assert_eq!(result["result"]["isError"], false);
                assert!(values.len() >= 2 && values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
                assert!((1..=10).contains(&values[0]) && values.last() == Some(&100), "{values:?}");
                client.is_silent().await;
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_said_without_a_token_or_with_one_of_another_type() {
    for era in BOTH {
        let mut client = Client::start(Fake::plain(), era).await;
        for tool in ["analyze", "pack_context"] {
            let answer = client.ask(&request(era, 5, "tools/call", json!({"name": tool}))).await;
            assert!(answer["result"].is_object());
            client.ask(&asking(era, 6, tool, json!(null))).await;
            client.is_silent().await;
        }
    }
    let mut client = Client::start(Fake::plain(), Era::Handshake).await;
    client.ask(&asking(Era::Handshake, 5, "analyze", json!(1.5))).await;
    client.ask(&asking(Era::Handshake, 5, "analyze", json!({"a": 1}))).await;
    client.is_silent().await;
}

#[tokio::test]
async fn the_other_five_tools_never_say_anything() {
    for era in BOTH {
        let mut client = Client::start(Fake::plain(), era).await;
        for tool in ["list_projects", "get_tree", "search_project", "get_file", "read_pack"] {
            let answer = client.ask(&asking(era, 5, tool, json!("t"))).await;
            assert_eq!(answer["result"]["isError"], false, "{answer}");
            client.is_silent().await;
        }
    }
}

#[tokio::test]
async fn a_call_that_fails_does_not_claim_to_be_done() {
    let mut client = Client::start(Fake::plain(), Era::Handshake).await;
    let params = json!({"name": "analyze", "arguments": {"project": "fault"}, "_meta": {"progressToken": 1}});
    client.send(&request(Era::Handshake, 5, "tools/call", params)).await;
    let first = client.recv().await;
    assert_eq!(first["params"]["progress"], 1, "{first}");
    let answer = client.recv().await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    client.is_silent().await;
}

#[tokio::test]
async fn a_call_that_was_taken_back_says_nothing_more() {
    let (fake, stage, mut starts) = Fake::new();
    let mut client = Client::start(fake, Era::Handshake).await;
    let params =
        json!({"name": "analyze", "arguments": {"project": "insist"}, "_meta": {"progressToken": 1}});
    client.send(&request(Era::Handshake, 5, "tools/call", params)).await;
    starts.recv().await;
    assert_eq!(client.recv().await["params"]["progress"], 1);
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}))
        .await;
    client.is_silent().await;
    stage.latch.open();
    assert!(
        client.ask(&request(Era::Handshake, 6, "tools/call", json!({"name": "get_tree"}))).await["result"]
            .is_object()
    );
    client.is_silent().await;
}
