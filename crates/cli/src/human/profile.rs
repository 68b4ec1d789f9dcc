//! `readroom profile save|show|list|remove`: the only command that writes the profile store.

use std::path::{Path, PathBuf};

use disk::Root;
use project::profile::Profile;
use project::profile_store::{ProfileStore, ProfileStoreFault, read_portable};

use super::print;
use crate::exit::{Ended, Exit};
use crate::flags::ProfileCommand;
use crate::wire::user_dirs;

pub(crate) fn run(command: &ProfileCommand) -> Result<Exit, Ended> {
    let store = ProfileStore::of(&user_dirs()?);
    match command {
        ProfileCommand::Save { dir, from } => {
            let root = pin(dir.as_ref())?;
            let path = root.path().to_owned();
            let profile = if from == "standard" { Profile::standard() } else { read_portable(root, from)? };
            store.save(&path, &profile)?;
            Ok(Exit::Ok)
        }
        ProfileCommand::Show { dir } => {
            let root = pin(dir.as_ref())?;
            let Some(profile) = store.get(root.path())? else { return Err(nothing_saved()) };
            print(&format!("{:#}\n", profile.to_value()))?;
            Ok(Exit::Ok)
        }
        ProfileCommand::List => {
            let mut lines = String::new();
            for root in store.list()? {
                fault::one_line(&root, &mut lines);
                lines.push('\n');
            }
            print(&lines)?;
            Ok(Exit::Ok)
        }
        ProfileCommand::Remove { dir } => {
            let root = pin(dir.as_ref())?;
            if store.remove(root.path())? { Ok(Exit::Ok) } else { Err(nothing_saved()) }
        }
    }
}

fn pin(dir: Option<&PathBuf>) -> Result<Root, Ended> {
    let dir = dir.map_or(Path::new("."), PathBuf::as_path);
    Root::pin(dir)
        .map_err(|fault| Ended::Message(Exit::Runtime, format!("the project root cannot be used: {fault}")))
}

fn nothing_saved() -> Ended {
    Ended::Message(
        Exit::Runtime,
        "no profile is saved for this project; save one with `readroom profile save`".to_owned(),
    )
}

impl From<ProfileStoreFault> for Ended {
    fn from(fault: ProfileStoreFault) -> Self {
        Ended::Message(Exit::Runtime, fault.to_string())
    }
}
