//! `readroom evidence search|read|inventory`: what the evidence tools answer, for people or, with `--json`, in the
//! tools' own bytes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use evidence::limits::READ_LINES_MAX;
use evidence::{Evidence, Options, RangeRequest, Reason, Skipped, document};
use fault::one_line;

use super::print;
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};
use crate::flags::{EvidenceCommand, EvidenceInventoryFlags, EvidenceReadFlags, EvidenceSearchFlags};

pub(crate) fn run(command: &EvidenceCommand) -> Result<Exit, Ended> {
    let (done, wants_json) = match command {
        EvidenceCommand::Search(flags) => (search(flags), flags.json),
        EvidenceCommand::Read(flags) => (read(flags), flags.json),
        EvidenceCommand::Inventory(flags) => (inventory(flags), flags.json),
    };
    match done {
        Err(Ended::Fault(fault)) if wants_json => {
            print(&document::error(&fault))?;
            Ok(Exit::Runtime)
        }
        // A refusal is no usage error, whatever its code: only a wrong command line is.
        Err(Ended::Fault(fault)) => Err(Ended::Message(Exit::Runtime, fault.to_string())),
        done => done,
    }
}

fn open(root: Option<&Path>, exact: bool) -> Result<Evidence, Ended> {
    let root = root.map_or_else(|| PathBuf::from("."), Path::to_owned);
    Ok(Evidence::open(&Options { root, exact })?)
}

fn search(flags: &EvidenceSearchFlags) -> Result<Exit, Ended> {
    let found = open(flags.root.as_deref(), flags.exact)?.search(&flags.terms, &CtrlC::watch())?;
    if flags.json {
        print(&document::search(&found))?;
    } else {
        let mut out = String::new();
        for hit in &found.hits {
            one_line(&hit.path, &mut out);
            let _ = write!(out, ":{}:", hit.line);
            push_line(&hit.snippet, &mut out);
            out.push_str(if hit.clipped { " […]\n" } else { "\n" });
        }
        print(&out)?;
        let (hits, files) = (found.hits.len(), found.searched_files);
        eprintln!("readroom: {hits} of {} matching lines, {files} files searched", found.candidates);
        say_gaps(&found.reasons, &found.skipped);
    }
    // As grep does: nothing found is no success.
    Ok(if found.hits.is_empty() { Exit::Runtime } else { Exit::Ok })
}

fn read(flags: &EvidenceReadFlags) -> Result<Exit, Ended> {
    let end = flags.end.unwrap_or_else(|| flags.start.saturating_add(READ_LINES_MAX - 1));
    let request = RangeRequest { path: flags.path.clone(), start: flags.start, end };
    let page = open(flags.root.as_deref(), flags.exact)?.read_range(&request, &CtrlC::watch())?;
    if flags.json {
        print(&document::page(&page))?;
        return Ok(Exit::Ok);
    }
    let mut out = String::new();
    for line in &page.lines {
        let _ = write!(out, "{}\t", line.line);
        push_line(&line.text, &mut out);
        out.push('\n');
    }
    print(&out)?;
    if let Some(next) = page.next_line {
        eprintln!("readroom: the answer is full; go on at line {next} of {}", page.total_lines);
    }
    Ok(Exit::Ok)
}

fn inventory(flags: &EvidenceInventoryFlags) -> Result<Exit, Ended> {
    let inventory = open(flags.root.as_deref(), false)?.inventory(&CtrlC::watch())?;
    if flags.json {
        print(&document::inventory(&inventory))?;
        return Ok(Exit::Ok);
    }
    let mut out = String::new();
    for file in &inventory.files {
        let _ = write!(out, "{:>8}  ", file.bytes);
        one_line(&file.path, &mut out);
        out.push('\n');
    }
    print(&out)?;
    say_gaps(&inventory.reasons, &inventory.skipped);
    Ok(Exit::Ok)
}

/// Says on stderr what was not looked at.
fn say_gaps(reasons: &[Reason], skipped: &Skipped) {
    let passed: Vec<String> =
        skipped.iter().map(|(skip, count)| format!("{} {count}", skip.as_str())).collect();
    if !passed.is_empty() {
        eprintln!("readroom: passed over: {}", passed.join(", "));
    }
    if !reasons.is_empty() {
        let reasons: Vec<&str> = reasons.iter().map(|reason| reason.as_str()).collect();
        eprintln!("readroom: incomplete: {}", reasons.join(", "));
    }
}

/// A line of a file on one line of a terminal that it cannot steer; tabs stay.
fn push_line(line: &str, out: &mut String) {
    for (at, piece) in line.split('\t').enumerate() {
        if at > 0 {
            out.push('\t');
        }
        one_line(piece, out);
    }
}
