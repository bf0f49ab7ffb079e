//! `problem.yaml`: which format it is, that it is interactive, and the limits.

use std::path::Path;

use super::FILE_NAME;
use super::limits;
use crate::error::{Error, Result};
use crate::spec::left_out::LeftOut;
use crate::spec::limits::Limits;
use crate::spec::nearest::{listed, nearest};
use crate::spec::yaml::{Key, Map, Value, Yaml, text};

/// The version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Legacy,
    LegacyIcpc,
    Draft,
    V2025,
}

/// What `problem_format_version` may be, and what it means. A draft is read as what came of it.
const VERSIONS: [(&str, Version); 7] = [
    ("legacy", Version::Legacy),
    ("legacy-icpc", Version::LegacyIcpc),
    ("2023-07-draft", Version::Draft),
    ("2023-07", Version::Draft),
    ("draft", Version::Draft),
    ("2025-09", Version::V2025),
    ("2025-09-draft", Version::V2025),
];

impl Version {
    pub(super) fn name(self) -> &'static str {
        match self {
            Version::Legacy => "legacy",
            Version::LegacyIcpc => "legacy-icpc",
            Version::Draft => "2023-07-draft",
            Version::V2025 => "2025-09",
        }
    }

    /// True of the formats from before there were versions.
    pub(super) fn is_legacy(self) -> bool {
        matches!(self, Version::Legacy | Version::LegacyIcpc)
    }
}

/// What is in `problem.yaml`.
#[derive(Debug)]
pub(super) struct Metadata {
    pub(super) version: Version,
    pub(super) name: String,
    /// An accepted run may have a score.
    pub(super) scoring: bool,
    /// How often both programs may be run.
    pub(super) passes: u32,
    /// The first arguments of the validator in every test.
    pub(super) validator_flags: Vec<String>,
    pub(super) contestant_limits: Limits,
    pub(super) interactor_limits: Limits,
}

/// What nobody needs for running a problem, in the legacy formats and in the others.
const DESCRIPTIVE: [&[&str]; 2] = [
    &[
        "uuid",
        "author",
        "source",
        "source_url",
        "license",
        "rights_owner",
        "keywords",
        "libraries",
    ],
    &[
        "uuid",
        "version",
        "credits",
        "source",
        "license",
        "rights_owner",
        "embargo_until",
        "keywords",
    ],
];

impl Metadata {
    pub(super) fn read(folder: &Path, left_out: &mut LeftOut) -> Result<Self> {
        let yaml = Yaml::read("problem file", &folder.join(FILE_NAME))?;
        let mut map = yaml.map()?;
        let version = version(&yaml, &mut map)?;
        let legacy = version.is_legacy();
        map.skip(DESCRIPTIVE[usize::from(!legacy)]);
        let name = name(&yaml, &mut map)?.unwrap_or_else(|| folder_name(folder));
        let kind = match legacy {
            true => legacy_kind(&yaml, &mut map)?,
            false => kind(&yaml, &mut map)?,
        };
        let mut validator_flags = Vec::new();
        if legacy {
            if let Some((key, flags)) = map.text("validator_flags")? {
                validator_flags = words(&yaml, key, flags)?;
            }
            if let Some((key, _)) = map.take("grading") {
                let what = "scores are shown for each test and not put together";
                left_out.key(&yaml.document, &key.span, "grading", what);
            }
        } else {
            not_done(&yaml, &mut map, left_out)?;
        }
        let limits = match map.take("limits") {
            Some((_, node)) => Some(Map::of(&yaml.document, node, "`limits`")?),
            None => None,
        };
        let (limits, passes) = limits::passes(&yaml.document, limits, kind.multi_pass)?;
        let (contestant_limits, interactor_limits) =
            limits::read(folder, &yaml.document, limits, version, left_out)?;
        map.finish(|name| hint(name, legacy))?;
        if kind.scoring {
            let what =
                "`type: scoring`: the score of each test is shown, and they are not put together";
            left_out.file(&folder.join(FILE_NAME), what);
        }
        Ok(Metadata {
            version,
            name,
            scoring: kind.scoring,
            passes,
            validator_flags,
            contestant_limits,
            interactor_limits,
        })
    }
}

/// What to do about a key of another version.
fn hint(name: &str, legacy: bool) -> Option<String> {
    let new = "the key belongs to newer formats: write `problem_format_version: 2025-09`";
    match (name, legacy) {
        ("validation", false) => {
            Some("in this format write `type: interactive` instead".to_owned())
        }
        ("validator_flags", false) => Some(
            "in this format write `output_validator_args` into data/secret/test_group.yaml instead"
                .to_owned(),
        ),
        ("credits" | "languages" | "constants" | "allow_file_writing", true) => {
            Some(new.to_owned())
        }
        _ => None,
    }
}

fn version(yaml: &Yaml, map: &mut Map<'_>) -> Result<Version> {
    let Some((_, node)) = map.take("problem_format_version") else {
        return Ok(Version::Legacy);
    };
    let written = text(&yaml.document, node, "problem_format_version")?;
    let found = VERSIONS.iter().find(|(name, _)| *name == written);
    found.map(|(_, version)| *version).ok_or_else(|| {
        let known = VERSIONS.iter().map(|(name, _)| *name);
        let message = format!(
            "`problem_format_version` is `{written}`, and the versions that are read here are {}",
            listed(known)
        );
        yaml.document.error(&node.span, message)
    })
}

/// The name in English, or in the first language that there is.
fn name(yaml: &Yaml, map: &mut Map<'_>) -> Result<Option<String>> {
    let Some((_, node)) = map.take("name") else {
        return Ok(None);
    };
    let node = match &node.value {
        Value::Map(names) => {
            let english = names.iter().find(|(language, _)| language.name == "en");
            match english.or(names.first()) {
                Some((_, name)) => name,
                None => return Ok(None),
            }
        }
        _ => node,
    };
    Ok(Some(text(&yaml.document, node, "name")?.trim().to_owned()))
}

fn folder_name(folder: &Path) -> String {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = real.file_name().unwrap_or(real.as_os_str());
    name.to_string_lossy().into_owned()
}

/// How the problem is judged.
#[derive(Default)]
struct Kind {
    interactive: bool,
    scoring: bool,
    multi_pass: bool,
}

const NOT_INTERACTIVE: &str = "rejoinder runs interactive problems only";

/// `validation` and `type` of the legacy formats.
fn legacy_kind(yaml: &Yaml, map: &mut Map<'_>) -> Result<Kind> {
    let mut kind = Kind::default();
    let document = &yaml.document;
    if let Some((_, node)) = map.take("type") {
        match text(document, node, "type")? {
            "pass-fail" => {}
            "scoring" => kind.scoring = true,
            other => {
                let message = format!(
                    "`type` is `{other}`; in this format it is `pass-fail` or `scoring`, and interactive problems say `validation: custom interactive`"
                );
                return Err(document.error(&node.span, message));
            }
        }
    }
    let Some((_, node)) = map.take("validation") else {
        return Err(document.error_without_line(format!(
            "{NOT_INTERACTIVE}: write `validation: custom interactive` if this is one"
        )));
    };
    let written = text(document, node, "validation")?;
    let mut words = written.split_whitespace();
    let is_custom = words.next() == Some("custom");
    for word in words {
        match word {
            "interactive" => kind.interactive = true,
            "score" => kind.scoring = true,
            "multi-pass" | "multipass" => kind.multi_pass = true,
            _ => {
                let message = format!(
                    "`validation` has the unknown word `{word}`; after `custom` come `interactive`, `multi-pass` and `score`"
                );
                return Err(document.error(&node.span, message));
            }
        }
    }
    match is_custom && kind.interactive {
        true => Ok(kind),
        false => Err(document.error(
            &node.span,
            format!("`validation` is `{written}`, and {NOT_INTERACTIVE}: write `custom interactive` if this is one"),
        )),
    }
}

/// `type` of the newer formats.
fn kind(yaml: &Yaml, map: &mut Map<'_>) -> Result<Kind> {
    const KNOWN: [&str; 5] = [
        "pass-fail",
        "scoring",
        "interactive",
        "multi-pass",
        "submit-answer",
    ];
    let document = &yaml.document;
    let mut kind = Kind::default();
    let Some((key, types)) = map.texts("type")? else {
        return Err(document.error_without_line(format!(
            "{NOT_INTERACTIVE}: write `type: interactive` if this is one"
        )));
    };
    // Drafts had them in one text.
    for word in types.iter().flat_map(|text| text.split_whitespace()) {
        match word {
            "pass-fail" => {}
            "scoring" => kind.scoring = true,
            "interactive" => kind.interactive = true,
            "multi-pass" => kind.multi_pass = true,
            "submit-answer" => {
                let message = format!("`type: submit-answer`: {NOT_INTERACTIVE}");
                return Err(document.error(&key.span, message));
            }
            other => {
                let message = match nearest(other, KNOWN) {
                    Some(near) => format!("unknown type `{other}`: did you mean `{near}`?"),
                    None => format!("unknown type `{other}`: there are {}", listed(KNOWN)),
                };
                return Err(document.error(&key.span, message));
            }
        }
    }
    match kind.interactive {
        true => Ok(kind),
        false => Err(document.error(
            &key.span,
            format!("`type` has no `interactive`, and {NOT_INTERACTIVE}: write `type: interactive` if this is one"),
        )),
    }
}

/// Keys of the newer formats that ask for what is not done here.
fn not_done(yaml: &Yaml, map: &mut Map<'_>, left_out: &mut LeftOut) -> Result<()> {
    let document = &yaml.document;
    if let Some((key, languages)) = map.texts("languages")?
        && languages != ["all"]
    {
        let what = "solutions in other languages are run too";
        left_out.key(document, &key.span, "languages", what);
    }
    if let Some((key, node)) = map.take("allow_file_writing")
        && node.value != Value::Bool(false)
    {
        let what = "contestants write into a folder of their own that is gone after the run";
        left_out.key(document, &key.span, "allow_file_writing", what);
    }
    if let Some((key, _)) = map.take("constants") {
        let what = "`{{name}}` is not replaced in sources and in arguments";
        left_out.key(document, &key.span, "constants", what);
    }
    if let Some((key, _)) = map.take("scoring") {
        let what = "scores are shown for each test and not put together";
        left_out.key(document, &key.span, "scoring", what);
    }
    Ok(())
}

/// The words of a line of flags, as a shell takes them apart.
pub(super) fn words(yaml: &Yaml, key: &Key, line: &str) -> Result<Vec<String>> {
    shell_words::split(line).map_err(|_| -> Error {
        let message = format!("`{}` has a quote that is not closed: {line}", key.name);
        yaml.document.error(&key.span, message)
    })
}
