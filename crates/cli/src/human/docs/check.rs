//! `readroom docs check`: every finding with its place and what to write instead, and an exit code for scripts.

use std::sync::Arc;

use docs::{Checked, Diagnostic, Review, Severity};
use serde_json::{Value, json};

use super::changed::Changes;
use super::depfile;
use super::json::{ask, exit_of, say};
use super::project::{Opened, finding, open, print, staleness};
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};
use crate::flags::docs::CheckFlags;

pub(super) fn run(flags: &CheckFlags) -> Result<Exit, Ended> {
    let opened = open(&flags.root.path, Checked::Hash)?;
    if flags.json {
        if let (Some(file), Some(snapshot)) = (&flags.depfile, &opened.refresh.snapshot) {
            depfile::write(file, &flags.root.path, opened.service.root().root(), snapshot)?;
        }
        return as_json(opened);
    }
    let snapshot = opened.snapshot()?;
    let root = opened.service.root().root();
    if let Some(file) = &flags.depfile {
        depfile::write(file, &flags.root.path, root, snapshot)?;
    }
    let changes = flags.changed_only.then(|| Changes::of(root, &CtrlC)).transpose()?;
    let concerns = |one: &&Diagnostic| changes.as_ref().is_none_or(|changes| changes.concern(one, snapshot));
    let all = snapshot.diagnostics();
    let findings: Vec<&Diagnostic> = all.iter().filter(concerns).collect();
    let mut out: String = findings.iter().map(|one| finding(one)).collect();
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
    let elsewhere = all.len() - findings.len();
    if elsewhere > 0 {
        out.push_str(&format!(
            "{elsewhere} more finding(s) do not concern what changed since the last commit\n"
        ));
    }
    if let Some(word) = staleness(&opened.refresh) {
        out.push_str(&format!("{word}\n"));
    }
    print(&out)?;
    Ok(if errors > 0 { Exit::FINDINGS } else { Exit::Ok })
}

/// Every finding as the tool tells them, with the counts of the project beside those of the findings.
fn as_json(opened: Opened) -> Result<Exit, Ended> {
    let service = Arc::new(opened.service);
    let mut answer = ask(&service, "docforge_validate_project", &json!({}))?;
    let info = ask(&service, "docforge_project_info", &json!({}))?;
    if let (Some(counts), Some(more)) =
        (answer.pointer_mut("/result/counts").and_then(Value::as_object_mut), info.pointer("/result/counts"))
    {
        counts.extend(more.as_object().cloned().unwrap_or_default());
    }
    say(&answer)?;
    let is_unloadable = answer["project"]["state"] == "unloadable";
    Ok(match answer.pointer("/result/counts/error").and_then(Value::as_u64) {
        _ if is_unloadable => Exit::Usage,
        Some(0) => Exit::Ok,
        Some(_) => Exit::FINDINGS,
        None => exit_of(&answer),
    })
}
