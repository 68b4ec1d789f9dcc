//! The target `front_matter`; its properties stand in `src/front_matter.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::front_matter::check(bytes));
