//! `yaml@1`: records whose values stand where the manifest says, by pointer (spec C5, E). It looks no target up.

use super::body::canonical;
use super::links;
use super::node::{Around, build};
use super::options::{IdFrom, RecordRelation};
use crate::contract::{Contract, SourceDef};
use crate::diagnose::{Check, Diagnostic};
use crate::parsed::{FileText, ParsedFile, ParsedLink, ParsedMention};
use crate::place::Lines;
use crate::tree::{Span, Tree, TreeKind};
use crate::yaml;

/// The sibling file that holds the body, if the options name one.
pub(crate) fn sibling(source: &SourceDef) -> Option<&str> {
    source.options.record.body.as_deref().filter(|body| !body.starts_with('/'))
}

/// Reads the record of a file.
pub(crate) fn parse(source: &SourceDef, contract: &Contract, file: &FileText) -> ParsedFile {
    let mut parsed = ParsedFile::default();
    let text = &*file.text;
    let lines = Lines::of(text);
    let record = match yaml::parse(text, 0, text.len(), &lines) {
        Ok(Some(record)) => record,
        Ok(None) => return parsed,
        Err(fault) => {
            let check = if fault.is_unsupported { Check::YamlUnsupported } else { Check::YamlInvalid };
            let finding = Diagnostic::new(check, fault.span.place(&file.path), fault.message).fix(fault.fix);
            return ParsedFile { nodes: Vec::new(), diagnostics: vec![finding], is_quarantined: true };
        }
    };
    let options = &source.options.record;
    let mut entries: Vec<(String, Span, Tree)> = Vec::new();
    let mut put = |name: &str, pointer: &str| {
        if let Some(value) = at(&record, pointer).into_iter().next() {
            entries.push((name.to_owned(), value.span, value.clone()));
        }
    };
    for (name, pointer) in [("id", &options.id), ("type", &options.type_name), ("title", &options.title)] {
        if let Some(pointer) = pointer {
            put(name, pointer);
        }
    }
    for (name, pointer) in &options.fields {
        put(name, pointer);
    }
    let around = Around {
        source,
        contract,
        path: &file.path,
        default_id: IdFrom::Field("id".to_owned()),
        heading: None,
        at: lines.span(0..0),
    };
    let mut node = build(&entries, &around, &mut parsed.diagnostics);
    for relation in &options.relations {
        links_of(&record, relation, &around, &mut node.links, &mut parsed.diagnostics);
    }
    node.span = lines.span(0..text.len());
    match options.body.as_deref() {
        Some(pointer) if pointer.starts_with('/') => {
            if let Some(value) = at(&record, pointer).into_iter().next() {
                node.body = canonical(value.as_text().unwrap_or_default());
                node.body_span = value.span;
            }
        }
        Some(name) => {
            let body = file.siblings.iter().find(|(sibling, _)| sibling == name).map_or("", |(_, text)| text);
            let found = links::read(body, 0..body.len(), &source.options.inline, &Lines::of(body));
            node.body = canonical(body);
            node.headings = found.headings;
            node.external = found.external;
            // Their places are in another file than the record's, which is where findings about the node stand.
            let at = lines.span(0..0);
            node.mentions = found.mentions.into_iter().map(|one| ParsedMention { span: at, ..one }).collect();
        }
        None => {}
    }
    parsed.nodes.push(node);
    parsed
}

/// The values under a pointer; `*` stands for every element, and a scalar is one element.
fn at<'t>(tree: &'t Tree, pointer: &str) -> Vec<&'t Tree> {
    let mut found = vec![tree];
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        let mut next = Vec::new();
        for one in found {
            match (&one.kind, step.as_str()) {
                (TreeKind::Sequence(items), "*") => next.extend(items),
                (TreeKind::Mapping(entries), "*") => next.extend(entries.iter().map(|(_, _, value)| value)),
                (TreeKind::Scalar(_), "*") => next.push(one),
                (TreeKind::Sequence(items), step) => {
                    next.extend(step.parse::<usize>().ok().and_then(|at| items.get(at)));
                }
                (TreeKind::Mapping(_), step) => next.extend(one.get(step)),
                (TreeKind::Scalar(_), _) => {}
            }
        }
        found = next;
    }
    found.into_iter().filter(|one| !one.is_absent()).collect()
}

fn links_of(
    record: &Tree,
    relation: &RecordRelation,
    around: &Around<'_>,
    links: &mut Vec<ParsedLink>,
    found: &mut Vec<Diagnostic>,
) {
    for element in at(record, &relation.path) {
        let target = match &relation.target {
            Some(key) => element.get(key).and_then(Tree::as_text),
            None => element.as_text(),
        };
        let Some(target) = target else { continue };
        if around.source.options.ignore_values.iter().any(|ignored| ignored == target) {
            continue;
        }
        let stated = match &relation.name {
            Some(key) => element.get(key).and_then(Tree::as_text).map(str::to_owned),
            None => relation.relation.clone(),
        };
        let Some(name) = stated else { continue };
        let keys = &around.source.options.keys;
        let means = keys.iter().find(|(key, _)| *key == name).map_or(name.as_str(), |(_, means)| means);
        let known = around.contract.relation(means).map(|one| (one.name.clone(), false));
        let turned = || around.contract.by_inverse(means).map(|one| (one.name.clone(), true));
        let Some((relation, is_inverse)) = known.or_else(turned) else {
            let finding = Diagnostic::new(
                Check::RelationUnknown,
                element.span.place(around.path),
                "an element names a relation that is not declared",
            );
            found.push(finding.with_doc(name).fix("declare it, or map it with `keys`"));
            continue;
        };
        links.push(ParsedLink {
            relation,
            is_inverse,
            target: target.trim().to_owned(),
            pin: None,
            note: None,
            span: element.span,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contract;

    const MANIFEST: &str = "schema = \"docforge/1\"\n[project]\nid = \"t\"\ntitle = \"T\"\n[types.kep]\n[types.kep.fields.stage]\ntype = \"string\"\n[relations.see_also]\nfrom = [\"*\"]\nto = [\"*\"]\ninverse = \"seen_from\"\n[[sources]]\nid = \"main\"\nadapter = \"yaml@1\"\ninclude = [\"**/kep.yaml\"]\ntype = \"kep\"\n[sources.options]\n";

    fn read(options: &str, text: &str, siblings: &[(&str, &str)]) -> ParsedFile {
        let contract =
            contract::load(&format!("{MANIFEST}{options}")).unwrap_or_else(|found| panic!("{found:#?}"));
        let file = FileText {
            path: "a/kep.yaml".to_owned(),
            text: Arc::from(text),
            bom_bytes: 0,
            siblings: siblings.iter().map(|(name, text)| ((*name).to_owned(), Arc::from(*text))).collect(),
        };
        parse(&contract.sources[0], &contract, &file)
    }

    #[test]
    fn values_are_taken_by_pointer_and_the_body_from_beside() {
        let options = "id = \"/kep-number\"\ntitle = \"/title\"\nfields = {stage = \"/meta/stage\"}\nrelations = [{path = \"/see-also/*\", relation = \"see_also\"}, {path = \"/links/*\", target = \"uid\", name = \"role\"}]\nbody = \"README.md\"\nkeys = {also = \"see_also\"}\n";
        let text = "title: One\nkep-number: 12\nmeta: {stage: beta}\nsee-also: [\"/keps/a\", b]\nlinks:\n  - {role: also, uid: X}\n  - {role: nope, uid: Y}\n";
        let file = read(options, text, &[("README.md", "# Head\r\n\n[x](https://example.org)\n")]);
        let node = &file.nodes[0];
        assert_eq!(
            (node.id.as_str(), node.title.as_str(), node.body.as_str()),
            ("12", "One", "# Head\n\n[x](https://example.org)\n")
        );
        let targets: Vec<_> = node.links.iter().map(|link| link.target.as_str()).collect();
        assert_eq!(targets, ["/keps/a", "b", "X"]);
        assert_eq!(file.diagnostics[0].check, Check::RelationUnknown);
        assert_eq!(node.fields[0].0, "stage");
    }

    #[test]
    fn a_scalar_is_one_element_and_an_absent_body_is_empty() {
        let options = "id = \"/id\"\nrelations = [{path = \"/next/*\", relation = \"see_also\"}]\nbody = \"README.md\"\n";
        let node = &read(options, "id: a\nnext: b\n", &[]).nodes[0];
        assert_eq!((node.links.len(), node.body.as_str()), (1, ""));
        let pointer = read("id = \"/id\"\nbody = \"/text\"\n", "id: a\ntext: |\n  one\n  two\n", &[]);
        assert_eq!(pointer.nodes[0].body, "one\ntwo\n");
    }
}
