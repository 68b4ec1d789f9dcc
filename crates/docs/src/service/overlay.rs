//! The served project with some files as they would be after a change, and the bytes that such a change starts from. It
//! writes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use disk::{Links, RelPath};
use fault::Unwatched;

use super::{ProjectService, is_read, manifest_file};
use crate::adapter::read_markdown;
use crate::assemble::{LoadedFile, Parts, assemble};
use crate::contract::{Contract, SourceDef};
use crate::hash::Hash;
use crate::snapshot::Snapshot;

impl Contract {
    /// The source that claims a file.
    pub fn source_of(&self, path: &str) -> Option<&SourceDef> {
        self.sources.iter().find(|source| source.globs.claims(path))
    }
}

impl ProjectService {
    /// The bytes of a source file, if they are still those of the served snapshot.
    pub fn source_bytes(&self, path: &str) -> Option<Vec<u8>> {
        let (hash, limit) = {
            let served = self.served();
            let contract = served.contract.as_ref()?;
            (served.files.get(path)?.file.entry.hash, contract.limits.max_file_bytes)
        };
        let rel = RelPath::parse(path).ok()?;
        let file = self.root.root().open_file(&rel, Links::Refuse, limit).ok()?;
        let bytes = file.read(limit, &Unwatched).ok()?.bytes;
        (Hash::of(&[&bytes]) == hash).then_some(bytes)
    }

    /// The served project with other bytes in some files; `None` takes a file away. Only files of writable sources are
    /// looked at. Nothing when nothing is served.
    pub fn overlay(&self, changed: &BTreeMap<String, Option<Vec<u8>>>) -> Option<Snapshot> {
        let served = self.served();
        let contract = Arc::clone(served.contract.as_ref()?);
        served.snapshot.as_ref()?;
        let kept =
            served.files.iter().filter(|(path, _)| !changed.contains_key(*path)).map(|(_, known)| known);
        let mut findings = served.names.clone();
        let mut files: Vec<Arc<LoadedFile>> = Vec::new();
        for known in kept {
            findings.extend(known.trouble.clone());
            if is_read(known) {
                files.push(Arc::clone(&known.file));
            }
        }
        if let Some((hash, size)) = served.pinned {
            files.push(Arc::new(manifest_file(hash, size)));
        }
        drop(served);
        for (path, bytes) in changed {
            if let (Some(bytes), Some(source)) = (bytes, contract.source_of(path)) {
                files.push(Arc::new(read_markdown(&contract, source, path, bytes)));
            }
        }
        let exists = |path: &str| match changed.get(path) {
            Some(bytes) => bytes.is_some(),
            None => self.exists(path),
        };
        Some(assemble(Parts {
            contract: Arc::clone(&contract),
            files: &files,
            diagnostics: findings,
            exists: &exists,
            adapter_prefix: String::new(),
        }))
    }
}
