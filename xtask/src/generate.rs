//! The reference pages: what the crates know of themselves, as Markdown. A test fails when a committed page is not what
//! this would write. It knows the tables of the crates, not what they do with them.

mod codes;
mod languages;
mod limits;
mod redaction;
mod tools;

use std::process::ExitCode;

use crate::workspace::Workspace;

/// A page: where it stands, and its text after the first line.
type Page = (&'static str, fn(&Workspace) -> String);

const PAGES: &[Page] = &[
    ("docs/reference/codes.md", codes::page),
    ("docs/reference/detail.md", languages::page),
    ("docs/reference/limits.md", limits::page),
    ("docs/reference/redaction.md", redaction::page),
    ("docs/reference/tools.md", tools::page),
];

const ORIGIN: &str = "<!-- Written by `cargo xtask generate`; a test compares it. Change the table in the code instead. -->\n\n";

/// Writes every page that is not up to date, and says which.
pub(crate) fn run(workspace: &Workspace) -> ExitCode {
    for (path, page) in PAGES {
        let text = format!("{ORIGIN}{}", page(workspace));
        let path = workspace.path(path);
        if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
            continue;
        }
        let folder = path.parent().expect("a page stands in a folder");
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        if let Err(error) = written {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
        println!("wrote {}", path.display());
    }
    ExitCode::SUCCESS
}

/// Text inside a table cell: one line, and no bar that would end the cell.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_committed_page_is_what_would_be_written() {
        let workspace = Workspace::here();
        for (path, page) in PAGES {
            let committed = std::fs::read_to_string(workspace.path(path)).unwrap_or_default();
            let written = format!("{ORIGIN}{}", page(&workspace));
            assert!(committed == written, "{path} is out of date: run `cargo xtask generate`");
        }
    }

    #[test]
    fn every_reference_page_is_generated() {
        let files = Workspace::here().files();
        let pages: Vec<&String> = files.iter().filter(|file| file.starts_with("docs/reference/")).collect();
        assert_eq!(pages, PAGES.iter().map(|(path, _)| path).collect::<Vec<_>>());
    }

    #[test]
    fn a_cell_stays_a_cell() {
        assert_eq!(cell("a | b\n c"), "a \\| b c");
    }
}
