//! The page of stable codes.

use std::fmt::Write as _;

use fault::Code;

use super::cell;
use crate::workspace::Workspace;

/// Every code with its meaning and what a caller does next.
pub(super) fn page(_workspace: &Workspace) -> String {
    let mut out = String::from(
        "# Codes\n\nThe text of every error and warning of the project server begins with one of the `DPX-` codes; an error of the\n\
         evidence server is a JSON object that holds one of the `EVD-` codes. They are part of the contract: a code is never\n\
         renamed, and what it means does not change.\n\n| code | meaning | what to do |\n|---|---|---|\n",
    );
    for code in Code::ALL {
        writeln!(out, "| `{code}` | {} | {} |", cell(code.meaning()), cell(code.remedy())).ok();
    }
    out
}
