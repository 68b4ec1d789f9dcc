//! The documents as they are read: by people (snapshots) and by parsers that are not ours.

use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};
use quick_xml::events::Event as XmlEvent;
use serde_json::{Value, json};

use super::*;

mod packs;
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
