//! How long a selection of a folder takes: `select DIR [runs]`. Prints the median wall and what was found.

#![expect(clippy::print_stdout, reason = "an example that talks to a person")]

use std::path::Path;
use std::time::Instant;

use disk::Root;
use fault::Unwatched;
use select::{Globs, Narrow, Policy, RepoRules, Sizes, Toggles, is_selected, select};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let dir = arguments.next().expect("the first argument is a folder");
    let runs: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(5);
    let root = Root::pin(Path::new(&dir)).expect("the folder can be opened");
    let baseline = Policy { repository: Some(RepoRules::default()), ..Policy::default() };
    let standard = Policy { toggles: Toggles::standard(), ..baseline.clone() };
    let globs: Vec<String> = (0..256).map(|number| format!("**/*{number}*/**/*.{{c,h}}")).collect();
    let include = Globs::compile(&globs).expect("the globs are valid");
    let narrowed = Narrow { include, ..Narrow::default() };
    let plain = Narrow::default();
    for (title, policy, narrow, sizes) in [
        ("baseline", &baseline, &plain, Sizes::AsNeeded),
        ("baseline, all sizes", &baseline, &plain, Sizes::All),
        ("standard", &standard, &plain, Sizes::AsNeeded),
        ("256 globs", &baseline, &narrowed, Sizes::AsNeeded),
    ] {
        let mut times = Vec::new();
        let mut found = None;
        for _ in 0..runs {
            let start = Instant::now();
            found = Some(select(&root, policy, narrow, sizes, &Unwatched));
            times.push(start.elapsed());
        }
        times.sort();
        match found {
            Some(Ok(selection)) => println!(
                "{title}: {:?}, {} files, {} folders, {:?}",
                times[runs / 2],
                selection.files.len(),
                selection.folders.len(),
                selection.partial
            ),
            other => println!("{title}: {:?} {other:?}", times[runs / 2]),
        }
    }
    let selection = select(&root, &baseline, &plain, Sizes::AsNeeded, &Unwatched).expect("selected before");
    if let Some(file) = selection.files.get(selection.files.len() / 2) {
        let start = Instant::now();
        let alone = is_selected(&root, &baseline, &file.path, &Unwatched);
        println!("one file: {:?} {alone:?}", start.elapsed());
    }
}
