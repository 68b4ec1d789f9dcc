//! The YAML subset: every value has its place, and what was read, written out in one line, is read again as the same.

use std::collections::HashSet;

use docs::{Scalar, Tree, TreeKind, probe};
use serde_json::Value;

use super::text::assert_span;

/// Holds `bytes` to it.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let tree = match probe::parse_yaml(text) {
        Err(span) => return assert_span(span, text),
        Ok(None) => return,
        Ok(Some(tree)) => tree,
    };
    assert_tree(&tree, text, 0);
    let written = written(&tree);
    let back = probe::parse_yaml(&written).unwrap_or_else(|_| panic!("{written:?}")).expect("it has a value");
    assert!(is_same(&tree, &back), "{written}");
    if let Ok(json) = serde_json::from_str::<Value>(text)
        && !text.contains("\\u")
    {
        assert_json(&tree, &json);
    }
}

fn assert_tree(tree: &Tree, text: &str, depth: usize) {
    assert_span(tree.span, text);
    assert!(depth <= 32);
    match &tree.kind {
        TreeKind::Scalar(_) => {}
        TreeKind::Sequence(items) => items.iter().for_each(|item| assert_tree(item, text, depth + 1)),
        TreeKind::Mapping(entries) => {
            let keys: HashSet<&str> = entries.iter().map(|(key, _, _)| key.as_str()).collect();
            assert_eq!(keys.len(), entries.len(), "keys are distinct");
            for (_, span, value) in entries {
                assert_span(*span, text);
                assert_tree(value, text, depth + 1);
            }
        }
    }
}

/// In the flow form: nulls as they are, all else in quotes.
fn written(tree: &Tree) -> String {
    match &tree.kind {
        TreeKind::Scalar(scalar) if scalar.is_null() => "null".to_owned(),
        TreeKind::Scalar(Scalar { text, .. }) => quoted(text),
        TreeKind::Sequence(items) => {
            format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", "))
        }
        TreeKind::Mapping(entries) => {
            // A `?` before a key lifts the limit on its length.
            let entries =
                entries.iter().map(|(key, _, value)| format!("? {} : {}", quoted(key), written(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            c => out.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

fn is_same(left: &Tree, right: &Tree) -> bool {
    match (&left.kind, &right.kind) {
        (TreeKind::Scalar(_), TreeKind::Scalar(_)) => {
            left.is_absent() == right.is_absent() && left.as_text() == right.as_text()
        }
        (TreeKind::Sequence(left), TreeKind::Sequence(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (TreeKind::Mapping(left), TreeKind::Mapping(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| left.0 == right.0 && is_same(&left.2, &right.2))
        }
        _ => false,
    }
}

/// What is JSON as well means the same.
fn assert_json(tree: &Tree, json: &Value) {
    match (&tree.kind, json) {
        (TreeKind::Scalar(scalar), Value::String(text)) => assert_eq!(scalar.text, *text),
        (TreeKind::Scalar(scalar), Value::Bool(truth)) => assert_eq!(scalar.text, truth.to_string()),
        (TreeKind::Scalar(scalar), Value::Null) => assert!(scalar.is_null()),
        (TreeKind::Scalar(scalar), Value::Number(_)) => assert!(scalar.is_plain),
        (TreeKind::Sequence(items), Value::Array(values)) => {
            assert_eq!(items.len(), values.len());
            items.iter().zip(values).for_each(|(item, value)| assert_json(item, value));
        }
        (TreeKind::Mapping(entries), Value::Object(members)) => {
            assert_eq!(entries.len(), members.len());
            for (key, _, value) in entries {
                assert_json(value, &members[key]);
            }
        }
        _ => panic!("{tree:?} is not {json}"),
    }
}
