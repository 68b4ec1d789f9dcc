//! The page of stable codes.

use std::fmt::Write as _;

use fault::{Code, DocsCode};

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
    out.push_str(
        "\n## The docs server\n\nAn error of the docs server is `error.code` of its answer; `error.retry` says whether calling again helps.\n\n\
         | code | meaning | what to do | retry |\n|---|---|---|---|\n",
    );
    for code in DocsCode::ALL {
        let (meaning, remedy) = (cell(code.meaning()), cell(code.remedy()));
        writeln!(out, "| `{code}` | {meaning} | {remedy} | `{}` |", code.retry().as_str()).ok();
    }
    out
}
