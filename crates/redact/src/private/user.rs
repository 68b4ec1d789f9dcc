//! Who works at a machine: the user segment of home directories. Names that every machine or every manual has are
//! nobody's. It never asks the system who is logged in: the same text gives the same answer everywhere.

use std::ops::Range;

/// The id of user names.
pub(super) const LOCAL_USER: &str = "local-user";

/// Bytes of a name that are looked at.
const NAME_BYTES_MAX: usize = 64;

/// Names of roles, images, services and examples, sorted.
const NOBODYS: &[&str] = &[
    "admin",
    "administrator",
    "alice",
    "all users",
    "app",
    "bar",
    "bob",
    "build",
    "builder",
    "carol",
    "charlie",
    "ci",
    "circleci",
    "coder",
    "codespace",
    "containeradministrator",
    "dave",
    "debian",
    "default",
    "default user",
    "deploy",
    "dev",
    "developer",
    "docker",
    "ec2-user",
    "example",
    "fedora",
    "foo",
    "git",
    "github",
    "gitlab-runner",
    "guest",
    "hadoop",
    "home",
    "jane",
    "jdoe",
    "jenkins",
    "joe",
    "john",
    "johndoe",
    "jovyan",
    "lib",
    "linuxbrew",
    "local",
    "me",
    "myname",
    "myself",
    "myuser",
    "name",
    "node",
    "nobody",
    "nonroot",
    "pi",
    "postgres",
    "project",
    "projects",
    "public",
    "root",
    "runner",
    "runneradmin",
    "sandbox",
    "server",
    "service",
    "shared",
    "someone",
    "somebody",
    "src",
    "test",
    "tester",
    "testuser",
    "travis",
    "ubuntu",
    "user",
    "user1",
    "user2",
    "username",
    "users",
    "vagrant",
    "vscode",
    "vsts",
    "vssadministrator",
    "work",
    "worker",
    "workspace",
    "www",
    "www-data",
    "xxx",
    "you",
];

pub(super) fn homes(text: &str, found: &mut Vec<(Range<usize>, &'static str)>) {
    let bytes = text.as_bytes();
    for marker in ["/home/", "/Users/"] {
        for at in memchr::memmem::find_iter(bytes, marker) {
            // Behind a host or another folder it is a part of some other path.
            let begins = at.checked_sub(1).is_none_or(|before| {
                let byte = bytes[before];
                !super::is_word(byte) && !b".~-/$}%".contains(&byte) || is_file_url(bytes, at)
            });
            if begins {
                name(text, at + marker.len(), found);
            }
        }
    }
    for marker in ["Users", "users"] {
        for at in memchr::memmem::find_iter(bytes, marker) {
            if let Some(start) = windows(bytes, at, marker.len()) {
                name(text, start, found);
            }
        }
    }
}

fn is_file_url(bytes: &[u8], at: usize) -> bool {
    bytes[..at].ends_with(b"file://")
}

/// The start of the name in `C:\Users\name`, with single, doubled or forward separators.
fn windows(bytes: &[u8], at: usize, marker: usize) -> Option<usize> {
    let separators = |part: &mut dyn Iterator<Item = &u8>| {
        part.take(4).take_while(|byte| matches!(byte, b'\\' | b'/')).count()
    };
    let before = separators(&mut bytes[..at].iter().rev());
    let drive = at.checked_sub(before + 2)?;
    let after = separators(&mut bytes[at + marker..].iter());
    let is_drive = bytes[drive].is_ascii_alphabetic() && bytes[drive + 1] == b':';
    (before > 0 && after > 0 && is_drive).then_some(at + marker + after)
}

fn name(text: &str, start: usize, found: &mut Vec<(Range<usize>, &'static str)>) {
    let bytes = text.as_bytes();
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-') || *byte >= 0x80;
    let length = bytes[start..].iter().take(NAME_BYTES_MAX).take_while(|byte| is_part(byte)).count();
    let mut end = start + length;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let found_name = text[start..end].trim_end_matches(['.', '-']);
    let lower = found_name.to_lowercase();
    let is_nobodys = NOBODYS.contains(&lower.as_str())
        || lower.starts_with("your")
        || lower.starts_with("my-")
        || lower.starts_with("my_")
        || lower.starts_with('.')
        || lower.bytes().all(|byte| byte.is_ascii_digit());
    if lower.len() >= 2 && !is_nobodys {
        found.push((start..start + found_name.len(), LOCAL_USER));
    }
}
