//! What each tool of the project server means: plain request in, plain answer out.
//! It knows neither MCP nor a terminal.

pub mod answer;
pub mod limits;
pub mod request;
