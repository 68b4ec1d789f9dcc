//! What the targets of relations and inline links are: by id, alias, path, folder, stem, address or template, in the order
//! that the source says (spec C3, E). Every look-up is one step in a map.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{Draft, Findings, Linked, about_link, ix};
use crate::adapter::{IdTransform, ItemKey, Resolver, item_key};
use crate::contract::{Contract, SourceDef};
use crate::diagnose::{Check, Diagnostic};
use crate::model::{Edge, EdgeKind, Link, NodeIx};
use crate::parsed::LinkSyntax;
use crate::path::{folder, joined, segments, without_extension};
use crate::snapshot::Dangling;

/// Candidates that a finding lists.
const CANDIDATES_SHOWN: usize = 10;
/// Missing targets for which a near id is looked up: each costs a look at every id.
const NEAR_MAX: usize = 20;

/// What a target leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Found(NodeIx),
    Ambiguous(Vec<NodeIx>),
    Missing,
}

/// Every way to name a node.
struct Names<'a> {
    by_id: &'a HashMap<String, NodeIx>,
    by_alias: &'a HashMap<String, Vec<NodeIx>>,
    by_path: HashMap<String, Vec<NodeIx>>,
    by_dir: HashMap<String, Vec<NodeIx>>,
    by_stem: HashMap<String, Vec<NodeIx>>,
    /// Items of doorstop as that tool compares them.
    by_item: HashMap<ItemKey, Vec<NodeIx>>,
    paths: Vec<String>,
}

impl<'a> Names<'a> {
    fn of(
        drafts: &[Draft<'_>],
        contract: &Contract,
        by_id: &'a HashMap<String, NodeIx>,
        by_alias: &'a HashMap<String, Vec<NodeIx>>,
    ) -> Names<'a> {
        let mut names = Names {
            by_id,
            by_alias,
            by_path: HashMap::new(),
            by_dir: HashMap::new(),
            by_stem: HashMap::new(),
            by_item: HashMap::new(),
            paths: Vec::with_capacity(drafts.len()),
        };
        for (at, draft) in drafts.iter().enumerate() {
            let path = &draft.node.path;
            let bare = without_extension(path);
            names.by_path.entry(path.clone()).or_default().push(ix(at));
            if bare != path {
                names.by_path.entry(bare.to_owned()).or_default().push(ix(at));
            }
            names.by_dir.entry(folder(path).to_owned()).or_default().push(ix(at));
            let stem = bare.rsplit('/').next().unwrap_or(bare).to_lowercase();
            names.by_stem.entry(stem).or_default().push(ix(at));
            names.paths.push(bare.to_lowercase());
            if is_doorstop(&contract.sources[draft.source])
                && let Some(key) = item_key(&draft.node.id)
            {
                names.by_item.entry(key).or_default().push(ix(at));
            }
        }
        names
    }

    fn by(&self, resolver: &Resolver, target: &str, from: &str) -> Target {
        match resolver {
            Resolver::Id => self.by_id.get(target).map_or(Target::Missing, |ix| Target::Found(*ix)),
            Resolver::Alias => one_of(self.by_alias.get(target)),
            Resolver::Path => self.path(target, from, false),
            Resolver::Dir => {
                let target = target.trim_matches('/');
                match one_of(self.by_dir.get(target)) {
                    Target::Missing => joined(folder(from), target)
                        .map_or(Target::Missing, |dir| one_of(self.by_dir.get(&dir))),
                    found => found,
                }
            }
            Resolver::Stem => self.stem(target, from),
            Resolver::Url(prefix) => match target.strip_prefix(prefix.as_str()) {
                None => Target::Missing,
                Some(rest) => {
                    let rest = rest.split(['#', '?']).next().unwrap_or_default();
                    match self.path(rest, from, false) {
                        Target::Missing => one_of(self.by_dir.get(rest.trim_matches('/'))),
                        found => found,
                    }
                }
            },
            Resolver::Template(template) => {
                let (before, after) = template.split_once("{id}").unwrap_or((template, ""));
                let id = target.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
                id.and_then(|id| self.by_id.get(id)).map_or(Target::Missing, |ix| Target::Found(*ix))
            }
        }
    }

    /// A path from the root or from the folder of the file that names it; `from_folder` asks for the latter first.
    fn path(&self, target: &str, from: &str, from_folder: bool) -> Target {
        let beside =
            || joined(folder(from), target).map_or(Target::Missing, |path| one_of(self.by_path.get(&path)));
        let root = || {
            let clean = joined("", target.trim_start_matches('/'));
            clean.map_or(Target::Missing, |path| one_of(self.by_path.get(&path)))
        };
        let first = if from_folder && !target.starts_with('/') { beside() } else { root() };
        match first {
            Target::Missing if from_folder => root(),
            Target::Missing => beside(),
            found => found,
        }
    }

    /// The nearest folder first, then the shortest path.
    fn stem(&self, target: &str, from: &str) -> Target {
        let target = target.trim_matches('/').to_lowercase();
        let target = target.strip_suffix(".md").unwrap_or(&target);
        let last = target.rsplit('/').next().unwrap_or(target);
        let Some(candidates) = self.by_stem.get(last) else { return Target::Missing };
        let fits = |ix: &&NodeIx| {
            let path = &self.paths[ix.0 as usize];
            path == target || path.strip_suffix(target).is_some_and(|rest| rest.ends_with('/'))
        };
        let fitting: Vec<NodeIx> = candidates.iter().filter(fits).copied().collect();
        if fitting.len() <= 1 {
            return one_of(Some(&fitting));
        }
        let from = folder(from).to_lowercase();
        let rank = |ix: &NodeIx| {
            let path = &self.paths[ix.0 as usize];
            (distance(&from, folder(path)), path.matches('/').count())
        };
        let best = fitting.iter().map(rank).min();
        let nearest: Vec<NodeIx> = fitting.into_iter().filter(|ix| Some(rank(ix)) == best).collect();
        one_of(Some(&nearest))
    }
}

fn is_doorstop(source: &SourceDef) -> bool {
    source.adapter == "doorstop@1"
}

fn one_of(nodes: Option<&Vec<NodeIx>>) -> Target {
    match nodes.map(Vec::as_slice) {
        None | Some([]) => Target::Missing,
        Some([one]) => Target::Found(*one),
        Some(many) => Target::Ambiguous(many.to_vec()),
    }
}

/// How many folders lie between two folders.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<&str>, Vec<&str>) = (segments(left).collect(), segments(right).collect());
    let shared = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
    left.len() + right.len() - 2 * shared
}

/// Looks every target up: links get the ids that they lead to, and edges are made.
pub(super) fn link(
    drafts: &mut [Draft<'_>],
    by_id: &HashMap<String, NodeIx>,
    by_alias: &HashMap<String, Vec<NodeIx>>,
    findings: &mut Findings<'_>,
) -> Linked {
    let contract = findings.contract;
    let names = Names::of(drafts, contract, by_id, by_alias);
    let mut stated: Vec<Vec<Link>> = vec![Vec::new(); drafts.len()];
    let mut turned: Vec<(NodeIx, Link)> = Vec::new();
    let mut mentions: Vec<BTreeSet<(u32, NodeIx)>> = vec![BTreeSet::new(); drafts.len()];
    let mut read = HashMap::new();
    let mut dangling = Vec::new();
    let mut near_left = NEAR_MAX;
    let places: HashMap<&str, u32> =
        contract.relations.iter().zip(0..).map(|(relation, at)| (relation.name.as_str(), at)).collect();
    let relation_ix = |name: &str| places.get(name).copied().unwrap_or_default();
    let default = [Resolver::Id, Resolver::Alias];
    for (at, draft) in drafts.iter().enumerate() {
        let node = &draft.node;
        let options = &contract.sources[draft.source].options;
        let resolvers = if options.resolve.is_empty() { &default[..] } else { &options.resolve[..] };
        let look_up = |target: &str| resolved(&names, resolvers, target, &node.path, &options.id_transform);
        let is_item = is_doorstop(&contract.sources[draft.source]);
        for parsed in &draft.parsed.links {
            let target = match look_up(&parsed.target) {
                Target::Missing if is_item => {
                    one_of(item_key(&parsed.target).and_then(|key| names.by_item.get(&key)))
                }
                found => found,
            };
            let mut link = Link {
                relation: parsed.relation.clone(),
                to: parsed.target.clone(),
                is_resolved: false,
                pin: parsed.pin.clone(),
                note: parsed.note.clone(),
                span: parsed.span,
            };
            match target {
                Target::Found(to) => {
                    link.is_resolved = true;
                    if parsed.is_inverse {
                        link.to = node.id.clone();
                        turned.push((to, link));
                        continue;
                    }
                    link.to = drafts[to.0 as usize].node.id.clone();
                }
                Target::Ambiguous(many) => {
                    let message = format!("the target of `{}` can be several nodes", parsed.relation);
                    let mut finding = about_link(Check::AmbiguousTarget, node, &link, message);
                    finding.related = ids(&many, drafts);
                    findings
                        .add(finding.with_doc(parsed.target.clone()).fix("write the id or a longer path"));
                }
                Target::Missing => {
                    let message = format!("the target of `{}` does not exist", parsed.relation);
                    let mut finding = about_link(Check::DanglingRelation, node, &link, message);
                    if near_left > 0 {
                        near_left -= 1;
                        let near = crate::near::near(&parsed.target, by_id.keys().map(String::as_str), 1);
                        if let Some(near) = near.first() {
                            finding = finding.fix(format!("did you mean `{near}`?"));
                        }
                    }
                    findings.add(finding.with_doc(parsed.target.clone()));
                }
            }
            if !link.is_resolved {
                dangling.push(Dangling {
                    from: ix(at),
                    relation: relation_ix(&parsed.relation),
                    kind: EdgeKind::Relation,
                    target: parsed.target.clone(),
                });
            }
            stated[at].push(link);
        }
        for mention in &draft.parsed.mentions {
            let target = match mention.syntax {
                LinkSyntax::Relative => match names.path(&mention.target, &node.path, true) {
                    Target::Missing => look_up(&mention.target),
                    found => found,
                },
                _ => look_up(&mention.target),
            };
            let relation = relation_ix(&mention.relation);
            match target {
                Target::Found(to) => {
                    read.insert((ix(at), mention.span.start), Some(to));
                    if to != ix(at) {
                        mentions[at].insert((relation, to));
                    }
                }
                Target::Ambiguous(many) => {
                    read.insert((ix(at), mention.span.start), None);
                    let finding = Diagnostic::new(
                        Check::AmbiguousTarget,
                        mention.span.place(&node.path),
                        "the target of a link can be several nodes",
                    );
                    let mut finding = finding.about(node.id.clone()).with_doc(mention.target.clone());
                    finding.related = ids(&many, drafts);
                    findings.add(finding.fix("write a longer path"));
                }
                Target::Missing if is_attachment(mention.syntax, &mention.target) => {}
                Target::Missing => {
                    read.insert((ix(at), mention.span.start), None);
                    let finding = Diagnostic::new(
                        Check::MentionDangling,
                        mention.span.place(&node.path),
                        "the target of a link does not exist",
                    );
                    findings.add(finding.about(node.id.clone()).with_doc(mention.target.clone()));
                    dangling.push(Dangling {
                        from: ix(at),
                        relation,
                        kind: EdgeKind::Mention,
                        target: mention.target.clone(),
                    });
                }
            }
        }
    }
    for (to, link) in turned {
        stated[to.0 as usize].push(link);
    }
    let mut edges = Vec::new();
    for (at, (links, mentioned)) in stated.into_iter().zip(mentions).enumerate() {
        let mut seen: HashSet<(u32, NodeIx)> = HashSet::with_capacity(links.len());
        let mut own: Vec<Edge> = Vec::with_capacity(links.len() + mentioned.len());
        for link in links.iter().filter(|link| link.is_resolved) {
            let Some(to) = by_id.get(&link.to) else { continue };
            let relation = relation_ix(&link.relation);
            if !seen.insert((relation, *to)) {
                let message = format!("`{}` states one target twice", link.relation);
                let mut finding = about_link(Check::DuplicateRelation, &drafts[at].node, link, message);
                finding.related = vec![link.to.clone()];
                findings.add(finding.fix("keep one of the two"));
                continue;
            }
            own.push(Edge {
                from: ix(at),
                to: *to,
                relation,
                kind: EdgeKind::Relation,
                pin: link.pin.clone(),
                suspect: None,
                note: link.note.clone(),
            });
        }
        own.extend(mentioned.into_iter().map(|(relation, to)| Edge {
            from: ix(at),
            to,
            relation,
            kind: EdgeKind::Mention,
            pin: None,
            suspect: None,
            note: None,
        }));
        // The order of one ordered relation is its author's.
        own.sort_by(|left, right| {
            (left.relation, left.kind).cmp(&(right.relation, right.kind)).then_with(|| {
                let is_ordered =
                    contract.relations.get(left.relation as usize).is_some_and(|one| one.ordered);
                if is_ordered { std::cmp::Ordering::Equal } else { left.to.cmp(&right.to) }
            })
        });
        edges.extend(own);
        drafts[at].node.links = links;
    }
    dangling.sort_by(|left, right| {
        (left.from, left.relation, left.kind, &left.target).cmp(&(
            right.from,
            right.relation,
            right.kind,
            &right.target,
        ))
    });
    dangling.dedup();
    Linked { edges, dangling, read }
}

fn resolved(
    names: &Names<'_>,
    resolvers: &[Resolver],
    target: &str,
    from: &str,
    transform: &IdTransform,
) -> Target {
    for resolver in resolvers {
        match names.by(resolver, target, from) {
            Target::Missing => {}
            found => return found,
        }
        // Ids that were given a prefix are written without it.
        if let (Resolver::Id, IdTransform::Prefix(prefix)) = (resolver, transform) {
            match names.by(resolver, &format!("{prefix}{target}"), from) {
                Target::Missing => {}
                found => return found,
            }
        }
    }
    Target::Missing
}

fn ids(nodes: &[NodeIx], drafts: &[Draft<'_>]) -> Vec<String> {
    nodes.iter().take(CANDIDATES_SHOWN).map(|ix| drafts[ix.0 as usize].node.id.clone()).collect()
}

/// A wikilink to a file that is no note: a picture, a table.
fn is_attachment(syntax: LinkSyntax, target: &str) -> bool {
    let last = target.rsplit('/').next().unwrap_or(target);
    let extension = last.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match syntax {
        LinkSyntax::Wikilink | LinkSyntax::Embed => extension.is_some_and(|extension| {
            (1..=8).contains(&extension.len())
                && extension != "md"
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
                && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
        }),
        // Links to files that are no nodes are looked at as paths.
        LinkSyntax::Relative => extension.as_deref() != Some("md"),
        LinkSyntax::Pattern => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_apart_are_counted() {
        assert_eq!(
            (distance("a/b", "a/b"), distance("a/b", "a"), distance("a/b", "c"), distance("", "")),
            (0, 1, 3, 0)
        );
    }

    #[test]
    fn attachments_have_an_extension_of_their_own() {
        for (target, expected) in
            [("pic.png", true), ("a/b.pdf", true), ("note.md", false), ("v1.2", false), ("x", false)]
        {
            assert_eq!(is_attachment(LinkSyntax::Wikilink, target), expected, "{target}");
        }
    }
}
