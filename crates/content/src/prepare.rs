//! The one order in which text becomes showable: decode, detect, reduce, detect again, mask, count.
//! It knows the order, not the rules: those are `redact`'s and `reduce`'s.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use fault::{Stop, Watch};
use redact::{
    Class as FindingClass, Detector, FileFacts, Finding, Masked, Numbering, Policy, Stacks, Uninspectable,
};
use reduce::{Edit, Wanted};

use crate::{Class, CleanTexts};

/// What preparation must know of a file.
#[derive(Clone, Copy, Debug)]
pub struct PrepareRequest<'a> {
    /// The address below the root: it decides file shapes and languages.
    pub path: &'a str,
    /// The marker stacks of the nearest owning scope.
    pub stacks: Stacks,
    /// What is redacted besides secrets.
    pub policy: &'a Policy,
    /// What is taken out.
    pub wanted: Wanted,
    /// What the session knows to be clean; without it every text is inspected.
    pub clean: Option<&'a CleanTexts>,
}

/// Why a file has no text to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withheld {
    /// The file is of this class.
    Class(Class),
    /// The call was stopped.
    Stopped(Stop),
}

/// Text that has been looked at and reduced, and still holds what must be masked. Only [`Prepared::mask`] gives
/// it out, because placeholders are numbered per output, in the order in which files are written.
pub struct Prepared {
    text: String,
    findings: Vec<Finding>,
}

/// Looks at the whole text before any cut, reduces it, and looks again, because a reduction can put the halves of
/// a secret together (spec `project.md` 9.1, decision 19).
///
/// # Errors
/// [`Class::TooLarge`] when the detector reaches a limit: what it cannot finish is withheld, never passed through.
pub fn prepare(text: String, request: &PrepareRequest<'_>, watch: &dyn Watch) -> Result<Prepared, Withheld> {
    let facts = FileFacts { path: request.path, stacks: request.stacks };
    let detect = |text: &str| {
        let known = request.clean.map(|clean| (clean, CleanTexts::key(text, request)));
        if let Some((clean, key)) = &known
            && clean.holds(key)
        {
            return Ok(Vec::new());
        }
        // A defect in a rule must cost one file, not the call, and must never let a text through.
        let detect = || Detector::shared().detect(text, &facts, request.policy, watch);
        match catch_unwind(AssertUnwindSafe(detect)) {
            Ok(Ok(findings)) => {
                if let Some((clean, key)) = known.filter(|_| findings.is_empty()) {
                    clean.add(key);
                }
                Ok(findings)
            }
            Ok(Err(Uninspectable::Stopped(stop))) => Err(Withheld::Stopped(stop)),
            Ok(Err(_)) | Err(_) => Err(Withheld::Class(Class::TooLarge)),
        }
    };
    let findings = detect(&text)?;
    if request.wanted.is_none() {
        return Ok(Prepared { text, findings });
    }
    let edits = reduce::reduce(&text, request.path, request.wanted, watch).map_err(Withheld::Stopped)?;
    if edits.is_empty() {
        return Ok(Prepared { text, findings });
    }
    let reduced = reduce::apply(&text, &edits);
    let carried = carry(&findings, &edits);
    let found_again = detect(&reduced)?;
    Ok(Prepared { text: reduced, findings: unite(carried, found_again) })
}

impl Prepared {
    /// The text itself, when there is nothing to mask in it.
    pub fn clean_text(&self) -> Option<&str> {
        self.findings.is_empty().then_some(self.text.as_str())
    }

    /// Whether its placeholders still fit into the output that `numbering` counts; what does not fit is withheld.
    pub fn fits(&self, numbering: &Numbering) -> bool {
        numbering.has_room_for(self.findings.len())
    }

    /// Bytes of the text before masking; a measure of what keeping it costs.
    pub fn len_bytes(&self) -> usize {
        self.text.len()
    }

    /// Masks what was found, numbered as if this file were the whole output.
    pub fn mask_alone(&self) -> Masked {
        Numbering::new().mask(&self.text, &self.findings)
    }

    /// Masks what was found, numbering placeholders with what came before in the same output.
    pub fn mask(&self, numbering: &mut Numbering) -> Masked {
        numbering.mask(&self.text, &self.findings)
    }
}

/// Moves findings from the text before `edits` to the text after them. What an edit removed whole is gone; what
/// it cut keeps its remaining part masked.
fn carry(findings: &[Finding], edits: &[Edit]) -> Vec<Finding> {
    let mut carried = Vec::with_capacity(findings.len());
    let mut next = 0;
    // Bytes before `next` in the old text, and how many of them the new text has.
    let (mut old, mut new) = (0, 0);
    for finding in findings {
        // Step over the edits that end before the finding starts.
        while let Some(edit) = edits.get(next).filter(|edit| edit.range.end <= finding.range.start) {
            new += edit.range.start - old + edit.with.len();
            old = edit.range.end;
            next += 1;
        }
        let (mut old_at, mut new_at) = (old, new);
        let mut start = None;
        let mut end = None;
        for edit in edits[next..].iter().take_while(|edit| edit.range.start < finding.range.end) {
            if finding.range.start.max(old_at) < edit.range.start {
                start = start.or(Some(new_at + finding.range.start.max(old_at) - old_at));
                end = Some(new_at + edit.range.start - old_at);
            }
            new_at += edit.range.start - old_at + edit.with.len();
            old_at = edit.range.end;
        }
        if finding.range.end > old_at {
            start = start.or(Some(new_at + finding.range.start.max(old_at) - old_at));
            end = Some(new_at + finding.range.end - old_at);
        }
        if let (Some(start), Some(end)) = (start, end) {
            carried.push(Finding { range: start..end, ..finding.clone() });
        }
    }
    carried
}

/// The union of two sorted lists: overlapping findings become one that covers both and keeps the name of the
/// secret, or of the earlier one.
fn unite(carried: Vec<Finding>, found: Vec<Finding>) -> Vec<Finding> {
    let mut all: Vec<Finding> = carried.into_iter().chain(found).collect();
    all.sort_by_key(|finding| (finding.range.start, std::cmp::Reverse(finding.range.end)));
    let mut united: Vec<Finding> = Vec::with_capacity(all.len());
    for finding in all {
        match united.last_mut() {
            Some(last) if finding.range.start < last.range.end => {
                let end = last.range.end.max(finding.range.end);
                let is_stronger = is_secret(&finding) && !is_secret(last);
                let range: Range<usize> = last.range.start..end;
                if is_stronger {
                    *last = finding;
                }
                last.range = range;
            }
            _ => united.push(finding),
        }
    }
    united
}

fn is_secret(finding: &Finding) -> bool {
    finding.class == FindingClass::Secret
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(range: Range<usize>) -> Finding {
        Finding { range, rule: "x", class: FindingClass::Secret }
    }

    /// In `old`, the finding stands between `[` and `]` and each edit between `{` and `}`; `new` shows where the
    /// finding must be after the edits, each of which writes `~`.
    fn check(old: &str, new: &str) {
        let mut text = String::new();
        let (mut edits, mut from, mut range) = (Vec::new(), 0, 0..0);
        for c in old.chars() {
            match c {
                '[' => range.start = text.len(),
                ']' => range.end = text.len(),
                '{' => from = text.len(),
                '}' => edits.push(Edit { range: from..text.len(), with: "~".into() }),
                c => text.push(c),
            }
        }
        let mut shown = reduce::apply(&text, &edits);
        for finding in carry(&[finding(range)], &edits).iter().rev() {
            shown.insert(finding.range.end, ']');
            shown.insert(finding.range.start, '[');
        }
        assert_eq!(shown, new, "{old}");
    }

    #[test]
    fn findings_move_with_the_edits_before_them() {
        check("a[bc]d", "a[bc]d");
        check("{aa}b[cd]{ee}", "~b[cd]~");
        check("{aa}{bb}[cd]e", "~~[cd]e");
    }

    #[test]
    fn a_cut_finding_keeps_its_rest_masked() {
        check("a{b[c}d]e", "a~[d]e");
        check("a[b{c]d}e", "a[b]~e");
        check("a[b{c}d]e", "a[b~d]e");
        check("a[{b}c{d}]e", "a~[c]~e");
    }

    #[test]
    fn a_removed_finding_is_gone() {
        check("a{b[c]d}e", "a~e");
        check("a{[c]}e", "a~e");
    }

    #[test]
    fn overlapping_findings_become_one() {
        let private = Finding { range: 2..6, rule: "email", class: FindingClass::Private };
        let united = unite(vec![private], vec![finding(0..1), finding(4..9)]);
        let shape: Vec<_> = united.iter().map(|found| (found.range.clone(), found.rule)).collect();
        assert_eq!(shape, [(0..1, "x"), (2..9, "x")]);
    }

    /// The text at `path` as it is shown when `wanted` is taken out.
    fn shown(path: &str, text: &str, wanted: Wanted) -> String {
        let policy = Policy::default();
        let request =
            PrepareRequest { path, stacks: Stacks::default(), policy: &policy, wanted, clean: None };
        let prepared = prepare(text.to_owned(), &request, &fault::Unwatched).expect("it is shown");
        prepared.mask_alone().into_text()
    }

    #[test]
    fn a_text_made_to_exhaust_a_parser_is_masked_whether_it_stays_complete_or_not() {
        let secret = "k7Qw2ZpL9vXt4RbN";
        let chain = "if (a) b(); else ".repeat(50_000);
        // What nests too deep stays complete on every machine; the others only where the parser's time is over.
        for (path, filler, is_too_deep) in [
            ("a.c", "(".repeat(100_000), true),
            ("a.go", "\"a\n".repeat(100_000), false),
            ("a.ts", "a<".repeat(200_000), true),
            ("a.java", format!("class A {{ void b() {{ {chain}; }} }}"), false),
        ] {
            let text = format!("// postgres://app:{secret}@db/main\n\n{filler}\n");
            let masked = shown(path, &text, Wanted::none());
            assert!(masked.contains("REDACTED[") && !masked.contains(secret), "{path}");
            let everything = Wanted { bodies: true, comments: true, blank_lines: true };
            let reduced = shown(path, &text, everything);
            assert!(!reduced.contains(secret) && reduced.len() <= masked.len(), "{path}");
            assert!(!is_too_deep || reduced == masked, "{path}");
        }
    }

    #[test]
    fn only_a_clean_text_is_remembered_and_only_as_it_was() {
        let clean = CleanTexts::default();
        let policy = Policy::default();
        let request = PrepareRequest {
            path: "settings.ini",
            stacks: Stacks::default(),
            policy: &policy,
            wanted: Wanted::none(),
            clean: Some(&clean),
        };
        let is_clean = |text: &str| {
            let prepared = prepare(text.to_owned(), &request, &fault::Unwatched).ok();
            prepared.map(|prepared| prepared.clean_text() == Some(text))
        };
        let harmless = "url = postgres://app:________________@db/main\n";
        let secret = harmless.replace("________________", "k7Qw2ZpL9vXt4RbN");
        assert_eq!(harmless.len(), secret.len());
        for _ in 0..2 {
            assert_eq!((is_clean(harmless), is_clean(&secret)), (Some(true), Some(false)));
        }
        assert!(clean.holds(&CleanTexts::key(harmless, &request)));
        assert!(!clean.holds(&CleanTexts::key(&secret, &request)));
    }
}
