//! `readroom docs check`: every finding with its place and what to write instead, and an exit code for scripts.

use std::path::Path;

use docs::{Checked, Review, Severity};

use super::{finding, open, staleness};
use crate::exit::{Ended, Exit};
use crate::human::print;

pub(super) fn run(root: &Path) -> Result<Exit, Ended> {
    let opened = open(root, Checked::Hash)?;
    let snapshot = opened.snapshot()?;
    let findings = snapshot.diagnostics();
    let mut out: String = findings.iter().map(finding).collect();
    let count = |severity: Severity| findings.iter().filter(|one| one.severity == severity).count();
    let (errors, warnings, infos) = (count(Severity::Error), count(Severity::Warn), count(Severity::Info));
    let files = snapshot.files().iter().filter(|file| file.source.is_some()).count();
    out.push_str(&format!(
        "{errors} error(s), {warnings} warning(s), {infos} info(s); {} node(s) in {files} file(s)\n",
        snapshot.nodes().len()
    ));
    for (review, words) in
        [(Review::Changed, "changed since their review"), (Review::Never, "never reviewed")]
    {
        let ids: Vec<&str> = snapshot
            .unreviewed()
            .filter(|(_, one)| *one == review)
            .map(|(ix, _)| snapshot.node(ix).id.as_str())
            .collect();
        if !ids.is_empty() {
            out.push_str(&format!("{} {words}: {}\n", ids.len(), ids.join(", ")));
        }
    }
    if let Some(word) = staleness(&opened.refresh) {
        out.push_str(&format!("{word}\n"));
    }
    print(&out)?;
    Ok(if errors > 0 { Exit::Runtime } else { Exit::Ok })
}
