//! `read_pack` on the wire. It does not know where packs are kept.

use ::project::request::ReadPackRequest;
use fault::Failure;
use serde_json::{Map, Value, json};

use super::shared::{INTEGER_MAX, integer, long_results, names, reading};
use super::{ProjectService, ProjectSurface};
use crate::args::Arguments;
use crate::catalog::{CallContext, Tool, Turn, closed_object};
use crate::reply::{Reply, with_trailers};
use crate::spotlight;

pub(super) const NAME: &str = "read_pack";

pub(super) fn tool() -> Tool {
    Tool {
        name: NAME,
        title: "Read a stored pack",
        description: "Reads lines of a pack that pack_context stored, at most 1,000 lines or 50,000 characters a call. \
                      A notice at the end says where to continue. Ids are valid until this server ends; after a \
                      restart call pack_context again.",
        input: closed_object(properties(), &["pack_id"]),
        output: None,
        hints: reading(false),
        meta: long_results(),
        turn: Turn::Beside,
        progress: false,
    }
}

fn properties() -> Vec<(&'static str, Value)> {
    vec![
        ("pack_id", json!({"type": "string", "minLength": 1, "description": "Id from pack_context."})),
        ("start_line", integer(1, INTEGER_MAX, "First line, from 1. Default 1.")),
        ("end_line", integer(1, INTEGER_MAX, "Last line, inclusive, from 1. Default: one page.")),
    ]
}

fn read(arguments: Map<String, Value>) -> Result<ReadPackRequest, Failure> {
    let arguments = Arguments::new(arguments, &names(&properties()))?;
    Ok(ReadPackRequest {
        pack_id: arguments.required_word("pack_id")?,
        start_line: arguments.integer("start_line", 1, INTEGER_MAX)?,
        end_line: arguments.integer("end_line", 1, INTEGER_MAX)?,
    })
}

pub(super) fn run<S: ProjectService>(
    surface: &ProjectSurface<S>,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    let page = surface.service().read_pack(&read(arguments)?, context.watch)?;
    let text = with_trailers(spotlight::wrap(&page.text), &page.trailers);
    Ok(Reply::text(text).with_meta(long_results()))
}
