//! How a source file opens, what it may be called and how long it may be. It does not read the code.

use crate::workspace::Workspace;

/// Names that say nothing about what a file is for.
const SAYS_NOTHING: &[&str] =
    &["util", "utils", "helper", "helpers", "common", "misc", "manager", "types", "base", "mod"];

/// Files may have this many lines of code before they must be split.
const MOST_CODE_LINES: usize = 600;

/// Tables of data in the shape of code: every entry is a rule with its samples, and nobody reads them from top to end.
const DATA: &[&str] = &["crates/redact/src/rules/"];

/// Complains about a source file that does not open with what it is for.
pub(crate) fn check_heads(workspace: &Workspace) -> Vec<String> {
    let opens = |file: &String| {
        workspace.text(file).lines().next().is_some_and(|line| line.len() > 8 && line.starts_with("//! "))
    };
    workspace
        .sources()
        .into_iter()
        .filter(|file| !opens(file))
        .map(|file| format!("{file}: does not open with `//! …`"))
        .collect()
}

/// Complains about a file or a folder whose name says nothing.
pub(crate) fn check_names(workspace: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in workspace.sources() {
        for part in file.split('/') {
            let stem = part.strip_suffix(".rs").unwrap_or(part);
            if SAYS_NOTHING.contains(&stem) {
                complaints.push(format!("{file}: {stem:?} says nothing"));
            }
        }
    }
    complaints
}

/// Complains about a file that is too long, its tests aside, and about a test module that belongs in a file of its own.
pub(crate) fn check_lengths(workspace: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in workspace.sources() {
        if is_test(&file) || DATA.iter().any(|data| file.starts_with(data)) {
            continue;
        }
        let (code, tests) = code_lines(&workspace.text(&file));
        if code > MOST_CODE_LINES {
            complaints.push(format!("{file}: {code} lines of code, at most {MOST_CODE_LINES}"));
        }
        if code + tests > MOST_CODE_LINES && tests > 0 && code <= MOST_CODE_LINES {
            complaints
                .push(format!("{file}: {code} lines of code and {tests} of tests: move the tests to a file"));
        }
    }
    complaints
}

/// The longest files by lines of code, longest first.
pub(crate) fn longest(workspace: &Workspace, count: usize) -> Vec<(usize, String)> {
    let mut lengths: Vec<(usize, String)> = workspace
        .sources()
        .into_iter()
        .filter(|file| !is_test(file) && !DATA.iter().any(|data| file.starts_with(data)))
        .map(|file| (code_lines(&workspace.text(&file)).0, file))
        .collect();
    lengths.sort_by(|a, b| b.cmp(a));
    lengths.truncate(count);
    lengths
}

fn is_test(file: &str) -> bool {
    file.contains("/tests/") || file.ends_with("/tests.rs")
}

/// The lines that are neither blank nor a comment, before and inside of a closing test module.
fn code_lines(text: &str) -> (usize, usize) {
    let mut code = 0;
    let mut tests = 0;
    let mut in_tests = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.trim_end().ends_with('{')) {
            in_tests = true;
        }
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        if in_tests { tests += 1 } else { code += 1 }
    }
    (code, tests)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Tree;

    #[test]
    fn a_head_is_a_sentence_on_the_first_line() {
        let tree = Tree::new("a.rs: //! What it is for.\\nfn a() {}\nb.rs: fn b() {}\nc.rs: //!\nd.rs:");
        assert_eq!(check_heads(&Workspace::at(&tree.root())).len(), 3);
    }

    #[test]
    fn names_that_say_nothing_are_refused_wherever_they_stand() {
        let tree = Tree::new(
            "crates/a/src/utils.rs: x\ncrates/common/src/lib.rs: x\ncrates/a/src/mod.rs: x\nb/model.rs: x",
        );
        assert_eq!(check_names(&Workspace::at(&tree.root())).len(), 3);
    }

    #[test]
    fn six_hundred_lines_pass_and_one_more_does_not() {
        let file = |code: usize, tests: usize| {
            let tests = if tests == 0 {
                String::new()
            } else {
                format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "t();\n".repeat(tests - 3))
            };
            format!("//! Head.\n\n// Why.\n{}{tests}", "a();\n".repeat(code))
        };
        let tree = Tree::new("");
        tree.file("at.rs", &file(600, 0)).file("above.rs", &file(601, 0));
        tree.file("with_tests.rs", &file(300, 300)).file("too_many_tests.rs", &file(300, 301));
        tree.file("x/tests.rs", &file(900, 0)).file("crates/redact/src/rules/data.rs", &file(900, 0));
        let found = check_lengths(&Workspace::at(&tree.root()));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("above.rs: 601") && found[1].starts_with("too_many_tests.rs: 300"));
        assert_eq!(longest(&Workspace::at(&tree.root()), 1), [(601, "above.rs".to_owned())]);
    }
}
