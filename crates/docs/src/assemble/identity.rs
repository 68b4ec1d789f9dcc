//! Which nodes there are: ids, types, aliases, and who claims the same one. It looks no target up.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::{Ambiguous, Draft, Findings, LoadedFile, about, no_hash, typing};
use crate::diagnose::{Check, Diagnostic};
use crate::ident::is_id;
use crate::model::{Node, NodeIx, State};
use crate::parsed::ParsedNode;

/// Every node that can be served, typed; what cannot be is said.
pub(super) fn drafts<'f>(files: &[&'f Arc<LoadedFile>], findings: &mut Findings<'_>) -> Vec<Draft<'f>> {
    let mut drafts = Vec::new();
    for file in files {
        if file.parsed.is_quarantined {
            continue;
        }
        let Some(source_id) = &file.entry.source else { continue };
        let Some(source) = findings.contract.sources.iter().position(|one| one.id == *source_id) else {
            continue;
        };
        for parsed in &file.parsed.nodes {
            drafts.extend(draft(parsed, &file.entry.path, source, findings));
        }
    }
    drafts
}

fn draft<'f>(
    parsed: &'f ParsedNode,
    path: &str,
    source: usize,
    findings: &mut Findings<'_>,
) -> Option<Draft<'f>> {
    let contract = findings.contract;
    let def = &contract.sources[source];
    let at = parsed.id_span.place(path);
    if parsed.id.is_empty() {
        let finding = Diagnostic::new(Check::IdMissing, at, "the node has no id")
            .fix("add a line `id: …`, or leave the file out of the source");
        findings.add(finding);
        return None;
    }
    if !is_id(&parsed.id, contract.ids.charset) {
        let finding =
            Diagnostic::new(Check::IdInvalid, at, "the id has characters or a form that is not allowed")
                .with_doc(parsed.id.clone())
                .fix("use letters, digits and `._:/~@-`, a letter or digit first, at most 200 bytes");
        findings.add(finding);
        return None;
    }
    let Some(type_name) = parsed.type_name.clone().or_else(|| def.default_type.clone()) else {
        let finding =
            Diagnostic::new(Check::TypeMissing, at, "the node has no type, and its source gives none")
                .fix("add a line `type: …`, or give the source a `type`");
        findings.add(finding.about(parsed.id.clone()));
        return None;
    };
    let Some(kind) = contract.type_def(&type_name) else {
        let near = crate::near::near(&type_name, contract.types.iter().map(|one| one.name.as_str()), 1);
        let mut finding = Diagnostic::new(Check::TypeUnknown, at, "the type is not declared in the manifest")
            .about(parsed.id.clone())
            .with_doc(type_name.clone());
        if let Some(name) = near.first() {
            finding = finding.fix(format!("did you mean `{name}`?"));
        }
        findings.add(finding);
        return None;
    };
    let patterns = [(&contract.ids.pattern, "[ids]"), (&kind.id_pattern, "its type")];
    for (pattern, whose) in patterns {
        if let Some(pattern) = pattern
            && !pattern.matches(&parsed.id)
        {
            let message = format!("the id does not match the pattern of {whose}");
            let finding = Diagnostic::new(Check::IdInvalid, parsed.id_span.place(path), message);
            let finding = finding.about(parsed.id.clone()).with_doc(pattern.source.clone());
            findings.add(match &kind.id_hint {
                Some(_) => finding.fix("write it as `id_hint` of the type shows"),
                None => finding,
            });
        }
    }
    let node = Node {
        id: parsed.id.clone(),
        type_name,
        title: parsed.title.clone(),
        aliases: parsed.aliases.clone(),
        fields: Vec::new(),
        links: Vec::new(),
        body: parsed.body.clone(),
        headings: parsed.headings.clone(),
        external: parsed.external.clone(),
        stamp: parsed.stamp.clone(),
        review: parsed.review,
        path: path.to_owned(),
        source: def.id.clone(),
        ordinal: parsed.ordinal,
        span: parsed.span,
        body_span: parsed.body_span,
        hash: no_hash(),
        state: State::default(),
    };
    let mut draft = Draft { node, parsed, source };
    typing::is_within_limits(&mut draft, findings).then(|| {
        typing::fields(&mut draft, findings);
        draft
    })
}

/// Takes out every node whose id another one claims too, and notes ids that differ only by case.
pub(super) fn settle(drafts: &mut Vec<Draft<'_>>, findings: &mut Findings<'_>) -> Ambiguous {
    let mut claims: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        claims.entry(draft.node.id.as_str()).or_default().push(at);
    }
    let mut ambiguous = BTreeMap::new();
    let mut doubtful = vec![false; drafts.len()];
    for (id, claimants) in claims.into_iter().filter(|(_, claimants)| claimants.len() > 1) {
        let mut paths: Vec<String> = claimants.iter().map(|at| drafts[*at].node.path.clone()).collect();
        paths.sort();
        for at in claimants {
            doubtful[at] = true;
            let node = &drafts[at].node;
            let mut finding =
                about(Check::DuplicateId, node, "another node has the same id, so none of them is served");
            finding.place = drafts[at].parsed.id_span.place(&node.path);
            finding.related = paths.clone();
            findings.add(finding.fix("give one of them another id"));
        }
        ambiguous.insert(id.to_owned(), paths);
    }
    let mut doubtful = doubtful.into_iter();
    drafts.retain(|_| !doubtful.next().unwrap_or(false));
    if findings.contract.ids.case_unique {
        let mut folded: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, draft) in drafts.iter().enumerate() {
            folded.entry(draft.node.id.to_lowercase()).or_default().push(at);
        }
        for twins in folded.values().filter(|twins| twins.len() > 1) {
            for at in twins {
                let node = &drafts[*at].node;
                let mut finding =
                    about(Check::IdCaseCollision, node, "another id differs from this one only by case");
                finding.place = drafts[*at].parsed.id_span.place(&node.path);
                finding.related = twins
                    .iter()
                    .filter(|other| *other != at)
                    .map(|other| drafts[*other].node.id.clone())
                    .collect();
                findings.add(finding);
            }
        }
    }
    ambiguous
}

/// Old ids and where they lead. One that is also a live id is ignored.
pub(super) fn aliases(
    drafts: &mut [Draft<'_>],
    by_id: &HashMap<String, NodeIx>,
    findings: &mut Findings<'_>,
) -> HashMap<String, Vec<NodeIx>> {
    let mut by_alias: HashMap<String, Vec<NodeIx>> = HashMap::new();
    let charset = findings.contract.ids.charset;
    for (at, draft) in drafts.iter_mut().enumerate() {
        let node = &mut draft.node;
        let mut kept: Vec<String> = Vec::new();
        for alias in std::mem::take(&mut node.aliases) {
            if by_id.contains_key(&alias) {
                let mut finding =
                    about(Check::AliasConflict, node, "an alias is also the id of a node, so it is ignored");
                finding.related = vec![alias];
                findings.add(finding.fix("remove the alias"));
            } else if !is_id(&alias, charset) && !is_id(&alias, crate::contract::Charset::Unicode) {
                let finding = about(Check::IdInvalid, node, "an alias has characters that are not allowed");
                findings.add(finding.with_doc(alias));
            } else if !kept.contains(&alias) {
                by_alias.entry(alias.clone()).or_default().push(super::ix(at));
                kept.push(alias);
            }
        }
        node.aliases = kept;
    }
    let mut shared: Vec<(&String, &Vec<NodeIx>)> =
        by_alias.iter().filter(|(_, nodes)| nodes.len() > 1).collect();
    shared.sort();
    for (_, nodes) in shared {
        for ix in nodes {
            let node = &drafts[ix.0 as usize].node;
            let mut finding = about(Check::AliasConflict, node, "another node has the same alias");
            finding.related = nodes
                .iter()
                .filter(|other| *other != ix)
                .map(|other| drafts[other.0 as usize].node.id.clone())
                .collect();
            findings.add_at(crate::diagnose::Severity::Warn, finding);
        }
    }
    by_alias
}
