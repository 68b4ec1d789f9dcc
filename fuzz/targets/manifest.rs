//! The target `manifest`; its properties stand in `src/manifest.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::manifest::check(bytes));
