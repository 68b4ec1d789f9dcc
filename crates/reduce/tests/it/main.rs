//! What the crate promises about real languages, each sentence of the specification as a test.

mod broken;
mod facts;
mod fixtures;
mod hostile;

use fault::Unwatched;
use reduce::{Tier, Wanted, apply, outline, reduce};

const BODIES: Wanted = Wanted { bodies: true, comments: false, blank_lines: false };
const COMMENTS: Wanted = Wanted { bodies: false, comments: true, blank_lines: false };
const BLANK_LINES: Wanted = Wanted { bodies: false, comments: false, blank_lines: true };

/// The text that is left of `text` at `path`.
#[track_caller]
fn reduced(path: &str, text: &str, wanted: Wanted) -> String {
    let edits = reduce(text, path, wanted, &Unwatched).expect("because nobody stops it");
    let after = apply(text, &edits);
    if !edits.is_empty() {
        assert!(after.len() < text.len(), "a reduced text is smaller");
        let (before, after) = (
            outline(text, path).expect("it parsed before"),
            outline(&after, path).expect("what was reduced parses again"),
        );
        assert!(after.defects <= before.defects, "a reduced text has no more defects");
    }
    after
}

#[track_caller]
fn check(path: &str, wanted: Wanted, before: &str, after: &str) {
    let found = reduced(path, before, wanted);
    assert_eq!(found, after, "\n--- found:\n{found}\n--- expected:\n{after}\n---");
}

#[track_caller]
fn signatures(path: &str, before: &str, after: &str) {
    check(path, Tier::Signatures.wanted(), before, after);
}

#[track_caller]
fn compact(path: &str, before: &str, after: &str) {
    check(path, Tier::Compact.wanted(), before, after);
}

/// Bodies alone are collapsed.
#[track_caller]
fn bodies(path: &str, before: &str, after: &str) {
    check(path, BODIES, before, after);
}

/// The text stays as it is, whatever is wanted.
#[track_caller]
fn unchanged(path: &str, text: &str) {
    signatures(path, text, text);
}
