//! What every manifest of this workspace says alike. It does not know the floors.

use crate::workspace::Workspace;

/// Lines that each package's manifest has.
const INHERITED: &[&str] = &[
    "version.workspace = true",
    "edition.workspace = true",
    "rust-version.workspace = true",
    "license.workspace = true",
    "publish.workspace = true",
];

/// Complains about a manifest that goes its own way.
pub(crate) fn check(workspace: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    let root = workspace.text("Cargo.toml");
    for line in [
        "rust-version = \"1.95\"",
        "license = \"MIT OR Apache-2.0\"",
        "publish = false",
        "unsafe_code = \"forbid\"",
    ] {
        if !root.lines().any(|known| known == line) {
            complaints.push(format!("Cargo.toml: says no {line}"));
        }
    }
    complaints.extend(unexplained(&root));
    for package in workspace.packages() {
        let manifest = workspace.text(&format!("{package}/Cargo.toml"));
        let name = package.rsplit('/').next().unwrap_or_default();
        let mut wanted: Vec<String> = INHERITED.iter().map(|line| (*line).to_owned()).collect();
        wanted.push(format!("name = \"{name}\""));
        for line in wanted {
            if !manifest.lines().any(|known| known == line) {
                complaints.push(format!("{package}/Cargo.toml: says no {line}"));
            }
        }
        if !manifest.lines().any(|line| line.starts_with("description = ")) {
            complaints.push(format!("{package}/Cargo.toml: has no description"));
        }
        if !manifest.contains("[lints]\nworkspace = true\n") {
            complaints.push(format!("{package}/Cargo.toml: does not take the workspace's lints"));
        }
        for line in manifest.lines().map(str::trim) {
            // One version a workspace: a package may add features, never a version or a path of its own.
            let own_version =
                line.contains("version = \"") && !line.starts_with("rust-version") && line.contains('{');
            if own_version || line.contains("path = \"../") || line.contains("git = \"") {
                complaints
                    .push(format!("{package}/Cargo.toml: {line:?} belongs in [workspace.dependencies]"));
            }
        }
    }
    complaints
}

/// The dependencies and lints of the root manifest that no comment explains: each stands under a comment, alone or in a
/// paragraph with others.
fn unexplained(root: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut section = String::new();
    let mut explained = false;
    for line in root.lines() {
        if line.starts_with('[') {
            section = line.to_owned();
            explained = false;
        } else if line.trim().is_empty() {
            explained = false;
        } else if line.starts_with('#') {
            explained = true;
        } else if section == "[workspace.dependencies]" && !explained && line.contains('=') {
            complaints.push(format!("Cargo.toml: no comment says why {line:?}"));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Tree;

    const ROOT: &str = "[workspace.package]\nrust-version = \"1.95\"\nlicense = \"MIT OR Apache-2.0\"\npublish = false\n\
                        [workspace.dependencies]\n# Why.\na = \"1\"\n[workspace.lints.rust]\nunsafe_code = \"forbid\"\n";
    const GOOD: &str = "[package]\nname = \"x\"\nversion.workspace = true\nedition.workspace = true\n\
                        rust-version.workspace = true\nlicense.workspace = true\npublish.workspace = true\n\
                        description = \"d\"\n\n[lints]\nworkspace = true\n\n[dependencies]\na.workspace = true\n";

    fn complaints(root: &str, package: &str) -> usize {
        let tree = Tree::new("");
        tree.file("Cargo.toml", root).file("crates/x/Cargo.toml", package);
        check(&Workspace::at(&tree.root())).len()
    }

    #[test]
    fn a_manifest_like_the_others_passes() {
        assert_eq!(complaints(ROOT, GOOD), 0);
    }

    #[test]
    fn each_missing_line_and_each_own_version_is_named() {
        for line in
            INHERITED.iter().chain(&["name = \"x\"", "description = \"d\"", "[lints]\nworkspace = true\n"])
        {
            assert_eq!(complaints(ROOT, &GOOD.replace(&format!("\n{line}"), "\n")), 1, "{line}");
        }
        assert_eq!(complaints(ROOT, &GOOD.replace("a.workspace = true", "a = { version = \"1\" }")), 1);
        assert_eq!(complaints(ROOT, &GOOD.replace("a.workspace = true", "a = { path = \"../a\" }")), 1);
    }

    #[test]
    fn the_root_explains_its_dependencies_and_keeps_its_promises() {
        assert_eq!(complaints(&ROOT.replace("# Why.\n", ""), GOOD), 1);
        assert_eq!(complaints(&ROOT.replace("\"1.95\"", "\"1.99\""), GOOD), 1);
        assert_eq!(complaints(&ROOT.replace("unsafe_code = \"forbid\"", ""), GOOD), 1);
    }
}
