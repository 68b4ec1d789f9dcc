//! Under which licences the dependencies may be used. The list is the one of `deny.toml`; it does not know the code.

use crate::workspace::Workspace;

/// Complains about each package that is built here and has no accepted licence, or needs a newer Rust than ours.
pub(crate) fn check(workspace: &Workspace) -> Vec<String> {
    let accepted = accepted(&workspace.text("deny.toml"));
    if accepted.is_empty() {
        return vec!["deny.toml: lists no accepted licence".to_owned()];
    }
    let metadata = match workspace.metadata() {
        Ok(metadata) => metadata,
        Err(said) => return vec![format!("cargo metadata: {said}")],
    };
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut complaints = Vec::new();
    for package in packages {
        let name = format!(
            "{} {}",
            package["name"].as_str().unwrap_or("?"),
            package["version"].as_str().unwrap_or("?")
        );
        match package["license"].as_str() {
            Some(expression) if is_accepted(expression, &accepted) => {}
            Some(expression) => complaints.push(format!("{name}: {expression} is not accepted")),
            None => complaints.push(format!("{name}: names no licence")),
        }
        if let Some(needed) = package["rust_version"].as_str()
            && version(needed) > version("1.95")
        {
            complaints.push(format!("{name}: needs Rust {needed}"));
        }
    }
    if packages.is_empty() {
        complaints.push("cargo metadata: lists no package".to_owned());
    }
    complaints
}

/// The `allow` list of a `deny.toml`.
fn accepted(deny: &str) -> Vec<String> {
    let list = deny.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']')).map(|(list, _)| list);
    let entries = list.unwrap_or_default().lines().filter(|line| !line.trim_start().starts_with('#'));
    entries.flat_map(|line| line.split('"').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// Whether an SPDX expression can be satisfied with the accepted licences. `/` is the old spelling of `OR`.
fn is_accepted(expression: &str, accepted: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let holds = either(&words, &mut at, accepted);
    holds && at == words.len()
}

fn either(words: &[&str], at: &mut usize, accepted: &[String]) -> bool {
    let mut holds = all(words, at, accepted);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        holds |= all(words, at, accepted);
    }
    holds
}

fn all(words: &[&str], at: &mut usize, accepted: &[String]) -> bool {
    let mut holds = one(words, at, accepted);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        holds &= one(words, at, accepted);
    }
    holds
}

fn one(words: &[&str], at: &mut usize, accepted: &[String]) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let holds = either(words, at, accepted);
        *at += 1;
        return holds && words.get(*at - 1) == Some(&")");
    }
    let mut licence = (*word).to_owned();
    if words.get(*at) == Some(&"WITH") {
        licence = format!("{licence} WITH {}", words.get(*at + 1).copied().unwrap_or_default());
        *at += 2;
    }
    accepted.contains(&licence)
}

fn version(text: &str) -> (u64, u64, u64) {
    let mut parts = text.split('.').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    (next(), next(), next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> Vec<String> {
        accepted(
            "[licenses]\nallow = [\n  # why\n  \"MIT\",\n  \"Apache-2.0\", \"Unicode-3.0\",\n  \"Apache-2.0 WITH LLVM-exception\",\n]\n",
        )
    }

    #[test]
    fn the_list_is_read_from_deny_toml() {
        assert_eq!(list(), ["MIT", "Apache-2.0", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"]);
        assert!(accepted("[licenses]\n").is_empty());
    }

    #[test]
    fn an_expression_holds_when_the_list_can_satisfy_it() {
        for expression in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(is_accepted(expression, &list()), "{expression}");
        }
        for expression in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR GPL-3.0) AND GPL-2.0",
            "MIT WITH something",
            "",
            "(MIT",
            "MIT MIT",
        ] {
            assert!(!is_accepted(expression, &list()), "{expression}");
        }
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(version("1.100") > version("1.95") && version("1.95") >= version("1.95.0"));
    }
}
