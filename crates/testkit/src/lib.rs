//! Test support: a temporary project from one string, a raw client of a stdio server, and masking for snapshots.
//! It knows no crate of the workspace, so every floor may use it, and nothing outside of tests does.

#![expect(clippy::disallowed_methods, reason = "it makes and removes the files that tests look at")]

mod client;
mod mask;
mod tree;

pub use client::{Answer, Client, Era, Exit, LEGACY_VERSIONS, MODERN_VERSION, Session};
pub use mask::Mask;
pub use tree::Tree;
