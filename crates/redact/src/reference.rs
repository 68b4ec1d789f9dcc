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
    /// Templates of texts in which a provider rule finds one value; see [`crate::sample`].
    pub samples: &'static [&'static str],
    /// Templates of texts in which a provider rule finds nothing.
    pub misses: &'static [&'static str],
    /// Ends of paths to which a provider rule is limited; empty for any file.
    pub paths: &'static [&'static str],
}

impl RuleEntry {
    const fn plain(id: &'static str, title: &'static str, tier: Tier) -> RuleEntry {
        RuleEntry { id, title, tier, samples: &[], misses: &[], paths: &[] }
    }
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
    ("generic-secret", "Password or secret given to a name that speaks of one", Tier::Generic),
    ("generic-api-key", "Random value given to a name that speaks of a key or token", Tier::Generic),
];

/// Every rule: by tier, then in the order of the tables.
pub static RULES: LazyLock<Vec<RuleEntry>> = LazyLock::new(|| {
    let own = OWN.iter().map(|&(id, title, tier)| RuleEntry::plain(id, title, tier));
    let provider = TABLES.iter().flat_map(|table| table.iter()).map(|rule| RuleEntry {
        id: rule.id,
        title: rule.title,
        tier: Tier::Provider,
        samples: rule.samples,
        misses: rule.misses,
        paths: rule.paths,
    });
    let private =
        crate::private::KINDS.iter().map(|&(id, title)| RuleEntry::plain(id, title, Tier::PrivateData));
    let mut all: Vec<RuleEntry> = own.chain(provider).chain(private).collect();
    all.sort_by_key(|entry| entry.tier);
    all
});
