//! The filter language: parsed, checked against a contract, evaluated on a snapshot (spec C8). It does not know which
//! tool asks.

use std::fmt;

/// A filter that is type-checked against one contract.
#[derive(Clone)]
pub struct Filter {
    source: String,
}

impl Filter {
    /// The text as written.
    pub fn source(&self) -> &str {
        &self.source
    }
}

impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Filter({:?})", self.source)
    }
}
