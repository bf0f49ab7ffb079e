//! The surroundings of a trial that needs no others: the judge's home, which all trials share.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::harness::identity::Identity;
use crate::harness::run::{Judgement, Ran};
use crate::programs::Programs;
use crate::table::Surroundings;

/// The folder of the user who judges, and the test input in it.
struct Home {
    folder: PathBuf,
    input: PathBuf,
}

pub(crate) fn surround(
    programs: &Programs,
    identity: Identity,
) -> Result<Box<dyn Surroundings>, String> {
    Ok(Box::new(Home {
        folder: programs.stage.home(identity),
        input: programs.input(identity),
    }))
}

impl Surroundings for Home {
    fn names(&self) -> Vec<(&'static str, String)> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        vec![("input", text(&self.input)), ("folder", text(&self.folder))]
    }

    fn arrange(&self, _judgement: &mut Judgement) {}

    fn wrong(self: Box<Self>, _ran: &Ran) -> Vec<String> {
        untouched(&self.input, &self.folder)
            .err()
            .into_iter()
            .collect()
    }
}

/// No program may have left a mark, or changed the test's input.
fn untouched(input: &Path, home: &Path) -> Result<(), String> {
    let mode = fs::metadata(input)
        .map_err(|e| e.to_string())?
        .permissions()
        .mode();
    let text = fs::read_to_string(input).map_err(|e| format!("the input: {e}"))?;
    if mode & 0o777 != 0o644 || text != "the jury's secret\n" {
        return Err(format!("the input was changed: mode {mode:o}, {text:?}"));
    }
    for folder in ["/tmp", "/var/tmp", "/dev/shm", "/"]
        .map(Path::new)
        .into_iter()
        .chain([home])
    {
        let mark = folder.join("rejoinder-hostile-mark");
        if mark.exists() {
            let _ = fs::remove_file(&mark);
            return Err(format!("{} was made", mark.display()));
        }
    }
    Ok(())
}
