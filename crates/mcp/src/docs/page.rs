//! One page of a list: how many items fit, where the next page begins, and how many there are in all. It knows no tool.

use serde_json::{Value, json};

/// Counts up to here are exact.
const TOTAL_EXACT_MAX: usize = 10_000;

/// How much of a list one answer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ceiling {
    /// As an answer on the wire may: bounded limits, early ends, a hard bound.
    Wire,
    /// All of it: for a person's own terminal.
    None,
}

/// The `page` of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) limit: usize,
    pub(super) returned: usize,
    pub(super) total: usize,
    pub(super) next_cursor: Option<String>,
}

impl Page {
    pub(super) fn to_json(&self) -> Value {
        let mut out = json!({ "limit": self.limit, "returned": self.returned, "total": total(self.total) });
        if let Some(cursor) = &self.next_cursor {
            out["next_cursor"] = cursor.as_str().into();
        }
        out
    }
}

/// A count on the wire: exact up to 10,000, a lower bound above.
pub(super) fn total(count: usize) -> Value {
    if count > TOTAL_EXACT_MAX { json!({ "at_least": TOTAL_EXACT_MAX }) } else { json!(count) }
}

/// The items from `start` on that fit into `limit` and `bytes`; the first one always does.
pub(super) fn fitting<T>(
    items: impl Iterator<Item = T>,
    limit: usize,
    bytes: usize,
    mut shape: impl FnMut(T) -> Value,
) -> Vec<Value> {
    let mut shown = Vec::new();
    let mut used = 0;
    for item in items.take(limit) {
        let value = shape(item);
        used += value.to_string().len() + 1;
        if used > bytes && !shown.is_empty() {
            break;
        }
        shown.push(value);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_ends_at_its_limit_or_at_its_bytes_and_holds_at_least_one_item() {
        let shape = |length: usize| Value::from("x".repeat(length));
        assert_eq!(fitting([1, 1, 1].into_iter(), 2, 1_000, shape).len(), 2);
        assert_eq!(fitting([1, 1, 1].into_iter(), 9, 8, shape).len(), 2);
        assert_eq!(fitting([900, 1].into_iter(), 9, 8, shape).len(), 1);
        assert_eq!(fitting(std::iter::empty(), 9, 8, shape).len(), 0);
    }

    #[test]
    fn totals_are_exact_as_far_as_they_go() {
        assert_eq!((total(10_000), total(10_001)), (json!(10_000), json!({"at_least": 10_000})));
    }
}
