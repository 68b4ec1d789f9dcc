//! The target `yaml`; its properties stand in `src/yaml.rs`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz::yaml::check(bytes));
