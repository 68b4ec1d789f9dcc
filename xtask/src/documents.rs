//! Documents that nobody made for this product, loaded unchanged under the manifests of `fixtures/docs/manifests`: fetched
//! from their registries into a folder that git ignores, loaded, counted. It judges nothing; people read what it prints.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use docs::{Checked, EdgeKind, ProjectRoot, ProjectService, Severity};
use fault::Unwatched;

use crate::bench::corpora::shell;
use crate::workspace::Workspace;

/// Where the manifests are.
const MANIFESTS: &str = "fixtures/docs/manifests";
/// Lines that a manifest may take.
#[cfg(test)]
const LINES_MAX: usize = 120;

/// Where a package comes from.
#[derive(Clone, Copy)]
enum Registry {
    /// Sources of a crate, as cargo unpacks them.
    Cargo,
    /// What `npm pack` gives.
    Npm,
    /// A source distribution of PyPI.
    Pip,
}

/// Files of a package: registry, name, version, folder in it, names of the files, folder in the corpus.
type Part = (Registry, &'static str, &'static str, &'static str, &'static str, &'static str);

/// Every corpus: the name of its manifest, and what it is made of.
const CORPORA: &[(&str, &[Part])] = &[
    (
        "crates",
        &[
            (Registry::Cargo, "clap", "4.6.9", ".", "*.md", "clap"),
            (Registry::Cargo, "opendal", "0.54.1", ".", "*.md", "opendal"),
            (Registry::Cargo, "rustix", "1.1.6", ".", "*.md", "rustix"),
            (Registry::Cargo, "jiff", "0.2.46", ".", "*.md", "jiff"),
            (Registry::Cargo, "proptest", "1.12.0", ".", "*.md", "proptest"),
            (Registry::Cargo, "fancy-regex", "0.20.2", ".", "*.md", "fancy-regex"),
            (Registry::Cargo, "portable-atomic", "1.15.0", ".", "*.md", "portable-atomic"),
            (Registry::Cargo, "obsidian-export", "25.3.0", ".", "*.md", "obsidian-export"),
        ],
    ),
    (
        "npm",
        &[
            (Registry::Npm, "npm", "11.19.1", "docs/content", "*.md", "docs"),
            (Registry::Npm, "react-router", "7.18.7", ".", "*.md", "packages/react-router"),
            (Registry::Npm, "eslint", "9.39.5", ".", "*.md", "packages/eslint"),
            (Registry::Npm, "rxjs", "7.8.2", ".", "*.md", "packages/rxjs"),
            (Registry::Npm, "express", "5.3.0", ".", "*.md", "packages/express"),
        ],
    ),
    (
        "adr",
        &[
            (Registry::Pip, "adr-viewer", "1.4.0", "doc/adr", "*.md", "viewer"),
            (Registry::Npm, "@meza/adr-tools", "2.0.3", "doc/adr", "*.md", "tools"),
            (Registry::Npm, "madr", "4.0.0", "template", "0000-*.md", "madr"),
        ],
    ),
    (
        "vault",
        &[
            (Registry::Cargo, "obsidian-export", "25.3.0", "tests/testdata/input", "*", "."),
            (Registry::Cargo, "obsidian-export", "25.3.0", "docs", "*", "docs"),
        ],
    ),
    ("pep", &[(Registry::Pip, "docutils", "0.23", "docs/peps", "*.rst", "peps")]),
    ("rfc", &[(Registry::Cargo, "opendal", "0.54.1", "src/docs/rfcs", "*.md", "rfcs")]),
];

/// Loads every corpus and prints what is in it; `--findings` prints each finding too.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> ExitCode {
    let is_long = arguments.iter().any(|argument| argument == "--findings");
    println!(
        "| corpus | manifest, lines | files | nodes | relations | mentions | errors | warnings | load, ms |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut failed = false;
    for (name, parts) in CORPORA {
        if let Err(said) = one(workspace, name, parts, is_long) {
            eprintln!("{name}: {said}");
            failed = true;
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn one(workspace: &Workspace, name: &str, parts: &[Part], is_long: bool) -> Result<(), String> {
    let home = workspace.path(".bench/documents");
    let folder = home.join(name);
    if !folder.is_dir() {
        let part = home.join(format!("{name}.part"));
        let said = |error: std::io::Error| format!("{}: {error}", part.display());
        if part.exists() {
            fs::remove_dir_all(&part).map_err(said)?;
        }
        fs::create_dir_all(&part).map_err(said)?;
        fs::create_dir_all(home.join("download")).map_err(said)?;
        for one in parts {
            fetch(&home.join("download"), &part, one)?;
        }
        fs::rename(&part, &folder).map_err(said)?;
    }
    let manifest = workspace.text(&format!("{MANIFESTS}/{name}.toml"));
    fs::write(folder.join(docs::MANIFEST_NAME), &manifest).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let root = ProjectRoot::open(&folder).map_err(|fault| fault.to_string())?;
    let service = ProjectService::load(root, &Unwatched).map_err(|_| "stopped".to_owned())?;
    let taken = start.elapsed().as_millis();
    let refresh = service.refresh(Checked::Stat, &Unwatched).map_err(|_| "stopped".to_owned())?;
    let snapshot = refresh.snapshot.ok_or_else(|| format!("not loadable: {:?}", refresh.problems))?;
    let edges = |kind| snapshot.edges().iter().filter(|edge| edge.kind == kind).count();
    let found = |severity| snapshot.diagnostics().iter().filter(|one| one.severity == severity).count();
    let files = snapshot.files().iter().filter(|file| file.source.is_some()).count();
    println!(
        "| {name} | {} | {files} | {} | {} | {} | {} | {} | {taken} |",
        manifest.lines().count(),
        snapshot.nodes().len(),
        edges(EdgeKind::Relation),
        edges(EdgeKind::Mention),
        found(Severity::Error),
        found(Severity::Warn),
    );
    if is_long {
        let mut codes: BTreeMap<String, usize> = BTreeMap::new();
        for one in snapshot.diagnostics().iter().filter(|one| one.severity != Severity::Info) {
            *codes.entry(one.check.code().into_owned()).or_default() += 1;
            let at = (one.place.path.as_deref().unwrap_or("-"), one.place.line.unwrap_or(0));
            println!("  {}:{} {}: {} {:?}", at.0, at.1, one.check.code(), one.message, one.doc);
        }
        println!("  {codes:?}");
    }
    if snapshot.nodes().is_empty() { Err("no node".to_owned()) } else { Ok(()) }
}

/// Puts the files of one package into the corpus.
fn fetch(download: &Path, corpus: &Path, part: &Part) -> Result<(), String> {
    let (registry, name, version, from, files, into) = *part;
    let unpacked = format!("{}-{version}", name.replace(['@', '/'], "_"));
    let script = match registry {
        Registry::Cargo => {
            r#"[ -d "$3" ] && exit
               mkdir -p "$3.project/src" && touch "$3.project/src/lib.rs"
               printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n[dependencies]\n%s = { version = "=%s", default-features = false }\n' "$1" "$2" >"$3.project/Cargo.toml"
               cargo fetch --quiet --manifest-path "$3.project/Cargo.toml"
               cp -R "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$1-$2" "$3""#
        }
        Registry::Npm => {
            r#"[ -d "$3" ] && exit
               mkdir "$3.tar" && npm pack --silent --pack-destination "$3.tar" "$1@$2" >/dev/null
               mkdir "$3.part" && tar -xzf "$3.tar"/*.tgz -C "$3.part" --strip-components=1 && mv "$3.part" "$3""#
        }
        Registry::Pip => {
            r#"[ -d "$3" ] && exit
               python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$3.tar" "$1==$2"
               mkdir "$3.part" && tar -xzf "$3.tar"/*.tar.gz -C "$3.part" --strip-components=1 && mv "$3.part" "$3""#
        }
    };
    shell(download, script, &[name, version, &unpacked])?;
    let target = corpus.join(into);
    fs::create_dir_all(&target).map_err(|error| format!("{}: {error}", target.display()))?;
    let copy = r#"find . -type f -name "$1" -exec cp --parents -t "$2" {} +"#;
    shell(&download.join(unpacked).join(from), copy, &[files, &target.display().to_string()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_manifest_of_a_corpus_is_short_and_valid() {
        let workspace = Workspace::here();
        let prefix = format!("{MANIFESTS}/");
        let mut names = Vec::new();
        for file in workspace.files().into_iter().filter(|file| file.starts_with(&prefix)) {
            let text = workspace.text(&file);
            assert!(text.lines().count() <= LINES_MAX, "{file}");
            docs::load(&text).unwrap_or_else(|found| panic!("{file}: {found:#?}"));
            names.push(file.trim_start_matches(&prefix).trim_end_matches(".toml").to_owned());
        }
        let mut listed: Vec<&str> = CORPORA.iter().map(|(name, _)| *name).collect();
        listed.sort_unstable();
        assert_eq!(names, listed);
    }
}
