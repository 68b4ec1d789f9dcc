//! The documents as they are read: by people (snapshots) and by parsers that are not ours.

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use quick_xml::events::Event as XmlEvent;
use serde_json::{Value, json};

use super::*;

mod packs;
mod readers;
mod trees;

/// Names that try to be something else.
const HOSTILE: &[&str] = &[
    "a\nb",
    "esc\u{1b}[2J",
    "`tick`",
    "```fence",
    "<img src=x onerror=y>",
    "](x)<img>",
    "_under_score_",
    "-rf",
    "- list",
    "1. list",
    "# heading",
    "> quote",
    "&amp;",
    "rtl\u{202e}cod.exe",
    "zero\u{200b}width",
    "tag\u{e0041}",
    "bell\u{7}",
    "sep\u{2028}arator",
    "nel\u{85}",
    "quote\"and'",
    "back\\slash",
    "caf\u{e9}",
    "\\xFF.txt",
    "--- setext",
    "+ plus",
    "    four",
    "]]>",
    "*bold*",
    "bom\u{feff}",
    "nonchar\u{ffff}",
];

fn xml_events(document: &str) -> Vec<XmlEvent<'_>> {
    let mut reader = quick_xml::Reader::from_str(document);
    reader.config_mut().check_end_names = true;
    let mut events = Vec::new();
    loop {
        match reader.read_event().expect("well-formed XML") {
            XmlEvent::Eof => return events,
            event => events.push(event),
        }
    }
}

/// Names of elements, their attributes and texts, one line each, from a parser that is not ours.
fn xml_outline(document: &str) -> Vec<String> {
    let (mut outline, mut text) = (Vec::new(), String::new());
    let attributes = |start: &quick_xml::events::BytesStart<'_>| {
        let mut line = start.name().as_ref().to_owned();
        for attribute in start.attributes() {
            let attribute = attribute.unwrap();
            let value = quick_xml::escape::unescape(&attribute.value).unwrap();
            line.push_str(&format!(" {}={value:?}", attribute.key.as_ref()));
        }
        line
    };
    for event in xml_events(document) {
        match event {
            XmlEvent::Start(start) => {
                text.clear();
                outline.push(attributes(&start));
            }
            XmlEvent::Empty(start) => outline.push(format!("{} /", attributes(&start))),
            XmlEvent::Text(piece) => text.push_str(&piece),
            XmlEvent::GeneralRef(name) => {
                text.push_str(&quick_xml::escape::unescape(&format!("&{};", &*name)).unwrap());
            }
            XmlEvent::End(_) => {
                if !text.trim_matches([' ', '\n']).is_empty() {
                    outline.push(format!("= {text:?}"));
                }
                text.clear();
            }
            _ => {}
        }
    }
    outline
}

fn has_raw_controls(document: &str) -> bool {
    document.chars().any(|c| c != '\n' && fault::is_unprintable(c))
}

/// A pack in the making: what a caller knows about one.
struct Pack {
    root: String,
    name: String,
    source: Option<Source>,
    selection: SelectionEcho,
    metrics: Metrics,
    files: Vec<(String, Class, Option<String>)>,
    budget: Option<Budget>,
    diagnostics: Vec<Diagnostic>,
}

impl Pack {
    fn of(files: &[(&str, &str)]) -> Pack {
        Pack {
            root: "/srv/demo".to_owned(),
            name: "demo".to_owned(),
            source: None,
            selection: SelectionEcho { git_mode: "gitignore".to_owned(), ..SelectionEcho::default() },
            metrics: Metrics::default(),
            files: files
                .iter()
                .map(|(path, body)| ((*path).to_owned(), Class::Text, Some((*body).to_owned())))
                .collect(),
            budget: None,
            diagnostics: Vec::new(),
        }
    }

    fn with(mut self, path: &str, class: Class) -> Pack {
        self.files.push((path.to_owned(), class, None));
        self
    }

    fn write(&self, format: PackFormat, view: View) -> String {
        let tree = Tree::new(self.files.iter().map(|(path, ..)| path), [""; 0]);
        let head = PackHead {
            root: &self.root,
            name: &self.name,
            source: self.source.as_ref(),
            selection: &self.selection,
            metrics: self.metrics,
            tree: &tree,
            view,
        };
        let mut document = String::new();
        let mut writer = PackWriter::begin(format, &head, &mut document).unwrap();
        if view != View::Tree {
            for (path, class, body) in &self.files {
                let file = PackFile { path, class: *class, body: body.as_deref() };
                writer.file(&file, &mut document).unwrap();
            }
        }
        let end =
            PackEnd { budget: self.budget.as_ref(), diagnostics: &self.diagnostics, fingerprint: "0123abcd" };
        writer.end(&end, &mut document).unwrap();
        document
    }

    fn json(&self, view: View) -> Value {
        serde_json::from_str(&self.write(PackFormat::Json, view)).unwrap()
    }
}

fn demo() -> Pack {
    Pack::of(&[("a.py", "print(1)\n")])
}

/// Everything that JSON and XML can say.
fn full() -> Pack {
    let mut pack = Pack::of(&[("docs/ä.md", "# Ä <&>\n"), ("z", "")]).with("logo.png", Class::Binary);
    pack.source = Some(Source {
        repository_url: "https://host.example/demo".to_owned(),
        branch: Some("main".to_owned()),
        commit: Some("c0ffee".to_owned()),
    });
    pack.selection = SelectionEcho {
        git_mode: "diff:a..b".to_owned(),
        exclusions: vec!["smart-ignore".to_owned(), "empty-folders".to_owned()],
        roots: vec!["docs".to_owned()],
        extensions: vec![".md".to_owned()],
        selected_paths: vec!["docs/ä.md".to_owned()],
    };
    pack.metrics = Metrics { files: 3, folders: 1, bytes: 1_000, characters: 8, estimated_tokens: 2 };
    let mut budget = Budget::new(5_000_000_000);
    budget.admit("docs/ä.md", 2);
    budget.admit("big", 6_000_000_000);
    pack.budget = Some(budget);
    pack.diagnostics.push(Diagnostic {
        code: "DPX-GIT-STATE-DELETED".to_owned(),
        severity: "warning",
        message: "gone".to_owned(),
        path: Some("old".to_owned()),
    });
    pack
}
