//! The secret of a view: made by the operating system, compared without telling by time how much of it was right. It
//! does not know what it opens.

use std::fmt;
use std::hint::black_box;

/// 32 random bytes, written as base64url without padding.
#[derive(Clone)]
pub(crate) struct Token([u8; TEXT_BYTES]);

/// Bytes of the written form.
const TEXT_BYTES: usize = 43;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

impl Token {
    /// A new one; `None` when the system gives no random bytes.
    pub(crate) fn new() -> Option<Token> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).ok()?;
        Some(Token::written(&bytes))
    }

    fn written(bytes: &[u8; 32]) -> Token {
        let mut text = [0; TEXT_BYTES];
        for (digit, place) in text.iter_mut().enumerate() {
            // Six bits from bit 6 * digit on; the last digit is filled up with zeros.
            let (at, shift) = (digit * 6 / 8, digit * 6 % 8);
            let pair = u16::from(bytes[at]) << 8 | u16::from(bytes.get(at + 1).copied().unwrap_or(0));
            *place = DIGITS[usize::from(pair >> (10 - shift) & 0x3F)];
        }
        Token(text)
    }

    /// The written form; it belongs into the fragment of an address and nowhere else.
    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Whether `text` is this token; the time depends on the length of `text` alone.
    pub(crate) fn is(&self, text: &[u8]) -> bool {
        if text.len() != TEXT_BYTES {
            return false;
        }
        let different = self.0.iter().zip(text).fold(0, |sum, (one, other)| black_box(sum | (one ^ other)));
        black_box(different) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_written_form_is_base64url_and_holds_every_bit() {
        let mut bytes = [0; 32];
        assert_eq!(Token::written(&bytes).as_str(), "A".repeat(43));
        bytes.iter_mut().enumerate().for_each(|(at, byte)| *byte = u8::try_from(at * 7 % 256).unwrap());
        assert_eq!(Token::written(&bytes).as_str(), "AAcOFRwjKjE4P0ZNVFtiaXB3foWMk5qhqK-2vcTL0tk");
        assert_eq!(Token::written(&[0xFF; 32]).as_str(), format!("{}8", "_".repeat(42)));
    }

    #[test]
    fn a_token_is_itself_alone() {
        let token = Token::new().unwrap();
        let text = token.as_str().to_owned();
        assert!(token.is(text.as_bytes()));
        for at in 0..text.len() {
            let mut other = text.clone().into_bytes();
            other[at] ^= 1;
            assert!(!token.is(&other));
        }
        assert!(
            !token.is(&text.as_bytes()[..42]) && !token.is(b"") && !token.is(format!("{text} ").as_bytes())
        );
        assert_ne!(Token::new().unwrap().as_str(), text);
        assert_eq!(format!("{token:?}"), "Token");
    }
}
