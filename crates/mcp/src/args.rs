//! Reads the arguments of a call: closed, with the lenient forms that clients really send (spec project.md 4.1 and
//! its ruling on arguments). It knows no tool; what a value means is the tool's.

use fault::Text;
use serde_json::{Map, Value};

/// Why an argument is refused. Each surface maps it to its own code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgFault {
    /// What kind of trouble it is.
    pub kind: ArgTrouble,
    /// The explanation: the argument and what is accepted.
    pub text: Text,
}

/// The kinds of trouble with an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgTrouble {
    /// Unknown, missing, blank, of the wrong type, or not one of the accepted values.
    Invalid,
    /// An integer outside its bounds.
    Range,
    /// A number that is no integer, or text around digits.
    Inexact,
    /// A pattern that is too long, or too many of them.
    Pattern,
}

impl ArgFault {
    fn new(kind: ArgTrouble, text: Text) -> Self {
        ArgFault { kind, text }
    }
}

/// Bounds of an array of strings.
#[derive(Clone, Copy, Debug)]
pub struct ListBounds {
    /// Most items.
    pub items_max: usize,
    /// Most Unicode scalars of one item.
    pub item_chars_max: usize,
    /// What too many or too long items are.
    pub trouble: ArgTrouble,
    /// What is said after the bounds, for instance the rules of globs.
    pub rules: &'static str,
    /// Whether an item may be white space alone.
    pub may_be_blank: bool,
}

/// The arguments of one call, all of known names. `null` is as absent.
#[derive(Clone, Debug)]
pub struct Arguments {
    values: Map<String, Value>,
}

impl Arguments {
    /// Checks the names against `known`.
    ///
    /// # Errors
    /// [`ArgTrouble::Invalid`] that names the unknown ones and lists the known ones in order of the alphabet.
    pub fn new(values: Map<String, Value>, known: &[&'static str]) -> Result<Arguments, ArgFault> {
        let unknown: Vec<&String> = values.keys().filter(|name| !known.contains(&name.as_str())).collect();
        if unknown.is_empty() {
            return Ok(Arguments { values });
        }
        let mut text = Text::new(if unknown.len() == 1 { "unknown argument" } else { "unknown arguments" });
        const NAMED_MAX: usize = 8;
        for (at, name) in unknown.iter().take(NAMED_MAX).enumerate() {
            text = text.and(if at == 0 { " '" } else { ", '" }).argument(name).and("'");
        }
        if unknown.len() > NAMED_MAX {
            text = text.and(" and ").count(unknown.len() - NAMED_MAX).and(" more");
        }
        let mut known = known.to_vec();
        known.sort_unstable();
        text = text.and(if known.is_empty() { "; this tool takes no arguments" } else { "; valid names: " });
        Err(ArgFault::new(ArgTrouble::Invalid, listed(text, &known)))
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).filter(|value| !value.is_null())
    }

    /// A string, whatever it holds.
    ///
    /// # Errors
    /// [`ArgTrouble::Invalid`] for another type.
    pub fn text(&self, name: &'static str) -> Result<Option<String>, ArgFault> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(invalid(Text::new("'").and(name).and("' must be a string"))),
        }
    }

    /// A string of which the empty one is as absent.
    ///
    /// # Errors
    /// As [`Arguments::text`].
    pub fn text_or_empty(&self, name: &'static str) -> Result<Option<String>, ArgFault> {
        Ok(self.text(name)?.filter(|text| !text.is_empty()))
    }

    /// A string that must hold something when it is there.
    ///
    /// # Errors
    /// As [`Arguments::text`], and [`ArgTrouble::Invalid`] for the empty string.
    pub fn filled_text(&self, name: &'static str) -> Result<Option<String>, ArgFault> {
        match self.text(name)? {
            Some(text) if text.is_empty() => {
                Err(invalid(Text::new("'").and(name).and("' must not be empty")))
            }
            text => Ok(text),
        }
    }

    /// A required string; white space counts as content.
    ///
    /// # Errors
    /// As [`Arguments::filled_text`], and [`ArgTrouble::Invalid`] when it is missing.
    pub fn required_text(&self, name: &'static str) -> Result<String, ArgFault> {
        self.filled_text(name)?.ok_or_else(|| {
            invalid(Text::new("'").and(name).and("' is required and must be a string that is not empty"))
        })
    }

    /// A required string of which white space alone is not enough.
    ///
    /// # Errors
    /// As [`Arguments::required_text`].
    pub fn required_word(&self, name: &'static str) -> Result<String, ArgFault> {
        let text = self.required_text(name)?;
        if text.trim().is_empty() {
            return Err(invalid(Text::new("'").and(name).and("' must not be blank")));
        }
        Ok(text)
    }

    /// An exact integer from `min` to `max`: a number without fraction, or a string of ASCII digits.
    ///
    /// # Errors
    /// [`ArgTrouble::Range`] for integers out of bounds, [`ArgTrouble::Inexact`] for other numbers and for strings in
    /// which digits are not alone, [`ArgTrouble::Invalid`] for another type.
    pub fn integer(&self, name: &'static str, min: u64, max: u64) -> Result<Option<u64>, ArgFault> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let bounds = |text: Text| text.and(" from ").number(min).and(" to ").number(max);
        let fault = |kind| ArgFault::new(kind, bounds(Text::new("'").and(name).and("' must be an integer")));
        let range = || fault(ArgTrouble::Range);
        let number = match value {
            Value::Number(number) => exact(number).ok_or_else(|| {
                fault(if is_whole(number) { ArgTrouble::Range } else { ArgTrouble::Inexact })
            })?,
            Value::String(digits)
                if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                digits.parse().map_err(|_| range())?
            }
            Value::String(other) if other.bytes().any(|byte| byte.is_ascii_digit()) => {
                let is_signed = other
                    .strip_prefix('-')
                    .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
                return Err(fault(if is_signed { ArgTrouble::Range } else { ArgTrouble::Inexact }));
            }
            _ => {
                let text = bounds(Text::new("'").and(name).and("' must be an integer"));
                return Err(invalid(text.and(", as a number or a string of decimal digits")));
            }
        };
        if number < min || number > max { Err(range()) } else { Ok(Some(number)) }
    }

    /// A boolean, or exactly one of the strings `true` and `false`.
    ///
    /// # Errors
    /// [`ArgTrouble::Invalid`] for anything else.
    pub fn boolean(&self, name: &'static str) -> Result<Option<bool>, ArgFault> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(Value::String(text)) if text == "true" => Ok(Some(true)),
            Some(Value::String(text)) if text == "false" => Ok(Some(false)),
            Some(_) => Err(invalid(Text::new("'").and(name).and("' must be true or false"))),
        }
    }

    /// One of the `accepted` words, in exactly this spelling.
    ///
    /// # Errors
    /// [`ArgTrouble::Invalid`] that lists the accepted words.
    pub fn choice<T: Copy>(
        &self,
        name: &'static str,
        accepted: &[(&'static str, T)],
    ) -> Result<Option<T>, ArgFault> {
        let Some(value) = self.get(name) else { return Ok(None) };
        if let Some((_, meaning)) = accepted.iter().find(|(word, _)| value.as_str() == Some(word)) {
            return Ok(Some(*meaning));
        }
        let words: Vec<&'static str> = accepted.iter().map(|(word, _)| *word).collect();
        Err(invalid(listed(Text::new("'").and(name).and("' must be one of: "), &words)))
    }

    /// An array of strings that are not blank. A lone string is an array of one, and a string that is itself a
    /// JSON array of strings is that array.
    ///
    /// # Errors
    /// [`ArgTrouble::Invalid`] for another type or a blank item; the trouble of `bounds` beyond them.
    pub fn list(&self, name: &'static str, bounds: ListBounds) -> Result<Vec<String>, ArgFault> {
        let items = match self.get(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(items)) => strings(items),
            Some(Value::String(text)) => Some(inner_list(text).unwrap_or_else(|| vec![text.clone()])),
            Some(_) => None,
        };
        let Some(items) = items else {
            return Err(invalid(Text::new("'").and(name).and("' must be an array of strings")));
        };
        let is_blank = |item: &String| {
            if bounds.may_be_blank { item.is_empty() } else { item.trim().is_empty() }
        };
        if items.iter().any(is_blank) {
            return Err(invalid(
                Text::new("'").and(name).and("' must not hold blank strings").and(bounds.rules),
            ));
        }
        let beyond = |text: Text| ArgFault::new(bounds.trouble, text.and(bounds.rules));
        if items.len() > bounds.items_max {
            let text = Text::new("'").and(name).and("' holds ").count(items.len()).and(" items, at most ");
            return Err(beyond(text.count(bounds.items_max).and(" are accepted")));
        }
        if items.iter().any(|item| longer(item, bounds.item_chars_max)) {
            let text = Text::new("an item of '").and(name).and("' is longer than ");
            return Err(beyond(text.count(bounds.item_chars_max).and(" characters")));
        }
        Ok(items)
    }

    /// Refuses a string that is too long, in Unicode scalars.
    ///
    /// # Errors
    /// `trouble` that names the bound.
    pub fn at_most(
        name: &'static str,
        text: &str,
        chars_max: usize,
        trouble: ArgTrouble,
    ) -> Result<(), ArgFault> {
        if !longer(text, chars_max) {
            return Ok(());
        }
        let text = Text::new("'").and(name).and("' is longer than ").count(chars_max).and(" characters");
        Err(ArgFault::new(trouble, text))
    }
}

fn invalid(text: Text) -> ArgFault {
    ArgFault::new(ArgTrouble::Invalid, text)
}

fn listed(mut text: Text, words: &[&'static str]) -> Text {
    for (at, word) in words.iter().enumerate() {
        text = text.and(if at == 0 { "" } else { ", " }).and(word);
    }
    text
}

fn longer(text: &str, chars_max: usize) -> bool {
    text.len() > chars_max && text.chars().nth(chars_max).is_some()
}

fn strings(items: &[Value]) -> Option<Vec<String>> {
    items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

fn inner_list(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    if !text.starts_with('[') {
        return None;
    }
    serde_json::from_str(text).ok()
}

/// The exact unsigned integer that a number is, when it is one. Beyond 2^53 a float no longer says which integer was sent.
fn exact(number: &serde_json::Number) -> Option<u64> {
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    if let Some(number) = number.as_u64() {
        return Some(number);
    }
    let float = number.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be an integer from 0 to 2^53"
    )]
    (float.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&float)).then_some(float as u64)
}

/// Whether a number has no fraction, whatever its size and sign.
fn is_whole(number: &serde_json::Number) -> bool {
    number.as_f64().is_none_or(|float| float.fract() == 0.0)
}

#[cfg(test)]
mod tests;
