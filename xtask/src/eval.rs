//! How well redaction finds what it should and leaves what it should: `cargo xtask eval redaction`. It measures the detector and
//! the public scanners on the same inputs, and knows no rule.

mod judged;
mod negatives;
mod samples;
mod scanners;
mod score;
mod speed;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::workspace::Workspace;

/// What is measured and with what.
#[derive(Debug)]
struct Options {
    /// Where the generator starts.
    seed: u64,
    /// How many samples each template of a provider rule gives.
    per_template: usize,
    /// Whether the public scanners are installed first.
    install_peers: bool,
    /// Whether every miss and every false mask is printed.
    show: bool,
    /// A folder of files with a label file, measured besides.
    labelled: Option<PathBuf>,
    /// Folders of clean code, besides the largest crates of the registry cache.
    clean: Vec<PathBuf>,
}

const USAGE: &str = "\
usage: cargo xtask eval redaction [--seed N] [--per-template N] [--labelled FOLDER] [--clean FOLDER]… [--show] [--install-peers]

  --seed N           where the generator starts (1)
  --per-template N   samples from each template of a provider rule (3)
  --labelled FOLDER  measure a folder that has a `labels.tsv`: file, line number, + or -
  --clean FOLDER     count false masks in this folder instead of the 20 largest crates of the registry cache
  --show             print every miss and every false mask
  --install-peers    install the public scanners from their registries into .peers first

Speed counts only in a release build: cargo run --release -p xtask -- eval redaction
";

/// Runs `eval`.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> ExitCode {
    let options = match options(arguments) {
        Ok(options) => options,
        Err(said) => {
            eprint!("{said}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match measure(workspace, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(said) => {
            eprintln!("{said}");
            ExitCode::FAILURE
        }
    }
}

fn measure(workspace: &Workspace, options: &Options) -> Result<(), String> {
    if options.install_peers {
        scanners::install(workspace)?;
    }
    let mut samples = samples::generate(options.seed, options.per_template);
    samples.extend(negatives::samples(options.seed));
    let judged = judged::lines(&workspace.text("fixtures/redaction/judged.tsv"))?;
    println!("| set | values | found | false masks | recall | precision | F1 |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let mut table = score::Table::default();
    for sample in samples.iter().chain(&judged) {
        table.add(sample, options.show);
    }
    print!("{table}");
    if let Some(folder) = &options.labelled {
        print!("{}", judged::folder(folder, options.show)?);
    }
    println!();
    speed::clean_code(&options.clean, options.show);
    println!();
    speed::hostile();
    println!();
    scanners::compare(workspace, &samples)
}

fn options(arguments: &[String]) -> Result<Options, String> {
    let mut options = Options {
        seed: 1,
        per_template: 3,
        install_peers: false,
        show: false,
        labelled: None,
        clean: Vec::new(),
    };
    let mut rest = arguments.iter();
    if rest.next().map(String::as_str) != Some("redaction") {
        return Err("say what is measured: redaction".to_owned());
    }
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("{argument} needs a value"));
        let number = |text: &String| text.parse().map_err(|_| format!("{argument} needs a number"));
        match argument.as_str() {
            "--seed" => options.seed = number(value()?)?,
            "--per-template" => options.per_template = number(value()?)? as usize,
            "--labelled" => options.labelled = Some(PathBuf::from(value()?)),
            "--clean" => options.clean.push(PathBuf::from(value()?)),
            "--show" => options.show = true,
            "--install-peers" => options.install_peers = true,
            other => return Err(format!("no such option: {other}")),
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::options;

    fn read(line: &str) -> Result<super::Options, String> {
        options(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_and_unknown_ones_refused() {
        let plain = read("redaction").unwrap();
        assert_eq!((plain.seed, plain.per_template, plain.install_peers), (1, 3, false));
        let full =
            read("redaction --seed 7 --per-template 2 --clean /a --clean /b --show --install-peers").unwrap();
        assert_eq!((full.seed, full.per_template, full.clean.len()), (7, 2, 2));
        assert!(full.show && full.install_peers);
        for line in ["", "speed", "redaction --seed", "redaction --seed x", "redaction --other"] {
            assert!(read(line).is_err(), "{line}");
        }
    }
}
