//! `header@1` in both styles.

use std::sync::{Arc, OnceLock};

use docs::Contract;

use super::sample::{BULLET, RFC822, contract, read};
use super::text::assert_file;

/// Holds `bytes` to it.
pub fn check(bytes: &[u8]) {
    static CONTRACTS: OnceLock<[Arc<Contract>; 2]> = OnceLock::new();
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for contract in CONTRACTS.get_or_init(|| [contract(RFC822), contract(BULLET)]) {
        assert_file(contract, "text/0042-a.md", text, read);
    }
}
