//! A short piece of a body around the first word that a query asks for. It does not know why the node was found.

use super::query::Query;
use super::token::words;

/// Characters of a snippet, without the marks that say that text is left out.
const SNIPPET_CHARS: usize = 200;
/// Characters shown before the word.
const BEFORE_CHARS: usize = 60;

/// The piece, white space folded; empty for an empty body.
pub(super) fn snippet(body: &str, query: &Query) -> String {
    let hit = first_hit(body, query).unwrap_or(0);
    let mut start = step_back(body, hit, BEFORE_CHARS);
    if start > 0 {
        start += body[start..hit].find(char::is_whitespace).map_or(0, |blank| blank + 1);
    }
    let mut piece = String::new();
    let mut chars = 0;
    let mut end = start;
    for (at, letter) in body[start..].char_indices() {
        if chars == SNIPPET_CHARS {
            break;
        }
        end = start + at + letter.len_utf8();
        if letter.is_whitespace() {
            if !piece.is_empty() && !piece.ends_with(' ') {
                piece.push(' ');
                chars += 1;
            }
        } else {
            piece.push(letter);
            chars += 1;
        }
    }
    let is_cut = !body[end..].trim().is_empty();
    if is_cut
        && let Some((whole, _)) =
            piece.trim_end().rsplit_once(' ').filter(|(whole, _)| whole.len() > piece.len() / 2)
    {
        piece.truncate(whole.len());
    }
    let piece = piece.trim();
    format!("{}{piece}{}", if start > 0 { "…" } else { "" }, if is_cut { "…" } else { "" })
}

fn step_back(text: &str, from: usize, chars: usize) -> usize {
    text[..from].char_indices().rev().take(chars).last().map_or(from, |(at, _)| at)
}

/// Where the first word stands that begins a term which must be met.
fn first_hit(body: &str, query: &Query) -> Option<usize> {
    let mut hit = None;
    let firsts: Vec<(&str, bool)> = query
        .all
        .iter()
        .flatten()
        .map(|term| (term.words[0].as_str(), term.is_prefix && term.words.len() == 1))
        .collect();
    words(body, |word, range| {
        let is_one = |(first, is_prefix): &(&str, bool)| {
            if *is_prefix { word.starts_with(first) } else { word == *first }
        };
        if hit.is_none() && firsts.iter().any(is_one) {
            hit = Some(range.start);
        }
    });
    hit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(body: &str, query: &str) -> String {
        snippet(body, &Query::parse(query).unwrap())
    }

    #[test]
    fn a_short_body_is_shown_whole() {
        assert_eq!(cut("Sessions end\nafter  a while.\n", "while"), "Sessions end after a while.");
        assert_eq!(cut("", "while"), "");
    }

    #[test]
    fn a_long_body_is_cut_at_words_around_the_hit() {
        let body = format!("{}needle {}", "before ".repeat(100), "after ".repeat(100));
        let shown = cut(&body, "need*");
        assert!(
            shown.starts_with("…before ") && shown.contains("needle after") && shown.ends_with("after…"),
            "{shown}"
        );
        assert!(shown.chars().count() <= SNIPPET_CHARS + 2, "{shown}");
    }

    #[test]
    fn text_without_blanks_is_cut_between_characters() {
        let body = "東".repeat(300) + "京" + &"都".repeat(300);
        let shown = cut(&body, "京");
        assert!(shown.contains('京') && shown.chars().count() <= SNIPPET_CHARS + 2, "{shown}");
    }
}
