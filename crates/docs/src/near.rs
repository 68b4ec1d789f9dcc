//! Names that look like a mistyped one. It does not know what the names belong to.

/// At most `count` of `candidates` that are a few slips away from `word`, nearest first, then by name.
pub fn near<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let most = (word.chars().count() / 3).clamp(1, 4);
    let folded = word.to_lowercase();
    let mut close: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|one| one.len().abs_diff(word.len()) <= most * 4)
        .map(|one| (slips(&folded, &one.to_lowercase()), one))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    close.sort_unstable();
    close.dedup();
    close.into_iter().take(count).map(|(_, one)| one).collect()
}

/// Inserted, missing, wrong and swapped characters between two words.
fn slips(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, one) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let changed = above[column] + usize::from(one != other);
            let mut best = changed.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *one == right[column - 1] && left[row - 1] == *other {
                best = best.min(before[column - 1] + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (left, right, count) in [
            ("", "", 0),
            ("a", "", 1),
            ("status", "statsu", 1),
            ("kitten", "sitting", 3),
            ("größe", "grösse", 2),
        ] {
            assert_eq!(slips(left, right), count, "{left} {right}");
            assert_eq!(slips(right, left), count, "{right} {left}");
        }
    }

    #[test]
    fn the_nearest_come_first_and_strangers_not_at_all() {
        let names = ["status", "state", "title", "stages", "Status", "owner"];
        assert_eq!(near("statu", names, 3), ["Status", "state", "status"]);
        assert_eq!(near("statuses", names, 3), ["Status", "status"]);
        assert!(near("priority", names, 3).is_empty());
    }
}
