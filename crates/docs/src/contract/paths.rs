//! `[paths]` and the outputs of views: what the product may write must lie inside the project and away from every
//! document (spec C2, acceptance case A9). It looks at no disk.

use std::ops::Range;

use crate::contract::Paths;
use crate::contract::form::Form;
use crate::contract::manifest::{Faults, MANIFEST_NAME};
use crate::contract::sources::Sources;
use crate::contract::views::View;

const KEYS: [(&str, &str); 4] = [
    ("changesets", ".docforge/changesets"),
    ("previews", ".docforge/previews"),
    ("index", ".docforge/index/project.dfx"),
    ("baselines", ".docforge/baselines"),
];

/// Reads the paths, and checks them and every output against each other and against the sources.
pub(super) fn read(root: &Form<'_, '_>, sources: &Sources, views: &[View], faults: &Faults<'_>) -> Paths {
    let section = root.table("paths").and_then(|entry| Form::open(entry, "[paths]", faults));
    let mut found: Vec<(&str, String, Range<usize>)> = Vec::new();
    for (key, default) in KEYS {
        let word = section.as_ref().and_then(|form| form.word(key, 1..=1_024));
        let span = word.as_ref().map_or(0..0, |word| word.span.clone());
        let path = word.map_or_else(|| default.to_owned(), |word| word.text);
        if let Some(reason) = unsafe_form(&path) {
            faults.add(&span, format!("`{key}` of [paths] {reason}"));
            // What is no path is not compared with other paths.
            continue;
        }
        if let Some(source) = sources.globs.iter().position(|globs| {
            globs.may_claim_below(&path) || globs.include.iter().any(|glob| glob.matches(&path))
        }) {
            let id = &sources.defs[source].id;
            faults.add(&span, format!("`{key}` of [paths] lies inside what the source `{id}` includes"));
        }
        for (other, other_path, _) in &found {
            if *other_path == path {
                faults.add(&span, format!("`{key}` and `{other}` of [paths] are the same path"));
            } else if is_below(&path, other_path) || is_below(other_path, &path) {
                faults.add(&span, format!("`{key}` and `{other}` of [paths] lie inside each other"));
            }
        }
        found.push((key, path, span));
    }
    if let Some(form) = section {
        form.close();
    }
    check_outputs(sources, views, &found, faults);
    let path_of = |wanted: &str| {
        let one = found.iter().find(|(key, ..)| *key == wanted);
        one.map(|(_, path, _)| path.clone()).unwrap_or_default()
    };
    Paths {
        changesets: path_of("changesets"),
        previews: path_of("previews"),
        index: path_of("index"),
        baselines: path_of("baselines"),
    }
}

fn check_outputs(
    sources: &Sources,
    views: &[View],
    paths: &[(&str, String, Range<usize>)],
    faults: &Faults<'_>,
) {
    for (at, view) in views.iter().enumerate() {
        let (Some(output), Some(span)) = (&view.def.output, &view.output_span) else { continue };
        let name = &view.def.name;
        if let Some(reason) = unsafe_form(output) {
            faults.add(span, format!("`output` of [views.{name}] {reason}"));
            continue;
        }
        if !output.ends_with(".html") {
            faults.add(span, format!("`output` of [views.{name}] does not end in .html"));
        }
        if let Some(source) = sources.globs.iter().position(|globs| globs.claims(output)) {
            let id = &sources.defs[source].id;
            faults.add(span, format!("`output` of [views.{name}] is a file of the source `{id}`"));
        }
        if let Some(earlier) = views[..at].iter().find(|other| other.def.output.as_ref() == Some(output)) {
            faults.add(
                span,
                format!("`output` of [views.{name}] is also that of [views.{}]", earlier.def.name),
            );
        }
        for (key, path, path_span) in paths {
            // The finding stands at the path when the manifest gives it, else at the output.
            let span = if path_span.is_empty() { span } else { path_span };
            if path == output {
                faults.add(span, format!("`{key}` of [paths] equals the output of [views.{name}]"));
            } else if is_below(output, path) || is_below(path, output) {
                faults.add(
                    span,
                    format!("`{key}` of [paths] and the output of [views.{name}] lie inside each other"),
                );
            }
        }
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Why a path may not be written; `None` when it may.
fn unsafe_form(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.starts_with('/') || path.get(1..3).is_some_and(|drive| drive.starts_with(':')) {
        return Some("is absolute; write it relative to the project root");
    }
    if path.contains('\\') {
        return Some("holds a backslash; separate folders with `/`");
    }
    if path.chars().any(|one| one.is_control() || is_format(one)) {
        return Some("holds a character that does not show");
    }
    for part in path.split('/') {
        match part {
            "" => return Some("has an empty segment"),
            "." => return Some("has a `.` segment"),
            ".." => return Some("has a `..` segment; it must stay inside the project"),
            _ if part.eq_ignore_ascii_case(".git") => return Some("lies inside .git"),
            _ => {}
        }
    }
    if path == MANIFEST_NAME {
        return Some("is the manifest itself");
    }
    None
}

/// The format characters that matter in a path: direction marks, zero width, tags.
fn is_format(one: char) -> bool {
    matches!(u32::from(one), 0xAD | 0x061C | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xE0000..=0xE007F)
}
