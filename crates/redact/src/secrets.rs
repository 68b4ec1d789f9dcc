//! The provider tier: runs the rules of [`crate::rules`] where their anchors stand. It knows no particular rule.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, meta};

use crate::anchors::Anchor;
use crate::claims::{Claims, Rank};
use crate::effort::Effort;
use crate::entropy::shannon;
use crate::finding::Uninspectable;
use crate::rule::{Allow, AnchorCase, Rule};
use crate::rules::TABLES;

/// How far in front of a match its context word may stand.
const CONTEXT_BYTES: usize = 60;
/// The longest line that an allow entry looks at, to either side.
const LINE_BYTES: usize = 512;

/// A rule with its patterns, compiled when first needed.
struct Prepared {
    rule: &'static Rule,
    regex: OnceLock<meta::Regex>,
    allow: OnceLock<Vec<meta::Regex>>,
}

/// All provider rules.
pub(crate) struct Provider {
    rules: Vec<Prepared>,
}

/// A span of the text in which a rule still has to be tried; spans that touch are tried as one.
#[derive(Clone, Copy, Default)]
struct Span {
    start: usize,
    end: usize,
}

/// The state of one pass over one text.
pub(crate) struct Pass {
    /// By rule: the span that waits, and how far the rule has claimed.
    waiting: Vec<Span>,
    claimed: Vec<usize>,
    /// Rules that hold a waiting span.
    open: Vec<u16>,
}

impl Provider {
    pub(crate) fn new() -> Provider {
        let rules = TABLES.iter().flat_map(|table| table.iter());
        Provider {
            rules: rules
                .map(|rule| Prepared { rule, regex: OnceLock::new(), allow: OnceLock::new() })
                .collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rules.len()
    }

    /// The anchors of all rules; the owner is the rule's number.
    pub(crate) fn anchors(&self) -> impl Iterator<Item = Anchor> {
        self.rules.iter().enumerate().flat_map(|(index, prepared)| {
            let fold = prepared.rule.anchor_case == AnchorCase::Insensitive;
            let owner = u16::try_from(index).expect("there are fewer than 65,536 rules");
            prepared.rule.anchors.iter().map(move |text| Anchor {
                bytes: text.as_bytes(),
                fold,
                token: !fold,
                owner,
            })
        })
    }

    pub(crate) fn pass(&self) -> Pass {
        Pass { waiting: vec![Span::default(); self.len()], claimed: vec![0; self.len()], open: Vec::new() }
    }

    /// An anchor of rule `owner` stands at `at`.
    #[expect(clippy::too_many_arguments, reason = "one pass, one text and where the answer goes")]
    pub(crate) fn hit(
        &self,
        pass: &mut Pass,
        text: &str,
        path: &str,
        anchor: &Anchor,
        at: usize,
        claims: &mut Claims,
        effort: &mut Effort<'_>,
    ) -> Result<(), Uninspectable> {
        let index = usize::from(anchor.owner);
        let rule = self.rules[index].rule;
        if !rule.paths.is_empty() && !is_below(path, rule.paths) {
            return Ok(());
        }
        let end = (at + anchor.bytes.len() + usize::from(rule.after)).min(text.len());
        if rule.before == 0 {
            if at < pass.claimed[index] {
                return Ok(());
            }
            return self.search(index, pass, text, Span { start: at, end }, Anchored::Yes, claims, effort);
        }
        let start = at.saturating_sub(usize::from(rule.before));
        let waiting = pass.waiting[index];
        if waiting.end > 0 && start <= waiting.end {
            pass.waiting[index] = Span { start: waiting.start.min(start), end: waiting.end.max(end) };
            return Ok(());
        }
        pass.waiting[index] = Span { start, end };
        if waiting.end == 0 {
            pass.open.push(anchor.owner);
            return Ok(());
        }
        self.search(index, pass, text, waiting, Anchored::No, claims, effort)
    }

    /// Tries what still waits.
    pub(crate) fn finish(
        &self,
        pass: &mut Pass,
        text: &str,
        claims: &mut Claims,
        effort: &mut Effort<'_>,
    ) -> Result<(), Uninspectable> {
        for owner in std::mem::take(&mut pass.open) {
            let index = usize::from(owner);
            let span = std::mem::take(&mut pass.waiting[index]);
            self.search(index, pass, text, span, Anchored::No, claims, effort)?;
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "one pass, one text and where the answer goes")]
    fn search(
        &self,
        index: usize,
        pass: &mut Pass,
        text: &str,
        span: Span,
        anchored: Anchored,
        claims: &mut Claims,
        effort: &mut Effort<'_>,
    ) -> Result<(), Uninspectable> {
        let prepared = &self.rules[index];
        let rule = prepared.rule;
        let regex = prepared.regex.get_or_init(|| compile(rule.pattern));
        let mut at = span.start.max(pass.claimed[index]);
        effort.spend(span.end.saturating_sub(at).min(if anchored == Anchored::Yes {
            128
        } else {
            usize::MAX
        }))?;
        // Behind an escape, a word begins although a letter stands in front of it: the pattern is shown
        // a text that begins here.
        let base = if anchored == Anchored::Yes && ends_in_escape(&text.as_bytes()[..at]) { at } else { 0 };
        let shift = |range: Range<usize>| range.start + base..range.end + base;
        while at < span.end {
            let input =
                Input::new(&text.as_bytes()[base..]).range(at - base..span.end - base).anchored(anchored);
            let Some(found) = regex.search(&input) else { break };
            let whole = shift(found.range());
            let next = whole.end.max(at + 1);
            if let Some(value) = capture(regex, &input, found.range(), rule.group).map(shift)
                && prepared.confirms(text, whole.clone(), value.clone())
            {
                claims.add(value, rule.id, Rank::Provider)?;
                pass.claimed[index] = next;
            }
            if anchored == Anchored::Yes {
                break;
            }
            effort.spend(whole.len())?;
            at = next;
        }
        Ok(())
    }
}

/// Whether `text` ends in an escape of a string literal (`\n`, `\r`, `\t`, `\u0022`) or of a URL (`%3D`).
fn ends_in_escape(text: &[u8]) -> bool {
    match text {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., b'\\', b'u', a, b, c, d] => [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()),
        [.., b'%', high, low] => high.is_ascii_hexdigit() && low.is_ascii_hexdigit(),
        _ => false,
    }
}

/// The range of the group that is masked.
fn capture(
    regex: &meta::Regex,
    input: &Input<'_>,
    whole: Range<usize>,
    group: usize,
) -> Option<Range<usize>> {
    if group == 0 {
        return Some(whole);
    }
    let mut captures = regex.create_captures();
    let again = Input::new(input.haystack()).range(whole.start..input.end()).anchored(Anchored::Yes);
    regex.search_captures(&again, &mut captures);
    captures.get_group(group).map(|span| span.range()).filter(|range| !range.is_empty())
}

impl Prepared {
    /// The filters behind the pattern.
    fn confirms(&self, text: &str, whole: Range<usize>, value: Range<usize>) -> bool {
        let rule = self.rule;
        let bytes = text.as_bytes();
        let raw = &bytes[value.clone()];
        let value_text = String::from_utf8_lossy(raw);
        if rule.min_entropy > 0.0 && shannon(&value_text) <= rule.min_entropy {
            return false;
        }
        if !rule.context.is_empty() {
            let near = &bytes[whole.start.saturating_sub(CONTEXT_BYTES)..whole.end];
            if !rule.context.iter().any(|word| contains_folded(near, word.as_bytes())) {
                return false;
            }
        }
        if rule.check.is_some_and(|check| !check.holds(raw)) {
            return false;
        }
        let mut patterns = 0;
        !rule.allow.iter().any(|allow| match allow {
            Allow::Contains(part) => memchr::memmem::find(raw, part.as_bytes()).is_some(),
            Allow::Word(word) => contains_word(raw, word.as_bytes()),
            Allow::Is(whole) => raw.eq_ignore_ascii_case(whole.as_bytes()),
            Allow::Line(part) => contains_folded(line_around(bytes, whole.start), part.as_bytes()),
            Allow::Regex(_) => {
                patterns += 1;
                self.allow_patterns()[patterns - 1].is_match(raw)
            }
        })
    }

    fn allow_patterns(&self) -> &[meta::Regex] {
        self.allow.get_or_init(|| {
            let patterns = self.rule.allow.iter().filter_map(|allow| match allow {
                Allow::Regex(pattern) => Some(*pattern),
                _ => None,
            });
            patterns.map(compile).collect()
        })
    }
}

/// Compiles a pattern of ours: ASCII classes, bounded memory. No literal prefilter is built: the anchors are
/// one already, and building it takes most of the time.
///
/// # Panics
/// When the pattern is not valid: patterns are our own data, and a test compiles every one.
pub(crate) fn compile(pattern: &str) -> meta::Regex {
    let result = meta::Regex::builder()
        .configure(
            meta::Regex::config()
                .utf8_empty(false)
                .auto_prefilter(false)
                .hybrid_cache_capacity(512 << 10)
                .onepass_size_limit(Some(128 << 10)),
        )
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build(pattern);
    match result {
        Ok(regex) => regex,
        Err(fault) => panic!("a pattern of ours does not compile: {pattern}: {fault}"),
    }
}

fn is_below(path: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| {
        path.len() >= end.len()
            && path.as_bytes()[path.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
    })
}

/// Whether `text` holds `word` (lower case), whatever the case of the text.
pub(crate) fn contains_folded(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|piece| piece.eq_ignore_ascii_case(word))
}

fn contains_word(text: &[u8], word: &[u8]) -> bool {
    let free = |byte: Option<&u8>| !byte.is_some_and(u8::is_ascii_alphanumeric);
    (0..(text.len() + 1).saturating_sub(word.len())).any(|at| {
        text[at..at + word.len()].eq_ignore_ascii_case(word)
            && free(at.checked_sub(1).and_then(|i| text.get(i)))
            && free(text.get(at + word.len()))
    })
}

fn line_around(bytes: &[u8], at: usize) -> &[u8] {
    let low = at.saturating_sub(LINE_BYTES);
    let high = (at + LINE_BYTES).min(bytes.len());
    let start = memchr::memrchr(b'\n', &bytes[low..at]).map_or(low, |i| low + i + 1);
    let end = memchr::memchr(b'\n', &bytes[at..high]).map_or(high, |i| at + i);
    &bytes[start..end]
}
