//! Counts what was found and what was masked in vain. It does not know where the samples come from.

use std::collections::BTreeMap;
use std::fmt;

use fault::Unwatched;
use redact::{Detector, FileFacts, Numbering, Policy};

/// The shortest piece of a value that must not stay readable.
const PIECE_BYTES: usize = 12;

/// A text with what is secret in it.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// The row of the table.
    pub(crate) set: &'static str,
    /// The file that it pretends to be.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The values in it; none in a negative.
    pub(crate) values: Vec<String>,
}

/// What was counted for one set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) values: usize,
    pub(crate) found: usize,
    pub(crate) false_masks: usize,
}

/// Counts by set.
#[derive(Debug, Default)]
pub(crate) struct Table(BTreeMap<&'static str, Counts>);

impl Table {
    /// Runs the detector on a sample and counts.
    pub(crate) fn add(&mut self, sample: &Sample, show: bool) {
        let counts = self.0.entry(sample.set).or_default();
        let (masked, masks) = masked(&sample.path, &sample.text);
        for value in &sample.values {
            counts.values += 1;
            if is_gone(&masked, value) {
                counts.found += 1;
            } else if show {
                println!("missed: {}: {}: {:?}", sample.set, sample.path, sample.text);
            }
        }
        // A mask that shares no byte with a value was made in vain.
        let mut from = 0;
        let places: Vec<_> = sample
            .values
            .iter()
            .filter_map(|value| {
                let at = from + sample.text[from..].find(value.as_str())?;
                from = at;
                Some(at..at + value.len())
            })
            .collect();
        for mask in masks {
            if !places.iter().any(|place| place.start < mask.end && mask.start < place.end) {
                counts.false_masks += 1;
                if show {
                    println!("in vain: {}: {}: {}", sample.set, sample.path, masked.trim_end());
                }
            }
        }
    }

    /// The counts of one set.
    #[cfg(test)]
    pub(crate) fn of(&self, set: &str) -> Counts {
        self.0.get(set).copied().unwrap_or_default()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (set, counts) in &self.0 {
            let Counts { values, found, false_masks } = *counts;
            if values == 0 {
                writeln!(f, "| {set} | 0 | – | {false_masks} | – | – | – |")?;
                continue;
            }
            let recall = found as f64 / values as f64;
            let precision = found as f64 / (found + false_masks).max(1) as f64;
            let f1 = 2.0 * recall * precision / (recall + precision).max(f64::MIN_POSITIVE);
            writeln!(
                f,
                "| {set} | {values} | {found} | {false_masks} | {recall:.3} | {precision:.3} | {f1:.3} |"
            )?;
        }
        Ok(())
    }
}

/// The masked text, and where masks were put in the text itself. A text that would be withheld is masked whole.
pub(crate) fn masked(path: &str, text: &str) -> (String, Vec<std::ops::Range<usize>>) {
    let facts = FileFacts { path, ..FileFacts::default() };
    match Detector::shared().detect(text, &facts, &Policy::default(), &Unwatched) {
        Ok(findings) => {
            let masked = Numbering::new().mask(text, &findings).into_text();
            (masked, findings.into_iter().map(|finding| finding.range).collect())
        }
        Err(_) => (String::new(), std::iter::once(0..text.len()).collect()),
    }
}

/// Whether no piece of a value can be read any more.
fn is_gone(masked: &str, value: &str) -> bool {
    let bytes = value.as_bytes();
    if bytes.len() <= PIECE_BYTES {
        return !masked.contains(value);
    }
    !bytes.windows(PIECE_BYTES).any(|piece| masked.as_bytes().windows(PIECE_BYTES).any(|near| near == piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_missed_and_false_are_told_apart() {
        let sample = |text: &str, values: &[&str]| Sample {
            set: "x",
            path: ".env".to_owned(),
            text: text.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let mut table = Table::default();
        table.add(&sample("A_PASSWORD=qw3rTz81\n", &["qw3rTz81"]), false);
        table.add(&sample("NAME=qw3rTz81\n", &["qw3rTz81"]), false);
        table.add(&sample("A_PASSWORD=qw3rTz81\n", &[]), false);
        assert_eq!(table.of("x"), Counts { values: 2, found: 1, false_masks: 1 });
        assert_eq!(table.to_string(), "| x | 2 | 1 | 1 | 0.500 | 0.500 | 0.500 |\n");
    }

    #[test]
    fn a_piece_of_twelve_characters_is_too_much() {
        assert!(is_gone("abc REDACTED", "abcdefghijkl"));
        assert!(!is_gone("x abcdefghijklm", "zabcdefghijklm0123"));
        assert!(is_gone("x abcdefghijk", "zabcdefghijklm0123"));
    }
}
