//! `docforge_create_changeset` on the wire.

use ::propose::{ChangesetRequest, create_changeset};
use fault::DocsCode;
use serde_json::Value;

use super::call::Call;
use super::changesets::{at_desk, check_access, version_result};
use super::envelope::Answer;
use super::fault::{DocEnd, DocFault};
use super::schema::{About, PROPOSING, map, text, text_argument, tool as make};
use crate::args::{ArgTrouble, Arguments};
use crate::catalog::{Tool, closed_object};

pub(super) const NAME: &str = "docforge_create_changeset";

const TITLE_CHARS_MAX: usize = 200;
const REASON_CHARS_MAX: usize = 4_000;
const KEY_CHARS: (usize, usize) = (8, 64);

fn properties() -> Vec<(&'static str, Value)> {
    let mut key = text_argument(
        "idempotency_key",
        KEY_CHARS.1,
        "Key of yours, 8 to 64 characters: the same key and arguments give the same changeset again.",
    );
    key.1["minLength"] = KEY_CHARS.0.into();
    vec![
        text_argument(
            "title",
            TITLE_CHARS_MAX,
            "What the changeset does, for the person who decides. Up to 200 characters.",
        ),
        text_argument("reason", REASON_CHARS_MAX, "Why. Up to 4,000 characters."),
        key,
    ]
}

pub(super) fn tool() -> Tool {
    make(
        About {
            name: NAME,
            title: "Create a changeset",
            description: "Begins an empty changeset, version 0, that proposals are added to. It changes no document; only a person \
                          can apply, reject or withdraw it. Needs a server that was started with a writer.",
            hints: PROPOSING,
        },
        properties(),
        &["title"],
        closed_object(
            vec![("changeset_id", text()), version_result(), ("base", map())],
            &["changeset_id", "version", "base"],
        ),
    )
}

pub(super) fn run(call: &mut Call<'_>) -> Result<Answer, DocEnd> {
    check_access(call)?;
    let arguments = call.arguments(&properties())?;
    let title = arguments.required_word("title")?;
    Arguments::at_most("title", &title, TITLE_CHARS_MAX, ArgTrouble::Pattern)?;
    let reason = arguments.text_or_empty("reason")?;
    if let Some(reason) = &reason {
        Arguments::at_most("reason", reason, REASON_CHARS_MAX, ArgTrouble::Pattern)?;
    }
    let idempotency_key = arguments.filled_text("idempotency_key")?;
    if let Some(key) = &idempotency_key {
        Arguments::at_most("idempotency_key", key, KEY_CHARS.1, ArgTrouble::Pattern)?;
        if key.chars().count() < KEY_CHARS.0 {
            let text = "'idempotency_key' must have 8 to 64 characters.";
            return Err(DocFault::new(DocsCode::InvalidArguments, text).into());
        }
    }
    let snapshot = call.snapshot_to_change()?;
    let request = ChangesetRequest { title, reason, idempotency_key };
    let (header, version) = at_desk(call, &snapshot, |desk| {
        let header = create_changeset(desk, &request)?;
        // A changeset that was made earlier with the same key may have gone on since.
        let version = desk.store().read(&header.id)?.log.version();
        Ok((header, version))
    })?;
    Ok(Answer::of(serde_json::json!({
        "changeset_id": header.id.as_str(),
        "version": version,
        "base": header.base.to_json(),
    })))
}
