//! `doorstop@1`: items of a Doorstop tree (spec C5, E). Stamps are compared by the recipe of that tool, and none of its
//! validators is run.

mod python;
mod stamp;
mod uid;

use super::body::canonical;
use super::links;
use super::markdown::{FrontMatter, front_matter};
use crate::contract::{Contract, SourceDef};
use crate::diagnose::{Check, Diagnostic};
use crate::parsed::{FileText, ParsedFile, ParsedLink, ParsedNode};
use crate::place::Lines;
use crate::tree::{Span, Tree, TreeKind};
use crate::yaml;
use stamp::Mark;
pub(crate) use uid::{ItemKey, item_key};

/// The settings of a document, beside its items.
pub(super) const SETTINGS: &str = ".doorstop.yml";
/// Keys of an item that are no fields unless the contract declares them.
const NATIVE: [&str; 6] = ["level", "active", "derived", "normative", "ref", "reviewed"];

/// Reads the item of a file.
pub(crate) fn parse(source: &SourceDef, contract: &Contract, file: &FileText) -> ParsedFile {
    let mut parsed = ParsedFile::default();
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    let lines = Lines::of(&file.text);
    if name == SETTINGS {
        let settings = yaml::parse(&file.text, 0, file.text.len(), &lines).ok().flatten();
        let validator =
            settings.as_ref().and_then(|one| one.get("extensions")).and_then(|one| one.get("item_validator"));
        if let Some(validator) = validator {
            let place = validator.span.place(&file.path);
            let message = "the document names a validator of its own, which is not run";
            parsed.diagnostics.push(Diagnostic::new(Check::ForeignCodeSkipped, place, message));
        }
        return parsed;
    }
    let is_markdown = name.ends_with(".md");
    let (values, content) = match (is_markdown, front_matter(&file.text)) {
        (true, FrontMatter::At { values, body }) => (values, Some(body..file.text.len())),
        (true, _) => return parsed,
        (false, _) => (0..file.text.len(), None),
    };
    let item = match yaml::parse(&file.text, values.start, values.end, &lines) {
        Ok(Some(item)) => item,
        Ok(None) => return parsed,
        Err(fault) => {
            let check = if fault.is_unsupported { Check::YamlUnsupported } else { Check::YamlInvalid };
            let finding = Diagnostic::new(check, fault.span.place(&file.path), fault.message).fix(fault.fix);
            return ParsedFile { nodes: Vec::new(), diagnostics: vec![finding], is_quarantined: true };
        }
    };
    let TreeKind::Mapping(entries) = &item.kind else { return parsed };
    let id = crate::path::stem(&file.path).to_owned();
    let at = lines.span(0..0);
    let stated_text = |key: &str| item.get(key).and_then(Tree::as_text).unwrap_or_default();
    let (header, text) = match &content {
        Some(content) => in_markdown(&file.text[content.clone()]),
        None => (None, stated_text("text").to_owned()),
    };
    let text = stamp::loaded(&text);
    let header = stamp::loaded(header.unwrap_or_else(|| stated_text("header")));
    let title = if header.is_empty() { text.lines().next().unwrap_or_default() } else { header.as_str() };
    let found = links::read(&text, 0..text.len(), &[], &Lines::of(&text));
    let body_span = match content {
        Some(content) => lines.span(content),
        None => item.get("text").map_or(at, |text| text.span),
    };
    let stated = item.get("links").map(stated).unwrap_or_default();
    let targets: Vec<&str> = stated.iter().map(|(target, _, _)| *target).collect();
    let seen = stamp::Item { id: &id, text: &text, values: &item, links: &targets };
    let is_active = stamp::is_active(&item);
    let links = stated.iter().map(|(target, mark, span)| ParsedLink {
        relation: source.options.doorstop.relation.clone(),
        is_inverse: false,
        target: (*target).to_owned(),
        // That tool compares no link of an item that is not active, and stamps what has no stamp.
        pin: match mark {
            Mark::Stamp(stamp) if is_active => Some(stamp.clone()),
            _ => None,
        },
        note: None,
        span: *span,
    });
    let mut node = ParsedNode {
        type_name: kind(&id, source),
        title: title.trim().to_owned(),
        aliases: Vec::new(),
        fields: Vec::new(),
        links: links.collect(),
        mentions: Vec::new(),
        references: Vec::new(),
        external: found.external,
        headings: found.headings,
        body: canonical(&text),
        stamp: is_active.then(|| stamp::stamp(&seen, file, false)),
        review: stamp::review(&seen, file),
        ordinal: 0,
        id_span: at,
        span: lines.span(0..file.text.len()),
        body_span,
        id: id.clone(),
    };
    for (key, _, value) in entries {
        let is_declared = contract.types.iter().any(|one| one.field(key).is_some());
        let is_own = matches!(key.as_str(), "text" | "header" | "links");
        if !is_own && (is_declared || !(NATIVE.contains(&key.as_str()) || key == "references")) {
            node.fields.push((key.clone(), value.clone()));
        }
    }
    parsed.nodes.push(node);
    parsed
}

/// Header and text of an item that is written as Markdown: a first heading of the first level is the header.
fn in_markdown(content: &str) -> (Option<&str>, String) {
    let content = content.trim();
    let mut lines = content.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let heading = first.trim().strip_prefix('#').filter(|rest| rest.starts_with(char::is_whitespace));
    match heading {
        Some(heading) => {
            (Some(heading.trim_start()), lines.skip_while(|line| line.trim().is_empty()).collect())
        }
        None => (None, content.to_owned()),
    }
}

/// The type that the options give to the prefix of an id; the longest fitting one.
fn kind(id: &str, source: &SourceDef) -> Option<String> {
    let fits = source.options.doorstop.types.iter().filter(|(prefix, _)| {
        id.strip_prefix(prefix.as_str())
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    fits.max_by_key(|(prefix, _)| prefix.len()).map(|(_, name)| name.clone())
}

/// `links`: ids, each alone or with the stamp under which it was reviewed.
fn stated(links: &Tree) -> Vec<(&str, Mark, Span)> {
    let TreeKind::Sequence(items) = &links.kind else { return Vec::new() };
    items.iter().filter_map(stated_link).collect()
}

fn stated_link(item: &Tree) -> Option<(&str, Mark, Span)> {
    match &item.kind {
        TreeKind::Mapping(entries) => {
            entries.first().map(|(target, span, value)| (target.as_str(), stamp::mark(value), *span))
        }
        TreeKind::Scalar(_) => {
            let text = item.as_text()?;
            Some(match text.rsplit_once(':') {
                Some((target, stamp)) => (target, stamp::written(stamp), item.span),
                None => (text, Mark::Absent, item.span),
            })
        }
        TreeKind::Sequence(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract;
    use crate::model::Review;

    const MANIFEST: &str = "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.req]\nunknown_fields = \"keep\"\n[types.req.fields.level]\ntype = \"string\"\n[types.test]\n[relations.parent]\nfrom = [\"*\"]\nto = [\"*\"]\ninverse = \"child\"\npin = \"optional\"\n[[sources]]\nid = \"main\"\nadapter = \"doorstop@1\"\ninclude = [\"**/*.yml\"]\ntype = \"req\"\n[sources.options]\nrelation = \"parent\"\ntypes = {TST = \"test\"}\n";

    fn read(path: &str, text: &str, settings: &str) -> ParsedFile {
        let contract = contract::load(MANIFEST).unwrap_or_else(|found| panic!("{found:#?}"));
        let siblings = vec![(SETTINGS.to_owned(), Arc::from(settings))];
        let file = FileText { path: path.to_owned(), text: Arc::from(text), bom_bytes: 0, siblings };
        parse(&contract.sources[0], &contract, &file)
    }

    #[test]
    fn an_item_has_its_links_with_stamps_and_its_text() {
        let text = "active: true\nheader: ''\nlevel: 1.2\nlinks:\n- REQ001: abc=\n- REQ002: null\n- REQ003\nref: ''\nreviewed: xyz\ntext: |\n  First line.  \n\n  More.\ncustom: x\n";
        let file = read("reqs/TST010.yml", text, "");
        let node = &file.nodes[0];
        assert_eq!((node.id.as_str(), node.type_name.as_deref()), ("TST010", Some("test")));
        assert_eq!((node.title.as_str(), node.body.as_str()), ("First line.", "First line.\n\nMore.\n"));
        let links: Vec<_> =
            node.links.iter().map(|link| (link.target.as_str(), link.pin.as_deref())).collect();
        assert_eq!(links, [("REQ001", Some("abc=")), ("REQ002", None), ("REQ003", None)]);
        assert_eq!(
            node.fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["level", "custom"]
        );
    }

    #[test]
    fn stamps_are_those_of_the_tool() {
        // Computed with doorstop 3.0 and 3.1: uid, text, ref; then with references and a reviewed attribute.
        let plain = read("REQ001.yml", "ref: ''\ntext: |\n  The thing shall work.\n", "");
        assert_eq!(plain.nodes[0].stamp.as_deref(), Some(PLAIN_STAMP));
        let rich = "ref: abc\ntext: |\n  A \"b\" 'c'\nreferences:\n- path: src/a.py\n  type: file\n  keyword: it's\nkind: one\n";
        let rich = read("REQ002.yml", rich, "attributes:\n  reviewed: [kind]\n");
        assert_eq!(rich.nodes[0].stamp.as_deref(), Some(RICH_STAMP));
    }

    const PLAIN_STAMP: &str = "Cafq8A1g3z_xf8DqXfFcPZfksPuNnhxsvBw3yw0Ik7U=";
    const RICH_STAMP: &str = "Ug2KE7rxE6tWLvKA7i8tXZrpmCSGkMgzFvqGGI4iE6s=";

    #[test]
    fn stamps_confirmed_by_hand_and_items_that_are_not_active_are_not_compared() {
        let links = "links:\n- A1: true\n- A2: no\n- A3: 'enabled'\n- 'A4:xyz='\n- A5: 0123456789abcdef0123456789abcdef\n";
        let pins = |text: &str| -> Vec<Option<String>> {
            read("TST1.yml", text, "").nodes[0].links.iter().map(|link| link.pin.clone()).collect()
        };
        let old = Some("0123456789abcdef0123456789abcdef".to_owned());
        assert_eq!(pins(links), [None, None, None, Some("xyz=".to_owned()), old]);
        assert_eq!(pins(&format!("active: false\n{links}")), [None, None, None, None, None]);
        let node = |text: &str| read("TST1.yml", text, "").nodes.remove(0);
        assert_eq!(node("active: no\nreviewed: x\n").review, None);
        assert_eq!(node("active: no\n").stamp, None);
        assert_eq!(node("reviewed: null\n").review, Some(Review::Never));
        assert_eq!(node("reviewed: yes\n").review, Some(Review::Current));
        assert_eq!(node("reviewed: abc=\n").review, Some(Review::Changed));
    }

    #[test]
    fn an_item_may_be_written_as_markdown() {
        let text = "---\nactive: true\nlinks: [REQ1]\n---\n\n# The  header\n\n\nText  \nmore.\n";
        let node = read("reqs/REQ001.md", text, "").nodes.remove(0);
        assert_eq!((node.id.as_str(), node.title.as_str()), ("REQ001", "The  header"));
        assert_eq!((node.body.as_str(), node.links.len()), ("Text\nmore.\n", 1));
        // The same item in YAML has the same stamp.
        let yaml = read("reqs/REQ001.yml", "header: The  header\ntext: |\n  Text\n  more.\n", "");
        assert_eq!(node.stamp, yaml.nodes[0].stamp);
        let plain = read("reqs/REQ002.md", "---\na: 1\n---\nText\n# no header\n", "");
        assert_eq!(plain.nodes[0].body, "Text\n# no header\n");
        assert!(read("reqs/README.md", "# no item\n", "").nodes.is_empty());
    }

    #[test]
    fn settings_are_no_item_and_their_code_is_not_run() {
        let file =
            read("reqs/.doorstop.yml", "settings: {prefix: REQ}\nextensions:\n  item_validator: v.py\n", "");
        assert!(file.nodes.is_empty());
        assert_eq!(
            (&file.diagnostics[0].check, file.diagnostics[0].place.line),
            (&Check::ForeignCodeSkipped, Some(3))
        );
    }
}
