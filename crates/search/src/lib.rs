//! Finds lines. Patterns run in linear time, with a give-up instead of a slow engine and a clock that
//! adversarial patterns cannot outrun. This crate knows text and lines; it does not know files, redaction
//! rules or what a caller does with a match.

mod line_bound;
mod pattern;
mod scan;

pub use pattern::{Pattern, PatternFault};
pub use scan::{Clock, Matcher, SearchStop};
