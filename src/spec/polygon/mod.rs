//! Polygon packages, read where they lie: `problem.xml` and the files that it names.
//!
//! Called by [`Problem::load`] for a folder with a `problem.xml`. The format has no published
//! specification; what is read is what packages of polygon.codeforces.com hold. What is asked for
//! and not done here is an error where verdicts would mean nothing, and otherwise named in
//! [`Problem::left_out`]. `docs/packages.md` has what each element becomes.

mod solutions;
mod testset;
mod xml;

use std::path::Path;

use roxmltree::Node;

use self::xml::Xml;
use crate::error::Result;
use crate::evidence::Role;
use crate::spec::document::Document;
use crate::spec::left_out::LeftOut;
use crate::spec::limits::Limits;
use crate::spec::problem::Problem;
use crate::spec::protocol::Protocol;
use crate::verdict::Policy;

/// The file that makes a folder a Polygon package.
pub(crate) const FILE_NAME: &str = "problem.xml";
/// What the format is called.
pub(crate) const FORMAT: &str = "Polygon";

/// Reads the package in a folder.
///
/// # Errors
/// [`Error::Usage`](crate::error::Error::Usage) with the file and line of the mistake, or of what
/// cannot be run here.
pub(crate) fn load(folder: &Path) -> Result<Problem> {
    let document = Document::read("problem file", &folder.join(FILE_NAME))?;
    let tree = xml::parse(&document)?;
    let xml = Xml {
        folder,
        document: &document,
    };
    let mut left_out = LeftOut::default();
    let problem = tree.root_element();
    if !problem.has_tag_name("problem") {
        let message = "the outermost element is not `problem`, as it is in a Polygon package";
        return Err(xml.error(problem, message));
    }
    let assets = xml.child(problem, "assets")?;
    let Some(interactor) = xml::child(assets, "interactor") else {
        let message = "`assets` has no `interactor`, and rejoinder runs interactive problems only";
        return Err(xml.error(assets, message));
    };
    let source = xml.child(interactor, "source")?;
    let interactor = xml.file(source, "path")?;
    let checker = match xml::child(assets, "checker") {
        None => None,
        Some(checker) => match checker.attribute("type") {
            None | Some("testlib") => Some(xml.file(xml.child(checker, "source")?, "path")?),
            Some(other) => {
                let message = format!(
                    "this checker is of the type `{other}`, and rejoinder runs those of testlib"
                );
                return Err(xml.error(checker, message));
            }
        },
    };
    let judging = xml.child(problem, "judging")?;
    let found = testset::read(&xml, judging, &mut left_out)?;
    let solutions = solutions::read(&xml, assets, &mut left_out)?;
    let contestant = Limits::default_for(Role::Contestant);
    let cpu = found.time_limit.unwrap_or(contestant.cpu);
    Ok(Problem {
        name: name(problem).unwrap_or_else(|| folder_name(folder)),
        format: FORMAT.to_owned(),
        folder: folder.to_owned(),
        interactor,
        checker,
        protocol: Protocol::Testlib,
        passes: 1,
        contestant_limits: Limits {
            cpu,
            wall: contestant.wall.max(cpu * 3),
            memory: found.memory_limit.unwrap_or(contestant.memory),
            ..contestant
        },
        interactor_limits: Limits::default_for(Role::Interactor),
        policy: Policy::default(),
        session: None,
        channel: None,
        tests: found.tests,
        solutions,
        left_out: left_out.sentences(),
    })
}

/// The name in English, or in the first language that there is, or the short one.
fn name(problem: Node<'_, '_>) -> Option<String> {
    let names = xml::child(problem, "names");
    let names = || {
        let names = names.iter().flat_map(|names| names.children());
        names.filter(|node| node.has_tag_name("name"))
    };
    let english = names().find(|name| name.attribute("language") == Some("english"));
    let name = english.or_else(|| names().next());
    let name = name.and_then(|name| name.attribute("value"));
    let name = name.or_else(|| problem.attribute("short-name"))?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn folder_name(folder: &Path) -> String {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = real.file_name().unwrap_or(real.as_os_str());
    name.to_string_lossy().into_owned()
}
