//! `get_file`: one page of one effective file, redacted as a whole before any cut.

use content::{Class, PrepareRequest};
use disk::{Kind, Links, OpenFault, RelPath};
use fault::{Code, Failure, Fault, Text, Watch};
use redact::{Numbering, Stacks};
use reduce::Wanted;

use crate::answer::Payload;
use crate::choose::{below, existing};
use crate::faults;
use crate::page::{self, LineRange, PageLimits};
use crate::place::Place;
use crate::read::{FileContent, read};
use crate::request::FileRequest;
use crate::session::Session;

impl Session {
    /// Reads a page of a file of the baseline selection (contract, `get_file`). A link inside the root is followed
    /// to its target, which must be selected.
    ///
    /// # Errors
    /// `ROOT-VIOLATION`, `PATH-NOT-FOUND` (missing, a directory, outside the selection), `INVALID-RANGE`, and
    /// `PAYLOAD-TRUNCATED` for content that is no text or cannot be inspected.
    pub fn file(&self, request: &FileRequest, watch: &dyn Watch) -> Result<Payload, Failure> {
        self.file_within(request, self.page_limits(), watch)
    }

    /// The same without a limit of lines and characters: the command line's way.
    ///
    /// # Errors
    /// As [`Session::file`].
    pub fn file_unpaged(&self, request: &FileRequest, watch: &dyn Watch) -> Result<Payload, Failure> {
        self.file_within(request, PageLimits { max_lines: usize::MAX, max_chars: usize::MAX }, watch)
    }

    fn file_within(
        &self,
        request: &FileRequest,
        limits: PageLimits,
        watch: &dyn Watch,
    ) -> Result<Payload, Failure> {
        let root = &*self.resolve(&request.target, watch)?;
        let argument = request.path.as_str();
        let path = existing(root, argument).map_err(|fault| with_case_hint(root, argument, fault))?;
        let stat = root.stat(&path, Links::Refuse).map_err(|fault| faults::open(argument, fault, root))?;
        match stat.kind {
            Kind::File => {}
            Kind::Directory => return Err(faults::open(argument, OpenFault::NotAFile, root).into()),
            Kind::Link | Kind::Special => return Err(faults::open(argument, OpenFault::Special, root).into()),
        }
        let Some(selected) = self.select_one(root, &path, watch)? else {
            return Err(Fault::new(
                Code::PathNotFound,
                Text::new("the file '").argument(argument).and(
                    "' exists but is outside the effective selection (ignore rules or exclusions hide it); use a path \
                     from get_tree",
                ),
            )
            .into());
        };
        let address = path.to_address();
        let prepare = PrepareRequest {
            path: &address,
            stacks: Stacks::from_bits(selected.stack_bits),
            policy: &self.policy,
            wanted: Wanted::none(),
            clean: self.clean_texts(),
        };
        let prepared = match read(root, &path, &prepare, watch)? {
            FileContent::Text(prepared) => prepared,
            FileContent::Other(class) => return Err(withheld(argument, class, root).into()),
        };
        let range = LineRange { start_line: request.start_line, end_line: request.end_line };
        let page = match prepared.clean_text() {
            Some(text) => page::of_text(text, range, limits)?,
            None => {
                let mut numbering = Numbering::new();
                let text = prepared.mask(&mut numbering).into_text();
                page::of_text(&self.sealed(numbering.tripwire(), text), range, limits)?
            }
        };
        Ok(Payload { text: page.text, trailers: page.trailers })
    }
}

fn withheld(argument: &str, class: Class, root: &Place) -> Fault {
    match class {
        Class::Binary => faults::not_text(argument, "is binary"),
        Class::UnsupportedEncoding => faults::not_text(
            argument,
            "is in an unsupported encoding (neither UTF-8 nor text with a byte-order mark)",
        ),
        Class::TooLarge => faults::too_large(argument),
        Class::Missing => faults::open(argument, OpenFault::NotFound, root),
        Class::AccessDenied => faults::open(argument, OpenFault::Denied, root),
        Class::Unreadable | Class::Text => faults::open(argument, OpenFault::Unreadable, root),
    }
}

/// Says so when something of the same name in another case exists: names are compared exactly.
fn with_case_hint(root: &Place, argument: &str, fault: Fault) -> Fault {
    if fault.code != Code::PathNotFound || !differs_only_in_case(root, argument) {
        return fault;
    }
    let text = Text::default()
        .text(&fault.text)
        .and("; a path that differs only in case exists, and case must match exactly");
    Fault::new(fault.code, text)
}

fn differs_only_in_case(root: &Place, argument: &str) -> bool {
    let Ok(path) = below(root, argument) else { return false };
    let mut dir = RelPath::root();
    let mut is_other_case = false;
    for wanted in path.components() {
        let Ok(entries) = root.list(&dir) else { return false };
        let wanted_folded = String::from_utf8_lossy(wanted).to_lowercase();
        let same = entries.iter().find(|entry| *entry.name == *wanted).or_else(|| {
            entries.iter().find(|entry| String::from_utf8_lossy(&entry.name).to_lowercase() == wanted_folded)
        });
        let Some(entry) = same else { return false };
        is_other_case |= *entry.name != *wanted;
        dir = dir.join(&entry.name);
    }
    is_other_case
}
