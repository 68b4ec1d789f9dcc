//! Checksums that a token format carries inside itself: whether a text that looks right is right.
//! It knows no pattern and no text around the token.

/// A checksum of a token format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The text after the last `_` ends in six base-62 digits (`0-9A-Za-z`) of the CRC-32 of what stands
    /// between that `_` and them: GitHub's `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_` tokens and npm's `npm_`. A
    /// text that looks drawn at random passes with a wrong sum too: a token with one wrong character gives
    /// the others away. What only fills the place of a token stays readable.
    Crc32Base62,
    /// The first part of a JSON Web Token decodes to a JSON object that names its algorithm (`"alg"`).
    JwtHeader,
    /// The text is base64 of a text that begins as a JSON Web Token does, header and all.
    JwtBase64,
    /// The first part of a Discord token is base64 of the bot's number, 17 to 20 digits.
    DiscordToken,
}

impl Check {
    /// Whether `token` can be one of the format.
    pub(crate) fn holds(self, token: &[u8]) -> bool {
        match self {
            Check::Crc32Base62 => {
                let body = match memchr::memrchr(b'_', token) {
                    Some(at) => &token[at + 1..],
                    None => token,
                };
                has_right_sum(body) || looks_drawn(body)
            }
            Check::JwtHeader => {
                first_part(token).and_then(base64).is_some_and(|header| names_algorithm(&header))
            }
            Check::JwtBase64 => base64(token).is_some_and(|inner| Check::JwtHeader.holds(&inner)),
            Check::DiscordToken => first_part(token)
                .and_then(base64)
                .is_some_and(|id| (17..=20).contains(&id.len()) && id.iter().all(u8::is_ascii_digit)),
        }
    }
}

/// Whether the last six characters are the checksum of the others.
fn has_right_sum(body: &[u8]) -> bool {
    body.len() > 6 && {
        let (text, sum) = body.split_at(body.len() - 6);
        base62_6(crc32(text)) == sum
    }
}

/// Whether characters look drawn at random: a good part of them different, and no long run or sequence.
fn looks_drawn(body: &[u8]) -> bool {
    let distinct = body.iter().collect::<std::collections::BTreeSet<_>>().len();
    let is_steady = |step: i16| {
        body.windows(6).any(|six| six.windows(2).all(|pair| i16::from(pair[1]) - i16::from(pair[0]) == step))
    };
    distinct * 3 > body.len().min(36) && !is_steady(0) && !is_steady(1) && !is_steady(-1)
}

/// What stands before the first dot.
fn first_part(token: &[u8]) -> Option<&[u8]> {
    memchr::memchr(b'.', token).map(|at| &token[..at])
}

/// Decodes base64 of either alphabet, with or without padding; `None` when it is none. A last group of one
/// digit, which a cut text leaves, is dropped.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut word, mut bits) = (0u32, 0u32);
    for &byte in text {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        word = word << 6 | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
        }
    }
    Some(out)
}

/// Whether `header` is a JSON object with a member `"alg"` that is a string.
fn names_algorithm(header: &[u8]) -> bool {
    let Ok(header) = std::str::from_utf8(header) else { return false };
    let header = header.trim();
    let Some(members) = header.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        return false;
    };
    members
        .split_once("\"alg\"")
        .and_then(|(_, rest)| rest.trim_start().strip_prefix(':'))
        .is_some_and(|value| value.trim_start().starts_with('"'))
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
        assert!(!has_right_sum(&token[4..]));
        assert!(Check::Crc32Base62.holds(&token), "it still gives most of the token away");
        for drawn in ["ghp_xEoyfZWozdOgQVhrWOVVOlCutTeTGXygPoNN", "npm_3dgy22adlbrfhu9fmep4nlqblw5nz57jmrhv"]
        {
            assert!(Check::Crc32Base62.holds(drawn.as_bytes()), "{drawn}");
        }
        assert!(!Check::Crc32Base62.holds(b"ghp_aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3"));
        assert!(!Check::Crc32Base62.holds(b"ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123"));
        assert!(!Check::Crc32Base62.holds(b"ghp_"));
    }

    #[test]
    fn a_jwt_needs_a_header_that_names_its_algorithm() {
        let token = |header: &str| format!("{}.e30.c2ln", crate::sample::base64(header.as_bytes(), false));
        assert!(Check::JwtHeader.holds(token(r#"{"alg":"none"}"#).as_bytes()));
        assert!(Check::JwtHeader.holds(token(r#"{ "typ": "JWT", "alg" : "RS256" }"#).as_bytes()));
        for header in [r#"{"typ":"JWT"}"#, r#"{"alg":256}"#, r#""alg":"none""#, "alg", ""] {
            assert!(!Check::JwtHeader.holds(token(header).as_bytes()), "{header}");
        }
        assert!(!Check::JwtHeader.holds(b"no dot at all"));
        assert!(!Check::JwtHeader.holds(b"?.e30.c2ln"));
    }

    #[test]
    fn a_jwt_in_base64_is_looked_into() {
        let token = format!("{}.e30.c2ln", crate::sample::base64(br#"{"alg":"HS256"}"#, false));
        assert!(Check::JwtBase64.holds(crate::sample::base64(token.as_bytes(), true).as_bytes()));
        assert!(!Check::JwtBase64.holds(token.as_bytes()));
    }

    #[test]
    fn a_discord_token_begins_with_a_number_of_17_to_20_digits() {
        for (digits, right) in [(16, false), (17, true), (20, true), (21, false)] {
            let id = crate::sample::base64("7".repeat(digits).as_bytes(), false);
            assert_eq!(Check::DiscordToken.holds(format!("{id}.a.b").as_bytes()), right, "{digits}");
        }
        let id = crate::sample::base64(b"12345678901234567x", false);
        assert!(!Check::DiscordToken.holds(format!("{id}.a.b").as_bytes()));
    }
}
