//! A git folder of ours that stands in for a repository's own: no configuration of the repository is ever parsed by
//! git, its index is copied, its objects are read where they are (security model 2.4). It knows no command.

use std::ffi::OsString;
use std::path::PathBuf;

use disk::{Links, OpenFault, RelPath, Root, StoreFault, WorkFolder};
use fault::{Unwatched, Watch};

use crate::cage::Cage;
use crate::config::{self, Setting};
use crate::index::{INDEX_BYTES_MAX, ObjectFormat, shared_index_of};
use crate::refs::RefFault;
use crate::repository::Repository;
use crate::run::{GitProgram, RunFault, RunLimits};

/// Bytes of rules that are copied.
const RULES_BYTES_MAX: u64 = 256 * 1024;
/// Bytes of `shallow` and of `info/alternates`.
const LIST_BYTES_MAX: u64 = 1024 * 1024;

/// Why a repository cannot be asked. The texts name no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ShadowFault {
    /// A file of the repository cannot be read or is not what it should be.
    #[error("the repository cannot be read")]
    Unreadable,
    /// The repository has an extension that changes how it must be read.
    #[error("the repository has an extension that is not supported")]
    Extension,
    /// Objects would be read from elsewhere.
    #[error("the repository borrows objects from outside of the project")]
    Borrowed,
    #[error(transparent)]
    Reference(#[from] RefFault),
    #[error("no folder for the work could be made")]
    Store(#[from] StoreFault),
    #[error(transparent)]
    Run(#[from] RunFault),
}

/// The stand-in for one repository. It goes when it is dropped.
pub(crate) struct Shadow<'r> {
    folder: WorkFolder,
    repository: &'r Repository,
    objects: OsString,
    pub(crate) format: ObjectFormat,
}

impl<'r> Shadow<'r> {
    /// Builds the stand-in; `head` is the commit that HEAD names, if any.
    pub(crate) fn build(
        folder: WorkFolder,
        repository: &'r Repository,
        head: Option<&str>,
    ) -> Result<Shadow<'r>, ShadowFault> {
        let (Some(git_dir), Some(common_dir)) = (repository.git_dir(), repository.common_dir()) else {
            return Err(ShadowFault::Unreadable);
        };
        let objects = objects(common_dir, repository)?;
        let format = repository.object_format();
        let worktree_settings = own_settings(git_dir, repository.settings())?;
        let text = configuration(repository.settings(), &worktree_settings, format)?;
        let at = |path: &str| RelPath::parse(path).map_err(|_| ShadowFault::Unreadable);
        for name in ["refs", "objects", "info"] {
            folder.make_directory(&at(name)?)?;
        }
        folder.write(&at("config")?, text.as_bytes(), None)?;
        let head = head.map_or_else(|| "ref: refs/heads/unborn\n".to_owned(), |id| format!("{id}\n"));
        folder.write(&at("HEAD")?, head.as_bytes(), None)?;
        for (from, name, most) in [
            (common_dir, "info/exclude", RULES_BYTES_MAX),
            (git_dir, "info/sparse-checkout", RULES_BYTES_MAX),
            (common_dir, "shallow", LIST_BYTES_MAX),
        ] {
            copy(from, name, most, &folder)?;
        }
        copy(git_dir, "index", INDEX_BYTES_MAX, &folder)?;
        if let Some(name) = shared_index(git_dir, format)? {
            copy(git_dir, &name, INDEX_BYTES_MAX, &folder)?;
        }
        Ok(Shadow { folder, repository, objects, format })
    }

    /// Runs one command of git on the stand-in.
    pub(crate) fn run(
        &self,
        git: &GitProgram,
        command: &[&str],
        watch: &dyn Watch,
    ) -> Result<Vec<u8>, RunFault> {
        let top = self.repository.top().path();
        let option = |name: &str, value: &std::path::Path| {
            let mut option = OsString::from(name);
            option.push(value);
            option
        };
        let mut arguments =
            vec!["--no-pager".into(), option("--git-dir=", self.folder.path()), option("--work-tree=", top)];
        for setting in [
            "core.fsmonitor=false",
            "core.untrackedCache=false",
            "core.hooksPath=/dev/null",
            "diff.autoRefreshIndex=false",
            "core.attributesFile=/dev/null",
            "core.excludesFile=/dev/null",
            "submodule.recurse=false",
            "gc.auto=0",
            "maintenance.auto=false",
            "safe.bareRepository=explicit",
        ] {
            arguments.extend(["-c".into(), setting.into()]);
        }
        arguments.extend(command.iter().map(OsString::from));
        let own = self.folder.path().as_os_str();
        let ceiling = top.parent().unwrap_or(top).as_os_str();
        let environment: [(&str, OsString); 17] = [
            ("PATH", "/usr/bin:/bin".into()),
            ("HOME", own.into()),
            ("XDG_CONFIG_HOME", own.into()),
            ("LC_ALL", "C".into()),
            ("TZ", "UTC".into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_CONFIG_SYSTEM", "/dev/null".into()),
            ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
            ("GIT_ATTR_NOSYSTEM", "1".into()),
            ("GIT_OBJECT_DIRECTORY", self.objects.clone()),
            ("GIT_OPTIONAL_LOCKS", "0".into()),
            ("GIT_NO_LAZY_FETCH", "1".into()),
            ("GIT_NO_REPLACE_OBJECTS", "1".into()),
            ("GIT_LITERAL_PATHSPECS", "1".into()),
            ("GIT_TERMINAL_PROMPT", "0".into()),
            ("GIT_ALLOW_PROTOCOL", "none".into()),
            ("GIT_CEILING_DIRECTORIES", ceiling.into()),
        ];
        let mut reads = vec![self.folder.path().to_owned(), top.to_owned(), PathBuf::from(&self.objects)];
        reads.extend(self.repository.common_dir().map(|common| common.path().to_owned()));
        git.run(&arguments, &environment, RunLimits::LOCAL, &Cage::Local { reads }, watch)
    }
}

/// The folder of objects: a real one, which borrows only from where this repository may be read.
fn objects(common_dir: &Root, repository: &Repository) -> Result<OsString, ShadowFault> {
    let stat = common_dir.stat(&RelPath::root().join(b"objects"), Links::Refuse);
    if !stat.is_ok_and(|stat| stat.kind == disk::Kind::Directory) {
        return Err(ShadowFault::Unreadable);
    }
    let objects = common_dir.path().join("objects");
    let alternates = RelPath::parse("objects/info/alternates").map_err(|_| ShadowFault::Unreadable)?;
    if let Some(bytes) = read(common_dir, &alternates, LIST_BYTES_MAX)?.map(|(bytes, _)| bytes) {
        use std::os::unix::ffi::OsStrExt as _;
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && line[0] != b'#') {
            let named = objects.join(std::ffi::OsStr::from_bytes(line));
            let inside = Root::pin(&named).is_ok_and(|root| {
                root.path().starts_with(common_dir.path()) || root.path().starts_with(repository.top().path())
            });
            if !inside {
                return Err(ShadowFault::Borrowed);
            }
        }
    }
    Ok(objects.into_os_string())
}

/// `config.worktree`, when the repository says that it has one.
fn own_settings(git_dir: &Root, settings: &[Setting]) -> Result<Vec<Setting>, ShadowFault> {
    let has_own = settings.iter().rev().find(|setting| setting.is("extensions", "worktreeconfig"));
    if !has_own.and_then(Setting::as_bool).unwrap_or(false) {
        return Ok(Vec::new());
    }
    let bytes = read(git_dir, &RelPath::root().join(b"config.worktree"), LIST_BYTES_MAX)?;
    let text =
        bytes.map(|(bytes, _)| String::from_utf8(bytes).map_err(|_| ShadowFault::Unreadable)).transpose()?;
    Ok(text.map(|text| config::settings(&text)).unwrap_or_default())
}

/// The text of our configuration: a few values of the repository's, each one checked.
fn configuration(
    settings: &[Setting],
    worktree: &[Setting],
    format: ObjectFormat,
) -> Result<String, ShadowFault> {
    for setting in settings.iter().filter(|setting| setting.section == "extensions") {
        let value = setting.value.to_ascii_lowercase();
        let is_known = match setting.key.as_str() {
            "objectformat" => matches!(value.as_str(), "sha1" | "sha256"),
            "refstorage" => value == "files",
            // They say where objects may be fetched from and how pointers are written; nothing here asks for that.
            "partialclone" | "worktreeconfig" | "preciousobjects" | "noop" | "relativeworktrees" => true,
            _ => false,
        };
        if !is_known {
            return Err(ShadowFault::Extension);
        }
    }
    let last = |key: &str| {
        worktree.iter().rev().chain(settings.iter().rev()).find(|setting| setting.is("core", key))
    };
    if last("repositoryformatversion").is_some_and(|setting| !matches!(setting.value.as_str(), "0" | "1")) {
        return Err(ShadowFault::Extension);
    }
    let mut text = String::from("[core]\n\tbare = false\n");
    let version = if format == ObjectFormat::Sha256 { 1 } else { 0 };
    text.push_str(&format!("\trepositoryformatversion = {version}\n"));
    for key in
        ["filemode", "symlinks", "ignorecase", "precomposeunicode", "sparsecheckout", "sparsecheckoutcone"]
    {
        if let Some(is_on) = last(key).and_then(Setting::as_bool) {
            text.push_str(&format!("\t{key} = {is_on}\n"));
        }
    }
    if let Some(setting) = last("autocrlf") {
        match (setting.as_bool(), setting.value.eq_ignore_ascii_case("input")) {
            (Some(is_on), _) => text.push_str(&format!("\tautocrlf = {is_on}\n")),
            (None, true) => text.push_str("\tautocrlf = input\n"),
            (None, false) => {}
        }
    }
    if let Some(setting) = last("eol") {
        let value = setting.value.to_ascii_lowercase();
        if let Some(known) = ["lf", "crlf", "native"].into_iter().find(|known| *known == value) {
            text.push_str(&format!("\teol = {known}\n"));
        }
    }
    if format == ObjectFormat::Sha256 {
        text.push_str("[extensions]\n\tobjectformat = sha256\n");
    }
    Ok(text)
}

/// The file that a split index builds on, when there is one.
fn shared_index(git_dir: &Root, format: ObjectFormat) -> Result<Option<String>, ShadowFault> {
    let entries = git_dir.list(&RelPath::root()).map_err(|_| ShadowFault::Unreadable)?;
    if !entries.iter().any(|entry| entry.name.starts_with(b"sharedindex.")) {
        return Ok(None);
    }
    let Some((bytes, _)) = read(git_dir, &RelPath::root().join(b"index"), INDEX_BYTES_MAX)? else {
        return Ok(None);
    };
    shared_index_of(bytes, format).map_err(|_| ShadowFault::Unreadable)
}

/// Copies a file of the repository with its time; nothing when it is not there. What is there and cannot be read stops
/// everything: an answer without it would be another one.
fn copy(from: &Root, name: &str, max_bytes: u64, into: &WorkFolder) -> Result<(), ShadowFault> {
    let path = RelPath::parse(name).map_err(|_| ShadowFault::Unreadable)?;
    if let Some((bytes, mtime)) = read(from, &path, max_bytes)? {
        into.write(&path, &bytes, Some(mtime))?;
    }
    Ok(())
}

fn read(
    from: &Root,
    path: &RelPath,
    max_bytes: u64,
) -> Result<Option<(Vec<u8>, std::time::SystemTime)>, ShadowFault> {
    let file = match from.open_file(path, Links::Refuse, max_bytes) {
        Ok(file) => file,
        Err(OpenFault::NotFound) => return Ok(None),
        Err(_) => return Err(ShadowFault::Unreadable),
    };
    let mtime = file.stat().mtime;
    let bytes = file.read(max_bytes, &Unwatched).map_err(|_| ShadowFault::Unreadable)?.bytes;
    Ok(Some((bytes, mtime)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<String, ShadowFault> {
        configuration(&config::settings(text), &[], ObjectFormat::Sha1)
    }

    #[test]
    fn only_known_values_of_known_keys_are_taken_over() {
        let hostile = "[core]\n fsmonitor = /tmp/x\n hooksPath = /tmp\n worktree = /tmp\n editor = x\n fileMode = no\n \
                       autocrlf = input\n eol = \"crlf\\n[alias]\"\n ignoreCase = true\n symlinks = maybe\n\
                       [filter \"x\"]\n clean = y\n[include]\n path = /etc/passwd\n[alias]\n status = !x\n";
        let text = check(hostile).expect("nothing is unsupported");
        assert_eq!(
            text,
            "[core]\n\tbare = false\n\trepositoryformatversion = 0\n\tfilemode = false\n\tignorecase = true\n\tautocrlf = input\n"
        );
    }

    #[test]
    fn extensions_that_change_how_a_repository_is_read_are_refused() {
        for (text, expected) in [
            ("[extensions]\n partialClone = origin\n worktreeConfig = true\n", true),
            ("[extensions]\n refStorage = files\n", true),
            ("[extensions]\n refStorage = reftable\n", false),
            ("[extensions]\n objectFormat = sha512\n", false),
            ("[extensions]\n whatever = true\n", false),
            ("[core]\n repositoryFormatVersion = 2\n", false),
        ] {
            assert_eq!(check(text).is_ok(), expected, "{text}");
        }
    }
}
