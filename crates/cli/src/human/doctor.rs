//! `readroom doctor`: looks at what this machine gives, at the folders, and at one real call of each server, and says for
//! every finding what to do about it. It changes nothing but what any start of a server does too.

mod call;
mod folders;
mod machine;

use fault::one_line;
use serde_json::{Value, json};

use super::{print, print_json};
use crate::exit::{Ended, Exit};
use crate::flags::setup::DoctorFlags;
use crate::wire::{default_root, user_dirs};

/// How a finding is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// As it should be.
    Fine,
    /// It works, with less than there could be.
    Note,
    /// Something does not work.
    Problem,
}

impl State {
    const fn as_str(self) -> &'static str {
        match self {
            State::Fine => "ok",
            State::Note => "note",
            State::Problem => "problem",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) what: &'static str,
    pub(super) state: State,
    found: String,
    /// What to do, when there is something to do.
    remedy: Option<String>,
}

impl Finding {
    pub(super) fn fine(what: &'static str, found: impl Into<String>) -> Finding {
        Finding { what, state: State::Fine, found: found.into(), remedy: None }
    }

    pub(super) fn note(what: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { what, state: State::Note, found: found.into(), remedy: Some(remedy.into()) }
    }

    pub(super) fn problem(
        what: &'static str,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Finding {
        Finding { what, state: State::Problem, found: found.into(), remedy: Some(remedy.into()) }
    }
}

pub(crate) fn run(flags: &DoctorFlags) -> Result<Exit, Ended> {
    let dirs = user_dirs()?;
    let roots = if flags.roots.is_empty() { vec![default_root()?] } else { flags.roots.clone() };
    let mut findings = vec![machine::program()];
    findings.extend(machine::kernel());
    findings.push(machine::git(&roots));
    findings.push(machine::limits());
    findings.extend(folders::roots(&roots, &dirs));
    findings.push(folders::profiles(&dirs));
    findings.push(folders::checkouts(&dirs));
    findings.push(folders::leftovers(&dirs));
    findings.extend(call::servers(&dirs));
    let worst = findings.iter().any(|finding| finding.state == State::Problem);
    if flags.json {
        print_json(&structured(&findings))?;
    } else {
        print(&table(&findings))?;
    }
    Ok(if worst { Exit::Runtime } else { Exit::Ok })
}

/// The findings as JSON.
pub(super) fn structured(findings: &[Finding]) -> Value {
    let entry = |finding: &Finding| {
        json!({
            "check": finding.what,
            "state": finding.state.as_str(),
            "found": finding.found,
            "remedy": finding.remedy,
        })
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "findings": findings.iter().map(entry).collect::<Vec<_>>(),
    })
}

/// The findings as people read them, and how many there are.
pub(super) fn table(findings: &[Finding]) -> String {
    let width = findings.iter().map(|finding| finding.what.len()).max().unwrap_or(0);
    let mut out = String::new();
    for finding in findings {
        out.push_str(&format!("{:<7}  {:<width$}  ", finding.state.as_str(), finding.what));
        one_line(&finding.found, &mut out);
        out.push('\n');
        if let Some(remedy) = &finding.remedy {
            out.push_str(&format!("{:<7}  {:<width$}  -> ", "", ""));
            one_line(remedy, &mut out);
            out.push('\n');
        }
    }
    let count = |state: State| findings.iter().filter(|finding| finding.state == state).count();
    let (problems, notes) = (count(State::Problem), count(State::Note));
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    out.push_str(&format!("{problems} problem{}, {notes} note{}\n", plural(problems), plural(notes)));
    out
}
