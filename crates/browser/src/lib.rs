//! The graph of a document project as a page that a person looks at: one listener on 127.0.0.1, read-only, behind a token,
//! on one snapshot (spec C13, template `graph-browser@1`). It knows no tool and no terminal; it starts no program and
//! opens no connection.
//!
//! ```no_run
//! # fn show(service: std::sync::Arc<docs::ProjectService>) -> Option<String> {
//! let browser = browser::Browser::new(browser::Options::default());
//! let snapshot = service.snapshot()?;
//! let origin = Box::new(browser::ServiceOrigin::new(service));
//! let view = browser.open(&snapshot, &browser::Focus::Overview, origin).ok()?;
//! # Some(view.url) }
//! ```

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests connect to the listener"))]

mod assets;
mod binding;
mod connection;
mod faults;
mod gate;
mod layout;
pub mod limits;
mod listener;
mod neighborhood;
mod node;
mod origin;
mod overview;
mod pace;
mod params;
mod reply;
mod routes;
mod search;
#[cfg(test)]
mod tests;
mod token;
mod view;

pub use faults::BrowserFault;
pub use origin::{Origin, ServiceOrigin, Staleness, Standing};
pub use view::{Browser, Focus, Options, View};

/// The name of the page, as the contract fixes it.
pub const TEMPLATE: &str = "graph-browser@1";
