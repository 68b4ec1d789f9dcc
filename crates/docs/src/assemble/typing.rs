//! From the text of values to the types of the contract (spec C2, C4). It looks at one node at a time.

use super::{Draft, Findings, about};
use crate::contract::{BodyRule, FieldDef, FieldType, TypeDef, UnknownFields};
use crate::diagnose::{Check, Diagnostic, Severity};
use crate::literal;
use crate::model::Field;
use crate::tree::{Scalar, Tree, TreeKind};
use crate::value::Value;

/// Whether the node is small enough to be served.
pub(super) fn is_within_limits(draft: &mut Draft<'_>, findings: &mut Findings<'_>) -> bool {
    let limits = findings.contract.limits;
    let node = &draft.node;
    if node.body.len() > limits.max_body_bytes {
        let message =
            format!("the body has {} bytes; at most {} are served", node.body.len(), limits.max_body_bytes);
        findings.add(about(Check::LimitExceeded, node, message).fix("split the node, or exclude its file"));
        return false;
    }
    if node.title.chars().count() > limits.max_title_chars {
        let message = format!("the title has more than {} characters", limits.max_title_chars);
        findings.add(about(Check::LimitExceeded, node, message).fix("shorten the title"));
    }
    if draft.parsed.fields.len() > limits.max_fields_per_node {
        let message = format!("the node has more than {} fields", limits.max_fields_per_node);
        findings.add(about(Check::LimitExceeded, node, message));
    }
    if draft.parsed.links.len() > limits.max_relations_per_node {
        let message = format!("the node states more than {} relations", limits.max_relations_per_node);
        findings.add(about(Check::LimitExceeded, node, message));
        return false;
    }
    for (_, tree) in &draft.parsed.fields {
        if size(tree) > limits.max_field_bytes {
            let message = format!("a value has more than {} bytes", limits.max_field_bytes);
            let finding = Diagnostic::new(Check::LimitExceeded, tree.span.place(&node.path), message);
            findings.add(finding.about(node.id.clone()).fix("move the text into the body"));
            return false;
        }
    }
    true
}

fn size(tree: &Tree) -> usize {
    match &tree.kind {
        TreeKind::Scalar(scalar) => scalar.text.len(),
        TreeKind::Sequence(items) => items.iter().map(size).sum(),
        TreeKind::Mapping(entries) => entries.iter().map(|(key, _, value)| key.len() + size(value)).sum(),
    }
}

/// Gives the node its typed fields, and says what is wrong with them and with its body.
pub(super) fn fields(draft: &mut Draft<'_>, findings: &mut Findings<'_>) {
    let contract = findings.contract;
    let Some(kind) = contract.type_def(&draft.node.type_name) else { return };
    let mut fields = Vec::with_capacity(draft.parsed.fields.len());
    for (name, tree) in &draft.parsed.fields {
        match kind.field(name) {
            Some(def) => {
                if let Some(value) = typed(def, tree, draft, findings) {
                    fields.push(Field { name: name.clone(), value, is_hashed: def.hash });
                }
            }
            None => fields.extend(undeclared(kind, name, tree, draft, findings)),
        }
    }
    for def in kind.fields.iter().filter(|def| def.required) {
        if !draft.parsed.fields.iter().any(|(name, tree)| *name == def.name && !tree.is_absent()) {
            let message = format!("the field `{}` is required for `{}`", def.name, kind.name);
            let fix = match def.values.as_slice() {
                [] => format!("add a line `{}: …`", def.name),
                values => format!("add a line `{}: {}`", def.name, values.join(" | ")),
            };
            findings.add(about(Check::FieldRequired, &draft.node, message).fix(fix));
        }
    }
    fields.sort_by(|left, right| left.name.cmp(&right.name));
    draft.node.fields = fields;
    match kind.body {
        BodyRule::Required if draft.node.body.is_empty() => {
            let message = format!("a `{}` needs a body", kind.name);
            let fix = "write what it says below its keys";
            findings.add(about(Check::BodyRequired, &draft.node, message).fix(fix));
        }
        BodyRule::Forbidden if !draft.node.body.is_empty() => {
            let message = format!("a `{}` has no body", kind.name);
            let place = draft.node.body_span.place(&draft.node.path);
            let finding = Diagnostic::new(Check::BodyForbidden, place, message).about(draft.node.id.clone());
            findings.add(finding.fix("take the text out, or put it into a field"));
        }
        _ => {}
    }
}

/// A key that the type does not declare: a text when it is kept, else a finding.
fn undeclared(
    kind: &TypeDef,
    name: &str,
    tree: &Tree,
    draft: &Draft<'_>,
    findings: &mut Findings<'_>,
) -> Option<Field> {
    let severity = match kind.unknown_fields {
        UnknownFields::Keep => {
            let value = match &tree.kind {
                TreeKind::Scalar(scalar) => Value::Text(scalar.text.clone()),
                _ => Value::Json(untyped(tree)),
            };
            return Some(Field { name: name.to_owned(), value, is_hashed: true });
        }
        UnknownFields::Warn => Some(Severity::Warn),
        UnknownFields::Error => None,
    };
    let contract = findings.contract;
    let known = kind
        .fields
        .iter()
        .map(|field| field.name.as_str())
        .chain(contract.relations.iter().map(|relation| relation.name.as_str()));
    let message = format!("a key is no field of `{}`, no relation and not reserved", kind.name);
    let mut finding = Diagnostic::new(Check::UnknownField, tree.span.place(&draft.node.path), message)
        .about(draft.node.id.clone())
        .with_doc(name.to_owned());
    finding = finding.fix(match crate::near::near(name, known, 1).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("declare it below [types.{}.fields], or set `unknown_fields` of the type", kind.name),
    });
    match severity {
        Some(severity) => findings.add_at(severity, finding),
        None => findings.add(finding),
    }
    None
}

fn typed(def: &FieldDef, tree: &Tree, draft: &Draft<'_>, findings: &mut Findings<'_>) -> Option<Value> {
    if tree.is_absent() {
        return None;
    }
    if !def.list {
        return single(def, tree, draft, findings);
    }
    let items = match &tree.kind {
        TreeKind::Sequence(items) => items.as_slice(),
        _ => std::slice::from_ref(tree),
    };
    let mut values = Vec::with_capacity(items.len());
    for item in items {
        values.push(single(def, item, draft, findings)?);
    }
    let bounds = def.min_items.unwrap_or(0)..=def.max_items.unwrap_or(usize::MAX);
    if !bounds.contains(&values.len()) {
        let fix = format!("list {} items", range(def.min_items, def.max_items));
        wrong(Check::FieldRange, def, tree, draft, findings, "has too few or too many items", Some(fix));
    }
    if def.unique {
        let count = values.len();
        values.sort_by_key(|value| crate::canon::canonical(&value.to_json()));
        values.dedup();
        if values.len() < count {
            let fix = Some("list each item once".to_owned());
            wrong(Check::FieldRange, def, tree, draft, findings, "holds an item twice", fix);
        }
    }
    Some(Value::List(values))
}

fn single(def: &FieldDef, tree: &Tree, draft: &Draft<'_>, findings: &mut Findings<'_>) -> Option<Value> {
    let scalar = match &tree.kind {
        TreeKind::Scalar(scalar) => Some(scalar),
        _ => None,
    };
    let text = scalar.map(|scalar| scalar.text.as_str());
    let value = match (def.kind, text) {
        (FieldType::Map, None) if matches!(tree.kind, TreeKind::Mapping(_)) => {
            Some(Value::Json(untyped(tree)))
        }
        (FieldType::Map, _) => None,
        (FieldType::Json, _) => Some(Value::Json(untyped(tree))),
        (_, None) => None,
        (FieldType::String, Some(text)) => (!text.contains('\n')).then(|| Value::Text(text.to_owned())),
        (FieldType::Text | FieldType::Enum, Some(text)) => Some(Value::Text(text.to_owned())),
        (FieldType::Url, Some(text)) => is_url(text).then(|| Value::Text(text.to_owned())),
        (FieldType::Integer, Some(text)) => literal::integer(text).map(Value::Integer),
        (FieldType::Number, Some(text)) => literal::number(text).map(Value::Number),
        (FieldType::Boolean, Some(text)) => match text {
            "true" => Some(Value::Boolean(true)),
            "false" => Some(Value::Boolean(false)),
            _ => None,
        },
        (FieldType::Date, Some(text)) => literal::date(text).map(Value::Date),
        (FieldType::DateTime, Some(text)) => literal::date_time(text).map(Value::DateTime),
    };
    let Some(value) = value else {
        let says = format!("must be {}", noun(def.kind));
        let fix = match &tree.kind {
            TreeKind::Sequence(_) if !def.list => {
                "write one value, or set `list = true` of the field in the manifest".to_owned()
            }
            _ => example(def.kind).to_owned(),
        };
        wrong(Check::FieldTypeWrong, def, tree, draft, findings, &says, Some(fix));
        return None;
    };
    bounds(def, &value, tree, draft, findings);
    Some(value)
}

fn bounds(def: &FieldDef, value: &Value, tree: &Tree, draft: &Draft<'_>, findings: &mut Findings<'_>) {
    if let Value::Text(text) = value {
        if def.kind == FieldType::Enum && !def.values.contains(text) {
            let near = crate::near::near(text, def.values.iter().map(String::as_str), 1);
            let fix = match near.first() {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("write one of {}", def.values.join(", ")),
            };
            wrong(
                Check::EnumValue,
                def,
                tree,
                draft,
                findings,
                "is not one of the declared values",
                Some(fix),
            );
        }
        let length = text.chars().count();
        if !(def.min_length.unwrap_or(0)..=def.max_length.unwrap_or(usize::MAX)).contains(&length) {
            let fix = format!("write {} characters", range(def.min_length, def.max_length));
            wrong(Check::FieldRange, def, tree, draft, findings, "is too short or too long", Some(fix));
        }
        if let Some(pattern) = &def.pattern
            && !pattern.matches(text)
        {
            let fix = Some("write it as `pattern` of the field in the manifest says".to_owned());
            wrong(Check::FieldPattern, def, tree, draft, findings, "does not match its pattern", fix);
        }
    }
    let is_below = |bound: &str| is_less(value, bound).unwrap_or(false);
    let is_above = |bound: &str| is_greater(value, bound).unwrap_or(false);
    if def.min.as_deref().is_some_and(is_below) || def.max.as_deref().is_some_and(is_above) {
        let (min, max) = (def.min.as_deref().unwrap_or("…"), def.max.as_deref().unwrap_or("…"));
        let fix = format!("use a value between {min} and {max}");
        wrong(Check::FieldRange, def, tree, draft, findings, "is outside its bounds", Some(fix));
    }
}

fn is_less(value: &Value, bound: &str) -> Option<bool> {
    compare(value, bound).map(std::cmp::Ordering::is_lt)
}

fn is_greater(value: &Value, bound: &str) -> Option<bool> {
    compare(value, bound).map(std::cmp::Ordering::is_gt)
}

fn compare(value: &Value, bound: &str) -> Option<std::cmp::Ordering> {
    match value {
        Value::Integer(number) => {
            Some(literal::compare_numbers(&number.to_string(), &literal::number(bound)?))
        }
        Value::Number(number) => Some(literal::compare_numbers(number, &literal::number(bound)?)),
        Value::Date(day) => Some(day.as_str().cmp(bound)),
        _ => None,
    }
}

fn wrong(
    check: Check,
    def: &FieldDef,
    tree: &Tree,
    draft: &Draft<'_>,
    findings: &mut Findings<'_>,
    says: &str,
    fix: Option<String>,
) {
    let message = format!("the value of `{}` {says}", def.name);
    let mut finding =
        Diagnostic::new(check, tree.span.place(&draft.node.path), message).about(draft.node.id.clone());
    if let TreeKind::Scalar(scalar) = &tree.kind {
        finding = finding.with_doc(scalar.text.clone());
    }
    finding.fix = fix;
    findings.add(finding);
}

const fn noun(kind: FieldType) -> &'static str {
    match kind {
        FieldType::String => "text on one line",
        FieldType::Text | FieldType::Enum => "text",
        FieldType::Integer => "an integer",
        FieldType::Number => "a number",
        FieldType::Boolean => "`true` or `false`",
        FieldType::Date => "a day",
        FieldType::DateTime => "a point in time",
        FieldType::Url => "an address with its scheme",
        FieldType::Map => "a table",
        FieldType::Json => "a value",
    }
}

const fn example(kind: FieldType) -> &'static str {
    match kind {
        FieldType::String => "write one line",
        FieldType::Text | FieldType::Enum => "write text, in quotes when it looks like something else",
        FieldType::Integer => "write digits alone, such as `42`",
        FieldType::Number => "write it as `42` or `4.2`",
        FieldType::Boolean => "write `true` or `false`",
        FieldType::Date => "write it as `2025-01-30`",
        FieldType::DateTime => "write it as `2025-01-30T12:00:00Z`",
        FieldType::Url => "write it as `https://example.org/`",
        FieldType::Map => "write it as `{key: value}`",
        FieldType::Json => "write a value",
    }
}

/// How many there may be, for people.
fn range(min: Option<usize>, max: Option<usize>) -> String {
    match (min, max) {
        (Some(min), Some(max)) if min == max => format!("exactly {min}"),
        (min, Some(max)) => format!("{} to {max}", min.unwrap_or(0)),
        (min, None) => format!("at least {}", min.unwrap_or(0)),
    }
}

fn is_url(text: &str) -> bool {
    crate::adapter::has_scheme(text) && !text.contains(char::is_whitespace)
}

/// A value typed by the YAML core schema, as `map` and `json` fields hold it.
pub(super) fn untyped(tree: &Tree) -> serde_json::Value {
    match &tree.kind {
        TreeKind::Scalar(scalar) => untyped_scalar(scalar),
        TreeKind::Sequence(items) => serde_json::Value::Array(items.iter().map(untyped).collect()),
        TreeKind::Mapping(entries) => serde_json::Value::Object(
            entries.iter().map(|(key, _, value)| (key.clone(), untyped(value))).collect(),
        ),
    }
}

fn untyped_scalar(scalar: &Scalar) -> serde_json::Value {
    let text = scalar.text.as_str();
    if !scalar.is_plain {
        return serde_json::Value::String(text.to_owned());
    }
    if scalar.is_null() {
        return serde_json::Value::Null;
    }
    match text {
        "true" | "True" | "TRUE" => return serde_json::Value::Bool(true),
        "false" | "False" | "FALSE" => return serde_json::Value::Bool(false),
        _ => {}
    }
    if let Some(number) = literal::integer(text) {
        return serde_json::Value::from(number);
    }
    let looks_numeric = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    match text.parse::<f64>() {
        Ok(number) if looks_numeric && number.is_finite() => serde_json::Value::from(number),
        _ => serde_json::Value::String(text.to_owned()),
    }
}
