//! `readroom docs doctor`: what keeps a project from being read, written or recovered, each finding with its remedy. It looks
//! and changes nothing.

use apply::{Documents, Due};
use disk::{Kind, Links, OpenFault, RelPath, Root, TEMPORARY_PREFIX};
use docs::{Checked, Contract, Diagnostic, IndexState, Paths, Severity, Snapshot, index_state};
use propose::{ConfinedRoots, Store};

use super::project::{Opened, open_unsettled, place, print};
use crate::exit::{Ended, Exit};
use crate::flags::docs::OneRoot;
use crate::human::doctor::{Finding, State, structured, table};
use crate::human::print_json;

pub(super) fn run(flags: &OneRoot) -> Result<Exit, Ended> {
    let opened = open_unsettled(&flags.root.path, Checked::Hash)?;
    let root = opened.service.root().root();
    let mut findings = documents(&opened);
    // Without a contract nobody knows where the other folders are to lie.
    if let Some(contract) = opened.service.contract() {
        findings.push(recovery(root, &contract.paths));
        if let Some(snapshot) = &opened.refresh.snapshot {
            findings.push(index(root, snapshot));
        }
        findings.extend(folders(root, &contract));
        findings.push(changesets(&opened, &contract.paths));
        findings.push(leftovers(root, &contract.paths));
    }
    let is_due = findings.iter().any(|one| one.what == RECOVERY && one.state == State::Problem);
    let is_broken = findings.iter().any(|one| one.state == State::Problem);
    if flags.json {
        print_json(&structured(&findings))?;
    } else {
        print(&table(&findings))?;
    }
    Ok(match (is_due, is_broken) {
        (true, _) => Exit::Recovery,
        (false, true) => Exit::FINDINGS,
        (false, false) => Exit::Ok,
    })
}

const RECOVERY: &str = "recovery";

/// How the documents are, or each reason why they cannot be loaded.
fn documents(opened: &Opened) -> Vec<Finding> {
    const WHAT: &str = "documents";
    const NEXT: &str = "`readroom docs check` names each with its place and remedy";
    let Some(snapshot) = &opened.refresh.snapshot else {
        return opened.refresh.problems.iter().take(REASONS_SHOWN).map(reason).collect();
    };
    let errors = snapshot.diagnostics().iter().filter(|one| one.severity == Severity::Error).count();
    let found = format!("{} node(s), {errors} error(s)", snapshot.nodes().len());
    vec![if errors > 0 {
        Finding::problem(WHAT, found, NEXT)
    } else if snapshot.nodes().is_empty() {
        let remedy = "see that `include` of [[sources]] matches the files: `readroom docs sources`";
        Finding::note(WHAT, found, remedy)
    } else {
        Finding::fine(WHAT, found)
    }]
}

/// Reasons that are shown.
const REASONS_SHOWN: usize = 10;

fn reason(one: &Diagnostic) -> Finding {
    let remedy = one.fix.clone().unwrap_or_else(|| "correct it, then run `readroom docs check`".to_owned());
    Finding::problem("documents", format!("{}: {}", place(one), one.message), remedy)
}

fn recovery(root: &Root, paths: &Paths) -> Finding {
    match Documents::open(root, paths).and_then(|documents| documents.due()) {
        Ok(Due::No) => Finding::fine(RECOVERY, "no change of documents was interrupted"),
        Ok(Due::Running) => Finding::fine(RECOVERY, "a change of documents is going on in another process"),
        Ok(Due::Yes) => Finding::problem(
            RECOVERY,
            "a change of documents was interrupted",
            "run `readroom docs changeset recover`: it finishes the change or undoes it",
        ),
        Err(fault) => Finding::problem(
            RECOVERY,
            format!("the folder `apply` beside the changesets cannot be read: {fault}"),
            "put a folder in the place of what stands there",
        ),
    }
}

fn index(root: &Root, snapshot: &Snapshot) -> Finding {
    const WHAT: &str = "index";
    let state = index_state(root, snapshot);
    let found = format!("{}: {}", state.as_str(), state.reason());
    match state {
        IndexState::Absent | IndexState::Current(_) => Finding::fine(WHAT, found),
        IndexState::Stale => {
            Finding::note(WHAT, found, "run `readroom docs index`; until then no answer comes from it")
        }
        IndexState::Damaged => {
            Finding::problem(WHAT, found, "run `readroom docs index`: it writes the file anew")
        }
        IndexState::Refused => {
            Finding::problem(WHAT, found, "remove what stands in its place, then run `readroom docs index`")
        }
    }
}

/// The folders that are written to, and the folders of writable sources as far as their includes name them.
fn folders(root: &Root, contract: &Contract) -> Vec<Finding> {
    let paths = &contract.paths;
    let index = paths.index.rsplit_once('/').map_or("", |(folder, _)| folder);
    let own = [
        ("changesets", paths.changesets.as_str()),
        ("previews", paths.previews.as_str()),
        ("index folder", index),
        ("baselines", paths.baselines.as_str()),
    ];
    let mut findings: Vec<Finding> = own.into_iter().map(|(what, path)| folder(root, what, path)).collect();
    let writable = contract.sources.iter().filter(|source| source.write);
    for include in writable.flat_map(|source| &source.include) {
        let named = include.split(['*', '?', '[']).next().unwrap_or_default();
        let path = named.rsplit_once('/').map_or("", |(folder, _)| folder);
        findings.push(folder(root, "source folder", path));
    }
    findings
}

/// One folder that is to be written to; one that is not there is made when it is needed.
fn folder(root: &Root, what: &'static str, path: &str) -> Finding {
    let shown = if path.is_empty() { "the root of the project" } else { path };
    let rel = if path.is_empty() { Ok(RelPath::root()) } else { RelPath::parse(path) };
    let Ok(rel) = rel else {
        return Finding::problem(what, format!("{shown} is no path"), "correct it in the manifest");
    };
    let is_folder = match root.stat(&rel, Links::Refuse) {
        Ok(stat) => stat.kind == Kind::Directory,
        Err(OpenFault::NotFound) => return Finding::fine(what, format!("{shown} is made when it is needed")),
        Err(_) => false,
    };
    if !is_folder {
        return Finding::problem(
            what,
            format!("{shown} is a link, lies behind one, or is no folder"),
            "put a folder in its place, or name another one in [paths] of the manifest",
        );
    }
    match root.may_write(&rel) {
        Ok(true) => Finding::fine(what, format!("{shown} can be written to")),
        _ => Finding::problem(
            what,
            format!("{shown} cannot be written to by this user"),
            "give this user the right to write there",
        ),
    }
}

fn changesets(opened: &Opened, paths: &Paths) -> Finding {
    const WHAT: &str = "proposals";
    let roots = match ConfinedRoots::open(opened.service.root().share(), paths) {
        Ok(roots) => roots,
        Err(fault) => {
            return Finding::problem(WHAT, fault.to_string(), "put a folder in its place, or remove it");
        }
    };
    let store = Store::new(&roots);
    let ids = match store.ids() {
        Ok(ids) => ids,
        Err(fault) => {
            return Finding::problem(WHAT, fault.message, "give this user the right to read the folder");
        }
    };
    let damaged: Vec<&str> = ids
        .iter()
        .filter(|(id, _)| store.read(id).map_or(true, |stored| stored.log.is_damaged))
        .map(|(id, _)| id.as_str())
        .collect();
    if damaged.is_empty() {
        return Finding::fine(WHAT, format!("{} changeset(s), all sound", ids.len()));
    }
    Finding::problem(
        WHAT,
        format!("{} of {} changeset(s) are damaged: {}", damaged.len(), ids.len(), damaged.join(", ")),
        "put their folders back from a copy, or remove them by hand when they are of no use",
    )
}

/// What ended runs left in the making. A run that goes on has such names too, so they are no problem.
fn leftovers(root: &Root, paths: &Paths) -> Finding {
    const WHAT: &str = "leftovers";
    let parent = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let mut folders = vec![
        format!("{}/apply", parent(&paths.changesets)).trim_start_matches('/').to_owned(),
        paths.changesets.clone(),
        paths.previews.clone(),
        parent(&paths.index),
        paths.baselines.clone(),
    ];
    for name in names(root, &paths.changesets).into_iter().filter(|name| name.starts_with("cs-")) {
        folders.push(format!("{}/{name}", paths.changesets));
        folders.push(format!("{}/{name}/ops", paths.changesets));
        folders.push(format!("{}/{name}/base", paths.changesets));
    }
    folders.sort();
    folders.dedup();
    let left: usize = folders
        .iter()
        .map(|folder| names(root, folder).iter().filter(|name| name.starts_with(TEMPORARY_PREFIX)).count())
        .sum();
    if left == 0 {
        return Finding::fine(WHAT, "none");
    }
    Finding::note(
        WHAT,
        format!("{left} file(s) or folder(s) that interrupted writers left in the making"),
        "`readroom docs changeset gc` removes those beside changesets; what is left then, the next `docs index` or \
         preview does not need either, and it may be removed by hand",
    )
}

fn names(root: &Root, folder: &str) -> Vec<String> {
    let rel = if folder.is_empty() { Ok(RelPath::root()) } else { RelPath::parse(folder) };
    let entries = rel.ok().and_then(|rel| root.list(&rel).ok()).unwrap_or_default();
    entries.iter().map(|entry| String::from_utf8_lossy(&entry.name).into_owned()).collect()
}
