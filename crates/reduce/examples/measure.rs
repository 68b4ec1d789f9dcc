//! Prints what `compact` and `signatures` save in the files below some folders, what they cost beside the bare parser,
//! and whether every reduced file still declares the same and has no more defects.
//!
//! `measure [--doubts] FOLDER…`; with `--doubts` it names the files whose reduction was thrown away.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measuring tool reads files and prints"
)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use fault::Unwatched;
use reduce::{Doubt, Tier, apply, attempt, language_of, outline, parse_alone};

#[derive(Default)]
struct Row {
    files: usize,
    bytes: usize,
    bare_ns: u64,
    tiers: [Measure; 2],
}

#[derive(Default)]
struct Measure {
    tokens_before: usize,
    tokens_after: usize,
    reduced: usize,
    doubts: BTreeMap<Doubt, usize>,
    more_defects: usize,
    other_declarations: usize,
    ns: u64,
}

fn main() {
    let mut folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let names_doubts = folders.first().is_some_and(|first| first.as_os_str() == "--doubts");
    if names_doubts {
        folders.remove(0);
    }
    let mut rows: BTreeMap<&'static str, Row> = BTreeMap::new();
    while let Some(path) = folders.pop() {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            folders.extend(entries.map(|entry| entry.path()));
            continue;
        }
        let name = path.to_string_lossy();
        let Some(text) = std::fs::read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok()) else {
            continue;
        };
        let Some(language) = language_of(&name, &text) else { continue };
        let row = rows.entry(language.name).or_default();
        measure(&name, &text, row, names_doubts);
    }
    print(&rows);
}

fn measure(path: &str, text: &str, row: &mut Row, names_doubts: bool) {
    row.files += 1;
    row.bytes += text.len();
    let start = cpu_ns();
    parse_alone(text, path);
    row.bare_ns += cpu_ns() - start;
    for (tier, measure) in [Tier::Compact, Tier::Signatures].into_iter().zip(&mut row.tiers) {
        let start = cpu_ns();
        let edits = attempt(text, path, tier.wanted(), &Unwatched).expect("because nobody stops it");
        measure.ns += cpu_ns() - start;
        measure.tokens_before += text.chars().count().div_ceil(4);
        let reduced = match &edits {
            Ok(edits) => {
                measure.reduced += 1;
                apply(text, edits)
            }
            Err(doubt) => {
                *measure.doubts.entry(*doubt).or_default() += 1;
                if names_doubts && *doubt != Doubt::NotSmaller {
                    println!("{doubt:?} {} {path}", tier.as_str());
                }
                text.to_owned()
            }
        };
        measure.tokens_after += reduced.chars().count().div_ceil(4);
        let Ok(edits) = edits else { continue };
        let (Some(before), Some(after)) = (outline(text, path), outline(&reduced, path)) else { continue };
        measure.more_defects += usize::from(after.defects > before.defects);
        let kept = before.declarations.iter().filter(|(range, _)| {
            !edits.iter().any(|edit| edit.range.start <= range.start && range.end <= edit.range.end)
        });
        let same = kept.map(|(_, name)| name).eq(after.declarations.iter().map(|(_, name)| name));
        measure.other_declarations += usize::from(!same);
        if names_doubts && !same {
            println!("declarations {} {path}", tier.as_str());
        }
    }
}

fn print(rows: &BTreeMap<&str, Row>) {
    println!(
        "| language | files | MB | bare MB/s | tier | saved tokens | reduced | doubts | more defects | other declarations | share of bare speed |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (name, row) in rows {
        for (tier, measure) in ["compact", "signatures"].iter().zip(&row.tiers) {
            println!(
                "| {name} | {} | {:.2} | {:.1} | {tier} | {:.1} % | {} | {:?} | {} | {} | {:.2} |",
                row.files,
                row.bytes as f64 / 1e6,
                row.bytes as f64 * 1e3 / row.bare_ns as f64,
                100.0 - 100.0 * measure.tokens_after as f64 / measure.tokens_before as f64,
                measure.reduced,
                measure.doubts,
                measure.more_defects,
                measure.other_declarations,
                row.bare_ns as f64 / measure.ns as f64,
            );
        }
    }
}

/// The time this thread has run, as the kernel counts it.
fn cpu_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or_default()
}
