//! The page of limits, read from the files in which each number of a contract stands once.

use std::fmt::Write as _;

use super::cell;
use crate::workspace::Workspace;

const SOURCES: &[(&str, &str)] =
    &[("project", "crates/project/src/limits.rs"), ("evidence", "crates/evidence/src/limits.rs")];

/// Every limit of the servers with what it counts.
pub(super) fn page(workspace: &Workspace) -> String {
    let mut out = String::from(
        "# Limits\n\nCharacters are Unicode scalar values. A value at a limit is accepted, one beyond it is not.\n",
    );
    for (server, source) in SOURCES {
        write!(out, "\n## The {server} server\n\n| what | limit | name in the code |\n|---|---:|---|\n").ok();
        for (meaning, value, name) in entries(&workspace.text(source)) {
            writeln!(out, "| {} | {} | `{name}` |", cell(&meaning), grouped(value)).ok();
        }
    }
    out
}

/// Each documented constant: meaning, value and name, in the order of the file.
fn entries(source: &str) -> Vec<(String, u64, String)> {
    let mut found = Vec::new();
    let mut meaning = String::new();
    for line in source.lines() {
        if let Some(text) = line.trim().strip_prefix("/// ") {
            meaning = if meaning.is_empty() { text.to_owned() } else { format!("{meaning} {text}") };
        } else if let Some((name, rest)) =
            line.strip_prefix("pub const ").and_then(|rest| rest.split_once(": "))
            && let Some((_, expression)) = rest.split_once(" = ")
            && let Some(value) = product(expression.trim_end_matches(';'))
        {
            found.push((
                std::mem::take(&mut meaning).trim_end_matches('.').to_owned(),
                value,
                name.to_owned(),
            ));
        } else {
            meaning.clear();
        }
    }
    found
}

/// The value of an integer, or of a product of integers.
fn product(expression: &str) -> Option<u64> {
    expression.split('*').map(|factor| factor.trim().replace('_', "").parse::<u64>().ok()).product()
}

fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
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
    use super::*;

    #[test]
    fn constants_are_read_with_their_meaning_and_value() {
        let source = "//! Head.\n\n/// Bytes of one thing;\n/// no more.\npub const A_MAX: u64 = 16 * 1024 * 1024;\n/// Lines.\n\
                      pub const B: usize = 2_000;\n/// Not a number.\npub const C: &str = \"x\";\n";
        let expected = [("Bytes of one thing; no more", 16_777_216, "A_MAX"), ("Lines", 2_000, "B")];
        let read = entries(source);
        assert_eq!(read.len(), 2, "{read:?}");
        for ((meaning, value, name), expected) in read.iter().zip(expected) {
            assert_eq!((meaning.as_str(), *value, name.as_str()), expected);
        }
    }

    #[test]
    fn no_limit_of_a_server_is_left_out() {
        for (_, source) in SOURCES {
            let source = Workspace::here().text(source);
            let constants = source.lines().filter(|line| line.starts_with("pub const ")).count();
            assert_eq!(entries(&source).len(), constants);
        }
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!(["7", "999", "1,000", "16,777,216"], [7, 999, 1_000, 16_777_216].map(grouped));
    }
}
