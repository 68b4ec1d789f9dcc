//! The filter language against a second evaluation that tries everything.
