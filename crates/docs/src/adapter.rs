//! The fixed registry of adapters: pure functions from the text of a file to its nodes (spec C5). None of them opens a
//! file or runs anything.

mod body;
mod doorstop;
mod header;
mod links;
mod markdown;
mod node;
mod options;
mod record;
mod scalar;
mod write;

use crate::contract::{Contract, SourceDef};
use crate::parsed::{FileText, ParsedFile};

pub use body::canonical;
pub(crate) use doorstop::{ItemKey, item_key};
pub(crate) use links::{has_scheme, percent_decoded};
pub(crate) use options::check_options;
pub use options::{
    AdapterOptions, DoorstopOptions, HeaderOptions, HeaderStyle, IdFrom, IdTransform, Inline, RecordOptions,
    RecordRelation, Resolver, TitleFrom, TypeFrom,
};
pub use write::{
    EditFault, FileEdit, Insertion, NewNode, NodeEdit, NodePlace, create_file, edit_file, read_markdown,
};

/// Every adapter as `name@version`, and whether it can write.
pub const REGISTRY: &[(&str, bool)] =
    &[("markdown@1", true), ("yaml@1", false), ("header@1", false), ("doorstop@1", false)];

/// The plain name of a file beside `path` whose text the adapter needs.
pub(crate) fn sibling(source: &SourceDef) -> Option<&str> {
    match source.adapter.as_str() {
        "yaml@1" => record::sibling(source),
        "doorstop@1" => Some(doorstop::SETTINGS),
        _ => None,
    }
}

/// Reads the nodes of a file.
pub(crate) fn parse(source: &SourceDef, contract: &Contract, file: &FileText) -> ParsedFile {
    match source.adapter.as_str() {
        "header@1" => header::parse(source, contract, file),
        "yaml@1" => record::parse(source, contract, file),
        "doorstop@1" => doorstop::parse(source, contract, file),
        _ => markdown::parse(source, contract, file),
    }
}
