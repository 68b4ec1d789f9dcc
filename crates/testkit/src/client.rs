//! A raw client of a stdio server: it starts the given binary with nothing of the user's environment, writes lines,
//! reads lines and says how the process ended. It does not use the protocol library that the server is built on, so it
//! can say what no library would.

mod process;
mod session;

pub use process::{Client, Exit};
pub use session::{Answer, Era, LEGACY_VERSIONS, MODERN_VERSION, Session};
