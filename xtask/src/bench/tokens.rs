//! Counts tokens of `o200k_base`, exactly. The counter is large and slow to build, so it is a feature of this package;
//! a bench that needs it starts itself again with it. It does not know what is counted.

use std::process::{Command, ExitCode};

use crate::workspace::Workspace;

/// The tokens of a text; none when this program was built without the counter.
#[cfg(feature = "tokens")]
pub(crate) fn count(text: &str) -> Option<usize> {
    Some(bpe_openai::o200k_base().count(text))
}

/// The tokens of a text; none when this program was built without the counter.
#[cfg(not(feature = "tokens"))]
pub(crate) fn count(_text: &str) -> Option<usize> {
    None
}

/// Runs the same task in a build that has the counter, when this one has not.
pub(crate) fn with_counter(workspace: &Workspace, arguments: &[String]) -> Option<ExitCode> {
    if cfg!(feature = "tokens") {
        return None;
    }
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(workspace.root())
        .args(["run", "--quiet", "--locked", "--package", "xtask", "--features", "tokens", "--", "bench"])
        .args(arguments)
        .status();
    Some(match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cannot start cargo: {error}");
            ExitCode::FAILURE
        }
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_build_with_the_counter_counts_and_one_without_says_so() {
        let counted = super::count("fn main() {}");
        assert_eq!(counted.is_some(), cfg!(feature = "tokens"));
        assert!(counted.is_none_or(|tokens| (3..8).contains(&tokens)));
    }
}
