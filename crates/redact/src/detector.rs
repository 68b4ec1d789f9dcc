//! One pass over a text: every tier, every view of the text, one list of findings. It reads no file and knows no surface;
//! what a tier looks for stands in that tier's file.

use std::sync::OnceLock;

use fault::Watch;

use crate::anchors::{Anchor, Anchors};
use crate::claims::{Claims, Rank};
use crate::effort::Effort;
use crate::finding::{Class, FileFacts, Finding, Policy, Uninspectable};
use crate::secrets::Provider;
use crate::structured::{connection, uri};
use crate::{echo, generic, invisible, pem, placeholder, private, structured};

/// How often the masked text is inspected again until nothing more is found in it.
const MAX_REHEARSALS: usize = 3;

/// Finds what must not be shown. Patterns are compiled when a text first needs them.
pub struct Detector {
    provider: Provider,
    pub(crate) anchors: Anchors,
    /// Owners from here on are those of [`BUILT_IN`].
    built_in: u16,
}

/// What the detector looks for besides the provider rules' anchors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seeks {
    Uri,
    Pem,
    ConnectionWord,
    /// A word of a telling name.
    Word,
    /// What stands in front of a credential without a name.
    Lead,
}

const BUILT_IN: &[(&str, bool, Seeks)] = &[
    (uri::ANCHOR, false, Seeks::Uri),
    (pem::BEGIN_ANCHOR, false, Seeks::Pem),
    ("password", true, Seeks::ConnectionWord),
    ("pwd", true, Seeks::ConnectionWord),
    ("pass", true, Seeks::Word),
    ("pwd", true, Seeks::Word),
    ("secret", true, Seeks::Word),
    ("token", true, Seeks::Word),
    ("key", true, Seeks::Word),
    ("cred", true, Seeks::Word),
    ("auth", true, Seeks::Word),
    ("bearer ", true, Seeks::Lead),
    ("basic ", true, Seeks::Lead),
    ("identified by ", true, Seeks::Lead),
];

/// What the tiers without patterns remember while a text is scanned.
struct Reader {
    place: generic::Place,
    /// Markers before this place belong to a key that was found.
    key_until: usize,
    /// Names before this place were read.
    name_until: usize,
    /// What stands around the password that was read last.
    reach: connection::Reach,
}

impl Detector {
    /// The one detector of the process, built on first use.
    pub fn shared() -> &'static Detector {
        static SHARED: OnceLock<Detector> = OnceLock::new();
        SHARED.get_or_init(Detector::new)
    }

    fn new() -> Detector {
        let provider = Provider::new();
        let built_in = u16::try_from(provider.len()).expect("there are fewer than 65,536 rules");
        let own = BUILT_IN.iter().zip(built_in..).map(|((text, fold, _), owner)| Anchor {
            bytes: text.as_bytes(),
            fold: *fold,
            token: false,
            owner,
        });
        let anchors = Anchors::new(provider.anchors().chain(own).collect());
        Detector { provider, anchors, built_in }
    }

    /// Everything in `text` that must not be shown: sorted, disjoint, ends at character boundaries. A text that was masked by
    /// these findings holds no more findings.
    ///
    /// # Errors
    /// [`Uninspectable`] when the text must be withheld.
    pub fn detect(
        &self,
        text: &str,
        facts: &FileFacts<'_>,
        policy: &Policy,
        watch: &dyn Watch,
    ) -> Result<Vec<Finding>, Uninspectable> {
        let mut effort = Effort::new(text.len(), watch);
        effort.ask()?;
        let mut claims = self.views(text, facts, policy, &mut effort)?;
        if claims.len() == 0 {
            return Ok(Vec::new());
        }
        echo::find(text, &mut claims, &mut effort)?;
        let mut findings = claims.settle(text, &placeholder::find_all(text))?;
        for _ in 0..MAX_REHEARSALS {
            let more = self.rehearse(text, facts, policy, &findings, &mut effort)?;
            if more.is_empty() {
                break;
            }
            findings.extend(more);
            findings.sort_by_key(|finding| finding.range.start);
            if findings.len() > crate::finding::MAX_FINDINGS {
                return Err(Uninspectable::TooManyFindings);
            }
        }
        Ok(findings)
    }

    /// All tiers over a text as it is, and as it reads without invisible characters.
    fn views(
        &self,
        text: &str,
        facts: &FileFacts<'_>,
        policy: &Policy,
        effort: &mut Effort<'_>,
    ) -> Result<Claims, Uninspectable> {
        let mut claims = Claims::default();
        self.view(text, facts, policy, &mut claims, effort)?;
        if let Some(stripped) = invisible::strip(text) {
            let mut seen = Claims::default();
            self.view(&stripped.text, facts, policy, &mut seen, effort)?;
            for claim in seen.as_slice() {
                claims.add(stripped.original(claim.range.clone()), claim.rule, claim.rank)?;
            }
        }
        Ok(claims)
    }

    /// All tiers over one view of a text.
    fn view(
        &self,
        text: &str,
        facts: &FileFacts<'_>,
        policy: &Policy,
        claims: &mut Claims,
        effort: &mut Effort<'_>,
    ) -> Result<(), Uninspectable> {
        structured::find(text, facts, claims, effort)?;
        let mut pass = self.provider.pass();
        let mut reader = Reader {
            place: generic::Place::of(facts.path),
            key_until: 0,
            name_until: 0,
            reach: connection::Reach::default(),
        };
        let mut outcome = Ok(());
        self.anchors.scan(text.as_bytes(), |anchor, at| {
            outcome = if anchor.owner < self.built_in {
                self.provider.hit(&mut pass, text, facts.path, anchor, at, claims, effort)
            } else {
                let seeks = BUILT_IN[usize::from(anchor.owner - self.built_in)].2;
                reader.hit(seeks, text, anchor, at, claims, effort)
            };
            outcome.is_ok()
        });
        outcome?;
        self.provider.finish(&mut pass, text, claims, effort)?;
        if policy.private_data {
            private::find(text, facts, claims, effort)?;
        }
        Ok(())
    }

    /// What would still be found in the text once `findings` are masked, as ranges of the text.
    fn rehearse(
        &self,
        text: &str,
        facts: &FileFacts<'_>,
        policy: &Policy,
        findings: &[Finding],
        effort: &mut Effort<'_>,
    ) -> Result<Vec<Finding>, Uninspectable> {
        let mut masked = String::with_capacity(text.len());
        // Starts of copied pieces, in the masked and in the original text, and their lengths.
        let mut pieces = Vec::with_capacity(findings.len() + 1);
        let mut at = 0;
        for finding in findings {
            pieces.push((masked.len(), at, finding.range.start - at));
            masked.push_str(&text[at..finding.range.start]);
            placeholder::write(finding.rule, 1, &mut masked);
            crate::numbering::push_line_ends(&text[finding.range.clone()], &mut masked);
            at = finding.range.end;
        }
        pieces.push((masked.len(), at, text.len() - at));
        masked.push_str(&text[at..]);

        let claims = self.views(&masked, facts, policy, effort)?;
        let more = claims.settle(&masked, &placeholder::find_all(&masked))?;
        let mut back = Vec::new();
        for finding in more {
            // A finding may reach over line ends that a mask left behind: only copied pieces count.
            let first = pieces.partition_point(|(start, _, length)| start + length <= finding.range.start);
            for &(start, original, length) in &pieces[first..] {
                let from = finding.range.start.max(start);
                let to = finding.range.end.min(start + length);
                if from < to {
                    let range = original + (from - start)..original + (to - start);
                    if text[range.clone()].chars().any(|c| !c.is_whitespace()) {
                        back.push(Finding { range, ..finding.clone() });
                    }
                }
                if start + length >= finding.range.end {
                    break;
                }
            }
        }
        Ok(back)
    }

    /// How many bytes of work a text costs beyond the scan itself.
    #[cfg(test)]
    pub(crate) fn effort_bytes(&self, text: &str, path: &str) -> u64 {
        let mut effort = Effort::new(text.len(), &fault::Unwatched);
        let facts = FileFacts { path, ..FileFacts::default() };
        // What is given up early is cheap too.
        let _given_up = self.view(text, &facts, &Policy::default(), &mut Claims::default(), &mut effort);
        effort.spent_bytes()
    }

    /// The claims of the provider rules alone.
    #[cfg(test)]
    pub(crate) fn provider_claims(&self, text: &str, path: &str) -> Vec<crate::claims::Claim> {
        let mut claims = Claims::default();
        let facts = FileFacts { path, ..FileFacts::default() };
        let mut effort = Effort::new(text.len(), &fault::Unwatched);
        self.view(text, &facts, &Policy::default(), &mut claims, &mut effort).expect("a sample is small");
        claims.as_slice().iter().filter(|claim| claim.rank == Rank::Provider).cloned().collect()
    }

    /// Provider formats, private keys and URLs only: what is a secret wherever it stands.
    pub(crate) fn certain(&self, text: &str) -> Vec<Finding> {
        let all = || vec![Finding { range: 0..text.len(), rule: pem::PRIVATE_KEY, class: Class::Secret }];
        let mut claims = Claims::default();
        let mut effort = Effort::new(text.len(), &fault::Unwatched);
        let facts = FileFacts::default();
        if self.view(text, &facts, &Policy::default(), &mut claims, &mut effort).is_err() {
            return all();
        }
        let mut kept = Claims::default();
        for claim in claims.as_slice() {
            let certain =
                claim.rank == Rank::Provider || claim.rule == uri::RULE || claim.rule == pem::PRIVATE_KEY;
            if certain && kept.add(claim.range.clone(), claim.rule, claim.rank).is_err() {
                return all();
            }
        }
        match kept.settle(text, &placeholder::find_all(text)) {
            Ok(findings) => findings,
            Err(_) => all(),
        }
    }
}

impl Reader {
    fn hit(
        &mut self,
        seeks: Seeks,
        text: &str,
        anchor: &Anchor,
        at: usize,
        claims: &mut Claims,
        effort: &mut Effort<'_>,
    ) -> Result<(), Uninspectable> {
        let end = at + anchor.bytes.len();
        match seeks {
            Seeks::Uri => {
                effort.spend(64)?;
                if let Some(range) = uri::password(text, at) {
                    claims.add(range, uri::RULE, Rank::Structured)?;
                }
            }
            Seeks::Pem if at >= self.key_until => {
                effort.spend(64)?;
                if let Some((range, until)) = pem::body(text, at) {
                    effort.spend(range.len())?;
                    self.key_until = until;
                    claims.add(range, pem::PRIVATE_KEY, Rank::Structured)?;
                }
            }
            Seeks::Pem => {}
            Seeks::ConnectionWord => {
                effort.spend(16)?;
                if let Some(range) = connection::password(text, at..end, &mut self.reach, effort)? {
                    effort.spend(256)?;
                    claims.add(range, connection::RULE, Rank::Structured)?;
                }
            }
            Seeks::Word => {
                effort.spend(16)?;
                if let Some((range, rule)) =
                    generic::assigned(text, at..end, self.place, &mut self.name_until)
                {
                    effort.spend(range.len())?;
                    claims.add(range, rule, Rank::Generic)?;
                }
            }
            Seeks::Lead => {
                effort.spend(16)?;
                let lead = std::str::from_utf8(anchor.bytes).unwrap_or_default();
                if let Some((range, rule)) = generic::led(text, lead, end, self.place) {
                    effort.spend(range.len())?;
                    claims.add(range, rule, Rank::Generic)?;
                }
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for Detector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Detector").field("rules", &self.provider.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod properties;
