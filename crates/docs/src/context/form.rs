//! How much of a node is shown, and what that costs. It chooses nothing.

use serde_json::{Map, Value, json};

use crate::contract::{Contract, FieldType};
use crate::model::Node;

/// The name of the estimate: ASCII characters by four, rounded up, and every other character as one.
pub const ESTIMATOR: &str = "chars4@1";
/// Characters of the first paragraph that a summary shows.
const PARAGRAPH_CHARS: usize = 400;

/// How much of a node is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Title, fields and body.
    Full,
    /// Title, fields and the first paragraph.
    Summary,
    /// Title and the fields that hold one declared choice.
    Card,
    /// The id alone.
    Name,
}

impl Form {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Form::Full => "F0",
            Form::Summary => "F1",
            Form::Card => "F2",
            Form::Name => "F3",
        }
    }
}

/// A node in one form.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) form: Form,
    pub(super) doc: Map<String, Value>,
    pub(super) tokens: usize,
}

/// What a text costs by [`ESTIMATOR`].
pub fn cost(text: &str) -> usize {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    let others = text.chars().filter(|c| !c.is_ascii()).count();
    ascii.div_ceil(4) + others
}

/// What a node costs with this free text: id, type, path and the text, as compact JSON.
fn item_cost(node: &Node, doc: &Map<String, Value>) -> usize {
    cost(&json!({ "id": node.id, "type": node.type_name, "path": node.path, "doc": doc }).to_string())
}

/// A node in a form, whole.
pub(super) fn shown(contract: &Contract, node: &Node, form: Form) -> Shown {
    let mut doc = Map::new();
    if form != Form::Name {
        doc.insert("title".to_owned(), node.title.as_str().into());
    }
    match form {
        Form::Full => {
            doc.insert("fields".to_owned(), fields(contract, node, false));
            doc.insert("body".to_owned(), node.body.as_str().into());
        }
        Form::Summary => {
            doc.insert("fields".to_owned(), fields(contract, node, false));
            doc.insert("excerpt".to_owned(), paragraph(&node.body).into());
        }
        Form::Card => drop(doc.insert("fields".to_owned(), fields(contract, node, true))),
        Form::Name => {}
    }
    Shown { form, tokens: item_cost(node, &doc), doc }
}

/// As much of a node as fits into `most` tokens: whole, or its body cut at the end of a character with `body_next` where
/// it goes on, or a smaller form. Nothing when not even a card fits.
pub(super) fn shown_within(contract: &Contract, node: &Node, most: usize) -> Option<Shown> {
    let full = shown(contract, node, Form::Full);
    if full.tokens <= most {
        return Some(full);
    }
    let mut doc = full.doc;
    let with_body = |doc: &mut Map<String, Value>, end: usize| {
        doc.insert("body".to_owned(), node.body[..end].into());
        doc.insert("body_total".to_owned(), node.body.len().into());
        doc.insert("body_next".to_owned(), end.into());
    };
    // Counted with the longest number that can stand for the place.
    with_body(&mut doc, node.body.len());
    doc.insert("body".to_owned(), "".into());
    let around = json!({ "id": node.id, "type": node.type_name, "path": node.path, "doc": doc }).to_string();
    let mut ascii = around.bytes().filter(u8::is_ascii).count();
    let mut others = around.chars().filter(|c| !c.is_ascii()).count();
    let mut end = 0;
    for (at, letter) in node.body.char_indices() {
        match letter {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => ascii += 2,
            letter if letter < ' ' => ascii += 6,
            letter if letter.is_ascii() => ascii += 1,
            _ => others += 1,
        }
        if ascii.div_ceil(4) + others > most {
            break;
        }
        end = at + letter.len_utf8();
    }
    if end > 0 {
        with_body(&mut doc, end);
        let tokens = item_cost(node, &doc);
        if tokens <= most {
            return Some(Shown { form: Form::Full, doc, tokens });
        }
    }
    [Form::Summary, Form::Card]
        .into_iter()
        .map(|form| shown(contract, node, form))
        .find(|shown| shown.tokens <= most)
}

/// The fields as JSON; for a card only those that hold one declared choice.
fn fields(contract: &Contract, node: &Node, is_card: bool) -> Value {
    let declared = contract.type_def(&node.type_name);
    let is_choice = |name: &str| {
        let field = declared.and_then(|one| one.field(name));
        field.is_some_and(|field| field.kind == FieldType::Enum && !field.list)
    };
    let shown = node.fields.iter().filter(|field| !is_card || is_choice(&field.name));
    Value::Object(shown.map(|field| (field.name.clone(), field.value.to_json())).collect())
}

/// The first paragraph of a body that is no heading, cut at [`PARAGRAPH_CHARS`].
fn paragraph(body: &str) -> String {
    let mut blocks = body.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    let first = blocks.clone().find(|block| !block.starts_with('#')).or_else(|| blocks.next());
    let first = first.unwrap_or_default();
    match first.char_indices().nth(PARAGRAPH_CHARS) {
        Some((at, _)) => format!("{}…", &first[..at]),
        None => first.to_owned(),
    }
}
