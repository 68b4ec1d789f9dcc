//! Every number of the loopback browser, once (spec C13).

/// Connections that are served at the same time; a further one waits.
pub const CONNECTIONS_MAX: usize = 16;
/// Requests on one connection.
pub const REQUESTS_PER_CONNECTION_MAX: u32 = 100;
/// Seconds that a connection may stay without a request, or without taking its answer.
pub const CONNECTION_IDLE_SECONDS: u64 = 30;
/// Seconds in which a request must be complete.
pub const HEAD_SECONDS_MAX: u64 = 5;
/// Bytes of a request line.
pub const REQUEST_LINE_BYTES_MAX: usize = 2 * 1024;
/// Bytes of all header lines.
pub const HEADER_BYTES_MAX: usize = 8 * 1024;
/// Header lines.
pub const HEADERS_MAX: usize = 40;
/// Authorised requests in one second.
pub const REQUESTS_PER_SECOND_MAX: u32 = 50;
/// Wrong tokens that are each told so at once.
pub const WRONG_TOKENS_MAX: u32 = 63;
/// Bytes of an answer.
pub const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of the body of a node that are shown, and of all its fields together.
pub const TEXT_BYTES_MAX: usize = 4 * 1024;
/// Bytes of one field that are shown.
pub const FIELD_BYTES_MAX: usize = 1024;
/// Hits of one page of a search.
pub const SEARCH_LIMIT_MAX: usize = 100;
/// Hits of one page when the request names no number.
pub const SEARCH_LIMIT: usize = 50;
/// Nodes of one neighbourhood.
pub const NEIGHBORHOOD_LIMIT_MAX: usize = 300;
/// Nodes of one neighbourhood when the request names no number.
pub const NEIGHBORHOOD_LIMIT: usize = 50;
/// Steps from the node in the middle.
pub const DEPTH_MAX: usize = 3;
/// Nodes that one request may name: the one in the middle and those that are opened up as well.
pub const SEEDS_MAX: usize = 24;
/// Edges of one picture.
pub const EDGES_MAX: usize = 1_500;
/// Missing targets of one picture.
pub const DANGLING_MAX: usize = 24;
/// Types that one query may name.
pub const TYPES_MAX: usize = 64;
/// Nodes with the most edges that an overview lists.
pub const HUBS_MAX: usize = 30;
/// Findings of one kind that an overview lists.
pub const FINDINGS_MAX: usize = 12;
/// Minutes without an authorised request after which the listener closes, when none are named.
pub const IDLE_MINUTES: u64 = 30;
/// The most that they may be.
pub const IDLE_MINUTES_MAX: u64 = 240;
/// Hours after which the listener closes whatever happens.
pub const LIFE_HOURS_MAX: u64 = 8;
/// Tokens of earlier snapshots that are still told that theirs was replaced.
pub const RETIRED_TOKENS_MAX: usize = 64;
