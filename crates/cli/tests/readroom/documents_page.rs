//! The page about documents: what it shows is what happens. Its blocks `sh` and `console` are run in order in one folder.

use testkit::Tree;

use super::documents::{run, told};
use super::proposals_story::shell;

/// The blocks of these languages with what stands in them.
fn blocks<'p>(page: &'p str, languages: &[&str]) -> Vec<(&'p str, &'p str)> {
    let mut blocks = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find("\n```") {
        let (language, after) = rest[at + 4..].split_once('\n').expect("a fence ends its line");
        let (text, after) = after.split_once("\n```").expect("a block ends");
        if languages.contains(&language) {
            blocks.push((language, text));
        }
        rest = after;
    }
    blocks
}

#[test]
fn the_page_shows_what_happens() {
    let page = include_str!("../../../../docs/documents.md");
    let tree = Tree::new("");
    let blocks = blocks(page, &["sh", "console"]);
    assert!(blocks.len() >= 4, "{blocks:?}");
    let mut compared = 0;
    for (language, text) in blocks {
        if language == "sh" {
            let said = shell(&tree, text);
            let (_, out, _) = told(&run(&tree, &["sources", "--json"]));
            let answer: serde_json::Value = serde_json::from_str(&out).expect("JSON");
            let hash = answer["source_hash"].as_str().expect("a hash").trim_start_matches("sha256:");
            assert_eq!(said, format!("{hash}  -\n"), "{text}");
            compared += 1;
            continue;
        }
        for step in format!("\n{text}").split("\n$ ").skip(1) {
            let (command, shown) = step.split_once('\n').unwrap_or((step, ""));
            let said = shell(&tree, command);
            if !shown.is_empty() {
                assert_eq!(said.trim_end(), shown.trim_end(), "$ {command}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 5, "outputs are shown and compared");
}

#[test]
fn the_finding_of_the_page_is_the_finding_of_the_command() {
    let page = include_str!("../../../../docs/documents.md");
    let shown = blocks(page, &["text"]).first().expect("a block").1.to_owned();
    let tree = super::documents::project();
    let session = std::fs::read_to_string(tree.path("docs/session.md")).expect("there");
    tree.file("docs/session.md", &session.replace("approved", "aproved"));
    let (code, out, _) = told(&run(&tree, &["check"]));
    assert!(code == Some(1) && out.starts_with(&shown), "{shown}\n{out}");
}
