//! The tools of the docs server in their published order; the ones that read come first. Nothing ever adds to them.

use super::call::Call;
use super::envelope::Answer;
use super::fault::DocEnd;
use super::{
    backlinks, create_changeset, dependencies, filter_nodes, get_changeset, get_changeset_diff, get_context,
    get_contract, get_node, impact, list_changesets, project_info, propose_create, propose_delete,
    propose_move, propose_update, search, validate_changeset, validate_project, visualize,
};
use crate::catalog::Tool;

/// A tool and what it does.
pub(super) struct DocTool {
    pub(super) name: &'static str,
    pub(super) tool: fn() -> Tool,
    pub(super) run: fn(&mut Call<'_>) -> Result<Answer, DocEnd>,
}

macro_rules! tools {
    ($($name:ident),* $(,)?) => {
        &[$(DocTool { name: $name::NAME, tool: $name::tool, run: $name::run }),*]
    };
}

/// Those of the form that only reads.
pub(super) const READ: &[DocTool] = tools![
    project_info,
    get_contract,
    get_node,
    search,
    filter_nodes,
    backlinks,
    dependencies,
    impact,
    get_context,
    validate_project,
    visualize,
];

/// Those that are about changesets.
pub(super) const PROPOSE: &[DocTool] = tools![
    create_changeset,
    list_changesets,
    get_changeset,
    propose_create,
    propose_update,
    propose_move,
    propose_delete,
    validate_changeset,
    get_changeset_diff,
];
