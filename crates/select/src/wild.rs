//! One compiled wildcard pattern and many of them side by side. Matching is polynomial whatever the pattern:
//! it falls back to the last star only, and every step is paid for from an [`Effort`]. It does not know where
//! patterns come from nor what a match means.

use std::collections::HashMap;

use memchr::{memchr, memmem};

/// How much matching may still cost. When it is spent, nothing matches any more and no answer counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort(u64);

impl Effort {
    /// As many steps; an ordinary answer costs a few dozen.
    pub(crate) const fn new(steps: u64) -> Self {
        Effort(steps)
    }

    /// Whether the answers since the last look may be wrong.
    pub(crate) const fn is_spent(self) -> bool {
        self.0 == 0
    }

    /// Pays for one step, if there is one left.
    fn pay(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// One element of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// Exactly this byte.
    Byte(u8),
    /// One unit (see [`Unit`]) that is not `/`.
    One,
    /// One byte of the set; the set never holds `/`.
    Set(Box<ByteSet>),
    /// Any run without `/`, also an empty one.
    Star,
    /// Any run at all, also an empty one.
    StarAny,
    /// Nothing, or any run that ends in `/`.
    Folders,
}

/// A set of bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0
    }
}

/// What [`Token::One`] and a star advance by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A byte, as git counts.
    Byte,
    /// A Unicode scalar; of bytes that are not UTF-8, a byte with its stray continuation bytes.
    Scalar,
}

impl Unit {
    /// Where the unit that begins at `at` ends. `at` is inside `text`.
    fn end(self, text: &[u8], at: usize) -> usize {
        match self {
            Unit::Byte => at + 1,
            Unit::Scalar => {
                let stray = text[at + 1..].iter().take_while(|byte| **byte & 0xC0 == 0x80).count();
                at + 1 + stray
            }
        }
    }
}

/// A compiled pattern, anchored at both ends.
#[derive(Clone, Debug)]
pub(crate) struct Wild {
    /// The literal bytes before the first wildcard.
    head: Box<[u8]>,
    /// From the first wildcard to the last.
    middle: Box<[Token]>,
    /// The literal bytes after the last wildcard.
    tail: Box<[u8]>,
    /// A literal run that stands somewhere in the middle.
    inner: Option<Box<memmem::Finder<'static>>>,
    unit: Unit,
}

impl Wild {
    pub(crate) fn new(tokens: Vec<Token>, unit: Unit) -> Self {
        let literal = |token: &Token| match token {
            Token::Byte(byte) => Some(*byte),
            _ => None,
        };
        let head: Box<[u8]> = tokens.iter().map_while(literal).collect();
        let rest = &tokens[head.len()..];
        let tail_len = rest.iter().rev().map_while(literal).count();
        let (middle, tail) = rest.split_at(rest.len() - tail_len);
        let inner = middle
            .split(|token| literal(token).is_none())
            .max_by_key(|run| run.len())
            .filter(|run| !run.is_empty())
            .map(|run| {
                let run: Vec<u8> = run.iter().filter_map(literal).collect();
                Box::new(memmem::Finder::new(&run).into_owned())
            });
        Wild { middle: middle.into(), tail: tail.iter().filter_map(literal).collect(), head, inner, unit }
    }

    /// The whole pattern, when it holds no wildcard.
    pub(crate) fn as_literal(&self) -> Option<&[u8]> {
        self.middle.is_empty().then_some(&*self.head)
    }

    /// Whether the pattern matches the whole of `text`. Pays from `effort`.
    pub(crate) fn matches(&self, text: &[u8], effort: &mut Effort) -> bool {
        let Some(rest) = text.strip_prefix(&*self.head) else { return false };
        if self.middle.is_empty() {
            return rest.is_empty();
        }
        let Some(rest) = rest.strip_suffix(&*self.tail) else { return false };
        if self.inner.as_ref().is_some_and(|inner| inner.find(rest).is_none()) {
            return false;
        }
        run(&self.middle, rest, self.unit, effort)
    }
}

/// A star to fall back to: the token after it and where the text after it begins.
#[derive(Clone, Copy)]
struct Resume {
    token: usize,
    at: usize,
}

/// Walks pattern and text together. Only the last star of each reach can matter: whatever an earlier one
/// could still take, the later one can take instead, so nothing is ever tried twice with the same outcome.
fn run(tokens: &[Token], text: &[u8], unit: Unit, effort: &mut Effort) -> bool {
    let (mut token, mut at) = (0, 0);
    let mut near: Option<Resume> = None;
    let mut far: Option<(Resume, bool)> = None;
    loop {
        if !effort.pay() {
            return false;
        }
        match tokens.get(token) {
            None if at == text.len() => return true,
            None => {}
            Some(Token::Star) if token + 1 == tokens.len() => {
                if memchr(b'/', &text[at..]).is_none() {
                    return true;
                }
                near = None;
            }
            Some(Token::Star) => {
                token += 1;
                near = Some(Resume { token, at });
                continue;
            }
            Some(Token::StarAny) if token + 1 == tokens.len() => return true,
            Some(kind @ (Token::StarAny | Token::Folders)) => {
                token += 1;
                near = None;
                far = Some((Resume { token, at }, *kind == Token::Folders));
                continue;
            }
            Some(single) => {
                let taken = text.get(at).is_some_and(|byte| match single {
                    Token::Byte(wanted) => byte == wanted,
                    Token::Set(set) => set.contains(*byte),
                    _ => *byte != b'/',
                });
                if taken {
                    at = if *single == Token::One { unit.end(text, at) } else { at + 1 };
                    token += 1;
                    continue;
                }
            }
        }
        if let Some(star) = &mut near
            && text.get(star.at).is_some_and(|byte| *byte != b'/')
        {
            star.at = unit.end(text, star.at);
            (token, at) = (star.token, star.at);
            continue;
        }
        near = None;
        let Some((star, whole_folders)) = &mut far else { return false };
        let next = if *whole_folders {
            memchr(b'/', &text[star.at..]).map(|slash| star.at + slash + 1)
        } else {
            (star.at < text.len()).then(|| unit.end(text, star.at))
        };
        let Some(next) = next else { return false };
        star.at = next;
        (token, at) = (star.token, next);
    }
}

/// Many patterns, each with a number, sorted so that only those whose last byte fits are tried.
#[derive(Clone, Debug, Default)]
pub(crate) struct WildIndex {
    by_last_byte: HashMap<u8, Vec<(u32, Wild)>>,
    others: Vec<(u32, Wild)>,
}

impl WildIndex {
    /// Adds a pattern. Numbers must rise from call to call.
    pub(crate) fn push(&mut self, number: u32, wild: Wild) {
        let last = if wild.middle.is_empty() { wild.head.last() } else { wild.tail.last() };
        match last {
            Some(last) => self.by_last_byte.entry(*last).or_default().push((number, wild)),
            None => self.others.push((number, wild)),
        }
    }

    /// The highest number above `floor` whose pattern matches and which is `wanted`.
    pub(crate) fn last_match(
        &self,
        text: &[u8],
        floor: Option<u32>,
        wanted: impl Fn(u32) -> bool,
        effort: &mut Effort,
    ) -> Option<u32> {
        let mut best = floor;
        let bucket = text.last().and_then(|last| self.by_last_byte.get(last));
        for list in [bucket, Some(&self.others)].into_iter().flatten() {
            for (number, wild) in list.iter().rev() {
                if best.is_some_and(|best| best >= *number) {
                    break;
                }
                if !effort.pay() {
                    return None;
                }
                if wanted(*number) && wild.matches(text, effort) {
                    best = Some(*number);
                    break;
                }
            }
        }
        if best == floor { None } else { best }
    }

    /// Whether any pattern matches.
    pub(crate) fn any_match(&self, text: &[u8], effort: &mut Effort) -> bool {
        self.last_match(text, None, |_| true, effort).is_some()
    }
}
