//! Every stable code, once: its wire form, what it means and what a caller can do about it.
//! It does not know which tool raises a code.

/// Declares the codes together with their wire form, meaning and remedy, so that a code without
/// an explanation cannot exist and the reference page can be generated.
macro_rules! codes {
    ($($name:ident = $wire:literal, $meaning:literal, $remedy:literal;)*) => {
        /// A stable code of a contract: the first word of an error or a warning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $meaning] $name,)*
        }

        impl Code {
            /// Every code, in the order of the reference page.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The form on the wire; part of the contract.
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $wire,)* }
            }

            /// What the code says, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Code::$name => $meaning,)* }
            }

            /// What a caller can do next, in one sentence.
            pub const fn remedy(self) -> &'static str {
                match self { $(Code::$name => $remedy,)* }
            }
        }
    };
}

codes! {
    InvalidArguments = "DPX-MCP-INVALID-ARGUMENTS",
        "An argument is unknown, missing, of the wrong type or not one of the accepted values.",
        "Correct the named argument; the text lists what is accepted.";
    InvalidRange = "DPX-MCP-INVALID-RANGE",
        "An integer or a line range is outside its bounds.",
        "Use a value inside the interval that the text gives.";
    InvalidPattern = "DPX-MCP-INVALID-PATTERN",
        "A regular expression or a glob is not valid, too long or too expensive.",
        "Simplify the pattern; look-around and back-references are not available.";
    UnknownProject = "DPX-MCP-UNKNOWN-PROJECT",
        "The project is missing, or is not one of the roots this server was started with.",
        "Call list_projects and pass one of its paths as `project`.";
    RootViolation = "DPX-MCP-ROOT-VIOLATION",
        "A path leaves the project root.",
        "Use a path relative to the project root, without `..` and without links that lead outside.";
    PathNotFound = "DPX-MCP-PATH-NOT-FOUND",
        "A path does not exist, is not a file, or is outside the effective selection.",
        "Take a file path from get_tree or search_project.";
    ProjectUnavailable = "DPX-MCP-PROJECT-UNAVAILABLE",
        "The project or its Git state could not be read.",
        "Fix access to the project or its Git state, then call again.";
    PayloadTruncated = "DPX-MCP-PAYLOAD-TRUNCATED",
        "Something was left out because it was too large or could not be inspected.",
        "Narrow the request with paths, patterns, max_depth or max_file_bytes.";
    PackExpired = "DPX-MCP-PACK-EXPIRED",
        "The pack id is unknown in this server process, or its file is gone.",
        "Call pack_context again and use the new pack id.";
    PackTooLarge = "DPX-MCP-PACK-TOO-LARGE",
        "The pack would exceed 200 MiB, or all packs of this session 1 GiB.",
        "Narrow paths or patterns, lower the detail, or use tracked_only.";
    RemoteDisabled = "DPX-MCP-REMOTE-DISABLED",
        "A repository URL was given to a server that was started without --allow-remote.",
        "Start the server with --allow-remote, or use a local root.";
    RemoteFailed = "DPX-MCP-REMOTE-FAILED",
        "A remote repository could not be fetched or checked out.",
        "Check the address, the branch and the network, then call again.";
    RemoteLimit = "DPX-MCP-REMOTE-LIMIT",
        "This session already holds 16 distinct remote sources.",
        "Reuse a URL and branch of this session, or restart the server.";
    OperationFailed = "DPX-MCP-OPERATION-FAILED",
        "The call failed for a reason that has no code of its own.",
        "Call again; if it fails again, narrow the request.";
    GitStateDeleted = "DPX-GIT-STATE-DELETED",
        "The Git scope names paths that are absent from the working tree.",
        "Read the deleted content from Git itself when it is needed.";
    GitTrackedIndexPartial = "DPX-GIT-TRACKED-INDEX-PARTIAL",
        "The index of a nested repository could not be read, so its files were left out.",
        "Repair the nested repository, or exclude it.";
    GitTrackedIndexUnavailable = "DPX-GIT-TRACKED-INDEX-UNAVAILABLE",
        "No readable Git index was found.",
        "Check the repository, or omit tracked_only.";
    GitStateUnavailable = "DPX-GIT-STATE-UNAVAILABLE",
        "The Git state could not be read, or a reference is not a commit.",
        "Check the references and the repository, or omit git_scope.";
    GitUnsafeFilter = "DPX-GIT-UNSAFE-FILTER",
        "A filter program of the repository would have to run to answer.",
        "Use git_scope staged or a diff between two references.";
    ProjectPartialAccess = "DPX-PROJECT-PARTIAL-ACCESS",
        "Some folders or ignore files could not be read, or a scan limit was reached; the result is partial.",
        "Check permissions and ignore files, or narrow the request.";
    SelectionPathMissing = "DPX-SELECTION-PATH-MISSING",
        "A selected path of the profile is not in the effective tree.",
        "Call get_tree and update the profile.";
    ProjectSelectionWarning = "DPX-PROJECT-SELECTION-WARNING",
        "The selection carries a warning that has no code of its own.",
        "Call get_tree to see the effective selection.";
    EvdInvalidArguments = "EVD-INVALID-ARGUMENTS",
        "An argument is unknown, missing, of the wrong type, or a term is empty, too long or one too many.",
        "Correct the named argument; the message says what is accepted.";
    EvdInvalidRange = "EVD-INVALID-RANGE",
        "A line number is out of bounds, the range is reversed, or it spans more than 500 lines.",
        "Ask for start at least 1, end not before start, and at most 500 lines.";
    EvdPathDenied = "EVD-PATH-DENIED",
        "The path is not one that this server reads; the message says which rule it meets.",
        "Take a path from file_inventory or from a hit of context_search.";
    EvdPathNotFound = "EVD-PATH-NOT-FOUND",
        "Nothing has this path.",
        "Take a path from file_inventory or from a hit of context_search.";
    EvdNotText = "EVD-NOT-TEXT",
        "The file is binary or not valid UTF-8.",
        "Look at the file with a program of your own.";
    EvdTooLarge = "EVD-TOO-LARGE",
        "The file has more than 256 KiB.",
        "Look at the file with a program of your own.";
    EvdLineTooLong = "EVD-LINE-TOO-LONG",
        "The first line asked for is longer than a whole answer.",
        "Skip the line, or look at it with a program of your own.";
    EvdChanged = "EVD-CHANGED",
        "The file was written or replaced while it was read.",
        "Call again.";
    EvdBusy = "EVD-BUSY",
        "Sixteen calls are running or waiting.",
        "Call again when an earlier call was answered.";
    EvdOperationFailed = "EVD-OPERATION-FAILED",
        "The call failed for a reason that has no code of its own.",
        "Follow the message; call again after its cause is gone.";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn wire_forms_are_unique_and_upper_case() {
        let mut seen = std::collections::HashSet::new();
        for code in Code::ALL {
            assert!(seen.insert(code.as_str()), "{code} stands twice");
            assert!(code.as_str().chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-'));
            assert!(code.meaning().ends_with('.') && code.remedy().ends_with('.'));
        }
    }
}
