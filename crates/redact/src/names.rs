//! Names, error texts and URLs: only what is a secret wherever it stands is masked there, because names are addresses.

use std::borrow::Cow;

use crate::{Detector, Numbering};

/// Whether a short text (a name, an argument, a URL) holds a provider's token, a private key or a URL's password.
pub fn contains_secret(text: &str) -> bool {
    text.len() >= 8 && !Detector::shared().certain(text).is_empty()
}

/// The text with such secrets replaced by placeholders numbered within it; the text itself when it holds none.
pub fn mask_name(text: &str) -> Cow<'_, str> {
    if text.len() < 8 {
        return Cow::Borrowed(text);
    }
    let findings = Detector::shared().certain(text);
    if findings.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(Numbering::new().mask(text, &findings).into_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_untouched() {
        for name in [
            "",
            "a",
            "src/main.rs",
            "password.txt",
            "DB_PASSWORD=admin",
            "https://host/x?y=1",
            "feature/token-refresh",
        ] {
            assert!(!contains_secret(name), "{name}");
            assert!(matches!(mask_name(name), Cow::Borrowed(same) if same == name));
        }
    }

    #[test]
    fn a_url_loses_its_password() {
        let url = "https://bot:hunter2@git.internal/x.git";
        assert!(contains_secret(url));
        assert_eq!(mask_name(url), "https://bot:REDACTED[credential-uri-password#1]@git.internal/x.git");
    }
}
