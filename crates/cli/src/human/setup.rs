//! `readroom setup`: prints how a client is told about a server, or edits the client's own configuration file. What the
//! edited bytes are, the two editors say; nothing outside of the entry changes.

mod client;
mod json;
mod toml;

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use disk::{WriteFault, write_atomic};
use fault::one_line;

use self::client::{Client, Format};
use super::print;
use crate::exit::{Ended, Exit};
use crate::flags::Flags;
use crate::flags::setup::{ServerName, SetupFlags};

/// A configuration file is read to this many bytes; a larger one is no configuration of a client.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// A configuration file may hold keys of other servers, so a new one is its owner's alone.
const NEW_FILE_MODE: u32 = 0o600;
/// Copies of one file that are kept at most.
const COPIES_MAX: usize = 99;

/// What a client is to be told.
#[derive(Debug)]
struct Entry {
    name: String,
    command: String,
    args: Vec<String>,
}

/// Why a file is not edited. Nothing was changed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum EditFault {
    #[error("line {line} is not what the format allows: {what}")]
    Malformed { line: usize, what: &'static str },
    #[error("line {line}: `{key}` stands twice, and clients differ in which one they take")]
    Twice { line: usize, key: String },
    #[error("`{key}` is written in a form that cannot be edited without touching its neighbours")]
    Form { key: String },
}

/// A replacement of some bytes of a text.
type Edit = (Range<usize>, String);

/// The text with the edits, which are in order and do not overlap.
fn apply(text: &str, edits: &[Edit]) -> String {
    let mut out = String::with_capacity(text.len() + 512);
    let mut at = 0;
    for (range, new) in edits {
        out.push_str(&text[at..range.start]);
        out.push_str(new);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The line, from 1, that holds the byte at `at`.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count()
}

/// The line end that a text uses.
fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

pub(crate) fn run(flags: &SetupFlags) -> Result<Exit, Ended> {
    let client = Client::of(flags.client);
    let entry = entry(flags, &client)?;
    let file = match &flags.file {
        Some(file) => std::path::absolute(file).map_err(|_| unusable("the file"))?,
        None => client.file().ok_or_else(|| {
            let line = "HOME is not set, so the client's file is not known; name it with --file".to_owned();
            Ended::Message(Exit::Runtime, line)
        })?,
    };
    if flags.write || flags.remove {
        return change(&client, &entry, &file, flags.remove);
    }
    let command = if flags.file.is_none() { client.command(&entry) } else { None };
    let advice = match command {
        Some(line) => {
            print(&format!("{line}\n"))?;
            "That command registers the server"
        }
        None => {
            print(&client.snippet(&entry))?;
            "That text belongs there: "
        }
    };
    let place = shown(&file);
    if advice.ends_with(": ") {
        eprintln!("readroom: {advice}{place}; merge it with what is there, or let --write do that");
    } else {
        eprintln!("readroom: {advice}; or let --write edit {place}");
    }
    eprintln!("readroom: {}", client.afterwards());
    Ok(Exit::Ok)
}

/// What the client is told; every option is one that the server takes.
fn entry(flags: &SetupFlags, client: &Client) -> Result<Entry, Ended> {
    let usage = |line: String| Ended::Message(Exit::Usage, line);
    let mut args = vec!["mcp".to_owned()];
    let (word, option, suffix) = match flags.server {
        ServerName::Project => (None, "--root", ""),
        ServerName::Evidence => (Some("evidence"), "--root", "-evidence"),
        ServerName::Docs => (Some("docs"), "--project-root", "-docs"),
    };
    args.extend(word.map(str::to_owned));
    if flags.root.len() > 1 && flags.server != ServerName::Project {
        return Err(usage("this server has one root; name --root once".to_owned()));
    }
    let roots = if flags.follow {
        let follow = client.follow().ok_or_else(|| {
            usage(format!(
                "{} starts servers in no project's folder; name --root instead of --follow",
                client.title()
            ))
        })?;
        vec![follow.to_owned()]
    } else {
        let here = [PathBuf::from(".")];
        let roots = if flags.root.is_empty() { here.as_slice() } else { flags.root.as_slice() };
        roots.iter().map(|root| physical(root)).collect::<Result<_, _>>()?
    };
    for root in roots {
        args.extend([option.to_owned(), root]);
    }
    args.extend(flags.options.iter().cloned());
    if let Err(error) =
        Flags::try_parse_from(std::iter::once("readroom").chain(args.iter().map(String::as_str)))
    {
        let reason = error.to_string();
        let reason = reason.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let mut line = "the server would not start: ".to_owned();
        one_line(reason, &mut line);
        return Err(usage(line));
    }
    let command = match &flags.command {
        Some(command) => command.clone(),
        None => this_program()?,
    };
    let name = flags.name.clone().unwrap_or_else(|| format!("readroom{suffix}"));
    Ok(Entry { name, command, args })
}

/// The absolute path of a project's folder, as the server will pin it.
fn physical(root: &Path) -> Result<String, Ended> {
    let pinned = disk::Root::pin(root).map_err(|fault| {
        Ended::Message(Exit::Runtime, format!("the project root '{}' cannot be used: {fault}", shown(root)))
    })?;
    let text = pinned.path().to_str().map(str::to_owned);
    text.ok_or_else(|| Ended::Message(Exit::Runtime, "the path of the project is not UTF-8".to_owned()))
}

/// Where this program lies: clients with windows have no `PATH` of a shell.
fn this_program() -> Result<String, Ended> {
    let path = std::env::current_exe().ok().and_then(|path| path.to_str().map(str::to_owned));
    path.ok_or_else(|| {
        let line = "the path of this program is not known; name it with --command".to_owned();
        Ended::Message(Exit::Runtime, line)
    })
}

/// Edits the file, unless it is already as it should be.
fn change(client: &Client, entry: &Entry, file: &Path, remove: bool) -> Result<Exit, Ended> {
    // A link is followed here and nowhere later: what it leads to is replaced, and it stays a link.
    let file = &physical_file(file);
    let before = read(file)?;
    let text = before.as_deref().unwrap_or_default();
    let edited = match (client.format(), remove) {
        (Format::Toml, false) => toml::set(text, entry),
        (Format::Toml, true) => toml::remove(text, &entry.name),
        (Format::Json { key, typed }, false) => json::set(text, key, entry, typed),
        (Format::Json { key, .. }, true) => json::remove(text, key, &entry.name),
    };
    let after = edited.map_err(|fault| {
        Ended::Message(
            Exit::Runtime,
            format!(
                "{} was not changed: {fault}; edit it by hand with what `readroom setup` prints",
                shown(file)
            ),
        )
    })?;
    if after == text {
        let state = if remove { "has no such entry" } else { "has this entry already" };
        eprintln!("readroom: {} {state}; nothing was changed", shown(file));
        return Ok(Exit::Ok);
    }
    print(&difference(file, text, &after))?;
    if before.is_none() {
        make_folder(file)?;
    }
    let copy = match &before {
        Some(before) => Some(keep_copy(file, before.as_bytes())?),
        None => None,
    };
    // Some clients write their file while they run: what was edited must be what is there.
    if read(file)? != before {
        let line = format!("{} was changed by another program meanwhile; call again", shown(file));
        return Err(Ended::Message(Exit::Runtime, line));
    }
    write_atomic(file, after.as_bytes(), NEW_FILE_MODE, before.is_some())
        .map_err(|fault| not_written(file, fault))?;
    let kept = copy.map_or(String::new(), |copy| format!("; as it was before: {}", shown(&copy)));
    eprintln!("readroom: {} written{kept}", shown(file));
    eprintln!("readroom: {}", client.afterwards());
    Ok(Exit::Ok)
}

#[expect(clippy::disallowed_methods, reason = "a client's configuration is no file of a project")]
fn physical_file(file: &Path) -> PathBuf {
    std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned())
}

#[expect(clippy::disallowed_methods, reason = "a client's configuration is no file of a project")]
fn read(file: &Path) -> Result<Option<String>, Ended> {
    let fails = |what: &str| Ended::Message(Exit::Runtime, format!("{} cannot be read: {what}", shown(file)));
    match std::fs::metadata(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fails(&error.kind().to_string())),
        Ok(stat) if !stat.is_file() => return Err(fails("it is no regular file")),
        Ok(stat) if stat.len() > FILE_BYTES_MAX => return Err(fails("it is too large")),
        Ok(_) => {}
    }
    let bytes = std::fs::read(file).map_err(|error| fails(&error.kind().to_string()))?;
    String::from_utf8(bytes).map(Some).map_err(|_| fails("it is not UTF-8"))
}

#[expect(clippy::disallowed_methods, reason = "a client's configuration is no file of a project")]
fn make_folder(file: &Path) -> Result<(), Ended> {
    let Some(folder) = file.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| {
        Ended::Message(Exit::Runtime, format!("{} cannot be made ({})", shown(folder), error.kind()))
    })
}

/// Keeps the bytes beside the file under a name that is free, or that holds just these bytes already.
#[expect(clippy::disallowed_methods, reason = "a client's configuration is no file of a project")]
fn keep_copy(file: &Path, bytes: &[u8]) -> Result<PathBuf, Ended> {
    let mut fault = WriteFault::AlreadyExists;
    let mode = std::fs::metadata(file).map_or(NEW_FILE_MODE, |stat| {
        use std::os::unix::fs::PermissionsExt as _;
        stat.permissions().mode() & 0o777
    });
    for number in 1..=COPIES_MAX {
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(if number == 1 {
            ".before-readroom".to_owned()
        } else {
            format!(".before-readroom-{number}")
        });
        let copy = file.with_file_name(name);
        match write_atomic(&copy, bytes, mode, false) {
            Ok(()) => return Ok(copy),
            Err(WriteFault::AlreadyExists) => {
                if read(&copy).is_ok_and(|kept| kept.is_some_and(|kept| kept.as_bytes() == bytes)) {
                    return Ok(copy);
                }
            }
            Err(other) => {
                fault = other;
                break;
            }
        }
    }
    Err(Ended::Message(
        Exit::Runtime,
        format!("no copy of {} could be kept: {fault}; nothing was changed", shown(file)),
    ))
}

/// The lines that go and come, without anything of the rest of the file, which may hold keys of other servers.
fn difference(file: &Path, before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut out = format!("{}, line {}:\n", shown(file), same + 1);
    for (sign, lines) in [('-', &old[same..old.len() - tail]), ('+', &new[same..new.len() - tail])] {
        for line in lines {
            out.push(sign);
            one_line(line, &mut out);
            out.push('\n');
        }
    }
    out
}

fn not_written(file: &Path, fault: WriteFault) -> Ended {
    Ended::Message(Exit::Runtime, format!("{} cannot be written: {fault}", shown(file)))
}

fn unusable(what: &str) -> Ended {
    Ended::Message(Exit::Runtime, format!("the path of {what} cannot be used"))
}

fn shown(path: &Path) -> String {
    let mut out = String::new();
    one_line(&path.to_string_lossy(), &mut out);
    out
}

#[cfg(test)]
mod tests;
