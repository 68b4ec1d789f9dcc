//! What each file becomes, with its hash before and after (spec C10.10). It writes nothing.

use disk::RelPath;
use docs::{Contract, Hash, MANIFEST_NAME};
use propose::{ChangesetId, utc};
use serde_json::{Value, json};

use crate::documents::Documents;
use crate::faults::{ApplyFault, ApplyProblem};
use crate::review::Review;
use crate::workshop::Workshop;

/// Bytes of a document that are read.
pub(crate) const FILE_BYTES_MAX: u64 = docs::Limits::CEILING.max_file_bytes;

/// One file that changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    /// Where, project-relative.
    pub path: String,
    /// The bytes now; nothing when it is new.
    pub before: Option<Vec<u8>>,
    /// The bytes then; nothing when it goes.
    pub after: Option<Vec<u8>>,
    /// The permission bits that it has and keeps; nothing for a new file, which gets those of the umask.
    pub mode: Option<u32>,
}

/// Everything that a run does.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The changeset.
    pub changeset: ChangesetId,
    /// Its version: what came later is not applied.
    pub version: u32,
    /// The nodes whose entries are applied.
    pub ids: Vec<String>,
    /// Whether these are all.
    pub is_whole: bool,
    /// The files, by path.
    pub files: Vec<PlannedFile>,
    /// Folders that are made, the outermost first.
    pub folders: Vec<String>,
    /// Who, when, and the hashes before and after: what is kept with the changeset.
    pub outcome: Value,
}

impl Plan {
    /// Plans a review that may be applied.
    ///
    /// # Errors
    /// [`ApplyProblem::Conflict`] when something stands in the way, [`ApplyProblem::Io`].
    pub(crate) fn of(shop: &Workshop<'_>, review: &Review, who: &str) -> Result<Plan, ApplyFault> {
        let case = &review.case;
        let contract = review.snapshot.contract();
        let mut files = Vec::new();
        let mut folders: Vec<String> = Vec::new();
        for (path, change) in &case.overlay.files {
            // Only documents of a source that may be written are ever changed, whatever a changeset says.
            if !may_change(contract, path) {
                let message = "The changeset would change a file that no writable source includes.";
                return Err(ApplyFault::new(ApplyProblem::Conflict, message).about([path.clone()]));
            }
            let size =
                change.after.as_ref().map_or(0, |bytes| u64::try_from(bytes.len()).unwrap_or(u64::MAX));
            if size > contract.limits.max_file_bytes {
                let message = "A file would be larger than the project allows.";
                return Err(ApplyFault::new(ApplyProblem::Conflict, message).about([path.clone()]));
            }
            let kept = change.renamed_from.as_ref().unwrap_or(path);
            files.push(PlannedFile {
                path: path.clone(),
                before: change.before.clone(),
                after: change.after.clone(),
                mode: mode_of(shop.documents, kept)?,
            });
            if change.after.is_some()
                && let Some(parent) = rel(path)?.parent()
            {
                for folder in shop.documents.missing_folders(&parent)? {
                    let folder = folder.as_str().unwrap_or_default().to_owned();
                    if !folders.contains(&folder) {
                        folders.push(folder);
                    }
                }
            }
        }
        let hash = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| Hash::of(&[bytes]).to_string());
        let listed: Vec<Value> = files
            .iter()
            .map(
                |file| json!({ "path": file.path, "before": hash(&file.before), "after": hash(&file.after) }),
            )
            .collect();
        let state = |snapshot: &docs::Snapshot| json!({ "revision": snapshot.revision(), "source_hash": snapshot.source_hash().to_string() });
        let details = json!({
            "version": case.stored.log.version(),
            "diff_hash": review.diff_hash.to_string(),
            "before": state(&review.snapshot),
            "after": case.overlay.snapshot.as_ref().map(state),
            "files": listed,
        });
        Ok(Plan {
            changeset: case.stored.log.header.id.clone(),
            version: case.stored.log.version(),
            ids: case.entries.keys().cloned().collect(),
            is_whole: review.is_whole,
            files,
            folders,
            outcome: json!({ "who": who, "when": utc(shop.now), "details": details }),
        })
    }
}

/// Whether a path is that of a document that may be changed.
pub(crate) fn may_change(contract: &Contract, path: &str) -> bool {
    let is_gits = |name: &str| name.eq_ignore_ascii_case(".git");
    path != MANIFEST_NAME
        && !path.split('/').any(is_gits)
        && contract.source_of(path).is_some_and(|source| source.write)
}

/// The permission bits of a file that is there.
fn mode_of(documents: &Documents, path: &str) -> Result<Option<u32>, ApplyFault> {
    Ok(documents.folder.read(&rel(path)?, FILE_BYTES_MAX)?.map(|file| file.mode))
}

/// The path of a document below the root.
pub(crate) fn rel(path: &str) -> Result<RelPath, ApplyFault> {
    RelPath::parse(path)
        .map_err(|fault| ApplyFault::new(ApplyProblem::Io, format!("A path cannot be used: {fault}.")))
}
