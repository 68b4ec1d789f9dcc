//! The commands for people: what they share is how a session is opened and how notices reach stderr.

pub(crate) mod analyze;
pub(crate) mod cache;
pub(crate) mod cat;
pub(crate) mod docs;
pub(crate) mod doctor;
pub(crate) mod evidence;
pub(crate) mod pack;
pub(crate) mod profile;
pub(crate) mod search;
pub(crate) mod setup;
pub(crate) mod tree;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use fault::{Notice, one_line};
use project::limits;
use project::request::Target;
use project::session::{Options, Session};
use serde_json::{Value, json};

use crate::exit::Ended;
use crate::flags::{GitModeFlag, RemoteFlags};
use crate::wire::user_dirs;

/// What a session of one command needs of its flags.
pub(crate) struct Opening<'f> {
    pub(crate) dir: Option<&'f str>,
    pub(crate) git_mode: Option<GitModeFlag>,
    pub(crate) hide_private_data: bool,
    pub(crate) remote: &'f RemoteFlags,
}

/// Opens a session on the named project, or on the current folder.
pub(crate) fn open(opening: &Opening<'_>) -> Result<(Session, Target), Ended> {
    let dir = opening.dir.unwrap_or(".");
    let is_remote = git::looks_remote(dir);
    let root = PathBuf::from(if is_remote { "." } else { dir });
    let options = Options {
        roots: vec![root],
        hide_private_data: opening.hide_private_data,
        allow_remote: opening.remote.allow_remote,
        allow_private_hosts: opening.remote.allow_private_hosts,
        git_mode: opening.git_mode.map(Into::into),
        page_chars: limits::PAGE_CHARS_MAX,
    };
    let session = Session::open(options, user_dirs()?)?;
    let target = Target { project: is_remote.then(|| dir.to_owned()), branch: opening.remote.branch.clone() };
    Ok((session, target))
}

/// Writes a document as it is; on a terminal it ends with a line end, so that the prompt has its own line.
pub(crate) fn print(document: &str) -> Result<(), Ended> {
    let mut out = io::stdout().lock();
    out.write_all(document.as_bytes())?;
    if out.is_terminal() && !document.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

/// Writes one JSON object on one line.
pub(crate) fn print_json(value: &Value) -> Result<(), Ended> {
    let mut out = io::stdout().lock();
    writeln!(out, "{value}")?;
    Ok(out.flush()?)
}

/// Says the warnings on stderr.
pub(crate) fn warn(notices: &[Notice]) {
    for notice in notices {
        eprintln!("readroom: [Warning {}] {}", notice.code, notice.text);
    }
}

/// Says the trailers of a document on stderr; they may name files, so nothing in them steers the terminal.
pub(crate) fn say(trailers: &[String]) {
    for trailer in trailers {
        for line in trailer.lines() {
            let mut shown = String::new();
            one_line(line, &mut shown);
            eprintln!("readroom: {shown}");
        }
    }
}

/// The warnings as JSON.
pub(crate) fn warnings(notices: &[Notice]) -> Value {
    notices
        .iter()
        .map(|notice| json!({ "code": notice.code.as_str(), "message": notice.text.as_str() }))
        .collect()
}
