//! What the commands of `readroom docs` share: opening the project, the lines that say what is wrong with it, and the exit
//! codes (spec C15). It knows no single command.

use std::path::Path;
use std::sync::Arc;

use apply::{Documents, Due};
use disk::ConfinedFault;
use docs::{Checked, Diagnostic, Freshness, ProjectRoot, ProjectService, Refresh, Snapshot};
use fault::one_line;

use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};

impl Exit {
    /// There are findings, or something is stale.
    pub(super) const FINDINGS: Exit = Exit::Runtime;
    /// A conflict, or something that is refused.
    pub(super) const REFUSED: Exit = Exit::Policy;
    /// The disk or the terminal did not do what was asked.
    pub(super) const IO: Exit = Exit::Conflict;
}

/// A project as it is now.
pub(super) struct Opened {
    pub(super) service: ProjectService,
    pub(super) refresh: Refresh,
}

impl Opened {
    /// What is served; without it the findings are printed and the command is over.
    pub(super) fn snapshot(&self) -> Result<&Arc<Snapshot>, Ended> {
        self.refresh.snapshot.as_ref().ok_or_else(|| {
            let lines: Vec<String> = self.refresh.problems.iter().map(finding).collect();
            Ended::Message(
                Exit::Usage,
                format!("the project cannot be loaded\n{}", lines.concat().trim_end()),
            )
        })
    }
}

impl Opened {
    /// Refuses while an interrupted change of documents is to be settled: what lies there is neither old nor new.
    fn is_settled(&self) -> Result<(), Ended> {
        let Some(contract) = self.service.contract() else { return Ok(()) };
        let due = Documents::open(self.service.root().root(), &contract.paths)
            .and_then(|documents| documents.due())
            .map_err(|fault| unwritable("the folder `apply` beside the changesets", fault))?;
        if due == Due::Yes {
            let message = "recovery_required: a change of the documents was interrupted, so they are neither as before nor \
                           as they are to be; run `readroom docs changeset recover`";
            return Err(Ended::Message(Exit::Recovery, message.to_owned()));
        }
        Ok(())
    }
}

/// Loads the project at `root`, unless a change of its documents was interrupted.
pub(super) fn open(root: &Path, checked: Checked) -> Result<Opened, Ended> {
    let opened = open_unsettled(root, checked)?;
    opened.is_settled()?;
    Ok(opened)
}

/// Holds the folder of a project.
pub(crate) fn pin(root: &Path) -> Result<ProjectRoot, Ended> {
    ProjectRoot::open(root).map_err(|fault| {
        let shown = shown(&root.to_string_lossy());
        Ended::Message(Exit::Usage, format!("the project root '{shown}' cannot be used: {fault}"))
    })
}

/// The same whatever was interrupted, for the commands that look into it.
pub(super) fn open_unsettled(root: &Path, checked: Checked) -> Result<Opened, Ended> {
    let pinned = pin(root)?;
    let watch = CtrlC::watch();
    let stopped = |_| Ended::Cancelled;
    let service = ProjectService::load(pinned, &watch).map_err(stopped)?;
    let refresh = service.refresh(checked, &watch).map_err(stopped)?;
    Ok(Opened { service, refresh })
}

/// Where a finding stands.
pub(super) fn place(one: &Diagnostic) -> String {
    let mut at = one.place.path.clone().unwrap_or_else(|| "(project)".to_owned());
    for part in [one.place.line, one.place.column].into_iter().flatten() {
        at.push_str(&format!(":{part}"));
    }
    shown(&at)
}

/// One finding as people read it: place, severity, code, words, and what to write instead.
pub(super) fn finding(one: &Diagnostic) -> String {
    let mut out = String::new();
    out.push_str(&place(one));
    out.push_str(&format!(": {}[{}]: ", one.severity.as_str(), one.check.code()));
    one_line(&one.message, &mut out);
    if let Some(node) = &one.node {
        out.push_str(" (");
        one_line(node, &mut out);
        out.push(')');
    }
    out.push('\n');
    let mut more = |label: &str, text: &str| {
        out.push_str(&format!("  {label}: "));
        let shown: String = text.chars().take(SHOWN_CHARS_MAX).collect();
        one_line(&shown, &mut out);
        out.push_str(if shown.len() < text.len() { "…\n" } else { "\n" });
    };
    if let Some(text) = &one.doc {
        more("text", text);
    }
    if !one.related.is_empty() {
        more("see", &one.related.join(", "));
    }
    if let Some(fix) = &one.fix {
        more("fix", fix);
    }
    out
}

/// Characters of a text of a document that a finding repeats.
const SHOWN_CHARS_MAX: usize = 200;

/// The word for how a snapshot relates to the files, when it is not fresh.
pub(super) fn staleness(refresh: &Refresh) -> Option<&'static str> {
    (refresh.freshness != Freshness::Fresh).then(|| refresh.freshness.as_str())
}

/// Text as one line that steers no terminal.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::new();
    one_line(text, &mut out);
    out
}

/// Writes to standard output; what goes wrong there is no finding.
pub(super) fn print(text: &str) -> Result<(), Ended> {
    crate::human::print(text).map_err(|ended| match ended {
        Ended::Message(_, message) => Ended::Message(Exit::IO, message),
        other => other,
    })
}

/// What a folder of the project answered that was to be written to.
pub(super) fn unwritable(path: &str, fault: ConfinedFault) -> Ended {
    let exit = if fault == ConfinedFault::Gone { Exit::REFUSED } else { Exit::IO };
    let why = match fault {
        ConfinedFault::NotFound => "something on the way is no folder".to_owned(),
        other => other.to_string(),
    };
    Ended::Message(exit, format!("{} cannot be written: {why}", shown(path)))
}
