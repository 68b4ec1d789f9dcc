//! `cargo xtask bench evidence`: what an answer costs a client beside every file in full, with the answers checked, and
//! how long the server takes. It makes its trees and removes them, and says what such a comparison cannot show.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::{Value, json};

use super::measure::median;
use super::server::Server;
use super::{build, table, tokens};
use crate::workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask bench evidence [--runs N] [--binary PATH] [--root DIR --term TERM...]...

  --runs N       runs of each measured call, the median counts [default: 11]
  --binary PATH  measure this binary instead of building the release binary
  --root DIR     compare on this folder too; repeat it for several
  --term TERM    a term that is searched in the folder named before it
";

/// Files of the synthetic comparison and lines of each.
const FILES: usize = 40;
const LINES: usize = 200;
/// The known constants: name, file and line.
const PLANTED: [(&str, usize, usize); 2] =
    [("RETRY_LIMIT_PRIMARY", 12, 77), ("CACHE_WINDOW_SECONDS", 31, 143)];
/// Lines read before and after a hit.
const AROUND_LINES: u64 = 5;
/// Hits that are read exactly in a folder of somebody's.
const READ_HITS: usize = 5;

const CANNOT_SHOW: &str = "
This compares payloads alone: the text that a client would be sent. It leaves out prompts, tool schemas, reasoning,
retries and what a model writes, and the terms are chosen to be selective. It says nothing about whole-task savings or
the quality of answers. `o200k_base` is not a statement about the tokenizer of any client.
";

struct Options {
    runs: usize,
    binary: Option<PathBuf>,
    roots: Vec<(PathBuf, Vec<String>)>,
}

/// Reads the arguments after `bench evidence` and runs it.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> ExitCode {
    let options = match options(&arguments[1..]) {
        Ok(options) => options,
        Err(said) => {
            eprint!("{said}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if let Some(code) = tokens::with_counter(workspace, arguments) {
        return code;
    }
    match bench(workspace, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(said) => {
            eprintln!("{said}");
            ExitCode::FAILURE
        }
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options { runs: 11, binary: None, roots: Vec::new() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let value = rest.next().ok_or_else(|| format!("{argument} needs a value"))?;
        match argument.as_str() {
            "--runs" => {
                options.runs = value.parse().ok().filter(|runs| *runs > 0).ok_or("--runs needs a number")?;
            }
            "--binary" => options.binary = Some(PathBuf::from(value)),
            "--root" => options.roots.push((PathBuf::from(value), Vec::new())),
            "--term" => {
                options.roots.last_mut().ok_or("--term comes after its --root")?.1.push(value.clone());
            }
            other => return Err(format!("no such option: {other}")),
        }
    }
    if options.roots.iter().any(|(_, terms)| terms.is_empty()) {
        return Err("each --root needs at least one --term".to_owned());
    }
    Ok(options)
}

fn bench(workspace: &Workspace, options: &Options) -> Result<(), String> {
    let binary = match &options.binary {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => build(workspace)?,
    };
    print!("# Bench: evidence\n\n## Payloads\n{ROW_HEAD}");
    let folder = Scratch::new()?;
    let synthetic = folder.0.join("synthetic");
    plant(&synthetic)?;
    let (full, evidence) = compare_planted(&binary, &synthetic)?;
    print!("{}", row("40 synthetic files of 200 lines", &full, &evidence)?);
    for (root, terms) in &options.roots {
        let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
        let (full, evidence, what) = compare_real(&binary, &root, terms)?;
        let name = root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        print!("{}", row(&format!("{name}: {} ({what})", terms.join(", ")), &full, &evidence)?);
    }
    println!(
        "{CANNOT_SHOW}\n## Time on the wall\n\nMedian (least to most) of {} runs.\n\n{TIME_HEAD}",
        options.runs
    );
    let thousand = folder.0.join("thousand");
    sources(&thousand, 1_000, 3 * 1024)?;
    let eight = folder.0.join("eight");
    sources(&eight, 64, 128 * 1024)?;
    let mut measured = vec![
        ("1,000 files, 3 MB".to_owned(), thousand, vec!["needle_of_the_bench".to_owned()]),
        ("64 files, 8 MiB".to_owned(), eight, vec!["needle_of_the_bench".to_owned()]),
    ];
    for (root, terms) in &options.roots {
        let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
        let name = root.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        measured.push((name, root, terms.clone()));
    }
    for (name, root, terms) in measured {
        print!("{}", times(&binary, &name, &root, &terms, options.runs)?);
    }
    Ok(())
}

const ROW_HEAD: &str = "
| what | full files, bytes | tokens | search and exact lines, bytes | tokens | ratio of bytes | of tokens |
|---|---:|---:|---:|---:|---:|---:|
";

const TIME_HEAD: &str = "
| project | call | first answer from the start of the process | again in the same session |
|---|---|---:|---:|";

fn row(what: &str, full: &str, evidence: &str) -> Result<String, String> {
    let count = |text: &str| tokens::count(text).ok_or("this build has no token counter");
    let (full_tokens, evidence_tokens) = (count(full)?, count(evidence)?);
    Ok(format!(
        "| {what} | {} | {full_tokens} | {} | {evidence_tokens} | {} | {} |\n",
        full.len(),
        evidence.len(),
        table::ratio_text(evidence.len() as f64 / full.len() as f64),
        table::ratio_text(evidence_tokens as f64 / full_tokens as f64),
    ))
}

/// The contract's comparison: both constants must be found at their places, and read exactly.
fn compare_planted(binary: &Path, root: &Path) -> Result<(String, String), String> {
    let full = full_files(root)?.0;
    let mut server = start(binary, root)?;
    let mut evidence = String::new();
    for (number, (name, file, line)) in PLANTED.iter().enumerate() {
        let found = ask(&mut server, "context_search", json!({"terms": [name]}), &mut evidence)?;
        let path = format!("src/module_{file:02}.rs");
        let hit = &found["hits"][0];
        let is_right = hit["path"] == path.as_str() && hit["line"] == *line && found["candidates"] == 1;
        if !is_right || found["incomplete"] != false {
            return Err(format!("{name} was not found at {path}:{line}: {found}"));
        }
        let range =
            json!({"path": path, "start": *line as u64 - AROUND_LINES, "end": *line as u64 + AROUND_LINES});
        let page = ask(&mut server, "read_range", range, &mut evidence)?;
        let exact = &page["lines"][AROUND_LINES as usize];
        if exact["line"] != *line || exact["text"] != planted_line(number) {
            return Err(format!("{path}:{line} was not read exactly: {page}"));
        }
    }
    Ok((full, evidence))
}

/// Every file that a search looks at in full, against a search and exact lines around its best hits.
fn compare_real(binary: &Path, root: &Path, terms: &[String]) -> Result<(String, String, String), String> {
    let (full, files) = full_files(root)?;
    let mut server = start(binary, root)?;
    let mut evidence = String::new();
    let found = ask(&mut server, "context_search", json!({"terms": terms}), &mut evidence)?;
    let hits = found["hits"].as_array().cloned().unwrap_or_default();
    for hit in hits.iter().take(READ_HITS) {
        let line = hit["line"].as_u64().unwrap_or(1);
        let range = json!({"path": hit["path"], "start": line.saturating_sub(AROUND_LINES).max(1), "end": line + AROUND_LINES});
        let page = ask(&mut server, "read_range", range, &mut evidence)?;
        let rows = page["lines"].as_array().cloned().unwrap_or_default();
        let text = rows.iter().find(|row| row["line"] == line).and_then(|row| row["text"].as_str());
        let snippet = hit["snippet"].as_str().unwrap_or_default();
        if !text.is_some_and(|text| text.contains(snippet)) {
            return Err(format!("the line of a hit was not read: {hit}"));
        }
    }
    let reasons =
        if found["incomplete"] == true { found["reasons"].to_string() } else { "complete".to_owned() };
    let what =
        format!("{files} files in full, {} hits, {}", hits.len(), reasons.replace(['[', ']', '"'], ""));
    Ok((full, evidence, what))
}

fn start(binary: &Path, root: &Path) -> Result<Server, String> {
    let command = [binary, Path::new("mcp"), Path::new("evidence"), Path::new("--root"), root]
        .map(|part| part.display().to_string());
    Server::start(&command, root).map(|(server, _)| server)
}

/// Calls a tool, adds its text to `payload`, and returns it read.
fn ask(server: &mut Server, tool: &str, arguments: Value, payload: &mut String) -> Result<Value, String> {
    let text = server.call_for_text(tool, arguments)?;
    payload.push_str(&text);
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// JSON with every text file in full, and how many there are: at most as many, as large and as much as a search reads.
fn full_files(root: &Path) -> Result<(String, usize), String> {
    let mut paths = Vec::new();
    collect(root, &mut paths)?;
    paths.sort();
    let (mut files, mut bytes) = (Vec::new(), 0);
    for path in paths {
        if files.len() == 1_000 || bytes >= 8 * 1024 * 1024 {
            break;
        }
        let Ok(text) = fs::read_to_string(&path) else { continue };
        if text.len() <= 256 * 1024 && !text.contains('\0') {
            bytes += text.len();
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            files.push(json!({"path": name, "text": text}));
        }
    }
    let count = files.len();
    Ok((json!({"files": files}).to_string(), count))
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let kind = entry.file_type().map_err(|error| error.to_string())?;
        if kind.is_dir() && entry.file_name() != ".git" {
            collect(&entry.path(), into)?;
        } else if kind.is_file() {
            into.push(entry.path());
        }
    }
    Ok(())
}

fn times(binary: &Path, name: &str, root: &Path, terms: &[String], runs: usize) -> Result<String, String> {
    let calls = [("file_inventory", json!({})), ("context_search", json!({"terms": terms}))];
    let mut out = String::new();
    for (tool, arguments) in calls {
        let (mut firsts, mut agains) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let began = std::time::Instant::now();
            let mut server = start(binary, root)?;
            server.call(tool, arguments.clone())?;
            firsts.push(began.elapsed());
            agains.push(server.call(tool, arguments.clone())?.0.wall);
        }
        out += &format!("| {name} | `{tool}` | {} | {} |\n", spread(&firsts), spread(&agains));
    }
    Ok(out)
}

fn spread(times: &[Duration]) -> String {
    let ms: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
    let least = ms.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ms.iter().copied().fold(0.0, f64::max);
    format!("{:.1} ms ({least:.1} to {most:.1})", median(ms.into_iter()))
}

fn planted_line(number: usize) -> String {
    format!("pub const {}: u64 = {};", PLANTED[number].0, 7 + number * 293)
}

fn plant(root: &Path) -> Result<(), String> {
    for file in 0..FILES {
        let lines = (1..=LINES).map(|line| {
            let planted =
                PLANTED.iter().position(|(_, at_file, at_line)| (*at_file, *at_line) == (file, line));
            planted.map_or_else(
                || {
                    format!(
                        "    let value_{line} = compute(module_{file:02}, {}, \"step {line}\");",
                        line * 7 % 13
                    )
                },
                planted_line,
            )
        });
        let text: String = lines.map(|line| line + "\n").collect();
        write(&root.join(format!("src/module_{file:02}.rs")), &text)?;
    }
    Ok(())
}

/// Source-like text with the words that make a search for secrets look twice.
fn sources(root: &Path, files: usize, bytes: usize) -> Result<(), String> {
    for file in 0..files {
        let mut text = String::new();
        let mut line = 0;
        while text.len() < bytes {
            line += 1;
            text += &match line % 5 {
                0 => format!("    // the key of entry {line} is looked up once, see module {file}\n"),
                1 => {
                    format!("    let token_{line} = parser.next_token(&mut state, {})?;\n", line * file % 97)
                }
                2 => {
                    format!("    if password_field.len() > {} {{ return Err(Error::TooLong); }}\n", line % 64)
                }
                3 => format!("    self.items.insert(\"item-{line}\", Item::new({file}, {line}));\n"),
                _ => format!("    assert_eq!(table.get({line}), Some(&value), \"row {file}\");\n"),
            };
        }
        text.truncate(bytes);
        write(&root.join(format!("src/m{:02}/file_{file:04}.rs", file % 20)), &text)?;
    }
    write(&root.join("src/zz.rs"), "const NEEDLE: &str = \"needle_of_the_bench\";\n")
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// A folder that goes away with the bench.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, String> {
        let path = std::env::temp_dir().join(format!("readroom-bench-{}", std::process::id()));
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let path = path.canonicalize().map_err(|error| error.to_string())?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, String> {
        options(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn terms_belong_to_the_folder_before_them() {
        let options = read("--runs 3 --root a --term x --term y --root b --term z").unwrap();
        let expected = [("a", vec!["x", "y"]), ("b", vec!["z"])];
        assert_eq!(options.runs, 3);
        for ((root, terms), (name, words)) in options.roots.iter().zip(expected) {
            assert_eq!((root.to_str(), terms), (Some(name), &words.into_iter().map(str::to_owned).collect()));
        }
        for wrong in ["--root a", "--term x", "--root", "--runs 0", "--fast 1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_planted_lines_stand_where_they_are_looked_for_and_the_folder_goes_away() {
        let folder = Scratch::new().unwrap();
        let path = folder.0.clone();
        plant(&path).unwrap();
        for (number, (_, file, line)) in PLANTED.iter().enumerate() {
            let text = fs::read_to_string(path.join(format!("src/module_{file:02}.rs"))).unwrap();
            assert_eq!(text.lines().count(), LINES);
            assert_eq!(text.lines().nth(line - 1), Some(planted_line(number).as_str()));
        }
        assert_eq!(full_files(&path).unwrap().1, FILES);
        drop(folder);
        assert!(!path.exists());
    }
}
