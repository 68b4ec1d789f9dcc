//! The make rule of `readroom docs check --depfile`: every file that was read, for build systems that keep results. It reads
//! nothing itself.

use std::path::Path;

use disk::{Root, WriteFault, write_atomic};
use docs::{Check, Snapshot};

use super::project::shown;
use crate::exit::{Ended, Exit};

/// Writes the rule. The target is the name of the file without `.d`, and each input is a target without inputs too, so that a
/// removed file asks for a new check instead of stopping the build.
pub(super) fn write(
    file: &Path,
    root_as_named: &Path,
    root: &Root,
    snapshot: &Snapshot,
) -> Result<(), Ended> {
    let inputs = inputs(snapshot);
    refuse_input(file, root, &inputs)?;
    let unnameable = || {
        let words = "the dependency file cannot name this path: it is not UTF-8 or has a line break";
        Ended::Message(Exit::Usage, words.to_owned())
    };
    let target = file.to_str().map(|file| file.strip_suffix(".d").unwrap_or(file));
    let mut rule = target.and_then(escaped).map(as_target).ok_or_else(unnameable)?;
    rule.push(':');
    let mut alone = String::new();
    for input in &inputs {
        let place =
            if root_as_named == Path::new(".") { Path::new(input).into() } else { root_as_named.join(input) };
        let name = place.to_str().and_then(escaped).ok_or_else(unnameable)?;
        rule.push_str(&format!(" \\\n  {name}"));
        alone.push_str(&as_target(name));
        alone.push_str(":\n");
    }
    rule.push('\n');
    rule.push_str(&alone);
    write_atomic(file, rule.as_bytes(), 0o644, true).map_err(|fault| {
        let exit =
            if matches!(fault, WriteFault::Link | WriteFault::NotAFile) { Exit::REFUSED } else { Exit::IO };
        Ended::Message(exit, format!("the dependency file cannot be written: {fault}"))
    })
}

/// Every file whose bytes count, and those that were to be read and could not; sorted by path bytes.
fn inputs(snapshot: &Snapshot) -> Vec<String> {
    let unread = snapshot
        .diagnostics()
        .iter()
        .filter(|one| matches!(one.check, Check::FileTooLarge | Check::Unreadable))
        .filter_map(|one| one.place.path.clone());
    let mut all: Vec<String> = snapshot.files().iter().map(|file| file.path.clone()).chain(unread).collect();
    all.sort();
    all.dedup();
    all
}

/// A document is never written over, whatever it is called on the command line.
fn refuse_input(file: &Path, root: &Root, inputs: &[String]) -> Result<(), Ended> {
    let parent = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (Ok(parent), Some(name)) = (Root::pin(parent), file.file_name()) else { return Ok(()) };
    let inside = root.relative(&parent.path().join(name));
    match inside.as_ref().and_then(|path| path.as_str()) {
        Some(path) if inputs.iter().any(|input| input == path) => {
            let message = format!(
                "{} is a file of the project; the dependency file needs a name of its own",
                shown(path)
            );
            Err(Ended::Message(Exit::REFUSED, message))
        }
        _ => Ok(()),
    }
}

/// A name as make and ninja read it; nothing when neither can.
fn escaped(name: &str) -> Option<String> {
    let mut out = String::with_capacity(name.len());
    for one in name.chars() {
        match one {
            '\n' | '\r' | '\0' => return None,
            ' ' | '\t' | '#' | ':' | '\\' => out.extend(['\\', one]),
            '$' => out.push_str("$$"),
            one => out.push(one),
        }
    }
    Some(out)
}

/// An escaped name where a rule begins: there alone `%` would stand for any name.
fn as_target(escaped: String) -> String {
    escaped.replace('%', "\\%")
}
