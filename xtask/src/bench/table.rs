//! The Markdown that a bench prints: what was measured, the rows, and which targets are reached. It measures nothing.

use std::fmt::Write as _;
use std::path::Path;

use super::corpora::Corpus;
use super::measure::Cost;
use super::peers::Peers;

/// A goal of the performance page's first stage, with what was measured for it.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    /// The operation, as that page names it.
    pub(crate) what: String,
    /// The bound in words.
    pub(crate) bound: String,
    /// The measured value in words.
    pub(crate) measured: String,
    /// Whether the value is inside the bound; `None` when the peer is missing.
    pub(crate) reached: Option<bool>,
}

/// What is measured with what on which machine.
pub(crate) fn heading(binary: &Path, runs: usize, peers: &Peers, corpora: &[Corpus]) -> String {
    let mut out = String::from("# Bench: project\n\n");
    let size_mib = std::fs::metadata(binary).map_or(0.0, |stat| stat.len() as f64 / MIB);
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    writeln!(out, "Median of {runs} runs in turn, {cores} cores. The binary has {size_mib:.1} MiB.\n").ok();
    for corpus in corpora {
        let mib = corpus.bytes as f64 / MIB;
        writeln!(out, "- {}: {}, {} files, {mib:.1} MiB", corpus.name, corpus.origin, corpus.files).ok();
    }
    let found: Vec<String> =
        peers.found.iter().map(|(name, peer)| format!("{name} {}", peer.version)).collect();
    writeln!(out, "- peers: {}", found.join(", ")).ok();
    let missing = if peers.missing.is_empty() { "none".to_owned() } else { peers.missing.join(", ") };
    writeln!(out, "- peers that are missing: {missing}").ok();
    out
}

const MIB: f64 = 1024.0 * 1024.0;

/// The head of the table of commands.
pub(crate) fn commands_head() -> String {
    "\n## Commands\n\nCPU is user and system seconds; the ratio is ours to the peer's, in CPU.\n\n\
     | operation | corpus | ours CPU s | wall s | peak MiB | peer | CPU s | wall s | peak MiB | ratio |\n\
     |---|---|---:|---:|---:|---|---:|---:|---:|---:|\n"
        .to_owned()
}

/// One row of it.
pub(crate) fn command_row(
    operation: &str,
    corpus: &str,
    ours: &Result<Cost, String>,
    peer: &str,
    theirs: &Result<Cost, String>,
) -> String {
    let ratio = match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => ratio_text(ours.cpu_s / theirs.cpu_s),
        _ => String::new(),
    };
    format!("| {operation} | {corpus} | {} | {peer} | {} | {ratio} |\n", cells(ours), cells(theirs))
}

fn cells(cost: &Result<Cost, String>) -> String {
    match cost {
        Ok(cost) => format!("{:.3} | {:.3} | {:.0}", cost.cpu_s, cost.wall_s, cost.peak_mib),
        Err(said) => {
            let words: String = said.replace('|', "/").chars().take(60).collect();
            format!("{words} | |")
        }
    }
}

/// A ratio as people say it: `1/24` below one, `1.3 x` above.
pub(crate) fn ratio_text(ratio: f64) -> String {
    if ratio.is_nan() {
        "?".to_owned()
    } else if ratio < 0.5 {
        format!("1/{:.0}", (1.0 / ratio).min(99_999.0))
    } else {
        format!("{ratio:.2} x")
    }
}

/// The table of goals.
pub(crate) fn goals(goals: &[Goal]) -> String {
    let mut out =
        String::from("\n## First-stage goals\n\n| operation | bound | measured | |\n|---|---|---|---|\n");
    for goal in goals {
        let verdict = match goal.reached {
            Some(true) => "reached",
            Some(false) => "MISSED",
            None => "not measured",
        };
        writeln!(out, "| {} | {} | {} | {verdict} |", goal.what, goal.bound, goal.measured).ok();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_read_as_people_say_them() {
        assert_eq!(ratio_text(0.05), "1/20");
        assert_eq!(ratio_text(0.86), "0.86 x");
        assert_eq!(ratio_text(2.25), "2.25 x");
        assert_eq!(ratio_text(f64::NAN), "?");
    }

    #[test]
    fn a_row_has_ten_cells_even_when_a_side_failed() {
        let good = Ok(Cost { cpu_s: 0.1, wall_s: 0.2, peak_mib: 15.0 });
        let row = command_row("pack", "medium", &good, "peer", &Err("exit code 1: a | b".to_owned()));
        assert_eq!(row, "| pack | medium | 0.100 | 0.200 | 15 | peer | exit code 1: a / b | | |  |\n");
        assert_eq!(row.matches('|').count(), 11);
    }

    #[test]
    fn a_goal_without_a_measurement_is_not_reached() {
        let goal =
            |reached| Goal { what: "w".to_owned(), bound: "b".to_owned(), measured: "m".to_owned(), reached };
        let text = goals(&[goal(Some(true)), goal(Some(false)), goal(None)]);
        assert!(
            text.contains("| reached |") && text.contains("| MISSED |") && text.contains("| not measured |")
        );
    }
}
