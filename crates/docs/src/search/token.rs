//! Words of a text as search compares them: case and accents folded, scripts without spaces between words cut into
//! single characters. It knows no query and no index.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// Bytes of a folded word that count; what follows is not compared.
const WORD_BYTES_MAX: usize = 128;

/// Calls `each` with every folded word of `text` and the bytes that it took.
///
/// Letters and digits make words; everything else parts them. A character of a script that writes no spaces between
/// words is a word of its own, so that a run of them is found anywhere as a phrase.
pub(super) fn words(text: &str, mut each: impl FnMut(&str, Range<usize>)) {
    let mut word = String::new();
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        if letter.is_ascii() {
            if letter.is_ascii_alphanumeric() {
                if word.is_empty() {
                    start = at;
                }
                if word.len() < WORD_BYTES_MAX {
                    word.push(letter.to_ascii_lowercase());
                }
            } else {
                end(&mut word, start..at, &mut each);
            }
            continue;
        }
        let next = at + letter.len_utf8();
        if stands_alone(letter) {
            end(&mut word, start..at, &mut each);
            word.push(letter);
            end(&mut word, at..next, &mut each);
        } else if letter.is_alphanumeric() {
            for part in std::iter::once(letter).nfkd().flat_map(char::to_lowercase) {
                if stands_alone(part) {
                    end(&mut word, start..at, &mut each);
                    word.push(part);
                    end(&mut word, at..next, &mut each);
                } else if part.is_alphanumeric() && !is_accent(part) {
                    if word.is_empty() {
                        start = at;
                    }
                    if word.len() < WORD_BYTES_MAX {
                        word.push(part);
                    }
                }
            }
        } else if !is_accent(letter) {
            end(&mut word, start..at, &mut each);
        }
    }
    end(&mut word, start..text.len(), &mut each);
}

fn end(word: &mut String, range: Range<usize>, each: &mut impl FnMut(&str, Range<usize>)) {
    if !word.is_empty() {
        each(word, range);
        word.clear();
    }
}

/// Marks that ride on the letter before them and are not compared.
const fn is_accent(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}')
}

/// Characters of scripts without spaces between words: Chinese, Japanese, Korean syllables, Thai, Lao, Khmer, Burmese.
const fn stands_alone(letter: char) -> bool {
    matches!(letter,
        '\u{E01}'..='\u{E30}' | '\u{E32}'..='\u{E33}' | '\u{E40}'..='\u{E46}' | '\u{E81}'..='\u{EB0}'
        | '\u{1000}'..='\u{102A}' | '\u{1780}'..='\u{17B3}'
        | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}' | '\u{3105}'..='\u{312F}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}')
}

/// A whole text folded as its words are, for comparisons of ids and titles; what parts words stays.
pub(super) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.nfkd().filter(|part| !is_accent(*part)).flat_map(char::to_lowercase).nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        words(text, |word, _| found.push(word.to_owned()));
        found
    }

    #[test]
    fn case_and_accents_are_folded() {
        assert_eq!(cut("Über CAFÉ cafe\u{301} ﬁn"), ["uber", "cafe", "cafe", "fin"]);
        assert_eq!(folded("Ünder Straße"), "under straße");
    }

    #[test]
    fn what_is_no_letter_parts_words() {
        assert_eq!(cut("multi-agent a'b col:x_1"), ["multi", "agent", "a", "b", "col", "x", "1"]);
        assert!(cut("\u{0} … 🦀 \"*\"").is_empty());
    }

    #[test]
    fn scripts_without_spaces_are_cut_into_characters() {
        assert_eq!(cut("東京tower 한글"), ["東", "京", "tower", "한", "글"]);
    }

    #[test]
    fn the_bytes_of_a_word_are_those_it_took() {
        let text = "  Éa, 東b";
        let mut found = Vec::new();
        words(text, |_, range| found.push(&text[range]));
        assert_eq!(found, ["Éa", "東", "b"]);
    }

    #[test]
    fn a_word_longer_than_the_limit_is_compared_by_its_beginning() {
        assert_eq!(cut(&"a".repeat(1000))[0].len(), WORD_BYTES_MAX);
    }
}
