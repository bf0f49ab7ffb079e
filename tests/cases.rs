//! The failures of other judges as cases, run through the real binary.
//!
//! Each folder of `tests/cases/` holds a contestant, an interactor and `case.toml`, which says what
//! must come of them. Each is one trial on each channel as each identity that this process can take
//! on: as we are, and, if we are root, as an unprivileged user. See `tests/cases/README.md`.

#[expect(dead_code, reason = "shared with the other tests of the binary")]
mod harness;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use harness::case::{Case, Variant};
use harness::identity::Identity;
use harness::run::Channel;
use harness::stage::Stage;
use harness::supervisor;
use harness::trial::{self, Prepared};
use libtest_mimic::{Arguments, Failed, Trial};

/// Bounds on real time mean little if more runs at once than there are CPUs on a small machine.
const THREADS: usize = 2;

fn main() -> ExitCode {
    supervisor::enter_if_asked();
    let mut args = Arguments::from_args();
    args.test_threads = args.test_threads.or(Some(THREADS));
    match trials(&args) {
        // The stage goes with the trials, which are dropped when they have run.
        Ok(trials) => libtest_mimic::run(&args, trials).exit_code(),
        Err(error) => {
            eprintln!("cases: {error}");
            ExitCode::FAILURE
        }
    }
}

fn trials(args: &Arguments) -> Result<Vec<Trial>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let cases = Case::all(&folder)?
        .into_iter()
        .map(|case| Prepared::new(case).map(Arc::new))
        .collect::<Result<Vec<_>, String>>()?;
    if cases.is_empty() {
        return Err(format!("there is no case in {}", folder.display()));
    }
    let stage = if args.list {
        None
    } else {
        Some(Arc::new(Stage::new()?))
    };
    let mut trials = Vec::new();
    for (channel, identity) in trial::passes() {
        for prepared in cases
            .iter()
            .filter(|prepared| restricted(prepared, channel, identity))
        {
            let mut add = |variant: Option<&Variant>| {
                trials.push(one(prepared, variant, channel, identity, stage.clone()));
            };
            add(None);
            prepared
                .case
                .variants
                .iter()
                .for_each(|variant| add(Some(variant)));
        }
    }
    Ok(trials)
}

/// False, and said so, if the case has no meaning on that channel.
fn restricted(prepared: &Prepared, channel: Channel, identity: Identity) -> bool {
    let case = &prepared.case;
    let runs = case.runs_on(channel);
    if let Some(only) = case
        .channels
        .as_ref()
        .filter(|_| !runs && identity == Identity::Own)
    {
        eprintln!(
            "cases: {} is not run on {}: {}",
            case.name,
            channel.name(),
            only.because
        );
    }
    runs
}

fn one(
    prepared: &Arc<Prepared>,
    variant: Option<&Variant>,
    channel: Channel,
    identity: Identity,
    stage: Option<Arc<Stage>>,
) -> Trial {
    let name = trial::name(&prepared.case, variant, channel, identity);
    let missing = prepared.missing_tool(identity);
    if let Some(tool) = missing {
        eprintln!("cases: {name} is ignored: `{tool}` is not to be had for this user");
    }
    let prepared = Arc::clone(prepared);
    let variant = variant.cloned();
    Trial::test(name, move || {
        let stage = stage.ok_or_else(|| Failed::from("there is no stage"))?;
        prepared
            .run(variant.as_ref(), channel, identity, &stage)
            .map_err(Failed::from)
    })
    .with_ignored_flag(missing.is_some())
}
