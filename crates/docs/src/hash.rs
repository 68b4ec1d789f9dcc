//! SHA-256 as the docs server names it. It does not know what is hashed.

use std::fmt;

use sha2::{Digest, Sha256};

/// A SHA-256 digest; its text form is `sha256:` and 64 lower-case hexadecimal digits (spec C4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The digest of all `parts`, simply joined.
    pub fn of(parts: &[&[u8]]) -> Hash {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Hash(hasher.finalize().into())
    }

    /// The digest as it came out of a hasher that was fed piece by piece.
    pub fn from_bytes(bytes: [u8; 32]) -> Hash {
        Hash(bytes)
    }

    /// Reads the text form back; `None` for anything else.
    pub fn parse(text: &str) -> Option<Hash> {
        let digits = text.strip_prefix("sha256:")?;
        if digits.len() != 64 || !digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Hash(bytes))
    }

    /// The 64 digits alone.
    pub fn hex(&self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let pairs = self.0.iter().flat_map(|byte| [byte >> 4, byte & 0xF]);
        pairs.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
    }

    /// The raw digest.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_is_that_of_coreutils_and_reads_back() {
        let hash = Hash::of(&[b"a", b"bc"]);
        assert_eq!(
            hash.to_string(),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(Hash::parse(&hash.to_string()), Some(hash));
        assert_eq!(Hash::parse(&hash.hex()), None);
        assert_eq!(Hash::parse(&hash.to_string().to_uppercase()), None);
    }
}
