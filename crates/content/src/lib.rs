//! From the bytes of a file to the text that may be shown: decoding, the one line model, the token estimate,
//! and the one order of preparation. It does not know where bytes come from or who reads the result.

mod class;
mod clean;
mod decode;
mod lines;
mod pool;
mod prepare;
mod tokens;

pub use class::{Class, has_binary_extension};
pub use clean::CleanTexts;
pub use decode::decode;
pub use lines::{Lines, count_lines, lines};
pub use pool::in_order;
pub use prepare::{PrepareRequest, Prepared, Withheld, prepare};
pub use tokens::{chars, estimate_tokens};
