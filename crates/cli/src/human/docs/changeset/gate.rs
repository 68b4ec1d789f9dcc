//! The gate before documents change or a changeset is closed: a person at a terminal types the beginning of the hash of what
//! they saw, or hands the whole hash over. It changes nothing.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use apply::{ApplyFault, ApplyProblem, Review, fingerprint};
use docs::Hash;
use propose::{ChangesetState, Problem, ProposeFault};

use super::super::project::print;
use super::office::{ended, refused};
use super::page::{Look, Page};
use super::{diff, show, validate};
use crate::exit::{Ended, Exit};

/// Shows what the decision is about: verdict, difference, meetings, and the hash over it. Nothing is left to decide about a
/// closed one.
pub(super) fn present(review: &Review) -> Result<(), Ended> {
    let mut page = Page::new();
    show::head(review, &mut page);
    if review.case.stored.state != ChangesetState::Open {
        print(&page.into_text()).map_err(unseen)?;
        return Err(refused(ProposeFault::of(Problem::ChangesetClosed)));
    }
    validate::verdict(review, &mut page);
    validate::findings(review, &mut page);
    diff::nodes(review, &mut page);
    diff::overlaps(review, &mut page);
    page.line(Look::Head, &format!("diff_hash: {}", review.diff_hash));
    print(&page.into_text()).map_err(unseen)
}

/// What was not shown is not decided on.
fn unseen(ended: Ended) -> Ended {
    match ended {
        Ended::PipeClosed => {
            Ended::Message(Exit::IO, "nobody reads what is to be decided on; nothing was changed".to_owned())
        }
        other => other,
    }
}

/// Asks for the yes of a person; `verb` is what they say yes to.
pub(super) fn confirmed(confirm: Option<&str>, seen: Hash, verb: &str) -> Result<Hash, Ended> {
    if let Some(whole) = confirm {
        return Hash::parse(whole).ok_or_else(|| {
            mismatch("--confirm takes the whole hash of the difference, with `sha256:` in front.")
        });
    }
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let message = format!(
            "A person decides this, at a terminal; nothing was changed. A script of one's own passes --confirm {seen}."
        );
        return Err(ended(ApplyFault::new(ApplyProblem::NeedsPerson, message)));
    }
    let mut out = io::stdout().lock();
    write!(out, "To {verb} this, type the first 8 digits of the hash behind `sha256:`: ")?;
    out.flush()?;
    let mut typed = String::new();
    io::stdin().lock().read_line(&mut typed).map_err(|error| {
        Ended::Message(Exit::IO, format!("the terminal cannot be read ({})", error.kind()))
    })?;
    if typed.trim().eq_ignore_ascii_case(&fingerprint(seen)) {
        return Ok(seen);
    }
    Err(mismatch("What was typed is not the beginning of the hash; nothing was changed."))
}

fn mismatch(message: &str) -> Ended {
    ended(ApplyFault::new(ApplyProblem::FingerprintMismatch, message))
}
