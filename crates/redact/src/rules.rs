//! The list of all provider rule tables. It knows no format itself: each table is one family of providers.

pub(crate) mod ai;
pub(crate) mod allow;
pub(crate) mod builds;
pub(crate) mod check;
pub(crate) mod cloud;
pub(crate) mod code_hosting;
pub(crate) mod commerce;
pub(crate) mod content;
pub(crate) mod data;
pub(crate) mod finance;
pub(crate) mod hyperscalers;
pub(crate) mod identity;
pub(crate) mod infrastructure;
pub(crate) mod keyed;
pub(crate) mod keys;
pub(crate) mod mail;
pub(crate) mod messaging;
pub(crate) mod monitoring;
pub(crate) mod office;
pub(crate) mod packages;
pub(crate) mod payments;
pub(crate) mod social;

use crate::rule::Rule;

/// Every table, in the order of the reference page. On the same text, the earlier rule wins a tie.
pub(crate) const TABLES: &[&[Rule]] = &[
    code_hosting::RULES,
    builds::RULES,
    packages::RULES,
    ai::RULES,
    hyperscalers::RULES,
    cloud::RULES,
    infrastructure::RULES,
    identity::RULES,
    social::RULES,
    keys::RULES,
    payments::RULES,
    finance::RULES,
    commerce::RULES,
    messaging::RULES,
    mail::RULES,
    monitoring::RULES,
    data::RULES,
    office::RULES,
    content::RULES,
];
