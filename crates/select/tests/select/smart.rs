//! Smart ignore: stacks own names, evidence proves the rest (spec `project.md` 6.3, 6.4).

use select::{Policy, Toggle, Toggles};

use crate::tree::{Tree, nothing, only};

fn smart() -> Policy {
    only(Toggle::SmartIgnore)
}

/// Whether a folder is seen, given what else the project holds.
#[track_caller]
fn check(lines: &str, folder: &str, hidden: bool) {
    let tree = Tree::new(lines);
    tree.write(&format!("{folder}/source.txt"), "x");
    let files = tree.files(&smart());
    let source = format!("{folder}/source.txt\n");
    assert_eq!(!files.contains(&source), hidden, "{folder} beside {lines:?}: {files}");
}

#[test]
fn the_same_folder_name_is_source_without_evidence_and_an_artefact_with_it() {
    check("package.json", "build", false);
    check("package.json\nbuild/asset-manifest.json", "build", true);
    check("build/CMakeCache.txt", "build", true);
    check("App.csproj", "bin", false);
    check("App.csproj\nbin/Debug/net8.0/App.dll", "bin", true);
    check("Cargo.toml\ntarget/notes.md", "target", false);
    check("Cargo.toml\ntarget/.rustc_info.json", "target", true);
}

#[test]
fn names_that_can_be_source_are_shown_in_every_stack_without_evidence() {
    let markers = "App.sln\npackage.json\npyproject.toml\npom.xml\ngo.mod\nCargo.toml\ncomposer.json\nGemfile\nPackage.swift\npubspec.yaml";
    for name in [
        "bin", "obj", "build", "out", "dist", "vendor", "log", "tmp", "env", "packages", "target",
        "coverage", "cache",
    ] {
        check(markers, name, false);
    }
}

#[test]
fn a_stack_hides_the_names_it_owns_in_any_case_and_only_inside_its_scope() {
    let rows: &[(&str, &[&str])] = &[
        (
            "package.json",
            &[
                "node_modules",
                "storybook-static",
                ".next",
                ".nuxt",
                ".turbo",
                ".svelte-kit",
                ".angular",
                ".cache",
                ".parcel-cache",
                ".vite",
                ".output",
                ".astro",
            ],
        ),
        (
            "requirements.txt",
            &[
                "__pycache__",
                "venv",
                ".venv",
                ".pytest_cache",
                ".mypy_cache",
                ".ruff_cache",
                ".tox",
                ".nox",
                ".hypothesis",
                ".ipynb_checkpoints",
                ".pyre",
            ],
        ),
        ("build.gradle.kts", &[".gradle"]),
        ("Gemfile", &[".bundle"]),
        ("Podfile", &[".build", "DerivedData", "Pods", "Carthage"]),
        ("pubspec.yaml", &[".dart_tool"]),
    ];
    for (marker, names) in rows {
        for name in *names {
            check(marker, name, true);
            check(marker, &format!("deep/er/{}", name.to_uppercase()), true);
            check("", name, false);
            check(&format!("app/{marker}"), name, false);
        }
    }
}

#[test]
fn the_nearest_folder_with_a_marker_owns_what_lies_below_it() {
    let nested = "package.json\napi/Cargo.toml";
    check(nested, "api/node_modules", false);
    check(nested, "web/node_modules", true);
    check("Cargo.toml\nweb/package.json", "web/node_modules", true);
    check("Cargo.toml\nweb/package.json", "node_modules", false);
}

#[test]
fn every_row_of_the_evidence_table_hides_on_proof_and_shows_without() {
    let rows: &[(&str, &[&str])] = &[
        (
            "obj",
            &[
                "project.assets.json",
                "project.nuget.cache",
                "rider.project.restore.info",
                "Debug/x",
                "release/x",
                "ref/x",
                "refint/x",
                "App.csproj.nuget.g.props",
                "App.csproj.nuget.dgspec.json",
                "App.AssemblyInfo.cs",
                "App.GlobalUsings.g.cs",
            ],
        ),
        (
            "bin",
            &[
                "Debug/x",
                "Release/x",
                "x64/x",
                "x86/x",
                "AnyCPU/x",
                "A.dll",
                "A.EXE",
                "a.pdb",
                "a.deps.json",
                "a.runtimeconfig.json",
            ],
        ),
        (
            "node_modules",
            &[
                ".package-lock.json",
                "yarn.lock",
                ".yarn-integrity",
                ".modules.yaml",
                ".bin/x",
                "@types/x",
                ".pnpm/x",
            ],
        ),
        ("bower_components", &["jquery/.bower.json", "jquery/bower.json", "x/package.json"]),
        ("jspm_packages", &["npm/x", "github/x"]),
        ("packages", &["repositories.config"]),
        ("_cacache", &["content-v2/x", "index-v5/x"]),
        ("modules-2", &["files-2.1/x"]),
        ("__pycache__", &["a.cpython-312.pyc", "b.pyo"]),
        (".venv", &["pyvenv.cfg"]),
        ("venv", &["pyvenv.cfg"]),
        ("env", &["pyvenv.cfg"]),
        (".pytest_cache", &["CACHEDIR.TAG", "v/x"]),
        (".mypy_cache", &["CACHEDIR.TAG", "3.12/x"]),
        (".ruff_cache", &["CACHEDIR.TAG", "0.4.1/x"]),
        (".tox", &["CACHEDIR.TAG", "py312/x", ".pkg/x"]),
        (".nox", &["CACHEDIR.TAG", "tests-3-12/x"]),
        (".hypothesis", &["examples/x", "unicode_data/x"]),
        (".ipynb_checkpoints", &["a-checkpoint.ipynb"]),
        (".pyre", &["pyre.stderr", "CACHEDIR.TAG"]),
        (".gradle", &["buildOutputCleanup/x", "checksums/x", "vcs-1/x", "caches/x"]),
        ("target", &["debug/x", "release/x", "deps/x", "classes/x", "maven-status/x", ".rustc_info.json"]),
        (
            "build",
            &[
                "CMakeCache.txt",
                "build.ninja",
                ".ninja_log",
                "CMakeFiles/x",
                "classes/x",
                "intermediates/x",
                "asset-manifest.json",
                "bdist.linux-x86_64/x",
                "app.js.map",
            ],
        ),
        ("out", &["production/x", "test/x", "classes/x", "CMakeCache.txt", "_next/x"]),
        ("dist", &["manifest.json", "assets/x", "index.js.map", "a-1.0-py3-none-any.whl"]),
        ("coverage", &["lcov.info", "lcov-report/x", "coverage-final.json", "clover.xml"]),
        ("htmlcov", &["status.json", "a_py.html", "coverage_html_cb.js"]),
        (".nyc_output", &["1a2b.json", "processinfo/x"]),
        (".next", &["BUILD_ID", "build-manifest.json", "cache/x", "server/x"]),
        (".nuxt", &["nuxt.d.ts", "types/x"]),
        (".turbo", &["cache/x", "turbo-build.log"]),
        (".vite", &["deps/x", "manifest.json"]),
        (".parcel-cache", &["data.mdb"]),
        (".svelte-kit", &["generated/x", "output/x"]),
        (".angular", &["cache/x"]),
        (".astro", &["types.d.ts", "settings.json"]),
        (".output", &["nitro.json", "server/x"]),
        ("storybook-static", &["iframe.html", "sb-manager/x"]),
        (".dart_tool", &["package_config.json"]),
        (".build", &["checkouts/x", "workspace-state.json", "debug.yaml"]),
        ("DerivedData", &["ModuleCache.noindex/x", "App-abc/info.plist"]),
        ("CMakeFiles", &["CMakeOutput.log", "CMakeConfigureLog.yaml"]),
        (".cxx", &["Debug/x", "RelWithDebInfo/x"]),
        ("cmake-build-debug", &["CMakeCache.txt", "CMakeFiles/x"]),
        ("cmake-build-release-arm", &["build.ninja"]),
        ("vendor", &["autoload.php", "modules.txt"]),
        (".bundle", &["config"]),
        ("pkg", &["sumdb/x", "mod/cache/x"]),
        ("_build", &["dev/x", "prod/x", "default/x"]),
        (".stack-work", &["install/x", "stack.sqlite3"]),
        (".terraform", &["providers/x", "modules/x"]),
        (".serverless", &["serverless-state.json", "cloudformation-template-update-stack.json"]),
        ("zig-cache", &["h/x", "o/x"]),
        (".zig-cache", &["z/x"]),
        ("cache", &["CACHEDIR.TAG"]),
        (".cache", &["cachedir.tag"]),
        ("tmp", &["CACHEDIR.TAG"]),
        ("temp", &["CACHEDIR.TAG"]),
        ("Library", &["ArtifactDB", "ScriptAssemblies/x"]),
        ("Intermediate", &["ProjectFiles/x", "CachedAssetRegistry_0.bin"]),
        ("Saved", &["Autosaves/x", "StagedBuilds/x"]),
        ("Binaries", &["Win64/x", "Linux/x"]),
        ("xcuserdata", &["me.xcuserdatad/x", "UserInterfaceState.xcuserstate"]),
    ];
    for (name, evidence) in rows {
        check("", name, false);
        check(&format!("{name}/src/main.c\n{name}/README.md"), name, false);
        for proof in *evidence {
            check(&format!("{name}/{proof}"), name, true);
            check(&format!("{name}/{}", proof.to_uppercase()), name, true);
            check(&format!("x/y/{name}/{proof}"), &format!("x/y/{name}"), true);
        }
    }
}

#[test]
fn evidence_of_the_wrong_kind_or_below_the_top_level_proves_nothing() {
    check("bin/Debug: a file", "bin", false);
    check("obj/project.assets.json/x", "obj", false);
    check("bin/tools/a.dll", "bin", false);
    check("venv -> elsewhere\nelsewhere/pyvenv.cfg", "elsewhere", false);
    check("pkg/mod/handler.go", "pkg", false);
    check("build/generated/x", "build", false);
    check("build/generated/x\nbuild/tmp/x", "build", true);
}

#[test]
fn links_are_no_evidence() {
    check("bin/Debug -> ../x\nbin/a.dll -> ../x\nx/y", "bin", false);
}

#[test]
fn a_suffix_counts_among_the_first_1024_entries_only_and_a_name_everywhere() {
    let many = |count: usize, last: &str| {
        let tree = Tree::new("");
        for number in 0..count {
            tree.write(&format!("bin/{number:04}"), "x");
        }
        tree.write(&format!("bin/{last}"), "x");
        !tree.narrowed(&smart(), &Default::default()).files.is_empty()
    };
    assert!(!many(1_023, "z.dll"));
    assert!(many(1_024, "z.dll"));
    assert!(!many(1_024, "x64/z"));
}

#[test]
fn package_stores_are_known_by_where_they_lie() {
    check("", ".nuget/packages", true);
    check("", "home/.m2/repository", true);
    check("", "home/.cargo/registry", true);
    check("", "home/registry", false);
    check("", "repository", false);
}

#[test]
fn a_packages_folder_needs_two_self_named_packages() {
    check("packages/A.1.0/A.1.0.nupkg", "packages", false);
    check("packages/A.1.0/A.1.0.nupkg\npackages/B.2.0/b.2.0.NUPKG", "packages", true);
    check("packages/A.1.0/A.1.0.nupkg\npackages/B.2.0/other.nupkg", "packages", false);
}

#[test]
fn rails_logs_need_a_ruby_project() {
    check("log/development.log", "log", false);
    check("Gemfile\nlog/development.log", "log", true);
    check("Gemfile\nlog/logger.rb", "log", false);
}

#[test]
fn junk_files_are_hidden_anywhere_by_smart_ignore_alone() {
    let tree =
        Tree::new(".DS_Store\na/Thumbs.db\na/Desktop.ini\nApp.csproj.user\nApp.sln.DotSettings.user\na/b.c");
    assert_eq!(tree.files(&smart()), "a/b.c\n");
    assert_eq!(tree.files(&nothing()).lines().count(), 6);
}

#[test]
fn smart_ignore_does_not_depend_on_the_git_mode() {
    let tree = Tree::new("node_modules/.bin/x\na");
    let policy = Policy { toggles: Toggles::baseline(), ..Policy::default() };
    assert_eq!(tree.files(&policy), "a\n");
    assert_eq!(tree.files(&smart()), "a\n");
}

#[test]
fn files_are_told_the_stacks_of_the_nearest_marked_folder() {
    let tree = Tree::new(
        "package.json\ndocker-compose.yml\na\ninfra/main.tf\ninfra/b\nlib/Cargo.toml\nlib/c\nmix/App.csproj\nmix/setup.py\nmix/d/pom.xml\nmix/d/e\nmix/f",
    );
    let selection = tree.select(&nothing());
    let bits = |name: &str| {
        selection.files.iter().find(|file| file.path.as_str() == Some(name)).map(|file| file.stack_bits)
    };
    assert_eq!(bits("a"), Some(2 | 32));
    assert_eq!(bits("infra/b"), Some(16));
    // Rust is no stack that redaction knows, so the folder above still owns this one for it.
    assert_eq!(bits("lib/c"), Some(2 | 32));
    assert_eq!(bits("mix/f"), Some(1 | 4));
    assert_eq!(bits("mix/d/e"), Some(8));
}
