//! The target `doorstop`; its properties stand in `src/doorstop.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::doorstop::check(bytes));
