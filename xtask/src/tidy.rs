//! The checks that no compiler makes. Each is a function from a checkout to complaints, and a test of this crate, so
//! whoever runs the tests runs them too. It knows the house's rules, not what the crates do.

mod contract;
mod floors;
mod fuzzing;
mod licences;
mod manifests;
mod modules;
mod shape;
mod words;

use std::process::ExitCode;

use crate::workspace::Workspace;

/// A check: what it is called, and what it finds wrong.
type Check = (&'static str, fn(&Workspace) -> Vec<String>);

/// Every check, in the order in which they are reported.
const CHECKS: &[Check] = &[
    ("floors", floors::check),
    ("doors", floors::check_doors),
    ("manifests", manifests::check),
    ("licences", licences::check),
    ("file heads", shape::check_heads),
    ("file names", shape::check_names),
    ("file lengths", shape::check_lengths),
    ("forgotten files", modules::check),
    ("words", words::check),
    ("contract tests", contract::check),
    ("fuzz targets", fuzzing::check),
];

/// Runs every check and prints what it finds, and the longest files.
pub(crate) fn run(workspace: &Workspace) -> ExitCode {
    let mut failed = false;
    for (name, check) in CHECKS {
        let complaints = check(workspace);
        println!("{name}: {}", if complaints.is_empty() { "ok" } else { "FAILED" });
        for complaint in &complaints {
            println!("  {complaint}");
        }
        failed |= !complaints.is_empty();
    }
    println!("\nlongest files (lines of code without tests):");
    for (lines, file) in shape::longest(workspace, 10) {
        println!("  {lines:>4}  {file}");
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This checkout passes the check of that name.
    fn holds_here(name: &str) {
        let (_, check) = CHECKS.iter().find(|(known, _)| *known == name).expect("the check exists");
        let complaints = check(&Workspace::here());
        assert!(complaints.is_empty(), "{name}:\n{}", complaints.join("\n"));
    }

    #[test]
    fn crates_import_only_from_lower_floors() {
        holds_here("floors");
    }

    #[test]
    fn only_the_doors_touch_the_world() {
        holds_here("doors");
    }

    #[test]
    fn manifests_follow_the_workspace() {
        holds_here("manifests");
    }

    #[test]
    fn every_dependency_has_an_accepted_licence() {
        holds_here("licences");
    }

    #[test]
    fn every_file_opens_with_what_it_is_for() {
        holds_here("file heads");
    }

    #[test]
    fn no_file_has_a_name_that_says_nothing() {
        holds_here("file names");
    }

    #[test]
    fn no_file_is_over_600_lines_of_code() {
        holds_here("file lengths");
    }

    #[test]
    fn every_source_and_test_file_is_compiled() {
        holds_here("forgotten files");
    }

    #[test]
    fn no_committed_file_names_a_machine_or_a_host() {
        holds_here("words");
    }

    #[test]
    fn fuzz_targets_have_their_property_their_seeds_and_our_versions() {
        holds_here("fuzz targets");
    }

    #[test]
    fn every_limit_and_code_has_a_test_named_after_it() {
        holds_here("contract tests");
    }
}
