//! How a value is written as YAML so that it reads back as it was: plain where that is safe, in quotes where it is not,
//! on one line always. It knows no file.

use serde_json::Value;

use crate::contract::{FieldDef, FieldType};

/// A value of a field, on one line.
pub(super) fn field(def: Option<&FieldDef>, value: &Value) -> String {
    let is_structured = def.is_some_and(|def| matches!(def.kind, FieldType::Map | FieldType::Json));
    match value {
        _ if is_structured => structured(value),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| field(None, item)).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) => string(text),
        other => structured(other),
    }
}

/// Text: plain when it cannot be taken for anything else, not even inside of `[..]`.
pub(super) fn string(text: &str) -> String {
    let is_word =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'+' | b'(' | b')');
    let bytes = text.as_bytes();
    let is_plain = bytes.first().is_some_and(|first| first.is_ascii_alphanumeric())
        && bytes.last().is_some_and(|last| is_word(*last))
        && bytes.iter().all(|byte| is_word(*byte) || matches!(byte, b' ' | b'-'))
        && !matches!(text, "null" | "Null" | "NULL");
    if is_plain { text.to_owned() } else { quoted(text) }
}

/// Text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for one in text.chars() {
        match one {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // What YAML takes for a line end or does not take at all.
            '\u{0}'..='\u{1F}'
            | '\u{7F}'..='\u{9F}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{FEFF}'
            | '\u{FFFE}'
            | '\u{FFFF}' => {
                let code = u32::from(one);
                out.push_str(&if code < 0x100 { format!("\\x{code:02x}") } else { format!("\\u{code:04x}") });
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// A structure in the flow form, every text in it in quotes.
fn structured(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(structured).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, member)| format!("{}: {}", quoted(key), structured(member)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        other => other.to_string(),
    }
}

/// The value of a relation: ids alone stay on one line, those with a pin or a note get a line each.
pub(super) fn relation(targets: &Value, line_end: &str) -> String {
    let items: Vec<String> = match targets {
        Value::Array(items) => items.iter().map(target).collect(),
        other => vec![target(other)],
    };
    if items.iter().any(|item| item.starts_with('{')) {
        items.iter().map(|item| format!("{line_end}  - {item}")).collect()
    } else {
        format!("[{}]", items.join(", "))
    }
}

/// One target: an id, or `{to, pin, note}`.
pub(super) fn target(value: &Value) -> String {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match value {
        Value::String(id) => string(id),
        _ => {
            let mut parts = vec![format!("to: {}", string(text("to").unwrap_or_default()))];
            parts.extend(text("pin").map(|pin| format!("pin: {}", quoted(pin))));
            parts.extend(text("note").map(|note| format!("note: {}", quoted(note))));
            format!("{{{}}}", parts.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::place::Lines;
    use crate::tree::TreeKind;
    use crate::yaml;

    fn read_back(written: &str) -> Option<String> {
        let text = format!("k: {written}\nl: [{written}]\n");
        let tree = yaml::parse(&text, 0, text.len(), &Lines::of(&text)).ok()??;
        let one = tree.get("k")?.as_text()?.to_owned();
        match &tree.get("l")?.kind {
            TreeKind::Sequence(items) if items.len() == 1 && items[0].as_text() == Some(&one) => Some(one),
            _ => None,
        }
    }

    #[test]
    fn words_stay_plain_and_the_rest_is_quoted() {
        for text in ["REQ-1", "open", "in review", "2024-01-31", "1.5", "true", "a/b.md"] {
            assert_eq!(string(text), text);
        }
        for text in [
            "",
            "~",
            "null",
            "a: b",
            "a #b",
            "-a",
            "a,b",
            "[a]",
            "it's",
            "x ",
            " x",
            "2024-01-31T00:00:00Z",
            "é",
        ] {
            assert!(string(text).starts_with('"'), "{text}");
        }
        assert_eq!(relation(&json!(["A", "B-1"]), "\n"), "[A, B-1]");
        assert_eq!(
            relation(&json!(["A", {"to": "B", "note": "so: \"it\" is"}]), "\n"),
            "\n  - A\n  - {to: B, note: \"so: \\\"it\\\" is\"}"
        );
        assert_eq!(structured(&json!({"a": [1, "1", null, true]})), "{\"a\": [1, \"1\", null, true]}");
    }

    proptest! {
        #[test]
        fn every_text_reads_back(text in any::<String>()) {
            prop_assert_eq!(read_back(&string(&text)), Some(text.clone()), "{}", string(&text));
        }

        #[test]
        fn texts_of_awkward_signs_read_back(text in "[a-z:#\\-\\[\\]{},\"'!&*|>%@`~?=\n\r\t \u{85}\u{2028}\u{feff}\\\\]{0,12}") {
            prop_assert_eq!(read_back(&string(&text)), Some(text.clone()), "{}", string(&text));
        }
    }
}
