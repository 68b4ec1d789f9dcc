//! A path below a root that cannot lie: relative, without `..`, at most as long as the system takes. It knows no
//! root and asks no file system; what the names mean is decided by [`crate::Root`].

use std::borrow::Cow;
use std::fmt;

/// Longest path, in bytes.
pub const PATH_BYTES_MAX: usize = 4_096;
/// Longest single name, in bytes.
pub const COMPONENT_BYTES_MAX: usize = 255;

/// Why a text is not a path below a root. The texts name no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathFault {
    /// Nothing was given; the root itself is written `.`.
    #[error("the path is empty")]
    Empty,
    /// The path begins at the root of the file system.
    #[error("the path is absolute")]
    Absolute,
    /// The path has a `..` component.
    #[error("the path has a '..' component")]
    Traversal,
    /// The path holds a NUL byte.
    #[error("the path holds a NUL byte")]
    Nul,
    /// More than [`PATH_BYTES_MAX`], or one name of more than [`COMPONENT_BYTES_MAX`] bytes.
    #[error("the path is too long")]
    TooLong,
}

/// A path below a root: names joined by `/`, no empty name, no `.` and no `..`.
///
/// Names on Linux are bytes, so the path is bytes. The order is the byte order of the whole path ("ordinal").
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelPath(Box<[u8]>);

impl RelPath {
    /// The root itself.
    pub fn root() -> RelPath {
        RelPath(Box::default())
    }

    /// Reads what a caller wrote. Lexical only: `./a`, `a/` and `a//b` are `a`, `a` and `a/b`; `.` is the root.
    ///
    /// # Errors
    /// Everything of [`PathFault`].
    pub fn parse(text: &str) -> Result<RelPath, PathFault> {
        RelPath::from_bytes(text.as_bytes())
    }

    /// As [`RelPath::parse`], for names that need not be UTF-8.
    ///
    /// # Errors
    /// Everything of [`PathFault`].
    pub fn from_bytes(bytes: &[u8]) -> Result<RelPath, PathFault> {
        match bytes.first() {
            None => return Err(PathFault::Empty),
            Some(b'/') => return Err(PathFault::Absolute),
            Some(_) => {}
        }
        if bytes.contains(&0) {
            return Err(PathFault::Nul);
        }
        let mut path = Vec::with_capacity(bytes.len().min(PATH_BYTES_MAX));
        for name in bytes.split(|byte| *byte == b'/') {
            match name {
                b"" | b"." => continue,
                b".." => return Err(PathFault::Traversal),
                _ => {}
            }
            if name.len() > COMPONENT_BYTES_MAX || path.len() + 1 + name.len() > PATH_BYTES_MAX + 1 {
                return Err(PathFault::TooLong);
            }
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(name);
        }
        if path.len() > PATH_BYTES_MAX {
            return Err(PathFault::TooLong);
        }
        Ok(RelPath(path.into_boxed_slice()))
    }

    /// Undoes [`RelPath::to_address`], and what the documents do to show a name on one line: `\xFF` is a byte that
    /// is no UTF-8, `\\` a backslash, `\n`, `\r`, `\t` and `\u001B` (or `\u{1B}`) the character. A backslash before
    /// anything else stands for itself.
    ///
    /// # Errors
    /// Everything of [`PathFault`], looked for after the escapes are undone.
    pub fn from_address(text: &str) -> Result<RelPath, PathFault> {
        RelPath::from_bytes(&unescape(text))
    }

    /// This path with one more name. `name` is one name of a directory: not empty, without `/`.
    pub fn join(&self, name: &[u8]) -> RelPath {
        debug_assert!(!name.is_empty() && !name.contains(&b'/') && name != b"." && name != b"..");
        if self.is_root() {
            return RelPath(name.into());
        }
        let mut path = Vec::with_capacity(self.0.len() + 1 + name.len());
        path.extend_from_slice(&self.0);
        path.push(b'/');
        path.extend_from_slice(name);
        RelPath(path.into_boxed_slice())
    }

    /// `path`, which is seen from this directory, as seen from the root. It may become longer than a path of a
    /// caller may be; then nothing can be opened by it.
    pub fn join_path(&self, path: &RelPath) -> RelPath {
        match (self.is_root(), path.is_root()) {
            (true, _) => path.clone(),
            (_, true) => self.clone(),
            _ => RelPath([&self.0, b"/".as_slice(), &path.0].concat().into_boxed_slice()),
        }
    }

    /// This path as seen from `dir`; none when it does not lie strictly below. Below the root lies everything but
    /// the root.
    pub fn seen_from(&self, dir: &RelPath) -> Option<RelPath> {
        if dir.is_root() {
            return (!self.is_root()).then(|| self.clone());
        }
        let rest = self.0.strip_prefix(&*dir.0)?.strip_prefix(b"/")?;
        Some(RelPath(rest.into()))
    }

    /// The bytes; empty for the root.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The path as text when it is UTF-8; empty for the root.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// How the path is written for a caller: UTF-8 as it is, `.` for the root, and bytes that are not UTF-8 as
    /// `\xNN` with backslashes doubled. Two paths never have the same address: a UTF-8 path that would read as an
    /// escape has its backslashes doubled as well. Control characters stay; a document escapes them on its own.
    pub fn to_address(&self) -> Cow<'_, str> {
        if self.is_root() {
            return Cow::Borrowed(".");
        }
        if let Some(text) = self.as_str()
            && *unescape(text) == *text.as_bytes()
        {
            return Cow::Borrowed(text);
        }
        let mut address = String::with_capacity(self.0.len() + 8);
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                if character == '\\' {
                    address.push('\\');
                }
                address.push(character);
            }
            for byte in chunk.invalid() {
                address.push_str(&format!("\\x{byte:02X}"));
            }
        }
        Cow::Owned(address)
    }

    /// The last name; empty for the root.
    pub fn file_name(&self) -> &[u8] {
        match self.0.iter().rposition(|byte| *byte == b'/') {
            Some(slash) => &self.0[slash + 1..],
            None => &self.0,
        }
    }

    /// What stands after the last dot of the last name: nothing for `.env`, `a` and `a.`.
    pub fn extension(&self) -> Option<&[u8]> {
        let name = self.file_name();
        match name.iter().rposition(|byte| *byte == b'.') {
            None | Some(0) => None,
            Some(dot) if dot + 1 == name.len() => None,
            Some(dot) => Some(&name[dot + 1..]),
        }
    }

    /// The directory that holds this path; none for the root.
    pub fn parent(&self) -> Option<RelPath> {
        if self.is_root() {
            return None;
        }
        match self.0.iter().rposition(|byte| *byte == b'/') {
            Some(slash) => Some(RelPath(self.0[..slash].into())),
            None => Some(RelPath::root()),
        }
    }

    /// The names from the root on.
    pub fn components(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/').filter(|name| !name.is_empty())
    }

    /// How many names the path has; 0 for the root.
    pub fn depth(&self) -> usize {
        if self.is_root() { 0 } else { 1 + self.0.iter().filter(|byte| **byte == b'/').count() }
    }

    /// Whether this is `dir` or lies below it, by whole names: `ab` does not start with `a`.
    pub fn starts_with(&self, dir: &RelPath) -> bool {
        if dir.is_root() {
            return true;
        }
        match self.0.strip_prefix(&*dir.0) {
            Some(rest) => rest.is_empty() || rest[0] == b'/',
            None => false,
        }
    }

    /// Whether this is the root itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RelPath({:?})", self.to_address())
    }
}

/// The bytes that an address stands for; not yet checked as a path.
fn unescape(text: &str) -> Cow<'_, [u8]> {
    if !text.contains('\\') {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        let taken = escape(rest.as_bytes(), &mut bytes);
        if taken == 0 {
            bytes.push(b'\\');
        }
        rest = &rest[taken.max(1)..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Cow::Owned(bytes)
}

/// Reads one escape at the start of `text` (which begins with a backslash) and says how long it was; 0 when the
/// backslash begins no escape.
fn escape(text: &[u8], into: &mut Vec<u8>) -> usize {
    match text.get(1) {
        Some(b'\\') => into.push(b'\\'),
        Some(b'n') => into.push(b'\n'),
        Some(b'r') => into.push(b'\r'),
        Some(b't') => into.push(b'\t'),
        Some(b'x') => match text.get(2..4).and_then(hexadecimal) {
            // Bytes below 0x80 are always UTF-8 and never written this way.
            Some(value @ 0x80..=0xFF) => {
                into.push(value.to_le_bytes()[0]);
                return 4;
            }
            _ => return 0,
        },
        Some(b'u') => return unicode_escape(text, into),
        _ => return 0,
    }
    2
}

/// `\u` with four hexadecimal digits, or with one to six of them in braces.
fn unicode_escape(text: &[u8], into: &mut Vec<u8>) -> usize {
    let (digits, length) = if text.get(2) == Some(&b'{') {
        match text.iter().take(10).position(|byte| *byte == b'}') {
            Some(end) if end > 3 => (&text[3..end], end + 1),
            _ => return 0,
        }
    } else {
        match text.get(2..6) {
            Some(digits) => (digits, 6),
            None => return 0,
        }
    };
    match hexadecimal(digits).and_then(char::from_u32) {
        Some(character) => {
            into.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            length
        }
        None => 0,
    }
}

/// The value of hexadecimal digits; none when another byte is among them.
fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0_u32, |value, digit| {
        let digit = char::from(*digit).to_digit(16)?;
        Some(value * 16 + digit)
    })
}

#[cfg(test)]
mod tests;
