//! Private data: addresses, numbers and names that belong to people and their machines, only on request
//! (spec `project.md` 9.5). It leaves out rather than guesses; secrets are none of its business.

mod contact;
mod network;
mod user;

use crate::claims::{Claims, Rank};
use crate::effort::Effort;
use crate::finding::{FileFacts, Uninspectable};

/// The ids of the six kinds and what they are, for the reference page.
pub(crate) const KINDS: &[(&str, &str)] = &[
    (contact::EMAIL, "E-mail address"),
    (network::IPV4, "Public IPv4 address"),
    (network::IPV6, "Public IPv6 address"),
    (network::MAC, "Hardware (MAC) address"),
    (contact::PHONE, "Phone number in international form"),
    (user::LOCAL_USER, "User name in a home directory"),
];

/// Everything private in a text.
pub(crate) fn find(
    text: &str,
    facts: &FileFacts<'_>,
    claims: &mut Claims,
    effort: &mut Effort<'_>,
) -> Result<(), Uninspectable> {
    let file = File::of(facts.path);
    let mut found = Vec::new();
    if !file.is_attribution && !file.is_manifest {
        contact::emails(text, &mut found);
    }
    contact::phones(text, &mut found);
    if !file.is_lock && !file.is_changelog && !file.is_svg {
        network::ipv4(text, &mut found);
    }
    network::colons(text, &mut found);
    user::homes(text, &mut found);
    effort.spend(text.len() / 4 + 64 * found.len())?;
    for (range, rule) in found {
        claims.add(range, rule, Rank::Private)?;
    }
    Ok(())
}

/// What a file's name says about whose data it holds.
struct File {
    /// It names authors because it must.
    is_attribution: bool,
    /// It is a package manifest or a lock file.
    is_manifest: bool,
    is_lock: bool,
    is_changelog: bool,
    is_svg: bool,
}

impl File {
    fn of(path: &str) -> File {
        let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        let stem = name.split('.').next().unwrap_or_default();
        let begins = |words: &[&str]| words.iter().any(|word| stem.starts_with(word));
        let is_lock = name.ends_with(".lock")
            || name.ends_with("-lock.json")
            || name.ends_with("-lock.yaml")
            || matches!(name.as_str(), "go.sum" | "npm-shrinkwrap.json" | "bun.lockb" | "packages.lock.json");
        let is_manifest = is_lock
            || matches!(
                name.as_str(),
                "package.json"
                    | "cargo.toml"
                    | "pyproject.toml"
                    | "setup.py"
                    | "setup.cfg"
                    | "composer.json"
                    | "pom.xml"
                    | "go.mod"
                    | "gemfile"
                    | "pubspec.yaml"
                    | "pipfile"
                    | "pkg-info"
                    | "metadata"
            )
            || [".gemspec", ".csproj", ".nuspec", ".cabal", ".podspec"].iter().any(|end| name.ends_with(end));
        File {
            is_attribution: begins(&[
                "license",
                "licence",
                "notice",
                "authors",
                "contributors",
                "maintainers",
                "copying",
                "credits",
                "thanks",
                "codeowners",
            ]) || name == ".mailmap",
            is_manifest,
            is_lock,
            is_changelog: begins(&["changelog", "changes", "history", "news", "release"]),
            is_svg: name.ends_with(".svg"),
        }
    }
}

/// Whether a byte can stand inside a word, so that what touches it is not alone.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The bytes of the line that holds `at`, and where they begin.
fn line_of(text: &str, at: usize) -> (usize, &str) {
    let bytes = text.as_bytes();
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(text.len(), |ahead| at + ahead);
    (start, &text[start..end])
}

#[cfg(test)]
mod tests;
