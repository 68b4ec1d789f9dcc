//! A person applies what an agent proposed: what changes on the disk, what is refused, and what a crash leaves.

#![expect(clippy::disallowed_methods, reason = "tests look at the files that were made and start themselves")]

mod bench;
mod faults;
mod kill;
mod lines;
mod pins;
mod race;
mod story;
