//! The page of languages that `detail` reduces.

use std::fmt::Write as _;

use super::cell;
use crate::workspace::Workspace;

/// Every language with its file names and what is taken out of it.
pub(super) fn page(_workspace: &Workspace) -> String {
    let mut out = String::from(
        "# Detail levels\n\n`compact` takes out comments and blank lines, `signatures` also the bodies of functions and methods. Files of other\n\
         languages, and files in which anything is in doubt, stay complete.\n\n\
         | language | files | `compact` | `signatures` |\n|---|---|---|---|\n",
    );
    for language in reduce::languages() {
        let endings = language.extensions.iter().map(|ending| format!("`.{ending}`"));
        let names = language.file_names.iter().map(|name| format!("`{name}`"));
        let files: Vec<String> = endings.chain(names).collect();
        let bodies = if language.bodies { "bodies" } else { "as `compact`" };
        writeln!(out, "| {} | {} | comments, blank lines | {bodies} |", cell(language.name), files.join(" "))
            .ok();
    }
    out
}
