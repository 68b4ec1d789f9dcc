//! A command at a terminal of its own, as a person has it: what it shows there, and what is typed.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::pty::openpty;
use rustix::event::{PollFd, PollFlags, poll};
use testkit::Tree;

use super::BINARY;

/// How long the command may be silent.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command that runs at a terminal.
pub(super) struct Terminal {
    child: Child,
    screen: File,
    shown: Vec<u8>,
}

impl Terminal {
    /// Starts `readroom docs` in the project, with further variables.
    pub(super) fn start(tree: &Tree, arguments: &[&str], variables: &[(&str, &str)]) -> Terminal {
        let pair = openpty(None, None).expect("a terminal");
        let end = || Stdio::from(pair.slave.try_clone().expect("another handle"));
        let child = Command::new(BINARY)
            .arg("docs")
            .args(arguments)
            .current_dir(tree.root())
            .env_remove("NO_COLOR")
            .env("TERM", "xterm")
            .env("READROOM_HOME", tree.home())
            .envs(variables.iter().copied())
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("the binary runs");
        // The child alone has the other end now, so that its end is seen here.
        drop(pair.slave);
        Terminal { child, screen: File::from(pair.master), shown: Vec::new() }
    }

    /// Reads until the words are shown; everything shown so far.
    pub(super) fn until(&mut self, words: &str) -> String {
        while !self.text().contains(words) {
            assert!(self.read(), "it ended without {words:?}: {}", self.text());
        }
        self.text()
    }

    /// Types a line.
    pub(super) fn type_line(&mut self, line: &str) {
        writeln!(self.screen, "{line}").expect("the terminal takes it");
    }

    /// Reads to the end; the exit code and everything that was shown.
    pub(super) fn end(mut self) -> (Option<i32>, String) {
        while self.read() {}
        let code = self.child.wait().expect("a child of ours").code();
        (code, self.text())
    }

    fn text(&self) -> String {
        // A terminal ends lines with both characters.
        String::from_utf8_lossy(&self.shown).replace("\r\n", "\n")
    }

    /// Reads a piece; false when the other end is closed.
    fn read(&mut self) -> bool {
        let patience = rustix::fs::Timespec::try_from(PATIENCE).expect("a time");
        let ready = poll(&mut [PollFd::new(&self.screen, PollFlags::IN)], Some(&patience)).expect("pollable");
        assert!(ready > 0, "silent for {PATIENCE:?}: {}", self.text());
        let mut piece = [0; 4096];
        match self.screen.read(&mut piece) {
            Ok(count) if count > 0 => {
                self.shown.extend_from_slice(&piece[..count]);
                true
            }
            // The system says of a terminal whose other end is closed that it gave an error.
            _ => false,
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.child.kill().ok();
        }
        self.child.wait().ok();
    }
}
