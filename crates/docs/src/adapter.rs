//! The fixed registry of adapters: pure functions from the text of a file to its nodes (spec C5). None of them opens a
//! file or runs anything.

/// Options of one source, checked against the closed schema of its adapter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdapterOptions {}
