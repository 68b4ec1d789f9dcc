//! The binary: reads the command line, starts a server or prints for people, and chooses the exit code. It knows
//! what a terminal is, and no meaning of any tool.

#![expect(clippy::print_stderr, reason = "the terminal belongs to this crate")]

mod cancel;
mod confined;
mod exit;
mod flags;
mod human;
mod stdout;
mod wire;

use std::process::ExitCode;

use clap::Parser as _;

use crate::exit::Exit;
use crate::flags::{Command, Flags, Server};

fn main() -> ExitCode {
    // A defect of ours says where it is and nothing of what was read.
    std::panic::set_hook(Box::new(|panic| {
        if let Some(place) = panic.location() {
            let file = place.file().rsplit('/').next().unwrap_or_default();
            eprintln!("readroom: internal error at {file}:{}", place.line());
        }
    }));
    std::panic::catch_unwind(run).unwrap_or_else(|_| Exit::Runtime.into())
}

fn run() -> ExitCode {
    let command = Flags::parse().command;
    let done = match command {
        Command::Mcp(mcp) => match mcp.server {
            Some(Server::Project(flags)) => wire::serve_project(flags),
            Some(Server::Evidence(flags)) => wire::serve_evidence(&flags),
            Some(Server::Docs(flags)) => wire::serve_docs(&flags),
            None => wire::serve_project(mcp.project),
        },
        Command::Tree(flags) => human::tree::run(&flags),
        Command::Analyze(flags) => human::analyze::run(&flags),
        Command::Pack(flags) => human::pack::run(&flags),
        Command::Search(flags) => human::search::run(&flags),
        Command::Cat(flags) => human::cat::run(&flags),
        Command::Profile(command) => human::profile::run(&command),
        Command::Cache(command) => human::cache::run(&command),
        Command::Evidence(command) => human::evidence::run(&command),
        Command::Setup(flags) => human::setup::run(&flags),
        Command::Doctor(flags) => human::doctor::run(&flags),
        Command::Docs(command) => human::docs::run(&command),
    };
    match done {
        Ok(code) => code.into(),
        Err(stop) => {
            if let Some(line) = stop.line() {
                eprintln!("readroom: {line}");
            }
            stop.code().into()
        }
    }
}
