//! What each tool of the project server means: plain request in, plain answer out.
//! It knows neither MCP nor a terminal.

pub mod answer;
pub mod budget;
pub mod cut;
pub mod document;
pub mod escape;
pub mod fingerprint;
pub mod limits;
pub mod page;
pub mod request;
pub mod sink;
pub mod window;
