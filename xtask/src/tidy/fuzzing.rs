//! Whether the fuzz workspace, which nobody builds on the way, still fits: its properties are compiled here and hold for
//! every committed seed, each has its target, and its lock file has our versions. It draws no input.

use crate::workspace::Workspace;

#[cfg(test)]
#[expect(unreachable_pub, reason = "it is the library of another workspace")]
#[path = "../../../fuzz/src/lib.rs"]
mod properties;

/// Complains about a target, a property or a locked version that has no counterpart.
pub(crate) fn check(workspace: &Workspace) -> Vec<String> {
    let mut complaints = Vec::new();
    let manifest = workspace.text("fuzz/Cargo.toml");
    let files = workspace.files();
    for target in targets(&manifest) {
        let file = format!("fuzz/targets/{target}.rs");
        if workspace.text(&file) != wrapper(&target) {
            complaints.push(format!("{file}: is not the usual three lines"));
        }
        if !files.iter().any(|file| file.starts_with(&format!("fuzz/seeds/{target}/"))) {
            complaints.push(format!("fuzz/seeds/{target}: has no seed"));
        }
    }
    for file in files.iter().filter(|file| file.starts_with("fuzz/targets/")) {
        let name = file.trim_start_matches("fuzz/targets/").trim_end_matches(".rs");
        if !targets(&manifest).iter().any(|target| target == name) {
            complaints.push(format!("{file}: fuzz/Cargo.toml does not list it"));
        }
    }
    let ours = locked(&workspace.text("Cargo.lock"));
    for (name, version) in locked(&workspace.text("fuzz/Cargo.lock")) {
        let known: Vec<&String> =
            ours.iter().filter(|(other, _)| *other == name).map(|(_, version)| version).collect();
        if !known.is_empty() && !known.contains(&&version) {
            complaints.push(format!("fuzz/Cargo.lock: {name} {version} is not what Cargo.lock has (docs/testing.md says what to do)"));
        }
    }
    for line in manifest.lines() {
        let shared = ours.iter().any(|(name, _)| line.starts_with(&format!("{name} = \"")));
        if shared && !workspace.text("Cargo.toml").lines().any(|known| known == line) {
            complaints.push(format!("fuzz/Cargo.toml: {line:?} is not how Cargo.toml has it"));
        }
    }
    complaints
}

/// The names of the binaries of a manifest.
fn targets(manifest: &str) -> Vec<String> {
    let bins = manifest.split("[[bin]]").skip(1);
    bins.filter_map(|bin| bin.split("name = \"").nth(1)?.split('"').next()).map(str::to_owned).collect()
}

/// What the file of a target says.
fn wrapper(target: &str) -> String {
    format!(
        "//! The target `{target}`; its properties stand in `src/{target}.rs`.\n#![no_main]\n\n\
         libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::{target}::check(bytes));\n"
    )
}

/// Name and version of every locked package.
fn locked(lock: &str) -> Vec<(String, String)> {
    let value = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    lock.split("[[package]]")
        .skip(1)
        .filter_map(|package| Some((value(package, "name")?, value(package, "version")?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Property = fn(&[u8]);

    const PROPERTIES: &[(&str, Property)] = &[
        ("doorstop", properties::doorstop::check),
        ("filter", properties::filter::check),
        ("front_matter", properties::front_matter::check),
        ("globs", properties::globs::check),
        ("header", properties::header::check),
        ("manifest", properties::manifest::check),
        ("query", properties::query::check),
        ("yaml", properties::yaml::check),
    ];

    #[test]
    fn every_fuzz_target_holds_for_its_seeds() {
        let workspace = Workspace::here();
        let mut listed = targets(&workspace.text("fuzz/Cargo.toml"));
        listed.sort();
        assert_eq!(listed, PROPERTIES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        let mut seeds: BTreeMap<&str, usize> = BTreeMap::new();
        for file in workspace.files() {
            let Some((target, _)) = file.strip_prefix("fuzz/seeds/").and_then(|rest| rest.split_once('/'))
            else {
                continue;
            };
            let (name, property) =
                PROPERTIES.iter().find(|(name, _)| *name == target).expect("a folder of seeds has a target");
            let bytes = std::fs::read(workspace.path(&file)).expect("a seed can be read");
            property(&bytes);
            *seeds.entry(name).or_default() += 1;
        }
        assert_eq!(seeds.len(), PROPERTIES.len());
    }

    #[test]
    fn names_and_versions_are_read_from_a_lock_and_targets_from_a_manifest() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.2\"\n\n[[package]]\nname = \"b\"\nversion = \"3\"\n";
        assert_eq!(locked(lock), [("a".to_owned(), "1.2".to_owned()), ("b".to_owned(), "3".to_owned())]);
        assert_eq!(targets("[[bin]]\nname = \"x\"\n\n[[bin]]\npath = \"p\"\nname = \"y\"\n"), ["x", "y"]);
    }
}
