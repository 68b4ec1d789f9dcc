//! The door to the file system. (API sketch.)
