//! What can be wrong with a project, as data: code, severity, place, words, and what to write instead (spec C7). It
//! does not find anything wrong by itself.

use std::cmp::Ordering;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The project is invalid.
    Error,
    /// Worth mending.
    Warn,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warn => "warn",
            Severity::Info => "info",
        }
    }

    /// Reads the word back.
    pub fn parse(word: &str) -> Option<Severity> {
        [Severity::Error, Severity::Warn, Severity::Info].into_iter().find(|one| one.as_str() == word)
    }
}

/// Declares the checks with their wire form, default severity and whether a manifest may set it.
macro_rules! checks {
    ($($name:ident = $wire:literal, $severity:ident, $settable:literal, $meaning:literal;)*) => {
        /// What was checked: the closed list of diagnostic codes, and the rules of the manifest.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Check {
            $(#[doc = $meaning] $name,)*
            /// A rule of the manifest, by its id: `rule:<id>` on the wire.
            Rule(String),
        }

        impl Check {
            /// Every check that is not a rule, in the order of the reference page.
            pub const BUILT_IN: &[Check] = &[$(Check::$name,)*];

            /// The code on the wire.
            pub fn code(&self) -> std::borrow::Cow<'static, str> {
                match self {
                    $(Check::$name => $wire.into(),)*
                    Check::Rule(id) => format!("rule:{id}").into(),
                }
            }

            /// The severity when the manifest sets none; that of a rule stands with the rule.
            pub const fn severity(&self) -> Severity {
                match self {
                    $(Check::$name => Severity::$severity,)*
                    Check::Rule(_) => Severity::Error,
                }
            }

            /// Whether `[checks]` of a manifest may change the severity.
            pub const fn is_settable(&self) -> bool {
                match self {
                    $(Check::$name => $settable,)*
                    Check::Rule(_) => false,
                }
            }

            /// What the code says, in one sentence.
            pub const fn meaning(&self) -> &'static str {
                match self {
                    $(Check::$name => $meaning,)*
                    Check::Rule(_) => "A rule of the manifest does not hold.",
                }
            }
        }
    };
}

checks! {
    ManifestMissing = "manifest_missing", Error, false, "The project has no docforge.toml.";
    ManifestInvalid = "manifest_invalid", Error, false, "The manifest breaks its grammar or one of its cross-checks.";
    ManifestUnsupportedSchema = "manifest_unsupported_schema", Error, false, "The manifest names a schema of another version.";
    SourceOverlap = "source_overlap", Error, false, "Two sources claim the same file.";
    DuplicateId = "duplicate_id", Error, false, "Two or more nodes claim one id; none of them is served.";
    IdInvalid = "id_invalid", Error, false, "An id has a form that is not allowed.";
    IdMissing = "id_missing", Error, false, "A node has no id.";
    IdCaseCollision = "id_case_collision", Error, false, "Two ids differ only by case.";
    AliasConflict = "alias_conflict", Error, false, "An alias is also a live id, or two nodes have it.";
    TypeMissing = "type_missing", Error, false, "A node has no type and its source gives none.";
    TypeUnknown = "type_unknown", Error, false, "A node has a type that the manifest does not declare.";
    YamlInvalid = "yaml_invalid", Error, false, "The structured text cannot be parsed.";
    YamlUnsupported = "yaml_unsupported", Error, false, "The structured text uses what the subset leaves out.";
    FrontMatterUnclosed = "front_matter_unclosed", Error, false, "Front matter is opened and never closed.";
    InverseStated = "inverse_stated", Error, false, "A file states the inverse name of a relation.";
    EncodingInvalid = "encoding_invalid", Error, false, "A file is not valid UTF-8.";
    FileTooLarge = "file_too_large", Error, false, "A file is larger than the limit.";
    LimitExceeded = "limit_exceeded", Error, false, "A node or a file exceeds a limit.";
    PathUnsupported = "path_unsupported", Error, false, "A path has characters that are not supported.";
    SymlinkRefused = "symlink_refused", Warn, false, "A symbolic link is not followed.";
    SpecialRefused = "special_refused", Error, false, "A source is not a regular file.";
    Unreadable = "unreadable", Error, false, "A source could not be read.";
    FieldRequired = "field_required", Error, true, "A required field is missing.";
    FieldTypeWrong = "field_type", Error, true, "A value does not have the type of its field.";
    EnumValue = "enum_value", Error, true, "A value is not one of the declared ones.";
    FieldRange = "field_range", Error, true, "A value or a list is outside its bounds.";
    FieldPattern = "field_pattern", Error, true, "A value does not match its pattern.";
    UnknownField = "unknown_field", Error, true, "A key is neither a field, a relation nor reserved.";
    BodyRequired = "body_required", Error, true, "A body is required and empty.";
    BodyForbidden = "body_forbidden", Error, true, "A body is given and forbidden.";
    RelationUnknown = "relation_unknown", Error, true, "A relation is not declared.";
    RelationTypeFrom = "relation_type_from", Error, true, "A relation may not start at this type.";
    RelationTypeTo = "relation_type_to", Error, true, "A relation may not lead to this type.";
    TargetCondition = "target_condition", Error, true, "The target does not meet the condition of the relation.";
    DanglingRelation = "dangling_relation", Error, true, "The target of a relation does not exist.";
    AmbiguousTarget = "ambiguous_target", Error, true, "The target of a relation or a mention can be several nodes.";
    CardinalityMin = "cardinality_min", Error, true, "A node states too few relations of a kind.";
    CardinalityMax = "cardinality_max", Error, true, "A node states too many relations of a kind.";
    InverseCardinality = "inverse_cardinality", Error, true, "Too few or too many relations lead to a node.";
    Cycle = "cycle", Error, true, "An acyclic relation has a cycle.";
    SelfRelation = "self_relation", Error, true, "A relation leads to its own node.";
    MissingPair = "missing_pair", Warn, true, "The other end does not state the paired relation.";
    DuplicateRelation = "duplicate_relation", Warn, true, "One relation is stated twice.";
    PinMissing = "pin_missing", Warn, true, "A required pin is missing.";
    SuspectPin = "suspect_pin", Warn, true, "The target has changed since it was pinned.";
    MentionDangling = "mention_dangling", Warn, true, "The target of an inline link does not exist.";
    BrokenAnchor = "broken_anchor", Warn, true, "A link names a heading that does not exist.";
    BrokenPathLink = "broken_path_link", Warn, true, "A link names a file that does not exist.";
    Orphan = "orphan", Info, true, "No relation starts or ends at a node.";
    DuplicateTitle = "duplicate_title", Warn, true, "Two nodes of one type have the same title.";
    IdPathMismatch = "id_path_mismatch", Warn, true, "The file name does not begin with the id.";
    HiddenCharacters = "hidden_characters", Warn, true, "A text holds characters that do not show.";
    ForeignCodeSkipped = "foreign_code_skipped", Warn, true, "Code of another tool was found and not run.";
}

/// Where a finding stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Project-relative path with `/`; absent when the path itself cannot be shown.
    pub path: Option<String>,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column in characters, from 1.
    pub column: Option<u32>,
}

impl Place {
    /// A file as a whole.
    pub fn file(path: impl Into<String>) -> Place {
        Place { path: Some(path.into()), line: None, column: None }
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What was checked.
    pub check: Check,
    /// How bad it is under this manifest.
    pub severity: Severity,
    /// Where it stands.
    pub place: Place,
    /// The node that it concerns, by id.
    pub node: Option<String>,
    /// Words of the engine: no text of a document, names and ids only when they are checked.
    pub message: String,
    /// Free text that belongs to the finding (an unresolved target, a wrong value, a rule's own message); on the wire
    /// it stands under `doc`.
    pub doc: Option<String>,
    /// Ids or paths of other nodes that take part, in order.
    pub related: Vec<String>,
    /// What to write instead, in words of the engine.
    pub fix: Option<String>,
}

impl Diagnostic {
    /// A finding with the default severity of `check`.
    pub fn new(check: Check, place: Place, message: impl Into<String>) -> Diagnostic {
        let severity = check.severity();
        Diagnostic {
            check,
            severity,
            place,
            node: None,
            message: message.into(),
            doc: None,
            related: Vec::new(),
            fix: None,
        }
    }

    /// The same about a node.
    #[must_use]
    pub fn about(mut self, node: impl Into<String>) -> Diagnostic {
        self.node = Some(node.into());
        self
    }

    /// The same with what to write instead.
    #[must_use]
    pub fn fix(mut self, words: impl Into<String>) -> Diagnostic {
        self.fix = Some(words.into());
        self
    }

    /// The same with text of a document beside it.
    #[must_use]
    pub fn with_doc(mut self, text: impl Into<String>) -> Diagnostic {
        self.doc = Some(text.into());
        self
    }

    /// The published order: path, line, column, code, node.
    pub fn order(&self, other: &Diagnostic) -> Ordering {
        let key = |one: &Diagnostic| {
            (
                one.place.path.clone(),
                one.place.line,
                one.place.column,
                one.check.code().into_owned(),
                one.node.clone(),
            )
        };
        key(self).cmp(&key(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_words() {
        let mut codes: Vec<_> = Check::BUILT_IN.iter().map(Check::code).collect();
        assert!(codes.iter().all(|code| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
        codes.sort();
        codes.dedup();
        assert_eq!(codes.len(), Check::BUILT_IN.len());
    }
}
