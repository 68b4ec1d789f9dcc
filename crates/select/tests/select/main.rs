//! The selection as its callers see it, on real trees in temporary folders.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the tests make trees and ask the installed git; what fails there fails the test"
)]

mod against_git;
mod git_modes;
mod narrowing;
mod one_by_one;
mod smart;
mod toggles;
mod tree;
