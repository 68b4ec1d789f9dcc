//! From the text of a filter to what it asks, every name and literal checked on the way (spec C8). It evaluates
//! nothing.

use regex_automata::meta::Regex;
use regex_automata::util::syntax;

use super::fault::{FilterFault, FilterProblem};
use super::scope::{FieldKind, FilterScope};
use super::{Expr, Literal, Op, Operand, Quantifier, Walk};
use crate::contract::FieldType;
use crate::limits;
use crate::literal;
use crate::near::near;

/// Words that are no field without `field:` before them.
const KEYWORDS: &[&str] = &[
    "or", "and", "not", "in", "is", "has", "set", "unset", "any", "all", "none", "count", "reaches", "out",
    "where", "depth", "true", "false", "field",
];
const STATES: &[&str] = &["error", "warn", "clean", "suspect", "orphan"];
/// The longer operators first.
const OPERATORS: &[(&str, Op)] = &[
    ("!=", Op::Unequal),
    ("<=", Op::LessOrEqual),
    (">=", Op::GreaterOrEqual),
    ("^=", Op::Starts),
    ("$=", Op::Ends),
    ("=", Op::Equal),
    ("<", Op::Less),
    (">", Op::Greater),
    ("~", Op::Contains),
];

/// Reads a filter.
pub(super) fn parse(text: &str, scope: &FilterScope) -> Result<Expr, FilterFault> {
    let mut parser = Parser { text, at: 0, scope, tests: 0, nesting: 0, quantifiers: 0, reaches: 0 };
    if text.chars().count() > limits::FILTER_CHARS_MAX {
        let message = format!("a filter has at most {} characters", limits::FILTER_CHARS_MAX);
        return Err(parser.fault(FilterProblem::TooComplex, 0, message));
    }
    let expr = parser.expr()?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.syntax(parser.at, "expected `and`, `or` or the end"));
    }
    Ok(expr)
}

struct Parser<'t, 's> {
    text: &'t str,
    at: usize,
    scope: &'s FilterScope,
    tests: usize,
    nesting: usize,
    quantifiers: usize,
    reaches: usize,
}

/// A value as written.
struct Written {
    text: String,
    is_quoted: bool,
    at: usize,
}

impl Parser<'_, '_> {
    fn fault(&self, code: FilterProblem, at: usize, message: impl Into<String>) -> FilterFault {
        let position = self.text.get(..at).unwrap_or(self.text).chars().count() + 1;
        FilterFault { code, position, message: message.into(), near: Vec::new() }
    }

    fn syntax(&self, at: usize, message: &str) -> FilterFault {
        self.fault(FilterProblem::Syntax, at, message)
    }

    fn unknown<'n>(
        &self,
        code: FilterProblem,
        at: usize,
        message: &str,
        word: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> FilterFault {
        let near = near(word, names, 3).into_iter().map(str::to_owned).collect();
        FilterFault { near, ..self.fault(code, at, message) }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn take(&mut self, sign: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), FilterFault> {
        if self.take(sign) { Ok(()) } else { Err(self.syntax(self.at, &format!("expected `{sign}`"))) }
    }

    /// The word that comes next: letters, digits, `_` and `-` after a letter.
    fn peek_word(&mut self) -> &str {
        self.blanks();
        let rest = self.rest();
        if !rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return "";
        }
        let end = rest.bytes().take_while(|byte| is_name_byte(*byte)).count();
        &rest[..end]
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.at += word.len();
        }
        found
    }

    fn expr(&mut self) -> Result<Expr, FilterFault> {
        let mut parts = vec![self.conjunction()?];
        while self.take_word("or") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::Or(parts) })
    }

    fn conjunction(&mut self) -> Result<Expr, FilterFault> {
        let mut parts = vec![self.negation()?];
        while self.take_word("and") {
            parts.push(self.negation()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expr::And(parts) })
    }

    fn negation(&mut self) -> Result<Expr, FilterFault> {
        if self.take_word("not") { Ok(Expr::Not(Box::new(self.primary()?))) } else { self.primary() }
    }

    fn nested(&mut self) -> Result<Expr, FilterFault> {
        self.nesting += 1;
        if self.nesting > limits::FILTER_NESTING_MAX {
            let message = format!("a filter nests at most {} deep", limits::FILTER_NESTING_MAX);
            return Err(self.fault(FilterProblem::TooComplex, self.at, message));
        }
        let expr = self.expr()?;
        self.nesting -= 1;
        Ok(expr)
    }

    fn primary(&mut self) -> Result<Expr, FilterFault> {
        if self.take("(") {
            let expr = self.nested()?;
            self.expect(")")?;
            return Ok(expr);
        }
        self.tests += 1;
        if self.tests > limits::FILTER_TESTS_MAX {
            let message = format!("a filter has at most {} tests", limits::FILTER_TESTS_MAX);
            return Err(self.fault(FilterProblem::TooComplex, self.at, message));
        }
        let word = self.peek_word().to_owned();
        match word.as_str() {
            "any" => self.quantified(Quantifier::Any, "any"),
            "all" => self.quantified(Quantifier::All, "all"),
            "none" => self.quantified(Quantifier::None, "none"),
            "count" => self.count(),
            "reaches" => self.reach(),
            _ => self.test(),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, word: &str) -> Result<Expr, FilterFault> {
        self.take_word(word);
        let (walk, condition) = self.walk_where()?;
        Ok(Expr::Quantified { quantifier, walk, condition })
    }

    fn count(&mut self) -> Result<Expr, FilterFault> {
        self.take_word("count");
        let (walk, condition) = self.walk_where()?;
        let at = self.at;
        let op = self.operator()?;
        if matches!(op, Op::Contains | Op::Starts | Op::Ends) {
            return Err(self.fault(
                FilterProblem::TypeError,
                at,
                "a count is compared with `=`, `!=`, `<`, `<=`, `>`, `>=`",
            ));
        }
        let number = self.whole()?;
        Ok(Expr::Count { walk, condition, op, number })
    }

    fn reach(&mut self) -> Result<Expr, FilterFault> {
        self.take_word("reaches");
        self.expect("(")?;
        let walk = self.walk()?;
        self.expect(",")?;
        let target = self.value()?.text;
        let mut depth = None;
        if self.take(",") {
            if !self.take_word("depth") {
                return Err(self.syntax(self.at, "expected `depth <= N`"));
            }
            self.expect("<=")?;
            depth = Some(u32::try_from(self.whole()?).unwrap_or(u32::MAX));
        }
        self.expect(")")?;
        self.reaches += 1;
        Ok(Expr::Reaches { walk, target, depth, slot: self.reaches - 1 })
    }

    /// `( side . REL [where expr] )`.
    fn walk_where(&mut self) -> Result<(Walk, Option<Box<Expr>>), FilterFault> {
        self.quantifiers += 1;
        if self.quantifiers > limits::FILTER_QUANTIFIERS_MAX {
            let message = format!("quantifiers nest at most {} deep", limits::FILTER_QUANTIFIERS_MAX);
            return Err(self.fault(FilterProblem::TooComplex, self.at, message));
        }
        self.expect("(")?;
        let walk = self.walk()?;
        let condition = if self.take_word("where") { Some(Box::new(self.nested()?)) } else { None };
        self.expect(")")?;
        self.quantifiers -= 1;
        Ok((walk, condition))
    }

    fn walk(&mut self) -> Result<Walk, FilterFault> {
        self.blanks();
        let start = self.at;
        let is_out = self.peek_word() == "out";
        if !self.take_word("out") && !self.take_word("in") {
            return Err(self.syntax(start, "expected `out.` or `in.` and a relation"));
        }
        self.expect(".")?;
        let at = self.at;
        let name = self.peek_word().to_owned();
        if name.is_empty() {
            return Err(self.syntax(at, "expected the name of a relation"));
        }
        let names = || self.scope.relations.iter().map(String::as_str);
        let Some(place) = names().position(|one| one == name) else {
            let message = "no relation has this name; relations are named as declared, not by their inverse";
            return Err(self.unknown(FilterProblem::RelationUnknown, at, message, &name, names()));
        };
        self.at += name.len();
        Ok(Walk { is_out, relation: u32::try_from(place).unwrap_or(u32::MAX) })
    }

    fn whole(&mut self) -> Result<u64, FilterFault> {
        self.blanks();
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let at = self.at;
        self.at += digits;
        self.text[at..self.at].parse().map_err(|_| self.syntax(at, "expected a whole number"))
    }

    fn operator(&mut self) -> Result<Op, FilterFault> {
        self.blanks();
        for (sign, op) in OPERATORS {
            if self.take(sign) {
                return Ok(*op);
            }
        }
        Err(self.syntax(self.at, "expected an operator: = != < <= > >= ~ ^= $=, `in`, `is` or `has`"))
    }

    fn test(&mut self) -> Result<Expr, FilterFault> {
        self.blanks();
        let start = self.at;
        let operand = self.operand()?;
        if self.take_word("is") {
            let set = self.take_word("set");
            if !set && !self.take_word("unset") {
                return Err(self.syntax(self.at, "expected `set` or `unset`"));
            }
            return Ok(Expr::Is { operand, set });
        }
        if self.take_word("in") {
            self.expect("[")?;
            let mut values = vec![self.literal(&operand, Op::Equal, start)?];
            while self.take(",") {
                values.push(self.literal(&operand, Op::Equal, start)?);
            }
            self.expect("]")?;
            return Ok(Expr::In { operand, values });
        }
        if self.take_word("has") {
            let kinds = self.kinds(&operand).into_iter().filter(|kind| kind.list);
            let items: Vec<FieldKind> = kinds.map(|kind| FieldKind { list: false, ..kind }).collect();
            let Operand::Field(field) = operand else {
                return Err(self.fault(
                    FilterProblem::TypeError,
                    start,
                    "`has` takes a field that holds a list",
                ));
            };
            if items.is_empty() {
                let message = format!("`{field}` does not hold a list, so `has` cannot be asked of it");
                return Err(self.fault(FilterProblem::TypeError, start, message));
            }
            let written = self.value()?;
            self.check(&field, &items, Op::Equal, &written)?;
            return Ok(Expr::Has { field, value: literal_of(written, Op::Equal) });
        }
        let op = self.operator()?;
        let value = self.literal(&operand, op, start)?;
        Ok(Expr::Compare { operand, op, value })
    }

    fn operand(&mut self) -> Result<Operand, FilterFault> {
        let at = self.at;
        let word = self.peek_word().to_owned();
        if word.is_empty() {
            return Err(self.syntax(at, "expected a test"));
        }
        self.at += word.len();
        let is_explicit = word == "field" && self.rest().starts_with(':');
        if !is_explicit {
            match word.as_str() {
                "id" => return Ok(Operand::Id),
                "type" => return Ok(Operand::Type),
                "title" => return Ok(Operand::Title),
                "path" => return Ok(Operand::Path),
                "source" => return Ok(Operand::Source),
                "body" => return Ok(Operand::Body),
                "state" => return Ok(Operand::State),
                _ if KEYWORDS.contains(&word.as_str()) => {
                    let message =
                        format!("`{word}` is a word of the language; a field of that name is `field:{word}`");
                    return Err(self.syntax(at, &message));
                }
                _ => {}
            }
        }
        let name = if is_explicit {
            self.at += 1;
            let end = self.rest().bytes().take_while(|byte| is_name_byte(*byte)).count();
            self.at += end;
            self.text[self.at - end..self.at].to_owned()
        } else {
            word
        };
        if name.is_empty() {
            return Err(self.syntax(at, "expected the name of a field after `field:`"));
        }
        let is_kept = is_explicit && self.scope.keeps_unknown;
        if !self.scope.fields.contains_key(&name) && !is_kept {
            let built_in = ["id", "type", "title", "path", "source", "body", "state"];
            let names = self.scope.fields.keys().map(String::as_str).chain(built_in);
            return Err(self.unknown(
                FilterProblem::FieldUnknown,
                at,
                "no type declares this field",
                &name,
                names,
            ));
        }
        Ok(Operand::Field(name))
    }

    /// How the operand is declared; a kept undeclared key is text.
    fn kinds(&self, operand: &Operand) -> Vec<FieldKind> {
        let text = FieldKind { kind: FieldType::Text, list: false, values: Vec::new() };
        match operand {
            Operand::Field(name) => self.scope.fields.get(name).cloned().unwrap_or_else(|| vec![text]),
            _ => vec![text],
        }
    }

    fn literal(&mut self, operand: &Operand, op: Op, operand_at: usize) -> Result<Literal, FilterFault> {
        let written = self.value()?;
        let names = |names: &[String], word: &str| names.iter().any(|one| one == word);
        let is_equality = matches!(op, Op::Equal | Op::Unequal);
        match operand {
            Operand::State => {
                if !is_equality {
                    return Err(self.fault(
                        FilterProblem::TypeError,
                        operand_at,
                        "`state` takes `=`, `!=` and `in`",
                    ));
                }
                if !STATES.contains(&written.text.as_str()) {
                    let message = "a state is one of error, warn, clean, suspect, orphan";
                    let code = FilterProblem::TypeError;
                    return Err(self.unknown(
                        code,
                        written.at,
                        message,
                        &written.text,
                        STATES.iter().copied(),
                    ));
                }
            }
            Operand::Type | Operand::Source
                if matches!(op, Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual) =>
            {
                return Err(self.fault(
                    FilterProblem::TypeError,
                    operand_at,
                    "`type` and `source` have no order",
                ));
            }
            Operand::Type if is_equality && !names(&self.scope.types, &written.text) => {
                let known = self.scope.types.iter().map(String::as_str);
                let code = FilterProblem::TypeUnknown;
                return Err(self.unknown(
                    code,
                    written.at,
                    "the contract declares no type of this name",
                    &written.text,
                    known,
                ));
            }
            Operand::Source if is_equality && !names(&self.scope.sources, &written.text) => {
                let known = self.scope.sources.iter().map(String::as_str);
                let code = FilterProblem::TypeError;
                return Err(self.unknown(
                    code,
                    written.at,
                    "the contract has no source of this id",
                    &written.text,
                    known,
                ));
            }
            Operand::Field(name) => self.check(name, &self.kinds(operand), op, &written)?,
            _ => {}
        }
        Ok(literal_of(written, op))
    }

    /// Whether at least one declaration of the field takes this operator and this literal.
    fn check(&self, name: &str, kinds: &[FieldKind], op: Op, written: &Written) -> Result<(), FilterFault> {
        let mut first = None;
        for kind in kinds {
            match fits(name, kind, op, written) {
                Ok(()) => return Ok(()),
                Err(message) => first = first.or(Some((message, &kind.values))),
            }
        }
        let Some((message, values)) = first else { return Ok(()) };
        // A value of an enum is free text; one that looks like a name may be repeated.
        let values = values.iter().map(String::as_str).filter(|value| value.bytes().all(is_name_byte));
        Err(self.unknown(FilterProblem::TypeError, written.at, &message, &written.text, values))
    }

    fn value(&mut self) -> Result<Written, FilterFault> {
        self.blanks();
        let at = self.at;
        let rest = self.rest();
        if let Some(quote) = rest.chars().next().filter(|first| matches!(first, '\'' | '"')) {
            let Some(end) = rest[1..].find(quote) else {
                return Err(self.syntax(at, "a quote is not closed"));
            };
            let text = rest[1..=end].to_owned();
            self.at += end + 2;
            return Ok(Written { text, is_quoted: true, at });
        }
        let is_bare = |byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b':' | b'/' | b'@' | b'~' | b'-')
        };
        let end = rest.bytes().take_while(|byte| is_bare(byte)).count();
        if end == 0 {
            return Err(self.syntax(at, "expected a value; text with blanks or other signs stands in quotes"));
        }
        let text = rest[..end].to_owned();
        self.at += end;
        Ok(Written { text, is_quoted: false, at })
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Whether a field so declared takes this operator and this literal; if not, why.
fn fits(name: &str, kind: &FieldKind, op: Op, written: &Written) -> Result<(), String> {
    if kind.list {
        return Err(format!("`{name}` holds a list, which takes `has` and `is` only"));
    }
    let is_equality = matches!(op, Op::Equal | Op::Unequal);
    let is_search = matches!(op, Op::Contains | Op::Starts | Op::Ends);
    let word = kind.kind.as_str();
    let literal = |holds: bool, expected: &str| {
        if holds { Ok(()) } else { Err(format!("`{name}` is of type {word} and compares with {expected}")) }
    };
    let text = written.text.as_str();
    match kind.kind {
        FieldType::String | FieldType::Text | FieldType::Url => Ok(()),
        FieldType::Enum if is_search => Ok(()),
        FieldType::Enum if is_equality => {
            if kind.values.iter().any(|value| value == text) {
                Ok(())
            } else {
                Err(format!("this is not one of the values that `{name}` can have"))
            }
        }
        FieldType::Boolean if is_equality => {
            literal(!written.is_quoted && matches!(text, "true" | "false"), "true or false")
        }
        FieldType::Integer if !is_search => {
            literal(!written.is_quoted && literal::integer(text).is_some(), "an integer without quotes")
        }
        FieldType::Number if !is_search => {
            literal(!written.is_quoted && literal::number(text).is_some(), "a number without quotes")
        }
        FieldType::Date if !is_search => literal(literal::date(text).is_some(), "a day, YYYY-MM-DD"),
        FieldType::DateTime if !is_search => {
            literal(literal::date_time(text).is_some(), "a time of RFC 3339, such as '2026-01-31T12:00:00Z'")
        }
        FieldType::Map | FieldType::Json => {
            Err(format!("`{name}` is of type {word}, which takes `is set` and `is unset` only"))
        }
        _ => Err(format!("`{name}` is of type {word}, which this operator does not take")),
    }
}

fn literal_of(written: Written, op: Op) -> Literal {
    let text = written.text;
    let plain = (!written.is_quoted).then_some(text.as_str());
    Literal {
        integer: plain.and_then(literal::integer),
        number: plain.and_then(literal::number),
        boolean: plain.and_then(|text| text.parse().ok()),
        date: literal::date(&text),
        date_time: literal::date_time(&text),
        folded: if op == Op::Contains { folded(&text) } else { None },
        text,
    }
}

/// Finds `text` whatever its case. A literal of at most 4,096 characters always compiles.
fn folded(text: &str) -> Option<Regex> {
    let mut pattern = String::new();
    for one in text.chars() {
        if one.is_ascii_alphanumeric() {
            pattern.push(one);
        } else {
            pattern.push_str(&format!("\\x{{{:x}}}", u32::from(one)));
        }
    }
    Regex::builder().syntax(syntax::Config::new().case_insensitive(true)).build(&pattern).ok()
}
