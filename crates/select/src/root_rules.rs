//! Ignore files that lie at a root and nowhere else, put on top of each other. It reads no file and walks nothing: a
//! caller brings the bytes, asks about every folder on the way down, and does not enter what is hidden.

use crate::ignore::{Quota, Rules};
use crate::wild::Effort;

/// Matching steps of one call. An ordinary answer costs a few dozen; this many take about a second.
const STEPS_MAX: u64 = 1_000_000_000;

/// The ignore files are over a cap of bytes, patterns or the length of one pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ignore rules are over a cap")]
pub struct RulesOverCap;

/// The patterns are so costly that a call cannot be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ignore rules cost too much")]
pub struct RulesTooCostly;

/// What one call may still spend on matching.
#[derive(Clone, Copy, Debug)]
pub struct RootEffort(Effort);

impl Default for RootEffort {
    fn default() -> Self {
        RootEffort(Effort::new(STEPS_MAX))
    }
}

/// The compiled rules of several files, the strongest first.
#[derive(Clone, Debug, Default)]
pub struct RootRules(Vec<Rules>);

impl RootRules {
    /// Compiles `files` in the order in which they are applied: what a later one says of a path counts.
    ///
    /// # Errors
    /// [`RulesOverCap`] when a file has more than 256 KiB or 10,000 patterns, or one pattern more than 1,024 bytes.
    pub fn parse(files: &[Vec<u8>]) -> Result<RootRules, RulesOverCap> {
        let mut quota = Quota::default();
        let rules = files.iter().rev().map(|bytes| Rules::parse(bytes, false, &mut quota));
        Ok(RootRules(rules.collect::<Result<_, _>>().map_err(|_| RulesOverCap)?))
    }

    /// Whether the rules hide `path`, given that no folder above it is hidden.
    ///
    /// # Errors
    /// [`RulesTooCostly`] when `effort` is spent.
    pub fn hide(
        &self,
        path: &[u8],
        is_folder: bool,
        effort: &mut RootEffort,
    ) -> Result<bool, RulesTooCostly> {
        let verdict = self.0.iter().find_map(|rules| rules.verdict(path, is_folder, &mut effort.0));
        if effort.0.is_spent() { Err(RulesTooCostly) } else { Ok(verdict == Some(true)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(files: &[&str], path: &str) -> bool {
        let files: Vec<Vec<u8>> = files.iter().map(|text| text.as_bytes().to_vec()).collect();
        let rules = RootRules::parse(&files).unwrap();
        rules.hide(path.as_bytes(), false, &mut RootEffort::default()).unwrap()
    }

    #[test]
    fn a_later_file_counts_over_an_earlier_one() {
        assert!(hidden(&["*.log"], "a/b.log"));
        assert!(!hidden(&["*.log", "!b.log"], "a/b.log"));
        assert!(hidden(&["!b.log", "*.log"], "a/b.log"));
        assert!(hidden(&["*.log", "!other"], "a/b.log"));
        assert!(!hidden(&[], "a/b.log"));
    }

    #[test]
    fn rules_over_a_cap_are_refused() {
        let over = vec![b'a'; crate::IGNORE_PATTERN_BYTES_MAX + 1];
        assert_eq!(RootRules::parse(&[over]).unwrap_err(), RulesOverCap);
        assert!(RootRules::parse(&[vec![b'a'; crate::IGNORE_PATTERN_BYTES_MAX]]).is_ok());
    }

    #[test]
    fn patterns_that_cost_too_much_give_no_answer() {
        let pattern = "*a".repeat(100) + "[cd]";
        let rules = RootRules::parse(&[format!("{pattern}\n").repeat(300).into_bytes()]).unwrap();
        let mut effort = RootEffort(Effort::new(5_000));
        let name = "a".repeat(250) + "b";
        assert_eq!(rules.hide(name.as_bytes(), false, &mut effort), Err(RulesTooCostly));
    }
}
