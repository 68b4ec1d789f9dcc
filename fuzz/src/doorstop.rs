//! `doorstop@1`: items, with stamps of any form.

use std::sync::{Arc, OnceLock};

use docs::Contract;

use super::sample::{DOORSTOP, contract, read};
use super::text::assert_file;

/// Holds `bytes` to it.
pub fn check(bytes: &[u8]) {
    static CONTRACT: OnceLock<Arc<Contract>> = OnceLock::new();
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    assert_file(CONTRACT.get_or_init(|| contract(DOORSTOP)), "req/REQ001.yml", text, read);
}
