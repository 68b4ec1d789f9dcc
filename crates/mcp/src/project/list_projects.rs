//! `list_projects` on the wire. It does not know how a root is pinned.

use fault::Failure;
use serde_json::{Map, Value, json};

use super::shared::reading;
use super::{ProjectService, ProjectSurface};
use crate::args::Arguments;
use crate::catalog::{Tool, Turn, closed_object};
use crate::reply::Reply;

pub(super) const NAME: &str = "list_projects";

pub(super) fn tool() -> Tool {
    Tool {
        name: NAME,
        title: "List projects",
        description: "Lists the project roots that this server may read, each with its path (pass it as `project`), \
                      name and type, and which roots have a saved local profile. Remote projects are addressed by \
                      URL and are not listed. Call this first.",
        input: closed_object(Vec::new(), &[]),
        output: Some(output()),
        hints: reading(false),
        meta: None,
        turn: Turn::Beside,
        progress: false,
    }
}

fn output() -> Map<String, Value> {
    let text = || json!({"type": "string"});
    let kind = json!({"type": "string", "enum": ["git-repository", "local-folder"]});
    let project =
        closed_object(vec![("path", text()), ("name", text()), ("type", kind)], &["path", "name", "type"]);
    let profile = closed_object(vec![("project", text()), ("name", text())], &["project", "name"]);
    let list = |item: Map<String, Value>| json!({"type": "array", "items": item});
    closed_object(vec![("projects", list(project)), ("profiles", list(profile))], &["projects", "profiles"])
}

pub(super) fn run<S: ProjectService>(
    surface: &ProjectSurface<S>,
    arguments: Map<String, Value>,
) -> Result<Reply, Failure> {
    Arguments::new(arguments, &[])?;
    let entries = surface.service().list_projects()?;
    let kind = |is_git: bool| if is_git { "git-repository" } else { "local-folder" };
    let projects: Vec<Value> = entries
        .iter()
        .map(|entry| json!({"path": entry.path.to_string_lossy(), "name": entry.name, "type": kind(entry.is_git)}))
        .collect();
    let profiles: Vec<Value> = entries
        .iter()
        .filter(|entry| entry.has_local_profile)
        .map(|entry| json!({"project": entry.path.to_string_lossy(), "name": "local"}))
        .collect();
    Ok(Reply::structured(json!({"projects": projects, "profiles": profiles}), &[]))
}
