//! `cargo xtask bench docs`: makes projects of known sizes, measures them with `crates/docs/examples/measure.rs` in a
//! release build, and prints each figure beside its budget. It leaves nothing behind.

mod made;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use crate::workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask bench docs [--only TEXT]

  --only TEXT   only cases whose name contains TEXT
";

/// A project, and the figures that count on it.
struct Case {
    name: &'static str,
    make: fn(&Path) -> std::io::Result<()>,
    /// A source file that is edited; without one only loading is measured.
    edited: Option<&'static str>,
    /// Figure, most that it may be.
    budgets: &'static [(&'static str, f64)],
}

const CASES: [Case; 5] = [
    Case {
        name: "650 nodes in 21 MB of Markdown",
        make: made::large,
        edited: None,
        budgets: &[("cold cpu s", 1.5)],
    },
    Case {
        name: "2,000 items of doorstop",
        make: made::items,
        edited: None,
        budgets: &[("cold cpu s", 0.5)],
    },
    Case {
        name: "6,300 notes, 66,000 wikilinks",
        make: made::notes,
        edited: None,
        budgets: &[("cold cpu s", 3.0)],
    },
    Case {
        name: "10,000 dense notes, a hub of 9,000 backlinks",
        make: made::dense,
        edited: Some("notes/7/note-7.md"),
        budgets: &[
            ("cold cpu s", 5.0),
            ("warm p95 ms", 60.0),
            ("edited ms", 250.0),
            ("edited and searched ms", 250.0),
            ("get_node p95 ms", 5.0),
            ("search p95 ms", 30.0),
            ("filter p95 ms", 50.0),
            ("backlinks p95 ms", 20.0),
            ("impact p95 ms", 30.0),
            ("neighbourhood p95 ms", 100.0),
        ],
    },
    Case {
        name: "100,000 nodes, 400,000 edges",
        make: made::many,
        edited: None,
        budgets: &[("cold cpu s", 30.0), ("peak mib", 1_228.8)],
    },
];

/// Reads the arguments after `bench docs` and runs it.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> ExitCode {
    let only = match &arguments[1..] {
        [] => None,
        [flag, text] if flag == "--only" => Some(text.as_str()),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match bench(workspace, only) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(said) => {
            eprintln!("{said}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every budget held.
fn bench(workspace: &Workspace, only: Option<&str>) -> Result<bool, String> {
    let program = build(workspace)?;
    let folder = Made(std::env::temp_dir().join(format!("readroom-bench-docs-{}", std::process::id())));
    println!("# Bench: docs\n\n| project | figure | measured | budget | holds |\n|---|---|---:|---:|---|");
    let mut holds = true;
    for case in CASES.iter().filter(|case| only.is_none_or(|text| case.name.contains(text))) {
        (case.make)(&folder.0).map_err(|error| format!("{}: {error}", folder.0.display()))?;
        if case.edited.is_some() {
            // What was written a moment ago is read again at every look.
            std::thread::sleep(Duration::from_millis(2_500));
        }
        let figures = measure(&program, &folder.0, case.edited)?;
        for (figure, budget) in case.budgets {
            let measured = figures.get(*figure).ok_or_else(|| format!("{figure} was not measured"))?;
            let held = measured <= budget;
            holds &= held;
            println!(
                "| {} | {figure} | {measured:.2} | {budget} | {} |",
                case.name,
                if held { "yes" } else { "NO" }
            );
        }
        let others = figures.iter().filter(|(name, _)| case.budgets.iter().all(|(known, _)| known != name));
        let others: Vec<String> = others.map(|(name, value)| format!("{name} {value:.2}")).collect();
        println!("| {} | {} | | | |", case.name, others.join(", "));
        folder.clear();
    }
    Ok(holds)
}

fn build(workspace: &Workspace) -> Result<PathBuf, String> {
    let status = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--locked", "-p", "docs", "--example", "measure"])
        .current_dir(workspace.root())
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("the release build failed".to_owned());
    }
    Ok(workspace.root().join("target/release/examples/measure"))
}

fn measure(program: &Path, root: &Path, edited: Option<&str>) -> Result<BTreeMap<String, f64>, String> {
    let output = Command::new(program)
        .arg(root)
        .args(edited)
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let figure = |line: &str| {
        let (name, value) = line.split_once('\t')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    Ok(lines.lines().filter_map(figure).collect())
}

/// The folder of the made projects, removed at the end.
struct Made(PathBuf);

impl Made {
    fn clear(&self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        self.clear();
    }
}
