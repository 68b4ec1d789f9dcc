//! How much surprise a text holds per character. It knows nothing of secrets.

/// The Shannon entropy of a text in bits per character; 0 for an empty one.
pub(crate) fn shannon(text: &str) -> f32 {
    let mut counts = [0u32; 256];
    let mut total = 0u32;
    // Characters beyond Latin-1 share slots: they are rare in values and only lower the estimate.
    for c in text.chars() {
        counts[(u32::from(c) & 0xFF) as usize] += 1;
        total += 1;
    }
    let total = total as f32;
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| {
            let share = count as f32 / total;
            -share * share.log2()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::shannon;

    #[test]
    fn equal_shares_give_the_logarithm_of_their_number() {
        assert_eq!(shannon(""), 0.0);
        assert_eq!(shannon("aaaa"), 0.0);
        assert!((shannon("abcd") - 2.0).abs() < 1e-6);
        assert!((shannon("0123456789abcdef") - 4.0).abs() < 1e-6);
    }
}
