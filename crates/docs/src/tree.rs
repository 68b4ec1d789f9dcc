//! Structured text as an adapter read it, before the contract gives anything a type: scalars stay text. It does not
//! know the format that it came from.

/// Where something stands in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte, from 0.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// Line of the first byte, from 1.
    pub line: u32,
    /// Column of the first byte in characters, from 1.
    pub column: u32,
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// What it is.
    pub kind: TreeKind,
    /// Where it stands.
    pub span: Span,
}

/// What a value of the YAML subset is (spec C3).
#[derive(Clone, Debug, PartialEq)]
pub enum TreeKind {
    /// Text that the contract will type.
    Scalar(Scalar),
    /// An array, in order.
    Sequence(Vec<Tree>),
    /// A table, in order, without duplicate keys; each key with its place.
    Mapping(Vec<(String, Span, Tree)>),
}

/// One scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text after unquoting and unfolding.
    pub text: String,
    /// Whether it was written without quotes: a plain empty scalar, `null` or `~` means absent, a quoted one is text.
    pub is_plain: bool,
}

impl Tree {
    /// The text of a scalar that means something; `None` for tables, arrays and plain null.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            TreeKind::Scalar(scalar) if !scalar.is_null() => Some(&scalar.text),
            _ => None,
        }
    }

    /// Whether it means that nothing was given.
    pub fn is_absent(&self) -> bool {
        matches!(&self.kind, TreeKind::Scalar(scalar) if scalar.is_null())
    }

    /// The value under `key` of a mapping.
    pub fn get(&self, key: &str) -> Option<&Tree> {
        match &self.kind {
            TreeKind::Mapping(entries) => {
                entries.iter().find(|(name, _, _)| name == key).map(|(_, _, value)| value)
            }
            _ => None,
        }
    }
}

impl Scalar {
    /// A plain null of the YAML core schema.
    pub fn is_null(&self) -> bool {
        self.is_plain && matches!(self.text.as_str(), "" | "~" | "null" | "Null" | "NULL")
    }
}
