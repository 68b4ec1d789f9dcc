//! What each tool of the project server means: plain request in, plain answer out.
//! It knows neither MCP nor a terminal.

mod analyze;
pub mod answer;
pub mod budget;
mod choose;
mod contents;
pub mod cut;
pub mod document;
pub mod escape;
mod faults;
mod file;
mod find;
pub mod fingerprint;
mod git_rules;
pub mod limits;
mod list;
mod measure;
mod notices;
pub mod pack;
pub mod page;
mod place;
pub mod profile;
pub mod profile_store;
mod read;
mod remote;
pub mod request;
mod scope;
pub mod session;
pub mod sink;
mod tree;
pub mod window;
