//! `get_tree`: the effective tree in one of four formats.

use fault::{Failure, Outcome, Phase, Watch};
use select::{Selection, Sizes};

use crate::answer::Payload;
use crate::choose::Choice;
use crate::document::tree::Tree;
use crate::document::tree_document;
use crate::limits;
use crate::request::TreeRequest;
use crate::session::Session;

impl Session {
    /// Renders the effective tree (contract, `get_tree`). Nothing but folders and ignore files is read.
    ///
    /// # Errors
    /// The faults of a selection, and `DPX-MCP-PAYLOAD-TRUNCATED` for a JSON or XML tree over 2,000 lines.
    pub fn tree(&self, request: &TreeRequest, watch: &dyn Watch) -> Result<Outcome<Payload>, Failure> {
        let plan = self.plan(&request.target, &request.narrowing, watch)?;
        watch.step(Phase::Selecting, 0, 1);
        let choice = self.choose(&plan, None, Sizes::AsNeeded, watch)?;
        let tree = tree_of(&choice.selection);
        let document = tree_document(
            &tree,
            &plan.root.address(),
            request.format,
            request.max_depth,
            limits::TREE_LINES_MAX,
        )?;
        let Choice { notices, .. } = choice;
        Ok(Outcome {
            value: Payload { text: document.text, trailers: document.trailer.into_iter().collect() },
            notices,
        })
    }
}

/// The tree of a selection: its files, and the folders that are shown although they hold none.
pub(crate) fn tree_of(selection: &Selection) -> Tree {
    Tree::new(
        selection.files.iter().map(|file| file.path.to_address()),
        selection.folders.iter().map(|folder| folder.to_address()),
    )
}
