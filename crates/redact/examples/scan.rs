//! Runs detection over folders: how fast it is, and every finding on its line, for a person to judge.
//!
//! `scan [--quiet] [--private] [--all] PATH…`
#![expect(clippy::disallowed_methods, reason = "a tool for developers that reads what it is pointed at")]
#![expect(clippy::print_stdout, reason = "its result is for a person")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use fault::Unwatched;
use redact::{Detector, FileFacts, Policy};

fn main() {
    let mut quiet = false;
    let mut policy = Policy::default();
    let mut paths = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--quiet" => quiet = true,
            "--private" => policy.private_data = true,
            path => paths.push(PathBuf::from(path)),
        }
    }
    let before = cpu_ns();
    let detector = Detector::shared();
    println!("built in {:.2} ms of CPU time", (cpu_ns() - before) as f64 / 1e6);
    let mut files = Vec::new();
    for path in &paths {
        collect(path, &mut files);
    }
    files.sort();
    let mut kept: Vec<(String, String)> = Vec::new();
    let (mut bytes, mut lines, mut spent) = (0u64, 0u64, 0u64);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut slowest: (f64, PathBuf) = (0.0, PathBuf::new());
    for file in files {
        let Ok(raw) = std::fs::read(&file) else { continue };
        if raw.len() > 16 << 20 || raw.iter().take(8192).any(|&b| b == 0) {
            continue;
        }
        let Ok(text) = String::from_utf8(raw) else { continue };
        let name = file.to_string_lossy();
        let facts = FileFacts { path: &name, ..FileFacts::default() };
        let start = Instant::now();
        let findings = detector.detect(&text, &facts, &policy, &Unwatched);
        let took = start.elapsed().as_nanos() as u64;
        kept.push((name.clone().into_owned(), text.clone()));
        spent += took;
        bytes += text.len() as u64;
        lines += text.lines().count() as u64;
        if took as f64 > slowest.0 {
            slowest = (took as f64, file.clone());
        }
        match findings {
            Ok(findings) => {
                for finding in findings {
                    *counts.entry(finding.rule).or_default() += 1;
                    if !quiet {
                        let start = text[..finding.range.start].rfind('\n').map_or(0, |at| at + 1);
                        let end = text[finding.range.start..]
                            .find('\n')
                            .map_or(text.len(), |at| finding.range.start + at);
                        let from =
                            text.ceil_char_boundary(start.max(finding.range.start.saturating_sub(100)));
                        let to = text.floor_char_boundary(end.min(finding.range.start + 160));
                        let number = text[..start].matches('\n').count() + 1;
                        let value_end = finding.range.end.min(to);
                        println!(
                            "{}\t{name}:{number}\t{}⟦{}⟧{}",
                            finding.rule,
                            text[from..finding.range.start].trim_start(),
                            &text[finding.range.start..value_end],
                            text[value_end..to].trim_end()
                        );
                    }
                }
            }
            Err(fault) => println!("withheld\t{name}\t{fault}"),
        }
    }
    let total: usize = counts.values().sum();
    for (rule, count) in &counts {
        println!("{count:6} {rule}");
    }
    println!(
        "{:.1} MB, {lines} lines, {total} findings ({:.2} per 10,000 lines), {:.2} CPU-s, {:.0} MB/s",
        bytes as f64 / 1e6,
        total as f64 * 1e4 / lines.max(1) as f64,
        spent as f64 / 1e9,
        bytes as f64 * 1e3 / spent.max(1) as f64
    );
    let mut best = u64::MAX;
    for _ in 0..7 {
        let (start, clock) = (ticks(), Instant::now());
        let mut n = 0;
        for (name, text) in &kept {
            let facts = FileFacts { path: name, ..FileFacts::default() };
            n += detector.detect(text, &facts, &policy, &Unwatched).map_or(0, |f| f.len());
        }
        let (cpu, wall) = (ticks() - start, clock.elapsed().as_nanos() as u64);
        best = best.min(wall);
        println!(
            "again {n}: {} MB per CPU-s, {} MB/s wall",
            bytes / 10_000 / cpu.max(1),
            bytes * 1000 / wall.max(1)
        );
    }
    println!("best {} MB/s", bytes * 1000 / best.max(1));
    println!("slowest {:.1} ms {}", slowest.0 / 1e6, slowest.1.display());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return };
    if meta.is_file() {
        files.push(path.to_owned());
    } else if meta.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), files);
        }
    }
}

fn ticks() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let rest = text.rsplit(')').next().unwrap_or("");
    rest.split_whitespace().skip(11).take(1).filter_map(|n| n.parse::<u64>().ok()).sum()
}

/// The CPU time of this thread.
fn cpu_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
