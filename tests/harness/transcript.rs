//! What a transcript must be: lines of JSON in UTF-8, and nothing of the dialogue lost.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::programs::Program;
use super::stage::Stage;

/// The file's form: one header object, then one array a line.
pub(crate) fn well_formed(file: &Path) -> Result<(), String> {
    let bytes = fs::read(file).map_err(|error| format!("cannot read the transcript: {error}"))?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("the transcript is not UTF-8: {error}"))?;
    let mut lines = text.lines().enumerate().map(|(number, line)| {
        serde_json::from_str::<Value>(line)
            .map_err(|error| format!("line {} of the transcript: {error}: {line}", number + 1))
    });
    match lines.next() {
        Some(Ok(Value::Object(_))) => {}
        Some(Ok(_)) => return Err("the transcript does not begin with an object".to_owned()),
        Some(Err(error)) => return Err(error),
        None => return Err("the transcript is empty".to_owned()),
    }
    for line in lines {
        if !line?.is_array() {
            return Err("a line of the transcript is not an array".to_owned());
        }
    }
    Ok(())
}

/// The exact bytes that one side said, as `rejoinder show` gives them back.
pub(crate) fn said(stage: &Stage, file: &Path, side: &str) -> Result<Vec<u8>, String> {
    said_by(&stage.binary(), file, side)
}

/// The same, as that binary gives them back.
pub(crate) fn said_by(binary: &Path, file: &Path, side: &str) -> Result<Vec<u8>, String> {
    let output = Command::new(binary)
        .arg("show")
        .arg(file)
        .args(["--side", side])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start `rejoinder show`: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "`rejoinder show {} --side {side}` failed ({}): {said}",
            file.display(),
            output.status
        ));
    }
    Ok(output.stdout)
}

/// What a program prints when it is run alone, without input and without a sandbox.
pub(crate) fn printed_alone(program: &Program) -> Result<Vec<u8>, String> {
    let (file, args) = program.argv.split_first().ok_or("there is no program")?;
    Command::new(file)
        .args(args)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map(|output| output.stdout)
        .map_err(|error| format!("cannot start {file}: {error}"))
}

/// Where two byte strings part, in words.
pub(crate) fn difference(wanted: &[u8], found: &[u8]) -> Option<String> {
    if wanted == found {
        return None;
    }
    let at = wanted.iter().zip(found).take_while(|(a, b)| a == b).count();
    Some(format!(
        "{} bytes instead of {}, the same up to byte {at}",
        found.len(),
        wanted.len()
    ))
}
