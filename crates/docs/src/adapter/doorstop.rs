//! `doorstop@1`: items of a Doorstop tree (spec C5, E). Stamps are compared by the recipe of that tool, and none of its
//! validators is run.

mod python;

use sha2::{Digest, Sha256};

use super::body::canonical;
use super::links;
use crate::contract::{Contract, SourceDef};
use crate::diagnose::{Check, Diagnostic};
use crate::parsed::{FileText, ParsedFile, ParsedLink, ParsedNode};
use crate::place::Lines;
use crate::tree::{Span, Tree, TreeKind};
use crate::yaml;

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
    let item = match yaml::parse(&file.text, 0, file.text.len(), &lines) {
        Ok(Some(item)) => item,
        Ok(None) => return parsed,
        Err(fault) => {
            let check = if fault.is_unsupported { Check::YamlUnsupported } else { Check::YamlInvalid };
            let finding = Diagnostic::new(check, fault.span.place(&file.path), fault.message).fix(fault.fix);
            return ParsedFile { nodes: Vec::new(), diagnostics: vec![finding], is_quarantined: true };
        }
    };
    let TreeKind::Mapping(entries) = &item.kind else { return parsed };
    let id = super::node::stem(&file.path).to_owned();
    let at = lines.span(0..0);
    let text = loaded(item.get("text").and_then(Tree::as_text).unwrap_or_default());
    let header = loaded(item.get("header").and_then(Tree::as_text).unwrap_or_default());
    let title = if header.is_empty() { text.lines().next().unwrap_or_default() } else { header.as_str() };
    let found = links::read(&text, 0..text.len(), &source.options.inline, &Lines::of(&text));
    let mut node = ParsedNode {
        type_name: kind(&id, source),
        title: title.trim().to_owned(),
        aliases: Vec::new(),
        fields: Vec::new(),
        links: item.get("links").map(|links| stated(links, source)).unwrap_or_default(),
        mentions: found.mentions,
        references: Vec::new(),
        external: found.external,
        headings: found.headings,
        body: canonical(&text),
        stamp: Some(stamp(&id, &text, &item, file)),
        ordinal: 0,
        id_span: at,
        span: lines.span(0..file.text.len()),
        body_span: item.get("text").map_or(at, |text| text.span),
        id,
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

/// The type that the options give to the prefix of an id; the longest fitting one.
fn kind(id: &str, source: &SourceDef) -> Option<String> {
    let fits = source.options.doorstop.types.iter().filter(|(prefix, _)| {
        id.strip_prefix(prefix.as_str())
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
    });
    fits.max_by_key(|(prefix, _)| prefix.len()).map(|(_, name)| name.clone())
}

/// `links`: ids, each alone or with the stamp under which it was reviewed.
fn stated(links: &Tree, source: &SourceDef) -> Vec<ParsedLink> {
    let TreeKind::Sequence(items) = &links.kind else { return Vec::new() };
    let link = |target: &str, pin: Option<String>, span: Span| ParsedLink {
        relation: source.options.doorstop.relation.clone(),
        is_inverse: false,
        target: target.to_owned(),
        pin,
        note: None,
        span,
    };
    items
        .iter()
        .flat_map(|item| match &item.kind {
            TreeKind::Mapping(entries) => entries
                .iter()
                .map(|(target, span, value)| link(target, value.as_text().map(str::to_owned), *span))
                .collect(),
            _ => item.as_text().map(|target| link(target, None, item.span)).into_iter().collect::<Vec<_>>(),
        })
        .collect()
}

/// A text as that tool loads it: no line ends around it, no blanks behind its lines.
fn loaded(text: &str) -> String {
    let text = text.trim_matches('\n');
    text.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The stamp of an item: what that tool hashes, simply joined.
fn stamp(id: &str, text: &str, item: &Tree, file: &FileText) -> String {
    let mut hasher = Sha256::new();
    hasher.update(id);
    hasher.update(text);
    hasher.update(item.get("ref").and_then(Tree::as_text).unwrap_or_default().trim());
    if let Some(references) = item.get("references")
        && matches!(&references.kind, TreeKind::Sequence(items) if !items.is_empty())
    {
        hasher.update(python::references(references));
    }
    for key in reviewed_attributes(file) {
        if let Some(value) = item.get(&key) {
            hasher.update(python::converted(value));
        }
    }
    base64_url(&hasher.finalize())
}

/// Attributes that the document's settings count in.
fn reviewed_attributes(file: &FileText) -> Vec<String> {
    let Some((_, settings)) = file.siblings.iter().find(|(name, _)| name == SETTINGS) else {
        return Vec::new();
    };
    let tree = yaml::parse(settings, 0, settings.len(), &Lines::of(settings)).ok().flatten();
    let reviewed = tree.as_ref().and_then(|tree| tree.get("attributes")).and_then(|one| one.get("reviewed"));
    match reviewed.map(|one| &one.kind) {
        Some(TreeKind::Sequence(items)) => {
            let mut names: Vec<String> = items.iter().filter_map(Tree::as_text).map(str::to_owned).collect();
            names.sort();
            names.dedup();
            names
        }
        _ => Vec::new(),
    }
}

/// Base64 with the letters of addresses, padded.
fn base64_url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract;

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
