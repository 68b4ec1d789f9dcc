//! Values as Doorstop puts them into its stamps: printed by Python, with the names of Python's types (spec C5). Plain
//! scalars follow YAML 1.1, as its reader does.

use std::fmt::Write as _;

use crate::tree::{Scalar, Tree, TreeKind};

/// Keys of a reference in the order in which that tool keeps them; it drops all others.
const REFERENCE_KEYS: [&str; 4] = ["type", "path", "keyword", "sha"];

/// The list of references as Python prints it.
pub(super) fn references(tree: &Tree) -> String {
    let TreeKind::Sequence(items) = &tree.kind else { return String::new() };
    let one = |item: &Tree| {
        let entries = REFERENCE_KEYS.iter().filter_map(|key| {
            let value = item.get(key)?;
            let value = match value.as_text() {
                Some(path) if *key == "path" => quoted(path.trim()),
                _ => printed(value),
            };
            Some(format!("'{key}': {value}"))
        });
        format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
    };
    format!("[{}]", items.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// A reviewed attribute: lists, mappings by sorted keys, and scalars with their type.
pub(super) fn converted(tree: &Tree) -> String {
    let mut out = String::new();
    convert(tree, &mut out);
    out
}

fn convert(tree: &Tree, out: &mut String) {
    match &tree.kind {
        TreeKind::Sequence(items) => {
            out.push_str("\\L");
            items.iter().for_each(|item| convert(item, out));
        }
        TreeKind::Mapping(entries) => {
            out.push_str("\\D");
            let mut entries: Vec<_> = entries.iter().map(|(key, _, value)| (key, value)).collect();
            entries.sort_by_key(|(key, _)| *key);
            entries.into_iter().for_each(|(_, value)| convert(value, out));
        }
        TreeKind::Scalar(scalar) => {
            let (name, text) = typed(scalar);
            out.push_str("\\T<class '");
            out.push_str(name);
            out.push_str("'>\\V");
            out.push_str(&text.replace('\\', "\\\\"));
        }
    }
}

fn printed(tree: &Tree) -> String {
    match &tree.kind {
        TreeKind::Sequence(items) => {
            format!("[{}]", items.iter().map(printed).collect::<Vec<_>>().join(", "))
        }
        TreeKind::Mapping(entries) => {
            let entries =
                entries.iter().map(|(key, _, value)| format!("{}: {}", quoted(key), printed(value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        TreeKind::Scalar(scalar) => match typed(scalar) {
            ("str", text) => quoted(&text),
            (_, text) => text,
        },
    }
}

/// The name of the Python type of a scalar, and the value as Python says it.
pub(super) fn typed(scalar: &Scalar) -> (&'static str, String) {
    let text = scalar.text.as_str();
    if !scalar.is_plain {
        return ("str", text.to_owned());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return ("NoneType", "None".to_owned()),
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => {
            return ("bool", "True".to_owned());
        }
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => {
            return ("bool", "False".to_owned());
        }
        _ => {}
    }
    if let Some(number) = integer(text) {
        return ("int", number);
    }
    if let Some(number) = float(text) {
        return ("float", number);
    }
    let name = if is_date(text) { "datetime.date" } else { "str" };
    (name, text.to_owned())
}

/// Decimal integers without leading zeros; other bases are rare in reviewed attributes and stay words.
fn integer(text: &str) -> Option<String> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.replace('_', "");
    let is_decimal = digits.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty() || !is_decimal || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    Some(if digits == "0" { digits } else { format!("{sign}{digits}") })
}

/// Floats of YAML 1.1: a point, and an exponent only with its sign.
fn float(text: &str) -> Option<String> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let unsigned = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
    let (whole, part) = unsigned.split_once('.')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || !part.is_empty();
    let is_signed = exponent.is_none_or(|exponent| {
        exponent.strip_prefix(['-', '+']).is_some_and(|digits| !digits.is_empty() && is_number(digits))
    });
    if !(has_digits && is_number(whole) && is_number(part) && is_signed) {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite()).map(float_text)
}

/// The shortest digits, with an exponent where Python writes one.
fn float_text(value: f64) -> String {
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let power: i32 = exponent.parse().unwrap_or(0);
    if value != 0.0 && !(-4..16).contains(&power) {
        let sign = if power < 0 { '-' } else { '+' };
        let mut out = String::from(digits);
        let _ = write!(out, "e{sign}{:02}", power.abs());
        return out;
    }
    let plain = format!("{value}");
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}

fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

/// A string as Python quotes it.
fn quoted(text: &str) -> String {
    let mark = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(mark);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == mark => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.push(mark);
    out
}
