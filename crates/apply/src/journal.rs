//! The journal of a run: what is to become of each file, the bytes that it gets and the bytes that it had, all on the disk
//! before the first document changes (spec C10.10). It appears whole or not at all, and it touches no document.

use disk::{ConfinedFault, RelPath};
use docs::{Hash, canon::canonical};
use propose::ChangesetId;
use serde_json::{Value, json};

use crate::documents::Documents;
use crate::faults::{ApplyFault, ApplyProblem};
use crate::plan::{Plan, PlannedFile};

const SCHEMA: &str = "docforge.apply/1";
/// Bytes of an intent that are read.
const INTENT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Journals and what they hold are for their owner alone.
const PRIVATE: Option<u32> = Some(0o600);

/// One file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IntentFile {
    pub(crate) path: String,
    pub(crate) before: Option<Hash>,
    pub(crate) after: Option<Hash>,
}

/// What a run set out to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Journal {
    pub(crate) changeset: ChangesetId,
    pub(crate) version: u32,
    pub(crate) ids: Vec<String>,
    pub(crate) is_whole: bool,
    pub(crate) files: Vec<IntentFile>,
    pub(crate) folders: Vec<String>,
    pub(crate) outcome: Value,
}

impl Journal {
    /// Keeps everything that a run needs to be finished or undone.
    pub(crate) fn stage(documents: &Documents, plan: &Plan) -> Result<Journal, ApplyFault> {
        let top = documents.journal_folder();
        documents.make_folders(&top, true)?;
        let making = top.join(documents.folder.temporary_name()?.as_bytes());
        let hash = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| Hash::of(&[bytes]));
        let file = |file: &PlannedFile| IntentFile {
            path: file.path.clone(),
            before: hash(&file.before),
            after: hash(&file.after),
        };
        let journal = Journal {
            changeset: plan.changeset.clone(),
            version: plan.version,
            ids: plan.ids.clone(),
            is_whole: plan.is_whole,
            files: plan.files.iter().map(file).collect(),
            folders: plan.folders.clone(),
            outcome: plan.outcome.clone(),
        };
        let staged = journal.write(documents, plan, &making);
        if let Err(fault) = staged {
            // It may have got its name and only the sync failed: no document was touched, so it can go.
            let is_left = !journal.retire(documents) && journal.is_there(documents);
            documents.remove_all(&making);
            let fault = ApplyFault::from(fault);
            return Err(if is_left { ApplyFault::unfinished(&fault) } else { fault });
        }
        Ok(journal)
    }

    fn write(&self, documents: &Documents, plan: &Plan, making: &RelPath) -> Result<(), ConfinedFault> {
        let folder = &documents.folder;
        folder.make_folder(making, true)?;
        for side in [AFTER, BEFORE] {
            folder.make_folder(&making.join(side), true)?;
        }
        for (number, file) in plan.files.iter().enumerate() {
            if let Some(bytes) = &file.after {
                folder.write_new(&making.join(AFTER).join(name(number).as_bytes()), bytes, file.mode)?;
            }
            if let Some(bytes) = &file.before {
                folder.write_new(&making.join(BEFORE).join(name(number).as_bytes()), bytes, file.mode)?;
            }
        }
        folder.write_new(&making.join(b"intent.json"), self.to_text().as_bytes(), PRIVATE)?;
        folder.move_new(making, &self.folder(documents))
    }

    /// Reads the journal of a changeset.
    pub(crate) fn read(documents: &Documents, id: &ChangesetId) -> Result<Journal, ApplyFault> {
        let path = documents.journal_folder().join(id.as_str().as_bytes()).join(b"intent.json");
        let bytes = documents.folder.read(&path, INTENT_BYTES_MAX)?;
        let journal = bytes.and_then(|file| Journal::from_bytes(&file.bytes));
        journal.filter(|journal| journal.changeset == *id).ok_or_else(|| {
            let message = "A journal cannot be read; nothing was changed. Compare its saved files with the documents by \
                           hand, then remove its folder.";
            let place = documents.journal_folder().join(id.as_str().as_bytes()).to_address().into_owned();
            ApplyFault::new(ApplyProblem::RecoveryRequired, message).about([place])
        })
    }

    fn to_text(&self) -> String {
        let text = |hash: Option<Hash>| hash.map(|hash| hash.to_string());
        let files: Vec<Value> = self
            .files
            .iter()
            .map(|file| json!({ "path": file.path, "before": text(file.before), "after": text(file.after) }))
            .collect();
        canonical(&json!({
            "schema": SCHEMA,
            "changeset": self.changeset.as_str(),
            "version": self.version,
            "ids": self.ids,
            "whole": self.is_whole,
            "files": files,
            "folders": self.folders,
            "outcome": self.outcome,
        }))
    }

    fn from_bytes(bytes: &[u8]) -> Option<Journal> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let texts = |key: &str| -> Option<Vec<String>> {
            value.get(key)?.as_array()?.iter().map(|one| one.as_str().map(str::to_owned)).collect()
        };
        if value.get("schema")?.as_str()? != SCHEMA {
            return None;
        }
        let files = value.get("files")?.as_array()?.iter().map(|file| {
            let hash = |key: &str| match file.get(key)? {
                Value::Null => Some(None),
                other => Hash::parse(other.as_str()?).map(Some),
            };
            let path = file.get("path")?.as_str()?.to_owned();
            Some(IntentFile { path, before: hash("before")?, after: hash("after")? })
        });
        Some(Journal {
            changeset: ChangesetId::parse(value.get("changeset")?.as_str()?)?,
            version: u32::try_from(value.get("version")?.as_u64()?).ok()?,
            ids: texts("ids")?,
            is_whole: value.get("whole")?.as_bool()?,
            files: files.collect::<Option<Vec<_>>>()?,
            folders: texts("folders")?,
            outcome: value.get("outcome")?.clone(),
        })
    }

    pub(crate) fn folder(&self, documents: &Documents) -> RelPath {
        documents.journal_folder().join(self.changeset.as_str().as_bytes())
    }

    /// Where the staged bytes of a file lie until they take its place.
    pub(crate) fn staged(&self, documents: &Documents, number: usize) -> RelPath {
        self.folder(documents).join(AFTER).join(name(number).as_bytes())
    }

    /// Where the bytes lie that a file had.
    pub(crate) fn saved(&self, documents: &Documents, number: usize) -> RelPath {
        self.folder(documents).join(BEFORE).join(name(number).as_bytes())
    }

    /// Notes that every document is as it is to be: from here on nothing is undone.
    pub(crate) fn mark_done(&self, documents: &Documents) -> Result<(), ConfinedFault> {
        match documents.folder.write_new(&self.folder(documents).join(DONE), b"", PRIVATE) {
            Ok(()) | Err(ConfinedFault::Taken) => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    /// Whether that was noted.
    pub(crate) fn is_done(&self, documents: &Documents) -> Result<bool, ConfinedFault> {
        Ok(documents.folder.kind(&self.folder(documents).join(DONE))?.is_some())
    }

    /// Takes the journal away, at once for every reader; tells whether it is gone.
    pub(crate) fn retire(&self, documents: &Documents) -> bool {
        let Ok(word) = documents.folder.temporary_name() else { return false };
        let away = documents.journal_folder().join(word.as_bytes());
        let moved = documents.folder.move_new(&self.folder(documents), &away);
        let is_gone = moved.is_ok() || !self.is_there(documents);
        documents.remove_all(&away);
        is_gone
    }

    fn is_there(&self, documents: &Documents) -> bool {
        documents.folder.kind(&self.folder(documents)) != Ok(None)
    }
}

const AFTER: &[u8] = b"after";
const BEFORE: &[u8] = b"before";
const DONE: &[u8] = b"done";

fn name(number: usize) -> String {
    format!("{number:06}")
}
