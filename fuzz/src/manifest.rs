//! The manifest: whatever it says, each finding has its place, and what is accepted is accepted again.

use docs::{Filter, FilterScope, Limits, MANIFEST_NAME, load, writer_policy_hash};

use super::text::assert_finding;

/// Holds `bytes` to it.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let stripped = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let contract = match load(text) {
        Ok(contract) => contract,
        Err(findings) => {
            assert!(!findings.is_empty(), "a refusal says why");
            for finding in &findings {
                assert_finding(finding, stripped);
                assert_eq!(finding.place.path.as_deref(), Some(MANIFEST_NAME));
                assert!(finding.place.line.is_some(), "{finding:?}");
            }
            return;
        }
    };
    let again = load(&format!("{text}\n# a comment\n")).expect("a comment breaks nothing");
    assert_eq!(contract.hash, again.hash, "a comment means nothing");
    let unified = load(&text.replace("\r\n", "\n")).expect("line ends break nothing");
    assert_eq!(contract.types.len(), unified.types.len());
    assert!(!contract.types.is_empty());
    let ceiling = Limits::CEILING;
    assert!(contract.limits.max_nodes <= ceiling.max_nodes && contract.limits.max_depth <= ceiling.max_depth);
    let scope = FilterScope::of(&contract);
    let rules = contract.rules.iter().flat_map(|rule| [&rule.applies, &rule.require]);
    let views = contract.views.iter().filter_map(|view| view.selects.as_ref());
    let writers = contract.writers.iter().filter_map(|writer| writer.applies.as_ref());
    let targets = contract.relations.iter().filter_map(|relation| relation.target_where.as_ref());
    for filter in rules.chain(views).chain(writers).chain(targets) {
        Filter::parse(filter.source(), &scope).expect("a filter that was accepted is accepted again");
    }
    for writer in &contract.writers {
        assert!(!writer.operations.is_empty());
        let _ = writer_policy_hash(writer);
    }
    for relation in &contract.relations {
        let known = |name: &String| contract.type_def(name).is_some();
        assert!(relation.from.iter().all(known) && relation.to.iter().all(known));
    }
    for source in &contract.sources {
        let is_known =
            docs::ADAPTERS.iter().any(|(name, writes)| *name == source.adapter && (*writes || !source.write));
        assert!(is_known);
    }
}
