//! One call of a docs tool: its arguments, the state of the project that it answers from, and its place in a list. It
//! knows no single tool.

use std::sync::Arc;

use ::docs::{
    Checked, Filter, FilterFault, FilterScope, Freshness, LookUp, NodeIx, Refresh, Snapshot, limits, near,
};
use fault::{DocsCode, Watch};
use serde_json::{Map, Value};

use super::cursor::Belonging;
use super::envelope::Known;
use super::fault::{DocEnd, DocFault};
use super::host::Host;
use super::page::{Ceiling, Page, fitting};
use super::shape;
use crate::args::{ArgTrouble, Arguments, ListBounds};

/// Findings that an error repeats.
const FINDINGS_SHOWN: usize = 20;
/// Bytes of an answer that are not its list.
const AROUND_BYTES: usize = 4 * 1024;
/// Characters of an id that is looked up.
const ID_CHARS_MAX: usize = 200;
/// Names that a list of types or relations holds.
const NAMES_MAX: usize = 100;
/// Characters of one of them.
const NAME_CHARS_MAX: usize = 64;

/// Names of arguments that nobody knows, and characters of each, that an error repeats.
const STRANGE_SHOWN: usize = 8;
const STRANGE_CHARS: usize = 80;

/// A call while it runs.
pub(super) struct Call<'c> {
    pub(super) host: &'c Host,
    pub(super) watch: &'c dyn Watch,
    pub(super) tool: &'static str,
    pub(super) ceiling: Ceiling,
    /// As they came.
    pub(super) raw: Map<String, Value>,
    pub(super) known: Known,
}

/// What a list is made of.
pub(super) struct List<'l> {
    /// How many items there are.
    pub(super) total: usize,
    /// Most items of this page.
    pub(super) limit: usize,
    /// The cursor that was given.
    pub(super) cursor: Option<String>,
    /// What the list was taken of.
    pub(super) state: &'l str,
}

impl<'c> Call<'c> {
    pub(super) fn new(
        host: &'c Host,
        watch: &'c dyn Watch,
        tool: &'static str,
        raw: Map<String, Value>,
        ceiling: Ceiling,
    ) -> Call<'c> {
        Call { host, watch, tool, ceiling, raw, known: Known::Nothing }
    }

    /// The arguments, all of known names.
    pub(super) fn arguments(&self, properties: &[(&'static str, Value)]) -> Result<Arguments, DocEnd> {
        // A name that is no name is a text of the caller's like any other.
        let strange = self.raw.keys().filter(|name| !is_name(name));
        let strange: Vec<String> = strange.take(STRANGE_SHOWN).map(|name| shortened(name)).collect();
        if !strange.is_empty() {
            let text = "A name of an argument is not made of lower-case letters and `_`; take those of the tool's schema.";
            return Err(DocFault::new(DocsCode::InvalidArguments, text).with_doc("names", strange).into());
        }
        let names: Vec<&'static str> = properties.iter().map(|(name, _)| *name).collect();
        Ok(Arguments::new(self.raw.clone(), &names)?)
    }

    /// Looks at the files.
    pub(super) fn look(&mut self, checked: Checked) -> Result<Refresh, DocEnd> {
        let refresh = self.host.refresh(checked, self.watch)?;
        self.known = Known::Looked(Box::new(refresh.clone()));
        Ok(refresh)
    }

    /// The state to answer from.
    pub(super) fn snapshot(&mut self) -> Result<Arc<Snapshot>, DocEnd> {
        self.snapshot_by(Checked::Stat)
    }

    /// The same after a look of the given closeness.
    pub(super) fn snapshot_by(&mut self, checked: Checked) -> Result<Arc<Snapshot>, DocEnd> {
        let refresh = self.look(checked)?;
        refresh.snapshot.clone().ok_or_else(|| unloadable(&refresh).into())
    }

    /// The state to propose a change of: only one that is known to be what lies on the disk.
    pub(super) fn snapshot_to_change(&mut self) -> Result<Arc<Snapshot>, DocEnd> {
        let refresh = self.look(Checked::Stat)?;
        let snapshot = refresh.snapshot.clone().ok_or_else(|| unloadable(&refresh))?;
        let code = match refresh.freshness {
            Freshness::Fresh => return Ok(snapshot),
            Freshness::StaleContract => DocsCode::ContractChanged,
            Freshness::StaleSources | Freshness::Unverified | Freshness::Unavailable => {
                DocsCode::SnapshotStale
            }
        };
        Err(DocFault::of(code).with("changed", refresh.changed).into())
    }

    /// `limit`: out of bounds is an error, never moved into them.
    pub(super) fn limit(&self, arguments: &Arguments, max: usize, default: usize) -> Result<usize, DocEnd> {
        let most = if self.ceiling == Ceiling::None { usize::MAX } else { max };
        let default = if self.ceiling == Ceiling::None { most } else { default };
        let given = arguments.integer("limit", 1, i64::try_from(most).unwrap_or(i64::MAX).unsigned_abs())?;
        Ok(given.map_or(default, |limit| usize::try_from(limit).unwrap_or(usize::MAX)))
    }

    /// One page of a list whose items stand in a fixed order.
    pub(super) fn page<T>(
        &self,
        list: List<'_>,
        items: impl Iterator<Item = T>,
        shape: impl FnMut(T) -> Value,
    ) -> Result<(Vec<Value>, Page), DocEnd> {
        self.page_beside(0, list, items, shape)
    }

    /// The same beside other things that take `around` bytes.
    pub(super) fn page_beside<T>(
        &self,
        around: usize,
        list: List<'_>,
        items: impl Iterator<Item = T>,
        shape: impl FnMut(T) -> Value,
    ) -> Result<(Vec<Value>, Page), DocEnd> {
        let start: usize = match self.position(list.cursor.as_deref(), list.state)? {
            None => 0,
            Some(position) => position.parse().map_err(|_| DocFault::of(DocsCode::CursorInvalid))?,
        };
        let bytes = self.bytes_aim().saturating_sub(around);
        let shown = fitting(items.skip(start), list.limit, bytes, shape);
        let end = start + shown.len();
        let next_cursor =
            (end < list.total && !shown.is_empty()).then(|| self.cursor_at(list.state, &end.to_string()));
        let page = Page { limit: list.limit, returned: shown.len(), total: list.total, next_cursor };
        Ok((shown, page))
    }

    /// Where a list goes on that finds its place by itself; nothing without a cursor.
    pub(super) fn position(&self, cursor: Option<&str>, state: &str) -> Result<Option<String>, DocEnd> {
        let belonging = Belonging { tool: self.tool, arguments: &self.raw, state };
        Ok(cursor.map(|cursor| self.host.keys.read(&belonging, cursor)).transpose()?)
    }

    /// A cursor for such a list.
    pub(super) fn cursor_at(&self, state: &str, position: &str) -> String {
        let belonging = Belonging { tool: self.tool, arguments: &self.raw, state };
        self.host.keys.make(&belonging, position)
    }

    /// As many of the items as fit into `bytes`, and how many there are.
    pub(super) fn capped<T>(
        &self,
        items: &[T],
        bytes: usize,
        shape: impl FnMut(&T) -> Value,
    ) -> (Vec<Value>, usize) {
        let bytes = if self.ceiling == Ceiling::None { usize::MAX } else { bytes };
        (fitting(items.iter(), usize::MAX, bytes, shape), items.len())
    }

    /// Bytes that a list may take.
    pub(super) fn bytes_aim(&self) -> usize {
        match self.ceiling {
            Ceiling::Wire => limits::ANSWER_BYTES_AIM - AROUND_BYTES,
            Ceiling::None => usize::MAX,
        }
    }
}

/// Whether an argument could have this name.
fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

/// A text of the caller's that an error repeats below `doc`.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(STRANGE_CHARS).collect()
}

/// Nothing can be served: why.
fn unloadable(refresh: &Refresh) -> DocFault {
    let shown: Vec<Value> = refresh.problems.iter().take(FINDINGS_SHOWN).map(shape::diagnostic).collect();
    DocFault::of(DocsCode::ProjectUnloadable)
        .with("diagnostics", shown)
        .with("diagnostics_total", refresh.problems.len())
}

/// A required id.
pub(super) fn id_argument(arguments: &Arguments, name: &'static str) -> Result<String, DocEnd> {
    let id = arguments.required_word(name)?;
    Arguments::at_most(name, &id, ID_CHARS_MAX, ArgTrouble::Pattern)?;
    Ok(id)
}

/// An id, when it is given.
pub(super) fn optional_id(arguments: &Arguments, name: &'static str) -> Result<Option<String>, DocEnd> {
    arguments.filled_text(name)?.map(|_| id_argument(arguments, name)).transpose()
}

/// An integer within bounds, or what it is without a word about it.
pub(super) fn number(
    arguments: &Arguments,
    name: &'static str,
    (min, max): (usize, usize),
    default: usize,
) -> Result<usize, DocEnd> {
    let given = arguments.integer(name, min as u64, max as u64)?;
    Ok(given.map_or(default, |number| usize::try_from(number).unwrap_or(max)))
}

/// A node, and whether an old id led to it.
pub(super) fn node(snapshot: &Snapshot, id: &str) -> Result<(NodeIx, bool), DocFault> {
    match snapshot.look_up(id) {
        LookUp::Found(ix) => Ok((ix, false)),
        LookUp::ByAlias(ix) => Ok((ix, true)),
        LookUp::Ambiguous(paths) => Err(DocFault::of(DocsCode::NodeAmbiguous).with("paths", paths.to_vec())),
        LookUp::Missing => {
            let ids = snapshot.nodes().iter().map(|node| node.id.as_str());
            Err(DocFault::of(DocsCode::NodeNotFound).with("near", near(id, ids, 5)))
        }
    }
}

/// A list of names, each a word.
pub(super) fn names(arguments: &Arguments, name: &'static str) -> Result<Vec<String>, DocEnd> {
    strings(arguments, name, NAMES_MAX, NAME_CHARS_MAX)
}

/// A list of ids.
pub(super) fn ids(
    arguments: &Arguments,
    name: &'static str,
    items_max: usize,
) -> Result<Vec<String>, DocEnd> {
    strings(arguments, name, items_max, ID_CHARS_MAX)
}

fn strings(
    arguments: &Arguments,
    name: &'static str,
    items_max: usize,
    item_chars_max: usize,
) -> Result<Vec<String>, DocEnd> {
    let bounds = ListBounds {
        items_max,
        item_chars_max,
        trouble: ArgTrouble::Invalid,
        rules: "",
        may_be_blank: false,
    };
    Ok(arguments.list(name, bounds)?)
}

/// Relations by their place in the contract; nothing when none is named.
pub(super) fn relations(snapshot: &Snapshot, wanted: &[String]) -> Result<Option<Vec<u32>>, DocFault> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let declared = &snapshot.contract().relations;
    let place = |name: &String| {
        let at = declared.iter().position(|one| one.name == *name);
        at.and_then(|at| u32::try_from(at).ok()).ok_or_else(|| {
            let known = declared.iter().map(|one| one.name.as_str());
            DocFault::of(DocsCode::RelationUnknown).with("near", near(name, known, 3))
        })
    };
    wanted.iter().map(place).collect::<Result<Vec<_>, _>>().map(Some)
}

/// Whether every type is declared.
pub(super) fn check_types(snapshot: &Snapshot, wanted: &[String]) -> Result<(), DocFault> {
    let declared = &snapshot.contract().types;
    match wanted.iter().find(|name| !declared.iter().any(|one| one.name == **name)) {
        None => Ok(()),
        Some(name) => {
            let known = declared.iter().map(|one| one.name.as_str());
            Err(DocFault::of(DocsCode::TypeUnknown).with("near", near(name, known, 3)))
        }
    }
}

/// A filter, checked against the contract.
pub(super) fn filter(snapshot: &Snapshot, text: &str) -> Result<Filter, DocFault> {
    Filter::parse(text, &FilterScope::of(snapshot.contract())).map_err(|fault| filter_fault(&fault))
}

fn filter_fault(fault: &FilterFault) -> DocFault {
    let code = DocsCode::parse(fault.code.as_str()).unwrap_or(DocsCode::FilterSyntax);
    let out = DocFault::new(code, fault.to_string()).with("position", fault.position);
    match code {
        _ if fault.near.is_empty() => out,
        // What was perhaps meant is a choice, and the manifest words those freely.
        DocsCode::FilterTypeError => out.with_doc("near", fault.near.clone()),
        _ => out.with("near", fault.near.clone()),
    }
}

/// A filter that visits too many edges.
pub(super) fn too_complex() -> DocFault {
    DocFault::of(DocsCode::FilterTooComplex)
}

/// `where`, when it is given.
pub(super) fn filter_argument(arguments: &Arguments, name: &'static str) -> Result<Option<String>, DocEnd> {
    let text = arguments.filled_text(name)?;
    if let Some(text) = &text {
        Arguments::at_most(name, text, limits::FILTER_CHARS_MAX, ArgTrouble::Pattern)?;
    }
    Ok(text)
}
