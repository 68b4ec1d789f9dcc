//! The token estimate of the contract: a quarter of the characters, rounded up. It knows no tokenizer.

/// The characters of a text: Unicode scalar values, the unit of every limit on the project server.
pub fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

/// Estimated tokens of one file with `chars` characters: one for every four, rounded up
/// (contract, "Result Contract", `max_tokens`). The sum over files is the sum of these.
pub const fn estimate_tokens(chars: u64) -> u64 {
    chars.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_a_quarter_rounded_up() {
        let cases = [(0, 0), (1, 1), (3, 1), (4, 1), (5, 2), (32, 8)];
        assert!(cases.iter().all(|&(chars, tokens)| estimate_tokens(chars) == tokens));
        assert_eq!(chars("é\u{1F600}\n"), 3);
    }
}
