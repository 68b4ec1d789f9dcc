//! What one run of a program costs: CPU seconds of it and its children, the most memory one of them had, and the time
//! on the wall. Each run has a process of its own that starts it and asks the system afterwards. It does not know what
//! is run.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::{Value, json};

/// The hidden task that starts one program and reports its cost.
pub(crate) const TASK: &str = "measure-one";

/// Something to run.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// Where it is started.
    pub(crate) folder: PathBuf,
    /// Where its standard output goes; nowhere when `None`.
    pub(crate) output: Option<PathBuf>,
    /// Exit codes that are no failure.
    pub(crate) accepted: &'static [i32],
}

/// What a run cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    /// User and system seconds.
    pub(crate) cpu_s: f64,
    /// Seconds on the wall.
    pub(crate) wall_s: f64,
    /// The most memory of one process, in MiB.
    pub(crate) peak_mib: f64,
}

impl Run {
    /// A run of `command` in `folder` whose output is thrown away.
    pub(crate) fn new(folder: &Path, command: impl IntoIterator<Item = String>) -> Run {
        Run {
            command: command.into_iter().collect(),
            folder: folder.to_owned(),
            output: None,
            accepted: &[0],
        }
    }

    /// The same with its standard output in a file.
    pub(crate) fn to(mut self, output: &Path) -> Run {
        self.output = Some(output.to_owned());
        self
    }

    /// The same with other exit codes accepted.
    pub(crate) fn accepting(mut self, accepted: &'static [i32]) -> Run {
        self.accepted = accepted;
        self
    }

    /// Runs it once.
    ///
    /// # Errors
    /// That it could not be started, or its exit code and the end of its stderr.
    pub(crate) fn once(&self) -> Result<Cost, String> {
        let own = std::env::current_exe().map_err(|error| error.to_string())?;
        let output = Command::new(own)
            .arg(TASK)
            .arg(self.output.as_deref().unwrap_or(Path::new("/dev/null")))
            .args(&self.command)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| error.to_string())?;
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        let code = report["code"].as_i64().and_then(|code| i32::try_from(code).ok()).unwrap_or(-1);
        if !self.accepted.contains(&code) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let last = stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            return Err(format!("exit code {code}: {last}"));
        }
        let number = |name: &str| report[name].as_f64().unwrap_or(f64::NAN);
        Ok(Cost { cpu_s: number("cpu_s"), wall_s: number("wall_s"), peak_mib: number("peak_mib") })
    }
}

/// Runs every side in turn, `runs` times over, and returns the medians: A B C, A B C, …
pub(crate) fn in_turn(sides: &[&Run], runs: usize) -> Vec<Result<Cost, String>> {
    let mut costs: Vec<Result<Vec<Cost>, String>> = sides.iter().map(|_| Ok(Vec::new())).collect();
    for _ in 0..runs {
        for (side, costs) in sides.iter().zip(&mut costs) {
            let Ok(so_far) = costs else { continue };
            match side.once() {
                Ok(cost) => so_far.push(cost),
                Err(said) => *costs = Err(said),
            }
        }
    }
    let middle = |costs: Vec<Cost>| Cost {
        cpu_s: median(costs.iter().map(|cost| cost.cpu_s)),
        wall_s: median(costs.iter().map(|cost| cost.wall_s)),
        peak_mib: median(costs.iter().map(|cost| cost.peak_mib)),
    };
    costs.into_iter().map(|costs| costs.map(middle)).collect()
}

/// The middle value; of an even number, the lower of the two in the middle.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

/// The hidden task: `measure-one OUTPUT PROGRAM ARGUMENT…`. Prints one JSON object.
pub(crate) fn run_one(arguments: &[String]) -> ExitCode {
    let [output, program, rest @ ..] = arguments else { return ExitCode::from(2) };
    let Ok(file) = File::create(output) else { return ExitCode::FAILURE };
    let started = Instant::now();
    let status = Command::new(program).args(rest).stdin(Stdio::null()).stdout(file).status();
    let wall_s = started.elapsed().as_secs_f64();
    let code = match status {
        Ok(status) => status.code().unwrap_or(-2),
        Err(error) => {
            eprintln!("{program}: {error}");
            -1
        }
    };
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return ExitCode::FAILURE };
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let cpu_s = seconds(usage.user_time()) + seconds(usage.system_time());
    let report =
        json!({"code": code, "cpu_s": cpu_s, "wall_s": wall_s, "peak_mib": usage.max_rss() as f64 / 1024.0});
    println!("{report}");
    ExitCode::SUCCESS
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_a_measured_value() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 3.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([7.0].into_iter()), 7.0);
        assert!(median(std::iter::empty()).is_nan());
    }
}
