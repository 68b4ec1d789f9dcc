//! The eight exclusion toggles, their order and their tokens (spec `project.md` 6.2). It knows names of files,
//! not files.

/// One exclusion toggle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Toggle {
    /// Proven build output, dependency stores, caches.
    SmartIgnore,
    /// Folders without an included descendant.
    EmptyFolders,
    /// Zero-length files.
    EmptyFiles,
    /// The platform's hidden attribute on folders; nothing on Linux.
    HiddenFolders,
    /// The platform's hidden attribute on files; nothing on Linux.
    HiddenFiles,
    /// Folders whose name begins with a dot.
    DotFolders,
    /// Files whose name begins with a dot.
    DotFiles,
    /// Files without an extension.
    ExtensionlessFiles,
}

impl Toggle {
    /// Every toggle, in canonical order.
    pub const ALL: [Toggle; 8] = [
        Toggle::SmartIgnore,
        Toggle::EmptyFolders,
        Toggle::EmptyFiles,
        Toggle::HiddenFolders,
        Toggle::HiddenFiles,
        Toggle::DotFolders,
        Toggle::DotFiles,
        Toggle::ExtensionlessFiles,
    ];

    /// The token in profiles and documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Toggle::SmartIgnore => "smart-ignore",
            Toggle::EmptyFolders => "empty-folders",
            Toggle::EmptyFiles => "empty-files",
            Toggle::HiddenFolders => "hidden-folders",
            Toggle::HiddenFiles => "hidden-files",
            Toggle::DotFolders => "dot-folders",
            Toggle::DotFiles => "dot-files",
            Toggle::ExtensionlessFiles => "extensionless-files",
        }
    }
}

/// Which toggles are on. A toggle that is on hides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Toggles(u8);

impl Toggles {
    /// Nothing is hidden by a toggle.
    pub const fn none() -> Toggles {
        Toggles(0)
    }

    /// What holds when no profile is named: `smart-ignore` and `empty-folders`.
    pub const fn baseline() -> Toggles {
        Toggles::none().with(Toggle::SmartIgnore).with(Toggle::EmptyFolders)
    }

    /// The profile `standard`: all eight.
    pub const fn standard() -> Toggles {
        Toggles(u8::MAX)
    }

    /// The same with one more toggle on.
    #[must_use]
    pub const fn with(self, toggle: Toggle) -> Toggles {
        Toggles(self.0 | 1 << toggle as u8)
    }

    /// Whether a toggle is on.
    pub const fn has(self, toggle: Toggle) -> bool {
        self.0 & (1 << toggle as u8) != 0
    }

    /// Reads the tokens of a profile's `selection.exclusions`; order and repetition do not matter. The legacy
    /// token `hide-secrets` is tolerated and says nothing.
    ///
    /// # Errors
    /// [`UnknownToggle`] with the position of the first token that is none of ours.
    pub fn parse<S: AsRef<str>>(tokens: &[S]) -> Result<Toggles, UnknownToggle> {
        let mut toggles = Toggles::none();
        for (index, token) in tokens.iter().enumerate() {
            match Toggle::ALL.into_iter().find(|toggle| toggle.as_str() == token.as_ref()) {
                Some(toggle) => toggles = toggles.with(toggle),
                None if token.as_ref() == "hide-secrets" => {}
                None => return Err(UnknownToggle { index }),
            }
        }
        Ok(toggles)
    }

    /// The tokens of the toggles that are on, in canonical order.
    pub fn tokens(self) -> Vec<&'static str> {
        Toggle::ALL.into_iter().filter(|toggle| self.has(*toggle)).map(Toggle::as_str).collect()
    }
}

/// A token that names no toggle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("token {} names no exclusion", index + 1)]
pub struct UnknownToggle {
    /// Which token, from 0.
    pub index: usize,
}

/// The extension that toggles and profiles speak of: what follows the last dot, without it. `.env` has the
/// extension `env`, so that an ordinary dot-file is not extensionless; `Makefile` and `notes.` have none.
pub(crate) fn extension(name: &[u8]) -> Option<&[u8]> {
    let dot = memchr::memrchr(b'.', name)?;
    Some(&name[dot + 1..]).filter(|extension| !extension.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_in_canonical_order_whatever_the_order_read() {
        let toggles = Toggles::parse(&["dot-files", "smart-ignore", "dot-files", "empty-files"]).unwrap();
        assert_eq!(toggles.tokens(), ["smart-ignore", "empty-files", "dot-files"]);
    }

    #[test]
    fn standard_is_all_eight_in_the_order_of_the_table() {
        assert_eq!(
            Toggles::standard().tokens(),
            [
                "smart-ignore",
                "empty-folders",
                "empty-files",
                "hidden-folders",
                "hidden-files",
                "dot-folders",
                "dot-files",
                "extensionless-files"
            ]
        );
        assert_eq!(Toggles::parse(&Toggles::standard().tokens()).unwrap(), Toggles::standard());
    }

    #[test]
    fn the_baseline_is_smart_ignore_and_empty_folders() {
        assert_eq!(Toggles::baseline().tokens(), ["smart-ignore", "empty-folders"]);
        assert!(Toggles::none().tokens().is_empty());
    }

    #[test]
    fn an_unknown_token_is_refused_by_position_and_the_legacy_one_is_tolerated() {
        assert_eq!(Toggles::parse(&["dot-files", "Dot-Files"]), Err(UnknownToggle { index: 1 }));
        assert_eq!(Toggles::parse(&[""]), Err(UnknownToggle { index: 0 }));
        assert_eq!(Toggles::parse(&["hide-secrets"]).unwrap(), Toggles::none());
    }

    #[test]
    fn a_name_is_extensionless_without_a_dot_or_with_a_dot_at_its_end() {
        let cases: [(&[u8], Option<&[u8]>); 8] = [
            (b"Makefile", None),
            (b"notes.", None),
            (b".env.", None),
            (b"...", None),
            (b".env", Some(b"env")),
            (b".gitignore", Some(b"gitignore")),
            (b"a.tar.gz", Some(b"gz")),
            (b"\xff.\xfe", Some(b"\xfe")),
        ];
        for (name, expected) in cases {
            assert_eq!(extension(name), expected, "{name:?}");
        }
    }
}
