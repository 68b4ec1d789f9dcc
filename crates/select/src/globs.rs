//! The globs of a request: project-relative, anchored at both ends, case-sensitive. It refuses spellings that
//! would silently select nothing, and it does not know which files exist.

use crate::wild::{Effort, Token, Unit, Wild, WildIndex};

/// Globs in one array.
pub const GLOBS_MAX: usize = 256;
/// Scalars of one glob.
pub const GLOB_CHARS_MAX: usize = 512;
/// Alternatives that the braces of one glob may stand for.
pub const ALTERNATIVES_MAX: usize = 64;
/// Alternatives of a whole array.
pub const ARRAY_ALTERNATIVES_MAX: usize = 1_024;

/// Why an array of globs cannot be used (spec `project.md` 6.5).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobFault {
    /// More than [`GLOBS_MAX`] patterns.
    #[error("more than {GLOBS_MAX} patterns")]
    TooMany,
    /// The braces of all patterns together stand for more than [`ARRAY_ALTERNATIVES_MAX`] alternatives.
    #[error("the braces of all patterns stand for more than {ARRAY_ALTERNATIVES_MAX} alternatives")]
    TooManyAlternatives,
    /// One pattern is not valid.
    #[error("pattern {}: {}", index + 1, reason.as_str())]
    Pattern {
        /// Which pattern, from 0.
        index: usize,
        /// What is wrong with it.
        reason: GlobReason,
    },
}

/// What is wrong with one pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobReason {
    /// Empty or white space only.
    Blank,
    /// More than [`GLOB_CHARS_MAX`] scalars.
    TooLong,
    /// A backslash: neither a separator nor an escape here.
    Backslash,
    /// Begins with `/`.
    Absolute,
    /// Begins with a drive letter.
    Drive,
    /// A `..` segment.
    Traversal,
    /// A NUL.
    Nul,
    /// A `!` prefix.
    Negation,
    /// A character class.
    Class,
    /// A brace without its partner.
    Braces,
    /// More than [`ALTERNATIVES_MAX`] alternatives.
    Alternatives,
}

impl GlobReason {
    /// What is wrong and what to write instead, in words of ours.
    pub const fn as_str(self) -> &'static str {
        match self {
            GlobReason::Blank => "is blank",
            GlobReason::TooLong => "is longer than 512 characters",
            GlobReason::Backslash => "holds a backslash; separate folders with `/`",
            GlobReason::Absolute => "begins with `/`; patterns are relative to the project root",
            GlobReason::Drive => "begins with a drive; patterns are relative to the project root",
            GlobReason::Traversal => "holds a `..` segment; patterns stay inside the project",
            GlobReason::Nul => "holds a NUL character",
            GlobReason::Negation => "begins with `!`; put the pattern without it into exclude_patterns",
            GlobReason::Class => {
                "holds `[...]`, which is not supported; write alternatives as `{a,b}`, or `?` for one character"
            }
            GlobReason::Braces => "holds a brace without its partner; alternatives are written `{a,b}`",
            GlobReason::Alternatives => "has braces that stand for more than 64 alternatives",
        }
    }
}

/// Compiled globs. `*` and `?` stay inside one segment, `**/` stands for zero or more whole segments, `**`
/// elsewhere for anything, `{a,b}` for alternatives.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    index: WildIndex,
    patterns: usize,
}

impl Globs {
    /// Compiles the patterns of one array.
    ///
    /// # Errors
    /// A [`GlobFault`] for the first pattern that is not valid, or when a limit of section 6.5 is passed.
    pub fn compile<S: AsRef<str>>(patterns: &[S]) -> Result<Globs, GlobFault> {
        if patterns.len() > GLOBS_MAX {
            return Err(GlobFault::TooMany);
        }
        let mut index = WildIndex::default();
        let mut count = 0;
        for (at, pattern) in patterns.iter().enumerate() {
            let fault = |reason| GlobFault::Pattern { index: at, reason };
            let pattern = pattern.as_ref();
            check(pattern).map_err(fault)?;
            for alternative in alternatives(pattern).map_err(fault)? {
                check_shape(&alternative).map_err(fault)?;
                if count == ARRAY_ALTERNATIVES_MAX {
                    return Err(GlobFault::TooManyAlternatives);
                }
                index.push(count as u32, Wild::new(tokens(&alternative), Unit::Scalar));
                count += 1;
            }
        }
        Ok(Globs { index, patterns: patterns.len() })
    }

    /// Whether there are no patterns at all.
    pub fn is_empty(&self) -> bool {
        self.patterns == 0
    }

    /// Whether any pattern matches the whole of `path`, a project-relative path with `/`.
    pub fn matches(&self, path: impl AsRef<[u8]>) -> bool {
        self.matches_within(path.as_ref(), &mut Effort::new(u64::MAX))
    }

    /// The same, paying from `effort`.
    pub(crate) fn matches_within(&self, path: &[u8], effort: &mut Effort) -> bool {
        self.index.any_match(path, effort)
    }
}

/// What can be seen before the braces are resolved.
fn check(pattern: &str) -> Result<(), GlobReason> {
    if pattern.trim().is_empty() {
        return Err(GlobReason::Blank);
    }
    if pattern.chars().nth(GLOB_CHARS_MAX).is_some() {
        return Err(GlobReason::TooLong);
    }
    if pattern.contains('\0') {
        return Err(GlobReason::Nul);
    }
    if pattern.contains('\\') {
        return Err(GlobReason::Backslash);
    }
    if pattern.starts_with('!') {
        return Err(GlobReason::Negation);
    }
    if pattern.find('[').is_some_and(|open| pattern[open..].contains(']')) {
        return Err(GlobReason::Class);
    }
    check_shape(pattern)
}

/// What braces can hide: an absolute path or a way out of the project.
fn check_shape(pattern: &str) -> Result<(), GlobReason> {
    let bytes = pattern.as_bytes();
    if bytes.first() == Some(&b'/') {
        return Err(GlobReason::Absolute);
    }
    if bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' {
        return Err(GlobReason::Drive);
    }
    if pattern.split('/').any(|segment| segment == "..") {
        return Err(GlobReason::Traversal);
    }
    Ok(())
}

/// A group of alternatives that is being read.
struct Group {
    /// Everything read before the group opened.
    before: Vec<String>,
    /// The alternatives that ended in a comma.
    done: Vec<String>,
}

/// Resolves the braces from left to right, keeping every spelling read so far; gives up as soon as there are
/// more than [`ALTERNATIVES_MAX`].
fn alternatives(pattern: &str) -> Result<Vec<String>, GlobReason> {
    let mut open: Vec<Group> = Vec::new();
    let mut current = vec![String::new()];
    for c in pattern.chars() {
        match (c, open.last_mut()) {
            ('{', _) => {
                let before = std::mem::replace(&mut current, vec![String::new()]);
                open.push(Group { before, done: Vec::new() });
            }
            (',', Some(group)) => {
                group.done.append(&mut current);
                current.push(String::new());
            }
            ('}', Some(_)) => {
                let group = open.pop().ok_or(GlobReason::Braces)?;
                let mut inside = group.done;
                inside.append(&mut current);
                if group.before.len() * inside.len() > ALTERNATIVES_MAX {
                    return Err(GlobReason::Alternatives);
                }
                current = group
                    .before
                    .iter()
                    .flat_map(|before| inside.iter().map(move |inside| format!("{before}{inside}")))
                    .collect();
            }
            ('}', None) => return Err(GlobReason::Braces),
            _ => current.iter_mut().for_each(|spelling| spelling.push(c)),
        }
        let pending = open.last().map_or(0, |group| group.done.len());
        if pending + current.len() > ALTERNATIVES_MAX {
            return Err(GlobReason::Alternatives);
        }
    }
    if open.is_empty() { Ok(current) } else { Err(GlobReason::Braces) }
}

/// The tokens of a pattern without braces. A leading `./` says nothing and is dropped.
fn tokens(pattern: &str) -> Vec<Token> {
    let mut bytes = pattern.as_bytes();
    while let Some(rest) = bytes.strip_prefix(b"./") {
        bytes = rest;
    }
    let mut tokens = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'*' => {
                let run = bytes[at..].iter().take_while(|byte| **byte == b'*').count();
                let at_segment_start = at == 0 || bytes[at - 1] == b'/';
                at += run;
                if run == 1 {
                    tokens.push(Token::Star);
                } else if at_segment_start && bytes.get(at) == Some(&b'/') {
                    at += 1;
                    if tokens.last() != Some(&Token::Folders) {
                        tokens.push(Token::Folders);
                    }
                } else {
                    tokens.push(Token::StarAny);
                }
            }
            b'?' => {
                tokens.push(Token::One);
                at += 1;
            }
            byte => {
                tokens.push(Token::Byte(byte));
                at += 1;
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests;
