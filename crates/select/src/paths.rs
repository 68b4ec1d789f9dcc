//! Sets of paths that answer whether something lies below a folder. They know no file system.

use std::ops::Range;

use disk::RelPath;

/// A sorted set of paths, such as the files of a Git index or of a scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathSet(Vec<RelPath>);

impl PathSet {
    /// How many paths the set holds.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The paths in ordinal order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &RelPath> {
        self.0.iter()
    }

    /// Whether exactly this path is in the set.
    pub fn contains(&self, path: &RelPath) -> bool {
        self.0.binary_search(path).is_ok()
    }

    /// Whether any path of the set lies strictly below `dir`.
    pub fn has_below(&self, dir: &RelPath) -> bool {
        !self.range_below(dir).is_empty()
    }

    /// The paths strictly below `dir`, in ordinal order.
    pub fn below(&self, dir: &RelPath) -> &[RelPath] {
        &self.0[self.range_below(dir)]
    }

    /// Whether `path` or a folder above it is in the set; the root in the set covers everything.
    pub fn covers(&self, path: &RelPath) -> bool {
        self.covering(path).next().is_some()
    }

    /// The positions of those paths of the set that are `path` or a folder above it.
    pub(crate) fn covering(&self, path: &RelPath) -> impl Iterator<Item = usize> {
        let bytes = path.as_bytes();
        let ends = memchr::memchr_iter(b'/', bytes).chain([0, bytes.len()]);
        let ends = ends.take(if self.0.is_empty() { 0 } else { usize::MAX });
        ends.filter_map(|end| self.0.binary_search_by(|other| other.as_bytes().cmp(&bytes[..end])).ok())
    }

    fn range_below(&self, dir: &RelPath) -> Range<usize> {
        if dir.is_root() {
            return self.0.partition_point(RelPath::is_root)..self.0.len();
        }
        let below = || dir.as_bytes().iter().chain(b"/");
        let start = self.0.partition_point(|path| path.as_bytes().iter().lt(below()));
        let count = self.0[start..].partition_point(|path| {
            path.as_bytes().strip_prefix(dir.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'/'))
        });
        start..start + count
    }
}

impl FromIterator<RelPath> for PathSet {
    fn from_iter<I: IntoIterator<Item = RelPath>>(paths: I) -> Self {
        let mut paths: Vec<RelPath> = paths.into_iter().collect();
        paths.sort_unstable();
        paths.dedup();
        PathSet(paths)
    }
}

/// How a path stands to a list of chosen files and folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is chosen, or lies below a chosen folder.
    Inside,
    /// It is a folder that a chosen path lies below.
    Above,
    /// Neither.
    Outside,
}

/// Chosen files and folders; an empty list chooses everything.
#[derive(Clone, Debug)]
pub(crate) struct Chosen(PathSet);

impl Chosen {
    pub(crate) fn new(paths: &[RelPath]) -> Self {
        Chosen(paths.iter().cloned().collect())
    }

    /// Whether nothing is left out.
    pub(crate) fn is_everything(&self) -> bool {
        self.0.is_empty() || self.0.0[0].is_root()
    }

    /// Whether exactly this path was chosen.
    pub(crate) fn names(&self, path: &RelPath) -> bool {
        self.0.contains(path)
    }

    /// Whether this path or one below it was chosen.
    pub(crate) fn names_at_or_below(&self, path: &RelPath) -> bool {
        self.0.contains(path) || self.0.has_below(path)
    }

    /// Where the root itself stands.
    pub(crate) fn of_root(&self) -> Standing {
        if self.is_everything() { Standing::Inside } else { Standing::Above }
    }

    /// Where `path` stands, when the folder that holds it stands at `parent`.
    pub(crate) fn below(&self, parent: Standing, path: &RelPath) -> Standing {
        match parent {
            Standing::Inside | Standing::Outside => parent,
            Standing::Above if self.0.contains(path) => Standing::Inside,
            Standing::Above if self.0.has_below(path) => Standing::Above,
            Standing::Above => Standing::Outside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RelPath {
        RelPath::parse(text).unwrap()
    }

    fn set(paths: &[&str]) -> PathSet {
        paths.iter().map(|text| path(text)).collect()
    }

    #[test]
    fn only_whole_segments_lie_below_a_folder() {
        let set = set(&["src/b", "src-old/x", "src.rs", "src/a/c", "srcx"]);
        let below: Vec<_> = set.below(&path("src")).iter().map(|path| path.as_str().unwrap()).collect();
        assert_eq!(below, ["src/a/c", "src/b"]);
        assert!(
            set.has_below(&path("src/a")) && !set.has_below(&path("src/b")) && !set.has_below(&path("s"))
        );
        assert!(set.contains(&path("srcx")) && !set.contains(&path("src")));
        assert_eq!(set.below(&RelPath::root()).len(), 5);
    }

    #[test]
    fn a_set_is_sorted_and_holds_each_path_once() {
        let set = set(&["b", "a/b", "a-b", "a/b"]);
        let all: Vec<_> = set.iter().map(|path| path.as_str().unwrap()).collect();
        assert_eq!(all, ["a-b", "a/b", "b"]);
        assert_eq!((set.len(), set.is_empty()), (3, false));
        assert!(PathSet::default().is_empty() && !PathSet::default().has_below(&RelPath::root()));
    }

    #[test]
    fn a_path_is_covered_by_itself_and_by_any_folder_above() {
        let set = set(&["a/b", "c"]);
        for (text, expected) in [("a/b", true), ("a/b/c/d", true), ("a", false), ("a/bc", false), ("c", true)]
        {
            assert_eq!(set.covers(&path(text)), expected, "{text}");
        }
        assert!(PathSet::from_iter([RelPath::root()]).covers(&path("x/y")));
    }

    #[test]
    fn chosen_paths_stand_inside_above_or_outside() {
        let chosen = Chosen::new(&[path("a/b"), path("c.rs")]);
        let top = chosen.of_root();
        assert_eq!(top, Standing::Above);
        assert_eq!(chosen.below(top, &path("a")), Standing::Above);
        assert_eq!(chosen.below(Standing::Above, &path("a/b")), Standing::Inside);
        assert_eq!(chosen.below(Standing::Above, &path("a/bc")), Standing::Outside);
        assert_eq!(chosen.below(top, &path("c.rs")), Standing::Inside);
        assert_eq!(chosen.below(Standing::Inside, &path("a/b/x")), Standing::Inside);
        for everything in [Chosen::new(&[]), Chosen::new(&[path("a"), RelPath::root()])] {
            assert_eq!(everything.of_root(), Standing::Inside);
        }
    }
}
