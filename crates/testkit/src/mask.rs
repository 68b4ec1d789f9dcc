//! Masking for snapshots: temporary paths, random ids and times become names, the rest stays as it is.
//! It does not know which answer it is looking at.

use std::path::Path;

/// What to mask besides the ids and times that every snapshot has.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    /// Longest first, so that a folder does not hide what lies below it.
    replacements: Vec<(String, String)>,
}

impl Mask {
    /// A mask for ids and times alone.
    pub fn new() -> Mask {
        Mask::default()
    }

    /// Also writes `name` where `path` stands.
    pub fn path(self, path: impl AsRef<Path>, name: &str) -> Mask {
        self.text(&path.as_ref().to_string_lossy(), name)
    }

    /// Also writes `name` where `text` stands.
    pub fn text(mut self, text: &str, name: &str) -> Mask {
        self.replacements.push((text.to_owned(), name.to_owned()));
        self.replacements.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        self
    }

    /// `text` with every replacement made, then every run of lower-case hexadecimal digits of a known length named:
    /// 24 `[spotlight]`, 32 `[session]`, 40 `[commit]`, 48 `[pack]`, 64 `[sha256]`; then durations such as `12 ms` or
    /// `1.5 s` (`[time]`) and timestamps such as `2001-02-03T04:05:06Z` (`[date]`).
    pub fn apply(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (from, to) in &self.replacements {
            text = text.replace(from, to);
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        let mut before = None;
        while let Some(first) = rest.chars().next() {
            let at_word_start = !before.is_some_and(|c: char| c.is_alphanumeric() || c == '.');
            let (name, taken) = if at_word_start { named(rest) } else { (None, 0) };
            let taken = if name.is_some() { taken } else { first.len_utf8() };
            out.push_str(name.unwrap_or(&rest[..taken]));
            before = rest[..taken].chars().next_back();
            rest = &rest[taken..];
        }
        out
    }
}

/// The name for what `rest` starts with, and how many bytes it stands for.
fn named(rest: &str) -> (Option<&'static str>, usize) {
    let word_bytes = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let hex = rest.bytes().take(word_bytes).all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let id = match word_bytes {
        24 => "[spotlight]",
        32 => "[session]",
        40 => "[commit]",
        48 => "[pack]",
        64 => "[sha256]",
        _ => "",
    };
    if hex && !id.is_empty() {
        return (Some(id), word_bytes);
    }
    if let Some(taken) = timestamp_bytes(rest) {
        return (Some("[date]"), taken);
    }
    if let Some(taken) = duration_bytes(rest) {
        return (Some("[time]"), taken);
    }
    (None, 0)
}

/// The length of a timestamp that `rest` starts with.
fn timestamp_bytes(rest: &str) -> Option<usize> {
    const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd:dd";
    let bytes = rest.as_bytes();
    let fits = bytes.len() >= SHAPE.len()
        && SHAPE.iter().zip(bytes).all(|(shape, byte)| match shape {
            b'd' => byte.is_ascii_digit(),
            other => other == byte,
        });
    if !fits {
        return None;
    }
    let tail = &bytes[SHAPE.len()..];
    let fraction = tail.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    let zone = usize::from(tail.get(fraction) == Some(&b'Z'));
    Some(SHAPE.len() + fraction + zone)
}

/// The length of a duration that `rest` starts with: digits, perhaps a fraction, perhaps a blank, then `ms`, `µs` or `s`.
fn duration_bytes(rest: &str) -> Option<usize> {
    let whole = rest.bytes().take_while(u8::is_ascii_digit).count();
    if whole == 0 {
        return None;
    }
    let mut at = whole;
    if rest[at..].starts_with('.') {
        let fraction = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        at += if fraction > 0 { fraction + 1 } else { 0 };
    }
    let after = &rest[at..];
    let unit = after.strip_prefix(' ').unwrap_or(after);
    let unit_bytes = ["ms", "µs", "s"].iter().find_map(|known| {
        let tail = unit.strip_prefix(known)?;
        (!tail.starts_with(|c: char| c.is_alphanumeric())).then_some(known.len())
    })?;
    Some(at + (after.len() - unit.len()) + unit_bytes)
}

#[cfg(test)]
mod tests {
    use super::Mask;

    #[test]
    fn ids_of_known_lengths_get_names_and_others_stay() {
        let id = |length: usize| "a1".repeat(length / 2);
        let text = format!("<x-{}> '{}' {} {} {}", id(24), id(48), id(64), id(26), id(24).to_uppercase());
        let expected = format!("<x-[spotlight]> '[pack]' [sha256] {} {}", id(26), id(24).to_uppercase());
        assert_eq!(Mask::new().apply(&text), expected);
    }

    #[test]
    fn the_longer_path_wins() {
        let mask = Mask::new().path("/t/x", "[scratch]").path("/t/x/project", "[root]");
        assert_eq!(mask.apply("/t/x/project/a /t/x/home"), "[root]/a [scratch]/home");
    }

    #[test]
    fn times_and_dates_get_names() {
        let masked =
            Mask::new().apply("took 12 ms (1.5s, 3 s) at 2001-02-03T04:05:06.7Z in 3 steps, v1.2s9 é 7");
        assert_eq!(masked, "took [time] ([time], [time]) at [date] in 3 steps, v1.2s9 é 7");
    }
}
