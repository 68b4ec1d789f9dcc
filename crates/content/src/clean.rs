//! What a session remembers of the texts it has inspected: that nothing had to be masked in them. It keeps no text,
//! and it never says so of a text that differs by one byte, because it goes by what is in a file and not by what the
//! file system says of it.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use redact::Policy;
use sha2::{Digest, Sha256};

use crate::PrepareRequest;

/// Texts that are remembered at once. When there are more, all are forgotten.
const TEXTS_MAX: usize = 262_144;

/// The first half of a SHA-256.
type Key = [u8; 16];

/// The clean texts of one session. Inspecting a text costs many times more than recognising it.
#[derive(Debug, Default)]
pub struct CleanTexts {
    keys: Mutex<HashSet<Key>>,
}

impl CleanTexts {
    /// Whether this very text was clean under the same request.
    pub(crate) fn holds(&self, key: &Key) -> bool {
        self.lock().contains(key)
    }

    /// Remembers that it was.
    pub(crate) fn add(&self, key: Key) {
        let mut keys = self.lock();
        if keys.len() >= TEXTS_MAX {
            keys.clear();
        }
        keys.insert(key);
    }

    /// What names a text together with everything that detection goes by.
    pub(crate) fn key(text: &str, request: &PrepareRequest<'_>) -> Key {
        let Policy { private_data } = *request.policy;
        let mut hash = Sha256::new();
        hash.update([u8::from(private_data), request.stacks.bits()]);
        hash.update((request.path.len() as u64).to_le_bytes());
        hash.update(request.path);
        hash.update(text);
        let mut key = Key::default();
        key.copy_from_slice(&hash.finalize()[..size_of::<Key>()]);
        key
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Key>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redact::Stacks;
    use reduce::Wanted;

    fn request<'a>(path: &'a str, policy: &'a Policy, stacks: Stacks) -> PrepareRequest<'a> {
        PrepareRequest { path, stacks, policy, wanted: Wanted::none(), clean: None }
    }

    #[test]
    fn a_text_is_known_only_with_everything_that_detection_goes_by() {
        let (secrets, private) = (Policy { private_data: false }, Policy { private_data: true });
        let key = |text: &str, path: &str, policy: &Policy, bits: u8| {
            CleanTexts::key(text, &request(path, policy, Stacks::from_bits(bits)))
        };
        let keys = [
            key("text", "a", &secrets, 0),
            key("tex", "a", &secrets, 0),
            key("ext", "at", &secrets, 0),
            key("text", "b", &secrets, 0),
            key("text", "a", &private, 0),
            key("text", "a", &secrets, 1),
        ];
        let clean = CleanTexts::default();
        clean.add(keys[0]);
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(clean.holds(key), at == 0, "{at}");
        }
        assert_eq!(keys[0], key("text", "a", &secrets, 0));
    }

    #[test]
    fn memory_is_bounded() {
        let clean = CleanTexts::default();
        for number in 0..=TEXTS_MAX as u64 {
            let mut key = Key::default();
            key[..8].copy_from_slice(&number.to_le_bytes());
            clean.add(key);
        }
        assert_eq!(clean.lock().len(), 1);
    }
}
