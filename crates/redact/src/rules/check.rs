//! Checksums that a token format carries inside itself: whether a text that looks right is right.
//! It knows no pattern and no text around the token.

/// A checksum of a token format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The text after the last `_` ends in six base-62 digits (`0-9A-Za-z`) of the CRC-32 of what stands
    /// between that `_` and them: GitHub's `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_` tokens and npm's `npm_`.
    Crc32Base62,
}

impl Check {
    /// Whether `token` carries the right checksum.
    pub(crate) fn holds(self, token: &[u8]) -> bool {
        match self {
            Check::Crc32Base62 => {
                let body = match memchr::memrchr(b'_', token) {
                    Some(at) => &token[at + 1..],
                    None => token,
                };
                body.len() > 6 && {
                    let (text, sum) = body.split_at(body.len() - 6);
                    base62_6(crc32(text)) == sum
                }
            }
        }
    }
}

/// The CRC-32 of IEEE 802.3, bit by bit: tokens are short.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = !0u32;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

/// Six base-62 digits, most significant first, padded with `0`.
pub(crate) fn base62_6(mut number: u32) -> [u8; 6] {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut out = [b'0'; 6];
    for place in out.iter_mut().rev() {
        *place = DIGITS[(number % 62) as usize];
        number /= 62;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc32_has_its_published_check_value() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_changed_digit_breaks_the_checksum() {
        let body = b"Zq3nV8tLw0PzRk5YcD2mXs7HbJ4fGa";
        let mut token = b"ghp_".to_vec();
        token.extend_from_slice(body);
        token.extend_from_slice(&base62_6(crc32(body)));
        assert!(Check::Crc32Base62.holds(&token));
        token[10] ^= 1;
        assert!(!Check::Crc32Base62.holds(&token));
        assert!(!Check::Crc32Base62.holds(b"ghp_"));
    }
}
