//! A temporary project that a test describes in one string and that is gone when the test ends.
//! It does not know what a project server shows of it.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, Mode, OFlags};

/// A folder of this test alone, with a project in it, a home beside the project and room for siblings.
///
/// The project is `<scratch>/project`, the home `<scratch>/home`. Everything goes away on drop, also what a test made
/// unreadable or too deep for a path. Every method panics when the system refuses: a test has no use for less.
#[derive(Debug)]
pub struct Tree {
    scratch: PathBuf,
}

impl Tree {
    /// A project with the entries of `spec`, one a line:
    ///
    /// ```text
    /// src/a.rs: text\n     a file; its text knows the escapes \n \r \t \\ \0 \xFF, and has no line end of its own
    /// empty.txt:           an empty file
    /// folder/              a folder
    /// name -> target       a symbolic link
    /// ```
    ///
    /// Folders above an entry are made. Leading blanks of a line and blank lines do not count. Names know the same
    /// escapes; `\x3A` is a colon in a name.
    pub fn new(spec: &str) -> Tree {
        Tree::below(&std::env::temp_dir(), spec)
    }

    /// The same for many thousands of files: in memory where that is possible, because some disks take a millisecond
    /// for each.
    pub fn of_many(spec: &str) -> Tree {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { Tree::below(memory, spec) } else { Tree::new(spec) }
    }

    fn below(base: &Path, spec: &str) -> Tree {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let base = fs::canonicalize(base).expect("the temporary folder exists");
        let scratch = loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let started = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().subsec_nanos();
            let path = base.join(format!("readroom-test-{}-{number}-{started}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => break path,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => panic!("cannot make {}: {error}", path.display()),
            }
        };
        let tree = Tree { scratch };
        for folder in [tree.root(), tree.home()] {
            fs::create_dir(&folder).expect("a new folder takes a name");
        }
        tree.add(spec);
        tree
    }

    /// The project's folder, physical.
    pub fn root(&self) -> PathBuf {
        self.scratch.join("project")
    }

    /// A home of this test alone: pass it as `HOME` and `READROOM_HOME`.
    pub fn home(&self) -> PathBuf {
        self.scratch.join("home")
    }

    /// The folder that holds the project and the home; a place for what lies outside of the root.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// The physical path of `relative` in the project.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    /// Adds the entries of `spec`, written as for [`Tree::new`].
    pub fn add(&self, spec: &str) -> &Tree {
        for line in spec.lines() {
            let line = line.trim_start();
            if line.trim_end().is_empty() {
                continue;
            }
            if let Some((name, target)) = line.split_once(" -> ") {
                self.link_bytes(&unescaped(name), &unescaped(target));
            } else if let Some((name, text)) = split_entry(line) {
                self.bytes_at(&unescaped(name), &unescaped(text));
            } else if let Some(name) = line.trim_end().strip_suffix('/') {
                fs::create_dir_all(self.place(&unescaped(name))).expect("a folder can be made");
            } else {
                panic!(
                    "not an entry: {line:?} (a file is `name: text`, a folder `name/`, a link `name -> target`)"
                );
            }
        }
        self
    }

    /// Writes `text` to the file `relative`, replacing it.
    pub fn file(&self, relative: &str, text: &str) -> &Tree {
        self.bytes(relative, text.as_bytes())
    }

    /// Writes `bytes` to the file `relative`, replacing it.
    pub fn bytes(&self, relative: &str, bytes: &[u8]) -> &Tree {
        self.bytes_at(relative.as_bytes(), bytes);
        self
    }

    /// Writes a file whose name need not be UTF-8.
    pub fn bytes_at(&self, relative: &[u8], bytes: &[u8]) {
        let path = self.place(relative);
        self.make_parent(&path);
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    }

    /// Appends `bytes` to the file `relative`.
    pub fn append(&self, relative: &str, bytes: &[u8]) -> &Tree {
        let mut file = fs::File::options().append(true).open(self.path(relative)).expect("the file exists");
        file.write_all(bytes).expect("the file takes bytes");
        self
    }

    /// A symbolic link named `relative` that says `target`.
    pub fn link(&self, relative: &str, target: impl AsRef<Path>) -> &Tree {
        self.link_bytes(relative.as_bytes(), target.as_ref().as_os_str().as_bytes());
        self
    }

    /// A FIFO that nobody writes to.
    pub fn fifo(&self, relative: &str) -> &Tree {
        let path = self.path(relative);
        self.make_parent(&path);
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, Mode::from_raw_mode(0o644)).expect("a FIFO can be made");
        self
    }

    /// A file of `size_bytes` zeros that takes no room on the disk.
    pub fn sparse(&self, relative: &str, size_bytes: u64) -> &Tree {
        let path = self.path(relative);
        self.make_parent(&path);
        let file = fs::File::create(&path).expect("a file can be made");
        file.set_len(size_bytes).expect("the file system knows sparse files");
        self
    }

    /// A chain of `levels` folders, each called `name`, below the project. It may be deeper than any path can say.
    pub fn deep(&self, name: &str, levels: usize) -> &Tree {
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut at = rustix::fs::open(self.root(), flags, Mode::empty()).expect("the project is a folder");
        for _ in 0..levels {
            rustix::fs::mkdirat(&at, name, Mode::from_raw_mode(0o755)).expect("a folder can be made");
            at = rustix::fs::openat(&at, name, flags, Mode::empty()).expect("the new folder opens");
        }
        self
    }

    /// Sets the last write of a file to `seconds` after the epoch.
    pub fn mtime(&self, relative: &str, seconds: u64) -> &Tree {
        let file = fs::File::options().write(true).open(self.path(relative)).expect("the file exists");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("times can be set");
        self
    }

    /// Sets the permission bits of an entry.
    pub fn mode(&self, relative: &str, mode: u32) -> &Tree {
        fs::set_permissions(self.path(relative), fs::Permissions::from_mode(mode)).expect("modes can be set");
        self
    }

    /// Removes a file, a link or a whole folder.
    pub fn remove(&self, relative: &str) -> &Tree {
        let path = self.path(relative);
        let is_folder = fs::symlink_metadata(&path).expect("the entry exists").is_dir();
        if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }
            .expect("the entry can be removed");
        self
    }

    /// Renames an entry of the project.
    pub fn rename(&self, from: &str, to: &str) -> &Tree {
        let to = self.path(to);
        self.make_parent(&to);
        fs::rename(self.path(from), to).expect("the entry can be renamed");
        self
    }

    /// Whether the file system lets this process past permission bits, as it does for root: tests of unreadable
    /// entries have nothing to look at then.
    pub fn permissions_hold(&self) -> bool {
        let probe = self.scratch.join("probe");
        fs::write(&probe, "x").expect("a file can be written");
        fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).expect("modes can be set");
        fs::File::open(&probe).is_err()
    }

    /// Runs git in the project with nothing of the user's configuration, and returns what it printed.
    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_in("", arguments)
    }

    /// Runs git in a folder of the project.
    pub fn git_in(&self, folder: &str, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self
            .git_command(&self.path(folder))
            .args(arguments)
            .output()
            .expect("git is installed: the tests need Rust and git");
        assert!(status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("git printed UTF-8")
    }

    /// Adds all that is not ignored and commits it, making the repository first where there is none. Author, committer
    /// and dates are fixed, so equal trees have equal commits.
    pub fn commit(&self, message: &str) -> &Tree {
        if fs::symlink_metadata(self.path(".git")).is_err() {
            self.git(&["init", "--quiet", "--initial-branch=main"]);
        }
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self
    }

    fn git_command(&self, folder: &Path) -> Command {
        let mut command = Command::new("git");
        command.current_dir(folder).env_clear();
        if let Some(path) = std::env::var_os("PATH") {
            command.env("PATH", path);
        }
        for (name, value) in [
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_AUTHOR_NAME", "Test"),
            ("GIT_AUTHOR_EMAIL", "test@example.invalid"),
            ("GIT_AUTHOR_DATE", "2001-02-03T04:05:06Z"),
            ("GIT_COMMITTER_NAME", "Test"),
            ("GIT_COMMITTER_EMAIL", "test@example.invalid"),
            ("GIT_COMMITTER_DATE", "2001-02-03T04:05:06Z"),
            ("LC_ALL", "C"),
        ] {
            command.env(name, value);
        }
        command.env("HOME", self.home());
        command
    }

    fn link_bytes(&self, name: &[u8], target: &[u8]) {
        let path = self.place(name);
        self.make_parent(&path);
        let target = Path::new(std::ffi::OsStr::from_bytes(target));
        symlink(target, &path).unwrap_or_else(|error| panic!("cannot link {}: {error}", path.display()));
    }

    fn place(&self, relative: &[u8]) -> PathBuf {
        self.root().join(std::ffi::OsStr::from_bytes(relative))
    }

    fn make_parent(&self, path: &Path) {
        let parent = path.parent().expect("an entry lies below the project");
        fs::create_dir_all(parent)
            .unwrap_or_else(|error| panic!("cannot make {}: {error}", parent.display()));
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        if let Err(error) = remove_flattened(&self.scratch)
            && !std::thread::panicking()
        {
            panic!("cannot remove {}: {error}", self.scratch.display());
        }
    }
}

/// The name and the text of a file's line: the first colon that a blank or the end of the line follows.
fn split_entry(line: &str) -> Option<(&str, &str)> {
    if let Some((name, text)) = line.split_once(": ") {
        return Some((name, text));
    }
    line.strip_suffix(':').map(|name| (name, ""))
}

/// The bytes of `text` with its escapes undone. A backslash before anything else stays.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        match rest {
            [b'n', tail @ ..] => (bytes.push(b'\n'), rest = tail).1,
            [b'r', tail @ ..] => (bytes.push(b'\r'), rest = tail).1,
            [b't', tail @ ..] => (bytes.push(b'\t'), rest = tail).1,
            [b'0', tail @ ..] => (bytes.push(0), rest = tail).1,
            [b'\\', tail @ ..] => (bytes.push(b'\\'), rest = tail).1,
            [b'x', high, low, tail @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                let digit = |c: u8| (c as char).to_digit(16).unwrap_or_default() as u8;
                bytes.push(digit(*high) << 4 | digit(*low));
                rest = tail;
            }
            _ => bytes.push(b'\\'),
        }
    }
    bytes
}

/// Removes a tree with folders without permissions and chains of any depth, where `remove_dir_all` would need a stack
/// frame and a file handle a level. Folders are moved up before they are emptied, so no path grows.
fn remove_flattened(top: &Path) -> io::Result<()> {
    let mut moved = 0_usize;
    loop {
        fs::set_permissions(top, fs::Permissions::from_mode(0o700))?;
        let mut emptied = true;
        for entry in fs::read_dir(top)? {
            let entry = entry?;
            let path = entry.path();
            if !entry.file_type()?.is_dir() {
                fs::remove_file(&path)?;
                continue;
            }
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
            let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            let folder = rustix::fs::open(&path, flags, Mode::empty())?;
            for child in fs::read_dir(&path)? {
                let child = child?;
                if child.file_type()?.is_dir() {
                    emptied = false;
                    // A folder is moved by its parent only when it may be written itself: its `..` changes.
                    fs::set_permissions(child.path(), fs::Permissions::from_mode(0o700))?;
                    fs::rename(child.path(), top.join(format!("moved-{moved}")))?;
                    moved += 1;
                } else {
                    rustix::fs::unlinkat(&folder, child.file_name(), AtFlags::empty())?;
                }
            }
            fs::remove_dir(&path)?;
        }
        if emptied {
            return fs::remove_dir(top);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_string_makes_files_folders_and_links() {
        let tree = Tree::new(
            r"src/a.rs: fn a() {}\n
              empty.txt:
              folder/deep/
              alias -> src/a.rs
              odd\x3Aname: \xFF\x00\\",
        );
        assert_eq!(fs::read_to_string(tree.path("src/a.rs")).unwrap(), "fn a() {}\n");
        assert_eq!(fs::read(tree.path("empty.txt")).unwrap(), b"");
        assert!(tree.path("folder/deep").is_dir());
        assert_eq!(fs::read_link(tree.path("alias")).unwrap(), Path::new("src/a.rs"));
        assert_eq!(fs::read(tree.path("odd:name")).unwrap(), b"\xFF\0\\");
    }

    #[test]
    #[should_panic(expected = "not an entry")]
    fn a_line_that_is_no_entry_is_refused() {
        Tree::new("just a name");
    }

    #[test]
    fn drop_removes_the_unreadable_and_the_deep() {
        let scratch = {
            let tree = Tree::new("locked/inner/file: x");
            tree.deep("d", 3_000);
            tree.mode("locked/inner", 0).mode("locked", 0);
            tree.scratch().to_path_buf()
        };
        assert!(fs::symlink_metadata(&scratch).is_err());
    }

    #[test]
    fn a_deep_tree_is_removed_without_a_handle_per_level() {
        let tree = Tree::new("a/b/c/d/e/f: x\na/b2/c: y\na/file: z");
        let top = tree.path("");
        remove_flattened(&top).unwrap();
        assert!(fs::symlink_metadata(&top).is_err());
    }

    #[test]
    fn commits_are_the_same_for_the_same_tree() {
        let commit = |text: &str| {
            let tree = Tree::new("a.txt: one");
            tree.commit("first").file("a.txt", text).commit("second");
            tree.git(&["rev-parse", "HEAD"])
        };
        assert_eq!(commit("two"), commit("two"));
        assert_ne!(commit("two"), commit("three"));
    }

    #[test]
    fn special_entries_are_what_they_say() {
        use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
        let tree = Tree::new("a: x");
        tree.fifo("pipe").sparse("big", 1 << 40).mtime("a", 86_400).append("a", b"y").link("out", "/etc");
        assert!(fs::symlink_metadata(tree.path("pipe")).unwrap().file_type().is_fifo());
        let big = fs::metadata(tree.path("big")).unwrap();
        assert_eq!((big.len(), big.blocks()), (1 << 40, 0));
        assert_eq!(fs::read(tree.path("a")).unwrap(), b"xy");
        tree.mtime("a", 86_400);
        assert_eq!(fs::metadata(tree.path("a")).unwrap().mtime(), 86_400);
    }
}
