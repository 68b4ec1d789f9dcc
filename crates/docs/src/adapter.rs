//! The fixed registry of adapters: pure functions from the text of a file to its nodes (spec C5). None of them opens a
//! file or runs anything.

use crate::contract::form::Form;
use crate::contract::{RelationDef, TypeDef};

/// Every adapter as `name@version`, and whether it can write.
pub(crate) const REGISTRY: &[(&str, bool)] =
    &[("markdown@1", true), ("yaml@1", false), ("header@1", false), ("doorstop@1", false)];

/// Options of one source, checked against the closed schema of its adapter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdapterOptions {}

/// Reads the options of `adapter`, one of [`REGISTRY`]. Findings go to the faults of `form`; a key that is not asked for
/// is reported as unknown by the caller.
pub(crate) fn check_options(
    _adapter: &str,
    _form: &Form<'_, '_>,
    _types: &[TypeDef],
    _relations: &[RelationDef],
) -> AdapterOptions {
    AdapterOptions {}
}
