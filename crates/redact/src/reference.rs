//! The table of all rules for the reference page. It runs none of them.

use std::sync::LazyLock;

use crate::rules::TABLES;

/// Which part of detection a rule belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// File shapes, URLs, connection strings and private keys.
    Structured,
    /// Published token formats.
    Provider,
    /// Assignments to names that speak of secrets.
    Generic,
    /// Data about people and machines, only with `--hide-private-data`.
    PrivateData,
}

/// One row of the reference page.
#[derive(Clone, Copy, Debug)]
pub struct RuleEntry {
    /// The id, as placeholders show it.
    pub id: &'static str,
    /// What it finds.
    pub title: &'static str,
    /// Its tier.
    pub tier: Tier,
}

const OWN: &[(&str, &str, Tier)] = &[
    ("private-key", "Private key in PEM or similar armour", Tier::Structured),
    ("credential-uri-password", "Password in the authority of a URL", Tier::Structured),
    ("connection-password", "Password of a connection string", Tier::Structured),
    ("environment-secret", "Sensitive setting of an environment file", Tier::Structured),
    ("config-secret", "Sensitive setting of a configuration file", Tier::Structured),
    ("container-secret", "Sensitive setting of a container file", Tier::Structured),
    ("authorization-bearer", "Bearer credential of a request file", Tier::Structured),
    ("authorization-basic", "Basic credential of a request file", Tier::Structured),
    ("authorization-token", "Token credential of a request file", Tier::Structured),
    ("http-cookie", "Cookie of a request file", Tier::Structured),
    ("pgpass-password", "Password of a PostgreSQL password file", Tier::Structured),
    ("netrc-password", "Password of a netrc file", Tier::Structured),
];

/// Every rule: by tier, then in the order of the tables.
pub static RULES: LazyLock<Vec<RuleEntry>> = LazyLock::new(|| {
    let own = OWN.iter().map(|&(id, title, tier)| RuleEntry { id, title, tier });
    let provider = TABLES.iter().flat_map(|table| table.iter()).map(|rule| RuleEntry {
        id: rule.id,
        title: rule.title,
        tier: Tier::Provider,
    });
    let private =
        crate::private::KINDS.iter().map(|&(id, title)| RuleEntry { id, title, tier: Tier::PrivateData });
    let mut all: Vec<RuleEntry> = own.chain(provider).chain(private).collect();
    all.sort_by_key(|entry| entry.tier);
    all
});
