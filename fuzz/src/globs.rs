//! The globs of sources: first line the glob, second the path. A match is what trying everything says, and the folders
//! above a match are entered.

use docs::Glob;

/// Holds `bytes` to it.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (pattern, path) = text.split_once('\n').unwrap_or((text, "docs/a.md"));
    let Ok(glob) = Glob::parse(pattern) else { return };
    assert_eq!(glob.source(), pattern);
    assert_eq!(Glob::parse(pattern).as_ref(), Ok(&glob));
    if path.is_empty() || path.split('/').any(str::is_empty) || path.len() > 64 || pattern.len() > 64 {
        return;
    }
    let is_match = glob.matches(path);
    if is_match {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        assert!(folders.chain([""]).all(|folder| glob.may_match_below(folder)), "{pattern:?} {path:?}");
    }
    if !pattern.contains('[') && pattern.matches('*').count() <= 6 {
        let pattern: Vec<&str> = pattern.split('/').collect();
        let names: Vec<&str> = path.split('/').collect();
        assert_eq!(is_match, segments(&pattern, &names), "{pattern:?} {path:?}");
    }
}

fn segments(pattern: &[&str], names: &[&str]) -> bool {
    match pattern.split_first() {
        None => names.is_empty(),
        Some((&"**", [])) => {
            !names.is_empty() && names[..names.len() - 1].iter().all(|folder| !folder.starts_with('.'))
        }
        Some((&"**", rest)) => (0..names.len())
            .take_while(|taken| names[..*taken].iter().all(|folder| !folder.starts_with('.')))
            .any(|taken| segments(rest, &names[taken..])),
        Some((first, rest)) => names.split_first().is_some_and(|(name, below)| {
            let is_hidden = !below.is_empty() && name.starts_with('.') && !first.starts_with('.');
            let (first, name): (Vec<char>, Vec<char>) = (first.chars().collect(), name.chars().collect());
            !is_hidden && one(&first, &name) && segments(rest, below)
        }),
    }
}

fn one(pattern: &[char], name: &[char]) -> bool {
    match pattern.split_first() {
        None => name.is_empty(),
        Some(('*', rest)) => (0..=name.len()).any(|taken| one(rest, &name[taken..])),
        Some(('?', rest)) => !name.is_empty() && one(rest, &name[1..]),
        Some((first, rest)) => name.first() == Some(first) && one(rest, &name[1..]),
    }
}
