//! `readroom docs contract` and `adapters`: what the manifest says, and which formats can be read. It judges neither.

use docs::{Checked, Contract};
use fault::one_line;
use serde_json::json;

use super::json::tell;
use super::project::{open, print};
use crate::exit::{Ended, Exit};
use crate::flags::docs::ContractFlags;

pub(super) fn run(flags: &ContractFlags) -> Result<Exit, Ended> {
    if flags.read.json {
        return Ok(tell(&flags.read.root.path, "docforge_get_contract", &json!({}))?.1);
    }
    let opened = open(&flags.read.root.path, Checked::Stat)?;
    let snapshot = opened.snapshot()?;
    let contract: &Contract = snapshot.contract();
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
pub(super) fn adapters() -> Result<Exit, Ended> {
    let mut lines = String::new();
    for (name, can_write) in docs::ADAPTERS {
        lines.push_str(&format!("{name}  {}\n", if *can_write { "reads and writes" } else { "reads" }));
    }
    print(&lines)?;
    Ok(Exit::Ok)
}
