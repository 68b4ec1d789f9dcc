//! The target `filter`; its properties stand in `src/filter.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::filter::check(bytes));
