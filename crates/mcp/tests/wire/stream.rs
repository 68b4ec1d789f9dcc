//! The line reader and its judgement under streams that nobody would write: never a panic, never silence when an id is
//! readable, never more kept than the cap.

use mcp::engine::{Heard, probe};
use proptest::prelude::*;
use serde_json::{Value, json};

const CAP: usize = 300;
const HEAD: usize = 4 * 1024;

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[ -~é🦀\\\\\"]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec(("(id|method|x)", inner), 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn message() -> impl Strategy<Value = Value> {
    let member =
        |good: Value| prop_oneof![4 => Just(Some(good)), 1 => value().prop_map(Some), 1 => Just(None)];
    (
        member(json!("2.0")),
        member(json!(7)),
        member(json!("tools/list")),
        member(json!({})),
        prop::sample::select(vec!["params", "result", "error", "x"]),
    )
        .prop_map(|(version, id, method, last, name)| {
            let members = [("jsonrpc", version), ("id", id), ("method", method), (name, last)];
            Value::Object(
                members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect(),
            )
        })
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => message().prop_map(|message| message.to_string().into_bytes()),
        3 => (message(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(message, at, byte)| {
            let mut bytes = message.to_string().into_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes
        }),
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => Just(b" \t\r".to_vec()),
        1 => (200usize..6_000).prop_map(|pad| format!("{{\"id\":7,\"x\":\"{}\"}}", "y".repeat(pad)).into_bytes()),
    ]
}

/// What must come of a line that is JSON as a whole; `None` where the reader may decide by the order of its checks.
fn expected(message: &Value) -> Option<Heard> {
    let Value::Object(object) = message else { return Some(Heard::Refused(-32600, None)) };
    let id = object.get("id");
    let good_id = id.filter(|id| id.is_string() || id.is_i64());
    let answered = object.contains_key("result") || object.contains_key("error");
    if !object.contains_key("method") && answered {
        return Some(Heard::Nothing);
    }
    let shape =
        object.get("jsonrpc") == Some(&json!("2.0")) && object.get("method").is_some_and(Value::is_string);
    let params = object.get("params").is_none_or(|params| params.is_object() || params.is_null());
    match (shape && params, id, good_id) {
        (true, None, _) => Some(Heard::Notification),
        (true, Some(_), Some(id)) => Some(Heard::Request(id.clone())),
        (_, _, Some(id)) => Some(Heard::Refused(-32600, Some(id.clone()))).filter(|_| params),
        (_, _, None) => Some(Heard::Refused(-32600, None)).filter(|_| params),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_line_gets_what_it_deserves(lines in prop::collection::vec(line(), 0..8)) {
        let lines: Vec<Vec<u8>> = lines.into_iter().map(|mut line| { line.retain(|byte| *byte != b'\n'); line }).collect();
        let mut stream = lines.join(&b'\n');
        stream.push(b'\n');
        let heard = probe(&stream, CAP);
        prop_assert_eq!(heard.len(), lines.len().max(1));
        for (line, (kept, heard)) in lines.iter().zip(heard) {
            prop_assert!(kept <= CAP.max(HEAD));
            if line.len() > CAP {
                prop_assert!(matches!(heard, Heard::Refused(-32600, _)), "{heard:?}");
                if line.starts_with(b"{\"id\":7,") {
                    prop_assert_eq!(heard, Heard::Refused(-32600, Some(json!(7))));
                }
            } else if line.iter().all(u8::is_ascii_whitespace) {
                prop_assert_eq!(heard, Heard::Nothing);
            } else if let Ok(message) = serde_json::from_slice::<Value>(line) {
                // Repeated members are refused; the reference parser keeps the last of them.
                if message.to_string().len() == line.len()
                    && let Some(expected) = expected(&message)
                {
                    prop_assert_eq!(heard, expected, "{}", message);
                }
            } else {
                prop_assert!(matches!(heard, Heard::Refused(-32700, _)), "{heard:?} {}", String::from_utf8_lossy(line));
            }
        }
    }
}
