//! Starts the servers: where roots come from when none is given, what is checked before the first message, and
//! what happens in the background. It knows no tool.

#![expect(clippy::disallowed_methods, reason = "only the binary knows the environment it was started in")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use disk::{Store, UserDirs};
use docs::ProjectService;
use evidence::Evidence;
use mcp::{McpServer, PageChars, ProjectOptions};
use project::limits;
use project::session::{Options, Session};
use propose::{ConfinedRoots, StartupWriter};

use crate::confined;
use crate::exit::{Ended, Exit};
use crate::flags::{self, DocsServer, EvidenceServer, ProjectServer};
use crate::human::docs::{pin, shown};

/// Serves the project tools until the client closes its end.
pub(crate) fn serve_project(flags: ProjectServer) -> Result<Exit, Ended> {
    let dirs = user_dirs()?;
    let roots = if flags.root.is_empty() { vec![default_root()?] } else { flags.root };
    let mut session = Session::open(
        Options {
            roots,
            hide_private_data: flags.hide_private_data,
            allow_remote: flags.allow_remote,
            allow_private_hosts: flags.allow_private_hosts,
            git_mode: flags.git_mode.map(Into::into),
            page_chars: limits::PAGE_CHARS_MAX,
        },
        dirs.clone(),
    )?;
    session.open_store()?;
    session.remember_clean_texts();
    if flags.allow_remote {
        // A cache that cannot be used is told to the first call that needs it.
        let _ = git::prepare(&dirs);
    }
    let frames = crate::stdout::take();
    confined::confine(flags.sandbox, || confined::project(&dirs, session.git(), flags.allow_remote))?;
    // What earlier processes left behind is removed beside the work; nobody waits for it, and a failure is left to
    // the next start.
    let _ = std::thread::Builder::new().name("scavenger".to_owned()).spawn(move || {
        let _ = Store::scavenge(&dirs, SystemTime::now());
        if flags.allow_remote {
            let _ = git::tidy(&dirs);
        }
    });
    let options = ProjectOptions {
        allow_remote: flags.allow_remote,
        page_chars: match flags.page_chars {
            flags::PageChars::Auto => PageChars::Auto,
            flags::PageChars::Fixed(chars) => PageChars::Fixed(chars),
        },
    };
    frames
        .and_then(|frames| mcp::serve_project(session, options, std::io::stdin(), frames))
        .map(|()| Exit::Ok)
        .map_err(no_start)
}

/// Serves the evidence tools until the client closes its end.
pub(crate) fn serve_evidence(flags: &EvidenceServer) -> Result<Exit, Ended> {
    let evidence = Evidence::open(&evidence::Options { root: flags.root.clone(), exact: flags.exact })?;
    let frames = crate::stdout::take();
    confined::confine(flags.sandbox, || confined::evidence(&flags.root))?;
    if !evidence.is_exact() {
        // The rules are put together while the client still greets; a call that comes sooner waits for them anyway.
        let rules = || redact::contains_secret("nothing to see here");
        let _ = std::thread::Builder::new().name("rules".to_owned()).spawn(rules);
    }
    frames
        .and_then(|frames| mcp::serve_evidence(evidence, std::io::stdin(), frames))
        .map(|()| Exit::Ok)
        .map_err(no_start)
}

/// Serves the docs tools until the client closes its end.
pub(crate) fn serve_docs(flags: &DocsServer) -> Result<Exit, Ended> {
    let usage = |message: String| Ended::Message(Exit::Usage, message);
    let service = ProjectService::open(pin(&flags.project_root)?);
    let contract = service.contract();
    let writer = match (&flags.proposal_writer, &contract) {
        (None, _) => None,
        (Some(_), None) => {
            let message = "--proposal-writer needs a valid manifest; see `readroom docs check`";
            return Err(usage(message.to_owned()));
        }
        (Some(name), Some(contract)) => Some(StartupWriter::of(contract, name).ok_or_else(|| {
            let known: Vec<&str> = contract.writers.iter().map(|one| one.name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            usage(format!("the manifest declares no writer '{}'; declared: {known}", shown(name)))
        })?),
    };
    // Made before the kernel confines the process: a folder that is not there yet could not be written to later.
    let roots = contract.and_then(|contract| {
        ConfinedRoots::open(service.root().share(), &contract.paths).ok().map(|roots| {
            let ready = roots.prepare(writer.is_some());
            (roots, ready)
        })
    });
    if let (Some(_), Some((_, Err(fault)))) = (&writer, &roots) {
        return Err(usage(format!("the folders of proposals cannot be used: {fault}")));
    }
    let frames = crate::stdout::take();
    confined::confine(flags.sandbox, || confined::docs(&service, !flags.no_visualize))?;
    let options = browser::Options { idle_minutes: flags.view_idle_minutes };
    let server = McpServer::command(Arc::new(service), writer, roots.map(|(roots, _)| roots))
        .browser((!flags.no_visualize).then_some(options));
    frames.and_then(|frames| server.serve(std::io::stdin(), frames)).map(|()| Exit::Ok).map_err(no_start)
}

fn no_start(error: std::io::Error) -> Ended {
    Ended::Message(Exit::Runtime, format!("the server cannot start ({})", error.kind()))
}

/// The per-user directories of this process.
pub(crate) fn user_dirs() -> Result<UserDirs, Ended> {
    UserDirs::from_env().map_err(|fault| Ended::Message(Exit::Runtime, fault.to_string()))
}

/// The root when none is given: the first of two variables that is set and not blank, else the current folder. A
/// variable holds exactly one root.
pub(crate) fn default_root() -> Result<PathBuf, Ended> {
    let named = ["DEVPROJEX_ROOT", "CLAUDE_PROJECT_DIR"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.to_string_lossy().trim().is_empty());
    match named {
        Some(root) => Ok(PathBuf::from(root)),
        None => std::env::current_dir().map_err(|error| {
            Ended::Message(Exit::Runtime, format!("the current folder cannot be used ({})", error.kind()))
        }),
    }
}

/// Who runs this process, for the record: the name that the environment has for them, else the number of the user.
pub(crate) fn who() -> String {
    let named = ["LOGNAME", "USER"].into_iter().filter_map(|name| std::env::var(name).ok());
    let id = || format!("user {}", rustix::process::getuid().as_raw());
    named.into_iter().find(|name| !name.trim().is_empty()).unwrap_or_else(id)
}

/// Whether a person asked for text without colour (`NO_COLOR`), or the terminal knows none.
pub(crate) fn is_colour_unwanted() -> bool {
    let is_asked = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    is_asked || std::env::var_os("TERM").is_some_and(|value| value == "dumb")
}
