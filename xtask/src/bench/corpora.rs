//! The three trees that are measured: made once from packages, committed once, kept in a folder that git ignores. It
//! does not know what is measured on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::Workspace;

/// One tree.
#[derive(Clone, Debug)]
pub(crate) struct Corpus {
    /// `small`, `medium` or `large`.
    pub(crate) name: &'static str,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// What it is made of.
    pub(crate) origin: String,
    /// Its tracked files.
    pub(crate) files: usize,
    /// Their bytes.
    pub(crate) bytes: u64,
}

/// Locked dependencies of this workspace that together have the size of a small project.
const SMALL: &[&str] = &["regex-automata", "aho-corasick", "memchr"];
const MEDIUM: &str = "django==5.2.19";
const LARGE: &str = "linux-source-6.1";

/// Puts a tree into the last folder; the other one is for downloads.
type Maker = fn(&Workspace, &Path, &Path) -> Result<(), String>;

/// Makes the corpora that are not there yet.
///
/// # Errors
/// What could not be fetched, unpacked or committed, in one line.
pub(crate) fn make(workspace: &Workspace) -> Result<Vec<Corpus>, String> {
    let home = workspace.path(".bench");
    fs::create_dir_all(home.join("download")).map_err(|error| format!(".bench: {error}"))?;
    let makers: [(&'static str, String, Maker); 3] = [
        ("small", SMALL.join(" + "), small),
        ("medium", MEDIUM.replace("==", " "), medium),
        ("large", LARGE.to_owned(), large),
    ];
    let mut corpora = Vec::new();
    for (name, origin, maker) in makers {
        let path = home.join(name);
        if !path.is_dir() {
            eprintln!("making the {name} corpus: {origin}");
            let part = home.join(format!("{name}.part"));
            if part.exists() {
                fs::remove_dir_all(&part).map_err(|error| format!("{}: {error}", part.display()))?;
            }
            fs::create_dir_all(&part).map_err(|error| format!("{}: {error}", part.display()))?;
            maker(workspace, &home.join("download"), &part)?;
            commit(&part)?;
            fs::rename(&part, &path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        let (files, bytes) = count(&path)?;
        corpora.push(Corpus { name, path, origin, files, bytes });
    }
    Ok(corpora)
}

/// Sources of crates that the lock file names, copied from where cargo unpacked them.
fn small(workspace: &Workspace, _download: &Path, into: &Path) -> Result<(), String> {
    let metadata = workspace.metadata()?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for name in SMALL {
        let package = packages
            .iter()
            .find(|package| package["name"] == *name)
            .ok_or(format!("{name} is not locked"))?;
        let manifest = package["manifest_path"].as_str().map(Path::new).and_then(Path::parent);
        let from = manifest.ok_or(format!("{name} has no sources"))?;
        shell(into, r#"cp -R -- "$1" "$2""#, &[&from.display().to_string(), name])?;
    }
    Ok(())
}

fn medium(_workspace: &Workspace, download: &Path, into: &Path) -> Result<(), String> {
    let fetch = r#"python3 -m pip download --quiet --no-deps --no-binary :all: --dest . "$1""#;
    shell(download, fetch, &[MEDIUM])?;
    let unpack = r#"tar -xzf "$1"/django-*.tar.gz --strip-components=1"#;
    shell(into, unpack, &[&download.display().to_string()])
}

fn large(_workspace: &Workspace, download: &Path, into: &Path) -> Result<(), String> {
    shell(download, r#"apt-get download "$1" || { apt-get update && apt-get download "$1"; }"#, &[LARGE])?;
    let unpack = r#"dpkg-deb --fsys-tarfile "$1"/linux-source-*.deb | tar -xO --wildcards './usr/src/*.tar.xz' |
                    tar -xJ --strip-components=1"#;
    shell(into, unpack, &[&download.display().to_string()])?;
    // The package ignores everything at its top, so that an ignore-aware walk would see nothing.
    shell(into, r#"sed -i '/^\/\*$/d' .gitignore"#, &[])
}

/// Commits the whole tree, with nothing of the user's configuration.
pub(super) fn commit(tree: &Path) -> Result<(), String> {
    let script = r#"export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
        git init --quiet && git add --all --force &&
        git -c user.name=bench -c user.email=bench@example.invalid -c gc.auto=0 commit --quiet --message corpus"#;
    shell(tree, script, &[])
}

/// Tracked files and their bytes.
fn count(tree: &Path) -> Result<(usize, u64), String> {
    let output = Command::new("git")
        .current_dir(tree)
        .args(["ls-files", "-z"])
        .output()
        .map_err(|error| format!("cannot start git: {error}"))?;
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut files = 0;
    let mut bytes = 0;
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        files += 1;
        bytes += fs::symlink_metadata(tree.join(name)).map_or(0, |stat| stat.len());
    }
    if files == 0 { Err(format!("{}: no tracked files", tree.display())) } else { Ok((files, bytes)) }
}

/// Runs a script in a folder; its arguments are `$1` and so on.
pub(crate) fn shell(folder: &Path, script: &str, arguments: &[&str]) -> Result<(), String> {
    let status = Command::new("bash")
        .current_dir(folder)
        .args(["-eu", "-o", "pipefail", "-c", script, "bash"])
        .args(arguments)
        .status()
        .map_err(|error| format!("cannot start bash: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed in {}: {script}", folder.display())) }
}
