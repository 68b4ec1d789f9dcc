//! The fixed registry of adapters: pure functions from the text of a file to its nodes (spec C5). None of them opens a
//! file or runs anything.

mod body;
mod links;
mod markdown;
mod node;
mod options;
mod scalar;
mod write;

use crate::contract::{Contract, SourceDef};
use crate::parsed::{FileText, ParsedFile};

pub(crate) use body::canonical;
pub(crate) use links::{has_scheme, percent_decoded};
pub(crate) use node::slug;
pub(crate) use options::check_options;
pub use options::{AdapterOptions, IdFrom, IdTransform, Inline, Resolver, TitleFrom, TypeFrom};
pub use write::{
    EditFault, FileEdit, Insertion, NewNode, NodeEdit, NodePlace, create_file, edit_file, read_markdown,
};

/// Every adapter as `name@version`, and whether it can write.
pub(crate) const REGISTRY: &[(&str, bool)] =
    &[("markdown@1", true), ("yaml@1", false), ("header@1", false), ("doorstop@1", false)];

/// Reads the nodes of a file.
pub(crate) fn parse(source: &SourceDef, contract: &Contract, file: &FileText) -> ParsedFile {
    match source.adapter.as_str() {
        "markdown@1" => markdown::parse(source, contract, file),
        _ => ParsedFile::default(),
    }
}
