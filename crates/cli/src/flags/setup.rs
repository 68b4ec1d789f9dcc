//! What a person types after `setup` and `doctor`. It checks spellings, not files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{path, text};

/// `readroom setup`.
#[derive(Debug, Args)]
#[command(after_help = "\
Without --write or --remove nothing is changed: standard output is the exact command, or the exact text for the
client's configuration file, and standard error says where it belongs.

Examples:
  readroom setup codex                              the command that registers this folder in Codex
  readroom setup cursor --write                     write Cursor's own configuration file
  readroom setup claude-code --server evidence --write
  readroom setup gemini --write -- --hide-private-data
  readroom setup vscode --file .vscode/mcp.json --write
  readroom setup codex --remove                     take the entry out again")]
pub(crate) struct SetupFlags {
    /// The client
    #[arg(value_name = "CLIENT", value_enum)]
    pub(crate) client: ClientName,
    /// The server
    #[arg(long, value_name = "SERVER", value_enum, default_value_t = ServerName::Project)]
    pub(crate) server: ServerName,
    /// The project; repeat it for several on the project server [default: the current folder]
    #[arg(long, value_name = "DIR", value_parser = path)]
    pub(crate) root: Vec<PathBuf>,
    /// Serve whichever folder the client is opened in, instead of one project
    #[arg(long, conflicts_with = "root")]
    pub(crate) follow: bool,
    /// The name of the entry [default: readroom, or readroom-SERVER]
    #[arg(long, value_name = "NAME", value_parser = entry_name)]
    pub(crate) name: Option<String>,
    /// The program that the client starts [default: this one]
    #[arg(long, value_name = "PROGRAM", value_parser = text)]
    pub(crate) command: Option<String>,
    /// The configuration file, such as that of a workspace [default: the client's own for this user]
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub(crate) file: Option<PathBuf>,
    /// Change the file: the change is shown, and a copy of the file is kept
    #[arg(long, conflicts_with = "remove")]
    pub(crate) write: bool,
    /// Take the entry out of the file in the same way
    #[arg(long)]
    pub(crate) remove: bool,
    /// Further options of the server, after `--`
    #[arg(last = true, value_name = "OPTION")]
    pub(crate) options: Vec<String>,
}

/// A client that can be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClientName {
    /// Claude Code
    ClaudeCode,
    /// Claude Desktop
    ClaudeDesktop,
    /// OpenAI Codex
    Codex,
    /// Cursor
    Cursor,
    /// Visual Studio Code
    Vscode,
    /// Google Antigravity
    Antigravity,
    /// Gemini CLI
    Gemini,
}

/// A server that a client can start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ServerName {
    /// Inspect, search and pack projects
    Project,
    /// Exact lines of one project within small bounds
    Evidence,
    /// A project of structured documents
    Docs,
}

/// `readroom doctor`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit code 0 when nothing is wrong, 1 when a finding is a problem; a note is no problem.

Examples:
  readroom doctor                  look at the current folder
  readroom doctor ~/src/one ~/src/two
  readroom doctor --json")]
pub(crate) struct DoctorFlags {
    /// A project that should be readable; several may be named [default: as for `readroom mcp`]
    #[arg(value_name = "DIR", value_parser = path)]
    pub(crate) roots: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// A name that every client accepts, in every format, without quotes.
fn entry_name(value: &str) -> Result<String, &'static str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if (1..=64).contains(&value.len()) && value.chars().all(is_plain) {
        Ok(value.to_owned())
    } else {
        Err("use 1 to 64 letters, digits, `-` and `_`")
    }
}
