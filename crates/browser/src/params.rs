//! The query of a request, read strictly: known names, each once unless it may repeat, valid escapes, valid UTF-8. It
//! does not know what a value means.

use crate::faults::Refusal;

/// The names and values of a query.
#[derive(Debug, Default)]
pub(crate) struct Params(Vec<(&'static str, String)>);

impl Params {
    /// Reads `query`. `known` are the names that may stand in it, with whether each may stand in it twice. An empty value
    /// is as good as none.
    pub(crate) fn read(query: Option<&str>, known: &[(&'static str, bool)]) -> Result<Params, Refusal> {
        let mut read = Params::default();
        for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let Some((name, repeats)) = known.iter().find(|(known, _)| *known == name) else {
                return Err(bad("The query has a name that this path does not know."));
            };
            if !repeats && read.0.iter().any(|(other, _)| other == name) {
                return Err(bad(format!("`{name}` stands in the query twice.")));
            }
            let value =
                decoded(value).ok_or_else(|| bad(format!("The value of `{name}` is not valid UTF-8.")))?;
            if !value.is_empty() {
                read.0.push((name, value));
            }
        }
        Ok(read)
    }

    /// The value of a name.
    pub(crate) fn one(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Every value of a name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// The words of a value that commas separate.
    pub(crate) fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        self.one(name).unwrap_or_default().split(',').filter(|word| !word.is_empty())
    }

    /// A number from 1 to `most`; `usual` when the name is not there.
    pub(crate) fn number(&self, name: &str, usual: usize, most: usize) -> Result<usize, Refusal> {
        let Some(text) = self.one(name) else { return Ok(usual) };
        let number = text.parse().ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| bad(format!("`{name}` is a number from 1 to {most}.")))
    }
}

/// An argument is wrong.
pub(crate) fn bad(message: impl Into<String>) -> Refusal {
    Refusal::Bad(message.into())
}

/// `text` with its escapes undone; `+` is a blank, as forms write it.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, rest) {
            (b'%', [high, low, tail @ ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                bytes.push(u8::try_from(digit(high)? << 4 | digit(low)?).ok()?);
                rest = tail;
            }
            (b'%', _) => return None,
            (b'+', _) => bytes.push(b' '),
            (byte, _) => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).ok()
}

/// `text` as a value in an address.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[(&str, bool)] = &[("id", true), ("q", false), ("limit", false)];

    #[test]
    fn names_and_values_are_read_and_written_alike() {
        let text = "a b&c=d/ä%\u{1F600}+";
        let query = format!("id={}&id=two&q=&limit=7&", encoded(text));
        let read = Params::read(Some(&query), KNOWN).unwrap();
        assert_eq!(read.all("id").collect::<Vec<_>>(), [text, "two"]);
        assert_eq!((read.one("q"), read.number("limit", 5, 9)), (None, Ok(7)));
        assert_eq!(
            Params::read(Some("q=a+b,%2Cc"), KNOWN).unwrap().list("q").collect::<Vec<_>>(),
            ["a b", "c"]
        );
        assert_eq!(Params::read(None, KNOWN).unwrap().number("limit", 5, 9), Ok(5));
    }

    #[test]
    fn what_is_unknown_doubled_or_broken_is_refused() {
        for query in ["x=1", "q=1&q=2", "q=%", "q=%4", "q=%GG", "q=%FF", "%71=1", "q=%ED%A0%80"] {
            assert!(Params::read(Some(query), KNOWN).is_err(), "{query}");
        }
        for limit in ["0", "10", "-1", "1.0", "x", "99999999999999999999"] {
            let query = format!("limit={limit}");
            assert!(Params::read(Some(&query), KNOWN).unwrap().number("limit", 5, 9).is_err(), "{limit}");
        }
    }
}
