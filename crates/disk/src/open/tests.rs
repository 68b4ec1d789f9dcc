//! Opening and reading: what is refused, what is bounded.
