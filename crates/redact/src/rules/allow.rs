//! What no token of any provider is: the bodies that documents and templates put where a token belongs.
//! It knows no single format; a rule that has examples of its own lists them itself.

use crate::rule::Allow;

/// Bodies that stand for a token: the documented `…EXAMPLE` of AWS, the alphabet, a row of `x`, `your_…`.
pub(crate) const TEMPLATES: &[Allow] = &[Allow::Regex(
    r"(?i)example|abcdefghijklmnopqrstuvwxyz|x{8}|your[_-]|[_-]here$|placeholder|change_?me|redacted|\bdummy",
)];
