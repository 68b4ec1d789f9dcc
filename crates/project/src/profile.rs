//! Profiles: the portable JSON form, and what it says about selection and reduction. It reads no file and knows
//! no store; `profile_store` does.

use reduce::Wanted;
use select::Toggles;
use serde_json::{Map, Value, json};

use crate::request::GitMode;

/// The schema version that this build reads and writes.
pub const SCHEMA_VERSION: u64 = 1;
/// The `kind` of a portable profile; a wire identifier.
pub const KIND: &str = "devprojex-profile";

/// What a profile asks for. It can narrow the selection and reduce content; it cannot weaken redaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Names of top-level folders; `None` means all.
    pub roots: Option<Vec<String>>,
    /// Extensions with their dot, lower case; `None` means all.
    pub extensions: Option<Vec<String>>,
    /// Relative files or folders; empty means everything.
    pub selected_paths: Vec<String>,
    /// The Git baseline.
    pub git_mode: GitMode,
    /// The exclusions.
    pub toggles: Toggles,
    /// The reductions, united with the requested detail.
    pub wanted: Wanted,
}

/// Why a profile cannot be used. The messages are ours; they repeat no text of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reason())]
pub enum ProfileFault {
    /// Not JSON (comments are allowed, trailing commas are not).
    Json,
    /// A value of the wrong type.
    Type(&'static str),
    /// `schemaVersion` is missing or another one.
    Version,
    /// Another kind of document.
    Kind,
    /// A Git mode that is missing, or that a profile cannot hold.
    GitMode,
    /// An exclusion that does not exist.
    Exclusion,
    /// An absolute path, or one with `..`.
    SelectedPath,
    /// An extension without its dot.
    Extension,
}

impl ProfileFault {
    /// What is wrong and what is expected, in words of ours.
    pub const fn reason(self) -> &'static str {
        match self {
            ProfileFault::Json => "it is not valid JSON (comments are allowed, trailing commas are not)",
            ProfileFault::Type(what) => what,
            ProfileFault::Version => "`schemaVersion` is required and must be 1",
            ProfileFault::Kind => "`kind` must be `devprojex-profile` when it is given",
            ProfileFault::GitMode => "`selection.gitMode` is required and is one of none, gitignore, tracked",
            ProfileFault::Exclusion => {
                "`selection.exclusions` holds an unknown token; the tokens are smart-ignore, empty-folders, \
                 empty-files, hidden-folders, hidden-files, dot-folders, dot-files, extensionless-files"
            }
            ProfileFault::SelectedPath => {
                "`selection.selectedPaths` holds a path that is absolute or leaves the project root, by `..` or through a link"
            }
            ProfileFault::Extension => "`selection.extensions` holds an extension without its leading dot",
        }
    }
}

impl Profile {
    /// The baseline when no profile is named: `gitignore`, `smart-ignore` and `empty-folders`
    /// (spec `project.md`, decision 1).
    pub fn baseline(git_mode: GitMode) -> Profile {
        Profile { toggles: Toggles::baseline(), ..Profile::with_mode(git_mode) }
    }

    /// The profile `standard`: `gitignore` and all eight exclusions.
    pub fn standard() -> Profile {
        Profile { toggles: Toggles::standard(), ..Profile::with_mode(GitMode::Ignore) }
    }

    fn with_mode(git_mode: GitMode) -> Profile {
        Profile {
            roots: None,
            extensions: None,
            selected_paths: Vec::new(),
            git_mode,
            toggles: Toggles::none(),
            wanted: Wanted::none(),
        }
    }

    /// Reads the portable JSON form. Comments are skipped; unknown properties are tolerated, unknown tokens are not.
    ///
    /// # Errors
    /// [`ProfileFault`] names the first problem.
    pub fn from_json(text: &str) -> Result<Profile, ProfileFault> {
        let text = without_comments(text.strip_prefix('\u{FEFF}').unwrap_or(text));
        let value: Value = serde_json::from_str(&text).map_err(|_| ProfileFault::Json)?;
        Profile::from_value(&value)
    }

    /// Reads the portable form from a parsed document.
    ///
    /// # Errors
    /// [`ProfileFault`] names the first problem.
    pub fn from_value(value: &Value) -> Result<Profile, ProfileFault> {
        let document = value.as_object().ok_or(ProfileFault::Type("it must be a JSON object"))?;
        match document.get("schemaVersion") {
            Some(version) if version.as_u64() == Some(SCHEMA_VERSION) => {}
            _ => return Err(ProfileFault::Version),
        }
        if document.get("kind").is_some_and(|kind| kind.as_str() != Some(KIND)) {
            return Err(ProfileFault::Kind);
        }
        let selection = match document.get("selection") {
            None | Some(Value::Null) => return Err(ProfileFault::GitMode),
            Some(selection) => {
                selection.as_object().ok_or(ProfileFault::Type("`selection` must be an object"))?
            }
        };
        let mode = selection.get("gitMode").and_then(Value::as_str);
        let git_mode = mode.and_then(GitMode::parse).ok_or(ProfileFault::GitMode)?;
        let wanted = Wanted {
            bodies: flag(selection, "compressCode", "`selection.compressCode` must be true or false")?,
            comments: flag(selection, "stripComments", "`selection.stripComments` must be true or false")?,
            blank_lines: flag(
                selection,
                "stripBlankLines",
                "`selection.stripBlankLines` must be true or false",
            )?,
        };
        // Accepted and without effect: a profile cannot touch the server's redaction policy.
        flag(selection, "hideSecrets", "`selection.hideSecrets` must be true or false")?;
        flag(selection, "hidePrivateData", "`selection.hidePrivateData` must be true or false")?;
        Ok(Profile {
            roots: strings(selection, "roots", "`selection.roots` must be an array of strings")?,
            extensions: extensions(selection)?,
            selected_paths: selected_paths(selection)?,
            git_mode,
            toggles: toggles(selection)?,
            wanted,
        })
    }

    /// The portable JSON form.
    pub fn to_value(&self) -> Value {
        json!({
            "schemaVersion": SCHEMA_VERSION,
            "kind": KIND,
            "selection": {
                "roots": self.roots,
                "extensions": self.extensions,
                "selectedPaths": self.selected_paths,
                "gitMode": self.git_mode.as_str(),
                "exclusions": self.toggles.tokens(),
                "compressCode": self.wanted.bodies,
                "stripComments": self.wanted.comments,
                "stripBlankLines": self.wanted.blank_lines,
            },
        })
    }
}

fn flag(selection: &Map<String, Value>, key: &str, expected: &'static str) -> Result<bool, ProfileFault> {
    match selection.get(key) {
        None | Some(Value::Null) => Ok(false),
        Some(value) => value.as_bool().ok_or(ProfileFault::Type(expected)),
    }
}

fn strings(
    selection: &Map<String, Value>,
    key: &str,
    expected: &'static str,
) -> Result<Option<Vec<String>>, ProfileFault> {
    match selection.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(items)) => items
            .iter()
            .map(|item| item.as_str().map(str::to_owned).ok_or(ProfileFault::Type(expected)))
            .collect::<Result<Vec<_>, _>>()
            .map(Some),
        Some(_) => Err(ProfileFault::Type(expected)),
    }
}

fn extensions(selection: &Map<String, Value>) -> Result<Option<Vec<String>>, ProfileFault> {
    let Some(extensions) =
        strings(selection, "extensions", "`selection.extensions` must be an array of strings")?
    else {
        return Ok(None);
    };
    if extensions.iter().any(|extension| extension.len() < 2 || !extension.starts_with('.')) {
        return Err(ProfileFault::Extension);
    }
    Ok(Some(extensions.iter().map(|extension| extension.to_lowercase()).collect()))
}

fn selected_paths(selection: &Map<String, Value>) -> Result<Vec<String>, ProfileFault> {
    let paths = strings(selection, "selectedPaths", "`selection.selectedPaths` must be an array of strings")?
        .unwrap_or_default();
    if paths.iter().any(|path| disk::RelPath::parse(path).is_err()) {
        return Err(ProfileFault::SelectedPath);
    }
    Ok(paths)
}

fn toggles(selection: &Map<String, Value>) -> Result<Toggles, ProfileFault> {
    let tokens = strings(selection, "exclusions", "`selection.exclusions` must be an array of strings")?
        .unwrap_or_default();
    Toggles::parse(&tokens).map_err(|_| ProfileFault::Exclusion)
}

/// Replaces comments by spaces, so that a parser for plain JSON accepts the text. Strings are left alone.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '/']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (kept, taken) = if rest.starts_with('"') {
            (true, string_end(rest))
        } else if rest.starts_with("//") {
            (false, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(inside) = rest.strip_prefix("/*") {
            (false, inside.find("*/").map_or(rest.len(), |end| end + 4))
        } else {
            (true, 1)
        };
        out.push_str(if kept { &rest[..taken] } else { " " });
        rest = &rest[taken..];
    }
    out.push_str(rest);
    out
}

/// The end of the string literal that `text` starts with.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimal(extra: &str) -> String {
        format!(r#"{{"schemaVersion": 1, "selection": {{"gitMode": "none"{extra}}}}}"#)
    }

    fn fault(extra: &str) -> ProfileFault {
        Profile::from_json(&minimal(extra)).expect_err("refused")
    }

    #[test]
    fn only_the_schema_version_and_the_git_mode_are_required() {
        let profile = Profile::from_json(&minimal("")).expect("valid");
        assert_eq!(profile, Profile::with_mode(GitMode::None));
        assert_eq!(Profile::from_json("{}"), Err(ProfileFault::Version));
        assert_eq!(
            Profile::from_json(r#"{"schemaVersion": 1, "selection": {}}"#),
            Err(ProfileFault::GitMode)
        );
        assert_eq!(Profile::from_json(r#"{"schemaVersion": 2}"#), Err(ProfileFault::Version));
        assert_eq!(Profile::from_json(r#"{"schemaVersion": 1, "kind": "x"}"#), Err(ProfileFault::Kind));
        assert_eq!(Profile::from_json("[]"), Err(ProfileFault::Type("it must be a JSON object")));
    }

    #[test]
    fn comments_are_skipped_and_trailing_commas_are_not_allowed() {
        let text = "{ // a \"comment\"\n\"schemaVersion\": 1, /* b */ \"x\": \"// kept \\\" /*\",\n\"selection\": {\"gitMode\": \"tracked\"}}";
        assert_eq!(Profile::from_json(text).map(|profile| profile.git_mode), Ok(GitMode::Tracked));
        assert_eq!(Profile::from_json(&minimal(",")), Err(ProfileFault::Json));
        assert_eq!(Profile::from_json("{ /* never closed"), Err(ProfileFault::Json));
    }

    #[test]
    fn unknown_properties_are_tolerated_and_unknown_tokens_are_not() {
        assert!(Profile::from_json(&minimal(r#", "later": [1], "hideSecrets": false"#)).is_ok());
        assert_eq!(fault(r#", "exclusions": ["dot-file"]"#), ProfileFault::Exclusion);
        assert!(Profile::from_json(&minimal(r#", "exclusions": ["hide-secrets", "dot-files"]"#)).is_ok());
        let momentary = minimal("").replace("none", "staged");
        assert_eq!(Profile::from_json(&momentary), Err(ProfileFault::GitMode));
    }

    #[test]
    fn paths_that_leave_the_root_are_refused() {
        for path in ["/etc", "../x", "a/../../b"] {
            assert_eq!(fault(&format!(r#", "selectedPaths": ["{path}"]"#)), ProfileFault::SelectedPath);
        }
        assert_eq!(fault(r#", "extensions": ["rs"]"#), ProfileFault::Extension);
        assert_eq!(
            fault(r#", "roots": "src""#),
            ProfileFault::Type("`selection.roots` must be an array of strings")
        );
    }

    #[test]
    fn the_portable_form_round_trips() {
        let profile = Profile {
            roots: Some(vec!["src".to_owned()]),
            extensions: Some(vec![".rs".to_owned()]),
            selected_paths: vec!["src/a.rs".to_owned()],
            wanted: Wanted { bodies: false, comments: true, blank_lines: false },
            ..Profile::standard()
        };
        assert_eq!(Profile::from_value(&profile.to_value()), Ok(profile));
    }
}
