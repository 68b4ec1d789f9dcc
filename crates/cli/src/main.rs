//! The binary: reads the command line, starts a server or prints for people, and chooses the exit code. It knows
//! what a terminal is, and no meaning of any tool.

#![expect(clippy::print_stderr, reason = "the terminal belongs to this crate")]

mod cancel;
mod exit;
mod flags;
mod human;
mod wire;

use std::process::ExitCode;

use clap::Parser as _;

use crate::flags::{Command, Flags, Server};

fn main() -> ExitCode {
    let command = Flags::parse().command;
    let done = match command {
        Command::Mcp(mcp) => match mcp.server {
            Some(Server::Project(flags)) => wire::serve_project(flags),
            None => wire::serve_project(mcp.project),
        },
        Command::Tree(flags) => human::tree::run(&flags),
        Command::Analyze(flags) => human::analyze::run(&flags),
        Command::Pack(flags) => human::pack::run(&flags),
        Command::Search(flags) => human::search::run(&flags),
        Command::Cat(flags) => human::cat::run(&flags),
        Command::Profile(command) => human::profile::run(&command),
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
