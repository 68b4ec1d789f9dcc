//! The target `header`; its properties stand in `src/header.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::header::check(bytes));
