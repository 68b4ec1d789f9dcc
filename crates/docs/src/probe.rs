//! What the fuzz targets reach and no caller should build on: two readers without the disk around them. It reads nothing
//! that the public interface does not read.

use crate::adapter;
use crate::contract::{Contract, SourceDef};
use crate::parsed::{FileText, ParsedFile};
use crate::place::Lines;
use crate::tree::{Span, Tree};
use crate::yaml;

/// Reads the YAML subset; `None` for a text without a value.
///
/// # Errors
/// Where the text stops being read.
pub fn parse_yaml(text: &str) -> Result<Option<Tree>, Span> {
    yaml::parse(text, 0, text.len(), &Lines::of(text)).map_err(|fault| fault.span)
}

/// Reads a file as the adapter of `source` does.
pub fn parse_file(contract: &Contract, source: &SourceDef, file: &FileText) -> ParsedFile {
    adapter::parse(source, contract, file)
}
