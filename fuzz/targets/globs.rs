//! The target `globs`; its properties stand in `src/globs.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::globs::check(bytes));
