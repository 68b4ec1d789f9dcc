//! Real code of many languages, fetched once from package registries into a folder that git ignores. It does not know what
//! is measured on it.

use std::fs;
use std::path::PathBuf;

use crate::bench::corpora::{commit, shell};
use crate::workspace::Workspace;

const NPM: &str =
    r#"npm pack --silent --pack-destination "$2" "$1" > "$2/name" && tar -xzf "$2/$(cat "$2/name")""#;
const SDIST: &str = r#"python3 -m pip download --quiet --no-deps --no-binary :all: --dest "$2" "$1" && tar -xzf "$2"/*.tar.gz"#;
const WHEEL: &str = r#"python3 -m pip download --quiet --no-deps --dest "$2" "$1" && python3 -m zipfile -e "$2"/*.whl . && rm -rf ziglang/lib/lib* ziglang/lib/include"#;
const DEB: &str = r#"(cd "$2" && { apt-get -qq -o APT::Sandbox::User=root download "$1" || { apt-get -qq update && apt-get -qq -o APT::Sandbox::User=root download "$1"; }; }) &&
    dpkg-deb --extract "$2"/*.deb ."#;

/// A package, how it is fetched, and what it is there for.
const PACKAGES: &[(&str, &str, &str)] = &[
    ("django==5.2.19", SDIST, "Python, HTML, CSS, JavaScript"),
    ("pythonnet==3.0.5", SDIST, "C#"),
    ("ziglang==0.13.0", WHEEL, "Zig"),
    ("react-native@0.76.5", NPM, "Java, Kotlin, Objective-C, C++, Ruby"),
    ("@capacitor/ios@6.2.0", NPM, "Swift"),
    ("rxjs@7.8.1", NPM, "TypeScript"),
    ("react-day-picker@9.4.4", NPM, "TSX"),
    ("three@0.171.0", NPM, "JavaScript"),
    ("golang-1.19-src", DEB, "Go"),
    ("php-symfony-http-kernel", DEB, "PHP"),
    ("prosody", DEB, "Lua"),
    ("bash-completion", DEB, "Bash"),
    ("ruby-activesupport", DEB, "Ruby"),
    ("uvloop==0.21.0", SDIST, "C"),
    ("googleapis-common-protos==1.65.0", SDIST, "Protocol Buffers"),
    ("postgresql-15", DEB, "SQL"),
    ("pygments==2.18.0", SDIST, "some files each of languages that the registries do not package"),
];

/// The folders of all packages and of the crates that cargo unpacked for this workspace. A package that its registry does
/// not give is said and left out.
///
/// # Errors
/// When the folder for them cannot be made.
pub(super) fn make(workspace: &Workspace) -> Result<Vec<PathBuf>, String> {
    let home = workspace.path(".bench/detail");
    fs::create_dir_all(&home).map_err(|error| format!(".bench/detail: {error}"))?;
    let mut folders = Vec::new();
    for (package, script, languages) in PACKAGES {
        let folder = home.join(package.replace('/', "-"));
        if !folder.is_dir() {
            eprintln!("fetching {package}: {languages}");
            let part = home.join("part");
            let download = home.join("download");
            for made in [&part, &download] {
                let _ = fs::remove_dir_all(made);
                fs::create_dir_all(made).map_err(|error| format!("{}: {error}", made.display()))?;
            }
            if let Err(said) = shell(&part, script, &[package, &download.display().to_string()]) {
                eprintln!("{package} is left out: {said}");
                continue;
            }
            let _ = fs::remove_dir_all(&download);
            fs::rename(&part, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        folders.push(folder);
    }
    folders.extend(crates(workspace)?);
    Ok(folders)
}

/// The tree of Python alone.
///
/// # Errors
/// As [`make`].
pub(super) fn python(workspace: &Workspace) -> Result<PathBuf, String> {
    make(workspace)?;
    let folder = workspace.path(".bench/detail/django==5.2.19");
    if !folder.join(".git").is_dir() {
        // A repository of its own, so that no rule of this one hides it.
        commit(&folder)?;
    }
    Ok(folder)
}

/// Where cargo unpacked the locked dependencies.
fn crates(workspace: &Workspace) -> Result<Vec<PathBuf>, String> {
    let metadata = workspace.metadata()?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let manifests = packages.iter().filter(|package| !package["source"].is_null());
    let mut folders: Vec<PathBuf> = manifests
        .filter_map(|package| package["manifest_path"].as_str())
        .filter_map(|manifest| PathBuf::from(manifest).parent().map(PathBuf::from))
        .collect();
    folders.sort();
    Ok(folders)
}
