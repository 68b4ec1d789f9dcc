//! The target `query`; its properties stand in `src/query.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::query::check(bytes));
