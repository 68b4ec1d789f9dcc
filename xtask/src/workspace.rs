//! Where the sources are and what stands in them. It does not know what is checked or made of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A checkout: this one, or a made-up one in a test.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
}

/// One `[dependencies]`-like entry of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Whether only tests, examples and benches have it.
    pub(crate) dev: bool,
}

impl Workspace {
    /// The checkout that this program was built from.
    pub(crate) fn here() -> Workspace {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        Workspace::at(manifest.parent().expect("xtask lies in the workspace"))
    }

    /// The checkout at `root`.
    pub(crate) fn at(root: &Path) -> Workspace {
        Workspace { root: root.to_owned() }
    }

    /// Its folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The path of `relative`.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The text of a file of the checkout; what is not UTF-8 becomes U+FFFD.
    pub(crate) fn text(&self, relative: &str) -> String {
        let bytes =
            fs::read(self.path(relative)).unwrap_or_else(|error| panic!("cannot read {relative}: {error}"));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Every file that could be committed: all but `.git` and the paths that `.gitignore` lists. Sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let ignored: Vec<String> = fs::read_to_string(self.path(".gitignore"))
            .unwrap_or_default()
            .lines()
            .map(|line| line.trim().trim_matches('/').to_owned())
            .collect();
        let mut files = Vec::new();
        let mut open = vec![String::new()];
        while let Some(folder) = open.pop() {
            let entries = fs::read_dir(self.path(&folder))
                .unwrap_or_else(|error| panic!("cannot list {folder}: {error}"));
            for entry in entries {
                let entry = entry.expect("a listed entry can be read");
                let name = entry.file_name().to_string_lossy().into_owned();
                let relative = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let kind = entry.file_type().expect("an entry has a type");
                if name == ".git" || ignored.contains(&relative) {
                    continue;
                }
                if kind.is_dir() {
                    open.push(relative);
                } else if kind.is_file() {
                    files.push(relative);
                }
            }
        }
        files.sort();
        files
    }

    /// The Rust sources among [`Workspace::files`].
    pub(crate) fn sources(&self) -> Vec<String> {
        let mut files = self.files();
        files.retain(|file| file.ends_with(".rs") && !file.starts_with("fixtures/"));
        files
    }

    /// The folders that hold a manifest, relative: `crates/…` and `xtask`.
    pub(crate) fn packages(&self) -> Vec<String> {
        let files = self.files();
        let folder = |file: &String| file.strip_suffix("/Cargo.toml").map(str::to_owned);
        files
            .iter()
            .filter_map(folder)
            .filter(|folder| folder == "xtask" || folder.starts_with("crates/"))
            .collect()
    }

    /// The dependencies of a package, in the order of its manifest.
    pub(crate) fn dependencies(&self, package: &str) -> Vec<Dependency> {
        dependencies_of(&self.text(&format!("{package}/Cargo.toml")))
    }

    /// What cargo knows of this checkout and of all that it is built from, without asking a network.
    ///
    /// # Errors
    /// What cargo said, when it could not tell.
    pub(crate) fn metadata(&self) -> Result<Value, String> {
        let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .current_dir(&self.root)
            .args(["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", &host])
            .output()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
    }
}

/// Reads the dependency tables of a manifest that is written as the ones of this workspace are: one entry a line, or a
/// table of its own.
fn dependencies_of(manifest: &str) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut dev = None;
    for line in manifest.lines() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let mut parts = section.rsplit('.');
            let last = parts.next().unwrap_or_default();
            let before = parts.next().unwrap_or_default();
            dev = table_kind(last);
            if let Some(dev) = table_kind(before) {
                found.push(Dependency { name: last.to_owned(), dev });
            }
        } else if let Some(dev) = dev
            && let Some((name, _)) = line.split_once('=')
            && !line.starts_with('#')
        {
            let name = name.trim().split('.').next().unwrap_or_default();
            found.push(Dependency { name: name.trim_matches('"').to_owned(), dev });
        }
    }
    found
}

fn table_kind(name: &str) -> Option<bool> {
    match name {
        "dependencies" | "build-dependencies" => Some(false),
        "dev-dependencies" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Tree;

    #[test]
    fn every_way_to_write_a_dependency_is_read() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\n# why = not an entry\na.workspace = true\n\
                        b = { path = \"../b\" }\n\n[target.'cfg(unix)'.dependencies]\nc = \"1\"\n\
                        [dependencies.d]\nversion = \"1\"\n[dev-dependencies]\ne.workspace = true\n[lints]\nworkspace = true\n";
        let read: Vec<(String, bool)> =
            dependencies_of(manifest).into_iter().map(|d| (d.name, d.dev)).collect();
        let expected = [("a", false), ("b", false), ("c", false), ("d", false), ("e", true)];
        assert_eq!(read, expected.map(|(name, dev)| (name.to_owned(), dev)));
    }

    #[test]
    fn ignored_folders_and_git_are_not_listed() {
        let tree = Tree::new(
            ".gitignore: /target\\n/.bench\\n/fuzz/target\\n
             fuzz/target/c.rs: x
             target/debug/a.rs: x
             .git/config: x
             src/target/a.rs: x
             b.rs: x",
        );
        assert_eq!(Workspace::at(&tree.root()).files(), [".gitignore", "b.rs", "src/target/a.rs"]);
    }
}
