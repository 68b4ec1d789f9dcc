//! Asks a table of the manifest for its keys, each with its kind and bounds; what was never asked for is an unknown
//! key. It gathers every fault and stops at none.

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

use crate::contract::manifest::{Data, Entry, Faults, Member, Table};
use crate::near::near;

/// Whether `text` may name a type, relation, source, rule, view or writer.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() <= 48
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
}

/// Whether `text` may name a field.
pub(crate) fn is_field(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// `text` in back quotes when it may stand in a message of the engine, else `fallback`.
pub(crate) fn quoted(text: &str, fallback: &str) -> String {
    if is_field(text) { format!("`{text}`") } else { fallback.to_owned() }
}

/// A string of the manifest with its place.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    /// The string.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) span: Range<usize>,
}

/// A table that is being read.
pub(crate) struct Form<'f, 'm> {
    table: &'f Table,
    span: Range<usize>,
    /// What the table is called in messages: `[types.req]`.
    pub(crate) name: String,
    /// Where findings go.
    pub(crate) faults: &'f Faults<'m>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'f, 'm> Form<'f, 'm> {
    /// Reads `table`, called `name`, which stands at `span`.
    pub(crate) fn new(
        table: &'f Table,
        span: &Range<usize>,
        name: impl Into<String>,
        faults: &'f Faults<'m>,
    ) -> Form<'f, 'm> {
        Form { table, span: span.clone(), name: name.into(), faults, asked: RefCell::new(Vec::new()) }
    }

    /// Reads `entry` as a table; a finding and `None` when it is none.
    pub(crate) fn open(entry: &'f Entry, name: impl Into<String>, faults: &'f Faults<'m>) -> Option<Self> {
        let name = name.into();
        match &entry.value {
            Data::Table(table) => Some(Form::new(table, &entry.span, name, faults)),
            other => {
                faults.add(&entry.span, format!("{name} is {}, not a table", other.noun()));
                None
            }
        }
    }

    /// Where the table stands.
    pub(crate) fn span(&self) -> &Range<usize> {
        &self.span
    }

    /// The value under `key`, whatever it is.
    pub(crate) fn entry(&self, key: &'static str) -> Option<&'f Entry> {
        self.asked.borrow_mut().push(key);
        self.table.get(key).map(|member| &member.entry)
    }

    /// Whether the table has no such key.
    pub(crate) fn is_absent(&self, key: &str) -> bool {
        self.table.get(key).is_none()
    }

    /// A finding about the value under `key`, or about the table when it has none.
    pub(crate) fn fault(&self, key: &str, message: impl Into<String>) {
        let span = self.table.get(key).map_or(&self.span, |member| &member.entry.span);
        self.faults.add(span, message);
    }

    /// Notes that a required key is missing.
    pub(crate) fn missing(&self, key: &str) {
        self.faults.add_with_fix(
            &self.span,
            format!("{} has no `{key}`", self.name),
            format!("add `{key} = …` to {}", self.name),
        );
    }

    fn wrong(&self, key: &str, entry: &Entry, expected: &str) {
        let noun = entry.value.noun();
        self.faults.add(&entry.span, format!("`{key}` of {} is {noun}, not {expected}", self.name));
    }

    /// A string whose length in characters lies within `chars`.
    pub(crate) fn word(&self, key: &'static str, chars: RangeInclusive<usize>) -> Option<Word> {
        let entry = self.entry(key)?;
        let Data::Text(text) = &entry.value else {
            self.wrong(key, entry, "a string");
            return None;
        };
        if !chars.contains(&text.chars().count()) {
            let (least, most) = (chars.start(), chars.end());
            self.faults
                .add(&entry.span, format!("`{key}` of {} must have {least} to {most} characters", self.name));
            return None;
        }
        Some(Word { text: text.clone(), span: entry.span.clone() })
    }

    /// The same without its place.
    pub(crate) fn text(&self, key: &'static str, chars: RangeInclusive<usize>) -> Option<String> {
        self.word(key, chars).map(|word| word.text)
    }

    /// A string that must be there.
    pub(crate) fn required_word(&self, key: &'static str, chars: RangeInclusive<usize>) -> Option<Word> {
        if self.table.get(key).is_none() {
            self.missing(key);
        }
        self.word(key, chars)
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&self, key: &'static str) -> Option<bool> {
        let entry = self.entry(key)?;
        match entry.value {
            Data::Boolean(truth) => Some(truth),
            _ => {
                self.wrong(key, entry, "`true` or `false`");
                None
            }
        }
    }

    /// An integer within `bounds`.
    pub(crate) fn integer(&self, key: &'static str, bounds: RangeInclusive<usize>) -> Option<usize> {
        let entry = self.entry(key)?;
        let Data::Integer(number) = entry.value else {
            self.wrong(key, entry, "an integer");
            return None;
        };
        let within = usize::try_from(number).ok().filter(|number| bounds.contains(number));
        if within.is_none() {
            let name = &self.name;
            let message = if *bounds.end() == usize::MAX {
                format!("`{key}` of {name} must be at least {}", bounds.start())
            } else {
                format!("`{key}` of {name} must lie between {} and {}", bounds.start(), bounds.end())
            };
            self.faults.add(&entry.span, message);
        }
        within
    }

    /// One of `choices`.
    pub(crate) fn choice<T: Copy>(&self, key: &'static str, choices: &[(&'static str, T)]) -> Option<T> {
        let entry = self.entry(key)?;
        let Data::Text(text) = &entry.value else {
            self.wrong(key, entry, "a string");
            return None;
        };
        let found = choices.iter().find(|(word, _)| word == text).map(|(_, value)| *value);
        if found.is_none() {
            let words: Vec<String> = choices.iter().map(|(word, _)| format!("`{word}`")).collect();
            self.suggest(
                &entry.span,
                format!("`{key}` of {} must be one of {}", self.name, words.join(", ")),
                text,
                choices.iter().map(|(word, _)| *word),
            );
        }
        found
    }

    /// An array of `count` strings.
    pub(crate) fn words(&self, key: &'static str, count: RangeInclusive<usize>) -> Option<Vec<Word>> {
        let entry = self.entry(key)?;
        let Data::Array(items) = &entry.value else {
            self.wrong(key, entry, "an array of strings");
            return None;
        };
        if !count.contains(&items.len()) {
            let (least, most) = (count.start(), count.end());
            self.faults
                .add(&entry.span, format!("`{key}` of {} must have {least} to {most} items", self.name));
        }
        let mut words = Vec::with_capacity(items.len());
        for item in items {
            match &item.value {
                Data::Text(text) => words.push(Word { text: text.clone(), span: item.span.clone() }),
                other => self.faults.add(
                    &item.span,
                    format!("an item of `{key}` of {} is {}, not a string", self.name, other.noun()),
                ),
            }
        }
        Some(words)
    }

    /// The same, each string once.
    pub(crate) fn distinct_words(
        &self,
        key: &'static str,
        count: RangeInclusive<usize>,
    ) -> Option<Vec<Word>> {
        let words = self.words(key, count)?;
        for (place, word) in words.iter().enumerate() {
            if words[..place].iter().any(|earlier| earlier.text == word.text) {
                self.faults.add(&word.span, format!("`{key}` of {} names the same thing twice", self.name));
            }
        }
        Some(words)
    }

    /// A table.
    pub(crate) fn table(&self, key: &'static str) -> Option<&'f Entry> {
        let entry = self.entry(key)?;
        if matches!(entry.value, Data::Table(_)) {
            Some(entry)
        } else {
            self.wrong(key, entry, "a table");
            None
        }
    }

    /// The members of a table whose keys are the author's own.
    pub(crate) fn named(&self, key: &'static str) -> &'f [Member] {
        match self.table(key).map(|entry| &entry.value) {
            Some(Data::Table(table)) => &table.members,
            _ => &[],
        }
    }

    /// The items of an array of tables.
    pub(crate) fn tables(&self, key: &'static str) -> &'f [Entry] {
        let Some(entry) = self.entry(key) else { return &[] };
        match &entry.value {
            Data::Array(items) => items,
            _ => {
                self.wrong(key, entry, "an array of tables");
                &[]
            }
        }
    }

    /// A finding with the nearest of the accepted names as what to write instead.
    pub(crate) fn suggest<'c>(
        &self,
        span: &Range<usize>,
        message: String,
        wrong: &str,
        accepted: impl IntoIterator<Item = &'c str>,
    ) {
        match near(wrong, accepted, 1).first() {
            Some(name) => self.faults.add_with_fix(span, message, format!("did you mean `{name}`?")),
            None => self.faults.add(span, message),
        }
    }

    /// Complains about every key that was not asked for.
    pub(crate) fn close(self) {
        let asked = self.asked.borrow();
        for member in &self.table.members {
            if !asked.contains(&member.name.as_str()) {
                let key = quoted(&member.name, "a key");
                let message = format!("{key} is not a key of {}", self.name);
                self.suggest(&member.span, message, &member.name, asked.iter().copied());
            }
        }
    }
}
