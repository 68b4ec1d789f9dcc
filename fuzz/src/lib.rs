//! What must hold for every input of the readers, as plain functions: the fuzz targets call them with what they draw, and
//! a test of the main workspace with every committed seed. They know no fuzzer.

pub mod doorstop;
pub mod filter;
pub mod front_matter;
pub mod globs;
pub mod header;
pub mod manifest;
pub mod query;
pub mod sample;
pub mod text;
pub mod yaml;
