//! The profiles of this user, one for each root, and the three forms in which a request names a profile. Only the
//! command line writes here; the server reads.

use std::path::{Path, PathBuf};

use disk::{Kind, Links, OpenFault, RelPath, Root, SharedFault, UserDirs, read_shared, write_shared};
use fault::{Failure, Fault, Text, Unwatched, Watch};
use serde_json::{Map, Value, json};

use crate::choose::existing;
use crate::faults;
use crate::limits::PROFILE_STORE_BYTES_MAX;
use crate::place::Place;
use crate::profile::{Profile, ProfileFault, SCHEMA_VERSION};
use crate::session::Session;

/// Bytes of a portable profile inside a project.
const PORTABLE_BYTES_MAX: u64 = 1024 * 1024;

/// Why the store gives or takes nothing. It is then left as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileStoreFault {
    /// The file cannot be read or written.
    #[error("the profile store cannot be used: {0}")]
    File(SharedFault),
    /// The file is damaged, or written by a newer version.
    #[error("the profile store is damaged or was written by a newer version; it was left as it is")]
    Damaged,
}

/// The per-user store of local profiles, keyed by the physical path of their root.
#[derive(Clone, Debug)]
pub struct ProfileStore(PathBuf);

impl ProfileStore {
    /// The store of this user.
    pub fn of(dirs: &UserDirs) -> ProfileStore {
        ProfileStore(dirs.config.join("profiles.json"))
    }

    /// The saved profile of a root.
    ///
    /// # Errors
    /// [`ProfileStoreFault`].
    pub fn get(&self, root: &Path) -> Result<Option<Profile>, ProfileStoreFault> {
        let entries = self.entries()?;
        let Some(entry) = entries.get(&*root.to_string_lossy()) else { return Ok(None) };
        Profile::from_value(entry).map(Some).map_err(|_| ProfileStoreFault::Damaged)
    }

    /// The roots that have a profile, in the order of their paths.
    ///
    /// # Errors
    /// [`ProfileStoreFault`].
    pub fn list(&self) -> Result<Vec<String>, ProfileStoreFault> {
        let mut roots: Vec<String> = self.entries()?.into_iter().map(|(root, _)| root).collect();
        roots.sort();
        Ok(roots)
    }

    /// Saves the profile of a root in place of an older one.
    ///
    /// # Errors
    /// [`ProfileStoreFault`]; a store that cannot be understood is never overwritten.
    pub fn save(&self, root: &Path, profile: &Profile) -> Result<(), ProfileStoreFault> {
        self.change(|entries| {
            entries.insert(root.to_string_lossy().into_owned(), profile.to_value());
            true
        })
        .map(|_| ())
    }

    /// Removes the profile of a root; says whether there was one.
    ///
    /// # Errors
    /// [`ProfileStoreFault`].
    pub fn remove(&self, root: &Path) -> Result<bool, ProfileStoreFault> {
        self.change(|entries| entries.remove(&*root.to_string_lossy()).is_some())
    }

    fn entries(&self) -> Result<Map<String, Value>, ProfileStoreFault> {
        let bytes = read_shared(&self.0, PROFILE_STORE_BYTES_MAX).map_err(ProfileStoreFault::File)?;
        bytes.map_or_else(|| Ok(Map::new()), |bytes| parse(&bytes))
    }

    fn change(&self, edit: impl FnOnce(&mut Map<String, Value>) -> bool) -> Result<bool, ProfileStoreFault> {
        let mut is_damaged = false;
        let written = write_shared(&self.0, PROFILE_STORE_BYTES_MAX, |bytes| {
            let Ok(mut entries) = bytes.map_or_else(|| Ok(Map::new()), parse) else {
                is_damaged = true;
                return None;
            };
            edit(&mut entries).then(|| {
                let document = json!({ "schemaVersion": SCHEMA_VERSION, "profiles": entries });
                let mut bytes = serde_json::to_vec_pretty(&document).unwrap_or_default();
                bytes.push(b'\n');
                bytes
            })
        });
        match written {
            Ok(_) if is_damaged => Err(ProfileStoreFault::Damaged),
            Ok(written) => Ok(written),
            Err(fault) => Err(ProfileStoreFault::File(fault)),
        }
    }
}

fn parse(bytes: &[u8]) -> Result<Map<String, Value>, ProfileStoreFault> {
    let document: Value = serde_json::from_slice(bytes).map_err(|_| ProfileStoreFault::Damaged)?;
    match (document.get("schemaVersion").and_then(Value::as_u64), document.get("profiles")) {
        (Some(SCHEMA_VERSION), Some(Value::Object(entries))) => Ok(entries.clone()),
        _ => Err(ProfileStoreFault::Damaged),
    }
}

impl Session {
    /// The profile that a request names, or the baseline. Naming any profile disables the server's `--git-mode`.
    pub(crate) fn profile(
        &self,
        root: &Place,
        name: Option<&str>,
        watch: &dyn Watch,
    ) -> Result<Profile, Failure> {
        let profile = match name {
            None | Some("") => return Ok(self.baseline()),
            Some("standard") => return Ok(Profile::standard()),
            Some("local") => self.local_profile(root)?,
            Some(path) => portable(root, path, watch)?,
        };
        if profile.selected_paths.iter().any(|path| leads_outside(root, path)) {
            let reason = ProfileFault::SelectedPath.reason();
            return Err(faults::argument(Text::new("the profile cannot be used: ").and(reason)).into());
        }
        Ok(profile)
    }

    pub(crate) fn has_local_profile(&self, root: &Root) -> bool {
        matches!(ProfileStore::of(&self.dirs).get(root.path()), Ok(Some(_)))
    }

    fn local_profile(&self, root: &Root) -> Result<Profile, Fault> {
        match ProfileStore::of(&self.dirs).get(root.path()) {
            Ok(Some(profile)) => Ok(profile),
            Ok(None) => Err(faults::argument(Text::new(
                "there is no local profile for this project; save one with `readroom profile save`, or omit `profile`",
            ))),
            Err(_) => Err(faults::argument(Text::new(
                "the local profile is unavailable because the profile store is damaged or cannot be read; omit \
                 `profile`, or use `standard`",
            ))),
        }
    }
}

/// Whether a path of a profile leads out of the root through a link.
fn leads_outside(root: &Root, path: &str) -> bool {
    RelPath::parse(path).is_ok_and(|path| root.resolve(&path) == Err(OpenFault::Outside))
}

const FORMS: &str = "; `profile` is `standard`, `local` or the path of a portable profile inside the project";

/// Reads a profile file inside a project.
fn portable(root: &Place, argument: &str, watch: &dyn Watch) -> Result<Profile, Failure> {
    let refuse = |why: &'static str| -> Failure {
        faults::argument(Text::new("the profile '").argument(argument).and("' ").and(why).and(FORMS)).into()
    };
    let path: RelPath = existing(root, argument).map_err(|fault| match fault.code {
        fault::Code::PathNotFound => refuse("does not exist"),
        _ => Failure::Fault(fault),
    })?;
    match root.stat(&path, Links::Refuse).map(|stat| stat.kind) {
        Ok(Kind::File) => {}
        Ok(Kind::Directory) => return Err(refuse("is a directory")),
        _ => return Err(refuse("is not a regular file")),
    }
    let bytes = root
        .open_file(&path, Links::Refuse, PORTABLE_BYTES_MAX)
        .ok()
        .and_then(|file| file.read(PORTABLE_BYTES_MAX, watch).ok())
        .ok_or_else(|| refuse("cannot be read or is too large"))?;
    let text = String::from_utf8(bytes.bytes).map_err(|_| refuse("is not UTF-8 text"))?;
    Profile::from_json(&text).map_err(|fault| {
        let why = Text::new("the profile '").argument(argument).and("' cannot be used: ").and(fault.reason());
        faults::argument(why).into()
    })
}

/// A portable profile read from inside a project, for the command line.
///
/// # Errors
/// As a request that names it.
pub fn read_portable(root: Root, argument: &str) -> Result<Profile, Failure> {
    portable(&Place::local(root), argument, &Unwatched)
}
