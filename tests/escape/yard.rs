//! The surroundings of one attempt: a folder with secrets and bait, and a witness beside it.
//!
//! ```text
//! input.txt answer.txt   a secret each; the interactor reads them, the contestant must not
//! closed.txt             a secret that nobody is given
//! bait                   a file that the contestant is given to read, and that everyone may write to
//! open/                  a folder that everyone may write to, with a file `inside`
//! socket                 on which the witness listens
//! ```
//!
//! All of it belongs to the user who judges. Where that is an ordinary user, the contestant runs
//! under the same number: no permission keeps it from anything here, only the sandbox does.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use crate::harness::identity::{Identity, secret, secret_word};
use crate::harness::run::{Judgement, Ran};
use crate::harness::{traces, transcript};
use crate::programs::Programs;
use crate::table::Surroundings;
use crate::witness::Witness;

struct Yard {
    folder: PathBuf,
    binary: PathBuf,
    identity: Identity,
    before: BTreeMap<PathBuf, Entry>,
    witness: Witness,
}

/// What is remembered of a file or folder.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    mode: u32,
    owner: (u32, u32),
    links: u64,
    changed: (i64, i64),
    content: Vec<u8>,
}

/// Makes a yard for one run.
pub(crate) fn surround(
    programs: &Programs,
    identity: Identity,
) -> Result<Box<dyn Surroundings>, String> {
    let failed = |e: std::io::Error| format!("cannot make a yard: {e}");
    let folder = programs.stage.run_folder(identity).map_err(failed)?;
    fs::create_dir(folder.join("open")).map_err(failed)?;
    for (name, content, mode) in [
        ("input.txt", secret("input"), 0o644),
        ("answer.txt", secret("answer"), 0o644),
        ("closed.txt", secret("closed"), 0o644),
        ("bait", "bait\n".to_owned(), 0o666),
        ("open/inside", secret("inside"), 0o666),
        ("open", String::new(), 0o777),
    ] {
        let path = folder.join(name);
        if !path.is_dir() {
            fs::write(&path, content).map_err(failed)?;
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).map_err(failed)?;
        if let Some(uid) = identity.uid() {
            chown(&path, Some(uid), Some(uid)).map_err(failed)?;
        }
    }
    let witness = Witness::start(programs, identity, &folder.join("socket"))?;
    let before = entries(&folder).map_err(failed)?;
    Ok(Box::new(Yard {
        binary: programs.stage.binary(),
        folder,
        identity,
        before,
        witness,
    }))
}

impl Surroundings for Yard {
    fn names(&self) -> Vec<(&'static str, String)> {
        let path = |name: &str| self.folder.join(name).to_string_lossy().into_owned();
        vec![
            ("input", path("input.txt")),
            ("answer", path("answer.txt")),
            ("closed", path("closed.txt")),
            ("bait", path("bait")),
            ("open", path("open")),
            ("socket", path("socket")),
            ("folder", path("")),
            ("secret", secret("argument")),
            ("witness", self.witness.pid().to_string()),
            ("hidden", self.witness.hidden.clone()),
            ("tcp", self.witness.tcp.clone()),
            ("udp", self.witness.udp.clone()),
        ]
    }

    fn arrange(&self, judgement: &mut Judgement) {
        judgement.input = self.folder.join("input.txt");
        judgement.answer = Some(self.folder.join("answer.txt"));
        judgement.cwd.clone_from(&self.folder);
    }

    fn wrong(self: Box<Self>, ran: &Ran) -> Vec<String> {
        let mut wrong = self.witness.testimony();
        match entries(&self.folder) {
            Ok(after) => wrong.extend(differences(&self.before, &after)),
            Err(error) => wrong.push(format!("the yard cannot be read: {error}")),
        }
        wrong.extend(traces::of(&[ran.supervised.pid], self.identity));
        match transcript::said_by(&self.binary, &ran.transcript_file(), "contestant") {
            Ok(said) if holds_secret(&said) => wrong.push(format!(
                "the contestant printed a secret: {}",
                around_secret(&said)
            )),
            Ok(_) => {}
            Err(error) => wrong.push(error),
        }
        for report in ran.reports().unwrap_or_default() {
            let text = report["contestant"]["stderr"].to_string();
            if holds_secret(text.as_bytes()) {
                wrong.push(format!("the contestant's errors hold a secret: {text}"));
            }
        }
        if wrong.is_empty() {
            let _ = fs::remove_dir_all(&self.folder);
        }
        wrong
    }
}

fn holds_secret(text: &[u8]) -> bool {
    position(text).is_some()
}

fn position(text: &[u8]) -> Option<usize> {
    let word = secret_word().as_bytes();
    text.windows(word.len()).position(|part| part == word)
}

/// The secret with what stands before and behind it.
fn around_secret(text: &[u8]) -> String {
    let at = position(text).unwrap_or(0);
    let part = &text[at.saturating_sub(200)..text.len().min(at + 60)];
    String::from_utf8_lossy(part).into_owned()
}

/// Everything in a folder, and the folder itself.
fn entries(folder: &Path) -> std::io::Result<BTreeMap<PathBuf, Entry>> {
    let mut found = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(path) = left.pop() {
        let meta = fs::symlink_metadata(&path)?;
        if meta.is_dir() {
            for entry in fs::read_dir(&path)? {
                left.push(entry?.path());
            }
        }
        let content = match meta.is_file() {
            true => fs::read(&path)?,
            false => Vec::new(),
        };
        let entry = Entry {
            mode: meta.mode(),
            owner: (meta.uid(), meta.gid()),
            links: meta.nlink(),
            // It shows any change of the file and of what is known about it; the clock that it is
            // read from cannot be set.
            changed: (meta.ctime(), meta.ctime_nsec()),
            content,
        };
        found.insert(path, entry);
    }
    Ok(found)
}

fn differences(before: &BTreeMap<PathBuf, Entry>, after: &BTreeMap<PathBuf, Entry>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (path, was) in before {
        match after.get(path) {
            None => wrong.push(format!("{} is gone", path.display())),
            Some(is) if is != was => wrong.push(format!(
                "{} was changed from {was:?} to {is:?}",
                path.display()
            )),
            Some(_) => {}
        }
    }
    let new = after.keys().filter(|path| !before.contains_key(*path));
    wrong.extend(new.map(|path| format!("{} was made", path.display())));
    wrong
}
