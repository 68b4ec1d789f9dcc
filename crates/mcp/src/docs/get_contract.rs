//! `docforge_get_contract` on the wire: what the manifest declares, and the front matter of a new node.

use ::docs::near;
use fault::DocsCode;
use serde_json::{Map, Value, json};

use super::call::Call;
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault};
use super::schema::{About, READING, choice, map, text, text_argument, texts, tool as make};
use super::shape::{mark_hidden, one, put_doc};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_get_contract";

const SECTIONS: [&str; 9] =
    ["all", "types", "relations", "rules", "views", "writers", "sources", "checks", "ids"];

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        choice("section", &SECTIONS, "Part of the contract. Default all."),
        text_argument("type", 64, "One type: its definition and a skeleton of a new node."),
    ]
}

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "Get the contract",
            description: "The rules that documents are held against: types with fields, relations, sources, rules, views, \
                          writers, checks and ids, in the order of the manifest. With `type`, only that type and \
                          `doc.skeleton`: front matter for a new node with required fields, choices and relations. \
                          Read it before proposing anything.",
            hints: READING,
        },
        properties(),
        &[],
        closed_object(
            vec![("contract", map()), ("type", text()), ("doc", map()), ("hidden", texts())],
            &["contract"],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    let arguments = call.arguments(&properties())?;
    let section = arguments.choice("section", &SECTIONS.map(|word| (word, word)))?;
    let type_name = arguments.filled_text("type")?;
    if type_name.is_some() && !matches!(section, None | Some("all" | "types")) {
        let text = "'type' goes with section 'types' or without 'section'.";
        return Err(DocFault::new(DocsCode::InvalidArguments, text).into());
    }
    let snapshot = call.snapshot()?;
    let contract = snapshot.contract();
    let mut whole = contract.to_json();
    mark_hidden(&mut whole);
    let Some(name) = type_name else {
        let shown = match section {
            None | Some("all") => whole,
            Some(section) => json!({ section: whole[section] }),
        };
        return Ok(Answer::of(json!({ "contract": shown })));
    };
    let Some(skeleton) = contract.skeleton(&name) else {
        let known = contract.types.iter().map(|one| one.name.as_str());
        return Err(DocFault::of(DocsCode::TypeUnknown).with("near", near(&name, known, 3)).into());
    };
    let types = json!({ "types": { name.as_str(): whole["types"][&name] } });
    let mut out = Map::new();
    out.insert("contract".to_owned(), types);
    out.insert("type".to_owned(), name.into());
    put_doc(&mut out, one("skeleton", skeleton));
    Ok(Answer::of(Value::Object(out)))
}
