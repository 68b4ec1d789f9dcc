//! Rules for the hosts of source code and packages.

use crate::rule::{Check, Rule};

pub(crate) const RULES: &[Rule] = &[Rule {
    id: "github-pat",
    title: "GitHub personal access token",
    anchors: &["ghp_"],
    pattern: r"\bghp_[0-9A-Za-z]{36}\b",
    after: 40,
    check: Some(Check::Crc32Base62),
    samples: &["token = ghp_{alnum:30}{crc32_base62:6}"],
    misses: &["token = ghp_{alnum:36}", "ghp_{alnum:20}"],
    ..Rule::BASE
}];
