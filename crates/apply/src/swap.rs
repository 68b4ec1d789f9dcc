//! Documents take their new bytes, or get their old ones back, file by file, each looked at right before (spec C10.10). It
//! knows no changeset.

use disk::{ConfinedFault, RelPath};
use docs::Hash;

use crate::documents::Documents;
use crate::faults::{ApplyFault, ApplyProblem};
use crate::journal::{IntentFile, Journal};
use crate::plan::{FILE_BYTES_MAX, rel};

/// How a document stands against a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Before,
    After,
    /// Somebody else wrote to it.
    Otherwise,
}

fn stands(documents: &Documents, file: &IntentFile) -> Result<Stands, ApplyFault> {
    let now = match documents.folder.read(&rel(&file.path)?, FILE_BYTES_MAX) {
        Ok(now) => now.map(|now| Hash::of(&[&now.bytes])),
        Err(ConfinedFault::Gone | ConfinedFault::TooLarge) => return Ok(Stands::Otherwise),
        Err(fault) => return Err(fault.into()),
    };
    Ok(if now == file.after {
        Stands::After
    } else if now == file.before {
        Stands::Before
    } else {
        Stands::Otherwise
    })
}

/// The files with their numbers: those that come or change first, so that no text is ever nowhere.
fn ordered(journal: &Journal) -> impl DoubleEndedIterator<Item = (usize, &IntentFile)> {
    let of =
        |goes: bool| journal.files.iter().enumerate().filter(move |(_, file)| file.after.is_none() == goes);
    of(false).chain(of(true))
}

/// Whether a run can be finished: every document that has not changed yet is as it was, and its new bytes are sound.
pub(crate) fn can_finish(documents: &Documents, journal: &Journal) -> Result<bool, ApplyFault> {
    for (number, file) in ordered(journal) {
        let is_ready = match (stands(documents, file)?, file.after) {
            (Stands::After, _) | (Stands::Before, None) => true,
            (Stands::Before, Some(after)) => is_sound(documents, &journal.staged(documents, number), after)?,
            (Stands::Otherwise, _) => false,
        };
        if !is_ready {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_sound(documents: &Documents, path: &RelPath, hash: Hash) -> Result<bool, ApplyFault> {
    match documents.folder.read(path, FILE_BYTES_MAX) {
        Ok(now) => Ok(now.is_some_and(|now| Hash::of(&[&now.bytes]) == hash)),
        Err(ConfinedFault::Gone | ConfinedFault::TooLarge) => Ok(false),
        Err(fault) => Err(fault.into()),
    }
}

/// Gives every document its new bytes; one that has them already is passed over.
pub(crate) fn forward(documents: &Documents, journal: &Journal) -> Result<(), ApplyFault> {
    for folder in &journal.folders {
        match documents.folder.make_folder(&rel(folder)?, false) {
            Ok(()) | Err(ConfinedFault::Taken) => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    for (number, file) in ordered(journal) {
        match stands(documents, file)? {
            Stands::After => continue,
            Stands::Before => {}
            Stands::Otherwise => return Err(written_meanwhile(file)),
        }
        let path = rel(&file.path)?;
        let staged = journal.staged(documents, number);
        let is_ours = match (file.before, file.after) {
            (None, _) => {
                documents.folder.move_new(&staged, &path)?;
                true
            }
            (Some(before), Some(_)) => take_place(documents, &staged, &path, before)?,
            (Some(before), None) => take_out(documents, &path, &staged, before)?,
        };
        if !is_ours {
            return Err(written_meanwhile(file));
        }
    }
    Ok(())
}

fn written_meanwhile(file: &IntentFile) -> ApplyFault {
    let message = "A document was changed by somebody else while the changeset was applied.";
    ApplyFault::new(ApplyProblem::Conflict, message).about([file.path.clone()])
}

/// Puts `new` in the place of a document. What stood there is looked at once more when nobody can write to its name any
/// longer: when it is not what was expected, it is put back, and this is false.
fn take_place(
    documents: &Documents,
    new: &RelPath,
    path: &RelPath,
    expected: Hash,
) -> Result<bool, ApplyFault> {
    let is_kept = documents.folder.move_over(new, path)?;
    if is_kept && !is_sound(documents, new, expected)? {
        documents.folder.move_over(new, path)?;
        return Ok(false);
    }
    Ok(true)
}

/// Takes a document away to the free name `away`, in the same way.
fn take_out(
    documents: &Documents,
    path: &RelPath,
    away: &RelPath,
    expected: Hash,
) -> Result<bool, ApplyFault> {
    documents.folder.move_new(path, away)?;
    if !is_sound(documents, away, expected)? {
        documents.folder.move_new(away, path)?;
        return Ok(false);
    }
    Ok(true)
}

/// Gives every document that has changed its old bytes again. What somebody else wrote to meanwhile is left as it is and
/// told.
pub(crate) fn back(documents: &Documents, journal: &Journal) -> Result<Vec<String>, ApplyFault> {
    let mut left = Vec::new();
    for (number, file) in ordered(journal).rev() {
        match stands(documents, file)? {
            Stands::Before => continue,
            Stands::After => {}
            Stands::Otherwise => {
                left.push(file.path.clone());
                continue;
            }
        }
        let path = rel(&file.path)?;
        let (saved, staged) = (journal.saved(documents, number), journal.staged(documents, number));
        let is_ours = match (file.before, file.after) {
            (None, None) => true,
            (None, Some(after)) => {
                // Somebody else may have made the very same file, and then ours still lies there.
                if documents.folder.kind(&staged)?.is_some() {
                    documents.folder.remove(&staged)?;
                }
                take_out(documents, &path, &staged, after)?
            }
            (Some(before), after) => {
                if !is_sound(documents, &saved, before)? {
                    let message =
                        "The saved bytes of a document are gone or damaged, so it cannot be put back.";
                    return Err(ApplyFault::new(ApplyProblem::Io, message).about([file.path.clone()]));
                }
                match after {
                    Some(after) => take_place(documents, &saved, &path, after)?,
                    None => {
                        if let Some(parent) = path.parent() {
                            documents.make_folders(&parent, false)?;
                        }
                        documents.folder.move_new(&saved, &path)?;
                        true
                    }
                }
            }
        };
        if !is_ours {
            left.push(file.path.clone());
        }
    }
    for folder in journal.folders.iter().rev() {
        match documents.folder.remove(&rel(folder)?) {
            // Somebody put something there meanwhile, or it was never made.
            Ok(()) | Err(ConfinedFault::Taken | ConfinedFault::NotFound) => {}
            Err(fault) => return Err(fault.into()),
        }
    }
    left.sort();
    Ok(left)
}
