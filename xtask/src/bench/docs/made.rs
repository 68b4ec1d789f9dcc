//! Projects of known sizes, the same on every machine. It does not know what is measured on them.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// How many words the texts are made of.
const WORDS: u64 = 20_000;

/// Numbers that look drawn and are not.
struct Drawn(u64);

impl Drawn {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound.max(1)
    }

    /// A word; half of them come from the first hundred.
    fn word(&mut self) -> String {
        let bound = if self.below(2) == 0 { 100 } else { WORDS };
        let mut number = self.below(bound) + 10_000;
        let mut word = String::new();
        while number > 0 {
            let (consonant, vowel) = (number % 17, number / 17 % 5);
            word.push(char::from(b"bcdfghjklmnprstvz"[consonant as usize]));
            word.push(char::from(b"aeiou"[vowel as usize]));
            number /= 85;
        }
        word
    }

    fn sentence(&mut self, words: usize) -> String {
        let words: Vec<String> = (0..words).map(|_| self.word()).collect();
        words.join(" ")
    }

    /// Paragraphs and headings of about this many bytes.
    fn text(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 256);
        while text.len() < bytes {
            if self.below(6) == 0 {
                let _ = write!(text, "## {}\n\n", self.sentence(4));
            }
            let _ = write!(text, "{}.\n\n", self.sentence(60));
        }
        text
    }
}

const OBSIDIAN: &str = r#"schema = "docforge/1"
[project]
id = "notes"
title = "Notes"
[types.note]
unknown_fields = "keep"
[relations.links]
from = ["*"]
to = ["*"]
inverse = "linked_from"
self = true
[[sources]]
id = "notes"
adapter = "markdown@1"
include = ["notes/**/*.md"]
type = "note"
[sources.options]
preset = "obsidian"
"#;

const REQUIREMENTS: &str = r#"schema = "docforge/1"
[project]
id = "requirements"
title = "Requirements"
[types.req]
[types.req.fields.status]
type = "enum"
values = ["draft", "approved"]
required = true
[relations.refines]
from = ["req"]
to = ["req"]
inverse = "refined_by"
acyclic = true
[[rules]]
id = "approved-has-a-title"
where = 'status = "approved"'
require = 'title is set'
message = "{id} has no title"
[[sources]]
id = "main"
adapter = "markdown@1"
include = ["docs/**/*.md"]
type = "req"
"#;

fn write(root: &Path, path: &str, text: &str) -> io::Result<()> {
    let path = root.join(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

/// 650 nodes in 21 MB.
pub(super) fn large(root: &Path) -> io::Result<()> {
    let mut drawn = Drawn(11);
    write(root, "docforge.toml", REQUIREMENTS)?;
    for at in 0..650 {
        let status = if at % 3 == 0 { "approved" } else { "draft" };
        let head = format!("---\nid: REQ-{at}\ntitle: {}\nstatus: {status}\n---\n", drawn.sentence(5));
        write(root, &format!("docs/{}/{at}.md", at % 20), &(head + &drawn.text(32_300)))?;
    }
    Ok(())
}

/// 6,300 notes with 66,000 wikilinks.
pub(super) fn notes(root: &Path) -> io::Result<()> {
    let mut drawn = Drawn(12);
    write(root, "docforge.toml", OBSIDIAN)?;
    for at in 0..6_300_u64 {
        let mut text = drawn.text(1_500);
        for _ in 0..10 + u64::from(at % 2 == 0) {
            let _ = writeln!(text, "{} [[note-{}]].", drawn.sentence(6), drawn.below(6_300));
        }
        write(root, &format!("notes/{}/note-{at}.md", at % 50), &text)?;
    }
    Ok(())
}

/// 10,000 notes, 9,000 of which link to the first.
pub(super) fn dense(root: &Path) -> io::Result<()> {
    let mut drawn = Drawn(13);
    write(root, "docforge.toml", OBSIDIAN)?;
    for at in 0..10_000_u64 {
        let mut text = drawn.text(1_000);
        if at > 0 && at <= 9_000 {
            text.push_str("See [[note-0|the hub]].\n");
        }
        for _ in 0..6 {
            let _ = writeln!(text, "{} [[note-{}]].", drawn.sentence(6), drawn.below(10_000));
        }
        write(root, &format!("notes/{}/note-{at}.md", at % 100), &text)?;
    }
    Ok(())
}

/// 100,000 nodes, each of which refines four.
pub(super) fn many(root: &Path) -> io::Result<()> {
    let mut drawn = Drawn(14);
    write(root, "docforge.toml", REQUIREMENTS)?;
    for at in 0..100_000_u64 {
        let mut text = format!("---\nid: REQ-{at}\ntitle: {}\nstatus: draft\n", drawn.sentence(5));
        if at > 4 {
            let first = drawn.below(at - 4);
            let targets: Vec<String> = (first..first + 4).map(|to| format!("REQ-{to}")).collect();
            let _ = writeln!(text, "refines: [{}]", targets.join(", "));
        }
        let _ = write!(text, "---\n{}.\n", drawn.sentence(30));
        write(root, &format!("docs/{}/{at}.md", at / 500), &text)?;
    }
    Ok(())
}

const ITEMS: &str = r#"schema = "docforge/1"
[project]
id = "items"
title = "Items"
[types.item]
[relations.parent]
from = ["item"]
to = ["item"]
inverse = "child"
pin = "optional"
[[sources]]
id = "items"
adapter = "doorstop@1"
include = ["reqs/*.yml", "tests/*.yml"]
type = "item"
[sources.options]
relation = "parent"
"#;

/// 2,000 items of doorstop, half of which have a parent.
pub(super) fn items(root: &Path) -> io::Result<()> {
    let mut drawn = Drawn(15);
    write(root, "docforge.toml", ITEMS)?;
    write(root, "reqs/.doorstop.yml", "settings:\n  digits: 4\n  prefix: REQ\n  sep: ''\n")?;
    write(root, "tests/.doorstop.yml", "settings:\n  digits: 4\n  parent: REQ\n  prefix: TST\n  sep: ''\n")?;
    for at in 1..=1_000 {
        let mut item = |path: String, links: &str| {
            let head = format!("active: true\nderived: false\nheader: ''\nlevel: 1.{at}\nlinks:{links}\n");
            let rest =
                format!("normative: true\nref: ''\nreviewed: null\ntext: |\n  {}\n", drawn.sentence(30));
            write(root, &path, &(head + &rest))
        };
        item(format!("reqs/REQ{at:04}.yml"), " []")?;
        item(format!("tests/TST{at:04}.yml"), &format!("\n- REQ{:04}: null", at * 7 % 1_000 + 1))?;
    }
    Ok(())
}
