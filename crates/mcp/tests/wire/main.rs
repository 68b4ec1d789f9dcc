//! Raw lines in, raw lines out: what a client sees of the engine and of the project server's tools, with a scripted
//! service behind them.

mod broken;
mod calls;
mod client;
mod end;
mod eras;
mod evidence;
mod fake;
mod progress;
mod queue;
mod results;
mod schemas;
mod stream;
