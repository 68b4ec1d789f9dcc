//! Puts placeholders in the place of findings and numbers them for one output (`project.md` 9.1). It keeps keyed hashes of
//! the values, never the values, and does not know why something is a finding.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use crate::echo;
use crate::finding::{Class, Finding};
use crate::placeholder;
use crate::tripwire::Tripwire;

/// The most placeholders of one output (`project.md` 9.2).
pub const MAX_PLACEHOLDERS: usize = 65_536;

/// The numbers of one output: distinct values per rule, from 1, in order of appearance.
#[derive(Clone, Default)]
pub struct Numbering {
    keys: [RandomState; 2],
    /// Number of a value under a rule, by the value's keyed hash.
    numbers: HashMap<(&'static str, u64, u64), usize>,
    /// Rules in order of appearance: distinct values, placeholders.
    rules: Vec<(&'static str, usize, usize)>,
    total: usize,
    tripwire: Tripwire,
}

impl Numbering {
    /// Nothing is numbered yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces every finding (sorted, disjoint, of this text) by its placeholder. Line ends inside a finding stay, behind
    /// the placeholder, so that no line moves.
    ///
    /// # Panics
    /// When the findings are not those of the text.
    pub fn mask(&mut self, text: &str, findings: &[Finding]) -> Masked {
        let mut out = String::with_capacity(text.len());
        let mut inserted = Vec::with_capacity(findings.len());
        let mut at = 0;
        for finding in findings {
            out.push_str(&text[at..finding.range.start]);
            let value = &text[finding.range.clone()];
            let number = self.number(finding, value);
            let start = out.len();
            placeholder::write(finding.rule, number, &mut out);
            inserted.push(start..out.len());
            push_line_ends(value, &mut out);
            at = finding.range.end;
        }
        out.push_str(&text[at..]);
        Masked { text: out, inserted }
    }

    fn number(&mut self, finding: &Finding, value: &str) -> usize {
        self.total += 1;
        let key = (finding.rule, self.keys[0].hash_one(value), self.keys[1].hash_one(value));
        let place = match self.rules.iter().position(|(rule, ..)| *rule == finding.rule) {
            Some(place) => place,
            None => {
                self.rules.push((finding.rule, 0, 0));
                self.rules.len() - 1
            }
        };
        let (_, distinct, placeholders) = &mut self.rules[place];
        *placeholders += 1;
        *self.numbers.entry(key).or_insert_with(|| {
            *distinct += 1;
            if finding.class == Class::Secret && echo::is_unlikely(value) {
                self.tripwire.watch(value);
            }
            *distinct
        })
    }

    /// How many placeholders were written.
    pub fn total(&self) -> usize {
        self.total
    }

    /// How many placeholders each rule wrote, rules in order of appearance.
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        self.rules.iter().map(|(rule, _, placeholders)| (*rule, *placeholders)).collect()
    }

    /// Whether the output holds [`MAX_PLACEHOLDERS`] or more: what else has findings must be withheld.
    pub fn is_full(&self) -> bool {
        self.total >= MAX_PLACEHOLDERS
    }

    /// Whether this many more placeholders fit.
    pub fn has_room_for(&self, findings: usize) -> bool {
        self.total.saturating_add(findings) <= MAX_PLACEHOLDERS
    }

    /// What recognises the secrets of this output when they are about to leave in the clear. Values that may stand
    /// somewhere by chance, and those below twelve bytes, are not looked for.
    pub fn tripwire(&self) -> &Tripwire {
        &self.tripwire
    }
}

impl std::fmt::Debug for Numbering {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Numbering").field("total", &self.total).finish_non_exhaustive()
    }
}

/// Appends the line ends (LF, CRLF) of a text and nothing else of it.
pub(crate) fn push_line_ends(value: &str, out: &mut String) {
    for at in memchr::memchr_iter(b'\n', value.as_bytes()) {
        out.push_str(if value[..at].ends_with('\r') { "\r\n" } else { "\n" });
    }
}

/// A text whose findings are masked. The text leaves only through [`Masked::text`] and [`Masked::into_text`].
pub struct Masked {
    text: String,
    inserted: Vec<Range<usize>>,
}

impl Masked {
    /// The masked text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The masked text, for good.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Where the placeholders stand, in bytes of the masked text, in order.
    pub fn inserted(&self) -> &[Range<usize>] {
        &self.inserted
    }
}

impl std::fmt::Debug for Masked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Masked({} bytes, {} placeholders)", self.text.len(), self.inserted.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(range: Range<usize>, rule: &'static str) -> Finding {
        Finding { range, rule, class: Class::Secret }
    }

    #[test]
    fn distinct_values_count_from_one_per_rule_and_equal_values_share_a_number_across_files() {
        let mut numbering = Numbering::new();
        let one = numbering.mask("aa bb aa", &[finding(0..2, "x"), finding(3..5, "x"), finding(6..8, "y")]);
        assert_eq!(one.text(), "REDACTED[x#1] REDACTED[x#2] REDACTED[y#1]");
        assert_eq!(one.inserted(), [0..13, 14..27, 28..41]);
        let two = numbering.mask("cc bb", &[finding(0..2, "x"), finding(3..5, "x")]);
        assert_eq!(two.into_text(), "REDACTED[x#3] REDACTED[x#2]");
        assert_eq!(numbering.total(), 5);
        assert_eq!(numbering.counts(), [("x", 4), ("y", 1)]);
    }

    #[test]
    fn a_value_over_several_lines_leaves_its_line_ends() {
        let masked = Numbering::new().mask("k: a\nb\r\nc\n", &[finding(3..9, "x")]);
        assert_eq!(masked.text(), "k: REDACTED[x#1]\n\r\n\n");
        assert_eq!(masked.inserted(), std::slice::from_ref(&(3..16)));
    }

    #[test]
    fn an_output_is_full_at_its_limit() {
        let mut numbering = Numbering::new();
        let findings = vec![finding(0..1, "x"); 1];
        for _ in 0..MAX_PLACEHOLDERS - 1 {
            numbering.mask("a", &findings);
        }
        assert!(!numbering.is_full() && numbering.has_room_for(1) && !numbering.has_room_for(2));
        numbering.mask("a", &findings);
        assert!(numbering.is_full() && numbering.has_room_for(0) && !numbering.has_room_for(1));
    }

    #[test]
    fn debug_output_holds_no_text() {
        let masked = Numbering::new().mask("visible", &[]);
        assert_eq!(format!("{masked:?}"), "Masked(7 bytes, 0 placeholders)");
    }

    #[test]
    fn masked_values_are_recognised_when_they_leave_in_another_text() {
        let mut numbering = Numbering::new();
        let text = "k = qY7mZp3VxT9w\"nL2c";
        numbering.mask(text, &[finding(4..text.len(), "x")]);
        assert_eq!(numbering.tripwire().leaks("nothing here"), 0);
        assert_eq!(numbering.tripwire().leaks(text), 1);
        assert_eq!(numbering.tripwire().leaks(r#"{"a": "qY7mZp3VxT9w\"nL2c and qY7mZp3VxT9w\"nL2c"}"#), 2);
        assert_eq!(numbering.tripwire().leaks("k = qY7mZp3VxT9w"), 0);
        let (sealed, found) = numbering.tripwire().sealed(format!("<{}> [{text}]", r#"qY7mZp3VxT9w\"nL2c"#));
        assert_eq!((sealed.as_str(), found), ("<REDACTED[seen-masked#1]> [k = REDACTED[seen-masked#1]]", 2));
        let xml = text.replace('"', "&quot;");
        assert_eq!(numbering.tripwire().sealed(xml).1, 1);
        assert_eq!(numbering.tripwire().sealed("plain".to_owned()), ("plain".to_owned(), 0));
    }

    #[test]
    fn what_may_stand_anywhere_is_not_looked_for() {
        let mut numbering = Numbering::new();
        numbering.mask("administrator", &[finding(0..13, "x")]);
        assert_eq!(numbering.tripwire().leaks("the administrator"), 0);
    }
}
