//! Where the output validator is, which is the interactor.

use std::fs;
use std::path::{Path, PathBuf};

use super::metadata::Version;
use crate::error::{Error, Result, shown, unreadable};
use crate::spec::language::Languages;
use crate::spec::nearest::listed;

/// The folders that may hold it: the legacy formats' and the newer ones'. Either is read in every
/// format, because drafts had both.
const FOLDERS: [&str; 2] = ["output_validators", "output_validator"];

/// The source, or the folder that is the program.
pub(super) fn find(folder: &Path, version: Version) -> Result<PathBuf> {
    let mut names = FOLDERS;
    if !version.is_legacy() {
        names.reverse();
    }
    let Some(place) = names
        .iter()
        .map(|name| folder.join(name))
        .find(|p| p.is_dir())
    else {
        return Err(Error::usage(format!(
            "{}: there is no {}/: an interactive problem needs an output validator there, which is its interactor",
            folder.join(super::FILE_NAME).display(),
            names[0]
        )));
    };
    let mut programs = Vec::new();
    for name in names_in(&place)? {
        let path = place.join(&name);
        if path.is_dir() || is_program(&path) {
            programs.push(name);
        }
    }
    let is = |name: &str| programs.iter().any(|program| program == name);
    let sources = programs.iter().filter(|name| place.join(name).is_file());
    let one_program = place.ends_with(FOLDERS[1]) && sources.clone().count() > 1;
    if is("build") || is("run") || one_program {
        return Ok(place);
    }
    match (programs.as_slice(), sources.collect::<Vec<_>>().as_slice()) {
        ([only], _) => Ok(place.join(only)),
        // Beside a source, a folder is what it includes.
        (_, [source]) if place.ends_with(FOLDERS[1]) => Ok(place.join(source)),
        ([], _) => Err(Error::usage(format!(
            "{}: there is no program in it: an interactive problem needs an output validator, as a source, a folder of sources, or a folder with `build` and `run`",
            place.display()
        ))),
        (several, _) => Err(Error::usage(format!(
            "{}: there are several output validators, {}, and an interactive problem has one: put the files of one program into a folder of their own, and remove the others",
            place.display(),
            listed(several.iter().map(String::as_str))
        ))),
    }
}

fn is_program(path: &Path) -> bool {
    let is_script = ["build", "run"].iter().any(|name| path.ends_with(name));
    path.is_file() && (is_script || Languages::builtin().of_source(path).is_some())
}

/// The names in a folder that count, in order.
pub(super) fn names_in(folder: &Path) -> Result<Vec<String>> {
    let failed = |error| unreadable("folder", folder, &error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let Some(name) = name.to_str() else {
            return Err(Error::usage(format!(
                "{}: the name is not UTF-8: rename it",
                shown(&folder.join(&name)).trim_matches('`')
            )));
        };
        if !name.starts_with(['.', '-']) && name != "__pycache__" {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}
