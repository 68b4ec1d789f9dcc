//! Expands sample templates into look-alike secrets, the same for the same seed. It knows no rule.
//!
//! A template is text with parts in braces; `{{` is a literal brace:
//!
//! | part | becomes |
//! |---|---|
//! | `{alnum:N}` `{lower:N}` `{upper:N}` `{letter:N}` `{digit:N}` | N characters of that class |
//! | `{lowernum:N}` `{uppernum:N}` `{word:N}` (`A-Za-z0-9_`) `{dash:N}` (`A-Za-z0-9_-`) | the same |
//! | `{hex:N}` `{HEX:N}` `{base32:N}` (`A-Z2-7`) `{base64:N}` (`+/`, no padding) `{base64url:N}` | the same |
//! | `{any:CHARS:N}` | N characters out of CHARS |
//! | `{pick:a\|b\|c}` | one of the texts |
//! | `{uuid}` | a version 4 UUID |
//! | `{crc32_base62:6}` | the checksum of the part before it ([`crate::rule::Check::Crc32Base62`]) |
//! | `{b64of:text}` | base64, with padding, of the text, in which `<class:N>` parts are expanded first |
//! | `{jwt}` | three base64url parts: a header, claims and a signature |
//! | `{pem:N}` | N lines of 64 base64 characters, each with its line end |
//!
//! N may be a span such as `20-40`.

use crate::rules::check::{base62_6, crc32};

/// A small generator of numbers with a seed: the same seed gives the same samples everywhere.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x1234_5678_9ABC_DEF1))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound.max(1) as u64) as usize
    }

    /// `count` characters out of `alphabet`.
    pub fn chars(&mut self, alphabet: &str, count: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..count).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGIT: &str = "0123456789";

fn alphabet(class: &str) -> Option<String> {
    Some(match class {
        "alnum" => [DIGIT, UPPER, LOWER].concat(),
        "lower" => LOWER.to_owned(),
        "upper" => UPPER.to_owned(),
        "letter" => [UPPER, LOWER].concat(),
        "digit" => DIGIT.to_owned(),
        "lowernum" => [LOWER, DIGIT].concat(),
        "uppernum" => [UPPER, DIGIT].concat(),
        "word" => [LOWER, UPPER, DIGIT, "_"].concat(),
        "dash" | "base64url" => [LOWER, UPPER, DIGIT, "_-"].concat(),
        "hex" => "0123456789abcdef".to_owned(),
        "HEX" => "0123456789ABCDEF".to_owned(),
        "base32" => [UPPER, "234567"].concat(),
        "base64" => [LOWER, UPPER, DIGIT, "+/"].concat(),
        _ => return None,
    })
}

/// Expands a template.
///
/// # Panics
/// When the template names a part that does not exist: templates are our own data.
pub fn expand(template: &str, dice: &mut Dice) -> String {
    let mut out = String::new();
    let mut last = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            out.push('{');
            rest = after;
            continue;
        }
        let end = rest.find('}').expect("a template closes its braces");
        last = part(&rest[..end], &last, dice);
        out.push_str(&last);
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    out
}

fn part(part: &str, last: &str, dice: &mut Dice) -> String {
    let (name, argument) = part.split_once(':').unwrap_or((part, ""));
    match name {
        "uuid" => {
            let mut text = String::new();
            for (i, c) in dice.chars("0123456789abcdef", 32).chars().enumerate() {
                if matches!(i, 8 | 12 | 16 | 20) {
                    text.push('-');
                }
                text.push(if i == 12 {
                    '4'
                } else if i == 16 {
                    'a'
                } else {
                    c
                });
            }
            text
        }
        "crc32_base62" => base62_6(crc32(last.as_bytes())).iter().map(|&b| char::from(b)).collect(),
        "pick" => {
            let texts: Vec<&str> = argument.split('|').collect();
            texts[dice.below(texts.len())].to_owned()
        }
        "any" => {
            let (chars, count) = argument.rsplit_once(':').expect("`any` has characters and a count");
            let count = length(count, dice);
            dice.chars(chars, count)
        }
        "b64of" => {
            let template = argument.replace('<', "{").replace('>', "}");
            base64(expand(&template, dice).as_bytes(), true)
        }
        "jwt" => {
            let header = base64(br#"{"alg":"HS256","typ":"JWT"}"#, false);
            let name = dice.chars(LOWER, 8);
            let number = dice.chars("123456789", 9);
            let claims = format!(r#"{{"sub":"{number}","name":"{name}","iat":17{number}}}"#);
            let signature = dice.chars(&[LOWER, UPPER, DIGIT, "_-"].concat(), 43);
            format!("{header}.{}.{signature}", base64(claims.as_bytes(), false))
        }
        "pem" => {
            let lines = length(argument, dice);
            let alphabet = [LOWER, UPPER, DIGIT, "+/"].concat();
            (0..lines).map(|_| dice.chars(&alphabet, 64) + "\n").collect()
        }
        class => {
            let alphabet = alphabet(class).unwrap_or_else(|| panic!("no template part is named `{class}`"));
            let count = length(argument, dice);
            dice.chars(&alphabet, count)
        }
    }
}

fn length(text: &str, dice: &mut Dice) -> usize {
    let number = |text: &str| text.parse::<usize>().expect("a template part has a length");
    match text.split_once('-') {
        Some((low, high)) => {
            let (low, high) = (number(low), number(high));
            low + dice.below(high - low + 1)
        }
        None => number(text),
    }
}

/// Base64 of `bytes`: with padding and `+/`, or without padding and `-_`.
pub(crate) fn base64(bytes: &[u8], plain: bool) -> String {
    let digits: &[u8; 64] = if plain {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    } else {
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    };
    let mut out = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, &b| word << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            if place <= chunk.len() {
                out.push(char::from(digits[(word >> (18 - 6 * place)) as usize & 63]));
            } else if plain {
                out.push('=');
            }
        }
    }
    out
}
