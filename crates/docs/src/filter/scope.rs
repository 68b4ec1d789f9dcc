//! The names that a filter may use: what the contract declares, with the types of the fields. It holds no node.

use std::collections::BTreeMap;

use crate::contract::{Contract, FieldType, TypeDef, UnknownFields};

/// The names that a filter may use.
#[derive(Clone, Debug, Default)]
pub struct FilterScope {
    pub(super) types: Vec<String>,
    /// In contract order.
    pub(super) relations: Vec<String>,
    pub(super) sources: Vec<String>,
    /// Every declaration of a field name, over all types.
    pub(super) fields: BTreeMap<String, Vec<FieldKind>>,
    /// Whether some type keeps undeclared keys as text.
    pub(super) keeps_unknown: bool,
}

/// One declaration of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldKind {
    pub(super) kind: FieldType,
    pub(super) list: bool,
    pub(super) values: Vec<String>,
}

impl FilterScope {
    /// The names of a contract.
    pub fn of(contract: &Contract) -> FilterScope {
        let relations = contract.relations.iter().map(|one| one.name.clone()).collect();
        let sources = contract.sources.iter().map(|one| one.id.clone()).collect();
        FilterScope::new(&contract.types, relations, sources)
    }

    /// The names of a contract that is being put together; `relations` in contract order.
    pub(crate) fn new(types: &[TypeDef], relations: Vec<String>, sources: Vec<String>) -> FilterScope {
        let mut fields: BTreeMap<String, Vec<FieldKind>> = BTreeMap::new();
        for field in types.iter().flat_map(|one| &one.fields) {
            let kind = FieldKind { kind: field.kind, list: field.list, values: field.values.clone() };
            let known = fields.entry(field.name.clone()).or_default();
            if !known.contains(&kind) {
                known.push(kind);
            }
        }
        FilterScope {
            types: types.iter().map(|one| one.name.clone()).collect(),
            relations,
            sources,
            fields,
            keeps_unknown: types.iter().any(|one| one.unknown_fields != UnknownFields::Error),
        }
    }
}
