//! Project-relative paths as words: folder, name, stem, and one path as seen from a folder. It opens nothing.

/// The folder of a path; empty at the root.
pub(crate) fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

/// The file name without its last extension. A name that begins with its only dot has none.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rfind('.') {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

/// The path without its last extension.
pub(crate) fn without_extension(path: &str) -> &str {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    &path[..start + stem(path).len()]
}

/// The names that a path is made of.
pub(crate) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// `target` as seen from `folder`, with `.` and `..` taken away; none when it leaves the project.
pub(crate) fn joined(folder: &str, target: &str) -> Option<String> {
    let mut out: Vec<&str> = segments(folder).collect();
    for segment in segments(target) {
        match segment {
            "." => {}
            ".." => {
                out.pop()?;
            }
            name => out.push(name),
        }
    }
    (!out.is_empty()).then(|| out.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        assert_eq!((stem("a/b.c.md"), stem("README"), stem("a/.hidden")), ("b.c", "README", ".hidden"));
        assert_eq!((without_extension("a/b.c/d.md"), without_extension("a.b/c")), ("a/b.c/d", "a.b/c"));
        assert_eq!((folder("a/b/c.md"), folder("c.md")), ("a/b", ""));
    }

    #[test]
    fn paths_are_joined_without_leaving_the_project() {
        assert_eq!(joined("a/b", "../c.md").as_deref(), Some("a/c.md"));
        assert_eq!(joined("", "./x").as_deref(), Some("x"));
        assert_eq!(joined("a", "../../x"), None);
        assert_eq!(joined("a", ".."), None);
    }
}
