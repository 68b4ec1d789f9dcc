//! What a relative path accepts, refuses and shows.
