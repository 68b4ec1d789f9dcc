//! `docforge_get_context` on the wire: a node and what matters around it, within a budget of tokens.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ::docs::limits::{ANSWER_CHARS_MAX, QUERY_CHARS_MAX};
use ::docs::{
    BUDGET, BUDGET_MAX, BUDGET_MIN, BudgetTooSmall, Context, ContextRequest, ESTIMATOR, Snapshot,
    SnapshotView, Step,
};
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::{Call, id_argument, names, node, number, relations};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault, Warning};
use super::page::Ceiling;
use super::schema::{
    About, READING, count, edge, id, integer, list, map, node as node_schema, relations as relations_schema,
    text, text_argument, tool as make,
};
use super::search::read_query;
use super::shape::{edge_ref, node_ref_with};
use crate::args::{ArgTrouble, Arguments};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_get_context";

const DEPTH_MAX: usize = 4;
const DEPTH: usize = 3;
/// Edges among the nodes that are shown.
const EDGES_SHOWN: usize = 100;
/// Characters that are kept free around the result.
const AROUND_CHARS: usize = 2_500;
/// Tokens by which a budget is lowered when its answer would be too long.
const STEP_DOWN: usize = 500;

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        id(),
        integer("budget_tokens", (BUDGET_MIN, BUDGET_MAX), BUDGET, "Estimated tokens."),
        text_argument(
            "query",
            QUERY_CHARS_MAX,
            "Words that bring their nodes nearer, as in docforge_search.",
        ),
        relations_schema(),
        integer("depth", (1, DEPTH_MAX), DEPTH, "Most steps from the node."),
    ]
}

pub(super) fn tool() -> Tool {
    let step = closed_object(
        vec![("relation", text()), ("direction", text()), ("id", text())],
        &["relation", "direction", "id"],
    );
    let item = node_schema(
        vec![
            ("form", text()),
            ("tokens", count()),
            ("score", json!({"type": "number"})),
            ("via", list(step)),
        ],
        &[],
    );
    make(
        About {
            name: NAME,
            title: "Get a node in context",
            description: "A node and what matters around it within a token budget, in one answer: the node in full (F0), what the \
                          contract wants beside it as a summary (F1), then neighbours by nearness as cards (F2), and more of \
                          each while it fits. `omitted` says what was left out. Better than many docforge_get_node calls.",
            hints: READING,
        },
        properties(),
        &["id"],
        closed_object(
            vec![
                ("items", list(item)),
                ("edges_between", list(edge(false))),
                ("edges_total", count()),
                ("omitted", map()),
                ("tokens_used", count()),
                ("budget_tokens", count()),
                ("policy", text()),
                ("estimator", text()),
            ],
            &["items", "edges_between", "omitted", "tokens_used", "policy", "estimator"],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let id = id_argument(&arguments, "id")?;
    let budget = number(&arguments, "budget_tokens", (BUDGET_MIN, BUDGET_MAX), BUDGET)?;
    let query = arguments.filled_text("query")?;
    if let Some(query) = &query {
        Arguments::at_most("query", query, QUERY_CHARS_MAX, ArgTrouble::Pattern)?;
    }
    let query = query.map(|text| read_query(&text)).transpose()?;
    let wanted = names(&arguments, "relations")?;
    let depth = number(&arguments, "depth", (1, DEPTH_MAX), DEPTH)?;
    let snapshot = call.snapshot()?;
    let (start, _) = node(&snapshot, &id)?;
    let wanted = relations(&snapshot, &wanted)?;
    let mut request = ContextRequest {
        start,
        budget_tokens: budget,
        query: query.as_ref(),
        relations: wanted.as_deref(),
        depth,
    };
    let mut answer = Answer::default();
    loop {
        let result = result(&snapshot, &context(call, &snapshot, &request)?, request.budget_tokens);
        let chars = Value::Object(result.clone()).to_string().chars().count();
        if call.ceiling == Ceiling::None || chars + AROUND_CHARS <= ANSWER_CHARS_MAX {
            answer.result = result;
            return Ok(answer);
        }
        // Tokens are an estimate of what a model reads; ids, hashes and ways around the texts count for the answer.
        if request.budget_tokens <= BUDGET_MIN {
            return Err(DocFault::of(DocsCode::ResponseTooLarge).into());
        }
        request.budget_tokens = request.budget_tokens.saturating_sub(STEP_DOWN).max(BUDGET_MIN);
        if answer.warnings.is_empty() {
            answer.warnings.push(LOWERED);
        }
    }
}

const LOWERED: Warning = Warning {
    code: "budget_lowered",
    message: "The answer for the whole budget would be longer than any answer may be; `budget_tokens` says what was used.",
};

/// What is shown: by the provider of an integration, or by our own policy.
fn context(call: &Call<'_>, snapshot: &Snapshot, request: &ContextRequest<'_>) -> Result<Context, DocEnd> {
    let made = match &call.host.provider {
        None => snapshot.context(request),
        Some(provider) => {
            // A provider is foreign code: whatever happens in it costs this call alone.
            let planned = catch_unwind(AssertUnwindSafe(|| {
                Ok::<_, ::docs::ContextError>((
                    provider.id(),
                    provider.plan(request, &SnapshotView::new(snapshot))?,
                ))
            }));
            let Ok(Ok((id, plan))) = planned else {
                return Err(DocFault::of(DocsCode::ContextProviderFailed).into());
            };
            snapshot.planned_context(request, &id, &plan)
        }
    };
    made.map_err(|fault: BudgetTooSmall| {
        let code = DocsCode::BudgetTooSmall;
        DocFault::new(code, format!("{} {}", code.meaning(), code.remedy()))
            .with("needed_tokens", fault.needed)
            .into()
    })
}

fn result(snapshot: &Snapshot, context: &Context, budget: usize) -> Map<String, Value> {
    let name = |at: u32| snapshot.contract().relations[at as usize].name.as_str();
    let step = |step: &Step| {
        let direction = if step.is_out { "out" } else { "in" };
        json!({ "relation": name(step.relation), "direction": direction, "id": snapshot.node(step.node).id })
    };
    let items = context.items.iter().map(|item| {
        let mut out = node_ref_with(snapshot.node(item.node), item.doc.clone());
        if !out.contains_key("doc") {
            out.insert("doc".to_owned(), json!({}));
        }
        out.insert("form".to_owned(), item.form.as_str().into());
        out.insert("tokens".to_owned(), item.tokens.into());
        out.insert("score".to_owned(), json!(item.score));
        out.insert("via".to_owned(), item.via.iter().map(step).collect());
        Value::Object(out)
    });
    let edges = context.edges_between.iter().take(EDGES_SHOWN);
    let edges = edges.map(|at| Value::Object(edge_ref(snapshot, &snapshot.edges()[*at])));
    let top = context
        .omitted
        .top
        .iter()
        .map(|(node, score)| json!({ "id": snapshot.node(*node).id, "score": score }));
    let mut out = Map::new();
    out.insert("items".to_owned(), items.collect());
    out.insert("edges_between".to_owned(), edges.collect());
    out.insert("edges_total".to_owned(), context.edges_between.len().into());
    let top: Vec<Value> = top.collect();
    out.insert(
        "omitted".to_owned(),
        json!({ "count": context.omitted.count, "tokens": context.omitted.tokens, "top": top }),
    );
    out.insert("tokens_used".to_owned(), context.tokens_used.into());
    out.insert("budget_tokens".to_owned(), budget.into());
    out.insert("policy".to_owned(), context.policy.as_str().into());
    out.insert("estimator".to_owned(), ESTIMATOR.into());
    out
}
