//! The rules that a repository brings along besides the `.gitignore` files that the walk meets: `info/exclude` and
//! the ignore files above the root. It reads nothing itself and knows no nested repository.

use crate::ignore::{OverCap, Quota, Rules};
use crate::policy::RepoRules;
use crate::wild::Effort;

/// The compiled rules of one repository.
pub(crate) struct Base {
    /// From the repository's top folder down to where the walk enters it, with a `/` at the end unless empty.
    prefix: Vec<u8>,
    /// The rules of the folders above the point of entry, the nearest first; with the bytes of a path from the
    /// top that lead to the folder of the rules, the `/` behind it included.
    ancestors: Vec<(usize, Rules)>,
    exclude: Option<Rules>,
    pub(crate) ignore_case: bool,
    /// Whether git ignores the point of entry itself.
    pub(crate) ignored: bool,
}

impl Base {
    /// Compiles what was read. With [`OverCap`] the scope of the repository must be hidden.
    pub(crate) fn new(rules: &RepoRules, quota: &mut Quota) -> Result<Base, OverCap> {
        if rules.unreadable > 0 {
            return Err(OverCap);
        }
        let mut ancestors = Vec::with_capacity(rules.ancestors.len());
        for (folder, bytes) in &rules.ancestors {
            let skip = if folder.is_root() { 0 } else { folder.as_bytes().len() + 1 };
            ancestors.push((skip, Rules::parse(bytes, rules.ignore_case, quota)?));
        }
        ancestors.sort_by_key(|(skip, _)| std::cmp::Reverse(*skip));
        let exclude = match &rules.exclude {
            Some(bytes) => Some(Rules::parse(bytes, rules.ignore_case, quota)?),
            None => None,
        };
        let mut base = Base {
            prefix: rules.prefix.as_bytes().to_vec(),
            ancestors,
            exclude,
            ignore_case: rules.ignore_case,
            ignored: false,
        };
        base.ignored = base.ignores_its_entry();
        if !base.prefix.is_empty() {
            base.prefix.push(b'/');
        }
        Ok(base)
    }

    /// What these rules say of an entry, which lies at `path` below the point of entry.
    pub(crate) fn verdict(&self, path: &[u8], is_folder: bool, effort: &mut Effort) -> Option<bool> {
        if self.ancestors.is_empty() && self.exclude.is_none() {
            return None;
        }
        if self.prefix.is_empty() {
            return self.verdict_from_top(path, is_folder, effort);
        }
        self.verdict_from_top(&[&self.prefix, path].concat(), is_folder, effort)
    }

    fn verdict_from_top(&self, path: &[u8], is_folder: bool, effort: &mut Effort) -> Option<bool> {
        self.ancestors
            .iter()
            .filter(|(skip, _)| *skip < path.len())
            .find_map(|(skip, rules)| rules.verdict(&path[*skip..], is_folder, effort))
            .or_else(|| self.exclude.as_ref()?.verdict(path, is_folder, effort))
    }

    /// Nothing below an excluded folder is re-included, so one excluded folder on the way is enough.
    fn ignores_its_entry(&self) -> bool {
        let ends = self.prefix.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        let last = (!self.prefix.is_empty()).then_some(self.prefix.len());
        ends.chain(last).any(|end| {
            self.verdict_from_top(&self.prefix[..end], true, &mut Effort::new(u64::MAX)) == Some(true)
        })
    }
}

#[cfg(test)]
mod tests {
    use disk::RelPath;

    use super::*;

    fn path(text: &str) -> RelPath {
        if text.is_empty() { RelPath::root() } else { RelPath::parse(text).unwrap() }
    }

    fn base(prefix: &str, exclude: &str, ancestors: &[(&str, &str)]) -> Base {
        let rules = RepoRules {
            exclude: Some(exclude.as_bytes().to_vec()),
            prefix: path(prefix),
            ancestors: ancestors.iter().map(|(at, rules)| (path(at), rules.as_bytes().to_vec())).collect(),
            ..RepoRules::default()
        };
        Base::new(&rules, &mut Quota::default()).unwrap()
    }

    #[test]
    fn rules_above_the_root_apply_below_it_and_the_nearest_wins() {
        let base =
            base("a/b", "*.x\n/a/b/only\n", &[("", "*.log\n/a/b/anchored\n"), ("a", "!keep.log\n/b/near\n")]);
        let verdict = |path: &str| base.verdict(path.as_bytes(), false, &mut Effort::new(u64::MAX));
        assert_eq!(verdict("y.log"), Some(true));
        assert_eq!(verdict("c/keep.log"), Some(false));
        assert_eq!(verdict("anchored"), Some(true));
        assert_eq!(verdict("c/anchored"), None);
        assert_eq!(verdict("near"), Some(true));
        assert_eq!(verdict("only"), Some(true));
        assert_eq!(verdict("d.x"), Some(true));
        assert!(!base.ignored);
    }

    #[test]
    fn an_ignored_folder_on_the_way_hides_the_root_and_is_not_undone_below() {
        assert!(base("a/b", "", &[("", "/a/\n"), ("a", "!b\n")]).ignored);
        assert!(base("a/b", "", &[("a", "b/\n")]).ignored);
        assert!(base("a", "a\n", &[]).ignored);
        assert!(!base("a", "a\n", &[("", "!a\n")]).ignored);
        assert!(!base("", "*.x\n", &[]).ignored);
    }

    #[test]
    fn a_file_of_rules_that_could_not_be_read_hides_everything() {
        let rules = RepoRules { unreadable: 1, ..RepoRules::default() };
        assert!(Base::new(&rules, &mut Quota::default()).is_err());
    }
}
