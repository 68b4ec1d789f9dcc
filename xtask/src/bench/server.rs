//! What a server costs over its pipes: from its start to an answer, and for a call when it is warm. It speaks the
//! handshake that every server knows, and does not read the answers.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A running server after its handshake.
#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    next_id: u64,
}

/// How long something took, on the wall and on the CPUs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Took {
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

impl Server {
    /// Starts a server and waits until `initialize` is answered.
    ///
    /// # Errors
    /// That it could not be started or ended before it answered.
    pub(crate) fn start(command: &[String], folder: &Path) -> Result<(Server, Took), String> {
        let (program, arguments) = command.split_first().ok_or("no command")?;
        let started = Instant::now();
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let stdin = child.stdin.take().ok_or("no pipe")?;
        let stdout = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        let mut server = Server { child, stdin, stdout, next_id: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
        });
        server.request("initialize", hello)?;
        let took = Took { wall: started.elapsed(), cpu: server.cpu() };
        server.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok((server, took))
    }

    /// Calls a tool and returns how long it took and how many bytes the answer has.
    ///
    /// # Errors
    /// That the server ended, or that the call failed.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Result<(Took, usize), String> {
        let before = self.cpu();
        let started = Instant::now();
        let (answer, bytes) = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let took = Took { wall: started.elapsed(), cpu: self.cpu().saturating_sub(before) };
        if answer["result"]["isError"] == true || answer.get("error").is_some() {
            let text: String = answer.to_string().chars().take(300).collect();
            return Err(format!("{tool}: {text}"));
        }
        Ok((took, bytes))
    }

    /// Calls a tool and returns the text of its first block.
    ///
    /// # Errors
    /// That the server ended, or that the call failed.
    pub(crate) fn call_for_text(&mut self, tool: &str, arguments: Value) -> Result<String, String> {
        let (answer, _) = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        match answer["result"]["content"][0]["text"].as_str() {
            Some(text) if answer["result"]["isError"] != true => Ok(text.to_owned()),
            _ => Err(format!("{tool}: {answer}")),
        }
    }

    /// Asks for the tools, as every client does before its first call.
    pub(crate) fn list_tools(&mut self) -> Result<usize, String> {
        self.request("tools/list", json!({})).map(|(_, bytes)| bytes)
    }

    /// A line of `/proc/PID/status` in MiB: `VmRSS` now, `VmHWM` the most so far.
    pub(crate) fn memory_mib(&self, line: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let value = status.lines().find_map(|known| known.strip_prefix(line)?.strip_prefix(':'));
        let kib: Option<f64> =
            value.and_then(|value| value.trim().trim_end_matches("kB").trim().parse().ok());
        kib.map_or(f64::NAN, |kib| kib / 1024.0)
    }

    /// CPU time of the threads that are alive, to the nanosecond.
    fn cpu(&self) -> Duration {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.child.id()));
        let mut nanoseconds = 0;
        for thread in threads.into_iter().flatten().flatten() {
            let line = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
            nanoseconds += line.split(' ').next().and_then(|first| first.parse::<u64>().ok()).unwrap_or(0);
        }
        Duration::from_nanos(nanoseconds)
    }

    fn request(&mut self, method: &str, params: Value) -> Result<(Value, usize), String> {
        self.next_id += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}))?;
        loop {
            let mut line = String::new();
            let bytes = self.stdout.read_line(&mut line).map_err(|error| error.to_string())?;
            if bytes == 0 {
                return Err(format!("the server ended before it answered {method}"));
            }
            // The answer is read only as far as needed, so that the time is the server's.
            let answer: Value = serde_json::from_str(&line).map_err(|error| error.to_string())?;
            if answer["id"] == self.next_id {
                return Ok((answer, bytes));
            }
        }
    }

    fn write(&mut self, message: &Value) -> Result<(), String> {
        let line = format!("{message}\n");
        self.stdin
            .write_all(line.as_bytes())
            .and_then(|()| self.stdin.flush())
            .map_err(|error| error.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
