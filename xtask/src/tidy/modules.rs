//! Whether every source file is compiled at all: a test file that no module names passes by never running. It does not
//! look into the tests.

use crate::workspace::Workspace;

/// Complains about a source file that its parent does not name, and about a second integration binary of a crate.
pub(crate) fn check(workspace: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    let sources = workspace.sources();
    for package in workspace.packages() {
        for folder in ["src", "tests"] {
            let top = format!("{package}/{folder}/");
            let below: Vec<&str> = sources.iter().filter_map(|file| file.strip_prefix(&top)).collect();
            if folder == "tests" {
                let binaries = below.iter().filter(|file| is_binary(file)).count();
                if binaries > 1 {
                    complaints.push(format!("{top}: {binaries} integration binaries, one links faster"));
                }
            }
            for file in &below {
                if is_root(folder, file) {
                    continue;
                }
                let (parent, name) = parent(file, &below);
                let named =
                    parent.is_some_and(|parent| names(&workspace.text(&format!("{top}{parent}")), name));
                if !named {
                    complaints.push(format!("{top}{file}: no module names it, so it is never compiled"));
                }
            }
        }
    }
    complaints
}

/// Whether cargo compiles the file by its place.
fn is_root(folder: &str, file: &str) -> bool {
    match folder {
        "src" => file == "lib.rs" || file == "main.rs" || file.starts_with("bin/"),
        _ => is_binary(file),
    }
}

fn is_binary(file: &str) -> bool {
    !file.contains('/') || (file.ends_with("/main.rs") && file.matches('/').count() == 1)
}

/// The file among `below` that should say `mod name;` for `file`, and that name.
fn parent<'a>(file: &'a str, below: &[&'a str]) -> (Option<&'a str>, &'a str) {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let mut candidates = vec![format!("{folder}.rs")];
    if folder.is_empty() {
        candidates = vec!["lib.rs".to_owned(), "main.rs".to_owned()];
    } else if !folder.contains('/') {
        candidates.push(format!("{folder}/main.rs"));
    }
    (below.iter().find(|other| candidates.iter().any(|candidate| candidate == *other)).copied(), name)
}

/// Whether `text` declares the module `name` in a file.
fn names(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let declared =
            line.trim().strip_suffix(';').and_then(|line| line.rsplit_once("mod ")).map(|(_, name)| name);
        declared == Some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Tree;

    #[test]
    fn files_that_are_named_pass() {
        let tree = Tree::new(
            r"crates/a/Cargo.toml: [package]
              crates/a/src/lib.rs: mod one;\npub(crate) mod two;\n
              crates/a/src/one.rs: #[cfg(test)]\nmod tests;\n
              crates/a/src/one/tests.rs: x
              crates/a/src/two.rs: x
              crates/a/src/bin/tool.rs: x
              crates/a/tests/wire/main.rs: mod calls;\n
              crates/a/tests/wire/calls.rs: x",
        );
        let found = check(&Workspace::at(&tree.root()));
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_forgotten_file_and_a_second_binary_are_named() {
        let tree = Tree::new(
            r"crates/a/Cargo.toml: [package]
              crates/a/src/lib.rs: // mod tests\n
              crates/a/src/one.rs: x
              crates/a/src/lost/tests.rs: x
              crates/a/tests/wire/main.rs: x
              crates/a/tests/wire/calls.rs: x
              crates/a/tests/other.rs: x",
        );
        let found = check(&Workspace::at(&tree.root()));
        assert_eq!(found.len(), 4, "{found:?}");
    }
}
