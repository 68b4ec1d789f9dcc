//! `readroom pack`: the document to stdout or to a file, and a summary on stderr.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use disk::{WriteFault, write_atomic_with};
use fault::Outcome;
use project::answer::PackSummary;
use project::pack::PackFailure;
use project::request::PackRequest;

use super::tree::opening;
use super::{open, say, warn};
use crate::cancel::CtrlC;
use crate::exit::{Ended, Exit};
use crate::flags::{FormatFlag, PackFlags};

/// A new output file may be read by whom the umask lets.
const OUTPUT_MODE: u32 = 0o666;

pub(crate) fn run(flags: &PackFlags) -> Result<Exit, Ended> {
    let (session, target) = open(&opening(flags.dir.as_deref(), &flags.selection))?;
    let format = if flags.json { FormatFlag::Json } else { flags.format };
    let request = PackRequest {
        target,
        narrowing: flags.selection.narrowing(&flags.content.paths),
        profile: flags.content.profile.clone(),
        detail: flags.content.detail.into(),
        max_tokens: flags.max_tokens,
        view: flags.view.into(),
        format: format.into(),
    };
    let watch = CtrlC::watch();
    let outcome = match &flags.output {
        None => {
            let stdout = io::stdout().lock();
            let ends_line = stdout.is_terminal();
            let mut out = BufWriter::with_capacity(256 * 1024, stdout);
            let outcome = session.pack_to(&request, &mut out, &watch)?;
            if ends_line {
                out.write_all(b"\n")?;
                out.flush()?;
            }
            outcome
        }
        Some(path) => {
            let mut result = None;
            let written = write_atomic_with(path, OUTPUT_MODE, flags.force, |out| {
                let packed = session.pack_to(&request, out, &watch);
                let is_done = packed.is_ok();
                result = Some(packed);
                // The file must not appear when the document is not whole.
                if is_done { Ok(()) } else { Err(io::Error::other("no document")) }
            });
            packed(written, result)?
        }
    };
    say(&outcome.value.report.clone().into_iter().collect::<Vec<_>>());
    warn(&outcome.notices);
    eprintln!("readroom: {}", summary(&outcome.value));
    Ok(Exit::Ok)
}

/// The outcome of a pack that went to a file: what failed first is what is said.
fn packed(
    written: Result<(), WriteFault>,
    result: Option<Result<Outcome<PackSummary>, PackFailure>>,
) -> Result<Outcome<PackSummary>, Ended> {
    match (written, result) {
        (_, Some(Err(PackFailure::Failure(failure)))) => Err(failure.into()),
        (Err(fault), _) => Err(fault.into()),
        (Ok(()), Some(Ok(outcome))) => Ok(outcome),
        (Ok(()), _) => Err(Ended::Message(Exit::Runtime, "the output file was not written".to_owned())),
    }
}

fn summary(pack: &PackSummary) -> String {
    let plural = if pack.files == 1 { "" } else { "s" };
    let mut line = format!("{} file{plural}, about {} tokens", pack.files, pack.tokens);
    let redacted: usize = pack.redactions.iter().map(|(_, count)| count).sum();
    if redacted > 0 {
        let kinds: Vec<String> =
            pack.redactions.iter().map(|(rule, count)| format!("{count} {rule}")).collect();
        line.push_str(&format!(", {redacted} redacted ({})", kinds.join(", ")));
    }
    if pack.uninspected > 0 {
        line.push_str(&format!(", {} withheld", pack.uninspected));
    }
    line
}
