//! The index file of a project: one SQLite database with everything a snapshot holds, for other programs to query (spec
//! C6). It is made and read in memory, and a file is believed only where every row is what the snapshot says.

mod rows;
#[cfg(test)]
mod tests;

use disk::{Links, OpenFault, RelPath, Root};
use fault::Unwatched;
use rusqlite::types::Value;
use rusqlite::{Connection, MAIN_DB};

use crate::hash::Hash;
use crate::limits::INDEX_BYTES_MAX;
use crate::snapshot::Snapshot;
use rows::{SCHEMA, TABLES, meta};

/// How the index file and a snapshot relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexState {
    /// There is none.
    Absent,
    /// Every row is what the snapshot says; the digest of the file.
    Current(Hash),
    /// It was made of another state of the project, or by another engine.
    Stale,
    /// It is no such database, or its content is not what it claims to be.
    Damaged,
    /// It is a link, a special file or has several names, or it cannot be read.
    Refused,
}

impl IndexState {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            IndexState::Absent => "absent",
            IndexState::Current(_) => "current",
            IndexState::Stale => "stale",
            IndexState::Damaged => "damaged",
            IndexState::Refused => "refused",
        }
    }

    /// What that means, in one sentence without a full stop.
    pub const fn reason(self) -> &'static str {
        match self {
            IndexState::Absent => "there is no index file",
            IndexState::Current(_) => "every row is what the sources say",
            IndexState::Stale => "it was made of another state of the project, or by another version",
            IndexState::Damaged => "it is no index, or its content is not what it claims to be",
            IndexState::Refused => "it is a link or no plain file, has a second name, or cannot be read",
        }
    }
}

/// Why no index could be made; a defect of the database library.
#[derive(Debug, thiserror::Error)]
#[error("the index cannot be made: {0}")]
pub struct IndexFault(#[from] rusqlite::Error);

/// The bytes of the index file of a snapshot.
///
/// # Errors
/// [`IndexFault`] when the database library fails.
pub fn index_bytes(snapshot: &Snapshot) -> Result<Vec<u8>, IndexFault> {
    let mut database = empty()?;
    let transaction = database.transaction()?;
    for (name, value) in meta(snapshot) {
        transaction.execute("INSERT INTO meta VALUES (?1, ?2)", [name, &value])?;
    }
    for table in &TABLES {
        let mut insert = transaction.prepare(table.insert)?;
        (table.rows)(snapshot, &mut |row| insert.execute(rusqlite::params_from_iter(row)).map(|_| true))?;
    }
    transaction.execute("INSERT INTO fts(fts) VALUES ('optimize')", [])?;
    transaction.commit()?;
    Ok(database.serialize(MAIN_DB)?.to_vec())
}

/// What the index file of the project is worth beside a snapshot of it.
pub fn index_state(root: &Root, snapshot: &Snapshot) -> IndexState {
    let Ok(path) = RelPath::parse(&snapshot.contract().paths.index) else { return IndexState::Refused };
    let file = match root.open_file(&path, Links::Refuse, INDEX_BYTES_MAX) {
        Ok(file) => file,
        Err(OpenFault::NotFound) => return IndexState::Absent,
        Err(_) => return IndexState::Refused,
    };
    if file.stat().nlink != 1 {
        return IndexState::Refused;
    }
    let Ok(read) = file.read(INDEX_BYTES_MAX, &Unwatched) else { return IndexState::Refused };
    match verified(&read.bytes, snapshot) {
        Ok(state) => state,
        Err(_) => IndexState::Damaged,
    }
}

/// A database with the tables and nothing in them.
fn empty() -> Result<Connection, rusqlite::Error> {
    let database = Connection::open_in_memory()?;
    database.execute_batch(SCHEMA)?;
    Ok(database)
}

fn verified(bytes: &[u8], snapshot: &Snapshot) -> Result<IndexState, rusqlite::Error> {
    let mut database = Connection::open_in_memory()?;
    database.deserialize_read_exact(MAIN_DB, bytes, bytes.len(), true)?;
    database
        .execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON;")?;
    // A view or a trigger in the place of a table would run when it is read.
    if schema(&database)? != schema(&empty()?)? {
        return Ok(IndexState::Damaged);
    }
    // What says of itself that it is another state needs no closer look.
    for (name, value) in meta(snapshot) {
        let stored: String =
            database.query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0))?;
        if stored != value {
            return Ok(IndexState::Stale);
        }
    }
    let sound: String = database.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if sound != "ok" {
        return Ok(IndexState::Damaged);
    }
    for table in &TABLES {
        let Some(select) = table.select else { continue };
        let mut statement = database.prepare(select)?;
        let columns = statement.column_count();
        let mut stored = statement.query([])?;
        let mut is_same = true;
        (table.rows)(snapshot, &mut |row: Vec<Value>| {
            let next = stored.next()?;
            is_same = match next {
                None => false,
                Some(found) => {
                    let found: Vec<Value> = (0..columns).map(|at| found.get(at)).collect::<Result<_, _>>()?;
                    found == row
                }
            };
            Ok(is_same)
        })?;
        if !is_same || stored.next()?.is_some() {
            return Ok(IndexState::Damaged);
        }
    }
    Ok(IndexState::Current(Hash::of(&[bytes])))
}

fn schema(database: &Connection) -> Result<Vec<(String, String, Option<String>)>, rusqlite::Error> {
    let mut statement = database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name, type")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}
