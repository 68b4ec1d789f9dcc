//! Which clients cut an answer sooner than the contract's page. It knows names and lengths, nothing else.

use ::project::limits::PAGE_CHARS_MAX;

/// Characters of a page for a client that cuts at about 40,000 bytes, with room for markers and trailers.
const SHORT_PAGE_CHARS: usize = 36_000;

/// Names as clients send them in `clientInfo`, with the page they keep whole.
const SHORT_PAGES: &[(&str, usize)] = &[
    // Keeps 10,000 tokens of a result, counted as four bytes each, and drops the middle of anything longer: 40,000 bytes.
    ("codex-mcp-client", SHORT_PAGE_CHARS),
];

/// Characters of a page for the client of this name.
pub(crate) fn page_chars(client: &str) -> usize {
    SHORT_PAGES.iter().find(|(name, _)| *name == client).map_or(PAGE_CHARS_MAX, |(_, chars)| *chars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_clients_get_the_contracts_page_and_known_ones_a_shorter_one() {
        assert_eq!(page_chars("somebody"), PAGE_CHARS_MAX);
        assert_eq!(page_chars("codex-mcp-client"), 36_000);
        assert_eq!(page_chars("Codex-MCP-Client"), PAGE_CHARS_MAX);
    }
}
