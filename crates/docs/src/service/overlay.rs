//! The served project with some files as they would be after a change, and the bytes that such a change starts from. It
//! writes nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use disk::{Links, RelPath};
use fault::Unwatched;

use super::{ProjectService, is_read, manifest_file};
use crate::adapter::read_markdown;
use crate::assemble::{LoadedFile, Parts, assemble_after};
use crate::contract::{Contract, SourceDef};
use crate::diagnose::Diagnostic;
use crate::hash::Hash;
use crate::model::NodeIx;
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
        let base = self.base(&|path| changed.contains_key(path))?;
        let read = changed.iter().filter_map(|(path, bytes)| {
            let source = base.contract.source_of(path)?;
            Some(Arc::new(read_markdown(&base.contract, source, path, bytes.as_ref()?)))
        });
        let files = base.files.iter().cloned().chain(read).collect();
        Some(self.put_together(base, files, &|path| changed.get(path).map(Option::is_some)))
    }

    /// The served project without some nodes, which need not lie in a writable source; a file that holds no other goes
    /// with them. Nothing when nothing is served.
    pub fn without(&self, snapshot: &Snapshot, nodes: &[NodeIx]) -> Option<Snapshot> {
        let mut gone: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for node in nodes.iter().map(|ix| snapshot.node(*ix)) {
            gone.entry(&node.path).or_default().push(node.ordinal);
        }
        let ids: Vec<&str> = nodes.iter().map(|ix| snapshot.node(*ix).id.as_str()).collect();
        let mut base = self.base(&|_| false)?;
        let mut emptied: Vec<String> = Vec::new();
        let files = std::mem::take(&mut base.files).into_iter().filter_map(|file| {
            let Some(ordinals) = gone.get(file.entry.path.as_str()) else { return Some(file) };
            let mut rest = LoadedFile::clone(&file);
            rest.parsed.nodes.retain(|node| !ordinals.contains(&node.ordinal));
            rest.parsed.diagnostics.retain(|one| !one.node.as_deref().is_some_and(|id| ids.contains(&id)));
            if rest.parsed.nodes.is_empty() {
                emptied.push(file.entry.path.clone());
                return None;
            }
            Some(Arc::new(rest))
        });
        let files: Vec<Arc<LoadedFile>> = files.collect();
        let is_there = |path: &str| emptied.iter().any(|gone| gone == path).then_some(false);
        Some(self.put_together(base, files, &is_there))
    }

    /// What is served, apart from some files.
    fn base(&self, is_left_out: &dyn Fn(&str) -> bool) -> Option<Base> {
        let served = self.served();
        let contract = Arc::clone(served.contract.as_ref()?);
        let before = Arc::clone(served.snapshot.as_ref()?);
        let kept = served.files.iter().filter(|(path, _)| !is_left_out(path)).map(|(_, known)| known);
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
        Some(Base { contract, before, findings, files })
    }

    fn put_together(
        &self,
        base: Base,
        files: Vec<Arc<LoadedFile>>,
        is_there: &dyn Fn(&str) -> Option<bool>,
    ) -> Snapshot {
        let exists = |path: &str| is_there(path).unwrap_or_else(|| self.exists(path));
        let parts = Parts {
            contract: base.contract,
            files: &files,
            diagnostics: base.findings,
            exists: &exists,
            adapter_prefix: String::new(),
        };
        assemble_after(parts, Some(&base.before))
    }
}

/// What another state of the project starts from.
struct Base {
    contract: Arc<Contract>,
    before: Arc<Snapshot>,
    findings: Vec<Diagnostic>,
    files: Vec<Arc<LoadedFile>>,
}
