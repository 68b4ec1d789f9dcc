//! `readroom docs status`: how the documents, the index file and the changesets stand, in a few lines. It judges no finding.

use std::sync::Arc;

use docs::{Checked, IndexState, Severity, index_state};
use propose::{ChangesetState, ConfinedRoots, Desk, ListRequest, WriterRules, list};
use serde_json::{Value, json};

use super::json::{ask, exit_of, say};
use super::project::{open, print, shown};
use crate::exit::{Ended, Exit};
use crate::flags::docs::OneRoot;

pub(super) fn run(flags: &OneRoot) -> Result<Exit, Ended> {
    let opened = open(&flags.root.path, Checked::Hash)?;
    let snapshot = opened.snapshot()?;
    let index = index_state(opened.service.root().root(), snapshot);
    let count =
        |severity: Severity| snapshot.diagnostics().iter().filter(|one| one.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warn));
    let suspect = snapshot.nodes().iter().filter(|node| node.state.suspect).count();
    let is_stale = matches!(index, IndexState::Stale | IndexState::Damaged | IndexState::Refused);
    let exit = if errors > 0 || is_stale { Exit::FINDINGS } else { Exit::Ok };
    if flags.json {
        let service = Arc::new(opened.service);
        let mut answer = ask(&service, "docforge_project_info", &json!({}))?;
        let changesets = ask(&service, "docforge_list_changesets", &json!({ "state": "open" }))?;
        if answer["ok"] == true {
            let open = changesets.pointer("/result/changesets").cloned().unwrap_or(Value::Null);
            answer["result"]["changesets"] = open;
            answer["result"]["index"] = json!({ "state": index.as_str() });
        }
        say(&answer)?;
        return Ok(if answer["ok"] == true { exit } else { exit_of(&answer) });
    }
    let contract = snapshot.contract();
    let mut out = format!("{}  {}\n", contract.project.id, shown(&contract.project.title));
    let files = snapshot.files().iter().filter(|file| file.source.is_some()).count();
    out.push_str(&format!("documents  {} node(s) in {files} file(s)", snapshot.nodes().len()));
    out.push_str(&format!(", {errors} error(s), {warnings} warning(s), {suspect} suspect\n"));
    out.push_str(&format!("sources    {}, {}\n", opened.refresh.freshness.as_str(), snapshot.source_hash()));
    out.push_str(&format!("revision   {}\n", snapshot.revision()));
    out.push_str(&format!("index      {}: {}\n", index.as_str(), index.reason()));
    let roots = ConfinedRoots::open(opened.service.root().share(), &contract.paths);
    let listed = roots.map_err(|fault| fault.to_string()).and_then(|roots| {
        let desk = Desk {
            service: &opened.service,
            snapshot,
            roots: &roots,
            writer: None,
            policy: &WriterRules,
            validators: &[],
            render: None,
            now: std::time::SystemTime::now(),
        };
        let request = ListRequest { state: Some(ChangesetState::Open), ..ListRequest::default() };
        list(&desk, &request).map_err(|fault| fault.to_string())
    });
    match listed {
        Ok(open) => {
            out.push_str(&format!("changesets {} open\n", open.len()));
            for one in open {
                let title = shown(&one.title);
                out.push_str(&format!(
                    "    {}  base {}  by {}  \"{title}\"\n",
                    one.id,
                    one.base.as_str(),
                    one.writer
                ));
            }
        }
        Err(why) => out.push_str(&format!("changesets cannot be read: {}\n", shown(&why))),
    }
    print(&out)?;
    Ok(exit)
}
