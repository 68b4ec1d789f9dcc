//! The page of redaction rules.

use std::fmt::Write as _;

use redact::{RULES, Tier};

use super::cell;
use crate::workspace::Workspace;

/// Every rule by tier, with the name that its placeholder shows.
pub(super) fn page(_workspace: &Workspace) -> String {
    let mut out = String::from(
        "# What is redacted\n\nA value that a rule finds is replaced by `REDACTED[rule#n]`; `n` counts the distinct values of that rule in one\n\
         output. Detection is heuristic: read a pack before you publish it.\n",
    );
    let tiers = [
        (
            Tier::Structured,
            "By place",
            "Found by where the value stands: settings, addresses with a password, key files. On in every call.",
        ),
        (
            Tier::Provider,
            "By format",
            "Found by the published format of a provider's token. On in every call.",
        ),
        (Tier::Generic, "By name", "Found by the name that the value is assigned to. On in every call."),
        (
            Tier::PrivateData,
            "Private data",
            "Only when the server or command was started with `--hide-private-data`.",
        ),
    ];
    for (tier, title, says) in tiers {
        let rules: Vec<_> = RULES.iter().filter(|rule| rule.tier == tier).collect();
        if rules.is_empty() {
            continue;
        }
        write!(
            out,
            "\n## {title}\n\n{says}\n\n{} rules.\n\n| rule | what it finds |\n|---|---|\n",
            rules.len()
        )
        .ok();
        for rule in rules {
            writeln!(out, "| `{}` | {} |", rule.id, cell(rule.title)).ok();
        }
    }
    out
}
