//! The structured tier: files whose shape says where a credential stands, and the credentials of URLs and
//! connection strings in any text (`project.md` 9.4). It knows no token format.

pub(crate) mod connection;
pub(crate) mod container;
pub(crate) mod env;
pub(crate) mod http;
pub(crate) mod json;
pub(crate) mod key;
pub(crate) mod logins;
pub(crate) mod manifest;
pub(crate) mod markup;
pub(crate) mod settings;
pub(crate) mod uri;
pub(crate) mod yaml;

use std::ops::Range;

use crate::claims::{Claims, Rank};
use crate::effort::Effort;
use crate::finding::{FileFacts, Uninspectable};
use key::Keys;

/// The file shapes that the tier reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `.env*`, `.npmrc`.
    Environment,
    /// `appsettings*.json`, `*.tfvars.json`.
    Json,
    /// `application*`, `docker-compose*`, `compose.*` in YAML.
    Yaml,
    /// Any other YAML, which may be a manifest of Kubernetes secrets.
    Manifest,
    /// `*.config`.
    Xml,
    /// `*.tfvars`.
    Terraform,
    /// `settings.py`.
    Python,
    /// Dockerfiles and their kin.
    Container,
    /// `*.http`, `*.rest`.
    Http,
    /// `.pgpass`, `pgpass.conf`.
    Pgpass,
    /// `.netrc`, `_netrc`.
    Netrc,
}

impl Shape {
    /// The shape of a file, by its name alone.
    pub(crate) fn of(path: &str) -> Option<Shape> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
        let name = name.as_str();
        let yaml = name.ends_with(".yml") || name.ends_with(".yaml");
        Some(match name {
            ".netrc" | "_netrc" => Shape::Netrc,
            ".pgpass" | "pgpass.conf" => Shape::Pgpass,
            ".npmrc" => Shape::Environment,
            "settings.py" => Shape::Python,
            "dockerfile" | "containerfile" => Shape::Container,
            _ if name.starts_with(".env") => Shape::Environment,
            _ if name.starts_with("dockerfile.") || name.ends_with(".dockerfile") => Shape::Container,
            _ if name.ends_with(".tfvars.json") => Shape::Json,
            _ if name.starts_with("appsettings") && name.ends_with(".json") => Shape::Json,
            _ if yaml
                && ["application", "docker-compose", "compose."]
                    .iter()
                    .any(|lead| name.starts_with(lead)) =>
            {
                Shape::Yaml
            }
            _ if yaml => Shape::Manifest,
            _ if name.ends_with(".config") => Shape::Xml,
            _ if name.ends_with(".tfvars") => Shape::Terraform,
            _ if name.ends_with(".http") || name.ends_with(".rest") => Shape::Http,
            _ => return None,
        })
    }
}

/// Finds what the shape of the file says. Every scanner reads the text once, from front to back.
pub(crate) fn find(
    text: &str,
    facts: &FileFacts<'_>,
    claims: &mut Claims,
    effort: &mut Effort<'_>,
) -> Result<(), Uninspectable> {
    let Some(shape) = Shape::of(facts.path) else { return Ok(()) };
    let keys = Keys::new(facts);
    let mut failed = Ok(());
    let mut found = |range: Range<usize>, rule: &'static str| {
        if failed.is_ok() {
            failed = claims.add(range, rule, Rank::Structured);
        }
        failed.is_ok()
    };
    effort.spend(text.len())?;
    match shape {
        Shape::Environment => env::find(text, &keys, &mut found),
        Shape::Json => json::find(text, &keys, &mut found),
        Shape::Yaml => {
            yaml::find(text, &keys, &mut found);
            manifest::find(text, &mut found);
        }
        Shape::Manifest => manifest::find(text, &mut found),
        Shape::Xml => markup::find(text, &keys, &mut found),
        Shape::Terraform => settings::find_terraform(text, &keys, &mut found),
        Shape::Python => settings::find_python(text, &keys, &mut found),
        Shape::Container => container::find(text, &keys, &mut found),
        Shape::Http => http::find(text, &mut found),
        Shape::Pgpass => logins::find_pgpass(text, &mut found),
        Shape::Netrc => logins::find_netrc(text, &mut found),
    }
    failed
}

/// Takes a range and a rule's id; `false` ends the search.
pub(crate) type Found<'a> = dyn FnMut(Range<usize>, &'static str) -> bool + 'a;

/// The lines of a text with their ends cut off (LF and CRLF).
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at > text.len() || (at == text.len() && at > 0) || text.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |i| at + i);
        let line = at..if text[at..end].ends_with('\r') { end - 1 } else { end };
        at = end + 1;
        Some(line)
    })
}

/// Where lines end: on one long line the end is looked for once.
#[derive(Default)]
pub(crate) struct LineEnd {
    from: usize,
    end: Option<usize>,
}

impl LineEnd {
    /// The end of the line on which `at` stands.
    pub(crate) fn behind(&mut self, bytes: &[u8], at: usize) -> usize {
        match self.end {
            Some(end) if (self.from..=end).contains(&at) => end,
            _ => {
                let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
                *self = LineEnd { from: at, end: Some(end) };
                end
            }
        }
    }
}

/// `range` without the white space at both its ends.
pub(crate) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

/// The inside of a quoted string that opens at `at`, up to its closing quote, before `end`; a backslash keeps the
/// character behind it inside. Without a closing quote there is none.
pub(crate) fn quoted(text: &str, at: usize, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let quote = bytes[at];
    let mut i = at + 1;
    while i < end {
        match bytes[i] {
            b'\\' => i += 1,
            b if b == quote => return Some(at + 1..i),
            _ => {}
        }
        i += 1;
    }
    None
}

#[cfg(test)]
mod tests;
