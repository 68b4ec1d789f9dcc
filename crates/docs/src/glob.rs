//! The globs of `include` and `exclude`: project-relative, anchored, case-sensitive, with `*`, `?`, `[..]` and `**`
//! (spec C2). It does not know which files exist.

/// Scalars of one glob.
const GLOB_CHARS_MAX: usize = 512;

/// One glob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    source: String,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// `**`: any number of folders.
    Any,
    /// One name.
    Name(Vec<Token>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Char(char),
    /// `?`.
    One,
    /// `*`.
    Many,
    /// `[..]`.
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Glob {
    /// Reads a glob.
    ///
    /// # Errors
    /// What is wrong with it, in words of the engine.
    pub fn parse(text: &str) -> Result<Glob, &'static str> {
        if text.trim().is_empty() {
            return Err("is empty");
        }
        if text.chars().count() > GLOB_CHARS_MAX {
            return Err("is longer than 512 characters");
        }
        if text.contains('\\') {
            return Err("holds a backslash; separate folders with `/`");
        }
        if text.starts_with('/') {
            return Err("begins with `/`; globs are relative to the project root");
        }
        if text.chars().any(char::is_control) {
            return Err("holds a control character");
        }
        if text.contains(['{', '}']) {
            return Err("holds a brace; write one glob for each alternative");
        }
        let mut segments = Vec::new();
        for segment in text.split('/') {
            match segment {
                "" => return Err("has an empty segment"),
                "." => return Err("has a `.` segment"),
                ".." => return Err("has a `..` segment; globs stay inside the project"),
                "**" if segments.last() == Some(&Segment::Any) => {}
                "**" => segments.push(Segment::Any),
                name if name.contains("**") => return Err("has `**` beside other characters of a segment"),
                name => segments.push(Segment::Name(tokens(name)?)),
            }
        }
        Ok(Glob { source: text.to_owned(), segments })
    }

    /// As written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the file `path` matches. A hidden folder is matched only by a segment that begins with a dot.
    pub fn matches(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').collect();
        let Some((file, folders)) = names.split_last() else { return false };
        let states = folders.iter().fold(self.start(), |states, name| self.step(&states, name, true));
        self.step(&states, file, false).last() == Some(&true)
    }

    /// Whether a file somewhere below the folder `path` can match; the root is the empty path.
    pub fn may_match_below(&self, path: &str) -> bool {
        let folders = path.split('/').filter(|name| !name.is_empty());
        let states = folders.fold(self.start(), |states, name| self.step(&states, name, true));
        // A state before the end has a segment left for the file.
        states[..self.segments.len()].contains(&true)
    }

    /// Which places of the segment list can be next; the last place means that all are used.
    fn start(&self) -> Vec<bool> {
        let mut states = vec![false; self.segments.len() + 1];
        states[0] = true;
        self.skip_any(&mut states);
        states
    }

    /// `**` may stand for no folder at all, except at the end, where a file must follow.
    fn skip_any(&self, states: &mut [bool]) {
        for at in 0..self.segments.len() {
            if states[at] && self.segments[at] == Segment::Any && at + 1 < self.segments.len() {
                states[at + 1] = true;
            }
        }
    }

    fn step(&self, states: &[bool], name: &str, is_folder: bool) -> Vec<bool> {
        let mut next = vec![false; states.len()];
        let is_hidden = is_folder && name.starts_with('.');
        for (at, segment) in self.segments.iter().enumerate() {
            if !states[at] {
                continue;
            }
            match segment {
                Segment::Any if is_hidden => {}
                Segment::Any => {
                    next[at] = true;
                    if !is_folder && at + 1 == self.segments.len() {
                        next[at + 1] = true;
                    }
                }
                Segment::Name(tokens) => {
                    let names_it = !is_hidden || tokens.first() == Some(&Token::Char('.'));
                    if names_it && name_matches(tokens, name) {
                        next[at + 1] = true;
                    }
                }
            }
        }
        self.skip_any(&mut next);
        next
    }
}

fn tokens(name: &str) -> Result<Vec<Token>, &'static str> {
    let mut tokens = Vec::new();
    let mut chars = name.chars().peekable();
    while let Some(one) = chars.next() {
        match one {
            '?' => tokens.push(Token::One),
            '*' => tokens.push(Token::Many),
            '[' => {
                let negated = chars.next_if(|next| matches!(next, '!' | '^')).is_some();
                let mut ranges = Vec::new();
                loop {
                    let Some(first) = chars.next() else { return Err("has a `[` without its `]`") };
                    if first == ']' && !ranges.is_empty() {
                        break;
                    }
                    let mut last = first;
                    if chars.peek() == Some(&'-') {
                        let mut ahead = chars.clone();
                        ahead.next();
                        if let Some(end) = ahead.next().filter(|end| *end != ']') {
                            last = end;
                            chars = ahead;
                        }
                    }
                    if last < first {
                        return Err("has a range in `[..]` that runs backwards");
                    }
                    ranges.push((first, last));
                }
                tokens.push(Token::Class { negated, ranges });
            }
            other => tokens.push(Token::Char(other)),
        }
    }
    Ok(tokens)
}

/// Matches one name. Only the last `*` is ever tried again, so the cost is at most the product of the two lengths.
fn name_matches(tokens: &[Token], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut token, mut at) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while at < name.len() {
        let advances = match tokens.get(token) {
            Some(Token::Many) => {
                retry = Some((token, at));
                token += 1;
                continue;
            }
            Some(Token::Char(one)) => *one == name[at],
            Some(Token::One) => true,
            Some(Token::Class { negated, ranges }) => {
                ranges.iter().any(|(first, last)| (*first..=*last).contains(&name[at])) != *negated
            }
            None => false,
        };
        if advances {
            token += 1;
            at += 1;
        } else if let Some((many, from)) = retry {
            retry = Some((many, from + 1));
            token = many + 1;
            at = from + 1;
        } else {
            return false;
        }
    }
    tokens[token..].iter().all(|rest| *rest == Token::Many)
}

/// The files of one source: included and not excluded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceGlobs {
    /// Any of these.
    pub include: Vec<Glob>,
    /// None of these.
    pub exclude: Vec<Glob>,
}

impl SourceGlobs {
    /// Whether the source claims the file `path`.
    pub fn claims(&self, path: &str) -> bool {
        self.include.iter().any(|glob| glob.matches(path))
            && !self.exclude.iter().any(|glob| glob.matches(path))
    }

    /// Whether the source can claim a file below the folder `path`; the root is the empty path.
    pub fn may_claim_below(&self, path: &str) -> bool {
        self.include.iter().any(|glob| glob.may_match_below(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(glob: &str, hits: &[&str], misses: &[&str]) {
        let parsed = Glob::parse(glob).expect(glob);
        for hit in hits {
            assert!(parsed.matches(hit), "{glob} takes {hit}");
            let mut folder = *hit;
            while let Some((above, _)) = folder.rsplit_once('/') {
                assert!(parsed.may_match_below(above), "{glob} goes into {above}");
                folder = above;
            }
            assert!(parsed.may_match_below(""), "{glob} goes into the root");
        }
        for miss in misses {
            assert!(!parsed.matches(miss), "{glob} leaves {miss}");
        }
    }

    #[test]
    fn globs_match_whole_paths() {
        check("docs/*.md", &["docs/a.md", "docs/.md"], &["docs/a/b.md", "a.md", "docs/a.mdx", "Docs/a.md"]);
        check("**/*.md", &["a.md", "x/a.md", "x/y/.a.md"], &["a.txt", ".git/a.md", "x/.y/a.md"]);
        check("docs/**", &["docs/a", "docs/x/y"], &["docs", "doc/a", "docs/.x/y"]);
        check("**", &["a", "a/b/c"], &[".a/b"]);
        check("a/**/b/**/c", &["a/b/c", "a/x/b/c", "a/b/b/y/z/c"], &["a/c", "a/b", "b/c"]);
        check("?[a-c][!x].md", &["1a2.md", "ébé.md"], &["1d2.md", "1ax.md", "a2.md"]);
        check("[]a].md", &["].md", "a.md"], &["b.md"]);
        check("[a-].md", &["a.md", "-.md"], &["b.md"]);
        check("*a*b*", &["ab", "xaxbx", "aab"], &["ba", "b", "a"]);
        check(".adr/*.md", &[".adr/1.md"], &["adr/1.md"]);
        check(".*/x", &[".a/x"], &["a/x"]);
    }

    #[test]
    fn what_is_no_glob_says_why() {
        for (text, word) in [
            ("", "empty"),
            ("/a", "begins"),
            ("a\\b", "backslash"),
            ("a//b", "empty segment"),
            ("./a", "`.`"),
            ("a/../b", "`..`"),
            ("{a,b}", "brace"),
            ("a**", "beside"),
            ("[a", "without"),
            ("[z-a]", "backwards"),
            ("a\u{7}", "control"),
        ] {
            let reason = Glob::parse(text).expect_err(text);
            assert!(reason.contains(word), "{text:?}: {reason}");
        }
        assert!(Glob::parse(&"a".repeat(513)).is_err());
    }

    #[test]
    fn folders_that_cannot_hold_a_match_are_not_entered() {
        let glob = Glob::parse("docs/*/x.md").expect("a glob");
        assert!(glob.may_match_below("docs") && glob.may_match_below("docs/a"));
        assert!(!glob.may_match_below("docs/a/b") && !glob.may_match_below("src"));
    }

    /// The same question answered by trying everything.
    fn oracle(glob: &[char], text: &[char]) -> bool {
        match glob.split_first() {
            None => text.is_empty(),
            Some(('*', rest)) => (0..=text.len()).any(|taken| oracle(rest, &text[taken..])),
            Some(('?', rest)) => !text.is_empty() && oracle(rest, &text[1..]),
            Some((one, rest)) => text.first() == Some(one) && oracle(rest, &text[1..]),
        }
    }

    proptest! {
        #[test]
        fn one_name_is_matched_as_by_trying_everything(glob in "[ab?*]{1,8}", text in "[ab]{1,8}") {
            prop_assume!(!glob.contains("**"));
            let glob_chars: Vec<char> = glob.chars().collect();
            let text_chars: Vec<char> = text.chars().collect();
            let parsed = Glob::parse(&glob).expect("a glob");
            prop_assert_eq!(parsed.matches(&text), oracle(&glob_chars, &text_chars));
        }
    }
}
