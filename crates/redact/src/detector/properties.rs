//! What holds for any text: masking never fails, is complete in one go, moves no line, and does not depend on where in the text a
//! secret stands. `PROPTEST_CASES` sets how many texts are drawn.

use std::sync::LazyLock;

use fault::Unwatched;
use proptest::prelude::*;
use proptest::sample::select;

use crate::finding::{FileFacts, Finding, Policy, Stacks};
use crate::rules::TABLES;
use crate::sample::{Dice, expand};
use crate::{Detector, Numbering};

static TEMPLATES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let rules = TABLES.iter().flat_map(|table| table.iter());
    rules.flat_map(|rule| rule.samples.iter().chain(rule.misses).copied()).collect()
});

const PIECES: &[&str] = &[
    "password",
    "PASSWORD=",
    "secret: ",
    "token = \"",
    "apiKey: '",
    "key",
    "pwd=",
    "user",
    "\"",
    "'",
    "=",
    ": ",
    "\n",
    "\r\n",
    "\n\n",
    "  ",
    "\t",
    "\\",
    "\\n",
    "@",
    "://",
    "postgres://app:",
    "https://",
    "Server=db;",
    ";",
    "&",
    "#",
    "<",
    ">",
    "{",
    "}",
    "${X}",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "REDACTED[x#1]",
    "REDACTED[",
    "\u{200B}",
    "\u{AD}",
    "é",
    "世界",
    "\u{202E}",
    "kind: Secret",
    "data:",
    "ENV ",
    "Authorization: Bearer ",
    "machine h login u password ",
    "changeme",
    "hunter2x",
    "Sommer2019!",
    "identified by '",
    "%3D",
    "jane.roe@corp-mail.io",
    "8.8.4.5",
    "/home/jroe/",
    ",",
    "(",
    ")",
    "//",
];

const PATHS: &[&str] = &[
    "",
    "src/a.rs",
    ".env",
    ".npmrc",
    "compose.yml",
    "a.yaml",
    "appsettings.json",
    "web.config",
    "x.tfvars",
    "settings.py",
    "Dockerfile",
    "a.http",
    ".pgpass",
    ".netrc",
    "readme.md",
    "LICENSE",
    "a.properties",
];

fn piece() -> impl Strategy<Value = String> {
    let sample = (0..TEMPLATES.len(), any::<u64>())
        .prop_map(|(index, seed)| expand(TEMPLATES[index], &mut Dice::new(seed)));
    let random = (0..6usize, any::<u64>()).prop_map(|(kind, seed)| {
        let template = [
            "{lower:0-8}",
            "{base64url:0-48}",
            "{hex:32-40}",
            "{alnum:8-24}",
            "{any: =\"'\\;,@#é:0-9}",
            "{digit:4-16}",
        ];
        expand(template[kind], &mut Dice::new(seed))
    });
    prop_oneof![
        4 => select(PIECES).prop_map(str::to_owned),
        2 => sample,
        2 => random,
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

fn detect(text: &str, path: &str, private_data: bool) -> Result<Vec<Finding>, TestCaseError> {
    let facts = FileFacts { path, stacks: Stacks::NONE };
    Detector::shared()
        .detect(text, &facts, &Policy { private_data }, &Unwatched)
        .map_err(|fault| TestCaseError::fail(format!("a short text is inspectable: {fault}")))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn masking_is_complete_and_moves_no_line(text in text(), path in select(PATHS), private in any::<bool>()) {
        let findings = detect(&text, path, private)?;
        let mut end = 0;
        for finding in &findings {
            prop_assert!(finding.range.start >= end && finding.range.start < finding.range.end, "{findings:?}");
            end = finding.range.end;
        }
        let masked = Numbering::new().mask(&text, &findings).into_text();
        prop_assert_eq!(masked.matches('\n').count(), text.matches('\n').count());
        let again = detect(&masked, path, private)?;
        prop_assert!(again.is_empty(), "{path}: {again:?} in {masked:?} from {text:?}");
    }

    /// A text is read in blocks: where they begin and end, and where the text ends among them, changes nothing.
    #[test]
    fn nothing_depends_on_where_blocks_begin(text in text(), path in select(PATHS), lead in 0usize..70, tail in 0usize..70) {
        let findings = detect(&text, path, false)?;
        let around = format!("{}{text}{}", "\n".repeat(lead), "\n".repeat(tail));
        let back: Vec<Finding> = detect(&around, path, false)?
            .into_iter()
            .map(|f| Finding { range: f.range.start - lead..f.range.end - lead, ..f })
            .collect();
        prop_assert_eq!(back, findings, "{}: {:?}", path, text);
    }
}
