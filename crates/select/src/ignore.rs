//! The rules of one `.gitignore` or `info/exclude`: what git reads in the bytes and what git would match. It
//! knows neither the file's place nor the rules of other folders, and it refuses files that cost too much.

use std::collections::HashMap;

use crate::wild::{ByteSet, Effort, Token, Unit, Wild, WildIndex};

/// Bytes of one file of rules.
pub const IGNORE_FILE_BYTES_MAX: usize = 256 * 1024;
/// Patterns of one file.
pub const IGNORE_FILE_PATTERNS_MAX: usize = 10_000;
/// Bytes of one pattern.
pub const IGNORE_PATTERN_BYTES_MAX: usize = 1_024;
/// Bytes of all files of rules read in one call.
pub const IGNORE_CALL_BYTES_MAX: usize = 2 * 1024 * 1024;
/// Patterns of all files of rules read in one call.
pub const IGNORE_CALL_PATTERNS_MAX: usize = 50_000;

/// What one call may still spend on rules (spec `security.md` 2.2).
#[derive(Clone, Debug)]
pub(crate) struct Quota {
    bytes: usize,
    patterns: usize,
}

impl Default for Quota {
    fn default() -> Self {
        Quota { bytes: IGNORE_CALL_BYTES_MAX, patterns: IGNORE_CALL_PATTERNS_MAX }
    }
}

/// A file of rules is over a cap. Its scope is hidden rather than shown without rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ignore rules are over a cap")]
pub(crate) struct OverCap;

/// Compiled rules of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Per rule, whether it re-includes and whether it concerns folders only.
    kinds: Vec<Kind>,
    /// Rules that name one file or folder anywhere below.
    names: HashMap<Box<[u8]>, Latest>,
    /// Rules that name one path from the file's own folder.
    paths: HashMap<Box<[u8]>, Latest>,
    name_globs: WildIndex,
    path_globs: WildIndex,
    ignore_case: bool,
}

#[derive(Clone, Copy, Debug)]
struct Kind {
    negated: bool,
    folders_only: bool,
}

/// The last rule with a certain literal: of all, and of those that also concern files.
#[derive(Clone, Copy, Debug, Default)]
struct Latest {
    folder: Option<u32>,
    file: Option<u32>,
}

impl Rules {
    /// Reads the bytes as git does: LF or CRLF lines, a byte-order mark, `#` comments, trailing spaces, `\`
    /// escapes; a line ends at a NUL. `ignore_case` is the repository's `core.ignoreCase` (ASCII letters).
    ///
    /// # Errors
    /// [`OverCap`] when the file, one pattern or what is left of `quota` is too small for it.
    pub(crate) fn parse(bytes: &[u8], ignore_case: bool, quota: &mut Quota) -> Result<Rules, OverCap> {
        if bytes.len() > IGNORE_FILE_BYTES_MAX {
            return Err(OverCap);
        }
        quota.bytes = quota.bytes.checked_sub(bytes.len()).ok_or(OverCap)?;
        let mut rules = Rules { ignore_case, ..Rules::default() };
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        for line in bytes.split(|byte| *byte == b'\n') {
            let Some(line) = pattern_of(line) else { continue };
            if line.len() > IGNORE_PATTERN_BYTES_MAX || rules.kinds.len() == IGNORE_FILE_PATTERNS_MAX {
                return Err(OverCap);
            }
            quota.patterns = quota.patterns.checked_sub(1).ok_or(OverCap)?;
            rules.add(line);
        }
        Ok(rules)
    }

    /// Whether no line held a pattern.
    pub(crate) fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    fn add(&mut self, line: &[u8]) {
        let number = self.kinds.len() as u32;
        let (negated, pattern) = match line.strip_prefix(b"!") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let (folders_only, pattern) = match pattern.strip_suffix(b"/") {
            Some(rest) => (true, rest),
            None => (false, pattern),
        };
        self.kinds.push(Kind { negated, folders_only });
        let anchored = pattern.contains(&b'/');
        let pattern = pattern.strip_prefix(b"/").unwrap_or(pattern);
        let Some(tokens) = tokens(pattern, self.ignore_case, anchored) else { return };
        let wild = Wild::new(tokens, Unit::Byte);
        match wild.as_literal() {
            Some([]) => {}
            Some(literal) => {
                let literals = if anchored { &mut self.paths } else { &mut self.names };
                let latest = literals.entry(literal.into()).or_default();
                latest.folder = Some(number);
                if !folders_only {
                    latest.file = Some(number);
                }
            }
            None if anchored => self.path_globs.push(number, wild),
            None => self.name_globs.push(number, wild),
        }
    }

    /// What the last rule that matches says of an entry: `Some(true)` ignored, `Some(false)` re-included.
    /// `path` is relative to the folder of the file of rules; its last segment is the entry's name.
    pub(crate) fn verdict(&self, path: &[u8], is_folder: bool, effort: &mut Effort) -> Option<bool> {
        if self.ignore_case && path.iter().any(u8::is_ascii_uppercase) {
            return self.verdict_folded(&path.to_ascii_lowercase(), is_folder, effort);
        }
        self.verdict_folded(path, is_folder, effort)
    }

    fn verdict_folded(&self, path: &[u8], is_folder: bool, effort: &mut Effort) -> Option<bool> {
        let name = memchr::memrchr(b'/', path).map_or(path, |slash| &path[slash + 1..]);
        let latest = |literals: &HashMap<Box<[u8]>, Latest>, key: &[u8]| {
            if literals.is_empty() {
                return None;
            }
            let latest = literals.get(key)?;
            if is_folder { latest.folder } else { latest.file }
        };
        let mut best = latest(&self.names, name).max(latest(&self.paths, path));
        let wanted = |number: u32| is_folder || !self.kinds[number as usize].folders_only;
        best = best.max(self.name_globs.last_match(name, best, wanted, effort));
        best = best.max(self.path_globs.last_match(path, best, wanted, effort));
        best.map(|number| !self.kinds[number as usize].negated)
    }
}

/// The pattern of a line, or nothing for blank lines and comments.
fn pattern_of(line: &[u8]) -> Option<&[u8]> {
    if line.is_empty() || line[0] == b'#' {
        return None;
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let line = memchr::memchr(0, line).map_or(line, |nul| &line[..nul]);
    let line = without_trailing_spaces(line);
    (!line.is_empty()).then_some(line)
}

/// Drops spaces at the end, up to the last one that a backslash protects.
fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let (mut at, mut end) = (0, 0);
    while at < line.len() {
        let width = if line[at] == b'\\' { 2 } else { 1 };
        if line[at] != b' ' {
            end = (at + width).min(line.len());
        }
        at += width;
    }
    &line[..end]
}

fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

/// Compiles a pattern. Nothing comes back for one that git can never match: an unfinished class, an unknown
/// class name, a backslash at the end.
///
/// The literal start is compared apart from the rest, as git does, so that stars right after it count as
/// standing at the start of a pattern: `a/b**/c` matches below `a/bx/y`.
fn tokens(pattern: &[u8], ignore_case: bool, anchored: bool) -> Option<Vec<Token>> {
    let fold = |byte: u8| if ignore_case { byte.to_ascii_lowercase() } else { byte };
    let start = pattern.iter().position(|byte| is_special(*byte)).unwrap_or(pattern.len());
    let mut tokens: Vec<Token> = pattern[..start].iter().map(|byte| Token::Byte(fold(*byte))).collect();
    let mut at = start;
    while at < pattern.len() {
        match pattern[at] {
            b'*' => {
                let run = pattern[at..].iter().take_while(|byte| **byte == b'*').count();
                let opens = at == start || pattern[at - 1] == b'/';
                at += run;
                let rest = &pattern[at..];
                if run == 1 || !anchored || !opens {
                    tokens.push(Token::Star);
                } else if rest.first() == Some(&b'/') {
                    at += 1;
                    tokens.push(Token::Folders);
                } else if rest.is_empty() || rest.starts_with(b"\\/") {
                    tokens.push(Token::StarAny);
                } else {
                    tokens.push(Token::Star);
                }
            }
            b'?' => {
                tokens.push(Token::One);
                at += 1;
            }
            b'[' => {
                let (set, end) = class(pattern, at, ignore_case)?;
                tokens.push(Token::Set(Box::new(set)));
                at = end;
            }
            b'\\' => {
                // An escaped capital is not folded by git, so it never equals the folded text.
                tokens.push(Token::Byte(*pattern.get(at + 1)?));
                at += 2;
            }
            byte => {
                tokens.push(Token::Byte(fold(byte)));
                at += 1;
            }
        }
    }
    Some(tokens)
}

/// One member of a character class.
enum Member {
    Byte(u8),
    Range(u8, u8),
    Named(fn(u8) -> bool, bool),
}

/// Reads the class that opens at `open`; answers the bytes it matches and where the pattern goes on.
fn class(pattern: &[u8], open: usize, ignore_case: bool) -> Option<(ByteSet, usize)> {
    let mut at = open + 1;
    let negated = matches!(pattern.get(at)?, b'!' | b'^');
    if negated {
        at += 1;
    }
    let mut members = Vec::new();
    let mut previous: Option<u8> = None;
    let first = at;
    loop {
        let byte = *pattern.get(at)?;
        if byte == b']' && at > first {
            break;
        }
        let next = pattern.get(at + 1).copied();
        match (byte, previous) {
            (b'\\', _) => {
                members.push(Member::Byte(next?));
                previous = next;
                at += 2;
            }
            (b'-', Some(from)) if next.is_some_and(|next| next != b']') => {
                let (to, width) = match next? {
                    b'\\' => (*pattern.get(at + 2)?, 3),
                    to => (to, 2),
                };
                members.push(Member::Range(from, to));
                previous = None;
                at += width;
            }
            (b'[', _) if next == Some(b':') => {
                let end = at + 2 + memchr::memchr(b']', &pattern[at + 2..])?;
                if end > at + 2 && pattern[end - 1] == b':' {
                    members.push(named(&pattern[at + 2..end - 1])?);
                    previous = None;
                    at = end + 1;
                } else {
                    members.push(Member::Byte(b'['));
                    previous = Some(b'[');
                    at += 1;
                }
            }
            _ => {
                members.push(Member::Byte(byte));
                previous = Some(byte);
                at += 1;
            }
        }
    }
    let mut set = ByteSet::default();
    for byte in (0..=u8::MAX).filter(|byte| *byte != b'/') {
        let capital = byte.to_ascii_uppercase();
        let folded = ignore_case && byte.is_ascii_lowercase();
        let matched = members.iter().any(|member| match *member {
            Member::Byte(wanted) => byte == wanted,
            Member::Range(from, to) => {
                (from..=to).contains(&byte) || folded && (from..=to).contains(&capital)
            }
            Member::Named(holds, upper) => holds(byte) || folded && upper,
        });
        if matched != negated {
            set.insert(byte);
        }
    }
    Some((set, at + 1))
}

/// A named class, in git's own reading of ASCII.
fn named(name: &[u8]) -> Option<Member> {
    let holds: fn(u8) -> bool = match name {
        b"alnum" => |byte| byte.is_ascii_alphanumeric(),
        b"alpha" => |byte| byte.is_ascii_alphabetic(),
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => |byte| byte.is_ascii_control(),
        b"digit" => |byte| byte.is_ascii_digit(),
        b"graph" => |byte| byte.is_ascii_graphic(),
        b"lower" => |byte| byte.is_ascii_lowercase(),
        b"print" => |byte| matches!(byte, b' '..=b'~'),
        b"punct" => |byte| byte.is_ascii_punctuation(),
        b"space" => |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => |byte| byte.is_ascii_uppercase(),
        b"xdigit" => |byte| byte.is_ascii_hexdigit(),
        _ => return None,
    };
    Some(Member::Named(holds, name == b"upper"))
}

#[cfg(test)]
mod tests;
