//! Which variables name which directory.

use std::collections::HashMap;

use super::*;
use crate::trial::Trial;

fn dirs(variables: &[(&str, &str)]) -> Result<UserDirs, DirsFault> {
    let variables: HashMap<&str, &str> = variables.iter().copied().collect();
    UserDirs::from_variables(|name| variables.get(name).map(|value| (*value).into()))
}

#[test]
fn one_variable_redirects_every_directory() {
    let found = dirs(&[
        (HOME_VARIABLE, "/redirected"),
        ("HOME", "/home/u"),
        ("XDG_CONFIG_HOME", "/c"),
        ("XDG_CACHE_HOME", "/k"),
        ("XDG_RUNTIME_DIR", "/tmp"),
        ("TMPDIR", "/t"),
    ]);
    assert_eq!(found, Ok(UserDirs::below(Path::new("/redirected"))));
    let found = found.unwrap();
    for dir in [&found.config, &found.cache, &found.runtime] {
        assert!(dir.starts_with("/redirected"));
    }
    assert_eq!(dirs(&[(HOME_VARIABLE, "here")]), Err(DirsFault::RelativeHome));
}

#[test]
fn the_usual_variables_are_followed() {
    let trial = Trial::new();
    let runtime = trial.path().to_str().unwrap();
    let found = dirs(&[
        ("HOME", "/home/u"),
        ("XDG_CONFIG_HOME", "/c"),
        ("XDG_CACHE_HOME", "/k"),
        ("XDG_RUNTIME_DIR", runtime),
    ])
    .unwrap();
    assert_eq!(found.config, Path::new("/c/readroom"));
    assert_eq!(found.cache, Path::new("/k/readroom"));
    assert_eq!(found.runtime, trial.at("readroom"));
}

#[test]
fn blank_and_relative_variables_count_as_unset() {
    let own = format!("readroom-{}", geteuid().as_raw());
    for value in ["", "  ", "relative/path"] {
        let found = dirs(&[
            ("HOME", "/home/u"),
            ("XDG_CONFIG_HOME", value),
            ("XDG_CACHE_HOME", value),
            ("XDG_RUNTIME_DIR", value),
            ("TMPDIR", value),
        ])
        .unwrap();
        assert_eq!(found.config, Path::new("/home/u/.config/readroom"), "{value:?}");
        assert_eq!(found.cache, Path::new("/home/u/.cache/readroom"), "{value:?}");
        assert_eq!(found.runtime, Path::new("/tmp").join(&own), "{value:?}");
    }
    assert_eq!(dirs(&[(HOME_VARIABLE, " "), ("HOME", "/h")]).unwrap().cache, Path::new("/h/.cache/readroom"));
}

#[test]
fn a_runtime_directory_that_cannot_be_ours_is_not_used() {
    let trial = Trial::new();
    let file = trial.file("file", "");
    let own = format!("readroom-{}", geteuid().as_raw());
    for runtime in [&trial.at("nothing"), &file] {
        let found = dirs(&[("XDG_RUNTIME_DIR", runtime.to_str().unwrap()), ("TMPDIR", "/t"), ("HOME", "/h")]);
        assert_eq!(found.unwrap().runtime, Path::new("/t").join(&own));
    }
    if geteuid().is_root() {
        std::os::unix::fs::chown(trial.path(), Some(12_345), None).unwrap();
        let runtime = trial.path().to_str().unwrap();
        let found = dirs(&[("XDG_RUNTIME_DIR", runtime), ("TMPDIR", "/t"), ("HOME", "/h")]);
        assert_eq!(found.unwrap().runtime, Path::new("/t").join(&own));
    }
}

#[test]
fn without_a_home_nothing_outlives_the_session() {
    let found = dirs(&[("TMPDIR", "/t")]).unwrap();
    assert_eq!(found.config, found.runtime.join("config"));
    assert_eq!(found.cache, found.runtime.join("cache"));
}
