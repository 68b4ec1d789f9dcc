//! `file_inventory` on the wire. It does not know how files are chosen.

use ::evidence::document;
use fault::Failure;
use serde_json::{Map, Value};

use super::EvidenceService;
use super::shared::{reading, refused};
use crate::args::Arguments;
use crate::catalog::{CallContext, Tool, closed_object};
use crate::reply::Reply;

pub(super) const NAME: &str = "file_inventory";

pub(super) fn tool() -> Tool {
    reading(
        NAME,
        "List eligible files",
        "Lists the files that may be searched and read, with their sizes, in the order of their paths. Use it only when \
         names are unknown. An eligible name is no promise that its content can be read. Check `incomplete` and \
         `reasons`. JSON.",
        closed_object(Vec::new(), &[]),
    )
}

pub(super) fn run(
    service: &impl EvidenceService,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    Arguments::new(arguments, &[]).map_err(refused)?;
    Ok(Reply::text(document::inventory(&service.inventory(context.watch)?)))
}
