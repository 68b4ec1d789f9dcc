//! protocol.md 2: broken traffic. Each row holds in both eras, and the next request is served after each line.

use serde_json::{Value, json};

use crate::client::{BOTH, Client, Era, call, request};
use crate::fake::Fake;

const CAP: usize = 4 * 1024 * 1024;

/// A request of exactly this many bytes.
fn padded(era: Era, id: i64, bytes: usize) -> Vec<u8> {
    let message =
        |pad: usize| request(era, id, "tools/list", json!({"x": "y".repeat(pad)})).to_string().into_bytes();
    let bare = message(0).len();
    let line = message(bytes - bare);
    assert_eq!(line.len(), bytes);
    line
}

async fn each_era(mut test: impl AsyncFnMut(&mut Client, Era)) {
    for era in BOTH {
        let mut client = Client::start(Fake::plain(), era).await;
        test(&mut client, era).await;
        client.is_silent().await;
        assert!(client.ask(&call(era, "after", "get_tree", json!({}))).await["result"].is_object());
    }
}

#[tokio::test]
async fn lines_that_are_not_json_are_parse_errors() {
    each_era(async |client, _| {
        for (line, id) in [
            (b"garbage".as_slice(), None),
            (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"", Some(json!(5))),
            (b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"\xff\xfe\"}", Some(json!("a"))),
            (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"\\ud800\"}", Some(json!(5))),
            (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"n\":1e400}}", Some(json!(5))),
            (b"\x00\x01\x02", None),
        ] {
            let (code, answered, _) = client.refused(line).await;
            assert_eq!((code, answered), (-32700, id), "{}", String::from_utf8_lossy(line));
        }
    })
    .await;
}

#[tokio::test]
async fn nesting_over_128_is_a_parse_error() {
    each_era(async |client, era| {
        let nested = |levels: usize| {
            let text = request(era, 5, "tools/list", json!({"x": "@"})).to_string();
            text.replace("\"@\"", &format!("{}{}", "[".repeat(levels - 2), "]".repeat(levels - 2)))
        };
        client.send_line(nested(128).as_bytes()).await;
        assert!(client.recv().await["result"].is_object());
        for levels in [129, 100_000] {
            let (code, id, _) = client.refused(nested(levels).as_bytes()).await;
            assert_eq!(code, -32700);
            // Where `params` comes first, the id stands behind the nesting and beyond the head.
            assert!(id == Some(json!(5)) || levels > 1_000);
        }
    })
    .await;
}

#[tokio::test]
async fn a_line_of_4_mib_is_read_and_one_byte_more_is_thrown_away() {
    each_era(async |client, era| {
        for (bytes, fits) in [(CAP - 1, true), (CAP, true), (CAP + 1, false)] {
            client.send_line(&padded(era, 7, bytes)).await;
            let answer = client.recv().await;
            assert_eq!(answer["id"], 7);
            assert_eq!(answer["result"].is_object(), fits, "{bytes}");
            if !fits {
                assert_eq!(answer["error"]["code"], -32600);
                assert!(
                    answer["error"]["message"].as_str().is_some_and(|text| text.contains("4194304")),
                    "{answer}"
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn of_an_overlong_line_the_id_is_found_in_its_first_4_kib_only() {
    each_era(async |client, _| {
        let late =
            format!("{{\"jsonrpc\":\"2.0\",\"x\":\"{}\",\"id\":5,\"method\":\"ping\"}}", "y".repeat(CAP));
        let (code, id, _) = client.refused(late.as_bytes()).await;
        assert_eq!((code, id), (-32600, None));
        let nested =
            format!("{{\"jsonrpc\":\"2.0\",\"params\":{{\"id\":6,\"x\":\"{}\"}},\"id\":5}}", "y".repeat(CAP));
        let (code, id, _) = client.refused(nested.as_bytes()).await;
        assert_eq!((code, id), (-32600, None));
    })
    .await;
}

#[tokio::test]
async fn messages_of_the_wrong_shape_are_invalid_requests() {
    each_era(async |client, _| {
        for (line, id) in [
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, None),
            ("[]", None),
            ("42", None),
            ("{}", None),
            (r#"{"jsonrpc":"2.0","id":5}"#, Some(json!(5))),
            (r#"{"id":5,"method":"ping"}"#, Some(json!(5))),
            (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#, Some(json!(5))),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, None),
            (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, None),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, None),
            (r#"{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}"#, None),
            (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, Some(json!("a"))),
            (r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[]}"#, Some(json!(5))),
            (r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":"x"}"#, Some(json!(5))),
        ] {
            let (code, answered, _) = client.refused(line.as_bytes()).await;
            assert_eq!((code, answered), (-32600, id), "{line}");
        }
    })
    .await;
}

#[tokio::test]
async fn responses_unknown_notifications_and_empty_lines_are_never_answered() {
    each_era(async |client, _| {
        for line in [
            "",
            "   ",
            "\r",
            r#"{"jsonrpc":"2.0","id":5,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":5,"error":{"code":-1,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/made/up"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"get_tree"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        ] {
            client.send_line(line.as_bytes()).await;
            client.is_silent().await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_unknown_method_is_named() {
    each_era(async |client, era| {
        for method in [
            "made/up",
            "resources/list",
            "prompts/list",
            "logging/setLevel",
            "completion/complete",
            "subscriptions/listen",
            "tasks/get",
            "notifications/initialized",
            "",
            "Ping",
        ] {
            let answer = client.ask(&request(era, 5, method, json!({}))).await;
            assert_eq!(answer["error"]["code"], -32601);
            assert!(
                answer["error"]["message"].as_str().is_some_and(|text| text.contains(method)),
                "{answer}"
            );
        }
        let answer = client.ask(&request(era, 5, &"m\n".repeat(10_000), json!({}))).await;
        let text = answer["error"]["message"].as_str().expect("text");
        assert!(text.chars().count() < 1_000 && !text.contains('\n'), "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_call_of_the_wrong_shape_is_invalid_params() {
    each_era(async |client, era| {
        for params in [
            json!({}),
            json!({"name": null}),
            json!({"name": 5}),
            json!({"arguments": {}}),
            json!({"name": "get_tree", "arguments": []}),
            json!({"name": "get_tree", "arguments": 5}),
            json!({"name": "get_tree", "arguments": "text"}),
            json!({"name": "get_tree", "arguments": "[]"}),
            json!({"name": "get_tree", "arguments": ""}),
            json!({"name": "get_tree", "arguments": "{\"a\":1,\"a\":2}"}),
        ] {
            let answer = client.ask(&request(era, 5, "tools/call", params.clone())).await;
            assert_eq!(answer["error"]["code"], -32602, "{params} {answer}");
        }
        for params in ["[]", "5", "\"x\""] {
            let line =
                format!("{{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{params}}}");
            assert_eq!(client.refused(line.as_bytes()).await.0, -32602, "{params}");
        }
    })
    .await;
}

#[tokio::test]
async fn arguments_may_be_absent_null_or_a_string_with_an_object() {
    for era in BOTH {
        let (fake, stage, _) = Fake::new();
        let mut client = Client::start(fake, era).await;
        for params in [
            json!({"name": "get_tree"}),
            json!({"name": "get_tree", "arguments": null}),
            json!({"name": "get_tree", "arguments": {}}),
            json!({"name": "get_tree", "arguments": "{}"}),
        ] {
            let answer = client.ask(&request(era, 5, "tools/call", params)).await;
            assert_eq!(answer["result"]["isError"], false, "{answer}");
        }
        let seen = stage.seen();
        assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
        let params = json!({"name": "get_tree", "arguments": " {\"max_depth\": 3} "});
        client.ask(&request(era, 5, "tools/call", params)).await;
        assert!(stage.seen()[4].contains("max_depth: Some(3)"));
    }
}

#[tokio::test]
async fn an_unknown_tool_is_named() {
    each_era(async |client, era| {
        let answer = client.ask(&call(era, 5, "made_up", json!({}))).await;
        assert_eq!(answer["error"]["code"], -32602);
        assert_eq!(answer["error"]["message"], "Unknown tool: made_up");
        let answer = client.ask(&call(era, 5, "get_tree ", json!({}))).await;
        assert_eq!(answer["error"]["message"], "Unknown tool: get_tree ");
        let answer = client.ask(&call(era, 5, "https://bot:hunter2@git.internal/x", json!({}))).await;
        assert!(!answer.to_string().contains("hunter2"), "{answer}");
    })
    .await;
}

#[tokio::test]
async fn a_bad_cursor_is_invalid_params() {
    each_era(async |client, era| {
        for cursor in [json!("abc"), json!(""), json!(5), json!({})] {
            let answer = client.ask(&request(era, 5, "tools/list", json!({"cursor": cursor}))).await;
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
        }
    })
    .await;
}

#[tokio::test]
async fn members_that_stand_twice_are_refused() {
    each_era(async |client, era| {
        let line = call(era, 5, "get_tree", json!({"max_depth": 1})).to_string();
        let line = line.replace("\"max_depth\":1", "\"max_depth\":1,\"max_depth\":2");
        let (code, id, _) = client.refused(line.as_bytes()).await;
        assert_eq!((code, id), (-32602, Some(json!(5))));
    })
    .await;
}

#[tokio::test]
async fn unknown_members_beside_the_known_ones_are_ignored() {
    each_era(async |client, era| {
        let mut message = call(era, 5, "get_tree", json!({}));
        message["extra"] = json!([1, 2]);
        message["params"]["extra"] = json!({"x": null});
        assert_eq!(client.ask(&message).await["result"]["isError"], false);
    })
    .await;
}

#[tokio::test]
async fn ids_come_back_as_they_were_sent() {
    each_era(async |client, era| {
        for id in [
            json!(0),
            json!(-5),
            json!(i64::MAX),
            json!(i64::MIN),
            json!(""),
            json!("5"),
            json!("ü\n\u{0}"),
            json!("x".repeat(5_000)),
        ] {
            assert_eq!(client.ask(&call(era, id, "get_tree", json!({}))).await["result"]["isError"], false);
        }
    })
    .await;
}

#[tokio::test]
async fn bytes_may_arrive_one_at_a_time_with_crlf_and_a_mark() {
    let mut client = Client::raw(Fake::plain());
    let line = format!("\u{feff}{}\r\n", request(Era::PerRequest, 5, "tools/list", json!({})));
    for byte in line.as_bytes() {
        client.send_bytes(&[*byte]).await;
    }
    assert!(client.recv().await["result"].is_object());
}

#[tokio::test]
async fn a_line_of_64_mib_is_answered_once_and_the_next_one_is_served() {
    let mut client = Client::start(Fake::plain(), Era::Handshake).await;
    client.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":5,\"x\":\"").await;
    let chunk = vec![b'y'; 1 << 20];
    for _ in 0..64 {
        client.send_bytes(&chunk).await;
    }
    let (code, id, _) = client.refused(b"\"}").await;
    assert_eq!((code, id), (-32600, Some(json!(5))));
    client.is_silent().await;
}

#[tokio::test]
async fn odd_values_in_arguments_do_no_harm() {
    each_era(async |client, era| {
        for arguments in [
            json!({"path": "a\u{0}b"}),
            json!({"path": "a", "start_line": -0.0}),
            json!({"path": "a", "x": []}),
        ] {
            let answer = client.ask(&call(era, 5, "get_file", arguments)).await;
            assert!(answer["result"]["isError"].is_boolean(), "{answer}");
        }
        let deep = (0..120).fold(Value::Null, |inner, _| json!([inner]));
        let answer = client.ask(&call(era, 5, "get_file", json!({"path": deep}))).await;
        assert_eq!(answer["result"]["isError"], true);
    })
    .await;
}
