//! From a selected path to prepared text: opened below its root, classed, decoded, looked at. It does not know
//! what is done with the text.

use content::{Class, PrepareRequest, Prepared, Withheld};
use disk::{Links, OpenFault, OpenFile, ReadFault, RelPath, Root};
use fault::{Stop, Watch};

use crate::limits::INSPECT_BYTES_MAX;

/// How many leading bytes of an oversized file decide whether it is binary.
const SNIFFED_BYTES: usize = 512;

/// What reading a file gave.
pub(crate) enum FileContent {
    /// Text that was inspected and, if asked, reduced.
    Text(Prepared),
    /// No text: the class says why.
    Other(Class),
}

impl FileContent {
    /// Bytes of text that are kept in memory.
    pub(crate) fn len_bytes(&self) -> usize {
        match self {
            FileContent::Text(prepared) => prepared.len_bytes(),
            FileContent::Other(_) => 0,
        }
    }
}

/// Reads and prepares one file. `Err` only when the call was stopped.
pub(crate) fn read(
    root: &Root,
    path: &RelPath,
    request: &PrepareRequest<'_>,
    watch: &dyn Watch,
) -> Result<FileContent, Stop> {
    if path.extension().is_some_and(content::has_binary_extension) {
        return Ok(FileContent::Other(Class::Binary));
    }
    let file = match root.open_file(path, Links::Refuse, u64::MAX) {
        Ok(file) => file,
        Err(fault) => return Ok(FileContent::Other(class_of(fault))),
    };
    if file.stat().size_bytes > INSPECT_BYTES_MAX {
        return Ok(FileContent::Other(class_of_oversized(&file)));
    }
    let bytes = match file.read(INSPECT_BYTES_MAX, watch) {
        Ok(read) => read.bytes,
        Err(ReadFault::TooLarge) => return Ok(FileContent::Other(Class::TooLarge)),
        Err(ReadFault::Unreadable) => return Ok(FileContent::Other(Class::Unreadable)),
        Err(ReadFault::Stopped(stop)) => return Err(stop),
    };
    match content::decode(bytes)
        .map_err(Withheld::Class)
        .and_then(|text| content::prepare(text, request, watch))
    {
        Ok(prepared) => Ok(FileContent::Text(prepared)),
        Err(Withheld::Class(class)) => Ok(FileContent::Other(class)),
        Err(Withheld::Stopped(stop)) => Err(stop),
    }
}

/// A file over the boundary is withheld as text unless its first bytes show that it is none.
fn class_of_oversized(file: &OpenFile) -> Class {
    match file.read_head(SNIFFED_BYTES) {
        // With a mark of a wide encoding, NULs are ordinary.
        Ok(head)
            if !head.starts_with(&[0xFF, 0xFE]) && !head.starts_with(&[0xFE, 0xFF]) && head.contains(&0) =>
        {
            Class::Binary
        }
        Ok(_) => Class::TooLarge,
        Err(_) => Class::Unreadable,
    }
}

fn class_of(fault: OpenFault) -> Class {
    match fault {
        OpenFault::NotFound => Class::Missing,
        OpenFault::Denied => Class::AccessDenied,
        OpenFault::TooLarge { .. } => Class::TooLarge,
        OpenFault::Outside
        | OpenFault::Link
        | OpenFault::NotAFile
        | OpenFault::Special
        | OpenFault::Changed
        | OpenFault::Unreadable => Class::Unreadable,
    }
}
