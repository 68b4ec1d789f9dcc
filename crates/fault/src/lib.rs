//! The ground floor: stable codes, faults that a caller can act on, notices beside a part success,
//! and the watch that long work looks at. It knows no file, no protocol and no tool.

mod code;
mod docs_code;
mod notice;
mod text;
mod watch;

pub use code::Code;
pub use docs_code::{DocsCode, Retry};
pub use notice::{Failure, Fault, Notice, Outcome};
pub use text::{ARGUMENT_ECHO_CHARS, Text, is_unprintable, one_line, push_json};
pub use watch::{Phase, Stop, Unwatched, Watch};
