//! Whether the name of a setting says that its value is a secret (`project.md` 9.4). It never sees a value.

use crate::finding::{FileFacts, Stacks};

/// The sensitive-key test with the extras of a file's stacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys {
    stacks: Stacks,
    npmrc: bool,
}

impl Keys {
    pub(crate) fn new(facts: &FileFacts<'_>) -> Keys {
        let npmrc =
            facts.path.rsplit(['/', '\\']).next().is_some_and(|name| name.eq_ignore_ascii_case(".npmrc"));
        Keys { stacks: facts.stacks, npmrc }
    }

    /// Whether a key names a secret.
    pub(crate) fn is_sensitive(&self, key: &str) -> bool {
        if key.len() > 256 {
            return false;
        }
        let plain = plain(key);
        if plain.is_empty() {
            return false;
        }
        is_sensitive_plain(key, &plain) || self.is_extra(key, &plain)
    }

    /// Names that are sensitive only where a stack gives them that meaning.
    fn is_extra(&self, key: &str, plain: &str) -> bool {
        let any = |words: &[&str]| words.iter().any(|word| plain.contains(word));
        (self.stacks.holds(Stacks::DOTNET)
            && any(&[
                "jwtkey",
                "machinekey",
                "validationkey",
                "decryptionkey",
                "sastoken",
                "sharedaccesssignature",
            ]))
            || (self.stacks.holds(Stacks::NODE)
                && any(&["npmauth", "cookiekey", "nextauth"])
                && !plain.ends_with("url"))
            || (self.stacks.holds(Stacks::PYTHON) && any(&["djangokey", "fernetkey", "flaskkey"]))
            || (self.stacks.holds(Stacks::JVM)
                && any(&["keystorepass", "truststorepass", "storepass", "keypass", "jasypt"]))
            || (self.stacks.holds(Stacks::TERRAFORM) && any(&["terraformauth", "tfauth"]))
            || (self.stacks.holds(Stacks::CONTAINER) && any(&["registryauth", "dockerauth"]))
            || (self.npmrc && key.trim_end().ends_with("_auth"))
    }
}

/// Letters and digits only, in lower case.
pub(crate) fn plain(key: &str) -> String {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_sensitive_plain(key: &str, plain: &str) -> bool {
    const INSIDE: &[&str] =
        &["password", "secret", "apikey", "accesskey", "privatekey", "signingkey", "credential"];
    if matches!(key.trim(), "PWD" | "OLDPWD") {
        return false;
    }
    INSIDE.iter().any(|word| plain.contains(word))
        || plain == "passwd"
        || plain == "pwd"
        || plain.ends_with("token")
        || (plain.ends_with("key") && !plain.ends_with("publickey") && ends_in_word(key, "key"))
        || words(key).any(|word| word.eq_ignore_ascii_case("passwd") || word.eq_ignore_ascii_case("pwd"))
}

/// Whether the key's last word is `word`, set apart by a separator or by its capital.
fn ends_in_word(key: &str, word: &str) -> bool {
    words(key).last().is_some_and(|last| last.eq_ignore_ascii_case(word)) && words(key).count() > 1
}

/// The words of a key: split at what is neither letter nor digit, and before a capital that follows a lower-case
/// letter or a digit or begins a new word after capitals (`DBPassword`).
pub(crate) fn words(key: &str) -> impl Iterator<Item = &str> {
    key.split(|c: char| !c.is_alphanumeric()).flat_map(|part| {
        let bytes = part.as_bytes();
        let mut rest = part;
        let mut offset = 0;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let cut = (1..rest.len())
                .find(|&i| {
                    let at = offset + i;
                    bytes[at].is_ascii_uppercase()
                        && (bytes[at - 1].is_ascii_lowercase()
                            || bytes[at - 1].is_ascii_digit()
                            || (bytes[at - 1].is_ascii_uppercase()
                                && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase)))
                })
                .unwrap_or(rest.len());
            let (word, tail) = rest.split_at(cut);
            rest = tail;
            offset += cut;
            Some(word)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sensitive(key: &str) -> bool {
        Keys::new(&FileFacts::default()).is_sensitive(key)
    }

    #[test]
    fn words_of_the_vocabulary_are_sensitive_anywhere_in_a_key() {
        for key in [
            "password",
            "DB_PASSWORD",
            "dbPasswordHash",
            "client-secret",
            "SECRETS",
            "apiKey",
            "API_KEY",
            "x-api-key-id",
            "accessKey",
            "AWS_ACCESS_KEY_ID",
            "privateKey",
            "signing_key",
            "credentials",
            "passwd",
            "pwd",
            "Pwd",
            "githubToken",
            "token",
            "//registry/:_authToken",
        ] {
            assert!(sensitive(key), "{key}");
        }
    }

    #[test]
    fn key_counts_only_as_a_separate_last_word() {
        for key in ["encryption_key", "encryptionKey", "ENCRYPTION-KEY", "storage.key", "AccountKey"] {
            assert!(sensitive(key), "{key}");
        }
        for key in [
            "key",
            "monkey",
            "MONKEY",
            "publicKey",
            "PUBLIC_KEY",
            "sshPublicKey",
            "keyboard",
            "key_id",
            "keyName",
            "tokenizer",
            "tokens",
        ] {
            assert!(!sensitive(key), "{key}");
        }
    }

    #[test]
    fn passwd_and_pwd_count_as_words_but_the_working_folder_does_not() {
        for key in ["DB_PASSWD", "ROOT_PWD", "userPwd", "pwd"] {
            assert!(sensitive(key), "{key}");
        }
        for key in ["PWD", "OLDPWD", "pwdump", "lastpwdchange"] {
            assert!(!sensitive(key), "{key}");
        }
    }

    #[test]
    fn extras_hold_only_in_their_stack() {
        for (key, stack) in [
            ("JwtKeyMaterial", Stacks::DOTNET),
            ("NPM_AUTH", Stacks::NODE),
            ("DJANGO_KEY_MATERIAL", Stacks::PYTHON),
            ("keystorePass", Stacks::JVM),
            ("TERRAFORM_AUTH", Stacks::TERRAFORM),
            ("REGISTRY_AUTH", Stacks::CONTAINER),
        ] {
            let facts = FileFacts { path: "", stacks: stack };
            assert!(Keys::new(&facts).is_sensitive(key), "{key}");
            assert!(!sensitive(key), "{key}");
        }
        let npmrc = FileFacts { path: "a/.npmrc", stacks: Stacks::NONE };
        assert!(Keys::new(&npmrc).is_sensitive("//registry.test/:_auth"));
    }

    #[test]
    fn words_split_at_separators_and_capitals() {
        let split = |key: &'static str| words(key).collect::<Vec<_>>();
        assert_eq!(split("DBPassword_hash2Key"), ["DB", "Password", "hash2", "Key"]);
        assert_eq!(split("a-b.c"), ["a", "b", "c"]);
        assert_eq!(split("ÉtéKey"), ["ÉtéKey"]);
    }
}
