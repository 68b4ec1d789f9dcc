//! The query language of search: words, phrases, prefixes, exclusions and alternatives (spec C9). Nothing a caller
//! writes is an error of a database, and what has no meaning here is taken literally.

use super::token::words;
use crate::limits::{QUERY_CHARS_MAX, QUERY_TERMS_MAX};

/// A query, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    text: String,
    /// All of these must be met, each by one of its terms.
    pub(super) all: Vec<Vec<Term>>,
    /// None of these may be met.
    pub(super) none: Vec<Term>,
}

/// Words that stand one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// Folded words.
    pub(super) words: Vec<String>,
    /// Whether the last word may go on.
    pub(super) is_prefix: bool,
}

/// Why a text is no query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryFault {
    /// No word in it.
    #[error("the query has no letter and no digit")]
    Empty,
    /// More than [`QUERY_CHARS_MAX`] characters.
    #[error("the query has more than {QUERY_CHARS_MAX} characters")]
    TooLong,
    /// Not in the language; the words say why.
    #[error("{0}")]
    Syntax(&'static str),
}

impl QueryFault {
    /// The code on the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            QueryFault::Empty => "query_empty",
            QueryFault::TooLong => "argument_too_large",
            QueryFault::Syntax(_) => "query_syntax",
        }
    }
}

/// A piece of the text between blanks.
enum Piece {
    Or,
    Term { term: Term, is_excluded: bool },
}

impl Query {
    /// Reads a query: every word must be there, `"words in a row"`, `begin*`, `-without`, `one | other`. `|` joins its two
    /// neighbours.
    ///
    /// # Errors
    /// [`QueryFault`] says which rule the text breaks.
    pub fn parse(text: &str) -> Result<Query, QueryFault> {
        if text.chars().count() > QUERY_CHARS_MAX {
            return Err(QueryFault::TooLong);
        }
        let pieces = pieces(text)?;
        let terms = pieces.iter().filter(|piece| matches!(piece, Piece::Term { .. })).count();
        if terms > QUERY_TERMS_MAX {
            return Err(QueryFault::Syntax("the query has more than 24 terms"));
        }
        let mut query = Query { text: text.trim().to_owned(), all: Vec::new(), none: Vec::new() };
        let mut joins = false;
        let mut last_was_excluded = false;
        for piece in pieces {
            match piece {
                Piece::Or if last_was_excluded => {
                    return Err(QueryFault::Syntax("an excluded term cannot be an alternative"));
                }
                Piece::Or => joins = !query.all.is_empty(),
                Piece::Term { is_excluded: true, .. } if joins => {
                    return Err(QueryFault::Syntax("an excluded term cannot be an alternative"));
                }
                Piece::Term { term, is_excluded: true } => {
                    query.none.push(term);
                    last_was_excluded = true;
                }
                Piece::Term { term, is_excluded: false } => {
                    match query.all.last_mut() {
                        Some(group) if joins => group.push(term),
                        _ => query.all.push(vec![term]),
                    }
                    joins = false;
                    last_was_excluded = false;
                }
            }
        }
        match (query.all.is_empty(), query.none.is_empty()) {
            (true, true) => Err(QueryFault::Empty),
            (true, false) => Err(QueryFault::Syntax("every term is excluded: name one that must be there")),
            _ => Ok(query),
        }
    }

    /// The query as written, without blanks around it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The terms as they are compared: words joined by a blank, `*` behind a prefix, `-` before an exclusion.
    pub fn terms(&self) -> Vec<String> {
        let shown =
            |term: &Term| format!("{}{}", term.words.join(" "), if term.is_prefix { "*" } else { "" });
        let required = self.all.iter().flatten().map(shown);
        required.chain(self.none.iter().map(|term| format!("-{}", shown(term)))).collect()
    }
}

fn pieces(text: &str) -> Result<Vec<Piece>, QueryFault> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        if first == '|' {
            pieces.push(Piece::Or);
            rest = &rest[1..];
            continue;
        }
        let is_excluded = first == '-' && rest[1..].starts_with(|next: char| !next.is_whitespace());
        let body = if is_excluded { &rest[1..] } else { rest };
        let quoted = body.strip_prefix('"').and_then(|inner| inner.split_once('"'));
        let (written, after, is_phrase) = match quoted {
            Some((inner, after)) => (inner, after, true),
            None => {
                let end = body.find(|next: char| next.is_whitespace() || next == '|').unwrap_or(body.len());
                (&body[..end], &body[end..], false)
            }
        };
        rest = after;
        let mut found: Vec<String> = Vec::new();
        words(written, |word, _| found.push(word.to_owned()));
        let Some(last) = found.last() else { continue };
        let is_prefix = !is_phrase && written.ends_with('*');
        if is_prefix && found.len() == 1 && last.is_ascii() && last.len() < 2 {
            return Err(QueryFault::Syntax("a prefix needs two characters or more before its *"));
        }
        pieces.push(Piece::Term { term: Term { words: found, is_prefix }, is_excluded });
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        Query::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault}")).terms()
    }

    #[test]
    fn each_form_is_read() {
        assert_eq!(terms("Session expiry"), ["session", "expiry"]);
        assert_eq!(
            terms("\"Session  expiry\" -\"old way\" log* -x"),
            ["session expiry", "log*", "-old way", "-x"]
        );
        assert_eq!(terms("multi-agent a'b NEAR(x) col:x"), ["multi agent", "a b", "near x", "col x"]);
        assert_eq!(Query::parse("a | b|c d").unwrap().all.len(), 2);
    }

    #[test]
    fn what_has_no_meaning_is_literal() {
        assert_eq!(terms("\"open quote"), ["open", "quote"]);
        assert_eq!(terms("| a | | b |"), ["a", "b"]);
        assert_eq!(terms("a - b"), ["a", "b"]);
    }

    #[test]
    fn punctuation_alone_is_query_empty() {
        for text in ["", "  ", "\"", "*", "\u{0}", "🦀", "| - |", "\"\""] {
            assert_eq!(Query::parse(text), Err(QueryFault::Empty), "{text:?}");
        }
    }

    #[test]
    fn query_syntax_is_said_in_words() {
        for text in ["-a", "-a -\"b c\"", "a* b", "a | -b", "-b | a"] {
            assert_eq!(Query::parse(text).map_err(|fault| fault.code()), Err("query_syntax"), "{text}");
        }
    }

    #[test]
    fn query_chars_max_is_512() {
        assert!(Query::parse(&"é".repeat(512)).is_ok());
        assert_eq!(Query::parse(&"é".repeat(513)), Err(QueryFault::TooLong));
    }

    #[test]
    fn query_terms_max_is_24() {
        assert!(Query::parse(&"ab ".repeat(24)).is_ok());
        assert_eq!(Query::parse(&"ab ".repeat(25)).map_err(|fault| fault.code()), Err("query_syntax"));
    }
}
