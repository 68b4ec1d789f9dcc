//! Why a filter cannot be used: code, place, words and names that were perhaps meant. The words are the engine's.

/// What kind of mistake it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilterProblem {
    /// It does not follow the grammar.
    Syntax,
    /// An operator or a literal does not fit its operand.
    TypeError,
    /// It exceeds a limit of the language.
    TooComplex,
    /// A field that no type declares.
    FieldUnknown,
    /// A type that the contract does not declare.
    TypeUnknown,
    /// A relation that the contract does not declare.
    RelationUnknown,
}

impl FilterProblem {
    /// The code on the wire (spec C16).
    pub const fn as_str(self) -> &'static str {
        match self {
            FilterProblem::Syntax => "filter_syntax",
            FilterProblem::TypeError => "filter_type_error",
            FilterProblem::TooComplex => "filter_too_complex",
            FilterProblem::FieldUnknown => "field_unknown",
            FilterProblem::TypeUnknown => "type_unknown",
            FilterProblem::RelationUnknown => "relation_unknown",
        }
    }
}

/// Why a filter cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (character {position})")]
pub struct FilterFault {
    /// What kind of mistake it is.
    pub code: FilterProblem,
    /// Where it stands: characters of the filter, from 1.
    pub position: usize,
    /// What is wrong, in words of the engine; only names of the contract are repeated.
    pub message: String,
    /// At most three names that were perhaps meant, nearest first.
    pub near: Vec<String>,
}
