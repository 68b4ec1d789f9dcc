//! The contents of a selection: every file read and prepared on a few threads, handed over in order. It does not
//! know what they are for.

use std::sync::{Mutex, PoisonError};

use content::{CleanTexts, PrepareRequest};
use disk::Root;
use fault::{Failure, Phase, Stop, Watch};
use redact::{Policy, Stacks};
use reduce::Wanted;
use select::{SelectedFile, Selection};

use crate::read::{FileContent, read};
use crate::session::Session;

/// Prepared text that a second pass may find still in memory, in bytes.
const KEPT_BYTES_MAX: usize = 32 * 1024 * 1024;

/// The contents of one selection under one policy.
pub(crate) struct Contents<'a> {
    root: &'a Root,
    files: &'a [SelectedFile],
    policy: &'a Policy,
    wanted: Wanted,
    clean: Option<&'a CleanTexts>,
    kept: Vec<Mutex<Option<FileContent>>>,
}

impl<'a> Contents<'a> {
    pub(crate) fn new(
        session: &'a Session,
        root: &'a Root,
        selection: &'a Selection,
        wanted: Wanted,
    ) -> Self {
        let (policy, clean) = (&session.policy, session.clean_texts());
        Contents { root, files: &selection.files, policy, wanted, clean, kept: Vec::new() }
    }

    /// Hands over every file in ordinal order. What an earlier pass kept is not read again.
    pub(crate) fn in_order<E: From<Failure>>(
        &self,
        watch: &dyn Watch,
        mut consume: impl FnMut(usize, &'a SelectedFile, FileContent) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut index = 0;
        self.map_in_order(
            watch,
            |content| content,
            FileContent::len_bytes,
            |file, content| {
                index += 1;
                consume(index - 1, file, content)
            },
        )
    }

    /// As [`Contents::in_order`], with `map` applied on the thread that read the file. `weigh` tells how many bytes
    /// its result keeps in memory.
    pub(crate) fn map_in_order<T: Send, E: From<Failure>>(
        &self,
        watch: &dyn Watch,
        map: impl Fn(FileContent) -> T + Sync,
        weigh: impl Fn(&T) -> usize + Sync,
        mut consume: impl FnMut(&'a SelectedFile, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let total = self.files.len() as u64;
        watch.step(Phase::Scanned, total, total);
        let work = |index: usize| {
            watch.check()?;
            let kept = self.kept.get(index);
            let kept = kept.and_then(|kept| kept.lock().unwrap_or_else(PoisonError::into_inner).take());
            let content = match kept {
                Some(content) => content,
                None => self.read(&self.files[index], watch)?,
            };
            Ok(map(content))
        };
        let weigh = |mapped: &Result<T, Stop>| mapped.as_ref().map_or(0, &weigh);
        content::in_order(self.files.len(), work, weigh, |index, mapped: Result<T, Stop>| {
            consume(&self.files[index], mapped.map_err(Failure::from)?)?;
            watch.step(Phase::Transforming, index as u64 + 1, total);
            Ok(())
        })
    }

    /// Keeps a prepared file for a second pass, as far as there is room.
    pub(crate) fn keep(&mut self, contents: Vec<Option<FileContent>>) {
        self.kept = contents.into_iter().map(Mutex::new).collect();
    }

    /// Whether a file may be kept for a second pass; counts it when it may.
    pub(crate) fn has_room(kept_bytes: &mut usize, content: &FileContent) -> bool {
        let bytes = content.len_bytes();
        let has_room = *kept_bytes + bytes <= KEPT_BYTES_MAX;
        if has_room {
            *kept_bytes += bytes;
        }
        has_room
    }

    fn read(&self, file: &SelectedFile, watch: &dyn Watch) -> Result<FileContent, Stop> {
        let address = file.path.to_address();
        let request = PrepareRequest {
            path: &address,
            stacks: Stacks::from_bits(file.stack_bits),
            policy: self.policy,
            wanted: self.wanted,
            clean: self.clean,
        };
        read(self.root, &file.path, &request, watch)
    }
}
