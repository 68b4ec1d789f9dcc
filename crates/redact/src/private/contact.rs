//! How people are reached: e-mail addresses and phone numbers. It knows which spellings belong to nobody.

use std::ops::Range;

use super::{is_word, line_of};

/// The id of e-mail addresses.
pub(super) const EMAIL: &str = "email";
/// The id of phone numbers.
pub(super) const PHONE: &str = "phone-number";

/// Bytes of an address on each side of its `@` that are looked at.
const SIDE_BYTES_MAX: usize = 254;

/// Local parts that name a role, a machine or nobody.
const ROLES: &[&str] = &[
    "abuse",
    "account",
    "accounts",
    "admin",
    "administrator",
    "alerts",
    "billing",
    "bot",
    "bugs",
    "careers",
    "ci",
    "community",
    "conduct",
    "contact",
    "contributors",
    "daemon",
    "dev",
    "developer",
    "developers",
    "devs",
    "do-not-reply",
    "donotreply",
    "email",
    "enquiries",
    "feedback",
    "foo",
    "bar",
    "git",
    "hello",
    "help",
    "hostmaster",
    "info",
    "jobs",
    "legal",
    "list",
    "mail",
    "mailer-daemon",
    "maintainer",
    "maintainers",
    "marketing",
    "me",
    "name",
    "news",
    "newsletter",
    "no-reply",
    "nobody",
    "noreply",
    "notifications",
    "office",
    "opensource",
    "ops",
    "partners",
    "postmaster",
    "press",
    "privacy",
    "qa",
    "root",
    "sales",
    "security",
    "service",
    "someone",
    "somebody",
    "staff",
    "support",
    "sysadmin",
    "team",
    "test",
    "tester",
    "user",
    "username",
    "webmaster",
    "xxx",
    "first.last",
    "firstname.lastname",
    "placeholder",
];

/// Domains that stand for a domain.
const STAND_INS: &[&str] = &[
    "domain.com",
    "domain.tld",
    "domain.org",
    "mydomain.com",
    "company.com",
    "mycompany.com",
    "email.com",
    "foo.com",
    "bar.com",
    "acme.com",
    "corp.com",
    "server.com",
    "host.com",
    "site.com",
    "test.com",
];

/// Last labels that are file extensions: `icon@2x.png` is no address.
const FILE_ENDINGS: &[&str] = &[
    "c", "conf", "css", "go", "gif", "h", "html", "ico", "java", "jpeg", "jpg", "js", "json", "jsx", "lock",
    "map", "md", "php", "png", "py", "rb", "rs", "scss", "service", "sh", "svg", "target", "toml", "ts",
    "tsx", "txt", "webp", "xml", "yaml", "yml",
];

pub(super) fn emails(text: &str, found: &mut Vec<(Range<usize>, &'static str)>) {
    let bytes = text.as_bytes();
    for at in memchr::memchr_iter(b'@', bytes) {
        let is_local =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-');
        let is_domain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
        let local = bytes[..at].iter().rev().take(SIDE_BYTES_MAX).take_while(|byte| is_local(byte)).count();
        let domain = bytes[at + 1..].iter().take(SIDE_BYTES_MAX).take_while(|byte| is_domain(byte)).count();
        let start = at - local;
        // A sentence may end right behind the address.
        let end = at + 1 + text[at + 1..at + 1 + domain].trim_end_matches(['.', '-']).len();
        let range = start..end;
        let alone = bytes.get(end) != Some(&b'@') && (start == 0 || bytes[start - 1] < 0x80);
        if alone && !is_userinfo(bytes, start) && is_personal(&text[start..at], &text[at + 1..end]) {
            found.push((range, EMAIL));
        }
    }
}

/// Whether what precedes makes this the user part of a URL.
fn is_userinfo(bytes: &[u8], start: usize) -> bool {
    let before = &bytes[..start];
    let authority = before
        .iter()
        .rev()
        .take(SIDE_BYTES_MAX)
        .take_while(|byte| !byte.is_ascii_whitespace() && !b"/\"'<>".contains(byte))
        .count();
    let scheme = &before[..start - authority];
    scheme.ends_with(b"://") && !scheme.ends_with(b"mailto://")
}

fn is_personal(local: &str, domain: &str) -> bool {
    let (local, domain) = (local.to_ascii_lowercase(), domain.to_ascii_lowercase());
    let labels: Vec<&str> = domain.split('.').collect();
    let Some(last) = labels.last() else { return false };
    let is_domain = labels.len() >= 2
        && labels.iter().all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'))
        && last.len() >= 2
        && last.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_local =
        local.len() >= 2 && !local.starts_with('.') && !local.ends_with('.') && !local.contains("..");
    let is_role = ROLES.binary_search(&local.as_str()).is_ok()
        || ROLES.contains(&local.as_str())
        || ["your", "noreply", "no-reply"].iter().any(|word| local.starts_with(word))
        || local.bytes().all(|byte| byte == b'x');
    let is_documentation = crate::structured::uri::is_documentation_host(&domain)
        || STAND_INS.contains(&domain.as_str())
        || labels.iter().any(|label| label.starts_with("your"));
    is_domain && is_local && !is_role && !is_documentation && !FILE_ENDINGS.contains(last)
}

pub(super) fn phones(text: &str, found: &mut Vec<(Range<usize>, &'static str)>) {
    /// Characters of a number with its separators.
    const CHARS_MAX: usize = 20;
    let bytes = text.as_bytes();
    for at in memchr::memchr_iter(b'+', bytes) {
        if !bytes.get(at + 1).is_some_and(|byte| (b'1'..=b'9').contains(byte)) {
            continue;
        }
        let part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b'(' | b')');
        let length = 1 + bytes[at + 1..].iter().take(CHARS_MAX + 4).take_while(|byte| part(byte)).count();
        let number = text[at..at + length].trim_end_matches([' ', '-', '(']);
        let end = at + number.len();
        let before = at.checked_sub(1).map(|before| bytes[before]);
        let alone = before.is_none_or(|byte| !is_word(byte) && !b"+-*/=)]}.".contains(&byte))
            && bytes.get(end).is_none_or(|byte| !is_word(*byte) && *byte != b'+');
        let digits: Vec<u8> = number.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        // A leading plus at the start of a line is how a diff marks what it adds.
        let is_diff = line_of(text, at).0 == at;
        if alone
            && !is_diff
            && number.len() <= CHARS_MAX
            && (8..=15).contains(&digits.len())
            && !number.contains("  ")
            && !is_fiction(&digits)
            && !is_date(number)
        {
            found.push((at..end, PHONE));
        }
    }
}

/// Numbers that belong to nobody: reserved for fiction, sequences, one digit over and over.
fn is_fiction(digits: &[u8]) -> bool {
    let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    let reserved = match text.as_bytes() {
        // North America: 555 as exchange or area code.
        [b'1', rest @ ..] if rest.len() == 10 => rest[3..6] == *b"555" || rest[..3] == *b"555",
        _ => ["447700900", "442079460", "44161496", "61491570", "6125550", "3319900"]
            .iter()
            .any(|start| text.starts_with(start)),
    };
    let steps: Vec<i16> = digits.windows(2).map(|pair| i16::from(pair[1]) - i16::from(pair[0])).collect();
    let run = |step: i16| steps.iter().filter(|found| **found == step).count() + 2 >= digits.len();
    reserved || run(1) || run(-1) || run(0) || text.contains("1234567") || text.contains("0000000")
}

fn is_date(number: &str) -> bool {
    let parts: Vec<&str> = number[1..].split('-').collect();
    let is_year = |part: &str| part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
    parts.len() == 3 && is_year(parts[0]) && parts[1].len() == 2 && parts[2].len() == 2
}
