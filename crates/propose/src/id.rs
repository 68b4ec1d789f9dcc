//! The id of a changeset: `cs-` and a ULID in lower case (spec C10.2). It counts nothing, so two processes never have
//! to agree.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// Crockford's digits in lower case.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 26;

/// The id of a changeset.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChangesetId(String);

impl ChangesetId {
    /// A new id: 48 bits of milliseconds since 1970, 80 bits from the operating system.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn new(now: SystemTime) -> Result<ChangesetId, getrandom::Error> {
        let milliseconds = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let mut random = [0; 16];
        getrandom::fill(&mut random[6..])?;
        let value = (milliseconds << 80) | u128::from_be_bytes(random);
        let digit = |place: usize| {
            let shift = 5 * (LENGTH - 1 - place);
            char::from(DIGITS[usize::try_from((value >> shift) & 31).unwrap_or(0)])
        };
        Ok(ChangesetId(format!("cs-{}", (0..LENGTH).map(digit).collect::<String>())))
    }

    /// Reads an id; `None` for anything else, so that an id is always one name of a folder.
    pub fn parse(text: &str) -> Option<ChangesetId> {
        let digits = text.strip_prefix("cs-")?.as_bytes();
        // 26 digits of 5 bits hold 130; the first one has only 3 of them.
        let is_id =
            digits.len() == LENGTH && digits[0] <= b'7' && digits.iter().all(|digit| DIGITS.contains(digit));
        is_id.then(|| ChangesetId(text.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ChangesetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn ids_sort_by_time_and_read_back() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        let early = ChangesetId::new(at(1_000_000_000)).expect("random bytes");
        let late = ChangesetId::new(at(1_000_000_001)).expect("random bytes");
        assert!(early < late);
        assert_eq!(early.as_str().len(), 29);
        assert_eq!(ChangesetId::parse(early.as_str()), Some(early));
        let zero = ChangesetId::new(UNIX_EPOCH - Duration::from_secs(1)).expect("random bytes");
        assert!(zero.as_str().starts_with("cs-0000000000"), "{zero}");
    }

    #[test]
    fn nothing_else_is_an_id() {
        let good = "cs-01arz3ndektsv4rrffq69g5fav";
        assert!(ChangesetId::parse(good).is_some());
        for bad in [
            "",
            "cs-",
            "../01arz3ndektsv4rrffq69g5fa",
            "cs-01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "cs-01arz3ndektsv4rrffq69g5fa",
            "cs-01arz3ndektsv4rrffq69g5favv",
            "cs-81arz3ndektsv4rrffq69g5fav",
            "cs-01arz3ndektsv4rrffq69g5fal",
            "cs-01arz3ndektsv4rrffq69g5fa/",
        ] {
            assert!(ChangesetId::parse(bad).is_none(), "{bad}");
        }
    }
}
