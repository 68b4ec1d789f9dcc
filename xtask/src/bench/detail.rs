//! `cargo xtask bench detail`: what the detail levels make of real code, language by language, and what that costs beside
//! the bare parser and beside a public packer that compresses. It fetches packages and knows no syntax.

mod sources;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use fault::Unwatched;
use nix::sys::resource::{UsageWho, getrusage};
use reduce::{Doubt, Edit, Tier, apply, attempt, language_of, languages, outline, parse_alone};

use super::measure::{Run, in_turn};
use super::{build, peers};
use crate::workspace::Workspace;

const USAGE: &str = "\
usage: cargo xtask bench detail [--mib N] [--only LANGUAGE] [--folder DIR]... [--show] [--install-peers] [--binary PATH]

  --mib N           MiB of each language at most [default: 8]
  --only LANGUAGE   only this language, and no comparison with other programs
  --folder DIR      measure this folder instead of the packages
  --show            name every file that is not reduced although it could be
  --install-peers   install the peers from their registries into .peers first
  --binary PATH     compare this binary instead of building the release binary

Speed counts only in a release build: cargo run --release -p xtask -- bench detail
";

/// Larger files are data more often than code.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

struct Options {
    mib: u64,
    only: Option<String>,
    folders: Vec<PathBuf>,
    show: bool,
    install_peers: bool,
    binary: Option<PathBuf>,
}

/// Reads the arguments after `bench detail` and runs it.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> ExitCode {
    let options = match options(arguments) {
        Ok(options) => options,
        Err(said) => {
            eprint!("{said}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match bench(workspace, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(said) => {
            eprintln!("{said}");
            ExitCode::FAILURE
        }
    }
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options =
        Options { mib: 8, only: None, folders: Vec::new(), show: false, install_peers: false, binary: None };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--mib" => {
                options.mib = value()?.parse().ok().filter(|mib| *mib > 0).ok_or("--mib needs a number")?;
            }
            "--only" => options.only = Some(value()?.to_lowercase()),
            "--folder" => options.folders.push(PathBuf::from(value()?)),
            "--show" => options.show = true,
            "--install-peers" => options.install_peers = true,
            "--binary" => options.binary = Some(PathBuf::from(value()?)),
            other => return Err(format!("no such option: {other}")),
        }
    }
    Ok(options)
}

fn bench(workspace: &Workspace, options: &Options) -> Result<(), String> {
    let folders =
        if options.folders.is_empty() { sources::make(workspace)? } else { options.folders.clone() };
    let mut texts: BTreeMap<&'static str, Vec<Source>> = BTreeMap::new();
    for folder in &folders {
        collect(folder, options.mib << 20, &mut texts);
    }
    print!("{HEAD}");
    let mut all = Figures::default();
    for (language, sources) in &texts {
        if options.only.as_ref().is_some_and(|only| *only != language.to_lowercase()) {
            continue;
        }
        let figures = measure(sources, options.show);
        println!("{}", figures.row(language));
        all.add(&figures);
    }
    println!("{}", all.row("all"));
    println!();
    hostile();
    if options.only.is_some() || !options.folders.is_empty() {
        return Ok(());
    }
    compare(workspace, options)
}

const HEAD: &str = "
Shrink is that of the estimated tokens. *Sound* is the share of reduced files that parse with no more defects than before and
declare the same, at both levels. *Pace* is the speed of `signatures` against that of the bare parser on the same files.

| language | files | MB | reduced | stay complete | sound | signatures | compact | parser, MB/CPU s | ours | pace |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
";

/// One file of a language.
struct Source {
    path: String,
    text: String,
    /// Whether its language has bodies to collapse.
    has_bodies: bool,
}

#[derive(Clone, Debug, Default)]
struct Figures {
    files: usize,
    bytes: usize,
    /// Files of which something was taken out at the deepest level.
    reduced: usize,
    /// Reduced texts, and those of them that hold what they should.
    checked: usize,
    sound: usize,
    doubts: BTreeMap<Doubt, usize>,
    /// Estimated tokens of files with bodies: before, after `signatures`.
    bodied: [u64; 2],
    /// Estimated tokens of all files: before, after `compact`.
    tokens: [u64; 2],
    parser_s: f64,
    ours_s: f64,
}

impl Figures {
    fn add(&mut self, other: &Figures) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.reduced += other.reduced;
        self.checked += other.checked;
        self.sound += other.sound;
        for (doubt, count) in &other.doubts {
            *self.doubts.entry(*doubt).or_default() += count;
        }
        for at in 0..2 {
            self.bodied[at] += other.bodied[at];
            self.tokens[at] += other.tokens[at];
        }
        self.parser_s += other.parser_s;
        self.ours_s += other.ours_s;
    }

    fn row(&self, name: &str) -> String {
        let megabytes = self.bytes as f64 / 1e6;
        let shrink = |[before, after]: [u64; 2]| match before {
            0 => "–".to_owned(),
            before => format!("{:.0} %", 100.0 - 100.0 * after as f64 / before as f64),
        };
        format!(
            "| {name} | {} | {megabytes:.1} | {} | {} | {:.2} % | {} | {} | {:.1} | {:.1} | {:.2} |",
            self.files,
            self.reduced,
            self.reasons(),
            100.0 * self.sound as f64 / self.checked.max(1) as f64,
            shrink(self.bodied),
            shrink(self.tokens),
            megabytes / self.parser_s.max(1e-9),
            megabytes / self.ours_s.max(1e-9),
            self.parser_s / self.ours_s.max(1e-9),
        )
    }

    /// Why files stay complete: there was nothing to take out, or the kind of doubt.
    fn reasons(&self) -> String {
        let word = |doubt: &Doubt| match doubt {
            Doubt::NotSmaller => "nothing to take".to_owned(),
            other => format!("{other:?}"),
        };
        let reasons: Vec<String> =
            self.doubts.iter().map(|(doubt, count)| format!("{} {count}", word(doubt))).collect();
        if reasons.is_empty() { "–".to_owned() } else { reasons.join(", ") }
    }
}

/// Every file below `folder` of a supported language, in the order of names, up to `most` bytes of each language.
fn collect(folder: &Path, most: u64, texts: &mut BTreeMap<&'static str, Vec<Source>>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let Ok(stat) = entry.metadata() else { continue };
        if stat.is_dir() {
            collect(&path, most, texts);
        } else if stat.is_file() && stat.len() <= FILE_BYTES_MAX {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let path = path.display().to_string();
            if is_made(&path, &text) {
                continue;
            }
            let Some(language) = language_of(&path, &text) else { continue };
            let sources = texts.entry(language.name).or_default();
            let so_far: usize = sources.iter().map(|source| source.text.len()).sum();
            if (so_far + text.len()) as u64 <= most {
                sources.push(Source { path, text, has_bodies: language.bodies });
            }
        }
    }
}

/// Whether a program wrote it: minified or generated text is no ordinary code.
fn is_made(path: &str, text: &str) -> bool {
    let says_so =
        |line: &str| ["@generated", "generated by", "do not edit"].iter().any(|mark| line.contains(mark));
    path.contains(".min.")
        || text.lines().take(20).any(|line| line.len() > 5_000)
        || text.lines().take(5).any(|line| says_so(&line.to_lowercase()))
}

fn measure(sources: &[Source], show: bool) -> Figures {
    let mut figures = Figures { files: sources.len(), ..Figures::default() };
    let before = cpu_s();
    for source in sources {
        parse_alone(&source.text, &source.path);
    }
    figures.parser_s = cpu_s() - before;
    let before = cpu_s();
    let outcomes: Vec<_> = sources.iter().map(|source| edits(source, Tier::Signatures)).collect();
    figures.ours_s = cpu_s() - before;
    for (source, outcome) in sources.iter().zip(outcomes) {
        figures.bytes += source.text.len();
        let whole = tokens(&source.text);
        let compact = edits(source, Tier::Compact).unwrap_or_default();
        figures.tokens[0] += whole;
        figures.tokens[1] += tokens(&apply(&source.text, &compact));
        let deepest = match outcome {
            Ok(edits) => edits,
            Err(doubt) => {
                *figures.doubts.entry(doubt).or_default() += 1;
                if show && doubt != Doubt::NotSmaller {
                    println!("{doubt:?}: {}", source.path);
                }
                Vec::new()
            }
        };
        figures.reduced += usize::from(!deepest.is_empty());
        if source.has_bodies {
            figures.bodied[0] += whole;
            figures.bodied[1] += tokens(&apply(&source.text, &deepest));
        }
        for edits in [deepest, compact].iter().filter(|edits| !edits.is_empty()) {
            figures.checked += 1;
            let is_sound = is_sound(source, edits);
            figures.sound += usize::from(is_sound);
            if !is_sound {
                println!("not sound: {}", source.path);
            }
        }
    }
    figures
}

fn edits(source: &Source, tier: Tier) -> Result<Vec<Edit>, Doubt> {
    attempt(&source.text, &source.path, tier.wanted(), &Unwatched).unwrap_or(Err(Doubt::TooSlow))
}

/// Whether the reduced text has no more defects, and declares what the whole one declares outside of what went.
fn is_sound(source: &Source, edits: &[Edit]) -> bool {
    let (Some(before), Some(after)) =
        (outline(&source.text, &source.path), outline(&apply(&source.text, edits), &source.path))
    else {
        return false;
    };
    let went = |range: &std::ops::Range<usize>| {
        let at = edits.partition_point(|edit| edit.range.start <= range.start);
        at > 0 && range.end <= edits[at - 1].range.end
    };
    let kept = before.declarations.iter().filter(|(range, _)| !went(range)).map(|(_, name)| name);
    after.defects <= before.defects && kept.eq(after.declarations.iter().map(|(_, name)| name))
}

/// The estimate of the contract: a quarter of the characters, rounded up.
fn tokens(text: &str) -> u64 {
    (text.chars().count() as u64).div_ceil(4)
}

/// Packs one tree at `signatures`, beside a packer that compresses.
fn compare(workspace: &Workspace, options: &Options) -> Result<(), String> {
    if options.install_peers {
        peers::install(workspace)?;
    }
    let binary = match &options.binary {
        Some(path) => path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?,
        None => build(workspace)?,
    };
    let size = std::fs::metadata(&binary).map_or(0, |stat| stat.len());
    println!("\nThe binary with all grammars has {:.1} MiB.\n", size as f64 / f64::from(1 << 20));
    let tree = sources::python(workspace)?.display().to_string();
    let out = workspace.path(".bench/detail.out");
    let ours =
        [binary.display().to_string(), "pack".into(), "--detail".into(), "signatures".into(), tree.clone()];
    let mut sides = vec![("readroom pack --detail signatures", Run::new(workspace.root(), ours).to(&out))];
    let peers = peers::find(workspace);
    for name in ["repomix", "repomix (newer)"] {
        let Some(peer) = peers.found.get(name) else {
            println!("{name} is not installed: pass --install-peers.");
            continue;
        };
        let mut command = peer.command.clone();
        let file = out.display().to_string();
        command.extend([&tree, "--quiet", "--compress", "--output", &file].map(|word| word.to_owned()));
        sides.push((name, Run::new(workspace.root(), command)));
    }
    let costs = in_turn(&sides.iter().map(|(_, run)| run).collect::<Vec<_>>(), 3);
    println!("| Django 5.2.19, signatures | CPU s | ratio | wall s | MiB |\n|---|---:|---:|---:|---:|");
    let first = costs.first().and_then(|cost| cost.as_ref().ok()).map_or(f64::NAN, |cost| cost.cpu_s);
    for ((name, _), cost) in sides.iter().zip(&costs) {
        match cost {
            Ok(cost) => println!(
                "| {name} | {:.2} | {:.2} | {:.2} | {:.0} |",
                cost.cpu_s,
                cost.cpu_s / first,
                cost.wall_s,
                cost.peak_mib
            ),
            Err(said) => println!("| {name} | {said} | | | |"),
        }
    }
    let _ = std::fs::remove_file(out);
    Ok(())
}

/// Texts made to exhaust a parser, in every language.
fn hostile() {
    println!("| text | slowest language | CPU s | stays complete |\n|---|---|---:|---|");
    let chain = "if (a) b(); else ".repeat(50_000);
    for (name, text) in [
        ("100,000 open parentheses", "(".repeat(100_000)),
        ("500,000 unterminated strings", "\"a\n".repeat(500_000)),
        ("200,000 times `a<`", "a<".repeat(200_000)),
        ("a chain of 50,000 `else`", format!("int f() {{ {chain}; }}\n")),
    ] {
        let mut slowest = (0.0, "");
        let mut is_complete = true;
        for language in languages() {
            let Some(extension) = language.extensions.first() else { continue };
            let source =
                Source { path: format!("a.{extension}"), text: text.clone(), has_bodies: language.bodies };
            let before = cpu_s();
            let outcome = edits(&source, Tier::Signatures);
            let took = cpu_s() - before;
            is_complete &= outcome.is_err();
            if took > slowest.0 {
                slowest = (took, language.name);
            }
        }
        println!(
            "| {name} | {} | {:.2} | {} |",
            slowest.1,
            slowest.0,
            if is_complete { "yes" } else { "no" }
        );
    }
}

fn cpu_s() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return f64::NAN };
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_unknown_ones_refused() {
        let read = |line: &str| options(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let full =
            read("--mib 2 --only Rust --folder /a --folder /b --show --install-peers --binary /b").unwrap();
        assert_eq!((full.mib, full.only.as_deref(), full.folders.len()), (2, Some("rust"), 2));
        assert!(full.show && full.install_peers && full.binary.is_some());
        for line in ["--mib", "--mib 0", "--fast", "rust"] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn figures_tell_a_reduced_file_from_one_that_stays() {
        let source = |path: &str, text: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
            has_bodies: true,
        };
        let body = "fn a() {\n    let one = 1;\n    let two = 2;\n    one + two;\n}\n";
        let figures = measure(&[source("a.rs", body), source("b.rs", "struct B;\n")], false);
        assert_eq!((figures.files, figures.reduced, figures.checked, figures.sound), (2, 1, 1, 1));
        assert_eq!(figures.doubts.get(&Doubt::NotSmaller), Some(&1));
        assert!(figures.bodied[1] < figures.bodied[0] && figures.tokens[1] == figures.tokens[0]);
    }
}
