//! `docforge_project_info` on the wire: what there is, what may be done, and how the index file stands.

use ::docs::{Checked, IndexState, limits};
use serde_json::{Map, Value, json};

use super::call::Call;
use super::envelope::Answer;
use super::fault::{DocEnd, Warning};
use super::schema::{About, READING, map, maps, text, texts, tool as make};
use super::shape;
use super::tools::{PROPOSE, READ};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_project_info";

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "Project overview",
            description: "What the project holds and what may be done with it: counts by type and relation, findings by severity, \
                          types, relations, views, writers, sources, whether proposals are taken and by which writer, state \
                          of the index file, limits, tools. Answers on a project that cannot be loaded, too, and says why.",
            hints: READING,
        },
        Vec::new(),
        &[],
        closed_object(
            vec![
                ("counts", map()),
                ("diagnostics", map()),
                ("problems", maps()),
                ("types", texts()),
                ("relations", texts()),
                ("views", maps()),
                ("writers", maps()),
                ("proposal_access", map()),
                ("sources", maps()),
                ("index", map()),
                ("visualize", map()),
                ("limits", map()),
                ("tools", texts()),
                ("language", text()),
            ],
            &["diagnostics", "proposal_access", "visualize", "limits", "tools"],
        ),
    )
}

/// Bytes that the reasons against loading may take.
const PROBLEMS_BYTES: usize = 12 * 1024;

const INDEX_STALE: Warning = Warning {
    code: "index_stale",
    message: "The index file was made of another state of the project and was not used; `readroom docs index` writes it anew.",
};
const INDEX_DAMAGED: Warning = Warning {
    code: "index_damaged",
    message: "The index file is not what it claims to be and was not used; `readroom docs index` writes it anew.",
};

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    call.arguments(&[])?;
    let refresh = call.look(Checked::Stat)?;
    let mut answer = Answer::default();
    let mut out = Map::new();
    if let Some(snapshot) = &refresh.snapshot {
        let counts = snapshot.counts();
        let by = |list: Vec<(String, usize)>| {
            Value::Object(list.into_iter().map(|(name, count)| (name, Value::from(count))).collect())
        };
        out.insert(
            "counts".to_owned(),
            json!({
                "nodes": counts.nodes,
                "edges": counts.edges,
                "mentions": counts.mentions,
                "files": counts.files,
                "by_type": by(counts.by_type),
                "by_relation": by(counts.by_relation),
            }),
        );
    }
    let found = refresh.problems.iter();
    let found = found.chain(refresh.snapshot.iter().flat_map(|snapshot| snapshot.diagnostics()));
    out.insert("diagnostics".to_owned(), shape::severities(found));
    if !refresh.problems.is_empty() {
        let (shown, all) = call.capped(&refresh.problems, PROBLEMS_BYTES, shape::diagnostic);
        if shown.len() < all {
            answer.warnings.push(MORE_PROBLEMS);
        }
        out.insert("problems".to_owned(), shown.into());
    }
    let contract = refresh
        .snapshot
        .as_ref()
        .map(|snapshot| snapshot.contract().clone())
        .or_else(|| call.host.contract());
    if let Some(contract) = &contract {
        let names = |list: Vec<&str>| Value::from(list);
        out.insert("types".to_owned(), names(contract.types.iter().map(|one| one.name.as_str()).collect()));
        let relations = contract.relations.iter().map(|one| one.name.as_str());
        out.insert("relations".to_owned(), names(relations.collect()));
        let views = contract
            .views
            .iter()
            .map(|view| json!({ "id": view.name, "renderer": view.renderer, "output": view.output }));
        out.insert("views".to_owned(), views.collect());
        let writers = contract.writers.iter().map(|writer| {
            let operations: Vec<&str> = writer.operations.iter().map(|one| one.as_str()).collect();
            json!({ "id": writer.name, "operations": operations })
        });
        out.insert("writers".to_owned(), writers.collect());
        let sources = contract.sources.iter().map(|source| {
            let files = refresh.snapshot.iter().flat_map(|snapshot| snapshot.files());
            let files = files.filter(|file| file.source.as_ref() == Some(&source.id)).count();
            json!({ "id": source.id, "adapter": source.adapter, "files": files, "writable": source.write })
        });
        out.insert("sources".to_owned(), sources.collect());
        out.insert("limits".to_owned(), limits_json(contract.limits_json()));
        if let Some(language) = &contract.project.language {
            out.insert("language".to_owned(), language.as_str().into());
        }
    } else {
        out.insert("limits".to_owned(), limits_json(json!({})));
    }
    if let Some(state) = refresh.snapshot.as_ref().and_then(|_| call.host.service.index()) {
        match state {
            IndexState::Stale => answer.warnings.push(INDEX_STALE),
            IndexState::Damaged | IndexState::Refused => answer.warnings.push(INDEX_DAMAGED),
            IndexState::Absent | IndexState::Current(_) => {}
        }
        let origin = if matches!(state, IndexState::Current(_)) { "disk" } else { "memory" };
        out.insert("index".to_owned(), json!({ "origin": origin, "state": state.as_str() }));
    }
    let writer = call.host.proposals.as_ref().and_then(|one| one.writer.as_ref());
    let writer = writer.map(|writer| writer.def().name.as_str());
    out.insert("proposal_access".to_owned(), json!({ "enabled": writer.is_some(), "writer": writer }));
    let browser = call.host.browser.as_ref();
    out.insert(
        "visualize".to_owned(),
        json!({ "enabled": browser.is_some(), "running": browser.is_some_and(::browser::Browser::is_running) }),
    );
    let proposing = if call.host.proposals.is_some() { PROPOSE } else { &[] };
    let tools: Vec<&str> = READ.iter().chain(proposing).map(|one| one.name).collect();
    out.insert("tools".to_owned(), tools.into());
    answer.result = out;
    Ok(answer)
}

const MORE_PROBLEMS: Warning = Warning {
    code: "more_diagnostics",
    message: "Not every reason is shown; docforge_validate_project lists them in pages.",
};

/// The ceilings of the project, and of every call.
fn limits_json(mut project: Value) -> Value {
    for (key, number) in [
        ("call_seconds", usize::try_from(limits::CALL_SECONDS_MAX).unwrap_or(usize::MAX)),
        ("calls_waiting", limits::CALLS_WAITING_MAX),
        ("request_bytes", limits::LINE_BYTES_MAX),
        ("answer_chars", limits::ANSWER_CHARS_MAX),
        ("filter_chars", limits::FILTER_CHARS_MAX),
        ("query_chars", limits::QUERY_CHARS_MAX),
        ("page_bytes", limits::PAGE_BYTES_MAX),
    ] {
        project[key] = number.into();
    }
    project
}
