//! `docforge_visualize` on the wire: the address of a page that shows the graph (contract "Visualization boundary").

use std::sync::Arc;

use ::browser::{Focus, ServiceOrigin};
use ::docs::{IndexState, limits::QUERY_CHARS_MAX};
use fault::DocsCode;
use serde_json::{Value, json};

use super::call::{Call, node, optional_id};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault};
use super::schema::{About, READING, choice, count, flag, text, text_argument, tool as make};
use super::search::read_query;
use crate::args::{ArgTrouble, Arguments};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_visualize";

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        text_argument("node", 200, "Show this node and what is around it."),
        text_argument("query", QUERY_CHARS_MAX, "Show what these words find, as docforge_search does."),
        choice("mode", &["overview"], "Show the whole project. Default without node and query."),
    ]
}

pub(super) fn tool() -> Tool {
    let snapshot = closed_object(
        vec![
            ("snapshot_id", text()),
            ("index_origin", text()),
            ("index_sha256", text()),
            ("nodes", count()),
            ("edges", count()),
        ],
        &["snapshot_id", "index_origin", "nodes", "edges"],
    );
    make(
        About {
            name: NAME,
            title: "Show the graph",
            description: "Opens a read-only page of the document graph on 127.0.0.1 and gives its address, for the person to open \
                          in a browser. The address holds a token: give it to nobody else. The page shows exactly the state \
                          of this call; call again after changes.",
            hints: READING,
        },
        properties(),
        &[],
        closed_object(
            vec![
                ("url", text()),
                ("expires_idle_minutes", count()),
                ("snapshot", Value::Object(snapshot)),
                ("reused", flag()),
            ],
            &["url", "expires_idle_minutes", "snapshot", "reused"],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let wanted = optional_id(&arguments, "node")?;
    let query = arguments.text("query")?;
    let mode = arguments.choice("mode", &[("overview", ())])?;
    if usize::from(wanted.is_some()) + usize::from(query.is_some()) + usize::from(mode.is_some()) > 1 {
        return Err(DocFault::of(DocsCode::VisualizeConflict).into());
    }
    if let Some(query) = &query {
        Arguments::at_most("query", query, QUERY_CHARS_MAX, ArgTrouble::Pattern)?;
        read_query(query)?;
    }
    let Some(browser) = &call.host.browser else {
        return Err(DocFault::of(DocsCode::VisualizeDisabled).into());
    };
    let refresh = call.look(::docs::Checked::Stat)?;
    let snapshot = refresh.snapshot.ok_or_else(|| DocFault::of(DocsCode::VisualizeNoSnapshot))?;
    let focus = match (wanted, query) {
        (Some(id), _) => Focus::Node(snapshot.node(node(&snapshot, &id)?.0).id.clone()),
        (None, Some(query)) => Focus::Query(query),
        (None, None) => Focus::Overview,
    };
    let service = Arc::clone(&call.host.service);
    let index = match service.index() {
        Some(IndexState::Current(hash)) => Some(hash),
        _ => None,
    };
    let origin = match index {
        Some(hash) => ServiceOrigin::with_index(service, hash),
        None => ServiceOrigin::new(service),
    };
    let view = browser.open(&snapshot, &focus, Box::new(origin)).map_err(|fault| {
        let code = DocsCode::VisualizeBindFailed;
        DocFault::new(code, format!("{fault}. {}", code.remedy()))
    })?;
    let edges = snapshot.edges().iter().filter(|edge| edge.kind == ::docs::EdgeKind::Relation).count();
    let mut shown = json!({
        "snapshot_id": snapshot.snapshot_id(),
        "index_origin": if index.is_some() { "disk" } else { "memory" },
        "nodes": snapshot.nodes().len(),
        "edges": edges,
    });
    if let Some(hash) = index {
        shown["index_sha256"] = hash.to_string().into();
    }
    Ok(Answer::of(json!({
        "url": view.url,
        "expires_idle_minutes": view.expires_idle_minutes,
        "snapshot": shown,
        "reused": view.reused,
    })))
}
