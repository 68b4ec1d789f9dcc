//! The list of all provider rule tables. It knows no format itself: each table is one family of providers.

pub(crate) mod check;
pub(crate) mod keys;

use crate::rule::Rule;

/// Every table, in the order of the reference page. On the same text, the earlier rule wins a tie.
pub(crate) const TABLES: &[&[Rule]] = &[keys::RULES];
