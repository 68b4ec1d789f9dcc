//! What is private, what everybody has, and what only looks like either.

use crate::{Detector, FileFacts, Numbering, Policy, Stacks};
use fault::Unwatched;

fn masked(path: &str, text: &str) -> String {
    let facts = FileFacts { path, stacks: Stacks::NONE };
    let policy = Policy { private_data: true };
    let findings = Detector::shared().detect(text, &facts, &policy, &Unwatched).expect("inspected");
    Numbering::new().mask(text, &findings).into_text()
}

/// In `marked`, what must be hidden stands between `[` and `]` and is of kind `rule`.
fn check(rule: &str, marked: &str) {
    let text: String = marked.chars().filter(|c| !"[]".contains(*c)).collect();
    let mut expected = String::new();
    let mut values: Vec<String> = Vec::new();
    for (at, piece) in marked.split(['[', ']']).enumerate() {
        if at % 2 == 0 {
            expected.push_str(piece);
            continue;
        }
        let number = values.iter().position(|value| value == piece).unwrap_or_else(|| {
            values.push(piece.to_owned());
            values.len() - 1
        });
        expected.push_str(&format!("REDACTED[{rule}#{}]", number + 1));
    }
    assert_eq!(masked("notes.txt", &text), expected);
}

#[test]
fn nothing_is_private_without_the_policy() {
    let text = "jane.roe@corp-mail.io /home/mwagner 185.23.91.7";
    let findings = Detector::shared().detect(text, &FileFacts::default(), &Policy::default(), &Unwatched);
    assert_eq!(findings.map(|findings| findings.len()), Ok(0));
}

#[test]
fn email_addresses_of_people_are_hidden() {
    check("email", "mail [jane.roe@corp-mail.io], <[m.wagner+x@uni.ac.at]>. Again [jane.roe@corp-mail.io].");
    check("email", "an address at the end: [otto@firma.de].");
}

#[test]
fn email_addresses_of_roles_documents_and_files_stay() {
    for text in [
        "noreply@corp-mail.io",
        "support@corp-mail.io",
        "security@corp-mail.io",
        "your.name@corp-mail.io",
        "a@corp-mail.io",
        "jane@example.com",
        "jane@mail.example.org",
        "jane@host.test",
        "icon@2x.png",
        "jane@readme.md",
        "jane@host",
        "jane@corp-mail.x1",
        "https://jane.roe@corp-mail.io/x",
        "ssh://jane:pw@corp-mail.io/x",
        "jane@domain.com",
    ] {
        let shown = masked("notes.txt", text);
        assert!(!shown.contains("[email#"), "{text} became {shown}");
    }
    for path in
        ["AUTHORS", "LICENSE.txt", ".mailmap", "docs/CODEOWNERS", "package.json", "Cargo.lock", "setup.py"]
    {
        assert_eq!(masked(path, "jane.roe@corp-mail.io"), "jane.roe@corp-mail.io", "{path}");
    }
}

#[test]
fn public_ipv4_addresses_are_hidden() {
    check("ipv4", "from [185.23.91.7] to [93.184.216.34]:443 and http://[52.14.33.9]/x");
    check("ipv4", "server 12.0.3.[x] ip [12.22.3.41]".replace("12.0.3.[x] ", "").as_str());
}

#[test]
fn special_well_known_and_version_like_quads_stay() {
    for text in [
        "10.1.2.3",
        "172.16.9.1",
        "192.168.0.17",
        "127.0.0.1",
        "169.254.7.7",
        "100.64.3.2",
        "198.18.4.4",
        "224.0.0.251",
        "192.0.2.44",
        "198.51.100.9",
        "203.0.113.77",
        "8.8.8.8",
        "1.1.1.1",
        "9.9.9.9",
        "185.23.91.0",
        "77.77.77.77",
        "1.2.3.4",
        "4.3.2.1",
        "185.023.91.7",
        "v185.23.91.7",
        "version 185.23.91.7",
        "1.185.23.91.7",
        "release 12.22.3.41",
        "12.22.3.41",
        "185.23.91.7-rc1",
        "0.0.0.0",
        "255.255.255.255",
        "185.23.91.700",
    ] {
        assert_eq!(masked("notes.txt", text), text);
    }
    for path in ["yarn.lock", "CHANGELOG.md", "logo.svg"] {
        assert_eq!(masked(path, "185.23.91.7"), "185.23.91.7", "{path}");
    }
}

#[test]
fn public_ipv6_and_hardware_addresses_are_hidden() {
    check("ipv6", "on [2a02:8108:4740::17] and http://{[2a01:4f8:c17:b8f:1:2:3:4]}/");
    check("mac-address", "card [3c:22:fb:9a:01:7e], other [70-B3-D5-7E-D0-01]: up");
}

#[test]
fn special_ipv6_and_hardware_addresses_stay() {
    for text in [
        "::1",
        "fe80::1ff:fe23:4567:890a",
        "fd12:3456:789a::1",
        "2001:db8::8a2e:370:7334",
        "2001:4860:4860::8888",
        "2606:4700:4700::1111",
        "std::fs::read",
        "a::b::c",
        "12:30:45",
        "00:11:22:33:44:55",
        "ff:ff:ff:ff:ff:ff",
        "00:00:00:00:00:00",
        "de:ad:be:ef:12:34",
        "3c:00:00:00:00:00",
        "3c:22:fb-9a:01:7e",
        "3c:22:fb:9a:01:7e:aa:bb",
        "2024-01-01-12-30-45",
        "550e8400-e29b-41d4-a716-446655440000",
    ] {
        assert_eq!(masked("notes.txt", text), text);
    }
}

#[test]
fn phone_numbers_in_international_form_are_hidden() {
    check("phone-number", "call [+49 30 9018 2647] or [+1 (415) 867-2930], [+43664982714].");
}

#[test]
fn fictional_numbers_dates_sums_and_diffs_stay() {
    for text in [
        "call +1 415 555 0132",
        "call +1-555-867-2930",
        "call +44 7700 900123",
        "call +0123456789",
        "at +2024-01-15",
        "call +1234567890",
        "call +11111111111",
        "+4930901826 47",
        "a+49309018264",
        "x = 1 +49309018264789012",
        "call +1 23",
    ] {
        assert_eq!(masked("notes.txt", text), text);
    }
}

#[test]
fn user_names_in_home_directories_are_hidden() {
    check("local-user", "in /home/[mwagner]/src and /Users/[jane.roe]/x, file:///home/[mwagner]/y");
    check("local-user", "at C:\\Users\\[MWagner]\\x or D:\\\\Users\\\\[otto]\\\\y or c:/Users/[otto]/z");
}

#[test]
fn user_names_that_everybody_has_stay() {
    for text in [
        "/home/runner/work",
        "/home/ubuntu",
        "/Users/Shared/x",
        "C:\\Users\\Public\\x",
        "/home/alice/x",
        "/home/12345/x",
        "/home/your-name/x",
        "https://host.io/home/mwagner",
        "$ROOT/home/mwagner",
        "/home/$USER/x",
        "/home/x",
        "Users/otto",
    ] {
        assert_eq!(masked("notes.txt", text), text);
    }
}

#[test]
fn secrets_win_over_private_data() {
    let shown = masked(".env", "DB_PASSWORD=jane.roe@corp-mail.io\n");
    assert!(shown.starts_with("DB_PASSWORD=REDACTED[environment-secret#1]"), "{shown}");
}
