//! Broken frames and the answers they get.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn number(id: i64) -> Option<RequestId> {
    Some(RequestId::Number(id))
}

fn refused(line: &str) -> (i32, Option<RequestId>) {
    match read(line.as_bytes()) {
        Frame::Broken { id, error } => (error.code.0, id),
        other => panic!("{line} became {other:?}"),
    }
}

fn nested(levels: usize) -> String {
    // The message and its params are the first two levels.
    let (open, close) = ("[".repeat(levels - 2), "]".repeat(levels - 2));
    format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":{open}{close}}}}}"#)
}

#[test]
fn a_request_and_a_notification_are_told_apart_by_the_id() {
    let frame = read(br#" {"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":1}} "#);
    let params = json!({"x": 1}).as_object().cloned().expect("object");
    assert_eq!(frame, Frame::Request { id: RequestId::String("a".into()), method: "ping".into(), params });
    let frame = read(br#"{"jsonrpc":"2.0","method":"notifications/x","params":null}"#);
    assert_eq!(frame, Frame::Notification { method: "notifications/x".into(), params: Map::new() });
}

#[test]
fn empty_lines_and_responses_are_never_answered() {
    for line in [
        "",
        "   ",
        "\r",
        "\u{feff}",
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{}}"#,
        r#"{"jsonrpc":"1.0","result":null}"#,
        r#"{"id":{},"result":null}"#,
    ] {
        assert_eq!(read(line.as_bytes()), Frame::Nothing, "{line}");
    }
}

#[test]
fn a_byte_order_mark_and_a_carriage_return_do_no_harm() {
    let frame = read("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r".as_bytes());
    assert!(matches!(frame, Frame::Request { .. }), "{frame:?}");
}

#[test]
fn nesting_of_128_is_read_and_129_is_not() {
    assert!(matches!(read(nested(127).as_bytes()), Frame::Request { .. }));
    assert!(matches!(read(nested(128).as_bytes()), Frame::Request { .. }));
    assert_eq!(refused(&nested(129)), (-32700, number(1)));
    assert_eq!(refused(&nested(100_000)), (-32700, number(1)));
    assert_eq!(refused(&"[".repeat(100_000)), (-32700, None));
}

#[test]
fn brackets_in_strings_do_not_nest() {
    let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m\"{}"}}"#, "[".repeat(500));
    assert!(matches!(read(line.as_bytes()), Frame::Request { .. }));
}

#[test]
fn what_is_not_json_is_a_parse_error_with_the_id_that_can_be_found() {
    assert_eq!(refused("hello"), (-32700, None));
    assert_eq!(refused(r#"{"jsonrpc":"2.0","id":7,"method":"ping""#), (-32700, number(7)));
    assert_eq!(refused(r#"{"id":7,"x":1e400,"method":"ping"}"#), (-32700, number(7)));
    assert_eq!(refused(r#"{"id":7,"x":01}"#), (-32700, number(7)));
    assert_eq!(refused(r#"{"id":7} {"id":8}"#), (-32700, number(7)));
    assert_eq!(refused("{\"id\":7,\"x\":\"a\tb\"}"), (-32700, number(7)));
    let lone = r#"{"jsonrpc":"2.0","method":"tools/call","params":{"a":"\ud800"},"id":7}"#;
    assert_eq!(refused(lone), (-32700, number(7)));
    let invalid = [br#"{"id":7,"x":""#.as_slice(), b"\xff\xfe", b"\"}"].concat();
    assert!(
        matches!(read(&invalid), Frame::Broken { id, error } if id == number(7) && error.code.0 == -32700)
    );
}

#[test]
fn messages_of_the_wrong_shape_are_invalid_requests() {
    for (line, id) in [
        ("[]", None),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, None),
        ("42", None),
        ("null", None),
        ("\"text\"", None),
        ("{}", None),
        (r#"{"id":5}"#, number(5)),
        (r#"{"jsonrpc":"2.0","id":5}"#, number(5)),
        (r#"{"id":5,"method":"ping"}"#, number(5)),
        (r#"{"jsonrpc":"1.0","id":5,"method":"ping"}"#, number(5)),
        (r#"{"jsonrpc":2.0,"id":5,"method":"ping"}"#, number(5)),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":-9223372036854775809,"method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":5,"method":7}"#, number(5)),
        (r#"{"jsonrpc":"2.0","id":5,"method":null}"#, number(5)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}"#, number(5)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","params":"x"}"#, number(5)),
        (r#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#, None),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, None),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/list"}"#, number(5)),
    ] {
        assert_eq!(refused(line), (-32600, id), "{line}");
    }
}

#[test]
fn ids_of_64_bits_are_read_to_their_ends() {
    for id in [i64::MIN, -1, 0, i64::MAX] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        assert!(
            matches!(read(line.as_bytes()), Frame::Request { id: read, .. } if read == RequestId::Number(id))
        );
    }
}

#[test]
fn params_of_a_call_that_are_no_object_are_invalid_params() {
    for params in ["[]", "\"x\"", "7", "true"] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{params}}}"#);
        assert_eq!(refused(&line), (-32602, number(5)), "{params}");
    }
}

#[test]
fn a_member_that_stands_twice_is_refused_wherever_it_is() {
    let line =
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a","arguments":{"x":1,"x":2}}}"#;
    assert_eq!(refused(line), (-32602, number(5)));
}

#[test]
fn a_nested_id_is_never_taken_for_the_requests() {
    for line in [
        r#"{"params":{"id":5,"x":oops"#,
        r#"{"params":[{"id":5}"#,
        r#"{"params":{"a":"x"y","id":5},"b":"#,
        r#"["id",5,{"id":6}"#,
        r#"{"a":{]},"id":5,"#,
        r#"{"a" "id":5,"#,
        r#"{"x":"\"id\":5,"#,
    ] {
        assert_eq!(find_id(line.as_bytes()), None, "{line}");
    }
}

#[test]
fn the_id_is_found_before_and_after_other_members() {
    for line in [
        r#"{"id":5,"#,
        r#"{ "jsonrpc" : "2.0" , "id" : 5 , "#,
        r#"{"method":"m","params":{"id":9,"s":"}]\"{"},"jsonrpc":"2.0","id":5}"#,
        r#"{"a":oops,"id":5}"#,
        r#"{"\u0069d":5}"#,
        "\u{feff}{\"id\":5}",
    ] {
        assert_eq!(find_id(line.as_bytes()), number(5), "{line}");
    }
    assert_eq!(find_id(br#"{"id":"x\"y","#), Some(RequestId::String("x\"y".into())));
}

#[test]
fn an_id_that_is_cut_off_or_out_of_form_is_not_guessed() {
    for line in [
        r#"{"id":5"#,
        r#"{"id":"ab"#,
        r#"{"id":1.5,"#,
        r#"{"id":null,"#,
        r#"{"id":"\ud800","#,
        r#"{"id":-,"#,
        r#"{"id":57"x""#,
        r#"{"id":5["#,
        r#"{"id":"a"b,"#,
    ] {
        assert_eq!(find_id(line.as_bytes()), None, "{line}");
    }
}

#[test]
fn the_id_is_looked_for_in_the_first_4_kib_only() {
    let line = |pad: usize| format!(r#"{{"x":"{}","id":5,oops"#, "y".repeat(pad));
    let at = |pad: usize| line(pad).find(r#"5,"#).expect("there") + 2;
    let fits = HEAD_BYTES - at(0);
    assert_eq!(at(fits), HEAD_BYTES);
    assert_eq!(refused(&line(fits)).1, number(5));
    assert_eq!(refused(&line(fits + 1)).1, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Any bytes: no panic, and an answer unless the line is blank or looks like a response or a notification.
    #[test]
    fn no_line_makes_the_reader_panic(line in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&line);
        let _ = find_id(&line);
    }

    /// A good request that is damaged at one place is answered, and never with an id that is not its own.
    #[test]
    fn a_damaged_request_is_answered_with_its_own_id_or_none(
        id in any::<i64>(),
        inner in any::<i32>(),
        id_first in any::<bool>(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let rest = format!(r#""jsonrpc":"2.0","method":"tools/call","params":{{"name":"x","arguments":{{"id":{inner}}}}}"#);
        let text = if id_first { format!(r#"{{"id":{id},{rest}}}"#) } else { format!(r#"{{{rest},"id":{id}}}"#) };
        let mut line = text.into_bytes();
        let at = at.index(line.len());
        // Damage to the digits of the id itself would make another id, which is what the line then says.
        let digits = id.to_string();
        let text = String::from_utf8_lossy(&line).into_owned();
        let start = if id_first { 6 } else { text.len() - 1 - digits.len() };
        if (start..start + digits.len()).contains(&at) {
            return Ok(());
        }
        line[at] = byte;
        match read(&line) {
            Frame::Broken { id: found, .. } => prop_assert!(found.is_none() || found == number(id), "{:?}", found),
            Frame::Request { id: found, .. } => prop_assert_eq!(Some(found), number(id)),
            Frame::Nothing => prop_assert!(false, "silent"),
            Frame::Notification { .. } => {
                // Only when the name of the id itself was damaged.
                let key = if id_first { 1 } else { start - 5 };
                prop_assert!((key..key + 4).contains(&at), "an id got lost at {}", at);
            }
        }
    }
}
