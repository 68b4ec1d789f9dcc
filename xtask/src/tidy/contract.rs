//! Each limit and each code of the project server's contract has a test that bears its name. It reads names, not what a
//! test proves.

use crate::workspace::Workspace;

const LIMITS: &str = "crates/project/src/limits.rs";
const CODES: &str = "crates/fault/src/code.rs";

/// Complains about every limit and code without such a test. What concerns remote sources and Git states is tried
/// where those are.
pub(crate) fn check(workspace: &Workspace) -> Vec<String> {
    let sources: Vec<String> = workspace.sources().iter().map(|file| workspace.text(file)).collect();
    let tests: Vec<&str> = sources.iter().flat_map(|text| test_names(text)).collect();
    let names = limits(&workspace.text(LIMITS)).into_iter().chain(codes(&workspace.text(CODES)));
    missing(names, &tests)
}

fn missing(names: impl Iterator<Item = String>, tests: &[&str]) -> Vec<String> {
    names
        .filter(|name| !tests.iter().any(|test| test.contains(name.as_str())))
        .map(|name| format!("no test has `{name}` in its name"))
        .collect()
}

fn limits(text: &str) -> Vec<String> {
    let names = text.lines().filter_map(|line| line.strip_prefix("pub const ")?.split_once(':'));
    names.map(|(name, _)| name.to_lowercase()).filter(|name| !name.starts_with("remotes_")).collect()
}

fn codes(text: &str) -> Vec<String> {
    let wire = text.split('"').filter_map(|piece| piece.strip_prefix("DPX-"));
    wire.filter(|code| !code.starts_with("GIT-") && !code.starts_with("MCP-REMOTE-"))
        .map(|code| code.strip_prefix("MCP-").unwrap_or(code).replace('-', "_").to_lowercase())
        .collect()
}

/// The names of functions that stand right below a test attribute.
fn test_names(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.clone().zip(lines.skip(1)).filter_map(|(above, line)| {
        let is_test = above == "#[test]" || above.starts_with("#[tokio::test");
        let rest = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")?;
        is_test.then(|| rest.split('(').next().unwrap_or(rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_a_test_is_told_and_a_plain_function_is_none() {
        let text = "#[test]\nfn paths_max_is_256() {}\n\nfn globs_max_is_256() {}\n#[tokio::test]\nasync fn pack_expired() {}";
        let tests: Vec<&str> = test_names(text).collect();
        assert_eq!(tests, ["paths_max_is_256", "pack_expired"]);
        let named = limits(
            "pub const PATHS_MAX: usize = 1;\npub const GLOBS_MAX: u8 = 2;\npub const REMOTES_MAX: u8 = 3;",
        );
        let coded = codes(
            "\"DPX-MCP-PACK-EXPIRED\", \"DPX-MCP-REMOTE-LIMIT\", \"DPX-GIT-STATE-DELETED\", \"DPX-X-Y\"",
        );
        assert_eq!(
            missing(named.into_iter().chain(coded), &tests),
            ["no test has `globs_max` in its name", "no test has `x_y` in its name"]
        );
    }
}
