//! Reads and parses claimed files, a few at a time. A file that cannot be read costs itself alone.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use disk::{Links, OpenFault, ReadFault, RelPath, Root};
use fault::{Stop, Watch};

use super::{Claim, Files, Known, Stamp};
use crate::adapter;
use crate::assemble::LoadedFile;
use crate::contract::Contract;
use crate::diagnose::{Check, Diagnostic, Place};
use crate::hash::Hash;
use crate::parsed::{FileText, ParsedFile};
use crate::place::Lines;
use crate::snapshot::FileEntry;
use crate::tree::Span;

/// Threads that read and parse.
const THREADS_MAX: usize = 4;
/// Files for which a further thread is worth its start.
const FILES_PER_THREAD: usize = 16;

/// Reads every claim. A file whose bytes are those of `before` keeps what was parsed.
///
/// # Errors
/// The stop that `watch` reported.
pub(crate) fn read(
    root: &Root,
    contract: &Contract,
    claims: &[Claim],
    before: &Files,
    watch: &dyn Watch,
) -> Result<HashMap<String, Known>, Stop> {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = cores.min(THREADS_MAX).min(claims.len().div_ceil(FILES_PER_THREAD)).max(1);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(HashMap::with_capacity(claims.len()));
    let work = || -> Result<(), Stop> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(claim) = claims.get(at) else { return Ok(()) };
            watch.check()?;
            let known = one(root, contract, claim, before.get(&claim.path), watch)?;
            done.lock().unwrap_or_else(PoisonError::into_inner).insert(claim.path.clone(), known);
        }
    };
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut ended = work();
        for helper in helpers {
            let joined = helper.join().unwrap_or(Ok(()));
            ended = ended.and(joined);
        }
        ended
    })?;
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Where a text that is not valid UTF-8 ceases to be.
fn first_wrong_byte(bytes: &[u8]) -> Span {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    Lines::of(valid).span(valid.len()..valid.len())
}

fn one(
    root: &Root,
    contract: &Contract,
    claim: &Claim,
    before: Option<&Known>,
    watch: &dyn Watch,
) -> Result<Known, Stop> {
    let read_at = SystemTime::now();
    let source = &contract.sources[claim.source];
    let most = contract.limits.max_file_bytes;
    let entry = |size: u64, hash: Hash| FileEntry {
        path: claim.path.clone(),
        size,
        hash,
        source: Some(source.id.clone()),
    };
    let refused = |check: Check, message: String, fix: &str| Known {
        stamp: claim.stamp,
        read_at,
        file: Arc::new(LoadedFile {
            entry: entry(claim.stamp.size, Hash::of(&[])),
            parsed: ParsedFile { is_quarantined: true, ..ParsedFile::default() },
            beside: Vec::new(),
        }),
        trouble: Some(Diagnostic::new(check, Place::file(&claim.path), message).fix(fix)),
    };
    let unreadable =
        || refused(Check::Unreadable, "the file cannot be read".to_owned(), "check its permissions");
    let too_large = || {
        let message = format!("the file has more than {most} bytes");
        refused(Check::FileTooLarge, message, "split it, or exclude it")
    };
    let Ok(path) = RelPath::parse(&claim.path) else { return Ok(unreadable()) };
    let file = match root.open_file(&path, Links::Refuse, most) {
        Ok(file) => file,
        Err(OpenFault::TooLarge { .. }) => return Ok(too_large()),
        Err(_) => return Ok(unreadable()),
    };
    let stamp = Stamp::of(file.stat());
    let bytes = match file.read(most, watch) {
        Ok(read) => read.bytes,
        Err(ReadFault::TooLarge) => return Ok(too_large()),
        Err(ReadFault::Stopped(stop)) => return Err(stop),
        Err(_) => return Ok(unreadable()),
    };
    let entry = entry(bytes.len() as u64, Hash::of(&[&bytes]));
    if let Some(before) = before
        && before.file.entry == entry
        && before.trouble.is_none()
        && adapter::sibling(source).is_none()
    {
        return Ok(Known { stamp, read_at, file: Arc::clone(&before.file), trouble: None });
    }
    let text_bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let bom_bytes = bytes.len() - text_bytes.len();
    let Ok(text) = std::str::from_utf8(text_bytes) else {
        let place = first_wrong_byte(text_bytes).place(&claim.path);
        let mut known = refused(
            Check::EncodingInvalid,
            "the file is not valid UTF-8".to_owned(),
            "save it as UTF-8, or exclude it",
        );
        if let Some(trouble) = &mut known.trouble {
            trouble.place = place;
        }
        known.stamp = stamp;
        known.file = Arc::new(LoadedFile {
            entry,
            parsed: ParsedFile { is_quarantined: true, ..ParsedFile::default() },
            beside: Vec::new(),
        });
        return Ok(known);
    };
    let mut siblings = Vec::new();
    let mut beside = Vec::new();
    if let Some(name) = adapter::sibling(source)
        && let Some((text, entry)) = sibling(root, &path, name, most, watch)?
    {
        siblings.push((name.to_owned(), text));
        beside.push(entry);
    }
    let file = FileText { path: claim.path.clone(), text: Arc::from(text), bom_bytes, siblings };
    let parsed = adapter::parse(source, contract, &file);
    Ok(Known { stamp, read_at, file: Arc::new(LoadedFile { entry, parsed, beside }), trouble: None })
}

/// The text of a plain file beside `path`, with its entry; nothing when it is not there or is no text.
fn sibling(
    root: &Root,
    path: &RelPath,
    name: &str,
    most: u64,
    watch: &dyn Watch,
) -> Result<Option<(Arc<str>, FileEntry)>, Stop> {
    let beside = path.parent().unwrap_or_else(RelPath::root).join(name.as_bytes());
    let Ok(file) = root.open_file(&beside, Links::Refuse, most) else { return Ok(None) };
    let bytes = match file.read(most, watch) {
        Ok(read) => read.bytes,
        Err(ReadFault::Stopped(stop)) => return Err(stop),
        Err(_) => return Ok(None),
    };
    let Ok(text) = std::str::from_utf8(&bytes) else { return Ok(None) };
    let Some(shown) = beside.as_str() else { return Ok(None) };
    let entry = FileEntry {
        path: shown.to_owned(),
        size: bytes.len() as u64,
        hash: Hash::of(&[&bytes]),
        source: None,
    };
    Ok(Some((Arc::from(text), entry)))
}
