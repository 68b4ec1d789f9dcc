//! Whether a value beside a telling name is a secret: by its shape, and by how unlikely it is as words. It sees neither file nor
//! name, only what the name means.

mod known;

use known::{is_address, is_computed, is_example, is_identity, is_ladder, is_stock, looks_like_address};

use super::name::Meaning;
use crate::rarity::mean_bits;
use crate::template::is_template;

/// How the value is carried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier {
    /// In a file of tests: keys in hexadecimal digits are test vectors there.
    pub(crate) test: bool,
    /// Given to the name itself, not compared with it or passed along with it.
    pub(crate) certain: bool,
    /// A string literal, not a bare word.
    pub(crate) quoted: bool,
    /// An argument of what bears the name: `set_password("…")`.
    pub(crate) argument: bool,
}

/// What kinds of characters a value holds.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds {
    digits: usize,
    lower: usize,
    upper: usize,
    /// `-`, `_`, `.`: what joins words.
    joints: usize,
    /// All other punctuation.
    signs: usize,
}

impl Kinds {
    fn of(value: &[u8]) -> Kinds {
        let mut kinds = Kinds::default();
        for byte in value {
            match byte {
                b'0'..=b'9' => kinds.digits += 1,
                b'a'..=b'z' => kinds.lower += 1,
                b'A'..=b'Z' => kinds.upper += 1,
                b'-' | b'_' | b'.' => kinds.joints += 1,
                _ => kinds.signs += 1,
            }
        }
        kinds
    }

    fn letters(self) -> usize {
        self.lower + self.upper
    }
}

/// Whether the value is a secret.
pub(crate) fn is_secret(value: &str, meaning: Meaning, carrier: Carrier) -> bool {
    let bytes = value.as_bytes();
    if bytes.len() < 5 || bytes.len() > 400 || !bytes.iter().all(|b| (b'!'..=b'~').contains(b)) {
        return false;
    }
    if is_template(value)
        || is_computed(value)
        || is_address(value)
        || is_example(value)
        || is_identity(value)
        || is_ladder(bytes)
    {
        return false;
    }
    let kinds = Kinds::of(bytes);
    match meaning {
        Meaning::Password => is_password(bytes, kinds, carrier),
        Meaning::Secret => {
            is_random(bytes, kinds, 16, 4.55, carrier)
                || (bytes.len() >= 8 && is_strong_password(bytes, kinds))
                || (carrier.certain && is_unspeakable(bytes, kinds, 8, 5.2))
        }
        Meaning::Token => {
            is_random(bytes, kinds, 12, 4.55, carrier)
                || (carrier.certain && (is_drawn(bytes, kinds) || is_unspeakable(bytes, kinds, 8, 5.6)))
        }
        Meaning::Weak => is_random(bytes, kinds, 20, 4.8, carrier),
        Meaning::Plain => {
            carrier.certain
                && kinds.digits > 0
                && !is_hexadecimal(bytes)
                && is_random(bytes, kinds, 20, 5.0, carrier)
        }
    }
}

fn is_password(bytes: &[u8], kinds: Kinds, carrier: Carrier) -> bool {
    if kinds.letters() == 0 {
        // Numbers alone: a PIN or a date, unless it is a ladder, which has been ruled out.
        let fewest = if carrier.quoted { 5 } else { 6 };
        return carrier.certain && (fewest..=12).contains(&kinds.digits) && kinds.digits == bytes.len();
    }
    if is_strong_password(bytes, kinds) || is_random(bytes, kinds, 8, 4.7, carrier) || is_respelled(bytes) {
        return true;
    }
    if carrier.certain && is_unspeakable(bytes, kinds, 5, 5.0) {
        return true;
    }
    if carrier.certain && !carrier.quoted {
        // A setting whose value is many words run together: `hardtoguesspassword`, with a sign among them or none.
        let inner = bytes.get(1..bytes.len() - 1).unwrap_or_default();
        let signs = inner.iter().filter(|b| b"!@#$%^&*".contains(b)).count();
        if kinds.lower + signs == bytes.len() && bytes.len() >= 14 && !looks_like_address(bytes) {
            return true;
        }
    }
    if !(carrier.certain || carrier.argument) || bytes.len() < 6 || kinds.digits == 0 {
        return false;
    }
    // Words with digits: `hunter2`, `admin123`, `summer_2019`; not `sha256`, `password1`, `utf8`.
    let stem: String = bytes
        .iter()
        .filter(|b| b.is_ascii_alphabetic())
        .map(|b| char::from(b.to_ascii_lowercase()))
        .collect();
    // `secret123` is a password that people choose; `password1` is also the name of a field.
    let chosen = kinds.digits >= 3 && matches!(stem.as_str(), "password" | "passwd" | "secret" | "test");
    (chosen || !is_stock(&stem))
        && kinds.joints * 4 <= bytes.len()
        && bytes.len() <= 40
        && !has_camel_words(bytes)
}

/// Small letters that no language puts together: `lcvedvmvoxzd`.
fn is_unspeakable(bytes: &[u8], kinds: Kinds, min_bytes: usize, min_bits: f32) -> bool {
    bytes.len() >= min_bytes
        && bytes.len() <= 40
        && kinds.lower == bytes.len()
        && mean_bits(bytes) >= min_bits
}

/// A word for a password with digits or signs in place of letters: `Passw0rd`, `s3cret`, `@dmin`.
fn is_respelled(bytes: &[u8]) -> bool {
    let plain: String = bytes
        .iter()
        .map(|byte| match byte {
            b'0' => 'o',
            b'1' | b'!' => 'i',
            b'3' => 'e',
            b'4' | b'@' => 'a',
            b'5' | b'$' => 's',
            b'7' => 't',
            other => char::from(other.to_ascii_lowercase()),
        })
        .collect();
    let is_plain = bytes.iter().all(u8::is_ascii_alphabetic);
    !is_plain
        && matches!(
            plain.as_str(),
            "password" | "passwort" | "passwd" | "secret" | "admin" | "letmein" | "welcome"
        )
}

/// Letters with a digit and a sign, or with digits in place of letters: nothing that code would hold.
fn is_strong_password(bytes: &[u8], kinds: Kinds) -> bool {
    if bytes.len() < 6 || bytes.len() > 64 || kinds.letters() < 2 {
        return false;
    }
    let signs = bytes.iter().filter(|b| b"!@#$%^&*?~+".contains(b)).count();
    let other = kinds.signs - signs;
    if other > 2 + bytes.len() / 6 || bytes.iter().any(|b| b"()<>{}".contains(b)) && kinds.digits < 2 {
        return false;
    }
    let cases = usize::from(kinds.lower > 0) + usize::from(kinds.upper > 0) + usize::from(kinds.digits > 0);
    if kinds.signs > 0 && cases >= 2 && kinds.digits > 0 {
        // `a.b@c1.d` is an address, `x/y1` a path, `k=v1` a pair.
        return signs > 0
            && !looks_like_address(bytes)
            && !matches!(bytes[0], b'@' | b'#' | b'*' | b'&' | b'%' | b'+')
            || mean_bits(bytes) > 4.9;
    }
    if signs > 0 && kinds.upper > 0 && kinds.lower > 0 && !looks_like_address(bytes) {
        return mean_bits(bytes) > 3.5;
    }
    // `s3cr3t`, `p4ssw0rd`, `sup3r_s3cr3t`
    let inner = bytes
        .windows(3)
        .filter(|w| w[1].is_ascii_digit() && w[0].is_ascii_alphabetic() && w[2].is_ascii_alphabetic())
        .count();
    inner >= 2 && kinds.signs == 0 && mean_bits(bytes) > 4.0 && bytes.len() <= 24
}

/// Whether the value is too unlikely as words, given how much of it there is.
fn is_random(bytes: &[u8], kinds: Kinds, min_bytes: usize, min_bits: f32, carrier: Carrier) -> bool {
    if bytes.len() < min_bytes || kinds.letters() + kinds.digits < bytes.len() * 3 / 4 || distinct(bytes) < 7
    {
        return false;
    }
    if is_hexadecimal(bytes) {
        return bytes.len() >= 16.max(min_bytes)
            && kinds.digits > 0
            && kinds.letters() > 0
            && distinct(bytes) >= 8
            && !carrier.test;
    }
    if kinds.letters() == 0 {
        return false;
    }
    // Joined words are judged by their longest piece as well: one random piece is enough, many short ones are not.
    let longest = bytes
        .split(|b| matches!(b, b'.' | b'-' | b'_' | b':' | b'/'))
        .max_by_key(|piece| piece.len())
        .unwrap_or(bytes);
    if longest.len() < 8 && !is_grouped(bytes) {
        return false;
    }
    let needed = match bytes.len() {
        0..=11 => min_bits + 0.35,
        12..=15 => min_bits + 0.15,
        _ => min_bits,
    } + if kinds.digits == 0 { 0.3 } else { 0.0 }
        + if carrier.quoted { 0.0 } else { 0.15 };
    if longest.len() >= 20
        && kinds.digits > 0
        && kinds.upper > 0
        && kinds.lower > 0
        && runs(longest) * 100 >= longest.len() * 45
    {
        return true;
    }
    mean_bits(bytes) >= needed || (longest.len() >= 20 && mean_bits(longest) >= needed)
}

/// `29AV1-3OFV9-VVIUB-NKT0I`: groups of one length with digits in them.
fn is_grouped(bytes: &[u8]) -> bool {
    let groups: Vec<&[u8]> = bytes.split(|&b| b == b'-').collect();
    groups.len() >= 3
        && groups[0].len() >= 4
        && groups.iter().all(|group| group.len() == groups[0].len())
        && bytes.iter().filter(|b| b.is_ascii_digit()).count() >= 3
}

/// Small letters and digits whose letters are no words: `579383ujpav17468`.
fn is_drawn(bytes: &[u8], kinds: Kinds) -> bool {
    let letters: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii_lowercase).collect();
    bytes.len() >= 14
        && kinds.digits >= 4
        && letters.len() >= 4
        && letters.len() + kinds.digits == bytes.len()
        && !is_hexadecimal(bytes)
        && mean_bits(&letters) >= 4.6
}

/// How many runs of one kind of character follow each other: identifiers have few, random text many.
fn runs(bytes: &[u8]) -> usize {
    let kind = |byte: u8| (byte.is_ascii_lowercase(), byte.is_ascii_uppercase(), byte.is_ascii_digit());
    1 + bytes.windows(2).filter(|two| kind(two[0]) != kind(two[1])).count()
}

fn distinct(bytes: &[u8]) -> u32 {
    let mut seen = 0u128;
    for &byte in bytes {
        seen |= 1 << (byte & 127);
    }
    seen.count_ones()
}

fn is_hexadecimal(bytes: &[u8]) -> bool {
    let body = bytes.strip_prefix(b"0x").unwrap_or(bytes);
    body.iter().all(u8::is_ascii_hexdigit)
        && !(body.iter().any(u8::is_ascii_lowercase) && body.iter().any(u8::is_ascii_uppercase))
}

/// `uddiv3ServiceKey`: lower-case letters that run into a capital more than once, as identifiers do.
fn has_camel_words(bytes: &[u8]) -> bool {
    let humps = bytes
        .windows(3)
        .filter(|w| {
            (w[0].is_ascii_lowercase() || w[0].is_ascii_digit())
                && w[1].is_ascii_uppercase()
                && w[2].is_ascii_lowercase()
        })
        .count();
    humps >= 1 && mean_bits(bytes) < 4.3
}

/// Whether base64 text decodes to `user:password`.
pub(crate) fn is_basic_login(value: &str) -> bool {
    let body = value.trim_end_matches('=');
    if body.len() < 8 {
        return false;
    }
    let mut out = Vec::with_capacity(body.len());
    let (mut word, mut bits) = (0u32, 0);
    for byte in body.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return false,
        };
        word = word << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
        }
    }
    let Some(colon) = memchr::memchr(b':', &out) else { return false };
    let password = &out[colon + 1..];
    out.iter().all(|b| (b' '..=b'~').contains(b))
        && password.len() >= 3
        && !matches!(password, b"password" | b"pass" | b"secret" | b"passwd" | b"test")
}
