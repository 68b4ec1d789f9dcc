//! What a name in ordinary code says about the value beside it. It is stricter than the sensitive-key test of configuration files,
//! because code is full of names about secrets that hold none.

use crate::structured::key::words;

/// What a name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A person or a person's account chose the value; it may be short and made of words.
    Password,
    /// A shared secret: random, or a password.
    Secret,
    /// A machine made the value; it is long and random.
    Token,
    /// The name ends in `key` and nothing says that it is a secret one.
    Weak,
    /// The name is `key` alone, as in any map.
    Plain,
}

/// Words at the end of a name that do not change what it holds.
const EMPTY: &[&str] = &[
    "value",
    "string",
    "str",
    "text",
    "plain",
    "plaintext",
    "raw",
    "default",
    "prod",
    "production",
    "dev",
    "development",
    "test",
    "staging",
    "stage",
    "live",
    "local",
    "old",
    "new",
    "current",
    "base",
    "data",
    "const",
    "literal",
    "here",
    "b64",
    "base64",
    "hex",
    "override",
    "primary",
    "secondary",
    "sandbox",
    "v1",
    "v2",
    "confirm",
    "confirmation",
    "again",
];

/// Words in front of `key` that make it a secret one.
const KEY_KINDS: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "signing",
    "sign",
    "signature",
    "encryption",
    "encrypt",
    "encrypted",
    "decryption",
    "auth",
    "authentication",
    "authorization",
    "account",
    "master",
    "app",
    "application",
    "license",
    "licence",
    "storage",
    "shared",
    "session",
    "cipher",
    "crypto",
    "aes",
    "hmac",
    "jwt",
    "subscription",
    "service",
    "admin",
    "webhook",
    "security",
    "symmetric",
    "deploy",
    "integration",
    "consumer",
    "client",
    "activation",
    "instrumentation",
    "ingestion",
    "write",
    "rest",
    "token",
    "developer",
    "merchant",
    "bot",
    "oauth",
    "sas",
    "host",
    "function",
    "maps",
    "cookie",
    "wep",
    "wpa",
    "psk",
    "ssh",
    "server",
    "user",
    "openai",
    "stripe",
    "google",
    "aws",
    "azure",
    "gcp",
    "github",
    "gitlab",
    "sendgrid",
    "mailgun",
    "twilio",
    "slack",
    "datadog",
    "newrelic",
    "algolia",
    "firebase",
    "rapidapi",
    "anthropic",
];

/// Words in front of `key` that make it a name of something.
const KEY_NAMES: &[&str] = &[
    "public",
    "pub",
    "primary",
    "foreign",
    "cache",
    "sort",
    "partition",
    "hash",
    "lookup",
    "map",
    "dict",
    "index",
    "unique",
    "row",
    "object",
    "group",
    "order",
    "search",
    "event",
    "message",
    "routing",
    "attribute",
    "attr",
    "config",
    "setting",
    "settings",
    "property",
    "label",
    "meta",
    "metadata",
    "json",
    "resource",
    "translation",
    "locale",
    "first",
    "last",
    "next",
    "prev",
    "previous",
    "parent",
    "child",
    "node",
    "registry",
    "param",
    "parameter",
    "query",
    "field",
    "column",
    "table",
    "s3",
    "kms",
    "id",
    "context",
    "state",
    "form",
    "data",
    "item",
    "entry",
    "element",
    "tag",
    "dedup",
    "deduplication",
    "idempotency",
    "sorting",
    "grouping",
    "join",
    "shortcut",
    "socket",
    "websocket",
    "hot",
    "arrow",
    "modifier",
    "control",
    "function",
    "invalid",
    "wrong",
    "bad",
    "missing",
    "unknown",
    "duplicate",
    "expected",
    "extra",
    "some",
    "any",
    "type",
    "model",
    "view",
    "option",
    "options",
    "env",
    "variable",
    "var",
    "string",
    "header",
    "column",
    "tag",
];

/// Words in front of `token` that make it a place in a list, a piece of text or a check value.
const TOKEN_NAMES: &[&str] = &[
    "next",
    "continuation",
    "page",
    "pagination",
    "paging",
    "cursor",
    "sync",
    "resume",
    "request",
    "idempotency",
    "cancel",
    "cancellation",
    "change",
    "delimiter",
    "separator",
    "start",
    "end",
    "stop",
    "eos",
    "bos",
    "pad",
    "mask",
    "unk",
    "cls",
    "sep",
    "special",
    "operator",
    "keyword",
    "punctuation",
    "close",
    "open",
    "begin",
    "first",
    "last",
    "previous",
    "prev",
    "current",
    "lock",
    "syntax",
    "lexer",
    "parser",
    "word",
    "sub",
    "text",
    "identifier",
    "number",
    "literal",
    "comment",
    "escape",
    "marker",
    "invalid",
    "unexpected",
    "expected",
    "unknown",
    "public",
    "type",
    "progress",
    "nonterminal",
];

/// The meaning of a name, or nothing.
pub(crate) fn meaning(name: &str) -> Option<Meaning> {
    if name.len() > 128 {
        return None;
    }
    let all: Vec<String> = words(name).map(str::to_ascii_lowercase).collect();
    let mut rest = &all[..];
    // `password2`, `TOKEN_PROD`, `secret_key_base`
    while let [head @ .., last] = rest {
        let plain = last.trim_end_matches(|c: char| c.is_ascii_digit());
        if head.is_empty() || !(plain.len() <= 1 || EMPTY.contains(&last.as_str())) {
            break;
        }
        rest = head;
    }
    let (last, head) = rest.split_last()?;
    let last = last.trim_end_matches(|c: char| c.is_ascii_digit());
    let before = head.last().map_or("", String::as_str);
    if all.iter().any(|word| {
        matches!(
            word.as_str(),
            "public" | "pub" | "pubkey" | "fingerprint" | "checksum" | "digest" | "forgot"
        )
    }) {
        return None;
    }
    let ends = |words: &[&str]| words.iter().any(|word| last.ends_with(word));
    if ends(&["password", "passwd", "passphrase", "passcode", "passwort", "kennwort", "pswd"])
        || matches!(
            last,
            "pwd" | "pass" | "psw" | "passw" | "userpwd" | "dbpwd" | "rootpwd" | "adminpwd" | "mypwd"
        )
        || (last.ends_with("pass") && SHORT_PASS.contains(&last))
    {
        let about = matches!(
            before,
            "no" | "forgot"
                | "reset"
                | "change"
                | "wrong"
                | "invalid"
                | "bad"
                | "show"
                | "hide"
                | "enter"
                | "incorrect"
        );
        let shell = name == "PWD" || name == "OLDPWD" || name == "pwd" || name == "$PWD";
        return (!about && !shell).then_some(Meaning::Password);
    }
    if ends(&["secret"]) || matches!(last, "credential" | "credentials" | "creds" | "cred") {
        return Some(Meaning::Secret);
    }
    if ends(&["token"]) {
        return (!TOKEN_NAMES.contains(&before)).then_some(Meaning::Token);
    }
    if ends(&[
        "apikey",
        "accesskey",
        "secretkey",
        "privatekey",
        "privkey",
        "signingkey",
        "encryptionkey",
        "authkey",
        "accountkey",
        "masterkey",
        "licensekey",
        "storagekey",
        "sharedkey",
        "sessionkey",
    ]) {
        return Some(Meaning::Token);
    }
    if last == "key" {
        if KEY_KINDS.contains(&before) {
            return Some(Meaning::Token);
        }
        if before.is_empty() {
            return Some(Meaning::Plain);
        }
        return (!KEY_NAMES.contains(&before)).then_some(Meaning::Weak);
    }
    if matches!(last, "auth" | "authorization") {
        return Some(Meaning::Weak);
    }
    None
}

const SHORT_PASS: &[&str] = &[
    "dbpass",
    "rootpass",
    "userpass",
    "mypass",
    "adminpass",
    "smtppass",
    "mailpass",
    "ftppass",
    "loginpass",
    "sqlpass",
    "mysqlpass",
    "pgpass",
    "ldappass",
    "wifipass",
    "authpass",
    "proxypass",
    "redispass",
    "keypass",
    "storepass",
    "keystorepass",
    "truststorepass",
    "sshpass",
    "sudopass",
    "vaultpass",
    "passpass",
    "testpass",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_passwords() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "userpassword",
            "passwd",
            "ROOT_PWD",
            "smtp_pass",
            "dbpass",
            "password2",
            "PASSWORD_PROD",
            "spring.datasource.password",
            "--password",
            "passphrase",
            "MYSQL_ROOT_PASSWORD",
        ] {
            assert_eq!(meaning(name), Some(Meaning::Password), "{name}");
        }
    }

    #[test]
    fn names_of_secrets_tokens_and_keys() {
        for name in ["secret", "clientSecret", "APP_SECRET", "credentials", "consumer_secret"] {
            assert_eq!(meaning(name), Some(Meaning::Secret), "{name}");
        }
        for name in [
            "token",
            "ACCESS_TOKEN",
            "authToken",
            "bearerToken",
            "apikey",
            "api_key",
            "x-api-key",
            "SECRET_KEY",
            "SECRET_KEY_BASE",
            "secretAccessKey",
            "accountKey",
            "jwt_key",
            "privateKey",
        ] {
            assert_eq!(meaning(name), Some(Meaning::Token), "{name}");
        }
        assert_eq!(meaning("gizmo_key"), Some(Meaning::Weak));
        assert_eq!(meaning("key"), Some(Meaning::Plain));
    }

    #[test]
    fn names_about_secrets_say_nothing() {
        for name in [
            "password_hash",
            "passwordField",
            "password_file",
            "PasswordLength",
            "compass",
            "bypass",
            "pass_through",
            "passed",
            "token_type",
            "tokenizer",
            "tokens",
            "NextToken",
            "nextPageToken",
            "ClientRequestToken",
            "primary_key",
            "cache_key",
            "publicKey",
            "PUBLIC_KEY",
            "access_key_id",
            "keyboard",
            "monkey",
            "secretary",
            "secret_name",
            "author",
            "authority",
            "authentication",
            "credential_type",
            "PWD",
            "OLDPWD",
            "pwd",
            "forgot_password",
            "reset_password",
            "tokenSeparator",
            "Sec-WebSocket-Key",
        ] {
            assert_eq!(meaning(name), None, "{name}");
        }
    }
}
