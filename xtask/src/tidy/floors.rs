//! Which crate may import which. The table here is the one of the layout page; it does not know what a crate is for.

use crate::workspace::Workspace;

/// The floor of every crate, lowest first; crates of one floor do not know each other.
const FLOORS: &[(u8, &[&str])] = &[
    (1, &["fault"]),
    (2, &["disk", "confine", "redact", "reduce", "search"]),
    (3, &["git", "content", "select"]),
    (4, &["project", "evidence", "docs"]),
    (5, &["render", "propose"]),
    (6, &["browser", "apply"]),
    (7, &["mcp"]),
    (8, &["cli"]),
];

/// Text in, value out: each with the crates of this workspace that it may know. They may not touch the world either.
const PURE: &[(&str, &[&str])] = &[
    ("redact", &["fault"]),
    ("reduce", &["fault"]),
    ("search", &["fault"]),
    ("content", &["fault", "redact", "reduce"]),
];

/// Crates from outside with which a pure crate could read, wait or know a root.
const WORLDLY: &[&str] =
    &["rustix", "nix", "libc", "tokio", "getrandom", "memmap2", "tempfile", "walkdir", "ignore", "cap-std"];

/// Crates that touch files, processes or the terminal, and say so at their root.
const DOORS: &[&str] = &["disk", "confine", "git", "browser", "cli", "testkit", "xtask"];

/// Crates that only one other may reach, whichever way round.
const RESERVED: &[(&str, &str, &str)] =
    &[("apply", "cli", "only a person's command line writes canonical documents")];

/// Names that only one crate may say beside the one that has them.
const RESERVED_NAMES: &[(&str, &str, &str)] = &[("CanonicalFolder", "disk", "apply")];

/// Complains about every import that is not downwards.
pub(crate) fn check(workspace: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    for package in workspace.packages() {
        let name = package.rsplit('/').next().unwrap_or_default().to_owned();
        let own_floor = floor(&name);
        let dev_tool = name == "testkit" || name == "xtask";
        if own_floor.is_none() && !dev_tool {
            complaints
                .push(format!("{name} stands on no floor: add it to the layout and to the table of xtask"));
        }
        for dependency in workspace.dependencies(&package) {
            let other = dependency.name.as_str();
            let ours = floor(other).is_some() || other == "testkit" || other == "xtask";
            if !ours || dependency.dev {
                if other == "xtask" {
                    complaints.push(format!("{name} imports xtask, which is a program"));
                }
                continue;
            }
            let allowed = match (own_floor, floor(other)) {
                (Some(own), Some(theirs)) => theirs < own,
                (None, Some(_)) => name == "xtask",
                (_, None) => name == "xtask",
            };
            if !allowed {
                complaints.push(format!("{name} imports {other}, which is not on a lower floor"));
            }
            if let Some((_, allowed)) = PURE.iter().find(|(pure, _)| *pure == name)
                && !allowed.contains(&other)
            {
                complaints.push(format!("{name} is pure and may know {allowed:?} alone, not {other}"));
            }
        }
        for (reserved, by, why) in RESERVED {
            if name != *reserved && name != *by && reaches(workspace, &package, reserved) {
                complaints.push(format!("{name} reaches {reserved}: {why}"));
            }
        }
    }
    complaints
}

/// Whether a package is built with the crate of that name, at any distance.
fn reaches(workspace: &Workspace, package: &str, wanted: &str) -> bool {
    let mut seen = vec![package.to_owned()];
    let mut next = 0;
    while let Some(here) = seen.get(next).cloned() {
        next += 1;
        for dependency in workspace.dependencies(&here).into_iter().filter(|one| !one.dev) {
            if dependency.name == wanted {
                return true;
            }
            let other = format!("crates/{}", dependency.name);
            if workspace.packages().contains(&other) && !seen.contains(&other) {
                seen.push(other);
            }
        }
    }
    false
}

/// Complains about a pure crate that could touch the world, and about an opt-out of the disallowed methods elsewhere
/// than at a door's root.
pub(crate) fn check_doors(workspace: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    for package in workspace.packages() {
        let name = package.rsplit('/').next().unwrap_or_default().to_owned();
        if PURE.iter().any(|(pure, _)| *pure == name) {
            for dependency in workspace.dependencies(&package) {
                if !dependency.dev && WORLDLY.contains(&dependency.name.as_str()) {
                    complaints.push(format!("{name} is pure and imports {}", dependency.name));
                }
            }
        }
    }
    for file in workspace.sources() {
        let owner = owner(&file);
        for (reserved, home, by) in RESERVED_NAMES {
            if ![*home, *by, "xtask"].contains(&owner) && workspace.text(&file).contains(reserved) {
                complaints.push(format!("{file}: {owner} names {reserved}, which is for {by} alone"));
            }
        }
        if DOORS.contains(&owner)
            || file.contains("/tests/")
            || file.contains("/examples/")
            || file.ends_with("/tests.rs")
        {
            continue;
        }
        let text = workspace.text(&file);
        let mut in_tests = false;
        for (number, line) in text.lines().enumerate() {
            in_tests |= line.trim_start().starts_with("#[cfg(test)]");
            let opt_out = line.contains("disallowed_methods") && !line.contains("cfg_attr(test");
            if opt_out && !in_tests {
                complaints.push(format!("{file}:{}: {owner} is no door, so it may not opt out", number + 1));
            }
        }
    }
    complaints
}

/// The package that a source file belongs to.
fn owner(file: &str) -> &str {
    let mut parts = file.split('/');
    match parts.next() {
        Some("crates") => parts.next().unwrap_or_default(),
        first => first.unwrap_or_default(),
    }
}

fn floor(name: &str) -> Option<u8> {
    FLOORS.iter().find(|(_, crates)| crates.contains(&name)).map(|(floor, _)| *floor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::Tree;

    fn complaints(manifests: &[(&str, &str)], check: fn(&Workspace) -> Vec<String>) -> Vec<String> {
        let tree = Tree::new("");
        for (package, dependencies) in manifests {
            tree.file(
                &format!("{package}/Cargo.toml"),
                &format!("[package]\n[dependencies]\n{dependencies}"),
            );
        }
        check(&Workspace::at(&tree.root()))
    }

    #[test]
    fn downward_imports_pass_and_dev_dependencies_do_not_count() {
        let dev =
            "fault.workspace = true\n[dev-dependencies]\nmcp.workspace = true\ntestkit.workspace = true\n";
        assert!(complaints(&[("crates/disk", dev), ("xtask", "mcp.workspace = true\n")], check).is_empty());
    }

    #[test]
    fn an_upward_import_a_neighbour_and_a_crate_without_floor_are_refused() {
        for (package, import) in [
            ("crates/disk", "select"),
            ("crates/git", "select"),
            ("crates/project", "project"),
            ("crates/search", "disk"),
            ("crates/content", "disk"),
            ("crates/mcp", "testkit"),
            ("crates/testkit", "fault"),
            ("crates/cli", "xtask"),
            ("crates/util", "serde"),
        ] {
            let found = complaints(&[(package, &format!("{import}.workspace = true\n"))], check);
            assert!(!found.is_empty(), "{package} -> {import}");
        }
        assert_eq!(complaints(&[("crates/mcp", "apply.workspace = true\n")], check).len(), 1);
    }

    #[test]
    fn a4_no_server_reaches_what_writes_documents_at_any_distance() {
        let way = [
            ("crates/apply", "propose.workspace = true\n"),
            ("crates/propose", ""),
            ("crates/mcp", "inner.workspace = true\n"),
            ("crates/inner", "apply.workspace = true\n"),
            ("crates/cli", "apply.workspace = true\nmcp.workspace = true\n"),
        ];
        let found = complaints(&way, check);
        for reaching in ["mcp", "inner"] {
            let complaint = format!("{reaching} reaches apply:");
            assert!(found.iter().any(|one| one.starts_with(&complaint)), "{found:?}");
        }
        assert!(!found.iter().any(|one| one.starts_with("cli reaches")), "{found:?}");
        let here = Workspace::here();
        assert!(reaches(&here, "crates/apply", "propose"), "the graph is seen");
        assert!(!reaches(&here, "crates/mcp", "apply"));
    }

    #[test]
    fn only_apply_names_the_folder_that_documents_are_written_by() {
        let tree = Tree::new("crates/propose/Cargo.toml: [package]");
        tree.file("crates/propose/src/lib.rs", "use disk::CanonicalFolder;\n");
        tree.file("crates/apply/src/lib.rs", "use disk::CanonicalFolder;\n");
        let found = check_doors(&Workspace::at(&tree.root()));
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_pure_crate_may_not_reach_the_world_nor_opt_out() {
        assert_eq!(complaints(&[("crates/search", "rustix.workspace = true\n")], check_doors).len(), 1);
        let tree = Tree::new("crates/search/Cargo.toml: [package]");
        tree.file("crates/search/src/lib.rs", "#![allow(clippy::disallowed_methods)]\n");
        tree.file("crates/disk/src/lib.rs", "#![expect(clippy::disallowed_methods)]\n");
        tree.file(
            "crates/git/src/a.rs",
            "//! x\n#[cfg(test)]\n#[allow(clippy::disallowed_methods)]\nmod tests {}\n",
        );
        let found = check_doors(&Workspace::at(&tree.root()));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/search/src/lib.rs:1"));
    }

    #[test]
    fn the_table_has_every_crate_once() {
        let mut names: Vec<&str> = FLOORS.iter().flat_map(|(_, crates)| crates.iter().copied()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
