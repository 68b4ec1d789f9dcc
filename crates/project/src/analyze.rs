//! `analyze`: how much a selection holds, and which files are the largest.

use content::Class;
use fault::{Failure, Outcome, Phase, Watch};
use redact::Numbering;
use select::Sizes;

use crate::answer::{Analysis, TopFile};
use crate::contents::Contents;
use crate::measure::{Measure, measure};
use crate::notices::{self, Consequence};
use crate::read::FileContent;
use crate::request::AnalyzeRequest;
use crate::session::Session;

impl Session {
    /// Measures the effective selection (contract, `analyze`): characters and tokens of the transformed, redacted
    /// bodies, summed over files. A file that cannot be inspected is estimated from its size and marked.
    ///
    /// # Errors
    /// The faults of a selection.
    pub fn analyze(&self, request: &AnalyzeRequest, watch: &dyn Watch) -> Result<Outcome<Analysis>, Failure> {
        let plan = self.plan(&request.target, &request.narrowing, watch)?;
        watch.step(Phase::Selecting, 0, 1);
        let choice = self.choose(&plan, request.profile.as_deref(), Sizes::All, watch)?;
        let wanted = request.detail.wanted().union(choice.profile.wanted);
        let contents = Contents::new(self, &plan.root, &choice.selection, wanted);
        let mut numbering = Numbering::new();
        let mut total = Measure::default();
        let mut uninspected = 0;
        let mut largest = Vec::new();
        contents.in_order(watch, |_, file, content| {
            let size_bytes = file.size_bytes.unwrap_or_default();
            let found = measure(&content, size_bytes, &mut numbering);
            total.add(found);
            let is_uninspected = matches!(&content, FileContent::Other(class) if class.is_uninspected());
            uninspected += u64::from(is_uninspected);
            if !matches!(content, FileContent::Other(Class::Binary)) {
                largest.push((found.tokens, file, is_uninspected));
            }
            Ok::<(), Failure>(())
        })?;
        watch.step(Phase::Analyzing, 0, 1);
        // Files come in ordinal order, so a stable sort leaves ties in it.
        largest.sort_by_key(|(tokens, _, _)| std::cmp::Reverse(*tokens));
        largest.truncate(request.top_files);
        let top_files = largest
            .into_iter()
            .map(|(tokens, file, uninspected)| TopFile {
                path: file.path.to_address().into_owned(),
                tokens,
                uninspected,
            })
            .collect();
        let mut notices: Vec<_> =
            notices::uninspected(uninspected, Consequence::MetricsEstimated).into_iter().collect();
        notices.extend(choice.notices);
        watch.step(Phase::Analyzing, 1, 1);
        let value = Analysis {
            files: choice.selection.files.len() as u64,
            characters: total.characters,
            tokens: total.tokens,
            detail: wanted.tier().into(),
            top_files,
            uninspected,
        };
        Ok(Outcome { value, notices })
    }
}
