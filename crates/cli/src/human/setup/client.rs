//! What is known of each client: where it keeps its servers, in which format, and the command it has for that. It reads
//! and writes nothing.

#![expect(clippy::disallowed_methods, reason = "where a client keeps its files, its variables say")]

use std::path::PathBuf;

use super::Entry;
use crate::flags::setup::ClientName;

/// How a client writes its servers down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON, with comments where somebody made some: the servers are members of `key`.
    Json {
        /// The member of the document that holds the servers.
        key: &'static str,
        /// Whether an entry says that it is spoken to over its standard streams.
        typed: bool,
    },
    /// TOML: the servers are tables of `mcp_servers`.
    Toml,
}

/// One client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client(ClientName);

const SERVERS: Format = Format::Json { key: "mcpServers", typed: false };

impl Client {
    pub(super) fn of(name: ClientName) -> Client {
        Client(name)
    }

    /// The name that people know.
    pub(super) fn title(&self) -> &'static str {
        match self.0 {
            ClientName::ClaudeCode => "Claude Code",
            ClientName::ClaudeDesktop => "Claude Desktop",
            ClientName::Codex => "Codex",
            ClientName::Cursor => "Cursor",
            ClientName::Vscode => "Visual Studio Code",
            ClientName::Antigravity => "Antigravity",
            ClientName::Gemini => "Gemini CLI",
        }
    }

    pub(super) fn format(&self) -> Format {
        match self.0 {
            ClientName::Codex => Format::Toml,
            ClientName::ClaudeCode => Format::Json { key: "mcpServers", typed: true },
            ClientName::Vscode => Format::Json { key: "servers", typed: true },
            ClientName::ClaudeDesktop | ClientName::Cursor | ClientName::Antigravity | ClientName::Gemini => {
                SERVERS
            }
        }
    }

    /// The client's file of this user; none without a home.
    pub(super) fn file(&self) -> Option<PathBuf> {
        let absolute =
            |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME");
        let config = || absolute("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
        let in_home = |path: &str| Some(home.as_ref()?.join(path));
        match self.0 {
            ClientName::ClaudeCode => match absolute("CLAUDE_CONFIG_DIR") {
                Some(folder) => Some(folder.join(".claude.json")),
                None => in_home(".claude.json"),
            },
            ClientName::ClaudeDesktop => Some(config()?.join("Claude/claude_desktop_config.json")),
            ClientName::Codex => match absolute("CODEX_HOME") {
                Some(folder) => Some(folder.join("config.toml")),
                None => in_home(".codex/config.toml"),
            },
            ClientName::Cursor => in_home(".cursor/mcp.json"),
            ClientName::Vscode => Some(config()?.join("Code/User/mcp.json")),
            ClientName::Antigravity => in_home(".gemini/config/mcp_config.json"),
            ClientName::Gemini => in_home(".gemini/settings.json"),
        }
    }

    /// What stands for the folder that the client is opened in; none for a client that has no such folder.
    pub(super) fn follow(&self) -> Option<&'static str> {
        match self.0 {
            // These start a server in the folder that they were started in.
            ClientName::ClaudeCode | ClientName::Codex | ClientName::Gemini => Some("."),
            ClientName::Cursor | ClientName::Vscode => Some("${workspaceFolder}"),
            ClientName::ClaudeDesktop | ClientName::Antigravity => None,
        }
    }

    /// The client's own command for registering the entry, if it has one.
    pub(super) fn command(&self, entry: &Entry) -> Option<String> {
        let mut words: Vec<String> = match self.0 {
            ClientName::ClaudeCode => {
                ["claude", "mcp", "add", "--scope", "user", &entry.name, "--"].map(Into::into).into()
            }
            ClientName::Codex => ["codex", "mcp", "add", &entry.name, "--"].map(Into::into).into(),
            ClientName::Vscode => {
                return Some(["code", "--add-mcp", &super::json::named(entry)].map(quoted).join(" "));
            }
            ClientName::Gemini => {
                ["gemini", "mcp", "add", "--scope", "user", &entry.name].map(Into::into).into()
            }
            ClientName::ClaudeDesktop | ClientName::Cursor | ClientName::Antigravity => return None,
        };
        words.push(entry.command.clone());
        words.extend(entry.args.iter().cloned());
        Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
    }

    /// A whole document that holds the entry alone.
    pub(super) fn snippet(&self, entry: &Entry) -> String {
        match self.format() {
            Format::Toml => super::toml::table(entry, "\n"),
            Format::Json { key, typed } => super::json::document(key, entry, typed),
        }
    }

    /// What a person does next.
    pub(super) fn afterwards(&self) -> &'static str {
        match self.0 {
            ClientName::ClaudeCode => {
                "a running Claude Code sees it after a restart; `claude mcp list` shows it"
            }
            ClientName::ClaudeDesktop => "restart Claude Desktop",
            ClientName::Codex => "a running Codex sees it after a restart; `codex mcp list` shows it",
            ClientName::Cursor => "Cursor shows it in its settings, under MCP",
            ClientName::Vscode => "`MCP: List Servers` in the command palette shows it",
            ClientName::Antigravity => "refresh the list of MCP servers in Antigravity",
            ClientName::Gemini => {
                "a running Gemini CLI sees it after a restart; `gemini mcp list` shows it, in a trusted folder"
            }
        }
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
