//! Takes comments, blank lines and bodies out of source text, and never guesses: whatever is in doubt stays complete.
//!
//! It knows text and a path's name; it does not know disks, roots, redaction, or who asks. See the contract's
//! "Detail Levels".

mod edit;
mod evidence;
mod grammar;
mod language;
mod limits;
mod parse;
mod reduce;
mod signatures;
mod strip;
mod survey;
mod tier;

pub use edit::{Edit, apply};
pub use language::{Language, language_of, languages};
pub use reduce::{Doubt, Outline, attempt, outline, parse_alone, reduce};
pub use tier::{Tier, Wanted};
