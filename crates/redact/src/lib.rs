//! What must not be shown: secrets and private data in a text, and the placeholders that take their place.
//! It reads no file, knows no root, no surface and no clock but the one that limits its own work.

pub mod rule;
mod rules;
pub mod sample;
