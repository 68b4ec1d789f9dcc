//! A view of the project as it would be, as one file in the folder of previews (spec C10.9). The page itself comes from a
//! renderer that is handed in.

use std::collections::BTreeMap;

use disk::{ConfinedFault, RelPath};
use docs::{Hash, Snapshot, ViewDef, limits::PAGE_BYTES_MAX};

use crate::case::{Case, Desk, RenderProblem};
use crate::check;
use crate::faults::{Problem, ProposeFault};
use crate::fold::Kind;
use crate::validate::{Verdict, judge};

/// What a page says of itself and of its nodes.
#[derive(Clone, Debug)]
pub struct PreviewNotes<'p> {
    /// The changeset.
    pub changeset: &'p str,
    /// Its version.
    pub version: u32,
    /// The revision that it stands on.
    pub revision: &'p str,
    /// What its validation came to.
    pub verdict: Verdict,
    /// Which nodes differ, and how.
    pub marks: BTreeMap<String, Mark>,
    /// The project as it is: where what was before can be read.
    pub before: &'p Snapshot,
}

/// How a node of a preview differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is new.
    Added,
    /// It says something else.
    Changed,
    /// It stands elsewhere.
    Moved,
    /// It is to go.
    Removed,
}

impl Mark {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mark::Added => "added",
            Mark::Changed => "changed",
            Mark::Moved => "moved",
            Mark::Removed => "removed",
        }
    }
}

/// Renders a view of a snapshot as a preview page.
pub type RenderPreview<'r> =
    dyn Fn(&Snapshot, &ViewDef, &PreviewNotes<'_>) -> Result<Vec<u8>, RenderProblem> + 'r;

/// A preview that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Where, project-relative.
    pub path: String,
    /// How many bytes.
    pub bytes: usize,
    /// Their hash.
    pub sha256: Hash,
    /// The view.
    pub view: String,
    /// How many nodes of the view differ.
    pub nodes_changed: usize,
    /// What the validation of the changeset came to.
    pub verdict: Verdict,
}

/// Writes a preview of a changeset through a declared view. No writer is needed.
///
/// # Errors
/// [`Problem::ViewNotFound`], [`Problem::OverlayUnloadable`], [`Problem::RenderLimitExceeded`],
/// [`Problem::RenderFailed`], [`Problem::PreviewRootUnavailable`].
pub fn preview(
    desk: &Desk<'_>,
    case: &Case,
    view_id: &str,
    render: &RenderPreview<'_>,
) -> Result<Preview, ProposeFault> {
    let view = desk.contract().view(view_id).ok_or_else(|| {
        let names = desk.contract().views.iter().map(|view| view.name.as_str());
        let near: Vec<String> = docs::near(view_id, names, 3).into_iter().map(str::to_owned).collect();
        ProposeFault::of(Problem::ViewNotFound).with("near", near)
    })?;
    let after = case.after()?;
    let validation = judge(desk, case)?;
    let marks = marks(desk, case, after);
    let nodes_changed = marks.len();
    let notes = PreviewNotes {
        changeset: case.stored.log.header.id.as_str(),
        version: case.stored.log.version(),
        revision: desk.snapshot.revision(),
        verdict: validation.verdict,
        marks,
        before: desk.snapshot,
    };
    let page = render(after, view, &notes).map_err(|problem| match problem {
        RenderProblem::TooLarge => ProposeFault::of(Problem::RenderLimitExceeded),
        RenderProblem::Failed => ProposeFault::of(Problem::RenderFailed),
    })?;
    if page.len() > PAGE_BYTES_MAX {
        return Err(ProposeFault::of(Problem::RenderLimitExceeded).with("limit", PAGE_BYTES_MAX));
    }
    let folder = desk.roots.make_previews().map_err(unavailable)?;
    let name = format!("{}--{}.html", case.stored.log.header.id, view.name);
    let path = RelPath::root().join(name.as_bytes());
    folder.write_over(&path, &page).map_err(unavailable)?;
    Ok(Preview {
        path: format!("{}/{name}", desk.roots.previews_path().as_str().unwrap_or_default()),
        bytes: page.len(),
        sha256: Hash::of(&[&page]),
        view: view.name.clone(),
        nodes_changed,
        verdict: validation.verdict,
    })
}

fn unavailable(fault: ConfinedFault) -> ProposeFault {
    match fault {
        ConfinedFault::Gone | ConfinedFault::NotFound => ProposeFault::of(Problem::PreviewRootUnavailable),
        other => ProposeFault::new(Problem::Io, format!("The preview could not be kept: {other}.")),
    }
}

fn marks(desk: &Desk<'_>, case: &Case, after: &Snapshot) -> BTreeMap<String, Mark> {
    let mut marks = BTreeMap::new();
    for (id, entry) in &case.entries {
        let (before, then) = (check::node(desk.snapshot, id), check::node(after, id));
        let mark = match (before, then) {
            (None, Some(_)) => Mark::Added,
            (Some(_), None) => Mark::Removed,
            (Some(before), Some(then)) if before.hash != then.hash => Mark::Changed,
            (Some(before), Some(then)) if before.path != then.path || entry.kind == Kind::Move => Mark::Moved,
            _ => continue,
        };
        marks.insert(id.clone(), mark);
    }
    marks
}
