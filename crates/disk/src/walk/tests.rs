//! The walk: order, limits, depth and width.
