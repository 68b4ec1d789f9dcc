//! The regular expressions of a manifest: anchored at both ends, bounded in length and in compiled size, run in linear
//! time.

use regex_automata::meta::{Config, Regex};

use crate::contract::Pattern;
use crate::contract::form::Form;
use crate::limits::{PATTERN_CHARS_MAX, PATTERN_PROGRAM_BYTES_MAX};

/// The pattern under `key`; a finding and `None` when it does not compile.
pub(super) fn read(form: &Form<'_, '_>, key: &'static str) -> Option<Pattern> {
    let word = form.word(key, 1..=PATTERN_CHARS_MAX)?;
    // On a line of its own, so that a comment of the verbose mode cannot swallow the anchor.
    let alone = Regex::builder().configure(limits()).build(&word.text);
    let anchored = Regex::builder().configure(limits()).build(&format!("\\A(?:{}\n)\\z", word.text));
    let plain = Regex::builder().configure(limits()).build(&format!("\\A(?:{})\\z", word.text));
    match (alone, plain.or(anchored)) {
        (Ok(_), Ok(regex)) => Some(Pattern { source: word.text, regex }),
        (Err(error), _) | (_, Err(error)) => {
            let message = if error.size_limit().is_some() {
                format!("`{key}` of {} is a pattern too large to compile", form.name)
            } else {
                format!(
                    "`{key}` of {} is not a valid pattern (look-around and back-references are not available)",
                    form.name
                )
            };
            form.faults.add(&word.span, message);
            None
        }
    }
}

/// The pattern under `key` that is searched for anywhere; its first group is what it finds.
pub(crate) fn read_search(form: &Form<'_, '_>, key: &'static str) -> Option<Pattern> {
    let word = form.word(key, 1..=PATTERN_CHARS_MAX)?;
    match Regex::builder().configure(limits()).build(&word.text) {
        Ok(regex) if regex.captures_len() < 2 => {
            let message = format!("`{key}` of {} needs a group `(…)` around the target", form.name);
            form.faults.add(&word.span, message);
            None
        }
        Ok(regex) => Some(Pattern { source: word.text, regex }),
        Err(_) => {
            let message = format!(
                "`{key}` of {} is not a valid pattern (look-around and back-references are not available)",
                form.name
            );
            form.faults.add(&word.span, message);
            None
        }
    }
}

fn limits() -> Config {
    Config::new()
        .nfa_size_limit(Some(PATTERN_PROGRAM_BYTES_MAX))
        .onepass_size_limit(Some(PATTERN_PROGRAM_BYTES_MAX))
        .hybrid_cache_capacity(PATTERN_PROGRAM_BYTES_MAX)
}
