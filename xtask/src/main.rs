//! The tasks of this workspace: `cargo xtask tidy | generate | eval | bench | documents`. It knows every crate, and no crate knows it.

#![expect(
    clippy::disallowed_methods,
    reason = "it reads the sources, writes pages and starts the programs it measures"
)]
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod bench;
mod documents;
mod eval;
mod generate;
mod tidy;
mod workspace;

use std::process::ExitCode;

use workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask TASK

  tidy       check floors, file heads, names, words, licences and manifests (the tests do the same)
  generate   write the reference pages (a test fails when one is not what this would write)
  eval       measure what redaction finds and leaves, beside public scanners; `cargo xtask eval --help` says more
  bench      measure the release binary beside its peers; `cargo xtask bench --help` says more
  documents  load documents of public packages under the manifests of fixtures/docs/manifests; `--findings` prints each
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let workspace = Workspace::here();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => tidy::run(&workspace),
        ["generate"] => generate::run(&workspace),
        ["bench", ..] => bench::run(&workspace, &arguments[1..]),
        ["documents", ..] => documents::run(&workspace, &arguments[1..]),
        ["eval", ..] => eval::run(&workspace, &arguments[1..]),
        ["measure-one", ..] => bench::run_one(&arguments[1..]),
        _ => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
