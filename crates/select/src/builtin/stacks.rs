//! The technology stacks of a project: which file marks one, and which folder names it owns outright (spec
//! `project.md` 6.3). Names that can also be source stand in `signatures`, not here.

use disk::{Entry, Kind};

use super::ends_with_ignoring_case;

/// A set of stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stacks(u16);

impl Stacks {
    pub(crate) const NONE: Stacks = Stacks(0);
    // The first six are the ones that redaction knows, with its bits.
    pub(crate) const DOTNET: Stacks = Stacks(1);
    pub(crate) const FRONTEND: Stacks = Stacks(1 << 1);
    pub(crate) const PYTHON: Stacks = Stacks(1 << 2);
    pub(crate) const JVM: Stacks = Stacks(1 << 3);
    pub(crate) const TERRAFORM: Stacks = Stacks(1 << 4);
    pub(crate) const CONTAINER: Stacks = Stacks(1 << 5);
    pub(crate) const GO: Stacks = Stacks(1 << 6);
    pub(crate) const RUST: Stacks = Stacks(1 << 7);
    pub(crate) const PHP: Stacks = Stacks(1 << 8);
    pub(crate) const RUBY: Stacks = Stacks(1 << 9);
    pub(crate) const APPLE: Stacks = Stacks(1 << 10);
    pub(crate) const DART: Stacks = Stacks(1 << 11);

    const OF_REDACTION: u16 = 63;

    const fn union(self, other: Stacks) -> Stacks {
        Stacks(self.0 | other.0)
    }

    pub(crate) const fn has(self, other: Stacks) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Those that own folder names.
    pub(crate) const fn owning(self) -> Stacks {
        Stacks(self.0 & !(Stacks::TERRAFORM.0 | Stacks::CONTAINER.0))
    }

    /// Those that redaction is told.
    pub(crate) const fn told(self) -> Stacks {
        Stacks(self.0 & Stacks::OF_REDACTION)
    }

    /// Those that redaction knows, as its bits: 1 .NET, 2 Node, 4 Python, 8 JVM, 16 Terraform, 32 container.
    pub(crate) const fn redaction_bits(self) -> u8 {
        (self.0 & Stacks::OF_REDACTION) as u8
    }
}

/// Files whose whole name marks a stack.
const NAMES: &[(&str, Stacks)] = &[
    ("bun.lock", Stacks::FRONTEND),
    ("bun.lockb", Stacks::FRONTEND),
    ("npm-shrinkwrap.json", Stacks::FRONTEND),
    ("package-lock.json", Stacks::FRONTEND),
    ("package.json", Stacks::FRONTEND),
    ("pnpm-lock.yaml", Stacks::FRONTEND),
    ("pnpm-workspace.yaml", Stacks::FRONTEND),
    ("yarn.lock", Stacks::FRONTEND),
    ("environment.yml", Stacks::PYTHON),
    ("pipfile", Stacks::PYTHON),
    ("poetry.lock", Stacks::PYTHON),
    ("pyproject.toml", Stacks::PYTHON),
    ("requirements-dev.txt", Stacks::PYTHON),
    ("requirements.txt", Stacks::PYTHON),
    ("setup.cfg", Stacks::PYTHON),
    ("setup.py", Stacks::PYTHON),
    ("pom.xml", Stacks::JVM),
    ("build.gradle", Stacks::JVM),
    ("build.gradle.kts", Stacks::JVM),
    ("settings.gradle", Stacks::JVM),
    ("settings.gradle.kts", Stacks::JVM),
    ("build.sbt", Stacks::JVM),
    ("go.mod", Stacks::GO),
    ("go.work", Stacks::GO),
    ("cargo.toml", Stacks::RUST),
    ("composer.json", Stacks::PHP),
    ("gemfile", Stacks::RUBY),
    ("gemfile.lock", Stacks::RUBY),
    ("package.swift", Stacks::APPLE),
    ("podfile", Stacks::APPLE),
    ("cartfile", Stacks::APPLE),
    ("pubspec.yaml", Stacks::DART),
    ("pubspec.lock", Stacks::DART),
    ("compose.yml", Stacks::CONTAINER),
    ("compose.yaml", Stacks::CONTAINER),
];

/// Files whose ending marks a stack.
const ENDINGS: &[(&str, Stacks)] = &[
    (".sln", Stacks::DOTNET),
    (".csproj", Stacks::DOTNET),
    (".fsproj", Stacks::DOTNET),
    (".vbproj", Stacks::DOTNET),
    (".tf", Stacks::TERRAFORM),
];

/// The stacks whose markers stand among the entries of one folder. Only regular files mark.
pub(crate) fn stacks_of(entries: &[Entry]) -> Stacks {
    entries
        .iter()
        .filter(|entry| entry.kind == Kind::File)
        .fold(Stacks::NONE, |stacks, entry| stacks.union(stacks_of_name(&entry.name)))
}

fn stacks_of_name(name: &[u8]) -> Stacks {
    let whole = |text: &str| name.eq_ignore_ascii_case(text.as_bytes());
    let mut stacks = Stacks::NONE;
    for (text, stack) in NAMES {
        if whole(text) {
            stacks = stacks.union(*stack);
        }
    }
    for (ending, stack) in ENDINGS {
        if ends_with_ignoring_case(name, ending.as_bytes()) {
            stacks = stacks.union(*stack);
        }
    }
    let compose = name.len() >= 14 && name[..14].eq_ignore_ascii_case(b"docker-compose");
    if compose && [".yml", ".yaml"].iter().any(|ending| ends_with_ignoring_case(name, ending.as_bytes())) {
        stacks = stacks.union(Stacks::CONTAINER);
    }
    stacks
}

/// Folder names that a stack owns outright: no project keeps source under them.
const OWNED: &[(Stacks, &[&str])] = &[
    (
        Stacks::FRONTEND,
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
        Stacks::PYTHON,
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
    (Stacks::JVM, &[".gradle"]),
    (Stacks::RUBY, &[".bundle"]),
    (Stacks::APPLE, &[".build", "deriveddata", "pods", "carthage"]),
    (Stacks::DART, &[".dart_tool"]),
];

/// Whether a stack of `owner` hides folders of this name (in lower case) without further proof.
pub(crate) fn hides(owner: Stacks, name: &str) -> bool {
    OWNED.iter().any(|(stack, names)| owner.has(*stack) && names.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_of_the_table_marks_its_stack_in_any_case() {
        for (name, stack) in NAMES {
            assert_eq!(stacks_of_name(name.as_bytes()), *stack, "{name}");
            assert_eq!(stacks_of_name(name.to_uppercase().as_bytes()), *stack, "{name}");
        }
        for (ending, stack) in ENDINGS {
            assert_eq!(stacks_of_name(format!("App{ending}").as_bytes()), *stack, "{ending}");
        }
        assert_eq!(stacks_of_name(b"docker-compose.prod.yaml"), Stacks::CONTAINER);
        assert_eq!(stacks_of_name(b"docker-compose.yml"), Stacks::CONTAINER);
    }

    #[test]
    fn other_names_mark_nothing() {
        for name in
            ["", "a", "main.rs", "sln", "csproj", "package.jsonx", "xpackage.json", "docker-compose.txt"]
        {
            assert_eq!(stacks_of_name(name.as_bytes()), Stacks::NONE, "{name}");
        }
    }

    #[test]
    fn folders_and_links_mark_nothing() {
        let entry = |kind| Entry { name: b"package.json".as_slice().into(), kind };
        for kind in [Kind::Directory, Kind::Link, Kind::Special] {
            assert_eq!(stacks_of(&[entry(kind)]), Stacks::NONE);
        }
        assert_eq!(stacks_of(&[entry(Kind::File)]), Stacks::FRONTEND);
    }

    #[test]
    fn redaction_gets_its_own_bits_and_only_those() {
        let all = Stacks(u16::MAX);
        assert_eq!(all.redaction_bits(), 63);
        for (stack, bits) in [
            (Stacks::DOTNET, 1),
            (Stacks::FRONTEND, 2),
            (Stacks::PYTHON, 4),
            (Stacks::JVM, 8),
            (Stacks::TERRAFORM, 16),
            (Stacks::CONTAINER, 32),
            (Stacks::GO, 0),
            (Stacks::RUST, 0),
        ] {
            assert_eq!(stack.redaction_bits(), bits);
        }
    }

    #[test]
    fn a_stack_owns_its_names_and_no_other_stacks_names() {
        assert!(hides(Stacks::FRONTEND, "node_modules") && hides(Stacks::FRONTEND, ".cache"));
        assert!(hides(Stacks::PYTHON, "venv") && hides(Stacks::APPLE, "pods"));
        assert!(!hides(Stacks::PYTHON, "node_modules") && !hides(Stacks::NONE, "node_modules"));
        for name in [
            "bin", "obj", "build", "out", "dist", "vendor", "log", "tmp", "env", "packages", "target",
            "coverage", "cache",
        ] {
            assert!(!hides(Stacks(u16::MAX), name), "{name} can be source");
        }
    }
}
