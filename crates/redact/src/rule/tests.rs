//! Proves every rule of every table against its own samples and misses.

use std::collections::HashSet;

use super::{Allow, AnchorCase, Rule};
use crate::Detector;
use crate::rules::TABLES;
use crate::sample::{Dice, expand};

/// How many different samples each template gives.
const SEEDS: u64 = 12;

fn rules() -> impl Iterator<Item = &'static Rule> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// A sample with some text of a file around it, so that nothing depends on where it stands.
fn texts(template: &str, salt: u64) -> impl Iterator<Item = String> {
    (0..SEEDS).map(move |seed| {
        let mut dice = Dice::new(seed * 1_000_003 + salt);
        let sample = expand(template, &mut dice);
        format!("{}{sample}\n// end\n", " \n".repeat(dice.below(3)))
    })
}

/// Collects every complaint, so that one run shows them all.
fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn every_rule_finds_each_of_its_samples_once() {
    let mut complaints = Vec::new();
    for rule in rules() {
        if rule.samples.is_empty() {
            complaints.push(format!("{}: no samples", rule.id));
        }
        let path = rule.paths.first().copied().unwrap_or("src/file.txt");
        for (index, template) in rule.samples.iter().enumerate() {
            for text in texts(template, index as u64) {
                let found = Detector::shared().provider_claims(&text, path);
                let count = found.iter().filter(|claim| claim.rule == rule.id).count();
                // A mask that takes what stands behind the value takes its quote too.
                let is_wide = found.iter().any(|claim| text[claim.range.clone()].ends_with(['\n', ' ']));
                if count != 1 || is_wide {
                    complaints.push(format!("{}: {count} found in {text:?}, {found:?}", rule.id));
                    break;
                }
            }
        }
    }
    report(complaints);
}

#[test]
fn every_rule_leaves_its_misses_alone() {
    let mut complaints = Vec::new();
    for rule in rules() {
        if rule.misses.is_empty() {
            complaints.push(format!("{}: no misses", rule.id));
        }
        let path = rule.paths.first().copied().unwrap_or("src/file.txt");
        for (index, template) in rule.misses.iter().enumerate() {
            for text in texts(template, index as u64) {
                let found = Detector::shared().provider_claims(&text, path);
                if found.iter().any(|claim| claim.rule == rule.id) {
                    complaints.push(format!("{}: found in {text:?}", rule.id));
                    break;
                }
            }
        }
    }
    report(complaints);
}

#[test]
fn a_token_behind_an_escape_is_found() {
    for lead in [r"a\n", r"a\r", r"a\t", r"a\u0022", "a%3D", "a "] {
        for template in ["AKIA{base32:16}", "npm_{alnum:30}{crc32_base62:6}", "{jwt}", "{hex:32}-us7"] {
            // A JSON escape of a code point is looked for in front of anchors that begin the token only.
            if lead.ends_with("0022") && template.starts_with("{hex") {
                continue;
            }
            let token = expand(template, &mut Dice::new(3));
            let text = format!("{lead}{token}\\n");
            let found = Detector::shared().provider_claims(&text, "src/file.txt");
            assert!(
                found.iter().any(|claim| claim.range == (lead.len()..lead.len() + token.len())),
                "{text}"
            );
        }
    }
    let glued = expand("an{jwt}", &mut Dice::new(3));
    assert!(Detector::shared().provider_claims(&glued, "src/file.txt").is_empty());
}

#[test]
fn rules_are_well_formed() {
    let mut complaints = Vec::new();
    let mut ids = HashSet::new();
    for rule in rules() {
        let mut say = |text: String| complaints.push(format!("{}: {text}", rule.id));
        if !ids.insert(rule.id) {
            say("the id stands twice".to_owned());
        }
        let kebab = rule.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if !kebab
            || rule.id.is_empty()
            || rule.id.len() > 64
            || rule.id.starts_with('-')
            || rule.id.ends_with('-')
        {
            say("the id is no kebab case".to_owned());
        }
        if rule.title.is_empty() || rule.title.ends_with('.') {
            say("the title is empty or ends in a full stop".to_owned());
        }
        if rule.anchors.is_empty() || rule.anchors.iter().any(|anchor| anchor.len() < 3 || !anchor.is_ascii())
        {
            say("anchors have three ASCII bytes at least".to_owned());
        }
        let lower = |text: &str| !text.bytes().any(|b| b.is_ascii_uppercase());
        if rule.anchor_case == AnchorCase::Insensitive && !rule.anchors.iter().all(|anchor| lower(anchor)) {
            say("anchors without case are written in lower case".to_owned());
        }
        if !rule.context.iter().chain(rule.paths).all(|word| lower(word) && !word.is_empty()) {
            say("context words and paths are written in lower case".to_owned());
        }
        let regex = crate::secrets::compile(rule.pattern);
        if regex.is_match(b"") || rule.group >= regex.group_info().group_len(regex_automata::PatternID::ZERO)
        {
            say("the pattern matches nothing at all, or lacks the group".to_owned());
        }
        for allow in rule.allow {
            match allow {
                Allow::Regex(pattern) => drop(crate::secrets::compile(pattern)),
                Allow::Word(word) | Allow::Is(word) | Allow::Line(word)
                    if !lower(word) || word.is_empty() =>
                {
                    say("allowed words are written in lower case".to_owned());
                }
                _ => {}
            }
        }
        for template in rule.samples {
            let text = texts(template, 0).next().unwrap_or_default();
            let holds = |anchor: &&str| match rule.anchor_case {
                AnchorCase::Sensitive => text.contains(*anchor),
                AnchorCase::Insensitive => text.to_ascii_lowercase().contains(*anchor),
            };
            if !rule.anchors.iter().any(holds) {
                say(format!("no anchor stands in {text:?}"));
            }
        }
    }
    report(complaints);
}

#[test]
fn samples_are_the_same_for_the_same_seed() {
    let sample = |seed| expand("{alnum:20} {uuid} {jwt} {pick:a|b}", &mut Dice::new(seed));
    assert_eq!(sample(1), sample(1));
    assert_ne!(sample(1), sample(2));
}

#[test]
fn templates_expand_as_written() {
    let text = expand("{{\"k\": \"{digit:3}{lower:2-2}\"} {b64of:<upper:3>!} {any:xy:4}", &mut Dice::new(5));
    let (head, rest) = text.split_at(15);
    assert!(head.starts_with("{\"k\": \"") && head.ends_with("\"}") || head.contains("\"}"), "{text}");
    assert!(rest.trim_end().ends_with(['x', 'y']), "{text}");
    assert_eq!(crate::sample::base64(b"foobar", true), "Zm9vYmFy");
    assert_eq!(crate::sample::base64(b"fooba", true), "Zm9vYmE=");
    assert_eq!(crate::sample::base64(b"foob", false), "Zm9vYg");
}
