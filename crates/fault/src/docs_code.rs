//! The codes of the docs server, once: what each means, what a caller can do about it, and whether calling again helps
//! (contract "MCP boundary"; the words are those of the protocol of the docs server). It does not know which tool raises
//! a code.

/// What a caller can do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retry {
    /// Nothing will help.
    No,
    /// The same call may succeed once something else has changed.
    AfterChange,
    /// Read again first, then call anew.
    AfterRefresh,
    /// Call with other arguments.
    OtherArguments,
}

impl Retry {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Retry::No => "no",
            Retry::AfterChange => "after_change",
            Retry::AfterRefresh => "after_refresh",
            Retry::OtherArguments => "other_arguments",
        }
    }
}

/// Declares the codes with their wire form, retry, meaning and remedy.
macro_rules! codes {
    ($($name:ident = $wire:literal, $retry:ident, $meaning:literal, $remedy:literal;)*) => {
        /// A stable code of the docs server.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DocsCode {
            $(#[doc = $meaning] $name,)*
        }

        impl DocsCode {
            /// Every code, in the order of the reference page.
            pub const ALL: &[DocsCode] = &[$(DocsCode::$name,)*];

            /// The form on the wire; part of the contract.
            pub const fn as_str(self) -> &'static str {
                match self { $(DocsCode::$name => $wire,)* }
            }

            /// Whether calling again helps.
            pub const fn retry(self) -> Retry {
                match self { $(DocsCode::$name => Retry::$retry,)* }
            }

            /// What the code says, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(DocsCode::$name => $meaning,)* }
            }

            /// What a caller can do next, in one sentence.
            pub const fn remedy(self) -> &'static str {
                match self { $(DocsCode::$name => $remedy,)* }
            }
        }
    };
}

codes! {
    InvalidArguments = "invalid_arguments", OtherArguments,
        "An argument has a value that is not allowed.",
        "Correct the named argument; the message says what is accepted.";
    ArgumentTooLarge = "argument_too_large", OtherArguments,
        "An argument is longer than allowed.",
        "Shorten it to the bound in the message.";
    ResponseTooLarge = "response_too_large", OtherArguments,
        "The answer would be longer than any answer may be.",
        "Ask for less: fewer parts, a smaller limit, or a piece of the body.";
    CursorInvalid = "cursor_invalid", OtherArguments,
        "The cursor is not one that this server gave for these arguments.",
        "Take `next_cursor` of the page before and repeat its arguments, or begin without a cursor.";
    CursorStale = "cursor_stale", AfterRefresh,
        "The project has changed since the page before.",
        "Begin again without a cursor.";
    Timeout = "timeout", OtherArguments,
        "The call was not done in its time.",
        "Narrow the call; a first call on a large project may be made again, because loading goes on.";
    Busy = "busy", AfterChange,
        "As many calls wait as may wait.",
        "Call again when an earlier call was answered.";
    Cancelled = "cancelled", AfterChange,
        "The call was taken back.",
        "Call again when its answer is wanted.";
    Io = "io_error", AfterChange,
        "The system gave an error while the proposal was kept.",
        "Look at the disk and its permissions, then call again.";
    Internal = "internal_error", No,
        "Something went wrong that has no code of its own.",
        "Report it with the arguments; other calls are not affected.";
    ProjectUnloadable = "project_unloadable", AfterChange,
        "The project cannot be loaded; the details say why.",
        "Mend what the diagnostics name; the next call looks again.";
    ManifestMissing = "manifest_missing", AfterChange,
        "The project has no docforge.toml.",
        "Write a manifest, for example with `readroom docs init`.";
    ManifestInvalid = "manifest_invalid", AfterChange,
        "The manifest breaks its grammar or one of its cross-checks.",
        "Mend the places that the diagnostics name.";
    ManifestUnsupportedSchema = "manifest_unsupported_schema", AfterChange,
        "The manifest names a schema of another version.",
        "Use a version of the program that knows the schema.";
    RootUnavailable = "root_unavailable", AfterChange,
        "The project root is gone or cannot be read.",
        "Restore the folder, or start the server on another one.";
    SourceLimitExceeded = "source_limit_exceeded", AfterChange,
        "The sources exceed a limit of the project.",
        "Narrow `include` of the sources, or raise the limit in `[limits]` up to its ceiling.";
    SnapshotStale = "snapshot_stale", AfterRefresh,
        "The sources have changed and what they are now is not loaded.",
        "Mend the project or wait until it is loaded, read again, then propose.";
    ContractChanged = "contract_changed_restart_required", No,
        "The manifest is not the one that this server was started with.",
        "Have a person restart the server; until then reads go on under the old contract.";
    IndexDamaged = "index_damaged", AfterChange,
        "The index file is not what it claims to be and was not used.",
        "Have a person run `readroom docs index`.";
    IndexStale = "index_stale", AfterChange,
        "The index file was made of another state of the project and was not used.",
        "Have a person run `readroom docs index`.";
    NodeNotFound = "node_not_found", OtherArguments,
        "There is no node of this id.",
        "Use an id of the details, or find one with docforge_search.";
    NodeAmbiguous = "node_ambiguous", AfterChange,
        "Several nodes claim the id.",
        "Give one of the files in the details another id.";
    TypeUnknown = "type_unknown", OtherArguments,
        "The contract declares no type of this name.",
        "Take a type from docforge_project_info.";
    RelationUnknown = "relation_unknown", OtherArguments,
        "The contract declares no relation of this name.",
        "Take a relation from docforge_project_info; inverse names are none.";
    FieldUnknown = "field_unknown", OtherArguments,
        "No type declares a field of this name.",
        "Take a field from docforge_get_contract.";
    ViewNotFound = "view_not_found", OtherArguments,
        "The contract declares no view of this name.",
        "Take a view from docforge_project_info; renderer names and paths are none.";
    ChangesetNotFound = "changeset_not_found", OtherArguments,
        "There is no changeset of this id.",
        "Take an id from docforge_list_changesets.";
    QueryEmpty = "query_empty", OtherArguments,
        "The query has no letter and no digit.",
        "Write at least one word.";
    QuerySyntax = "query_syntax", OtherArguments,
        "The query is not in the language of search.",
        "Use words, \"phrases\", begin*, -without and a | b.";
    FilterSyntax = "filter_syntax", OtherArguments,
        "The filter does not follow its grammar.",
        "Correct it at the character that the details give.";
    FilterTypeError = "filter_type_error", OtherArguments,
        "An operator or a literal of the filter does not fit its operand.",
        "Look up the type of the field with docforge_get_contract.";
    FilterTooComplex = "filter_too_complex", OtherArguments,
        "The filter exceeds a limit of the language.",
        "Narrow it, for example with `type = …`, or use fewer tests and quantifiers.";
    BudgetTooSmall = "budget_too_small", OtherArguments,
        "The smallest form of the node does not fit the budget.",
        "Give at least the tokens that the details name.";
    ContextProviderFailed = "context_provider_failed", AfterChange,
        "The context provider of the integration gave no plan.",
        "Read the node and its relations with the other tools.";
    AccessDisabled = "proposal_access_disabled", No,
        "The server was started without a writer.",
        "Have a person start it with `--proposal-writer NAME`; validation and diffs work without.";
    OperationDenied = "writer_operation_denied", OtherArguments,
        "The writer may not do this kind of operation.",
        "See `writers` of docforge_get_contract for what it may do.";
    ScopeDenied = "writer_scope_denied", OtherArguments,
        "The writer may not touch this node, type, source or path.",
        "See `writers` of docforge_get_contract for what it may touch.";
    FieldDenied = "writer_field_denied", OtherArguments,
        "The writer may not touch this field or relation.",
        "Leave the field or relation as it is.";
    PolicyChanged = "writer_policy_changed", No,
        "The permissions of the writer are not those that the changeset was made under.",
        "Make a new changeset.";
    PolicyDenied = "policy_denied", OtherArguments,
        "The policy of the integration denies the operation.",
        "Do what the words in the details ask for.";
    ValidatorDenied = "validator_denied", OtherArguments,
        "A validator of the integration denies the operation.",
        "Do what the finding asks for.";
    ForeignWriter = "changeset_foreign_writer", OtherArguments,
        "Another writer made the changeset.",
        "Add operations to changesets of this server's writer only.";
    ChangesetClosed = "changeset_closed", OtherArguments,
        "The changeset is applied, rejected or withdrawn.",
        "Make a new changeset.";
    VersionConflict = "changeset_version_conflict", AfterRefresh,
        "The changeset has another version than the one that was expected.",
        "Read the changeset again, then propose with its version.";
    ChangesetLimit = "changeset_limit_exceeded", AfterChange,
        "There are too many changesets, operations or bytes.",
        "Have a person apply, reject or withdraw open changesets, or split the proposal.";
    Damaged = "changeset_damaged", No,
        "The log of the changeset has a gap or does not hold together.",
        "Make a new changeset; a person can look at the damaged one.";
    ChangesetRoot = "changeset_root_unavailable", AfterChange,
        "The folder of the changesets is gone, was replaced or cannot be used.",
        "Have a person restore the folder and restart the server.";
    IdempotencyMismatch = "idempotency_mismatch", OtherArguments,
        "The key was used with other arguments.",
        "Use another key, or the arguments of the first call.";
    BaseConflict = "base_conflict", AfterRefresh,
        "The node is not as the proposal believes it to be.",
        "Read the node again, look at what moved in the details, then propose with its hash.";
    NoChange = "no_change", OtherArguments,
        "The operation changes nothing.",
        "Leave it out, or propose another value.";
    IdInvalid = "id_invalid", OtherArguments,
        "The id has a form that is not allowed.",
        "Follow `id_pattern` or `id_hint` of the type.";
    IdTaken = "id_taken", OtherArguments,
        "A node has or had the id.",
        "Choose another id.";
    SchemaViolation = "schema_violation", OtherArguments,
        "The node does not fit its type.",
        "Follow the skeleton that docforge_get_contract gives for the type.";
    RelationViolation = "relation_violation", OtherArguments,
        "A relation is not declared or does not fit.",
        "See `relations` of docforge_get_contract.";
    PlacementInvalid = "placement_invalid", OtherArguments,
        "The place is outside of what the source includes, or its name is not allowed.",
        "Name a file that the `include` of a writable source matches.";
    PlacementConflict = "placement_conflict", OtherArguments,
        "Something else is at the place.",
        "Name another file.";
    AdapterReadOnly = "adapter_read_only", OtherArguments,
        "The source cannot be written.",
        "Name a source that docforge_project_info lists as writable.";
    RoundtripFailed = "adapter_roundtrip_failed", OtherArguments,
        "The text would not read back as it was proposed.",
        "Change the text that the message names.";
    CollateralChange = "collateral_change", OtherArguments,
        "Another node of the file would change.",
        "Propose text that stays inside of its own node.";
    EditNotFound = "edit_not_found", AfterRefresh,
        "The text to be replaced is not in the body.",
        "Read the body again and quote it exactly.";
    EditAmbiguous = "edit_ambiguous", OtherArguments,
        "The text to be replaced is in the body more than once.",
        "Quote more of it, or number it with `occurrence`.";
    PreviewRoot = "preview_root_unavailable", AfterChange,
        "The folder of the previews is gone, was replaced or cannot be used.",
        "Have a person restore the folder and restart the server.";
    OverlayUnloadable = "overlay_unloadable", AfterChange,
        "The project with the proposals cannot be put together.",
        "Look at docforge_validate_changeset.";
    RenderLimit = "render_limit_exceeded", AfterChange,
        "The page would be larger than allowed.",
        "Narrow `where` of the view.";
    RenderFailed = "render_failed", AfterChange,
        "The view could not be rendered.",
        "Look at docforge_validate_project, then at the options of the view.";
    VisualizeDisabled = "visualize_disabled", No,
        "The server was started with --no-visualize.",
        "Have a person start it without, or run `readroom docs browse`.";
    VisualizeBindFailed = "visualize_bind_failed", AfterChange,
        "No port of this machine could be opened for the page.",
        "Call again, or have a person look at the machine.";
    VisualizeConflict = "visualize_arguments_conflict", OtherArguments,
        "At most one of node, query and mode can be given.",
        "Leave out all but one.";
    VisualizeNoSnapshot = "visualize_no_snapshot", AfterChange,
        "There is nothing loaded that could be shown.",
        "Mend what docforge_validate_project names.";
}

impl DocsCode {
    /// The code of this wire form.
    pub fn parse(wire: &str) -> Option<DocsCode> {
        DocsCode::ALL.iter().copied().find(|code| code.as_str() == wire)
    }
}

impl std::fmt::Display for DocsCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::DocsCode;

    #[test]
    fn wire_forms_are_distinct_words_that_read_back() {
        let mut seen = std::collections::HashSet::new();
        for code in DocsCode::ALL {
            assert!(seen.insert(code.as_str()), "{code} stands twice");
            assert!(code.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
            assert!(code.meaning().ends_with('.') && code.remedy().ends_with('.'), "{code}");
            assert_eq!(DocsCode::parse(code.as_str()), Some(*code));
        }
        assert_eq!(DocsCode::parse("no_such_code"), None);
    }
}
