//! The grammar of `git_scope`. It knows the words of a scope, not a repository.

/// A momentary Git state that narrows a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GitScope {
    /// What the index changes against HEAD.
    Staged,
    /// Staged, unstaged and untracked paths that are not ignored.
    Changes,
    /// What differs between two references.
    Diff {
        /// The older side.
        from: String,
        /// The newer side.
        to: String,
    },
}

/// The value is none of the accepted forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`git_scope` must be `staged`, `changes` or `diff:<ref>..<ref>` with exactly one `..` and no spaces")]
pub(crate) struct GitScopeFault;

impl GitScope {
    /// Reads a scope. The words are case-sensitive; a reference is not empty, holds no white space, no NUL and
    /// does not start with `-`; three dots are refused (spec `project.md` 4.2).
    ///
    /// # Errors
    /// [`GitScopeFault`] for everything else.
    pub(crate) fn parse(text: &str) -> Result<GitScope, GitScopeFault> {
        match text {
            "staged" => Ok(GitScope::Staged),
            "changes" => Ok(GitScope::Changes),
            _ => {
                let range = text.strip_prefix("diff:").ok_or(GitScopeFault)?;
                let (from, to) = range.split_once("..").ok_or(GitScopeFault)?;
                let is_ref = |name: &str| {
                    !name.is_empty()
                        && !name.starts_with('-')
                        && !name.contains("..")
                        && !name.contains(|c: char| c.is_whitespace() || c == '\0')
                };
                // The rest of a third dot, or of a dot before the separator, would change what git reads.
                if !is_ref(from) || !is_ref(to) || to.starts_with('.') || from.ends_with('.') {
                    return Err(GitScopeFault);
                }
                Ok(GitScope::Diff { from: from.to_owned(), to: to.to_owned() })
            }
        }
    }

    /// The token that packs echo as `selection.gitMode`.
    pub(crate) fn token(&self) -> String {
        match self {
            GitScope::Staged => "staged".to_owned(),
            GitScope::Changes => "changes".to_owned(),
            GitScope::Diff { from, to } => format!("diff:{from}..{to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_are_read_and_echoed() {
        for text in ["staged", "changes", "diff:HEAD~1..HEAD", "diff:a..b", "diff:v1.0..feature/x"] {
            assert_eq!(GitScope::parse(text).map(|scope| scope.token()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "Staged",
            "STAGED",
            " staged",
            "diff:",
            "diff:a",
            "diff:a..",
            "diff:..b",
            "diff:a...b",
            "diff:a..b..c",
            "diff:a b..c",
            "diff:-x..b",
            "diff:a..--output=x",
            "diff:a\0..b",
            "diff:a..b\n",
            "Diff:a..b",
            "diff:a.....b",
        ] {
            assert_eq!(GitScope::parse(text), Err(GitScopeFault), "{text:?}");
        }
    }
}
