//! The process and its pipes. It knows lines, not the protocol.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long a test waits for a line or an exit before it fails. A bound on hanging, never a measure of speed.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server and the three ends of its pipes. Dropped while running, it is killed.
#[derive(Debug)]
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    pushed_back: VecDeque<Vec<u8>>,
    stderr: Option<JoinHandle<Vec<u8>>>,
    patience: Duration,
}

/// How a server ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What stood on stdout and was not read before, line by line.
    pub rest: Vec<String>,
    /// All of stderr.
    pub stderr: String,
}

impl Client {
    /// Starts `binary` with `arguments` in `home`. Of the environment the server gets `PATH` and what [`Client::start_with`]
    /// adds; `HOME`, the XDG folders and `READROOM_HOME` point into `home`.
    pub fn start<S: AsRef<OsStr>>(binary: &Path, arguments: &[S], home: &Path) -> Client {
        Client::start_with(binary, arguments, home, |command| command)
    }

    /// Like [`Client::start`], with a chance to add variables or another working folder.
    pub fn start_with<S: AsRef<OsStr>>(
        binary: &Path,
        arguments: &[S],
        home: &Path,
        adjust: impl FnOnce(&mut Command) -> &mut Command,
    ) -> Client {
        let mut command = Command::new(binary);
        command.args(arguments).current_dir(home);
        hermetic(&mut command, home);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        adjust(&mut command);
        let mut child =
            command.spawn().unwrap_or_else(|error| panic!("cannot start {}: {error}", binary.display()));
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let mut errors = child.stderr.take().expect("stderr is a pipe");
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                match reader.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            errors.read_to_end(&mut bytes).ok();
            bytes
        });
        Client { child, stdin, lines, pushed_back: VecDeque::new(), stderr: Some(stderr), patience: PATIENCE }
    }

    /// Waits for lines and exits at most this long from now on, instead of a minute.
    pub fn patience(mut self, patience: Duration) -> Client {
        self.patience = patience;
        self
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Writes `line` and a line end.
    pub fn send_line(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
        self.send_bytes(b"\n");
    }

    /// Writes a message as one line.
    pub fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// Writes bytes as they are. A server that has gone away is no failure here: its exit says what happened.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin was not closed before");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).ok();
    }

    /// The next line of stdout without its line end. Panics when none comes in time or the server closed stdout.
    pub fn read_line(&mut self) -> String {
        self.try_read_line(self.patience)
            .unwrap_or_else(|| panic!("no line from the server within {:?}", self.patience))
    }

    /// The next line of stdout, or `None` when none came within `wait` or stdout is closed.
    pub fn try_read_line(&mut self, wait: Duration) -> Option<String> {
        let mut line = match self.pushed_back.pop_front() {
            Some(line) => line,
            None => match self.lines.recv_timeout(wait) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            },
        };
        assert_eq!(line.pop(), Some(b'\n'), "a frame ends in a line end");
        Some(String::from_utf8(line).expect("stdout is UTF-8"))
    }

    /// The next frame. Panics when the line is not JSON: stdout carries frames only.
    pub fn read_frame(&mut self) -> Value {
        let line = self.read_line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("not a frame: {error}: {line}"))
    }

    /// Closes the server's stdin.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Sends a signal to the server, for instance `2` for SIGINT or `15` for SIGTERM.
    pub fn signal(&self, number: i32) {
        let pid = rustix::process::Pid::from_child(&self.child);
        let signal = rustix::process::Signal::from_named_raw(number).expect("the number names a signal");
        rustix::process::kill_process(pid, signal).expect("the server is running");
    }

    /// Memory in use by the server, in bytes.
    pub fn resident_bytes(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.pid())).expect("the server is running");
        let line =
            status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("the kernel says VmRSS");
        let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().expect("VmRSS is a number of kB");
        kib * 1024
    }

    /// The most memory the server has used so far, in bytes.
    pub fn peak_bytes(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.pid())).expect("the server is running");
        let line =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel says VmHWM");
        let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().expect("VmHWM is a number of kB");
        kib * 1024
    }

    /// Waits for the server to end by itself. Panics, and kills it, when it does not.
    pub fn wait(mut self) -> Exit {
        let deadline = Instant::now() + self.patience;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("the server is a child of this process") {
                break status;
            }
            assert!(Instant::now() < deadline, "the server is still running after {:?}", self.patience);
            std::thread::park_timeout(Duration::from_millis(2));
        };
        let stderr = self.stderr.take().and_then(|reader| reader.join().ok()).unwrap_or_default();
        let mut rest = Vec::new();
        while let Some(line) = self.pushed_back.pop_front().or_else(|| self.lines.recv().ok()) {
            rest.push(String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned());
        }
        Exit {
            code: status.code(),
            signal: status.signal(),
            rest,
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }

    /// Closes stdin and waits.
    pub fn finish(mut self) -> Exit {
        self.close_stdin();
        self.wait()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.child.kill().ok();
        }
        self.child.wait().ok();
    }
}

/// Empties the environment of `command` but for `PATH`, and points every per-user folder into `home`.
fn hermetic(command: &mut Command, home: &Path) {
    command.env_clear();
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    let below = |folder: &str| -> OsString { home.join(folder).into() };
    command
        .env("HOME", home)
        .env("READROOM_HOME", home)
        .env("XDG_CONFIG_HOME", below("config"))
        .env("XDG_CACHE_HOME", below("cache"))
        .env("XDG_DATA_HOME", below("data"))
        .env("TMPDIR", std::env::temp_dir())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tree;

    fn shell(script: &str, tree: &Tree) -> Client {
        Client::start(Path::new("/bin/sh"), &["-c", script], &tree.home())
    }

    #[test]
    fn lines_go_in_and_come_out() {
        let tree = Tree::new("");
        let mut client = shell("while read -r line; do echo \"{\\\"said\\\":\\\"$line\\\"}\"; done", &tree);
        client.send_line("one");
        client.send_line("two");
        assert_eq!(client.read_frame()["said"], "one");
        assert_eq!(client.read_line(), r#"{"said":"two"}"#);
        client.send_line("three");
        let exit = client.finish();
        assert_eq!((exit.code, exit.stderr.as_str()), (Some(0), ""));
        assert_eq!(exit.rest, [r#"{"said":"three"}"#]);
    }

    #[test]
    fn an_exit_code_a_signal_and_stderr_are_reported() {
        let tree = Tree::new("");
        let exit = shell("echo trouble >&2; exit 7", &tree).wait();
        assert_eq!((exit.code, exit.signal, exit.stderr.as_str()), (Some(7), None, "trouble\n"));
        let mut client = shell("echo ready; read -r line", &tree);
        client.read_line();
        client.signal(15);
        assert_eq!(client.wait().signal, Some(15));
    }

    #[test]
    fn the_environment_is_the_tests_own() {
        let tree = Tree::new("");
        let home = tree.home().display().to_string();
        let mut client = shell("echo \"$HOME|$READROOM_HOME|$XDG_CONFIG_HOME|$USER|$(pwd)\"", &tree);
        assert_eq!(client.read_line(), format!("{home}|{home}|{home}/config||{home}"));
    }

    #[test]
    fn silence_is_told_apart_from_a_line() {
        let tree = Tree::new("");
        let mut client = shell("read -r line; echo done", &tree);
        assert_eq!(client.try_read_line(Duration::from_millis(1)), None);
        client.send_line("");
        assert_eq!(client.read_line(), "done");
    }

    #[test]
    fn memory_of_a_running_server_is_a_number() {
        let tree = Tree::new("");
        let mut client = shell("echo up; read -r line", &tree);
        assert_eq!(client.read_line(), "up");
        let resident = client.resident_bytes();
        assert!(resident > 0 && client.peak_bytes() >= resident);
    }
}
