//! The path rule and the exclusions, name by name.

use super::*;

#[test]
fn each_rule_for_path_arguments_is_told() {
    for (path, denied) in [
        ("", Denied::Empty),
        ("/etc/passwd", Denied::Absolute),
        ("/", Denied::Absolute),
        ("//a", Denied::Absolute),
        ("a\\b", Denied::Backslash),
        ("\\\\host\\share", Denied::Backslash),
        ("a\0b", Denied::Nul),
        ("a//b", Denied::EmptySegment),
        ("a/", Denied::EmptySegment),
        (".", Denied::DotSegment),
        ("./a", Denied::DotSegment),
        ("a/..", Denied::DotSegment),
        ("../a", Denied::DotSegment),
        ("a./b", Denied::SegmentEnd),
        ("a/b ", Denied::SegmentEnd),
        ("...", Denied::SegmentEnd),
        ("a.txt:stream", Denied::Colon),
        ("C:/a", Denied::Colon),
        ("con", Denied::DeviceName),
        ("a/NUL.txt", Denied::DeviceName),
        ("a/Com1/b", Denied::DeviceName),
        ("lpt9.tar.gz", Denied::DeviceName),
        ("COM¹", Denied::DeviceName),
        ("aux .c", Denied::DeviceName),
        ("CONIN$", Denied::DeviceName),
    ] {
        assert_eq!(check(path), Err(denied), "{path:?}");
        assert!(denied.says().len() > 10);
    }
    for path in [
        "a",
        "a b/c.d",
        ".env.d",
        "console",
        "com",
        "com10",
        "com1x",
        "lpt",
        "nul1",
        "xnul",
        "a..b",
        "é/\u{1F600}",
    ] {
        assert_eq!(check(path), Ok(()), "{path:?}");
    }
}

#[test]
fn thirty_two_segments_are_taken_and_one_more_is_not() {
    for (segments, expected) in [(31, Ok(())), (32, Ok(())), (33, Err(Denied::TooDeep))] {
        assert_eq!(check(&vec!["a"; segments].join("/")), expected, "{segments}");
    }
}

#[test]
fn a_path_that_would_fill_an_answer_alone_is_too_long() {
    let of = |plain: usize, controls: usize| {
        let text = "a".repeat(plain) + &"\u{1}".repeat(controls);
        let segments: Vec<&str> =
            text.as_bytes().chunks(200).map(|piece| std::str::from_utf8(piece).unwrap()).collect();
        segments.join("/")
    };
    // Six bytes for each control character, two quotes, and a slash between pieces.
    let at =
        (0..3_000).rev().find(|controls| json_bytes(&of(400, *controls)) <= PATH_JSON_BYTES_MAX).unwrap();
    assert_eq!(check(&of(400, at)), Ok(()));
    assert_eq!(check(&of(400, at + 1)), Err(Denied::TooLong));
    let exact = of(400, at) + &"a".repeat(PATH_JSON_BYTES_MAX - json_bytes(&of(400, at)));
    assert_eq!((json_bytes(&exact), check(&exact)), (PATH_JSON_BYTES_MAX, Ok(())));
    assert_eq!(check(&(exact + "a")), Err(Denied::TooLong));
    assert_eq!(check(&"a".repeat(255)), Ok(()));
    assert_eq!(check(&"a".repeat(256)), Err(Denied::TooLong));
}

/// Every name that the contract and the specification exclude, one of each kind.
pub(crate) const EXCLUDED: &[&str] = &[
    ".git",
    "node_modules",
    "vendor",
    "dist",
    "build",
    "coverage",
    ".next",
    ".cache",
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".env",
    ".env.local",
    ".env.",
    "credentials",
    "credentials.json",
    "credentials-prod",
    "credentials_x",
    "secrets",
    "secrets.yaml",
    "secrets-prod",
    "secrets_x",
    "service-account",
    "service-account.json",
    "service-account-x",
    "service-account_x",
    "service_account",
    "service_account.json",
    "service_account-x",
    "service_account_x",
    ".npmrc",
    ".netrc",
    "id_rsa",
    "id_rsa.pub",
    "id_dsa",
    "id_dsa.pub",
    "id_ecdsa",
    "id_ecdsa.bak",
    "id_ed25519",
    "id_ed25519.pub",
    "server.pem",
    "server.key",
    "server.p12",
    "server.pfx",
    ".pem",
    "a.b.key",
];

#[test]
fn each_exclusion_holds_alone_and_in_another_case() {
    for name in EXCLUDED {
        assert!(is_excluded(name.as_bytes()), "{name}");
        assert!(is_excluded(name.to_uppercase().as_bytes()), "{name}");
        let mixed: String = name
            .chars()
            .enumerate()
            .map(|(at, c)| if at % 2 == 0 { c.to_ascii_uppercase() } else { c })
            .collect();
        assert!(is_excluded(mixed.as_bytes()), "{mixed}");
    }
}

#[test]
fn names_that_the_contract_does_not_name_stay_visible() {
    for name in [
        ".envrc",
        "env",
        "secret.txt",
        "secretsx",
        "mysecrets",
        "credentialsx",
        "id_rsa_work",
        "id_rsa-old",
        "xid_rsa",
        "service-accounts",
        "serviceaccount",
        ".gitignore",
        ".github",
        "git",
        "builds",
        "build.rs",
        "dist.txt",
        "vendors",
        "a.pem.txt",
        "pem",
        "key",
        "monkey",
        ".npmrc.txt",
        ".netrc~",
        "coverage.xml",
        ".cached",
        "",
    ] {
        assert!(!is_excluded(name.as_bytes()), "{name}");
    }
}
