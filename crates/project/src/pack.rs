//! `pack_context`: one document with the tree and the content of a selection, inline or stored; and `read_pack`.

use std::io;

use content::Class;
use disk::{Item, StoreFault};
use fault::{Code, Failure, Fault, Outcome, Phase, Text, Unwatched, Watch};
use redact::{Detector, FileFacts, Numbering, Tripwire};
use reduce::Wanted;
use select::{SelectedFile, Sizes};

use crate::answer::{PackAnswer, PackSummary, Payload};
use crate::budget::Budget;
use crate::choose::{Choice, Plan};
use crate::contents::Contents;
use crate::document::tree::Tree;
use crate::document::{Metrics, PackEnd, PackFile, PackHead, PackWriter, tree_document};
use crate::fingerprint::Fingerprint;
use crate::measure::{Measure, measure};
use crate::notices::{self, Consequence};
use crate::page::{self, LineRange, PageFault};
use crate::place::Place;
use crate::read::FileContent;
use crate::request::{PackFormat, PackRequest, ReadPackRequest, TreeFormat, View};
use crate::session::Session;
use crate::sink::{CountedSink, LineIndex, Settled, Sink};
use crate::tree::tree_of;
use crate::{cut, limits};

/// Why no pack was written.
#[derive(Debug, thiserror::Error)]
pub enum PackFailure {
    /// The caller gets a fault, or nobody waits.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// The document could not be written.
    #[error("the document could not be written")]
    Write(#[from] io::Error),
}

impl From<Fault> for PackFailure {
    fn from(fault: Fault) -> Self {
        PackFailure::Failure(fault.into())
    }
}

/// What is known once a document is written.
struct Written {
    root: String,
    files: u64,
    total: Measure,
    budget: Option<Budget>,
    uninspected: u64,
    redactions: Vec<(&'static str, usize)>,
    tripwire: Tripwire,
}

/// A document in the session's store.
#[derive(Clone, Debug)]
pub(crate) struct StoredPack {
    /// Where its lines begin.
    index: LineIndex,
    /// What was masked in it.
    tripwire: Tripwire,
}

impl Session {
    /// Packs a selection (contract, `pack_context`). The answer is inline when the document and its budget report
    /// fit into one page, else it is streamed into the session's store.
    ///
    /// # Errors
    /// The faults of a selection, and `PACK-TOO-LARGE` at the quotas of the store.
    pub fn pack(&self, request: &PackRequest, watch: &dyn Watch) -> Result<Outcome<PackAnswer>, Failure> {
        let plan = self.plan(&request.target, &request.narrowing, watch)?;
        watch.step(Phase::Selecting, 0, 1);
        let choice = self.choose(&plan, request.profile.as_deref(), Sizes::All, watch)?;
        let tree = tree_of(&choice.selection);
        let page_chars = self.page_limits().max_chars;
        let mut sink = CountedSink::new(page_chars as u64, || self.new_item());
        let written = self.write_pack(request, &plan, &choice, &tree, &mut sink, watch);
        let written = match written {
            Ok(written) => written,
            Err(PackFailure::Failure(failure)) => return Err(failure),
            Err(PackFailure::Write(error)) => return Err(store_failure(error.into())),
        };
        let report = written.budget.as_ref().map(Budget::report);
        let report_chars = report.as_ref().map_or(0, |report| report.chars().count() as u64);
        let (settled, index) = sink.settle(report_chars).map_err(|error| store_failure(error.into()))?;
        watch.check()?;
        let uninspected = written.uninspected;
        let value = match settled {
            Settled::Inline(document) => {
                let document = self.sealed(&written.tripwire, document);
                PackAnswer::Inline { document, report, uninspected }
            }
            Settled::Spilled(item) => {
                let id = item.keep().map_err(store_failure)?.to_string();
                let (preview, is_preview_cut) = preview(&tree, &written.root, page_chars)?;
                let (report, is_report_cut) = report_share(report, page_chars);
                let answer = PackAnswer::Stored {
                    id: id.clone(),
                    characters: index.chars(),
                    lines: index.lines(),
                    preview,
                    is_preview_cut,
                    report,
                    is_report_cut,
                    uninspected,
                };
                self.packs().insert(id, StoredPack { index, tripwire: written.tripwire });
                answer
            }
        };
        watch.step(Phase::Writing, 1, 1);
        Ok(Outcome { value, notices: all_notices(uninspected, choice) })
    }

    /// Writes the same document to `out`, however long it is: the command line's way.
    ///
    /// # Errors
    /// [`PackFailure`]; what was written until then is worthless.
    pub fn pack_to(
        &self,
        request: &PackRequest,
        out: &mut dyn io::Write,
        watch: &dyn Watch,
    ) -> Result<Outcome<PackSummary>, PackFailure> {
        let plan = self.plan(&request.target, &request.narrowing, watch)?;
        watch.step(Phase::Selecting, 0, 1);
        let choice = self.choose(&plan, request.profile.as_deref(), Sizes::All, watch)?;
        let tree = tree_of(&choice.selection);
        let written = self.write_pack(request, &plan, &choice, &tree, &mut WriteSink(out), watch)?;
        out.flush()?;
        let value = PackSummary {
            files: written.files,
            characters: written.total.characters,
            tokens: written.total.tokens,
            uninspected: written.uninspected,
            redactions: written.redactions,
            report: written.budget.as_ref().map(Budget::report),
        };
        Ok(Outcome { notices: all_notices(written.uninspected, choice), value })
    }

    /// Reads a page of a stored pack (contract, `read_pack`).
    ///
    /// # Errors
    /// `PACK-EXPIRED` for an id that this session does not hold any more, `INVALID-RANGE`.
    pub fn read_pack(&self, request: &ReadPackRequest, watch: &dyn Watch) -> Result<Payload, Failure> {
        watch.check()?;
        let StoredPack { index, tripwire } =
            self.packs().get(&request.pack_id).cloned().ok_or_else(expired)?;
        let mut item = self.store()?.open_item(&request.pack_id).map_err(|_| expired())?;
        let range = LineRange { start_line: request.start_line, end_line: request.end_line };
        let page =
            page::of_stored(&mut item, &index, range, self.page_limits()).map_err(|fault| match fault {
                PageFault::Range(fault) => fault,
                PageFault::Unreadable(_) => expired(),
            })?;
        Ok(Payload { text: self.sealed(&tripwire, page.text), trailers: page.trailers })
    }

    fn new_item(&self) -> io::Result<Item> {
        let store = self.store().map_err(|_| io::Error::other("the folder for packs cannot be used"))?;
        store.create().map_err(io::Error::from)
    }

    fn write_pack(
        &self,
        request: &PackRequest,
        plan: &Plan,
        choice: &Choice,
        tree: &Tree,
        sink: &mut dyn Sink,
        watch: &dyn Watch,
    ) -> Result<Written, PackFailure> {
        let selection = &choice.selection;
        let wanted = if request.view == View::Tree {
            Wanted::none()
        } else {
            request.detail.wanted().union(choice.profile.wanted)
        };
        let mut contents = Contents::new(self, &plan.root, selection, wanted);
        let mut numbering = Numbering::new();
        let root = self.shown_root(&plan.root, &mut numbering)?;
        let mut metrics = Metrics {
            files: selection.files.len() as u64,
            folders: tree.folders(),
            bytes: selection.files.iter().filter_map(|file| file.size_bytes).sum(),
            ..Metrics::default()
        };
        let says_metrics = matches!(request.format, PackFormat::Json | PackFormat::Xml);
        if request.view == View::Tree {
            // What is known to be no text without a look inside has no characters, as in the other views.
            let is_text =
                |file: &&SelectedFile| !file.path.extension().is_some_and(content::has_binary_extension);
            let sizes = selection.files.iter().filter(is_text).filter_map(|file| file.size_bytes);
            let measures = sizes.map(Measure::of_size);
            set_metrics(
                &mut metrics,
                measures.fold(Measure::default(), |mut sum, next| {
                    sum.add(next);
                    sum
                }),
            );
        } else if says_metrics {
            set_metrics(&mut metrics, measure_all(&mut contents, numbering.clone(), watch)?);
        }
        let name = match last_segment(&root) {
            Some(name) if self.policy.private_data => name.to_owned(),
            _ => plan.root.name(),
        };
        let head = PackHead {
            root: &root,
            name: &name,
            source: plan.root.source(),
            selection: &choice.echo,
            metrics,
            tree,
            view: request.view,
        };
        let mut writer = PackWriter::begin(request.format, &head, sink)?;
        let mut written = Written {
            root: root.clone(),
            files: 0,
            total: Measure::default(),
            budget: request.max_tokens.map(Budget::new),
            uninspected: 0,
            redactions: Vec::new(),
            tripwire: Tripwire::default(),
        };
        if request.view != View::Tree {
            contents.in_order(watch, |_, file, content| {
                written.file(&file.path.to_address(), content, &mut numbering, &mut writer, sink)
            })?;
        }
        watch.step(Phase::Writing, 0, 1);
        let end = PackEnd {
            budget: written.budget.as_ref(),
            diagnostics: &[],
            fingerprint: &fingerprint(&root, choice),
        };
        writer.end(&end, sink)?;
        written.redactions = numbering.counts();
        written.tripwire = numbering.tripwire().clone();
        Ok(written)
    }

    /// The root as a pack prints it: with private data hidden, its user segment is a placeholder.
    fn shown_root(&self, root: &Place, numbering: &mut Numbering) -> Result<String, Failure> {
        let shown = root.address();
        if !self.policy.private_data {
            return Ok(shown);
        }
        let findings = Detector::shared()
            .detect(&shown, &FileFacts::default(), &self.policy, &Unwatched)
            .map_err(|_| {
                Fault::new(Code::OperationFailed, Text::new("the project address could not be inspected"))
            })?;
        Ok(numbering.mask(&shown, &findings).into_text())
    }
}

impl Written {
    fn file(
        &mut self,
        path: &str,
        content: FileContent,
        numbering: &mut Numbering,
        writer: &mut PackWriter,
        sink: &mut dyn Sink,
    ) -> Result<(), PackFailure> {
        let prepared = match content {
            FileContent::Text(prepared) => prepared,
            FileContent::Other(class) => {
                self.uninspected += u64::from(class.is_uninspected());
                self.files += 1;
                if let Some(budget) = &mut self.budget {
                    budget.admit(path, 0);
                }
                return Ok(writer.file(&PackFile { path, class, body: None }, sink)?);
            }
        };
        if !prepared.fits(numbering) {
            return self.file(path, FileContent::Other(Class::TooLarge), numbering, writer, sink);
        }
        let Some(text) = prepared.clean_text() else {
            // A skipped file must not use up numbers, so they only count once it is admitted.
            let mut ahead = numbering.clone();
            let masked = prepared.mask(&mut ahead);
            if self.text(path, masked.text(), writer, sink)? {
                *numbering = ahead;
            }
            return Ok(());
        };
        self.text(path, text, writer, sink).map(|_| ())
    }

    fn text(
        &mut self,
        path: &str,
        text: &str,
        writer: &mut PackWriter,
        sink: &mut dyn Sink,
    ) -> Result<bool, PackFailure> {
        let found = Measure::of_text(text);
        let is_admitted = self.budget.as_mut().is_none_or(|budget| budget.admit(path, found.tokens));
        if is_admitted {
            self.files += 1;
            self.total.add(found);
            writer.file(&PackFile { path, class: Class::Text, body: Some(text) }, sink)?;
        }
        Ok(is_admitted)
    }
}

/// The metrics of a whole selection, before any budget. What fits is kept in memory for the writing that follows.
fn measure_all(
    contents: &mut Contents<'_>,
    mut numbering: Numbering,
    watch: &dyn Watch,
) -> Result<Measure, Failure> {
    let mut total = Measure::default();
    let mut kept = Vec::new();
    let mut kept_bytes = 0;
    contents.in_order(watch, |_, _, content| {
        if let FileContent::Text(_) = content {
            total.add(measure(&content, 0, &mut numbering));
        }
        kept.push(Contents::has_room(&mut kept_bytes, &content).then_some(content));
        Ok::<(), Failure>(())
    })?;
    contents.keep(kept);
    Ok(total)
}

fn set_metrics(metrics: &mut Metrics, measure: Measure) {
    metrics.characters = measure.characters;
    metrics.estimated_tokens = measure.tokens;
}

fn fingerprint(root: &str, choice: &Choice) -> String {
    let mut fingerprint = Fingerprint::new(root, &choice.echo);
    for folder in &choice.selection.folders {
        fingerprint.folder(&folder.to_address());
    }
    for file in &choice.selection.files {
        fingerprint.file(&file.path.to_address());
    }
    fingerprint.finish()
}

/// What stands for the project's name in an address whose user segment may be masked.
fn last_segment(address: &str) -> Option<&str> {
    address.rsplit('/').next().filter(|name| !name.is_empty())
}

/// A share of a stored response, scaled to the page size in force.
fn share(chars: usize, page_chars: usize) -> usize {
    chars * page_chars / limits::PAGE_CHARS_MAX
}

/// The text tree within its share, and whether it was cut.
fn preview(tree: &Tree, root: &str, page_chars: usize) -> Result<(String, bool), Fault> {
    // One line more than is shown, so that the cut is noticed and said.
    let document = tree_document(tree, root, TreeFormat::Text, None, limits::TREE_LINES_MAX + 1)?;
    let max_chars = share(limits::PREVIEW_CHARS_MAX, page_chars);
    let (kept, is_cut) = cut::share(&document.text, limits::TREE_LINES_MAX, max_chars);
    Ok((kept.to_owned(), is_cut))
}

/// The budget report within its share, and whether it was cut.
fn report_share(report: Option<String>, page_chars: usize) -> (Option<String>, bool) {
    let Some(mut report) = report else { return (None, false) };
    let (kept, is_cut) = cut::share(&report, usize::MAX, share(limits::REPORT_CHARS_MAX, page_chars));
    report.truncate(kept.len());
    (Some(report), is_cut)
}

fn all_notices(uninspected: u64, choice: Choice) -> Vec<fault::Notice> {
    let mut notices: Vec<_> =
        notices::uninspected(uninspected, Consequence::ContentWithheld).into_iter().collect();
    notices.extend(choice.notices);
    notices
}

fn expired() -> Fault {
    Fault::new(
        Code::PackExpired,
        Text::new(
            "this pack id is unknown in the current server process, or its file is gone; call pack_context again and use the new id",
        ),
    )
}

fn store_failure(fault: StoreFault) -> Failure {
    match fault {
        StoreFault::ItemQuota => too_large("the pack is larger than 200 MiB").into(),
        StoreFault::SessionQuota => too_large("all packs of this session together would exceed 1 GiB").into(),
        StoreFault::Closed => Failure::Cancelled,
        _ => Fault::new(
            Code::OperationFailed,
            Text::new(
                "the pack could not be stored; check the space left for temporary files and call again, or restart the server",
            ),
        )
        .into(),
    }
}

fn too_large(why: &'static str) -> Fault {
    Fault::new(
        Code::PackTooLarge,
        Text::new(why).and(
            "; narrow it with paths, include_patterns or exclude_patterns, use detail=compact or detail=signatures, \
             or set tracked_only",
        ),
    )
}

struct WriteSink<'o>(&'o mut dyn io::Write);

impl Sink for WriteSink<'_> {
    fn put(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests;
