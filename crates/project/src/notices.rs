//! The trusted warnings of this server: codes, counts and advice, never a path. It does not know which call
//! they belong to.

use fault::{Code, Notice, Text};

use crate::limits::INSPECT_BYTES_MAX;

/// What not being inspected means for a tool's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consequence {
    /// `analyze`.
    MetricsEstimated,
    /// `pack_context`.
    ContentWithheld,
    /// `search_project`.
    NotSearched,
}

/// Some selected files could not be inspected; nothing to say about none.
pub(crate) fn uninspected(files: u64, consequence: Consequence) -> Option<Notice> {
    if files == 0 {
        return None;
    }
    let text = match (files, consequence) {
        (1, Consequence::MetricsEstimated) => Text::new(
            "1 selected file could not be inspected for secrets; its metrics are estimated from its size",
        ),
        (1, Consequence::ContentWithheld) => Text::new(
            "1 selected file could not be inspected for secrets; its content is withheld from the pack",
        ),
        (1, Consequence::NotSearched) => {
            Text::new("1 selected file could not be inspected for secrets; it was not searched")
        }
        (_, consequence) => Text::default()
            .number(files)
            .and(" selected files could not be inspected for secrets; ")
            .and(match consequence {
                Consequence::MetricsEstimated => "their metrics are estimated from their size",
                Consequence::ContentWithheld => "their content is withheld from the pack",
                Consequence::NotSearched => "they were not searched",
            }),
    };
    let text = text
        .and(". Set max_file_bytes to ")
        .number(INSPECT_BYTES_MAX)
        .and(" or lower, or exclude such files, for a complete result.");
    Some(Notice::new(Code::PayloadTruncated, text))
}

/// Folders or ignore files that could not be read, and limits that the scan reached.
pub(crate) fn partial_access(partial: &select::Partial) -> Option<Notice> {
    if !partial.is_partial() {
        return None;
    }
    let mut text = Text::new("the result is partial:");
    let mut separator = " ";
    let mut say = |mut text: Text, count: usize, what: &'static str| {
        if count > 0 {
            text = text.and(separator).count(count).and(what);
            separator = ", ";
        }
        text
    };
    text = say(text, partial.directories, " folder(s) could not be read");
    text =
        say(text, partial.ignore_files, " ignore file(s) could not be applied, so their folders are hidden");
    text = say(text, partial.depth_cut, " folder(s) lie deeper than the scan goes");
    if partial.entry_cut {
        text = text.and(separator).and("the scan stopped at its limit of entries");
    }
    Some(Notice::new(
        Code::ProjectPartialAccess,
        text.and(". Check permissions and ignore files, or narrow the request."),
    ))
}

/// Nested repositories whose index could not be read.
pub(crate) fn nested_index_unreadable(count: usize) -> Option<Notice> {
    (count > 0).then(|| {
        let text = Text::default().count(count).and(
            " nested Git index(es) could not be read, so the files of those repositories are left out and the result is \
             partial. Repair the nested repositories, or exclude them.",
        );
        Notice::new(Code::GitTrackedIndexPartial, text)
    })
}

/// Files of a Git state that are not in the working tree.
pub(crate) fn deleted(count: usize) -> Option<Notice> {
    (count > 0).then(|| {
        let text = Text::default().count(count).and(
            " path(s) of the Git state are absent from the working tree and left out (renamed files count with their old \
             name). Read the deleted content from Git itself when it is needed.",
        );
        Notice::new(Code::GitStateDeleted, text)
    })
}

/// Nested repositories that cannot answer a diff.
pub(crate) fn nested_without_revisions(count: usize) -> Option<Notice> {
    (count > 0).then(|| {
        let text = Text::default().count(count).and(
            " nested repositories do not have the references of the diff, so their files are left out. Name them with \
             `paths` and references of their own.",
        );
        Notice::new(Code::ProjectSelectionWarning, text)
    })
}

/// Paths of a profile that select nothing.
pub(crate) fn missing_selected_paths(count: usize) -> Option<Notice> {
    (count > 0).then(|| {
        let text = Text::default()
            .count(count)
            .and(" selected path(s) of the profile are not in the effective tree. Call get_tree and update the profile.");
        Notice::new(Code::SelectionPathMissing, text)
    })
}

/// Everything is hidden by ignore rules although the folder is not empty.
pub(crate) fn everything_ignored() -> Notice {
    Notice::new(
        Code::ProjectSelectionWarning,
        Text::new(
            "ignore rules hide everything in this project, so the selection is empty. Start the server with \
             --git-mode none, or use tracked_only when the files are in the Git index.",
        ),
    )
}
