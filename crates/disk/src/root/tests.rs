//! Pinning, resolving and listing.
