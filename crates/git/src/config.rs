//! Reads the text of a git configuration file: sections, keys, values. It follows no include and runs nothing.

/// One assignment. Section and key are in lower case, the subsection is as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) section: String,
    pub(crate) subsection: Option<String>,
    pub(crate) key: String,
    pub(crate) value: String,
}

impl Setting {
    /// Whether this is `section.key` without a subsection.
    pub(crate) fn is(&self, section: &str, key: &str) -> bool {
        self.section == section && self.subsection.is_none() && self.key == key
    }

    /// The value as git reads a boolean; `None` when it is none.
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self.value.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" | "" => Some(false),
            _ => None,
        }
    }
}

/// The settings of `text` in order. Lines that are not understood are skipped: the caller only asks for what it
/// knows, and git itself would refuse the file.
pub(crate) fn settings(text: &str) -> Vec<Setting> {
    let mut found = Vec::new();
    let mut section: Option<(String, Option<String>)> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut rest = line.trim_start();
        if rest.starts_with('[') {
            let Some((head, after)) = header(rest) else {
                section = None;
                continue;
            };
            section = Some(head);
            rest = after.trim_start();
        }
        if rest.is_empty() || rest.starts_with(['#', ';']) {
            continue;
        }
        let Some((name, subsection)) = &section else { continue };
        let key_end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
        let (key, after) = rest.split_at(key_end);
        if key.is_empty() {
            continue;
        }
        let after = after.trim_start();
        let value = match after.strip_prefix('=') {
            Some(written) => value(written, &mut lines),
            // A key alone is true.
            None if after.is_empty() || after.starts_with(['#', ';']) => "true".to_owned(),
            None => continue,
        };
        found.push(Setting {
            section: name.clone(),
            subsection: subsection.clone(),
            key: key.to_ascii_lowercase(),
            value,
        });
    }
    found
}

/// `[section]`, `[section "sub"]` or the old `[section.sub]`, and what follows on the line.
fn header(line: &str) -> Option<((String, Option<String>), &str)> {
    let inside = line.strip_prefix('[')?;
    let name_end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '.')?;
    let (name, rest) = inside.split_at(name_end);
    let rest = rest.trim_start();
    if let Some(rest) = rest.strip_prefix(']') {
        let (section, sub) =
            name.split_once('.').map_or((name, None), |(a, b)| (a, Some(b.to_ascii_lowercase())));
        return Some(((section.to_ascii_lowercase(), sub), rest));
    }
    let mut sub = String::new();
    let mut chars = rest.strip_prefix('"')?.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let rest = rest[1 + at + 1..].trim_start().strip_prefix(']')?;
                return Some(((name.to_ascii_lowercase(), Some(sub)), rest));
            }
            '\\' => sub.push(chars.next()?.1),
            c => sub.push(c),
        }
    }
    None
}

/// A value with its quotes, escapes, comments and continued lines resolved.
fn value<'t>(written: &'t str, lines: &mut impl Iterator<Item = &'t str>) -> String {
    let mut out = String::new();
    // Trailing white space counts only inside quotes.
    let mut kept = 0;
    let mut is_quoted = false;
    let mut line = written.trim_start();
    loop {
        let mut chars = line.chars();
        let mut is_continued = false;
        while let Some(c) = chars.next() {
            match c {
                '"' => is_quoted = !is_quoted,
                '\\' => match chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('b') => out.push('\u{8}'),
                    Some(other) => out.push(other),
                    None => is_continued = true,
                },
                '#' | ';' if !is_quoted => break,
                c => out.push(c),
            }
            if is_quoted || !c.is_whitespace() {
                kept = out.len();
            }
        }
        match (is_continued, is_continued.then(|| lines.next()).flatten()) {
            (true, Some(next)) => line = next,
            _ => break,
        }
    }
    out.truncate(kept);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, Option<&str>, &str, &str)]) {
        let found = settings(text);
        let found: Vec<_> = found
            .iter()
            .map(|s| (s.section.as_str(), s.subsection.as_deref(), s.key.as_str(), s.value.as_str()))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn sections_keys_and_values_are_read_as_git_reads_them() {
        check("[core]\n\tignoreCase = true\n", &[("core", None, "ignorecase", "true")]);
        check("[Core] bare\n", &[("core", None, "bare", "true")]);
        check(
            "[submodule \"a \\\"b\"]\n path = x/y ; note\n url = \"# no comment\"  # yes\n",
            &[
                ("submodule", Some("a \"b"), "path", "x/y"),
                ("submodule", Some("a \"b"), "url", "# no comment"),
            ],
        );
        check("[a.B]\nk = one \\\n two\n", &[("a", Some("b"), "k", "one  two")]);
        check("x = 1\n[broken\ny = 2\n[ok]\nz=\n", &[("ok", None, "z", "")]);
    }

    #[test]
    fn booleans_have_their_usual_words() {
        let is = |value: &str| settings(&format!("[core]\nx = {value}"))[0].as_bool();
        assert_eq!(["true", "YES", "on", "1"].map(is), [Some(true); 4]);
        assert_eq!(["false", "no", "off", "0"].map(is), [Some(false); 4]);
        assert_eq!(is("maybe"), None);
    }
}
