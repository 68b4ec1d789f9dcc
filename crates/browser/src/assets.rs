//! The page, its script and its style: constants that hold nothing of any project.

/// Bytes of all of them together, at most.
#[cfg(test)]
const BYTES_MAX: usize = 80 * 1024;

/// The page.
pub(crate) const PAGE: &str = include_str!("assets/app.html");
/// Its style.
pub(crate) const STYLE: &str = include_str!("assets/app.css");
/// Its script.
pub(crate) const SCRIPT: &str = include_str!("assets/base.js");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_at_most_80_kib_in_all() {
        let bytes = PAGE.len() + STYLE.len() + SCRIPT.len();
        assert!(bytes <= BYTES_MAX, "{bytes}");
    }

    #[test]
    fn the_page_asks_for_nothing_elsewhere_and_makes_no_markup_of_text() {
        for text in [PAGE, STYLE, SCRIPT] {
            for forbidden in [
                "https://",
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "new Function",
                "DOMParser",
                "srcdoc",
                "localStorage",
                "document.cookie",
                "@import",
                "url(",
            ] {
                assert!(!text.contains(forbidden), "{forbidden}");
            }
        }
        let addresses: Vec<&str> =
            SCRIPT.match_indices("http://").map(|(at, _)| &SCRIPT[at..at + 26]).collect();
        assert!(addresses.iter().all(|address| *address == "http://www.w3.org/2000/svg"), "{addresses:?}");
    }

    #[test]
    fn markup_has_no_style_and_no_script_of_its_own() {
        assert!(!PAGE.contains(" style=") && !PAGE.contains("<style") && !PAGE.contains(" on"));
        assert_eq!(PAGE.matches("<script").count(), 1);
        assert!(PAGE.contains("<script type=\"module\" src=\"/app.js\"></script>"));
    }
}
