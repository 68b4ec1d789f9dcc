//! `readroom docs`: a project of structured documents, for people. It opens the project, and leaves what a command
//! prints to its own file.

mod check;
mod init;
mod links;
mod show;

use docs::{Checked, Contract, Diagnostic, Freshness, ProjectRoot, ProjectService, Refresh, Snapshot};
use fault::one_line;
use std::path::Path;
use std::sync::Arc;

use super::{print, print_json};
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};
use crate::flags::docs::DocsCommand;

/// Runs one command.
pub(crate) fn run(command: &DocsCommand) -> Result<Exit, Ended> {
    match command {
        DocsCommand::Init(flags) => init::run(flags.preset, &flags.root.path),
        DocsCommand::Check(flags) => check::run(&flags.root.path),
        DocsCommand::Show(flags) => show::node(&flags.id, &flags.root.path),
        DocsCommand::Search(flags) => show::search(&flags.query, &flags.root.path),
        DocsCommand::Filter(flags) => show::filter(&flags.expression, &flags.root.path),
        DocsCommand::Links(flags) => links::run(flags),
        DocsCommand::Sources(flags) => sources(flags.zero, &flags.root.path),
        DocsCommand::Contract(flags) => contract(flags.json, &flags.root.path),
        DocsCommand::Adapters => adapters(),
    }
}

/// A project as it is now.
struct Opened {
    refresh: Refresh,
}

impl Opened {
    /// What is served; without it the findings are printed and the command is over.
    fn snapshot(&self) -> Result<&Arc<Snapshot>, Ended> {
        self.refresh.snapshot.as_ref().ok_or_else(|| {
            let lines: Vec<String> = self.refresh.problems.iter().map(finding).collect();
            Ended::Message(
                Exit::Usage,
                format!("the project cannot be loaded\n{}", lines.concat().trim_end()),
            )
        })
    }
}

/// Loads the project at `root`.
fn open(root: &Path, checked: Checked) -> Result<Opened, Ended> {
    let pinned = ProjectRoot::open(root).map_err(|fault| {
        let mut shown = String::new();
        one_line(&root.to_string_lossy(), &mut shown);
        Ended::Message(Exit::Usage, format!("the project root '{shown}' cannot be used: {fault}"))
    })?;
    let watch = CtrlC::watch();
    let stopped = |_| Ended::Cancelled;
    let service = ProjectService::load(pinned, &watch).map_err(stopped)?;
    let refresh = service.refresh(checked, &watch).map_err(stopped)?;
    Ok(Opened { refresh })
}

/// One finding as people read it: place, severity, code, words, and what to write instead.
fn finding(one: &Diagnostic) -> String {
    let mut out = String::new();
    let place = &one.place;
    let mut at = place.path.clone().unwrap_or_else(|| "(project)".to_owned());
    for part in [place.line, place.column].into_iter().flatten() {
        at.push_str(&format!(":{part}"));
    }
    one_line(&at, &mut out);
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

/// `docs sources`: the paths whose bytes count in the source hash.
fn sources(zero: bool, root: &Path) -> Result<Exit, Ended> {
    let opened = open(root, Checked::Hash)?;
    let snapshot = opened.snapshot()?;
    let end = if zero { '\0' } else { '\n' };
    let mut lines = String::new();
    for file in snapshot.files() {
        if zero {
            lines.push_str(&file.path);
        } else {
            one_line(&file.path, &mut lines);
        }
        lines.push(end);
    }
    if zero {
        use std::io::Write as _;
        let mut out = std::io::stdout().lock();
        out.write_all(lines.as_bytes())?;
        out.flush()?;
    } else {
        print(&lines)?;
    }
    Ok(Exit::Ok)
}

/// `docs contract`: the normalised manifest.
fn contract(json: bool, root: &Path) -> Result<Exit, Ended> {
    let opened = open(root, Checked::Stat)?;
    let snapshot = opened.snapshot()?;
    let contract: &Arc<Contract> = snapshot.contract();
    if json {
        print_json(&contract.to_json())?;
        return Ok(Exit::Ok);
    }
    let mut lines = String::new();
    let mut push = |text: &str| {
        one_line(text, &mut lines);
        lines.push('\n');
    };
    push(&format!("{} ({})", contract.project.title, contract.project.id));
    for kind in &contract.types {
        let fields: Vec<String> = kind
            .fields
            .iter()
            .map(|field| {
                format!("{}{}: {}", field.name, if field.required { "" } else { "?" }, field.kind.as_str())
            })
            .collect();
        push(&format!("type {}  {}", kind.name, fields.join(", ")));
    }
    let any = |types: &[String]| if types.is_empty() { "*".to_owned() } else { types.join("|") };
    for relation in &contract.relations {
        let (from, to) = (any(&relation.from), any(&relation.to));
        push(&format!("relation {}: {from} -> {to} (inverse {})", relation.name, relation.inverse));
    }
    for source in &contract.sources {
        push(&format!("source {}: {} {}", source.id, source.adapter, source.include.join(" ")));
    }
    for rule in &contract.rules {
        push(&format!("rule {}: {} => {}", rule.id, rule.applies.source(), rule.require.source()));
    }
    print(&lines)?;
    Ok(Exit::Ok)
}

/// `docs adapters`: the fixed registry.
fn adapters() -> Result<Exit, Ended> {
    let mut lines = String::new();
    for (name, can_write) in docs::ADAPTERS {
        lines.push_str(&format!("{name}  {}\n", if *can_write { "reads and writes" } else { "reads" }));
    }
    print(&lines)?;
    Ok(Exit::Ok)
}

/// The word for how a snapshot relates to the files, when it is not fresh.
fn staleness(refresh: &Refresh) -> Option<&'static str> {
    (refresh.freshness != Freshness::Fresh).then(|| refresh.freshness.as_str())
}
