//! `context_search` on the wire. It does not know how lines are matched.

use ::evidence::limits::{TERM_CHARS_MAX, TERMS_MAX};
use ::evidence::{document, terms_fault};
use fault::Failure;
use serde_json::{Map, Value, json};

use super::EvidenceService;
use super::shared::{reading, refused};
use crate::args::{ArgTrouble, Arguments, ListBounds};
use crate::catalog::{CallContext, Tool, closed_object};
use crate::reply::Reply;

pub(super) const NAME: &str = "context_search";

pub(super) fn tool() -> Tool {
    reading(
        NAME,
        "Search for evidence",
        "Finds lines that hold literal, case-sensitive terms (no regex) and returns up to 40 hits with path, line and \
         a snippet of at most 500 UTF-16 units. A line scores the number of distinct terms in it; order: score, path, \
         line. Check `incomplete` and `reasons`: only an empty `hits` with `incomplete: false` proves absence within \
         the eligible files. `clipped` marks a snippet that is not the whole line; confirm with read_range. JSON.",
        closed_object(
            vec![(
                "terms",
                json!({
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": TERM_CHARS_MAX},
                    "minItems": 1,
                    "maxItems": TERMS_MAX,
                    "description": "Literal fragments or identifiers, 1-12, each 1-128 characters, no line breaks.",
                }),
            )],
            &["terms"],
        ),
    )
}

pub(super) fn run(
    service: &impl EvidenceService,
    arguments: Map<String, Value>,
    context: &CallContext<'_>,
) -> Result<Reply, Failure> {
    let arguments = Arguments::new(arguments, &["terms"]).map_err(refused)?;
    let bounds = ListBounds {
        items_max: TERMS_MAX,
        item_chars_max: TERM_CHARS_MAX,
        trouble: ArgTrouble::Invalid,
        rules: "",
        may_be_blank: true,
    };
    let terms = arguments.list("terms", bounds).map_err(refused)?;
    if terms.is_empty() {
        return Err(terms_fault().into());
    }
    Ok(Reply::text(document::search(&service.search(&terms, context.watch)?)))
}
