//! How unlikely letters are as words of code and prose. The table is counted from the words of public source trees and
//! documentation: for each letter, and for the start of a word, what it costs in eighths of a bit that a letter follows.

/// Rows: start of a word, then `a` to `z`; columns: `a` to `z`.
const FOLLOWS: [[u8; 26]; 27] = [
    [32, 38, 29, 32, 36, 36, 42, 42, 34, 56, 48, 39, 34, 38, 43, 30, 56, 32, 26, 34, 40, 44, 45, 56, 66, 63],
    [58, 36, 30, 34, 64, 56, 40, 68, 40, 83, 52, 25, 34, 26, 74, 36, 77, 25, 31, 20, 44, 50, 58, 55, 48, 64],
    [26, 43, 40, 46, 26, 52, 56, 64, 25, 50, 58, 20, 48, 56, 28, 45, 66, 33, 32, 48, 29, 60, 72, 72, 44, 70],
    [26, 58, 42, 52, 27, 54, 52, 26, 36, 98, 30, 34, 49, 56, 20, 45, 71, 36, 40, 26, 40, 58, 69, 72, 54, 96],
    [29, 44, 48, 36, 14, 48, 51, 60, 20, 62, 70, 41, 44, 52, 32, 47, 66, 34, 33, 47, 37, 51, 60, 64, 52, 84],
    [36, 53, 32, 26, 44, 44, 46, 66, 52, 78, 65, 34, 38, 26, 55, 42, 54, 20, 24, 30, 58, 44, 52, 38, 52, 73],
    [30, 51, 44, 40, 30, 26, 54, 66, 19, 86, 68, 30, 48, 50, 26, 48, 64, 32, 32, 40, 35, 80, 62, 66, 46, 88],
    [32, 53, 47, 52, 16, 50, 41, 36, 28, 80, 64, 38, 46, 34, 37, 42, 70, 24, 30, 48, 36, 60, 62, 68, 60, 71],
    [20, 57, 51, 44, 17, 58, 60, 64, 23, 72, 56, 48, 44, 52, 23, 50, 75, 36, 44, 38, 38, 63, 50, 88, 43, 69],
    [40, 45, 31, 36, 40, 40, 38, 78, 69, 76, 64, 34, 35, 16, 26, 42, 76, 40, 30, 28, 65, 41, 82, 53, 86, 42],
    [22, 50, 52, 54, 20, 53, 56, 62, 32, 67, 43, 47, 45, 52, 20, 48, 67, 77, 28, 44, 24, 64, 54, 66, 55, 110],
    [34, 44, 42, 38, 14, 46, 40, 58, 24, 72, 69, 39, 44, 44, 42, 42, 62, 42, 24, 38, 42, 55, 48, 92, 52, 68],
    [25, 59, 50, 40, 18, 52, 62, 71, 21, 88, 49, 27, 56, 56, 24, 51, 85, 59, 37, 35, 40, 52, 72, 76, 33, 81],
    [20, 40, 47, 47, 18, 58, 60, 70, 25, 90, 60, 48, 38, 56, 28, 26, 67, 55, 34, 48, 36, 66, 68, 70, 49, 81],
    [30, 60, 32, 29, 26, 39, 23, 60, 34, 68, 48, 50, 58, 46, 32, 52, 70, 54, 28, 22, 45, 47, 69, 70, 60, 70],
    [48, 46, 30, 36, 56, 46, 44, 68, 48, 70, 52, 32, 32, 18, 39, 34, 92, 24, 34, 35, 32, 44, 40, 57, 66, 76],
    [24, 58, 45, 49, 24, 52, 51, 41, 31, 96, 53, 30, 49, 60, 26, 34, 69, 22, 36, 32, 38, 64, 58, 70, 44, 86],
    [43, 48, 39, 37, 41, 48, 56, 55, 45, 72, 78, 29, 48, 44, 52, 48, 58, 40, 32, 50, 8, 63, 56, 73, 58, 64],
    [24, 56, 41, 41, 16, 53, 44, 74, 25, 84, 49, 50, 38, 45, 26, 48, 60, 40, 32, 34, 43, 50, 64, 73, 44, 84],
    [36, 58, 34, 51, 21, 56, 52, 36, 26, 80, 46, 46, 46, 52, 35, 34, 56, 50, 31, 19, 32, 62, 53, 71, 41, 67],
    [26, 60, 41, 54, 19, 50, 64, 34, 20, 87, 66, 44, 50, 57, 30, 46, 78, 27, 32, 39, 42, 62, 61, 58, 40, 70],
    [38, 32, 38, 44, 34, 44, 44, 73, 38, 89, 72, 28, 32, 20, 52, 32, 94, 28, 26, 26, 67, 69, 78, 55, 76, 66],
    [22, 52, 45, 45, 11, 48, 52, 60, 22, 120, 72, 47, 40, 53, 34, 45, 80, 47, 40, 48, 60, 58, 76, 72, 66, 78],
    [19, 50, 44, 42, 25, 48, 64, 36, 23, 90, 55, 40, 45, 30, 28, 48, 63, 31, 32, 44, 54, 65, 52, 60, 74, 82],
    [32, 48, 30, 41, 26, 38, 54, 49, 27, 71, 68, 44, 42, 50, 44, 22, 57, 44, 40, 21, 53, 54, 59, 37, 40, 72],
    [37, 43, 35, 44, 34, 48, 48, 60, 36, 68, 72, 36, 28, 28, 43, 20, 76, 48, 22, 31, 50, 48, 48, 66, 60, 50],
    [24, 67, 58, 59, 9, 53, 62, 55, 24, 73, 66, 54, 46, 56, 32, 55, 66, 56, 48, 58, 50, 66, 64, 62, 40, 38],
];

/// The cost in bits that `letter` follows `before` (`None`: begins a word). Both are lower-case ASCII letters.
pub(crate) fn letter_bits(before: Option<u8>, letter: u8) -> f32 {
    let row = before.map_or(0, |b| usize::from(b - b'a') + 1);
    f32::from(FOLLOWS[row][usize::from(letter - b'a')]) / 8.0
}

/// Roughly how many bits of surprise four bytes hold somewhere in source code, whatever their case.
pub(crate) fn four_bits(bytes: [u8; 4]) -> f32 {
    let alone = |byte: u8| match byte {
        b' ' | b'e' | b't' => 3.5,
        b'a' | b'i' | b'n' | b'o' | b'r' | b's' => 4.2,
        b'a'..=b'z' => 5.5,
        b'_' | b'.' | b'/' | b'-' | b'=' | b'"' | b',' | b'(' | b')' => 5.5,
        b'0'..=b'9' => 6.5,
        _ => 8.0,
    };
    let follows = |before: u8, byte: u8| match (before, byte) {
        (b'a'..=b'z', b'a'..=b'z') => letter_bits(Some(before), byte),
        (_, b'a'..=b'z') => letter_bits(None, byte) + 0.5,
        (a, b) if a == b => 1.5,
        (b'0'..=b'9', b'0'..=b'9') => 3.0,
        (_, b) => alone(b),
    };
    let bytes = bytes.map(|b| b.to_ascii_lowercase());
    alone(bytes[0]) + bytes.windows(2).map(|pair| follows(pair[0], pair[1])).sum::<f32>()
}

/// The surprise of a value per character, in bits, as if it were words of code: about 3.7 for identifiers, 4.4 for hexadecimal
/// digits, 5 and more for random letters and digits.
pub(crate) fn mean_bits(value: &[u8]) -> f32 {
    let mut bits = 0.0;
    let mut before = b' ';
    // How many upper-case letters end here.
    let mut capitals = 0;
    for &byte in value {
        let letter = byte.to_ascii_lowercase();
        bits += match byte {
            b'a'..=b'z' | b'A'..=b'Z' if before.is_ascii_alphabetic() => {
                let follows = letter_bits(Some(before.to_ascii_lowercase()), letter);
                match (before.is_ascii_uppercase(), byte.is_ascii_uppercase()) {
                    (false, true) => 1.0 + letter_bits(None, letter),
                    (true, false) if capitals > 1 => 1.5 + follows,
                    _ => follows,
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                letter_bits(None, letter) + if before.is_ascii_digit() { 2.0 } else { 0.3 }
            }
            b'0'..=b'9' => {
                if before.is_ascii_alphabetic() {
                    4.0
                } else {
                    3.3
                }
            }
            b'-' | b'_' | b'.' | b'/' | b':' | b' ' | b',' => 1.5,
            _ => 5.0,
        };
        capitals = if byte.is_ascii_uppercase() { capitals + 1 } else { 0 };
        before = byte;
    }
    bits / value.len().max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Dice, expand};

    #[test]
    fn identifiers_cost_less_than_random_text() {
        for word in [
            "get_user_token",
            "HttpResponseHeader",
            "AWS_SECRET_ACCESS_KEY",
            "continuation-token",
            "uddiv3ServiceKey",
            "RSA_4096",
            "utf8mb4_general_ci",
        ] {
            assert!(mean_bits(word.as_bytes()) < 4.5, "{word} {}", mean_bits(word.as_bytes()));
        }
        let mut dice = Dice::new(11);
        for template in ["{alnum:20}", "{lowernum:20}", "{uppernum:24}", "{base64:32}", "{letter:24}"] {
            let low = (0..200).filter(|_| mean_bits(expand(template, &mut dice).as_bytes()) < 4.5).count();
            assert!(low <= 3, "{template}: {low} of 200");
        }
    }

    #[test]
    fn token_prefixes_are_rarer_than_words() {
        assert!(four_bits(*b"ghp_") > four_bits(*b"then") + 3.0);
        assert!(four_bits(*b"AKIA") > four_bits(*b"conf"));
    }
}
