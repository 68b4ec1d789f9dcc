//! Whether a value beside a telling name is a secret: by its shape, and by how unlikely it is as words. It sees neither file nor
//! name, only what the name means.

use super::name::Meaning;
use crate::rarity::mean_bits;
use crate::template::is_template;

/// How the value is carried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier {
    /// In a file of tests: keys in hexadecimal digits are test vectors there.
    pub(crate) test: bool,
    /// Given to the name itself, not compared with it or passed along with it.
    pub(crate) certain: bool,
    /// A string literal, not a bare word.
    pub(crate) quoted: bool,
}

/// What kinds of characters a value holds.
#[derive(Clone, Copy, Debug, Default)]
struct Kinds {
    digits: usize,
    lower: usize,
    upper: usize,
    /// `-`, `_`, `.`: what joins words.
    joints: usize,
    /// All other punctuation.
    signs: usize,
}

impl Kinds {
    fn of(value: &[u8]) -> Kinds {
        let mut kinds = Kinds::default();
        for byte in value {
            match byte {
                b'0'..=b'9' => kinds.digits += 1,
                b'a'..=b'z' => kinds.lower += 1,
                b'A'..=b'Z' => kinds.upper += 1,
                b'-' | b'_' | b'.' => kinds.joints += 1,
                _ => kinds.signs += 1,
            }
        }
        kinds
    }

    fn letters(self) -> usize {
        self.lower + self.upper
    }
}

/// Whether the value is a secret.
pub(crate) fn is_secret(value: &str, meaning: Meaning, carrier: Carrier) -> bool {
    let bytes = value.as_bytes();
    if bytes.len() < 5 || bytes.len() > 400 || !bytes.iter().all(|b| (b'!'..=b'~').contains(b)) {
        return false;
    }
    if is_template(value)
        || is_computed(value)
        || is_address(value)
        || is_example(value)
        || is_identity(value)
        || is_ladder(bytes)
    {
        return false;
    }
    let kinds = Kinds::of(bytes);
    match meaning {
        Meaning::Password => is_password(bytes, kinds, carrier),
        Meaning::Secret => {
            is_random(bytes, kinds, 16, 4.55, carrier)
                || (bytes.len() >= 8 && is_strong_password(bytes, kinds))
        }
        Meaning::Token => {
            is_random(bytes, kinds, 12, 4.55, carrier) || (carrier.certain && is_drawn(bytes, kinds))
        }
        Meaning::Weak => is_random(bytes, kinds, 20, 4.8, carrier),
        Meaning::Plain => {
            carrier.certain
                && kinds.digits > 0
                && !is_hexadecimal(bytes)
                && is_random(bytes, kinds, 20, 5.0, carrier)
        }
    }
}

fn is_password(bytes: &[u8], kinds: Kinds, carrier: Carrier) -> bool {
    if kinds.letters() == 0 {
        // Numbers alone: a PIN or a date, unless it is a ladder, which has been ruled out.
        return carrier.certain && kinds.digits >= 6 && kinds.digits == bytes.len() && bytes.len() <= 12;
    }
    if is_strong_password(bytes, kinds) {
        return true;
    }
    if is_random(bytes, kinds, 8, 4.7, carrier) {
        return true;
    }
    // A setting whose value is many words run together: `hardtoguesspassword`.
    if carrier.certain && !carrier.quoted && kinds.lower == bytes.len() && bytes.len() >= 14 {
        return true;
    }
    if !carrier.certain || bytes.len() < 6 || kinds.digits == 0 {
        return false;
    }
    // Words with digits: `hunter2`, `admin123`, `summer_2019`; not `sha256`, `password1`, `utf8`.
    let stem: String = bytes
        .iter()
        .filter(|b| b.is_ascii_alphabetic())
        .map(|b| char::from(b.to_ascii_lowercase()))
        .collect();
    // `secret123` is a password that people choose; `password1` is also the name of a field.
    let chosen = kinds.digits >= 3 && matches!(stem.as_str(), "password" | "passwd" | "secret" | "test");
    (chosen || !is_stock(&stem))
        && kinds.joints * 4 <= bytes.len()
        && bytes.len() <= 40
        && !has_camel_words(bytes)
}

/// Letters with a digit and a sign, or with digits in place of letters: nothing that code would hold.
fn is_strong_password(bytes: &[u8], kinds: Kinds) -> bool {
    if bytes.len() < 6 || bytes.len() > 64 || kinds.letters() < 2 {
        return false;
    }
    let signs = bytes.iter().filter(|b| b"!@#$%^&*?~+".contains(b)).count();
    let other = kinds.signs - signs;
    if other > 2 + bytes.len() / 6 || bytes.iter().any(|b| b"()<>{}".contains(b)) && kinds.digits < 2 {
        return false;
    }
    let cases = usize::from(kinds.lower > 0) + usize::from(kinds.upper > 0) + usize::from(kinds.digits > 0);
    if kinds.signs > 0 && cases >= 2 && kinds.digits > 0 {
        // `a.b@c1.d` is an address, `x/y1` a path, `k=v1` a pair.
        return signs > 0
            && !looks_like_address(bytes)
            && !matches!(bytes[0], b'@' | b'#' | b'*' | b'&' | b'%' | b'+')
            || mean_bits(bytes) > 4.9;
    }
    if signs > 0 && kinds.upper > 0 && kinds.lower > 0 && !looks_like_address(bytes) {
        return mean_bits(bytes) > 3.5;
    }
    // `s3cr3t`, `p4ssw0rd`, `sup3r_s3cr3t`
    let inner = bytes
        .windows(3)
        .filter(|w| w[1].is_ascii_digit() && w[0].is_ascii_alphabetic() && w[2].is_ascii_alphabetic())
        .count();
    inner >= 2 && kinds.signs == 0 && mean_bits(bytes) > 4.0 && bytes.len() <= 24
}

/// Whether the value is too unlikely as words, given how much of it there is.
fn is_random(bytes: &[u8], kinds: Kinds, min_bytes: usize, min_bits: f32, carrier: Carrier) -> bool {
    if bytes.len() < min_bytes || kinds.letters() + kinds.digits < bytes.len() * 3 / 4 || distinct(bytes) < 7
    {
        return false;
    }
    if is_hexadecimal(bytes) {
        return bytes.len() >= 16.max(min_bytes)
            && kinds.digits > 0
            && kinds.letters() > 0
            && distinct(bytes) >= 8
            && !carrier.test;
    }
    if kinds.letters() == 0 {
        return false;
    }
    // Joined words are judged by their longest piece as well: one random piece is enough, many short ones are not.
    let longest = bytes
        .split(|b| matches!(b, b'.' | b'-' | b'_' | b':' | b'/'))
        .max_by_key(|piece| piece.len())
        .unwrap_or(bytes);
    if longest.len() < 8 && !is_grouped(bytes) {
        return false;
    }
    let needed = match bytes.len() {
        0..=11 => min_bits + 0.35,
        12..=15 => min_bits + 0.15,
        _ => min_bits,
    } + if kinds.digits == 0 { 0.3 } else { 0.0 }
        + if carrier.quoted { 0.0 } else { 0.15 };
    if longest.len() >= 20
        && kinds.digits > 0
        && kinds.upper > 0
        && kinds.lower > 0
        && runs(longest) * 100 >= longest.len() * 45
    {
        return true;
    }
    mean_bits(bytes) >= needed || (longest.len() >= 20 && mean_bits(longest) >= needed)
}

/// `29AV1-3OFV9-VVIUB-NKT0I`: groups of one length with digits in them.
fn is_grouped(bytes: &[u8]) -> bool {
    let groups: Vec<&[u8]> = bytes.split(|&b| b == b'-').collect();
    groups.len() >= 3
        && groups[0].len() >= 4
        && groups.iter().all(|group| group.len() == groups[0].len())
        && bytes.iter().filter(|b| b.is_ascii_digit()).count() >= 3
}

/// Small letters and digits whose letters are no words: `579383ujpav17468`.
fn is_drawn(bytes: &[u8], kinds: Kinds) -> bool {
    let letters: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii_lowercase).collect();
    bytes.len() >= 14
        && kinds.digits >= 4
        && letters.len() >= 4
        && letters.len() + kinds.digits == bytes.len()
        && !is_hexadecimal(bytes)
        && mean_bits(&letters) >= 4.6
}

/// How many runs of one kind of character follow each other: identifiers have few, random text many.
fn runs(bytes: &[u8]) -> usize {
    let kind = |byte: u8| (byte.is_ascii_lowercase(), byte.is_ascii_uppercase(), byte.is_ascii_digit());
    1 + bytes.windows(2).filter(|two| kind(two[0]) != kind(two[1])).count()
}

fn distinct(bytes: &[u8]) -> u32 {
    let mut seen = 0u128;
    for &byte in bytes {
        seen |= 1 << (byte & 127);
    }
    seen.count_ones()
}

fn is_hexadecimal(bytes: &[u8]) -> bool {
    let body = bytes.strip_prefix(b"0x").unwrap_or(bytes);
    body.iter().all(u8::is_ascii_hexdigit)
        && !(body.iter().any(u8::is_ascii_lowercase) && body.iter().any(u8::is_ascii_uppercase))
}

/// A template, an expression or a reference that a program resolves.
fn is_computed(value: &str) -> bool {
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
fn is_address(value: &str) -> bool {
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

fn looks_like_address(bytes: &[u8]) -> bool {
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
fn is_example(value: &str) -> bool {
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
fn is_identity(value: &str) -> bool {
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
fn is_ladder(bytes: &[u8]) -> bool {
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
fn is_stock(stem: &str) -> bool {
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

/// `uddiv3ServiceKey`: lower-case letters that run into a capital more than once, as identifiers do.
fn has_camel_words(bytes: &[u8]) -> bool {
    let humps = bytes
        .windows(3)
        .filter(|w| {
            (w[0].is_ascii_lowercase() || w[0].is_ascii_digit())
                && w[1].is_ascii_uppercase()
                && w[2].is_ascii_lowercase()
        })
        .count();
    humps >= 1 && mean_bits(bytes) < 4.3
}

/// Whether base64 text decodes to `user:password`.
pub(crate) fn is_basic_login(value: &str) -> bool {
    let body = value.trim_end_matches('=');
    if body.len() < 8 {
        return false;
    }
    let mut out = Vec::with_capacity(body.len());
    let (mut word, mut bits) = (0u32, 0);
    for byte in body.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return false,
        };
        word = word << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
        }
    }
    let Some(colon) = memchr::memchr(b':', &out) else { return false };
    let password = &out[colon + 1..];
    out.iter().all(|b| (b' '..=b'~').contains(b))
        && password.len() >= 3
        && !matches!(password, b"password" | b"pass" | b"secret" | b"passwd" | b"test")
}
