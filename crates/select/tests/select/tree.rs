//! A temporary project written down as text, and selections of it as text.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use disk::{RelPath, Root};
use fault::Unwatched;
use select::{GitRules, Narrow, Policy, RepoRules, Selection, Sizes, Toggle, Toggles, is_selected, select};

/// A temporary folder that is removed at the end.
pub(crate) struct Tree {
    dir: PathBuf,
}

impl Tree {
    /// Makes a tree. Each line is one entry: `a/b` a file, `a/b: text` a file with that text (`\n` a line end),
    /// `a/b =` an empty file, `a/` a folder, `a -> b` a link, `a |` a pipe.
    pub(crate) fn new(lines: &str) -> Tree {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("readroom-select-{}-{number}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let tree = Tree { dir };
        lines.lines().map(str::trim_start).filter(|line| !line.is_empty()).for_each(|line| tree.add(line));
        tree
    }

    pub(crate) fn add(&self, line: &str) {
        if let Some((name, target)) = line.split_once(" -> ") {
            symlink(target, self.place(name)).unwrap();
        } else if let Some(name) = line.strip_suffix(" |") {
            let mode = rustix::fs::Mode::from_raw_mode(0o644);
            let kind = rustix::fs::FileType::Fifo;
            rustix::fs::mknodat(rustix::fs::CWD, self.place(name), kind, mode, 0).unwrap();
        } else if let Some(name) = line.strip_suffix(" =") {
            self.write(name, "");
        } else if let Some(name) = line.strip_suffix('/') {
            fs::create_dir_all(self.dir.join(name)).unwrap();
        } else if let Some((name, text)) = line.split_once(": ") {
            self.write(name, text.replace("\\n", "\n"));
        } else {
            self.write(line, "x");
        }
    }

    /// Adds an entry unless its name is taken or a file stands in its way.
    pub(crate) fn add_if_free(&self, line: &str) {
        let end = [" ->", " |", " =", ": "].iter().filter_map(|mark| line.find(mark)).min();
        let place = self.dir.join(line[..end.unwrap_or(line.len())].trim_end_matches('/'));
        let free = place.symlink_metadata().is_err();
        if free && place.parent().is_some_and(|above| fs::create_dir_all(above).is_ok()) {
            self.add(line);
        }
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.place(name), text).unwrap();
    }

    fn place(&self, name: &str) -> PathBuf {
        let place = self.dir.join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        place
    }

    pub(crate) fn path(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn root(&self) -> Root {
        Root::pin(&self.dir).unwrap()
    }

    /// Selects and checks that every file that exists is judged alike when it is asked about alone.
    pub(crate) fn select(&self, policy: &Policy) -> Selection {
        let selection = self.narrowed(policy, &Narrow::default());
        if !selection.partial.entry_cut {
            self.check_one_by_one(policy, &selection);
        }
        selection
    }

    pub(crate) fn narrowed(&self, policy: &Policy, narrow: &Narrow) -> Selection {
        select(&self.root(), policy, narrow, Sizes::AsNeeded, &Unwatched).unwrap()
    }

    fn check_one_by_one(&self, policy: &Policy, selection: &Selection) {
        let root = self.root();
        let mut folders = vec![RelPath::root()];
        while let Some(folder) = folders.pop() {
            for entry in root.list(&folder).unwrap_or_default() {
                let path = folder.join(&entry.name);
                let in_selection = selection.files.iter().any(|file| file.path == path);
                let alone = is_selected(&root, policy, &path, &Unwatched).unwrap();
                assert_eq!(alone, in_selection, "{path:?} alone and in the walk");
                if entry.kind == disk::Kind::Directory {
                    folders.push(path);
                }
            }
        }
    }

    /// The files of the selection, one a line.
    pub(crate) fn files(&self, policy: &Policy) -> String {
        files(&self.select(policy))
    }

    /// The folders of the selection, one a line.
    pub(crate) fn folders(&self, policy: &Policy) -> String {
        folders(&self.select(policy))
    }

    /// Runs the installed git in this folder with nothing of the user's.
    pub(crate) fn git(&self, arguments: &[&str]) -> Vec<u8> {
        let run = Command::new("git")
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.invalid",
                "-c",
                "core.excludesFile=/dev/null",
            ])
            .args(arguments)
            .current_dir(&self.dir)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.dir)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(run.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
        run.stdout
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

pub(crate) fn files(selection: &Selection) -> String {
    selection.files.iter().map(|file| format!("{}\n", file.path.to_address())).collect()
}

pub(crate) fn folders(selection: &Selection) -> String {
    selection.folders.iter().map(|folder| format!("{}\n", folder.to_address())).collect()
}

pub(crate) fn path(text: &str) -> RelPath {
    RelPath::parse(text).unwrap()
}

/// Ignore rules and nothing else, as in a repository whose top is the root.
pub(crate) fn ignore_rules() -> Policy {
    Policy { toggles: Toggles::none(), repository: Some(RepoRules::default()), ..Policy::default() }
}

/// One toggle and nothing else.
pub(crate) fn only(toggle: Toggle) -> Policy {
    Policy { git: GitRules::None, toggles: Toggles::none().with(toggle), ..Policy::default() }
}

/// No rule at all.
pub(crate) fn nothing() -> Policy {
    Policy { git: GitRules::None, toggles: Toggles::none(), ..Policy::default() }
}
