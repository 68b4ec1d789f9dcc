//! Where a list goes on: a text that says for which call and for which state of the project, and that nobody but this
//! process can make. It knows no list.

use ::docs::Hash;
use fault::DocsCode;
use serde_json::{Map, Value};

use super::fault::DocFault;

/// Bytes of the check at the end of a cursor.
const CHECK_BYTES: usize = 16;
/// Characters of a cursor that is looked at.
const CURSOR_CHARS_MAX: usize = 1_024;

/// Makes and reads the cursors of one process.
pub(super) struct CursorKeys {
    inner: [u8; 32],
    outer: [u8; 32],
}

/// What a cursor belongs to: the tool, its arguments without the cursor, and the state that the list was taken of.
pub(super) struct Belonging<'a> {
    pub(super) tool: &'a str,
    pub(super) arguments: &'a Map<String, Value>,
    pub(super) state: &'a str,
}

impl CursorKeys {
    /// Two keys from the operating system.
    ///
    /// # Errors
    /// When it gives no random bytes.
    pub(super) fn new() -> Result<CursorKeys, getrandom::Error> {
        let mut keys = CursorKeys { inner: [0; 32], outer: [0; 32] };
        getrandom::fill(&mut keys.inner)?;
        getrandom::fill(&mut keys.outer)?;
        Ok(keys)
    }

    /// A cursor that stands at `position`.
    pub(super) fn make(&self, belonging: &Belonging<'_>, position: &str) -> String {
        let text = Value::from(vec![
            belonging.tool.to_owned(),
            arguments_hash(belonging.arguments),
            belonging.state.to_owned(),
            position.to_owned(),
        ])
        .to_string();
        let mut bytes = text.into_bytes();
        let check = self.check(&bytes);
        bytes.extend(check);
        data_encoding::BASE64URL_NOPAD.encode(&bytes)
    }

    /// The position in `cursor`.
    ///
    /// # Errors
    /// `cursor_invalid` for anything that [`CursorKeys::make`] did not give for this tool and these arguments,
    /// `cursor_stale` when the state is another one.
    pub(super) fn read(&self, belonging: &Belonging<'_>, cursor: &str) -> Result<String, DocFault> {
        let parts = self.open(cursor).ok_or_else(|| DocFault::of(DocsCode::CursorInvalid))?;
        let [tool, arguments, state, position] = parts;
        if tool != belonging.tool || arguments != arguments_hash(belonging.arguments) {
            return Err(DocFault::of(DocsCode::CursorInvalid));
        }
        if state != belonging.state {
            return Err(DocFault::of(DocsCode::CursorStale));
        }
        Ok(position)
    }

    fn open(&self, cursor: &str) -> Option<[String; 4]> {
        if cursor.len() > CURSOR_CHARS_MAX {
            return None;
        }
        let bytes = data_encoding::BASE64URL_NOPAD.decode(cursor.as_bytes()).ok()?;
        let (text, check) = bytes.split_at_checked(bytes.len().checked_sub(CHECK_BYTES)?)?;
        let wanted = self.check(text);
        // Every byte is compared, so that the time tells nothing about how many were right.
        let differs = wanted.iter().zip(check).fold(0, |seen, (one, other)| seen | (one ^ other));
        if differs != 0 {
            return None;
        }
        serde_json::from_slice(text).ok()
    }

    /// A keyed hash, nested so that nobody can go on from a check that was seen.
    fn check(&self, bytes: &[u8]) -> [u8; CHECK_BYTES] {
        let inner = Hash::of(&[&self.inner, bytes]);
        let outer = Hash::of(&[&self.outer, inner.as_bytes()]);
        let mut check = [0; CHECK_BYTES];
        check.copy_from_slice(&outer.as_bytes()[..CHECK_BYTES]);
        check
    }
}

/// The hash of what was asked, the cursor itself and absent arguments left out.
fn arguments_hash(arguments: &Map<String, Value>) -> String {
    let asked = arguments
        .iter()
        .filter(|(name, value)| *name != "cursor" && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()));
    let text = ::docs::canon::canonical(&Value::Object(asked.collect()));
    Hash::of(&[text.as_bytes()]).hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(value: Value) -> Map<String, Value> {
        value.as_object().cloned().expect("an object")
    }

    #[test]
    fn a_cursor_holds_for_its_own_call_and_state_alone() {
        let keys = CursorKeys::new().expect("random bytes");
        let asked = arguments(json!({"query": "a", "limit": 5}));
        let own = Belonging { tool: "t", arguments: &asked, state: "s1" };
        let cursor = keys.make(&own, "17");
        let next = arguments(json!({"limit": 5, "query": "a", "types": null, "cursor": cursor}));
        let again = Belonging { arguments: &next, ..own };
        assert_eq!(keys.read(&again, &cursor).expect("its own"), "17");
        let code = |belonging: &Belonging<'_>, cursor: &str| {
            keys.read(belonging, cursor).expect_err("not its own").code
        };
        let other = arguments(json!({"query": "b", "limit": 5}));
        assert_eq!(code(&Belonging { tool: "u", ..again }, &cursor), DocsCode::CursorInvalid);
        assert_eq!(code(&Belonging { arguments: &other, ..own }, &cursor), DocsCode::CursorInvalid);
        assert_eq!(code(&Belonging { state: "s2", ..own }, &cursor), DocsCode::CursorStale);
        let elsewhere = CursorKeys::new().expect("random bytes");
        assert_eq!(elsewhere.read(&own, &cursor).expect_err("another process").code, DocsCode::CursorInvalid);
    }

    #[test]
    fn no_letter_of_a_cursor_can_be_changed() {
        let keys = CursorKeys::new().expect("random bytes");
        let asked = Map::new();
        let own = Belonging { tool: "t", arguments: &asked, state: "s1" };
        let cursor = keys.make(&own, "3");
        for at in 0..cursor.len() {
            let mut forged = cursor.clone().into_bytes();
            forged[at] = if forged[at] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(forged).expect("ASCII");
            assert!(keys.read(&own, &forged).is_err(), "{at}");
        }
        for text in ["", "A", "====", "é", &"A".repeat(5_000)] {
            assert!(keys.read(&own, text).is_err(), "{text}");
        }
    }
}
