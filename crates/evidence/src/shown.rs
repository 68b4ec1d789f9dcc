//! A file as it may be shown: opened below the root, read from the handle that was looked at, decoded and masked as a
//! whole. What is known of a text is kept for the session and used only while the bytes are the same. It does not know
//! what is searched or shown.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use content::{PrepareRequest, Withheld};
use disk::{Links, OpenFault, ReadFault, RelPath, Root};
use fault::{Stop, Watch};
use redact::{Masked, Policy, Stacks};
use reduce::Wanted;

use crate::limits::FILE_BYTES_MAX;
use crate::policy::Denied;

/// Bytes of texts that are kept with what is known of them: twice what one search reads.
const KEPT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The mark that says UTF-8; it is no part of the first line.
const MARK: &str = "\u{FEFF}";

/// Why a file has no text to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoText {
    /// Its path is not one that is read.
    Denied(Denied),
    NotFound,
    /// The claimed size.
    TooLarge(u64),
    Binary,
    NotUtf8,
    Changed,
    Unreadable,
    Uninspected,
    Stopped(Stop),
}

/// The text of one file.
#[derive(Debug)]
pub(crate) struct Shown {
    raw: String,
    /// The text in which something was found, masked.
    masked: Option<Masked>,
}

impl Shown {
    /// The text as it may be shown.
    pub(crate) fn text(&self) -> &str {
        match &self.masked {
            Some(masked) => masked.text(),
            None => self.raw.strip_prefix(MARK).unwrap_or(&self.raw),
        }
    }

    /// Where placeholders were inserted, in bytes of [`Shown::text`], in order.
    pub(crate) fn inserted(&self) -> &[Range<usize>] {
        self.masked.as_ref().map_or(&[], Masked::inserted)
    }

    /// The inserted placeholders that touch `range`.
    pub(crate) fn inserted_in(&self, range: &Range<usize>) -> &[Range<usize>] {
        let inserted = self.inserted();
        let first = inserted.partition_point(|placeholder| placeholder.end <= range.start);
        let count = inserted[first..].partition_point(|placeholder| placeholder.start < range.end);
        &inserted[first..first + count]
    }
}

/// What the search for secrets gave for a text.
#[derive(Clone, Debug)]
enum Known {
    Shown(Arc<Shown>),
    /// It did not come to an end for this text.
    Uninspected(Arc<str>),
}

impl Known {
    fn raw(&self) -> &str {
        match self {
            Known::Shown(shown) => &shown.raw,
            Known::Uninspected(raw) => raw,
        }
    }
}

#[derive(Debug, Default)]
struct Kept {
    by_path: HashMap<Box<str>, Known>,
    bytes: usize,
}

/// Reads files and remembers what was found in their texts.
#[derive(Debug)]
pub(crate) struct Reader {
    exact: bool,
    kept: Mutex<Kept>,
}

/// What reading one file gave, and how many bytes were read for it.
pub(crate) struct Read {
    pub(crate) bytes: u64,
    pub(crate) outcome: Result<Arc<Shown>, NoText>,
}

impl Reader {
    /// With `exact` nothing is masked.
    pub(crate) fn new(exact: bool) -> Self {
        Reader { exact, kept: Mutex::default() }
    }

    /// The text of the file at `path`, an eligible path below `root`.
    pub(crate) fn read(&self, root: &Root, path: &str, watch: &dyn Watch) -> Read {
        match self.bytes(root, path, watch) {
            Err(no_text) => Read { bytes: 0, outcome: Err(no_text) },
            Ok((bytes, changed)) => {
                let read = bytes.len() as u64;
                let outcome = if changed { Err(NoText::Changed) } else { self.show(bytes, path, watch) };
                Read { bytes: read, outcome }
            }
        }
    }

    /// The bytes of the file, and whether it was written or replaced meanwhile.
    fn bytes(&self, root: &Root, path: &str, watch: &dyn Watch) -> Result<(Vec<u8>, bool), NoText> {
        let path = RelPath::parse(path).map_err(|_| NoText::NotFound)?;
        let file = root.open_file(&path, Links::Refuse, u64::MAX).map_err(of_open)?;
        let before = *file.stat();
        if before.nlink > 1 {
            return Err(NoText::Denied(Denied::MultiLink));
        }
        if before.size_bytes > FILE_BYTES_MAX {
            return Err(NoText::TooLarge(before.size_bytes));
        }
        let read = file.read(FILE_BYTES_MAX, watch).map_err(|fault| match fault {
            // It claimed less when it was opened.
            ReadFault::TooLarge => NoText::Changed,
            ReadFault::Unreadable => NoText::Unreadable,
            ReadFault::Stopped(stop) => NoText::Stopped(stop),
        })?;
        // The name must still stand for the file that was read.
        let is_same = root.stat(&path, Links::Refuse).is_ok_and(|after| after == before);
        Ok((read.bytes, read.changed || !is_same))
    }

    fn show(&self, bytes: Vec<u8>, path: &str, watch: &dyn Watch) -> Result<Arc<Shown>, NoText> {
        if !self.exact
            && let Some(known) = self.kept().by_path.get(path).cloned()
            && known.raw().as_bytes() == bytes
        {
            return match known {
                Known::Shown(shown) => Ok(shown),
                Known::Uninspected(_) => Err(NoText::Uninspected),
            };
        }
        let raw = decoded(bytes)?;
        if self.exact {
            return Ok(Arc::new(Shown { raw, masked: None }));
        }
        let text = raw.strip_prefix(MARK).unwrap_or(&raw).to_owned();
        let request = PrepareRequest {
            path,
            // Every stack's own key words count, so that an answer does not hang on files beside this one.
            stacks: Stacks::from_bits(u8::MAX),
            policy: &Policy { private_data: false },
            wanted: Wanted::none(),
            clean: None,
        };
        match content::prepare(text, &request, watch) {
            Ok(prepared) => {
                let masked = prepared.clean_text().is_none().then(|| prepared.mask_alone());
                let shown = Arc::new(Shown { raw, masked });
                self.keep(path, Known::Shown(Arc::clone(&shown)));
                Ok(shown)
            }
            Err(Withheld::Class(_)) => {
                self.keep(path, Known::Uninspected(raw.into()));
                Err(NoText::Uninspected)
            }
            Err(Withheld::Stopped(stop)) => Err(NoText::Stopped(stop)),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, path: &str, known: Known) {
        let size = |known: &Known| match known {
            Known::Shown(shown) => {
                shown.raw.len() + shown.masked.as_ref().map_or(0, |masked| masked.text().len())
            }
            Known::Uninspected(raw) => raw.len(),
        };
        let mut kept = self.kept();
        kept.bytes += size(&known);
        if let Some(before) = kept.by_path.insert(path.into(), known) {
            kept.bytes -= size(&before);
        }
        if kept.bytes > KEPT_BYTES_MAX {
            *kept = Kept::default();
        }
    }
}

fn of_open(fault: OpenFault) -> NoText {
    match fault {
        OpenFault::NotFound => NoText::NotFound,
        OpenFault::Outside => NoText::Denied(Denied::Elsewhere),
        OpenFault::Link => NoText::Denied(Denied::Link),
        OpenFault::NotAFile => NoText::Denied(Denied::Directory),
        OpenFault::Special => NoText::Denied(Denied::Special),
        OpenFault::TooLarge { size_bytes } => NoText::TooLarge(size_bytes),
        OpenFault::Changed => NoText::Changed,
        OpenFault::Denied | OpenFault::Unreadable => NoText::Unreadable,
    }
}

/// Strict UTF-8 without NUL. A NUL says more than a broken sequence: an executable is binary, not badly encoded.
fn decoded(bytes: Vec<u8>) -> Result<String, NoText> {
    if memchr::memchr(0, &bytes).is_some() {
        return Err(NoText::Binary);
    }
    String::from_utf8(bytes).map_err(|_| NoText::NotUtf8)
}

#[cfg(test)]
mod tests;
