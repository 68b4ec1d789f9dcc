//! What detection is asked and what it answers: plain values. It knows no rule and no text.

use std::ops::Range;

use fault::Stop;

/// The most findings that one text may hold; with more it is not shown at all (`project.md` 9.2).
pub const MAX_FINDINGS: usize = 4_096;

/// What a session hides. Secrets always are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Whether private data is hidden too (`--hide-private-data`).
    pub private_data: bool,
}

/// What detection may know about a file besides its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileFacts<'a> {
    /// The path below the root, separated by `/`; empty when the text is no file.
    pub path: &'a str,
    /// The stacks whose markers stand in the nearest owning folder.
    pub stacks: Stacks,
}

/// A set of technology stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stacks(u8);

impl Stacks {
    /// No stack.
    pub const NONE: Stacks = Stacks(0);
    /// .NET projects and solutions.
    pub const DOTNET: Stacks = Stacks(1);
    /// Node packages.
    pub const NODE: Stacks = Stacks(2);
    /// Python projects.
    pub const PYTHON: Stacks = Stacks(4);
    /// Maven and Gradle builds.
    pub const JVM: Stacks = Stacks(8);
    /// Terraform folders.
    pub const TERRAFORM: Stacks = Stacks(16);
    /// Compose files.
    pub const CONTAINER: Stacks = Stacks(32);

    /// The set with the stacks of both.
    #[must_use]
    pub const fn with(self, other: Stacks) -> Stacks {
        Stacks(self.0 | other.0)
    }

    /// Whether every stack of `other` is in this set.
    pub const fn holds(self, other: Stacks) -> bool {
        self.0 & other.0 == other.0
    }

    /// The set of plain bits: 1 .NET, 2 Node, 4 Python, 8 JVM, 16 Terraform, 32 container. Other bits are dropped.
    pub const fn from_bits(bits: u8) -> Stacks {
        Stacks(bits & 63)
    }

    /// The plain bits of [`Stacks::from_bits`].
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// Whether a finding is a secret or private data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A credential.
    Secret,
    /// Data about a person or a machine.
    Private,
}

/// A piece of a text that must not be shown. It holds no text itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where it stands, in bytes; both ends are character boundaries.
    pub range: Range<usize>,
    /// The rule's id, which names the placeholder.
    pub rule: &'static str,
    /// What it is.
    pub class: Class,
}

/// Why a text could not be inspected and must be withheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uninspectable {
    /// More than [`MAX_FINDINGS`] findings.
    #[error("too many findings")]
    TooManyFindings,
    /// The inspection took more work than one text is worth.
    #[error("inspection took too long")]
    TooSlow,
    /// The call was cancelled or reached its deadline.
    #[error(transparent)]
    Stopped(#[from] Stop),
}
