//! Ids of Doorstop items as that tool compares them: by prefix, whatever its case, and by number, whatever its zeros. It
//! knows no item.

use std::cmp::Ordering;
use std::sync::OnceLock;

use regex_automata::meta::Regex;

/// What an id is compared by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ItemKey {
    prefix: String,
    /// -1 for an item with a name.
    number: i128,
    name: String,
}

/// The key of an id; none for what is no id of that tool.
pub(crate) fn item_key(id: &str) -> Option<ItemKey> {
    static FORMS: OnceLock<Option<[Regex; 2]>> = OnceLock::new();
    let [named, numbered] = FORMS
        .get_or_init(|| {
            let named = Regex::new(r"\A([\w.-]+)[-_.](\w+)").ok()?;
            Some([named, Regex::new(r"\A([\w.-]*\D)(\d+)").ok()?])
        })
        .as_ref()?;
    let parts = |form: &Regex| {
        let mut found = form.create_captures();
        form.captures(id, &mut found);
        Some((&id[found.get_group(1)?.range()], &id[found.get_group(2)?.range()]))
    };
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { digits.parse().ok() } else { None }
    };
    if let Some((prefix, rest)) = parts(named) {
        let (number, name) = number(rest).map_or((-1, rest), |number| (number, ""));
        return Some(ItemKey { prefix: prefix.to_lowercase(), number, name: name.to_owned() });
    }
    let (prefix, digits) = parts(numbered)?;
    let prefix = prefix.trim_end_matches(['-', '_', '.']).to_lowercase();
    Some(ItemKey { prefix, number: number(digits)?, name: String::new() })
}

/// The order in which that tool lists links.
pub(super) fn order(left: &str, right: &str) -> Ordering {
    match (item_key(left), item_key(right)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => left.cmp(right),
    }
}

/// Whether that tool takes two ids for one.
pub(super) fn is_same(left: &str, right: &str) -> bool {
    match (item_key(left), item_key(right)) {
        (Some(one), Some(other)) => one == other,
        _ => left.to_lowercase() == right.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_taken_apart_as_by_the_tool() {
        let key = |id: &str| item_key(id).map(|key| (key.prefix, key.number, key.name));
        let is = |prefix: &str, number: i128, name: &str| Some((prefix.to_owned(), number, name.to_owned()));
        assert_eq!(key("ABC00123"), is("abc", 123, ""));
        assert_eq!(key("ABC.HLR_01-00123"), is("abc.hlr_01", 123, ""));
        assert_eq!(key("REQ2-001"), is("req2", 1, ""));
        assert_eq!(key("REQ2-NAME007"), is("req2", -1, "NAME007"));
        assert_eq!(key("REQ2-123NAME"), is("req2", -1, "123NAME"));
        assert_eq!((key("name"), key("")), (None, None));
        assert!(is_same("REQ1", "req-001") && !is_same("REQ1", "REQ2") && is_same("Name", "name"));
        assert_eq!(order("REQ10", "REQ9"), Ordering::Greater);
    }
}
