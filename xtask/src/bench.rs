//! `cargo xtask bench`: what an operation costs beside what people would use instead, in one run. It knows the command
//! line and the wire of the binary, not the crates. No test rests on its figures.

pub(crate) mod corpora;
mod detail;
mod docs;
mod evidence;
mod measure;
mod peers;
mod project;
mod server;
mod table;
mod tokens;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::workspace::Workspace;

pub(crate) use measure::run_one;

/// What was asked for on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Runs of each side of a pair; the median counts.
    pub(crate) runs: usize,
    /// Only rows whose operation or corpus contains this.
    pub(crate) only: Option<String>,
    /// Whether peers are installed first.
    pub(crate) install_peers: bool,
    /// Whether only corpora (and peers, if asked for) are made.
    pub(crate) prepare: bool,
    /// A binary to measure instead of building one.
    pub(crate) binary: Option<PathBuf>,
}

const USAGE: &str = "\
usage: cargo xtask bench docs [--only TEXT]
       cargo xtask bench evidence --help
       cargo xtask bench detail --help
       cargo xtask bench project [--runs N] [--only TEXT] [--install-peers] [--prepare] [--binary PATH]

  --runs N          runs of each side of a pair, the median counts [default: 5]
  --only TEXT       only rows whose operation or corpus contains TEXT
  --install-peers   install the peers from their registries into .peers first
  --prepare         make the corpora (and install the peers) and stop
  --binary PATH     measure this binary instead of building the release binary
";

/// Reads the arguments after `bench` and runs it.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> ExitCode {
    if arguments.first().is_some_and(|what| what == "evidence") {
        return evidence::run(workspace, arguments);
    }
    if arguments.first().is_some_and(|what| what == "detail") {
        return detail::run(workspace, &arguments[1..]);
    }
    if arguments.first().is_some_and(|what| what == "docs") {
        return docs::run(workspace, arguments);
    }
    let options = match options(arguments) {
        Ok(options) => options,
        Err(said) => {
            eprint!("{said}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match bench(workspace, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(said) => {
            eprintln!("{said}");
            ExitCode::FAILURE
        }
    }
}

fn bench(workspace: &Workspace, options: &Options) -> Result<(), String> {
    let corpora = corpora::make(workspace)?;
    if options.install_peers {
        peers::install(workspace)?;
    }
    if options.prepare {
        return Ok(());
    }
    let binary = match &options.binary {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => build(workspace)?,
    };
    let peers = peers::find(workspace);
    print!("{}", table::heading(&binary, options.runs, &peers, &corpora));
    project::run(workspace, options, &binary, &peers, &corpora)
}

/// Builds the release binary and returns its path.
fn build(workspace: &Workspace) -> Result<PathBuf, String> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(workspace.root())
        .args(["build", "--release", "--locked", "--package", "cli"])
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !status.success() {
        return Err("the release binary does not build".to_owned());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.path("target"), PathBuf::from);
    Ok(target.join("release/readroom"))
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options { runs: 5, only: None, install_peers: false, prepare: false, binary: None };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "project" => {}
            "--runs" => {
                options.runs =
                    value()?.parse().ok().filter(|runs| *runs > 0).ok_or("--runs needs a number")?
            }
            "--only" => options.only = Some(value()?.clone()),
            "--install-peers" => options.install_peers = true,
            "--prepare" => options.prepare = true,
            "--binary" => options.binary = Some(PathBuf::from(value()?)),
            other => return Err(format!("no such option: {other}")),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::options;

    fn read(line: &str) -> Result<super::Options, String> {
        options(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_have_defaults_and_values() {
        let plain = read("project").unwrap();
        assert_eq!(
            (plain.runs, plain.only.as_deref(), plain.install_peers, plain.prepare),
            (5, None, false, false)
        );
        let full = read("project --runs 7 --only pack --install-peers --prepare --binary /b").unwrap();
        assert_eq!(
            (full.runs, full.only.as_deref(), full.install_peers, full.prepare),
            (7, Some("pack"), true, true)
        );
        assert_eq!(full.binary.unwrap().to_str(), Some("/b"));
    }

    #[test]
    fn what_is_not_an_option_is_refused() {
        for line in ["--runs", "--runs x", "--runs 0", "tree", "--fast"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
