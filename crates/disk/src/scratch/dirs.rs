//! Where a user's own files lie. The environment is read here and nowhere else, once; no directory is made.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, statat};
use rustix::process::geteuid;

/// The variable that redirects every per-user directory below one folder, so that a test touches no user's files.
pub const HOME_VARIABLE: &str = "READROOM_HOME";

/// Why there are no per-user directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DirsFault {
    /// The redirection is not absolute, so it would mean another folder in every working directory.
    #[error("READROOM_HOME is not an absolute path")]
    RelativeHome,
}

/// The per-user directories; none of them has to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserDirs {
    /// What a person sets: `$XDG_CONFIG_HOME/readroom`, else `~/.config/readroom`.
    pub config: PathBuf,
    /// What can be fetched again: `$XDG_CACHE_HOME/readroom`, else `~/.cache/readroom`.
    pub cache: PathBuf,
    /// What dies with the session: `$XDG_RUNTIME_DIR/readroom`, else `<tmp>/readroom-<uid>`.
    pub runtime: PathBuf,
}

impl UserDirs {
    /// The directories that the environment names. Blank variables and relative paths count as unset, and so does
    /// an `XDG_RUNTIME_DIR` that is not there or not ours (as after `su`).
    ///
    /// # Errors
    /// [`DirsFault::RelativeHome`].
    pub fn from_env() -> Result<UserDirs, DirsFault> {
        UserDirs::from_variables(|name| std::env::var_os(name))
    }

    /// Every directory below `home`, which is what [`HOME_VARIABLE`] does.
    pub fn below(home: &Path) -> UserDirs {
        UserDirs { config: home.join("config"), cache: home.join("cache"), runtime: home.join("runtime") }
    }

    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Result<UserDirs, DirsFault> {
        let set = |name: &str| {
            variable(name).filter(|value| !value.as_bytes().trim_ascii().is_empty()).map(PathBuf::from)
        };
        let absolute = |name: &str| set(name).filter(|path| path.is_absolute());
        if let Some(home) = set(HOME_VARIABLE) {
            return if home.is_absolute() {
                Ok(UserDirs::below(&home))
            } else {
                Err(DirsFault::RelativeHome)
            };
        }
        let runtime = match absolute("XDG_RUNTIME_DIR").filter(|path| is_our_directory(path)) {
            Some(session) => session.join("readroom"),
            None => {
                let temporary = absolute("TMPDIR").unwrap_or_else(|| PathBuf::from("/tmp"));
                temporary.join(format!("readroom-{}", geteuid().as_raw()))
            }
        };
        // Without a home there is no place that outlives the session.
        let home = absolute("HOME");
        let lasting = |name: &str, below_home: &str, fallback: &str| match (absolute(name), &home) {
            (Some(base), _) => base.join("readroom"),
            (None, Some(home)) => home.join(below_home).join("readroom"),
            (None, None) => runtime.join(fallback),
        };
        Ok(UserDirs {
            config: lasting("XDG_CONFIG_HOME", ".config", "config"),
            cache: lasting("XDG_CACHE_HOME", ".cache", "cache"),
            runtime,
        })
    }
}

fn is_our_directory(path: &Path) -> bool {
    let path: &OsStr = path.as_os_str();
    statat(CWD, path, AtFlags::empty()).is_ok_and(|stat| {
        FileType::from_raw_mode(stat.st_mode) == FileType::Directory && stat.st_uid == geteuid().as_raw()
    })
}

#[cfg(test)]
mod tests;
