//! Where machines are: public network addresses and hardware addresses. Addresses that everybody has, or that
//! documents may use freely, are no one's.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use super::{is_word, line_of};

/// The id of IPv4 addresses.
pub(super) const IPV4: &str = "ipv4";
/// The id of IPv6 addresses.
pub(super) const IPV6: &str = "ipv6";
/// The id of hardware addresses.
pub(super) const MAC: &str = "mac-address";

/// Public resolvers, known by heart.
const RESOLVERS: &[[u8; 4]] = &[
    [1, 0, 0, 1],
    [1, 0, 0, 2],
    [1, 1, 1, 1],
    [1, 1, 1, 2],
    [1, 1, 1, 3],
    [4, 2, 2, 1],
    [4, 2, 2, 2],
    [8, 8, 4, 4],
    [8, 8, 8, 8],
    [8, 20, 247, 20],
    [8, 26, 56, 26],
    [9, 9, 9, 9],
    [9, 9, 9, 10],
    [64, 6, 64, 6],
    [64, 6, 65, 6],
    [76, 76, 2, 0],
    [77, 88, 8, 8],
    [94, 140, 14, 14],
    [94, 140, 15, 15],
    [114, 114, 114, 114],
    [119, 29, 29, 29],
    [149, 112, 112, 112],
    [208, 67, 220, 220],
    [208, 67, 222, 222],
    [223, 5, 5, 5],
    [223, 6, 6, 6],
];

/// Words that say that a dotted quad is an address and no version.
const NETWORK_WORDS: &[&str] = &[
    "addr", "address", "dns", "host", "inet", "ip", "ipv4", "listen", "peer", "proxy", "remote", "server",
    "subnet",
];

pub(super) fn ipv4(text: &str, found: &mut Vec<(Range<usize>, &'static str)>) {
    let bytes = text.as_bytes();
    let mut until = 0;
    for dot in memchr::memchr_iter(b'.', bytes) {
        if dot < until {
            continue;
        }
        let before = bytes[until..dot].iter().rev().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        if before == 0 || before > 3 || !bytes.get(dot + 1).is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let start = dot - before;
        let length =
            bytes[start..].iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        let end = start + text[start..start + length].trim_end_matches('.').len();
        until = end;
        let alone = start.checked_sub(1).is_none_or(|at| !is_word(bytes[at]) && !b".-".contains(&bytes[at]))
            && bytes.get(end).is_none_or(|byte| !is_word(*byte) && *byte != b'-')
            && length < 16;
        if alone
            && let Some(address) = quad(&text[start..end])
            && is_somebodys(address)
            && !is_version(text, start, end, address)
        {
            found.push((start..end, IPV4));
        }
    }
}

/// Four numbers without leading zeros.
fn quad(text: &str) -> Option<[u8; 4]> {
    text.parse::<Ipv4Addr>().ok().map(|address| address.octets())
}

fn is_somebodys(octets: [u8; 4]) -> bool {
    let [a, b, c, d] = octets;
    let is_special = matches!(
        octets,
        [0 | 10 | 127, ..] | [169, 254, ..] | [192, 168, ..] | [198, 18 | 19, ..] | [224..=255, ..]
    ) || (a == 172 && (16..=31).contains(&b))
        || (a == 100 && (64..=127).contains(&b))
        || matches!([a, b, c], [192, 0, 0 | 2] | [198, 51, 100] | [203, 0, 113] | [192, 88, 99]);
    let step = |by: i16| octets.windows(2).all(|pair| i16::from(pair[1]) - i16::from(pair[0]) == by);
    !is_special && !RESOLVERS.contains(&octets) && d != 0 && !step(0) && !step(1) && !step(-1) && !step(11)
}

/// Whether the quad reads like a version: small numbers without anything on its line that speaks of a network.
fn is_version(text: &str, start: usize, end: usize, octets: [u8; 4]) -> bool {
    let (from, line) = line_of(text, start);
    let before = line[..start - from]
        .trim_end_matches(['"', '\'', ' ', '=', ':', '<', '>', '~', '^', '('])
        .to_ascii_lowercase();
    if ["version", "ver", "release", "revision", "since"].iter().any(|word| before.ends_with(word)) {
        return true;
    }
    if octets.iter().any(|octet| *octet > 43) {
        return false;
    }
    let lower = line.to_ascii_lowercase();
    let has_word =
        lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| NETWORK_WORDS.contains(&word));
    let rest = &text[end..];
    let has_port_or_range = rest.strip_prefix([':', '/']).is_some_and(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (1..=5).contains(&digits)
    });
    !(has_word
        || has_port_or_range
        || line[..start - from].ends_with("://")
        || line[..start - from].ends_with('@'))
}

/// Addresses written with colons (or, for hardware, hyphens) in hexadecimal.
pub(super) fn colons(text: &str, found: &mut Vec<(Range<usize>, &'static str)>) {
    let bytes = text.as_bytes();
    let mut until = 0;
    for at in memchr::memchr2_iter(b':', b'-', bytes) {
        if at < until {
            continue;
        }
        let is_part = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'-' | b'.');
        let back = bytes[until..at].iter().rev().take(64).take_while(|byte| is_part(byte)).count();
        let ahead = bytes[at..].iter().take(64).take_while(|byte| is_part(byte)).count();
        let (start, end) = (at - back, at + ahead);
        until = end;
        let alone = start.checked_sub(1).is_none_or(|before| !is_word(bytes[before]))
            && bytes.get(end).is_none_or(|byte| !is_word(*byte));
        if !alone {
            continue;
        }
        let whole = &text[start..end];
        let piece = whole.trim_end_matches(['.', '-']).trim_start_matches(['.', '-']);
        let from = start + (whole.len() - whole.trim_start_matches(['.', '-']).len());
        // A colon behind an address is punctuation, unless it is one of a pair.
        let piece =
            if piece.ends_with(':') && !piece.ends_with("::") { &piece[..piece.len() - 1] } else { piece };
        let range = from..from + piece.len();
        if is_mac(piece) {
            found.push((range, MAC));
        } else if is_ipv6(piece) {
            found.push((range, IPV6));
        }
    }
}

fn is_mac(text: &str) -> bool {
    /// Addresses that stand for an address.
    const FIXTURES: &[&str] = &[
        "001122334455",
        "0123456789ab",
        "112233445566",
        "123456789abc",
        "aabbccddeeff",
        "ffeeddccbbaa",
        "010203040506",
        "665544332211",
        "554433221100",
        "a1b2c3d4e5f6",
    ];
    let bytes = text.as_bytes();
    if bytes.len() != 17 || !matches!(bytes[2], b':' | b'-') {
        return false;
    }
    let is_shaped = bytes
        .iter()
        .enumerate()
        .all(|(at, byte)| if at % 3 == 2 { *byte == bytes[2] } else { byte.is_ascii_hexdigit() });
    let digits: String =
        text.chars().filter(char::is_ascii_hexdigit).map(|c| c.to_ascii_lowercase()).collect();
    let is_uniform = digits.bytes().all(|byte| byte == digits.as_bytes()[0]);
    is_shaped
        && !is_uniform
        && !FIXTURES.contains(&digits.as_str())
        && !digits.starts_with("deadbeef")
        && !digits.ends_with("0000000000")
}

fn is_ipv6(text: &str) -> bool {
    let groups: Vec<&str> = text.split(':').filter(|group| !group.is_empty()).collect();
    let is_telling = text.bytes().any(|byte| byte.is_ascii_digit())
        && (groups.len() >= 4 || groups.iter().any(|group| group.len() >= 3));
    if !is_telling || text.matches(':').count() < 2 {
        return false;
    }
    let Ok(address) = text.parse::<Ipv6Addr>() else { return false };
    let [a, b, c, ..] = address.segments();
    let is_global = (0x2000..=0x3FFF).contains(&a);
    let is_special =
        (a == 0x2001 && (b < 0x0200 || b == 0x0DB8)) || a == 0x2002 || (a == 0x3FFF && b < 0x1000);
    let is_resolver = matches!(
        (a, b, c),
        (0x2001, 0x4860, 0x4860)
            | (0x2606, 0x4700, 0x4700)
            | (0x2620, 0x00FE, _)
            | (0x2620, 0x0119, 0x0035 | 0x0053)
            | (0x2A10, 0x50C0, _)
            | (0x2A02, 0x06B8, _)
    );
    is_global && !is_special && !is_resolver
}
