//! The door seen from outside, with a second process: names exchanged while they are opened, sessions that are
//! killed, mounts, and a process that may hold hardly any handle.
//!
//! A test that needs a second process starts this binary again with its own name and a role; the role is all that
//! the second process does.

#![expect(clippy::disallowed_methods, reason = "tests make the files that the door is tried on")]
#![expect(clippy::unwrap_used, reason = "a test ends where its preparation fails")]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, SystemTime};

use disk::{
    Entry, Folder, Links, Mechanism, OpenFault, Quota, RelPath, Root, Step, Store, StoreFault, UserDirs,
    Visitor, WalkLimits,
};
use fault::Unwatched;
use rustix::fs::{CWD, Mode, OFlags, RenameFlags, mkdirat, openat, renameat_with};
use rustix::process::{Resource, Rlimit, setrlimit};

const MECHANISMS: [Mechanism; 2] = [Mechanism::Kernel, Mechanism::Components];
const ROLE: &str = "READROOM_DISK_TEST_ROLE";
/// Begins a line that the second process writes for the first; the test harness writes lines of its own.
const SAYS: &str = "says ";

/// A folder of its own for one test, in memory where that is possible.
struct Trial(PathBuf);

impl Trial {
    fn new() -> Trial {
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let mut random = [0; 8];
        getrandom::fill(&mut random).unwrap();
        let path = base.join(format!("disk-door-{}", u64::from_ne_bytes(random)));
        fs::create_dir(&path).unwrap();
        Trial(fs::canonicalize(path).unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn file(&self, name: &str, content: &str) {
        fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        fs::write(self.at(name), content).unwrap();
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The second process; it is gone when the test is.
struct Other {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Other {
    /// Starts this binary again to do `role` in the test named `test`.
    fn start(test: &str, role: &str, folder: &Path) -> Other {
        Other::start_with(Command::new(std::env::current_exe().unwrap()), test, role, folder)
    }

    fn start_with(mut command: Command, test: &str, role: &str, folder: &Path) -> Other {
        let mut child = command
            .args([test, "--exact", "--nocapture"])
            .env(ROLE, format!("{role} {}", folder.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Other { child, lines }
    }

    /// The next thing it says; none when it has ended.
    fn hear(&mut self) -> Option<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.lines.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            // The harness may have written the beginning of the same line.
            if let Some((_, said)) = line.trim_end().split_once(SAYS) {
                return Some(said.to_owned());
            }
        }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The role of this process and the folder to do it in; none in the first process.
fn role() -> Option<(String, PathBuf)> {
    let role = std::env::var(ROLE).ok()?;
    let (role, folder) = role.split_once(' ').unwrap();
    Some((role.to_owned(), folder.into()))
}

fn say(what: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{SAYS}{what}").unwrap();
    out.flush().unwrap();
}

fn rel(text: &str) -> RelPath {
    RelPath::parse(text).unwrap()
}

fn exchange(folder: &Path, one: &str, other: &str) {
    renameat_with(CWD, folder.join(one), CWD, folder.join(other), RenameFlags::EXCHANGE).unwrap();
}

/// What a careful-looking reader does: resolve, compare, then open by the path it compared.
fn checked_then_opened(root: &Path, path: &str, between: impl FnOnce()) -> Option<String> {
    let path = root.join(path);
    if !fs::canonicalize(&path).ok()?.starts_with(root) {
        return None;
    }
    between();
    fs::read_to_string(path).ok()
}

fn content(root: &Root, path: &RelPath, links: Links) -> Result<Vec<u8>, OpenFault> {
    let file = root.open_file(path, links, 1_000)?;
    Ok(file.read(1_000, &Unwatched).unwrap().bytes)
}

/// Opens `path` at least 20,000 times while another process exchanges what it names, until both faces were seen.
fn race(test: &str, path: &str) {
    if let Some((pair, folder)) = role() {
        let (one, other) = pair.split_once(',').unwrap();
        say("begun");
        loop {
            exchange(&folder, one, other);
        }
    }
    let trial = Trial::new();
    trial.file("root/d/f", "inside");
    trial.file("root/f", "inside");
    trial.file("out/f", "outside");
    trial.file("out/only-outside", "outside");
    let folder = trial.at("root");
    symlink(trial.at("out"), trial.at("root/to-folder")).unwrap();
    symlink(trial.at("out/f"), trial.at("root/to-file")).unwrap();
    let (one, other) = if path == "f" { ("f", "to-file") } else { ("d", "to-folder") };

    // The attack is real: with the exchange at the right moment, a comparison of paths lets it through.
    let escaped = checked_then_opened(&folder, path, || exchange(&folder, one, other));
    assert_eq!(escaped.as_deref(), Some("outside"));
    exchange(&folder, one, other);

    for mechanism in MECHANISMS {
        let root = Root::pin_with(&folder, mechanism).unwrap();
        let mut swapper = Other::start(test, &format!("{one},{other}"), &folder);
        assert_eq!(swapper.hear().as_deref(), Some("begun"));
        let (mut opens, mut inside, mut refused) = (0, 0, 0);
        while opens < 20_000 || inside == 0 || refused == 0 {
            assert!(opens < 20_000_000, "{mechanism:?}: only one face was seen: {inside} {refused}");
            let links = if opens % 2 == 0 { Links::Refuse } else { Links::FollowInside };
            match content(&root, &rel(path), links) {
                Ok(bytes) => {
                    assert_eq!(bytes, b"inside", "{mechanism:?} after {opens} opens");
                    inside += 1;
                }
                Err(_) => refused += 1,
            }
            if opens % 10 == 0
                && let Ok(names) = root.list(&rel("d"))
            {
                assert!(names.iter().all(|entry| &*entry.name != b"only-outside"), "{mechanism:?}");
            }
            opens += 1;
        }
        swapper.kill();
    }
}

#[test]
fn a_folder_exchanged_with_a_link_lets_nothing_out() {
    race("a_folder_exchanged_with_a_link_lets_nothing_out", "d/f");
}

#[test]
fn a_file_exchanged_with_a_link_lets_nothing_out() {
    race("a_file_exchanged_with_a_link_lets_nothing_out", "f");
}

#[test]
fn a_folder_moved_out_and_back_lets_nothing_out() {
    if let Some((_, folder)) = role() {
        say("begun");
        loop {
            fs::rename(folder.join("root/d"), folder.join("out/d")).unwrap();
            fs::rename(folder.join("out/d"), folder.join("root/d")).unwrap();
        }
    }
    let trial = Trial::new();
    trial.file("root/d/e/f", "inside");
    trial.file("out/secret", "outside");
    symlink("../../secret", trial.at("root/d/e/up")).unwrap();
    symlink("..", trial.at("root/d/above")).unwrap();
    for mechanism in MECHANISMS {
        let root = Root::pin_with(&trial.at("root"), mechanism).unwrap();
        let mut mover = Other::start("a_folder_moved_out_and_back_lets_nothing_out", "move", &trial.0);
        assert_eq!(mover.hear().as_deref(), Some("begun"));
        let (mut opens, mut inside, mut missing) = (0, 0, 0);
        while opens < 20_000 || inside == 0 || missing == 0 {
            assert!(opens < 20_000_000, "{mechanism:?}: only one face was seen: {inside} {missing}");
            match content(&root, &rel("d/e/f"), Links::FollowInside) {
                Ok(bytes) => {
                    assert_eq!(bytes, b"inside");
                    inside += 1;
                }
                Err(_) => missing += 1,
            }
            for path in ["d/e/up", "d/above/secret"] {
                assert!(content(&root, &rel(path), Links::FollowInside).is_err(), "{mechanism:?} {path}");
            }
            opens += 3;
        }
        mover.kill();
        // Wherever it was killed, the next round begins with the folder in its place.
        if trial.at("out/d").exists() {
            fs::rename(trial.at("out/d"), trial.at("root/d")).unwrap();
        }
    }
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const QUOTA: Quota = Quota { item_bytes: 1 << 20, session_bytes: 1 << 30 };
const ITEM_BYTES: usize = 100_000;

#[test]
fn a_killed_session_leaves_no_torn_item_and_is_swept_away() {
    if let Some((_, home)) = role() {
        let store = Store::open(&UserDirs::below(&home), QUOTA).unwrap();
        loop {
            let mut item = store.create().unwrap();
            for part in vec![b'x'; ITEM_BYTES].chunks(1_000) {
                item.write_all(part).unwrap();
            }
            say(item.keep().unwrap().as_str());
        }
    }
    let trial = Trial::new();
    let home = trial.at("home");
    let dirs = UserDirs::below(&home);
    let name = "a_killed_session_leaves_no_torn_item_and_is_swept_away";
    let mut seen = Vec::new();
    for round in 0..10 {
        let mut session = Other::start(name, "store", &home);
        for _ in 0..=round {
            seen.push(session.hear().unwrap());
        }
        // Alive, it is left alone however old it looks.
        let swept = Store::scavenge(&dirs, SystemTime::now() + 2 * DAY).unwrap();
        assert_eq!((swept.removed, swept.left), (0, 1));
        session.kill();
        let left: Vec<PathBuf> =
            fs::read_dir(home.join("runtime/packs")).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left.len(), 1);
        let mut packs = Vec::new();
        for entry in fs::read_dir(&left[0]).unwrap() {
            let entry = entry.unwrap();
            if let Some(id) = entry.file_name().to_str().unwrap().strip_suffix(".pack") {
                assert_eq!(entry.metadata().unwrap().len(), ITEM_BYTES as u64, "a torn item");
                packs.push(id.to_owned());
            }
        }
        let acknowledged = &seen[seen.len() - round - 1..];
        assert!(acknowledged.iter().all(|id| packs.contains(id)), "an acknowledged item is lost");

        // The next start works, knows none of the ids, and sweeps only when the time has come.
        let next = Store::open(&dirs, QUOTA).unwrap();
        for id in packs.iter().chain(&seen) {
            assert_eq!(next.open_item(id).unwrap_err(), StoreFault::Unknown);
        }
        let swept = Store::scavenge(&dirs, SystemTime::now()).unwrap();
        assert_eq!((swept.removed, swept.left), (0, 2));
        let swept = Store::scavenge(&dirs, SystemTime::now() + 2 * DAY).unwrap();
        assert_eq!((swept.removed, swept.left, swept.unfinished), (1, 1, false));
        drop(next);
        assert_eq!(fs::read_dir(home.join("runtime/packs")).unwrap().count(), 0);
    }
    let all = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), all, "an id came twice");
}

/// Says which directories a walk could not list.
#[derive(Default)]
struct Unlisted(Vec<String>);

impl Visitor for Unlisted {
    fn enter(&mut self, _dir: &RelPath, entries: &[Entry], _folder: &Folder<'_>) -> Vec<Step> {
        vec![Step::Descend; entries.len()]
    }
    fn leave(&mut self, _dir: &RelPath) {}
    fn unreadable(&mut self, dir: &RelPath) {
        self.0.push(dir.to_address().into_owned());
    }
}

#[test]
fn whatever_is_mounted_below_a_root_is_outside() {
    if let Some((_, folder)) = role() {
        let mount = |arguments: &[&str]| {
            assert!(Command::new("mount").current_dir(&folder).args(arguments).status().unwrap().success());
        };
        // The same file system at another place, a single file, and another file system.
        mount(&["--bind", "real", "same"]);
        mount(&["--bind", "real/f", "file"]);
        mount(&["-t", "tmpfs", "none", "other"]);
        fs::write(folder.join("other/f"), "mounted").unwrap();
        say("mounted");
        for mechanism in MECHANISMS {
            let root = Root::pin_with(&folder, mechanism).unwrap();
            assert!(content(&root, &rel("real/f"), Links::Refuse).is_ok());
            for path in ["same/f", "other/f", "file", "to-same/f"] {
                assert_eq!(
                    content(&root, &rel(path), Links::FollowInside),
                    Err(OpenFault::Outside),
                    "{mechanism:?} {path}"
                );
            }
            let mut unlisted = Unlisted::default();
            disk::walk(&root, &RelPath::root(), &WalkLimits::default(), &mut unlisted, &Unwatched).unwrap();
            assert_eq!(unlisted.0, ["other", "same"], "{mechanism:?}");
            // A root may itself be a mount.
            let mounted = Root::pin_with(&folder.join("same"), mechanism).unwrap();
            assert!(mounted.still_there() && content(&mounted, &rel("f"), Links::Refuse).is_ok());
        }
        say("held");
        return;
    }
    let trial = Trial::new();
    trial.file("root/real/f", "inside");
    trial.file("root/same/f", "covered");
    trial.file("root/other/f", "covered");
    trial.file("root/file", "covered");
    symlink("same", trial.at("root/to-same")).unwrap();
    let apart = ["-m", "--propagation", "private"];
    let may = Command::new("unshare").args(apart).arg("true").stderr(Stdio::null()).status();
    if may.is_ok_and(|status| status.success()) {
        let mut command = Command::new("unshare");
        command.args(apart).arg(std::env::current_exe().unwrap());
        let name = "whatever_is_mounted_below_a_root_is_outside";
        let mut mounting = Other::start_with(command, name, "mount", &trial.at("root"));
        assert_eq!(mounting.hear().as_deref(), Some("mounted"));
        assert_eq!(mounting.hear().as_deref(), Some("held"));
    } else {
        // Nobody may mount here; the mounts of the system itself are always there.
        for mechanism in MECHANISMS {
            let root = Root::pin_with(Path::new("/"), mechanism).unwrap();
            assert_eq!(content(&root, &rel("proc/version"), Links::Refuse), Err(OpenFault::Outside));
        }
    }
}

/// A chain of directories, each named `a`.
fn chain(folder: &Path, depth: usize) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut here = openat(CWD, folder, flags, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&here, "a", Mode::RWXU).unwrap();
        here = openat(here.as_fd(), "a", flags, Mode::empty()).unwrap();
    }
}

#[test]
fn sixteen_handles_are_enough_for_walking_and_sweeping() {
    if let Some((_, folder)) = role() {
        let dirs = UserDirs::below(&folder.join("home"));
        let limit = setrlimit(Resource::Nofile, Rlimit { current: Some(16), maximum: Some(16) });
        limit.unwrap();
        let held: Vec<_> = (0..16).map(|_| File::open("/")).collect();
        assert!(held.iter().any(Result::is_err), "the limit holds");
        drop(held);
        for mechanism in MECHANISMS {
            let root = Root::pin_with(&folder.join("root"), mechanism).unwrap();
            let mut unlisted = Unlisted::default();
            let end = disk::walk(&root, &RelPath::root(), &WalkLimits::default(), &mut unlisted, &Unwatched);
            assert_eq!((end.unwrap().depth_cut, unlisted.0.len()), (1, 0));
            assert_eq!(content(&root, &rel("l"), Links::FollowInside).unwrap(), b"inside");
        }
        let swept = Store::scavenge(&dirs, SystemTime::now() + 2 * DAY).unwrap();
        assert_eq!((swept.removed, swept.unfinished), (1, false));
        say("enough");
        return;
    }
    let trial = Trial::new();
    let dirs = UserDirs::below(&trial.at("home"));
    drop(Store::open(&dirs, QUOTA).unwrap());
    let session = dirs.runtime.join("packs").join("0".repeat(32));
    fs::create_dir(&session).unwrap();
    fs::write(session.join(".session.lock"), "").unwrap();
    chain(&session, 2_000);
    fs::create_dir_all(trial.at("root/d")).unwrap();
    chain(&trial.at("root/d"), 400);
    trial.file(&format!("root/d{}/f", "/a".repeat(200)), "inside");
    symlink(format!("d{}/f", "/a".repeat(200)), trial.at("root/l")).unwrap();
    let mut other = Other::start("sixteen_handles_are_enough_for_walking_and_sweeping", "few", &trial.0);
    assert_eq!(other.hear().as_deref(), Some("enough"));
    assert!(!session.exists());
}
