//! The only place that starts git: found once on absolute paths outside of every project, started with an environment
//! of ours and nothing else, bounded in output and time, and ended together with whatever it started. It knows no
//! command and shows nobody what git wrote to stderr.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use confine::Confinement;
use fault::{Stop, Unwatched, Watch};
use rustix::process::{Pid, Resource, Rlimit, Signal};

use crate::cage::{self, Cage, Startable};

/// Bytes of output that are kept (security model 2.4).
pub(crate) const OUTPUT_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// How long a local command may run.
pub(crate) const LOCAL_TIME_MAX: Duration = Duration::from_secs(10);
/// Bytes of data that a git process may allocate, and seconds that it may compute.
const DATA_BYTES_MAX: u64 = 1024 * 1024 * 1024;
const CPU_SECONDS_MAX: u64 = 15;
/// How often a waiting call looks whether it is still wanted.
const PAUSE: Duration = Duration::from_millis(20);

/// The git of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitProgram {
    path: PathBuf,
    /// What the kernel has to start for it, once it was tried; `None` when git does not run on that alone.
    startable: Arc<OnceLock<Option<Startable>>>,
}

/// Why a run of git gave nothing. The texts name no path and hold nothing that git printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RunFault {
    #[error("git cannot be started")]
    NotStarted,
    #[error("git failed")]
    Failed,
    #[error("git printed more than is read")]
    TooMuch,
    #[error("git took too long")]
    TooSlow,
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// The bounds of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunLimits {
    pub(crate) time: Duration,
    pub(crate) output_bytes: u64,
    /// Whether memory and computing time are bounded as for local commands.
    pub(crate) is_local: bool,
    /// Bytes of a file that it writes.
    pub(crate) file_bytes: Option<u64>,
}

impl RunLimits {
    pub(crate) const LOCAL: RunLimits =
        RunLimits { time: LOCAL_TIME_MAX, output_bytes: OUTPUT_BYTES_MAX, is_local: true, file_bytes: None };
}

impl GitProgram {
    /// The first `git` on `PATH` that is an executable file: relative entries are skipped, and so is what lies below
    /// one of `roots` or in a folder above one.
    pub fn find<'p>(roots: impl Iterator<Item = &'p Path> + Clone) -> Option<GitProgram> {
        GitProgram::find_in(&std::env::var_os("PATH")?, roots)
    }

    fn find_in<'p>(path: &OsStr, roots: impl Iterator<Item = &'p Path> + Clone) -> Option<GitProgram> {
        std::env::split_paths(path).filter(|folder| folder.is_absolute()).find_map(|folder| {
            let physical = std::fs::canonicalize(folder.join("git")).ok()?;
            let is_program = std::fs::metadata(&physical)
                .is_ok_and(|stat| stat.is_file() && stat.permissions().mode() & 0o111 != 0);
            let is_foreign = roots.clone().all(|root| {
                [folder.as_path(), physical.parent().unwrap_or(&physical)]
                    .iter()
                    .all(|place| !place.starts_with(root) && !root.starts_with(place))
            });
            (is_program && is_foreign).then(|| GitProgram::at(physical))
        })
    }

    fn at(path: PathBuf) -> GitProgram {
        GitProgram { path, startable: Arc::default() }
    }

    /// The physical path of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says its version is, such as `2.47.3`; none when it does not run.
    pub fn version(&self) -> Option<String> {
        let told = self.run(
            &["version".into()],
            &[],
            RunLimits::LOCAL,
            &Cage::Local { reads: Vec::new() },
            &Unwatched,
        );
        let told = String::from_utf8(told.ok()?).ok()?;
        let words = told.strip_prefix("git version ")?.split_whitespace().next()?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        Some(words.chars().filter(|c| is_plain(*c)).take(40).collect())
    }

    /// Whether it runs on itself and its loader alone, so that a confined process can start it and nothing else.
    pub fn is_confinable(&self) -> bool {
        self.startable().is_some()
    }

    /// Lets a confined process start git: git and its loader alone where that suffices, else anything.
    #[must_use]
    pub fn startable_in(&self, confinement: Confinement) -> Confinement {
        match self.startable() {
            Some(startable) => startable.files().fold(confinement, |so_far, file| so_far.starts(file)),
            None => confinement.starts_anything(),
        }
    }

    /// What the kernel has to start for git. Tried once with a real run: a git that is a script, or that needs more
    /// than itself, is not understood.
    fn startable(&self) -> Option<&Startable> {
        let try_it = || {
            let startable = Startable::of(&self.path)?;
            let confinement = startable.confinement(&Cage::Local { reads: Vec::new() });
            let told = self.run_confined(
                &["version".into()],
                &[],
                RunLimits::LOCAL,
                confinement,
                &Unwatched,
                &mut || Ok(()),
            );
            told.is_ok_and(|told| told.starts_with(b"git version ")).then_some(startable)
        };
        self.startable.get_or_init(try_it).as_ref()
    }

    /// Runs git with exactly these arguments and variables, from `/`, with nothing to read, and returns what it wrote
    /// to standard output. Anything but success is a fault; a part of an output is never returned.
    pub(crate) fn run(
        &self,
        arguments: &[OsString],
        environment: &[(&str, OsString)],
        limits: RunLimits,
        cage: &Cage,
        watch: &dyn Watch,
    ) -> Result<Vec<u8>, RunFault> {
        self.run_polled(arguments, environment, limits, cage, watch, &mut || Ok(()))
    }

    /// As [`GitProgram::run`]; `poll` is asked every now and then and may end the run.
    pub(crate) fn run_polled(
        &self,
        arguments: &[OsString],
        environment: &[(&str, OsString)],
        limits: RunLimits,
        cage: &Cage,
        watch: &dyn Watch,
        poll: &mut dyn FnMut() -> Result<(), RunFault>,
    ) -> Result<Vec<u8>, RunFault> {
        let confinement = match self.startable() {
            Some(startable) => startable.confinement(cage),
            None => cage::loose(cage).reads_anything().starts_anything(),
        };
        self.run_confined(arguments, environment, limits, confinement, watch, poll)
    }

    fn run_confined(
        &self,
        arguments: &[OsString],
        environment: &[(&str, OsString)],
        limits: RunLimits,
        confinement: Confinement,
        watch: &dyn Watch,
        poll: &mut dyn FnMut() -> Result<(), RunFault>,
    ) -> Result<Vec<u8>, RunFault> {
        watch.check()?;
        let mut command = Command::new(&self.path);
        command.args(arguments).env_clear().current_dir("/").process_group(0);
        command.envs(environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running(started(&mut command, confinement)?);
        running.bound(limits);
        let mut out = running.0.stdout.take().ok_or(RunFault::NotStarted)?.take(limits.output_bytes + 1);
        let (tell, told) = mpsc::channel();
        let reader = std::thread::Builder::new().name("git-output".to_owned());
        let reader = reader.spawn(move || {
            let mut bytes = Vec::new();
            let read = out.read_to_end(&mut bytes).map(|_| bytes);
            let _ = tell.send(read);
        });
        reader.map_err(|_| RunFault::NotStarted)?;
        let end = Instant::now() + limits.time;
        let bytes = loop {
            match told.recv_timeout(PAUSE) {
                Ok(read) => break read.map_err(|_| RunFault::Failed)?,
                Err(RecvTimeoutError::Disconnected) => return Err(RunFault::Failed),
                Err(RecvTimeoutError::Timeout) => {}
            }
            watch.check()?;
            poll()?;
            if Instant::now() >= end {
                return Err(RunFault::TooSlow);
            }
        };
        if bytes.len() as u64 > limits.output_bytes {
            return Err(RunFault::TooMuch);
        }
        loop {
            // It closed its output, so it is about to end; the first looks are close together.
            match running.0.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(bytes),
                Ok(Some(_)) | Err(_) => return Err(RunFault::Failed),
                Ok(None) => {}
            }
            watch.check()?;
            if Instant::now() >= end {
                return Err(RunFault::TooSlow);
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// Starts a program from a thread that is confined for good and ends at once: what a thread may do is handed on to what
/// it starts.
fn started(command: &mut Command, confinement: Confinement) -> Result<Child, RunFault> {
    std::thread::scope(|scope| {
        let start = move || {
            let _ = confinement.apply();
            command.spawn()
        };
        let thread = std::thread::Builder::new().name("git-start".to_owned()).spawn_scoped(scope, start);
        let spawned = thread.map_err(|_| RunFault::NotStarted)?.join();
        spawned.map_err(|_| RunFault::NotStarted)?.map_err(|_| RunFault::NotStarted)
    })
}

/// A started git; whatever is left of its process group ends with this value.
struct Running(Child);

impl Running {
    fn pid(&self) -> Option<Pid> {
        Pid::from_raw(i32::try_from(self.0.id()).ok()?)
    }

    /// Sets what the system itself holds; where it cannot, the deadline is left.
    fn bound(&self, limits: RunLimits) {
        let set = |what: Resource, most: u64| {
            let limit = Rlimit { current: Some(most), maximum: Some(most) };
            let _ = rustix::process::prlimit(self.pid(), what, limit);
        };
        set(Resource::Core, 0);
        if limits.is_local {
            set(Resource::Data, DATA_BYTES_MAX);
            set(Resource::Cpu, CPU_SECONDS_MAX);
        }
        if let Some(bytes) = limits.file_bytes {
            set(Resource::Fsize, bytes);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(group) = self.pid() {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Tree;

    fn program(script: &str) -> (Tree, GitProgram) {
        let tree = Tree::new("");
        tree.file("git", &format!("#!/bin/sh\n{script}\n")).mode("git", 0o755);
        let path = tree.path("git");
        (tree, GitProgram::at(path))
    }

    fn run(program: &GitProgram, limits: RunLimits) -> Result<Vec<u8>, RunFault> {
        let cage = Cage::Local { reads: Vec::new() };
        program.run(&[], &[("PATH", "/usr/bin:/bin".into())], limits, &cage, &Unwatched)
    }

    #[test]
    fn output_is_kept_up_to_its_limit_and_never_in_part() {
        let limits = RunLimits { output_bytes: 3, ..RunLimits::LOCAL };
        for (script, expected) in [
            ("printf abc", Ok(b"abc".to_vec())),
            ("printf abcd", Err(RunFault::TooMuch)),
            ("printf ab; exit 1", Err(RunFault::Failed)),
            ("yes", Err(RunFault::TooMuch)),
        ] {
            let (_tree, program) = program(script);
            assert_eq!(run(&program, limits), expected, "{script}");
        }
    }

    #[test]
    fn a_run_that_takes_too_long_ends_with_all_that_it_started() {
        let (tree, program) = program("sleep 600 & echo $! > \"$OUT\"; exec sleep 600");
        let out = tree.path("pid");
        let limits = RunLimits { time: Duration::from_millis(500), ..RunLimits::LOCAL };
        let environment = [("PATH", "/usr/bin:/bin".into()), ("OUT", out.clone().into_os_string())];
        assert_eq!(
            program.run(&[], &environment, limits, &Cage::Remote { writes: tree.root() }, &Unwatched),
            Err(RunFault::TooSlow)
        );
        let pid: i32 = std::fs::read_to_string(out).expect("written").trim().parse().expect("a number");
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(state.is_empty() || state.contains(") Z "), "{state}");
    }

    #[test]
    fn the_environment_is_ours_alone() {
        let (_tree, program) = program("/usr/bin/env");
        let given = [("A", OsString::from("1"))];
        let shown = program
            .run(&[], &given, RunLimits::LOCAL, &Cage::Local { reads: Vec::new() }, &Unwatched)
            .expect("it runs");
        let shown = String::from_utf8(shown).expect("text");
        let names: Vec<_> = shown.lines().filter_map(|line| line.split('=').next()).collect();
        // A shell adds some of its own.
        assert!(names.iter().all(|name| ["A", "PWD", "SHLVL", "_", "OLDPWD"].contains(name)), "{names:?}");
    }

    #[test]
    fn even_a_trapped_configuration_starts_nothing_where_the_kernel_holds_git() {
        let tree = Tree::new("repo/a: x\nout/keep: x");
        let fired = tree.path("out/fired");
        tree.file("monitor", &format!("#!/bin/sh\n: > '{}'\n", fired.display())).mode("monitor", 0o755);
        let git = GitProgram::find(std::iter::empty()).expect("git is installed");
        let repo = tree.path("repo");
        let monitor = format!("core.fsmonitor={}", tree.path("monitor").display());
        let plainly = |arguments: &[&str]| {
            let mut command = Command::new(git.path());
            command.env_clear().envs([("PATH", "/usr/bin:/bin"), ("HOME", "/nowhere")]);
            command.arg("-C").arg(&repo).args(arguments);
            assert!(command.output().expect("git starts").status.success(), "{arguments:?}");
        };
        plainly(&["init", "-q"]);
        plainly(&["-c", &monitor, "status"]);
        assert!(std::fs::remove_file(&fired).is_ok(), "plain git sets it off");
        let arguments: Vec<OsString> =
            vec!["-C".into(), repo.clone().into(), "-c".into(), monitor.into(), "status".into()];
        let cage = Cage::Local { reads: vec![repo.clone(), tree.path("monitor")] };
        let environment = [("PATH", "/usr/bin:/bin".into()), ("HOME", "/nowhere".into())];
        let told = git.run(&arguments, &environment, RunLimits::LOCAL, &cage, &Unwatched);
        let enforced = std::thread::spawn(|| Confinement::new().apply()).join().expect("it ends");
        if enforced.files == confine::Held::Design {
            return;
        }
        assert!(git.startable().is_some(), "the git of this machine is understood");
        assert!(told.is_ok(), "{told:?}");
        assert!(!fired.exists());
    }

    #[test]
    fn a_git_inside_a_project_or_above_it_is_never_taken() {
        let tree = Tree::new("bin/git: x\nother/git: x\nplain/git: x\nhome/project/a: x\nhome/git: x");
        for name in ["bin/git", "other/git", "home/git"] {
            tree.mode(name, 0o755);
        }
        let find = |entries: &[&str], root: &str| {
            let path = std::env::join_paths(entries.iter().map(|entry| tree.path(entry))).expect("plain");
            let root = tree.path(root);
            GitProgram::find_in(&path, std::iter::once(root.as_path())).map(|found| found.path)
        };
        assert_eq!(find(&["plain", "bin", "other"], "home/project"), Some(tree.path("bin/git")));
        assert_eq!(find(&["home", "other"], "home/project"), Some(tree.path("other/git")));
        assert_eq!(find(&["home", "other"], "other"), Some(tree.path("home/git")));
        assert_eq!(find(&["bin", "other"], ""), None);
        let relative = GitProgram::find_in(OsStr::new("bin:."), std::iter::empty());
        assert_eq!(relative, None);
    }
}
