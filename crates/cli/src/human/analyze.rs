//! `readroom analyze`: the metrics as a table, or as the object that the tool returns.

use fault::one_line;
use project::answer::Analysis;
use project::request::AnalyzeRequest;
use serde_json::{Value, json};

use super::tree::opening;
use super::{open, print, print_json, warn, warnings};
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};
use crate::flags::AnalyzeFlags;

pub(crate) fn run(flags: &AnalyzeFlags) -> Result<Exit, Ended> {
    let (session, target) = open(&opening(flags.dir.as_deref(), &flags.selection))?;
    let request = AnalyzeRequest {
        target,
        narrowing: flags.selection.narrowing(&flags.content.paths),
        profile: flags.content.profile.clone(),
        detail: flags.content.detail.into(),
        top_files: flags.top_files as usize,
    };
    let outcome = session.analyze(&request, &CtrlC::watch())?;
    if flags.json {
        print_json(&structured(&outcome.value, warnings(&outcome.notices)))?;
        return Ok(Exit::Ok);
    }
    print(&table(&outcome.value))?;
    warn(&outcome.notices);
    Ok(Exit::Ok)
}

fn structured(analysis: &Analysis, warnings: Value) -> Value {
    let top_files: Vec<Value> = analysis
        .top_files
        .iter()
        .map(|file| {
            let mut entry = json!({ "path": file.path, "tokens": file.tokens });
            if file.uninspected {
                entry["uninspected"] = Value::Bool(true);
            }
            entry
        })
        .collect();
    json!({
        "files": analysis.files,
        "characters": analysis.characters,
        "tokens": analysis.tokens,
        "detail": analysis.detail.as_str(),
        "topFiles": top_files,
        "warnings": warnings,
    })
}

fn table(analysis: &Analysis) -> String {
    let mut out = String::new();
    let totals = [
        ("Files", analysis.files),
        ("Characters", analysis.characters),
        ("Tokens (estimated)", analysis.tokens),
    ];
    let width = totals.iter().map(|(_, number)| grouped(*number).len()).max().unwrap_or(0);
    for (name, number) in totals {
        out.push_str(&format!("{name:<20}{:>width$}\n", grouped(number)));
    }
    out.push_str(&format!("{:<20}{}\n", "Detail", analysis.detail.as_str()));
    if analysis.top_files.is_empty() {
        return out;
    }
    out.push_str("\nLargest files by tokens\n");
    let width = analysis.top_files.iter().map(|file| grouped(file.tokens).len()).max().unwrap_or(0);
    for file in &analysis.top_files {
        out.push_str(&format!("{:>width$}  ", grouped(file.tokens)));
        one_line(&file.path, &mut out);
        out.push_str(if file.uninspected { "  (not inspected, estimated from its size)\n" } else { "\n" });
    }
    out
}

/// A number with its thousands set apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 12, 999, 1_000, 1_234_567].map(grouped), ["0", "12", "999", "1,000", "1,234,567"]);
    }
}
