//! Values beside telling names that are no secrets for a reason of their own: templates, addresses, examples, names of things,
//! ladders of characters, words that code is full of. It judges no secret.

use crate::rarity::mean_bits;

use super::is_hexadecimal;

/// A template, an expression or a reference that a program resolves.
pub(super) fn is_computed(value: &str) -> bool {
    let bytes = value.as_bytes();
    if value.contains("${")
        || value.contains("$(")
        || value.contains("{{")
        || value.contains("#{")
        || value.contains("%(")
        || value.contains("<%")
        || value.contains("::")
        || value.contains("->")
    {
        return true;
    }
    // Characters written as escapes, and hashes of passwords as systems keep them: `$6$…`, `$2b$12$…`.
    if value.contains("\\x") || value.contains("\\u") {
        return true;
    }
    if let Some((method, _)) = value.strip_prefix('$').and_then(|rest| rest.split_once('$'))
        && (1..=8).contains(&method.len())
        && method.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    {
        return true;
    }
    // `{name}`, `{0}`, `%s`, `<name>`, `$NAME`
    let inside = |open: char, close: char| {
        value.find(open).is_some_and(|from| {
            value[from..].find(close).is_some_and(|to| {
                value[from + 1..from + to].bytes().all(|b| b.is_ascii_alphanumeric() || b"_.:-!".contains(&b))
            })
        })
    };
    if inside('{', '}')
        || inside('<', '>')
        || (value.starts_with('[') && value.ends_with(']'))
        || (value.ends_with(')') && value.contains('('))
    {
        return true;
    }
    if value.ends_with("%s") || value.ends_with("%d") || value.starts_with("%s") {
        return true;
    }
    let name = value.trim_start_matches(['$', '@', ':', '%', '&', '*']).trim_end_matches(['%', ';', ',']);
    // `@DB1_PASSWORD`, `$DB1_PASSWORD`
    if name.len() < value.len()
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && name.contains('_')
    {
        return true;
    }
    name.len() < value.len()
        && !bytes[0].is_ascii_alphanumeric()
        && name.bytes().all(|b| b.is_ascii_alphabetic() || b"_.-[]>".contains(&b))
}

/// A path, a URL, a file name, an address of a resource or a reference into a vault.
pub(super) fn is_address(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    if value.contains("://")
        || lower.starts_with("arn:")
        || lower.starts_with("urn:")
        || lower.starts_with("env:")
        || lower.starts_with("vault:")
        || lower.starts_with("data:")
        || lower.starts_with("mailto:")
        || lower.starts_with("www.")
    {
        return true;
    }
    if value.starts_with("./")
        || value.starts_with("../")
        || value.starts_with("~/")
        || value.starts_with("\\\\")
        || value.starts_with("--")
    {
        return true;
    }
    // A rooted path is words between slashes; base64 may begin with a slash too.
    if value.starts_with('/') && value.len() < 120 && mean_bits(value.as_bytes()) < 4.6 {
        return true;
    }
    if value.matches('/').count() >= 2 && mean_bits(value.as_bytes()) < 4.4 {
        return true;
    }
    const ENDS: &[&str] = &[
        ".pem", ".key", ".crt", ".cer", ".p12", ".pfx", ".jks", ".json", ".yml", ".yaml", ".txt", ".xml",
        ".html", ".htm", ".js", ".ts", ".py", ".rs", ".go", ".java", ".php", ".rb", ".sh", ".c", ".h", ".md",
        ".cfg", ".conf", ".ini", ".toml", ".env", ".pub", ".gpg", ".asc", ".png", ".svg", ".css", ".com",
        ".org", ".net", ".io", ".dev", ".local", ".exe", ".dll", ".so", ".log", ".csv", ".sql", ".db",
    ];
    ENDS.iter().any(|end| lower.ends_with(end))
}

pub(super) fn looks_like_address(bytes: &[u8]) -> bool {
    let mut parts = bytes.split(|&b| b == b'@');
    let (Some(local), Some(domain), None) = (parts.next(), parts.next(), parts.next()) else { return false };
    !local.is_empty()
        && domain.contains(&b'.')
        && domain
            .rsplit(|&b| b == b'.')
            .next()
            .is_some_and(|end| end.len() >= 2 && end.iter().all(u8::is_ascii_alphabetic))
}

/// A value that says of itself that it is none.
pub(super) fn is_example(value: &str) -> bool {
    const SAYS: &[&str] = &[
        "example",
        "dummy",
        "fake",
        "sample",
        "placeholder",
        "changeme",
        "change-me",
        "change_me",
        "replace",
        "your-",
        "your_",
        "yourpass",
        "yoursecret",
        "yourtoken",
        "yourkey",
        "xxxx",
        "****",
        "....",
        "redacted",
        "insert",
        "foobar",
        "lorem",
        "notreal",
        "not-real",
        "not_real",
        "undefined",
        "<",
        "mysecret",
        "mypassword",
        "mytoken",
        "my-secret",
        "my_secret",
        "my-token",
        "my_token",
        "my-password",
        "my_password",
        "supersecret",
        "test-secret",
        "test-token",
        "test_token",
        "test_secret",
        "testtoken",
        "test-key",
        "test_key",
    ];
    let lower = value.to_ascii_lowercase();
    SAYS.iter().any(|word| lower.contains(word))
}

/// A value that names something: a UUID, a hash with its name, a public key, a version, a time, an address of a machine.
pub(super) fn is_identity(value: &str) -> bool {
    let bytes = value.as_bytes();
    let uuid = bytes.len() == 36
        && bytes
            .iter()
            .enumerate()
            .all(|(i, b)| if matches!(i, 8 | 13 | 18 | 23) { *b == b'-' } else { b.is_ascii_hexdigit() });
    let braced = bytes.len() == 38 && bytes[0] == b'{' && bytes[37] == b'}';
    if uuid || braced {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    if [
        "sha1-",
        "sha256-",
        "sha384-",
        "sha512-",
        "sha1:",
        "sha256:",
        "sha384:",
        "sha512:",
        "md5:",
        "ssh-",
        "ecdsa-",
        "aaaab3nza",
        "aaaac3nza",
        "aaaae2vjz",
        "mfkwewyhkozizj0",
        "miibijanbgkq",
        "migfma0gcsq",
        "-----begin",
        "rsa_",
        "ecc_",
        "aes-",
        "aes_",
        "hmac",
    ]
    .iter()
    .any(|lead| lower.starts_with(lead))
    {
        return true;
    }
    // Times, versions, addresses and fingerprints are digits (or hexadecimal digits) between signs.
    let digits = |extra: &[u8]| bytes.iter().all(|b| b.is_ascii_digit() || extra.contains(b));
    let pairs = bytes.iter().filter(|&&b| b == b':').count() >= 3
        && bytes.iter().all(|b| b.is_ascii_hexdigit() || *b == b':');
    pairs || (digits(b".-:TZ+/_") && !digits(b""))
}

/// Characters that climb or fall one by one, or a piece that repeats: `12345678`, `abcdef0123`, `000102030405`, `abcabcabc`.
pub(super) fn is_ladder(bytes: &[u8]) -> bool {
    let steps = bytes
        .windows(2)
        .filter(|w| {
            matches!(i16::from(w[1].to_ascii_lowercase()) - i16::from(w[0].to_ascii_lowercase()), -1..=1)
        })
        .count();
    // A cut such as `…yz0123…` or `…890abc…` continues a ladder.
    if steps * 10 >= (bytes.len() - 1) * 6 {
        return true;
    }
    if (1..=8).any(|period| {
        bytes.len() >= 2 * period && bytes.len() >= 8 && bytes.windows(period + 1).all(|w| w[0] == w[period])
    }) {
        return true;
    }
    // 00 01 02 03 …: every second digit climbs.
    let climbing = bytes
        .chunks_exact(2)
        .zip(bytes.chunks_exact(2).skip(1))
        .filter(|(a, b)| {
            pair_number(b).wrapping_sub(pair_number(a)) == 1
                || pair_number(a) == pair_number(b)
                || pair_number(b).wrapping_sub(pair_number(a)) == 0x11
        })
        .count();
    if bytes.len() >= 12 && is_hexadecimal(bytes) && climbing * 2 >= bytes.len() / 2 - 1 {
        return true;
    }
    const RUNS: &[&[u8]] = &[
        b"1234567",
        b"abcdefg",
        b"01234567",
        b"qwertyu",
        b"9876543",
        b"deadbeef",
        b"cafebabe",
        b"0123456789",
    ];
    let lower = bytes.to_ascii_lowercase();
    bytes.len() <= 40 && RUNS.iter().any(|run| memchr::memmem::find(&lower, run).is_some())
}

fn pair_number(pair: &[u8]) -> u16 {
    let digit = |b: u8| char::from(b).to_digit(16).unwrap_or(99) as u16;
    digit(pair[0]) * 16 + digit(pair[1])
}

/// Words that name a kind of value or an algorithm, with or without a number behind them.
pub(super) fn is_stock(stem: &str) -> bool {
    const STOCK: &[&str] = &[
        "password",
        "passwd",
        "pass",
        "pwd",
        "passphrase",
        "secret",
        "token",
        "key",
        "apikey",
        "test",
        "testpassword",
        "testpass",
        "testtoken",
        "user",
        "username",
        "userpass",
        "foo",
        "bar",
        "baz",
        "foobar",
        "abc",
        "abcd",
        "xyz",
        "string",
        "value",
        "text",
        "sha",
        "md",
        "aes",
        "rsa",
        "utf",
        "base",
        "oauth",
        "oauthtoken",
        "oauthbearer",
        "scramsha",
        "pbkdf",
        "pbkdfsha",
        "bcrypt",
        "scrypt",
        "argon",
        "argonid",
        "argoni",
        "hmacsha",
        "ssha",
        "crypt",
        "des",
        "ldap",
        "ntlm",
        "ntlmv",
        "http",
        "ipv",
        "x",
        "mschapv",
        "pkcs",
        "newpassword",
        "oldpassword",
        "mypassword",
        "somepassword",
        "field",
        "input",
        "label",
        "type",
        "step",
        "col",
        "line",
        "form",
        "auth",
        "authv",
        "basic",
        "db",
        "host",
        "str",
        "var",
        "param",
        "arg",
        "item",
        "name",
        "pw",
        "wrongpassword",
        "invalidpassword",
        "testuser",
        "tests",
        "mock",
    ];
    stem.len() < 2 || STOCK.contains(&stem)
}
