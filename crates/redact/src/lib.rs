//! What must not be shown: secrets and private data in a text, and the placeholders that take their place.
//! It reads no file, knows no root, no surface and no clock but the one that limits its own work.

mod anchors;
mod claims;
mod detector;
mod echo;
mod effort;
mod entropy;
mod finding;
mod generic;
mod invisible;
mod names;
mod numbering;
mod pem;
mod placeholder;
mod private;
mod rarity;
mod reference;
pub mod rule;
mod rules;
pub mod sample;
mod secrets;
mod structured;
mod template;
mod tripwire;

pub use detector::Detector;
pub use finding::{Class, FileFacts, Finding, MAX_FINDINGS, Policy, Stacks, Uninspectable};
pub use names::{contains_secret, mask_name};
pub use numbering::{MAX_PLACEHOLDERS, Masked, Numbering};
pub use reference::{RULES, RuleEntry, Tier};
pub use tripwire::Tripwire;
