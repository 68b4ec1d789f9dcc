//! `[checks]`: how bad a finding is in this project (spec C2, C7). It finds nothing.

use crate::contract::Checks;
use crate::contract::form::{Form, quoted};
use crate::contract::manifest::{Data, Faults};
use crate::contract::rules::SEVERITIES;
use crate::diagnose::Check;
use crate::near::near;

/// Reads the severities that differ from the defaults.
pub(super) fn read(root: &Form<'_, '_>, faults: &Faults<'_>) -> Checks {
    let mut checks = Checks::default();
    for member in root.named("checks") {
        let Some(check) = Check::BUILT_IN.iter().find(|check| check.code() == member.name.as_str()) else {
            let called = quoted(&member.name, "a key");
            let message = format!("{called} is no check that a manifest can name");
            let codes: Vec<_> =
                Check::BUILT_IN.iter().filter(|one| one.is_settable()).map(Check::code).collect();
            match near(&member.name, codes.iter().map(AsRef::as_ref), 1).first() {
                Some(code) => faults.add_with_fix(&member.span, message, format!("did you mean `{code}`?")),
                None => faults.add(&member.span, message),
            }
            continue;
        };
        if !check.is_settable() {
            faults.add(&member.span, format!("the severity of `{}` is fixed", member.name));
            continue;
        }
        let severity = match &member.entry.value {
            Data::Text(word) if word == "off" => Some(None),
            Data::Text(word) => SEVERITIES.iter().find(|(known, _)| known == word).map(|(_, one)| Some(*one)),
            _ => None,
        };
        match severity {
            Some(severity) => {
                checks.0.insert(check.clone(), severity);
            }
            None => {
                let message =
                    format!("`{}` of [checks] must be one of `error`, `warn`, `info`, `off`", member.name);
                faults.add(&member.entry.span, message);
            }
        }
    }
    checks
}
