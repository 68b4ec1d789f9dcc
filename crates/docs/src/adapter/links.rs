//! What the Markdown of a body links to and which headings it has. Code never counts: only the events of the parser are
//! looked at. It looks no target up.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::options::Inline;
use crate::parsed::{LinkSyntax, ParsedMention};
use crate::place::Lines;
use crate::tree::Span;

/// What a body holds besides words.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) headings: Vec<String>,
    /// The first heading of the first level.
    pub(crate) first_title: Option<String>,
    pub(crate) mentions: Vec<ParsedMention>,
    pub(crate) references: Vec<(String, Span)>,
    pub(crate) external: Vec<String>,
}

/// The events of Markdown as documents use it.
pub(crate) fn markdown_options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
}

/// Reads `text[range]` of a file.
pub(crate) fn read(text: &str, range: Range<usize>, inline: &[Inline], lines: &Lines<'_>) -> Found {
    let part = &text[range.clone()];
    let at = |place: &Range<usize>| lines.span(range.start + place.start..range.start + place.end);
    let mut found = Found::default();
    let mut heading: Option<(HeadingLevel, String)> = None;
    let mut prose: Vec<Range<usize>> = Vec::new();
    let mut in_code = false;
    for (event, place) in Parser::new_ext(part, markdown_options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level, String::new())),
            Event::End(TagEnd::Heading(_)) => {
                if let Some((level, title)) = heading.take() {
                    let title = title.trim().to_owned();
                    if level == HeadingLevel::H1 && found.first_title.is_none() {
                        found.first_title = Some(title.clone());
                    }
                    found.headings.push(title);
                }
            }
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                destination(&dest_url, &at(&place), inline, &mut found);
            }
            Event::Text(words) if !in_code => {
                if let Some((_, title)) = &mut heading {
                    title.push_str(&words);
                }
                match prose.last_mut() {
                    // A backslash that escapes the next character is no event of its own.
                    Some(last) if place.start == last.end || part[last.end..place.start] == *"\\" => {
                        last.end = place.end;
                    }
                    _ => prose.push(place),
                }
            }
            Event::Code(words) => {
                if let Some((_, title)) = &mut heading {
                    title.push_str(&words);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((_, title)) = &mut heading {
                    title.push(' ');
                }
            }
            _ => {}
        }
    }
    for place in prose {
        inline_links(part, place, inline, &at, &mut found);
    }
    found.mentions.sort_by_key(|mention| mention.span.start);
    found
}

fn destination(url: &str, span: &Span, inline: &[Inline], found: &mut Found) {
    if has_scheme(url) || url.starts_with("//") {
        if !found.external.iter().any(|known| known == url) {
            found.external.push(url.to_owned());
        }
        return;
    }
    if url.is_empty() {
        return;
    }
    found.references.push((url.to_owned(), *span));
    let path = url.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() {
        return;
    }
    for reader in inline.iter().filter(|reader| reader.syntax == LinkSyntax::Relative) {
        found.mentions.push(ParsedMention {
            relation: reader.relation.clone(),
            syntax: LinkSyntax::Relative,
            target: percent_decoded(path),
            span: *span,
        });
    }
}

/// Whether an address begins with a scheme such as `https:`.
pub(crate) fn has_scheme(url: &str) -> bool {
    url.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    })
}

/// `%20` and its like as the characters that they stand for; what is no valid text stays as it is.
pub(crate) fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) if bytes[at] == b'%' => {
                out.push(byte);
                at += 3;
            }
            _ => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// Wikilinks, embeds and patterns in a run of prose. Brackets are looked at once, from left to right.
fn inline_links(
    part: &str,
    place: Range<usize>,
    inline: &[Inline],
    at: &dyn Fn(&Range<usize>) -> Span,
    found: &mut Found,
) {
    let prose = &part[place.clone()];
    let wants = |syntax| inline.iter().filter(move |reader: &&Inline| reader.syntax == syntax);
    let mut push = |reader: &Inline, target: &str, range: Range<usize>| {
        found.mentions.push(ParsedMention {
            relation: reader.relation.clone(),
            syntax: reader.syntax,
            target: target.to_owned(),
            span: at(&(place.start + range.start..place.start + range.end)),
        });
    };
    let mut from = 0;
    while let Some(open) = prose[from..].find("[[").map(|open| from + open) {
        let Some(close) = prose[open + 2..].find("]]").map(|close| open + 2 + close) else { break };
        // The innermost pair counts.
        let open = prose[open..close].rfind("[[").map_or(open, |inner| open + inner);
        let is_embed = prose[..open].ends_with('!');
        let syntax = if is_embed { LinkSyntax::Embed } else { LinkSyntax::Wikilink };
        if let Some(target) = wikilink_target(&prose[open + 2..close]) {
            for reader in wants(syntax) {
                push(reader, &target, open - usize::from(is_embed)..close + 2);
            }
        }
        from = close + 2;
    }
    for reader in wants(LinkSyntax::Pattern) {
        let Some(pattern) = &reader.pattern else { continue };
        for captures in pattern.regex.captures_iter(prose) {
            if let Some(group) = captures.get_group(1) {
                push(reader, &prose[group.range()], group.range());
            }
        }
    }
}

/// The target of `[[target#anchor|label]]`; none for an anchor of the same file.
pub(crate) fn wikilink_target(inside: &str) -> Option<String> {
    let end = inside.find('|').unwrap_or(inside.len());
    let target = inside[..end].strip_suffix('\\').unwrap_or(&inside[..end]);
    let target = target.split(['#', '^']).next().unwrap_or_default().trim();
    (!target.is_empty() && !target.contains('\n')).then(|| target.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(syntax: LinkSyntax) -> Inline {
        Inline { syntax, pattern: None, relation: "links".to_owned() }
    }

    fn targets(text: &str) -> Vec<String> {
        let inline = [reader(LinkSyntax::Wikilink), reader(LinkSyntax::Embed), reader(LinkSyntax::Relative)];
        let found = read(text, 0..text.len(), &inline, &Lines::of(text));
        let shown =
            |mention: ParsedMention| format!("{:?}:{}@{}", mention.syntax, mention.target, mention.span.line);
        found.mentions.into_iter().map(shown).collect()
    }

    #[test]
    fn links_are_read_from_prose_and_never_from_code() {
        let text = "See [[One]] and [[Two|label]], ![[pic.png]].\n\n`[[code]]`\n\n```\n[[fence]]\n```\n\n    [[indented]]\n\n| a |\n|---|\n| [[Three\\|x]] |\n\n[b](sub/four.md#x) [c](https://example.org) [[#own]] [[Five#part]]\n";
        assert_eq!(
            targets(text),
            [
                "Wikilink:One@1",
                "Wikilink:Two@1",
                "Embed:pic.png@1",
                "Wikilink:Three@13",
                "Relative:sub/four.md@15",
                "Wikilink:Five@15"
            ]
        );
    }

    #[test]
    fn a_hundred_thousand_brackets_are_read_in_one_go() {
        assert_eq!(targets(&"[[".repeat(100_000)), Vec::<String>::new());
        assert_eq!(targets(&"[[a]] ".repeat(1_000)).len(), 1_000);
        assert_eq!(targets("[[[[a]]"), ["Wikilink:a@1"]);
    }

    #[test]
    fn headings_and_addresses_are_listed() {
        let text =
            "# A `code` title\n\nwords <https://example.org/a>\n\nSub\n---\n\n[x](other.md) [y](#here)\n";
        let found = read(text, 0..text.len(), &[], &Lines::of(text));
        assert_eq!(found.headings, ["A code title", "Sub"]);
        assert_eq!(found.first_title.as_deref(), Some("A code title"));
        assert_eq!(found.external, ["https://example.org/a"]);
        let references: Vec<_> = found.references.iter().map(|(to, _)| to.as_str()).collect();
        assert_eq!(references, ["other.md", "#here"]);
    }

    #[test]
    fn percent_signs_are_undone_where_they_mean_something() {
        assert_eq!(percent_decoded("a%20b%C3%A4"), "a bä");
        assert_eq!(percent_decoded("100%"), "100%");
        assert_eq!(percent_decoded("%ff"), "%ff");
    }
}
