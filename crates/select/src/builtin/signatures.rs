//! What proves a folder with a suspicious name to be an artefact: data only. Everything is in lower case and
//! compared without regard to case (spec `project.md` 6.4).

use super::stacks::Stacks;

/// What is looked for at the top level of a folder. Any line that holds is enough.
#[derive(Clone, Copy)]
pub(super) struct Signature {
    /// The folder names it speaks of.
    pub(super) names: &'static [&'static str],
    /// The stack that must own the folder, if it speaks of one stack only.
    pub(super) owner: Stacks,
    /// One of these files.
    pub(super) files: &'static [&'static str],
    /// One of these folders.
    pub(super) folders: &'static [&'static str],
    /// Two of these folders: each alone can be source.
    pub(super) two_folders: &'static [&'static str],
    /// A file or folder that begins so.
    pub(super) prefixes: &'static [&'static str],
    /// A file or folder that ends so, among the first entries.
    pub(super) suffixes: &'static [&'static str],
    /// The path ends in these two names.
    pub(super) below: Option<&'static str>,
    /// What must be looked for one level deeper.
    pub(super) deep: Deep,
}

/// Proof that stands inside the children of a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deep {
    /// None.
    No,
    /// A child folder of this name holds a folder of that name.
    Folder(&'static str, &'static str),
    /// A child folder holds one of these.
    AnyChild(&'static [&'static str]),
    /// Two child folders hold a package named after themselves.
    NamedPackages,
}

const ANY: Signature = Signature {
    names: &[],
    owner: Stacks::NONE,
    files: &[],
    folders: &[],
    two_folders: &[],
    prefixes: &[],
    suffixes: &[],
    below: None,
    deep: Deep::No,
};

/// Names that begin so are looked up under this key.
pub(super) const CMAKE_BUILD: &str = "cmake-build-";

/// The marker of the Cache Directory Tagging Specification.
const CACHE_TAG: &[&str] = &["cachedir.tag"];

/// What CMake and ninja leave in a build folder.
const NATIVE_BUILD: Signature = Signature {
    files: &[
        "cmakecache.txt",
        "cmake_install.cmake",
        "build.ninja",
        ".ninja_log",
        ".ninja_deps",
        "ctesttestfile.cmake",
    ],
    folders: &["cmakefiles", "meson-info", "meson-private", "meson-logs"],
    ..ANY
};

/// What bundlers and site generators leave in an output folder.
const BUNDLE: Signature = Signature {
    files: &["asset-manifest.json", "ssr-manifest.json", "build-manifest.json", ".last_build_id"],
    folders: &["_next", "_nuxt", "_astro", "flutter_assets"],
    suffixes: &[
        ".js.map",
        ".mjs.map",
        ".cjs.map",
        ".css.map",
        ".d.ts.map",
        ".bundle.js",
        ".chunk.js",
        ".tsbuildinfo",
    ],
    ..ANY
};

pub(super) const SIGNATURES: &[Signature] = &[
    // .NET
    Signature {
        names: &["obj"],
        files: &[
            "project.assets.json",
            "project.nuget.cache",
            "project.lock.json",
            "rider.project.restore.info",
            "rider.project.model.nuget.info",
        ],
        folders: &["debug", "release", "ref", "refint"],
        suffixes: &[
            ".nuget.g.props",
            ".nuget.g.targets",
            ".nuget.dgspec.json",
            ".nuget.cache",
            ".assemblyinfo.cs",
            ".assemblyinfoinputs.cache",
            ".globalusings.g.cs",
            ".generatedmsbuildeditorconfig.editorconfig",
            ".assemblyreference.cache",
            ".corecompileinputs.cache",
            ".filelistabsolute.txt",
            ".assets.cache",
        ],
        ..ANY
    },
    Signature {
        names: &["bin"],
        folders: &["debug", "release", "x64", "x86", "anycpu"],
        suffixes: &[".dll", ".exe", ".pdb", ".deps.json", ".runtimeconfig.json"],
        ..ANY
    },
    Signature {
        names: &["packages"],
        files: &["repositories.config"],
        below: Some(".nuget"),
        deep: Deep::NamedPackages,
        ..ANY
    },
    // JavaScript package stores
    Signature {
        names: &["node_modules"],
        files: &[
            ".package-lock.json",
            "package-lock.json",
            ".yarn-integrity",
            ".yarn-state.yml",
            "yarn.lock",
            ".modules.yaml",
            "pnpm-lock.yaml",
            "bun.lock",
            "bun.lockb",
        ],
        folders: &[
            ".bin",
            ".pnpm",
            "@types",
            "@babel",
            "@angular",
            "@vue",
            "@eslint",
            "@typescript-eslint",
            "@jest",
            "@rollup",
            "@esbuild",
            "@swc",
            "@nestjs",
            "@mui",
            "@emotion",
            "@radix-ui",
            "@testing-library",
            "@aws-sdk",
            "@jridgewell",
            "@nodelib",
            "@vitejs",
            "@sveltejs",
            "@next",
            "@nuxt",
            "@storybook",
            "@tailwindcss",
            "@reduxjs",
            "@tanstack",
            "@apollo",
            "@sentry",
            "@fortawesome",
            "@popperjs",
            "@floating-ui",
            "@octokit",
            "@humanwhocodes",
            "@isaacs",
            "@ampproject",
            "@webassemblyjs",
            "@istanbuljs",
            "@sinonjs",
        ],
        ..ANY
    },
    Signature {
        names: &["bower_components"],
        deep: Deep::AnyChild(&[".bower.json", "bower.json", "package.json", ".bin"]),
        ..ANY
    },
    Signature {
        names: &["jspm_packages"],
        folders: &["npm", "github"],
        deep: Deep::AnyChild(&[".bin", "package.json"]),
        ..ANY
    },
    Signature { names: &["_cacache"], folders: &["content-v2", "index-v5"], ..ANY },
    // Shared stores of other tools
    Signature { names: &["repository"], below: Some(".m2"), ..ANY },
    Signature { names: &["registry"], below: Some(".cargo"), ..ANY },
    Signature { names: &["modules-2"], folders: &["files-2.1"], ..ANY },
    // Python
    Signature { names: &["__pycache__"], suffixes: &[".pyc", ".pyo"], ..ANY },
    Signature { names: &[".venv", "venv", "env"], files: &["pyvenv.cfg"], ..ANY },
    Signature { names: &[".pytest_cache"], files: CACHE_TAG, folders: &["v"], ..ANY },
    Signature { names: &[".mypy_cache"], files: CACHE_TAG, prefixes: &["2.7", "3."], ..ANY },
    Signature {
        names: &[".ruff_cache"],
        files: CACHE_TAG,
        folders: &["content"],
        prefixes: &["0.", "1."],
        ..ANY
    },
    Signature {
        names: &[".tox", ".nox"],
        files: CACHE_TAG,
        folders: &[".pkg", ".package", "py"],
        prefixes: &["py3", "py2", "pypy", "tests-3"],
        ..ANY
    },
    Signature {
        names: &[".hypothesis"],
        files: CACHE_TAG,
        folders: &["examples", "unicode_data", "constants", "patches"],
        prefixes: &["unicodedata"],
        ..ANY
    },
    Signature { names: &[".ipynb_checkpoints"], suffixes: &["-checkpoint.ipynb", "-checkpoint.py"], ..ANY },
    Signature {
        names: &[".pyre"],
        files: &["cachedir.tag", "pyre.stderr"],
        folders: &["pyre_server", "pid_files", "resource_cache"],
        ..ANY
    },
    // JVM and Rust
    Signature {
        names: &[".gradle"],
        files: &["file-system.probe"],
        folders: &[
            "buildoutputcleanup",
            "checksums",
            "vcs-1",
            "configuration-cache",
            "caches",
            "daemon",
            "wrapper",
            "native",
            "nb-cache",
        ],
        ..ANY
    },
    Signature {
        names: &["target"],
        files: &[".rustc_info.json", "cachedir.tag"],
        folders: &[
            "debug",
            "release",
            "deps",
            "classes",
            "test-classes",
            "maven-status",
            "maven-archiver",
            "surefire-reports",
            "failsafe-reports",
            "generated-test-sources",
        ],
        prefixes: &["scala-2.", "scala-3."],
        ..ANY
    },
    // Build folders of many tools
    Signature { names: &["build", "out", "dist"], ..NATIVE_BUILD },
    Signature { names: &["build", "out", "dist"], ..BUNDLE },
    Signature {
        names: &["build"],
        folders: &["classes", "intermediates", "test-results"],
        two_folders: &["libs", "tmp", "reports", "outputs", "distributions", "kotlin", "generated"],
        prefixes: &[
            "bdist.",
            "lib.linux-",
            "temp.linux-",
            "lib.macosx-",
            "temp.macosx-",
            "lib.win-",
            "temp.win-",
        ],
        ..ANY
    },
    Signature { names: &["out"], files: &["args.gn"], folders: &["production", "test", "classes"], ..ANY },
    Signature {
        names: &["dist"],
        files: &["manifest.json", "stats.json"],
        folders: &["assets", ".vite"],
        suffixes: &[".whl", ".egg"],
        ..ANY
    },
    Signature { names: &[CMAKE_BUILD], ..NATIVE_BUILD },
    Signature {
        names: &["cmakefiles"],
        files: &[
            "cmakeoutput.log",
            "cmakeerror.log",
            "cmakeconfigurelog.yaml",
            "cmake.check_cache",
            "targetdirectories.txt",
            "makefile.cmake",
            "rules.ninja",
            "cmakerulehashes.txt",
            "progress.marks",
        ],
        folders: &["cmaketmp", "cmakescratch", "pkgredirects"],
        ..ANY
    },
    Signature {
        names: &[".cxx"],
        files: &["cmakecache.txt"],
        folders: &["debug", "release", "relwithdebinfo", "minsizerel", "cmake", "ndkbuild", "tools"],
        ..ANY
    },
    // Coverage reports
    Signature {
        names: &["coverage", "htmlcov", ".nyc_output"],
        files: &[
            "lcov.info",
            "coverage-final.json",
            "coverage-summary.json",
            "coverage.xml",
            "coverage.json",
            "clover.xml",
            "cobertura.xml",
            "cobertura-coverage.xml",
            ".resultset.json",
            ".last_run.json",
        ],
        folders: &["lcov-report", "processinfo"],
        prefixes: &["coverage_html"],
        ..ANY
    },
    Signature {
        names: &["htmlcov"],
        files: &["status.json", "class_index.html"],
        suffixes: &["_py.html"],
        ..ANY
    },
    Signature { names: &[".nyc_output"], suffixes: &[".json"], ..ANY },
    // Web frameworks
    Signature {
        names: &[".next"],
        files: &[
            "build_id",
            "build-manifest.json",
            "app-build-manifest.json",
            "react-loadable-manifest.json",
            "required-server-files.json",
            "prerender-manifest.json",
            "trace",
        ],
        folders: &["cache", "server", "static"],
        ..ANY
    },
    Signature {
        names: &[".nuxt"],
        files: &["nuxt.d.ts", "nuxt.json", "imports.d.ts", "routes.mjs", "app.config.mjs"],
        folders: &["dist", "manifest", "types", "analyze"],
        ..ANY
    },
    Signature {
        names: &[".turbo"],
        folders: &["cache", "daemon", "cookies", "runs", "preferences"],
        suffixes: &[".log"],
        ..ANY
    },
    Signature {
        names: &[".vite"],
        files: &["manifest.json"],
        folders: &["deps", "deps_temp", "vitest"],
        ..ANY
    },
    Signature { names: &[".parcel-cache"], files: &["data.mdb", "lock.mdb"], suffixes: &[".blob"], ..ANY },
    Signature {
        names: &[".svelte-kit"],
        files: &["ambient.d.ts", "non-ambient.d.ts"],
        folders: &["generated", "output", "types"],
        prefixes: &["adapter-"],
        ..ANY
    },
    Signature { names: &[".angular"], folders: &["cache"], ..ANY },
    Signature {
        names: &[".astro"],
        files: &["types.d.ts", "content.d.ts", "settings.json", "data-store.json", "content-assets.mjs"],
        folders: &["collections"],
        ..ANY
    },
    Signature { names: &[".output"], files: &["nitro.json"], folders: &["server", "public"], ..ANY },
    Signature {
        names: &["storybook-static"],
        files: &["iframe.html", "project.json", "index.json"],
        folders: &["sb-manager", "sb-preview", "sb-addons", "sb-common-assets"],
        ..ANY
    },
    // Dart, Swift, Xcode
    Signature {
        names: &[".dart_tool"],
        files: &["package_config.json", "package_config_subset", "package_graph.json"],
        folders: &["flutter_build", "build_resolvers"],
        ..ANY
    },
    Signature {
        names: &[".build"],
        files: &["workspace-state.json", "manifest.db", "debug.yaml", "release.yaml", "build.db"],
        folders: &["checkouts", "repositories", "artifacts", "index-build"],
        prefixes: &["x86_64-", "arm64-", "aarch64-"],
        ..ANY
    },
    Signature {
        names: &["deriveddata"],
        folders: &[
            "modulecache.noindex",
            "build",
            "logs",
            "sourcepackages",
            "index.noindex",
            "symbolcache.noindex",
        ],
        deep: Deep::AnyChild(&["info.plist", "sourcepackages", "modulecache.noindex"]),
        ..ANY
    },
    Signature {
        names: &["xcuserdata"],
        suffixes: &[".xcuserdatad", ".xcuserstate", ".xcbkptlist", "xcschememanagement.plist"],
        ..ANY
    },
    // PHP, Go, Ruby
    Signature { names: &["vendor"], files: &["autoload.php", "modules.txt"], ..ANY },
    Signature { names: &[".bundle"], files: &["config"], ..ANY },
    Signature { names: &["pkg"], folders: &["sumdb"], deep: Deep::Folder("mod", "cache"), ..ANY },
    Signature {
        names: &["log"],
        owner: Stacks::RUBY,
        files: &["development.log", "test.log", "production.log"],
        ..ANY
    },
    // Elixir, Haskell, Terraform, Serverless, Zig
    Signature { names: &["_build"], folders: &["dev", "test", "prod", "default", "doctrees"], ..ANY },
    Signature {
        names: &[".stack-work"],
        files: &["stack.sqlite3", "stack.sqlite3.pantry-write-lock"],
        folders: &["install", "dist", "downloaded"],
        ..ANY
    },
    Signature {
        names: &[".terraform"],
        files: &["terraform.tfstate", "environment"],
        folders: &["providers", "modules", "plugins"],
        ..ANY
    },
    Signature {
        names: &[".serverless"],
        files: &[
            "serverless-state.json",
            "cloudformation-template-update-stack.json",
            "cloudformation-template-create-stack.json",
        ],
        ..ANY
    },
    Signature { names: &["zig-cache", ".zig-cache"], folders: &["h", "o", "z"], ..ANY },
    // Caches that say so themselves
    Signature { names: &["cache", ".cache", "tmp", "temp"], files: CACHE_TAG, ..ANY },
    // Unity and Unreal
    Signature {
        names: &["library"],
        files: &[
            "artifactdb",
            "sourceassetdb",
            "lastscenemanagersetup.txt",
            "editoruserbuildsettings.asset",
            "assetdatabase3",
        ],
        folders: &["scriptassemblies", "packagecache", "shadercache", "statecache", "artifacts"],
        ..ANY
    },
    Signature {
        names: &["intermediate"],
        folders: &["projectfiles", "shaderautogen"],
        prefixes: &["cachedassetregistry"],
        ..ANY
    },
    Signature {
        names: &["saved"],
        folders: &["autosaves", "stagedbuilds", "cooked", "sourcecontrol"],
        two_folders: &["config", "logs", "crashes"],
        ..ANY
    },
    Signature { names: &["binaries"], folders: &["win64", "win32", "linux", "mac"], ..ANY },
];
