//! A compiled pattern: the automata that scan whole texts and single lines. It does not know the clock.

use regex_automata::MatchKind;
use regex_automata::hybrid::dfa::{Config as DfaConfig, DFA};
use regex_automata::nfa::thompson::{Compiler, Config as NfaConfig, NFA, backtrack::BoundedBacktracker};
use regex_automata::util::prefilter::Prefilter;
use regex_syntax::hir::Hir;
use regex_syntax::{ParserBuilder, ast};

use crate::line_bound::{bind_to_lines, bind_to_text, with_ascii_boundaries};

/// Bytes of the compiled automaton of one pattern.
const NFA_BYTES_MAX: usize = 10 * 1024 * 1024;
/// Bytes of the lazily built states of one scanning thread.
const STATES_BYTES_MAX: usize = 4 * 1024 * 1024;
/// How often the states may be thrown away before speed is looked at.
const STATES_CLEARED_MIN: usize = 3;
/// Scanned bytes per built state below which the scan gives up.
const BYTES_PER_STATE_MIN: usize = 10;
/// Nested groups of a pattern.
const NEST_MAX: u32 = 200;

/// Why a pattern cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.reason())]
pub enum PatternFault {
    /// It is not valid syntax.
    Syntax {
        /// Where the problem starts, in Unicode scalars from 0.
        at_char: usize,
    },
    /// It uses look-around, which does not run in linear time.
    LookAround,
    /// It uses back-references, which do not run in linear time.
    BackReference,
    /// Its automaton would be larger than this engine allows.
    TooLarge,
}

impl PatternFault {
    /// What is wrong and what to write instead, in words of ours.
    pub const fn reason(self) -> &'static str {
        match self {
            PatternFault::Syntax { .. } => "it is not a valid regular expression",
            PatternFault::LookAround => {
                "look-around is not supported; match the surrounding text as well, or use two searches"
            }
            PatternFault::BackReference => "back-references are not supported; spell the repeated text out",
            PatternFault::TooLarge => {
                "it is too large once compiled; use smaller repetition counts or fewer alternatives"
            }
        }
    }
}

/// A pattern, ready to scan texts on any thread.
#[derive(Debug)]
pub struct Pattern {
    /// Over many lines at once; quits at non-ASCII text when `boundary` is set.
    pub(crate) scanner: DFA,
    /// Over one line as a text of its own; quits likewise.
    pub(crate) judge: DFA,
    /// For lines on which the judge quits.
    pub(crate) boundary: Option<Boundary>,
}

/// What stands in for the scanner where a Unicode word boundary meets non-ASCII text.
#[derive(Debug)]
pub(crate) struct Boundary {
    /// Exact, for lines of bounded length.
    pub(crate) exact: BoundedBacktracker,
    /// With ASCII word boundaries, for lines longer than that.
    pub(crate) ascii: DFA,
}

impl Pattern {
    /// Compiles `pattern` in the dialect of the `regex` family: linear time, Unicode, no look-around and no
    /// back-references. Each line is its own text: `^`, `$`, `\A` and `\z` hold at its ends.
    ///
    /// # Errors
    /// [`PatternFault`] says what is wrong; none of its forms repeats the pattern.
    pub fn compile(pattern: &str, ignore_case: bool) -> Result<Pattern, PatternFault> {
        let parsed = ParserBuilder::new()
            .case_insensitive(ignore_case)
            .nest_limit(NEST_MAX)
            .build()
            .parse(pattern)
            .map_err(|error| syntax_fault(pattern, &error))?;
        let has_boundary = parsed.properties().look_set().contains_word_unicode();
        let hir = bind_to_lines(parsed);
        let scanner = automaton(&hir)?;
        let hir = bind_to_text(hir);
        let judge = automaton(&hir)?;
        let boundary = if has_boundary {
            let exact = BoundedBacktracker::builder()
                .build_from_nfa(nfa(&hir)?)
                .map_err(|_| PatternFault::TooLarge)?;
            Some(Boundary { exact, ascii: automaton(&with_ascii_boundaries(hir))? })
        } else {
            None
        };
        Ok(Pattern { scanner, judge, boundary })
    }
}

fn nfa(hir: &Hir) -> Result<NFA, PatternFault> {
    Compiler::new()
        .configure(
            NfaConfig::new()
                .nfa_size_limit(Some(NFA_BYTES_MAX))
                .which_captures(regex_automata::nfa::thompson::WhichCaptures::None),
        )
        .build_from_hir(hir)
        .map_err(|_| PatternFault::TooLarge)
}

fn automaton(hir: &Hir) -> Result<DFA, PatternFault> {
    let prefilter = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir);
    DFA::builder()
        .configure(
            DfaConfig::new()
                .specialize_start_states(prefilter.is_some())
                .prefilter(prefilter)
                .unicode_word_boundary(true)
                .cache_capacity(STATES_BYTES_MAX)
                .skip_cache_capacity_check(true)
                .minimum_cache_clear_count(Some(STATES_CLEARED_MIN))
                .minimum_bytes_per_state(Some(BYTES_PER_STATE_MIN)),
        )
        .build_from_nfa(nfa(hir)?)
        .map_err(|_| PatternFault::TooLarge)
}

fn syntax_fault(pattern: &str, error: &regex_syntax::Error) -> PatternFault {
    let offset = match error {
        regex_syntax::Error::Parse(error) => {
            match error.kind() {
                ast::ErrorKind::UnsupportedLookAround => return PatternFault::LookAround,
                ast::ErrorKind::UnsupportedBackreference => return PatternFault::BackReference,
                _ => {}
            }
            error.span().start.offset
        }
        regex_syntax::Error::Translate(error) => error.span().start.offset,
        _ => 0,
    };
    let before = pattern.get(..offset).unwrap_or_default();
    PatternFault::Syntax { at_char: before.chars().count() }
}
