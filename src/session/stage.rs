//! Sets the stage for a session: CPU, identities, channels, both sandboxes.

use std::ffi::OsString;

use super::ground::Ground;
use super::passes::Pass;
use super::record::Record;
use super::relay::Relay;
use super::scratch::Scratch;
use super::{CONTESTANT, INTERACTOR, Session, Source};
use crate::channel::{self, Ends, Link};
use crate::error::Result;
use crate::evidence::{ContestantEvidence, End, Evidence, InteractorEvidence, Role, StartFailure};
use crate::outcome::{Outcome, ParticipantOutcome};
use crate::participant::Participant;
use crate::participant::stderr::StderrDrain;
use crate::reactor::Reactor;
use crate::sandbox::cpus::{self, Chosen, Pinned};
use crate::sandbox::launch::{self, Order, Sandbox};
use crate::sandbox::policy::Policy;
use crate::sandbox::slots::Slot;
use crate::sandbox::tracer::Tracer;
use crate::sandbox::view::Given;
use crate::spec::command::Command;
use crate::spec::limits::Limits;
use crate::spec::plan::Plan;
use crate::spec::protocol::Protocol;
use crate::verdict::judge;

/// The result of setting the stage.
pub(super) enum Set<'a> {
    /// Both programs are loaded and wait for their first instruction.
    Ready(Box<Session<'a>>),
    /// One of them could not be started.
    NotStarted(Box<Outcome>),
}

/// What a session holds as long as it lasts.
pub(super) struct Held {
    pub(super) cpu: Chosen,
    pub(super) identities: Vec<Slot>,
    _pinned: Option<Pinned>,
}

/// Sets the stage for a pass.
pub(super) fn set(
    plan: &Plan,
    pass: Pass,
    mut reactor: Reactor,
    ground: Ground,
) -> Result<Set<'_>> {
    let Ground {
        cpu,
        identities,
        scratch,
        record,
    } = ground;
    let cpus = cpu.cpus.clone();
    let identity = |side: usize| identities.get(side).map(Slot::user_id);
    let open = |side, reactor: &mut Reactor| Link::open(plan.channel, reactor.watcher(), side);
    let (to_interactor, interactor_ends) = open(CONTESTANT, &mut reactor)?;
    let (to_contestant, contestant_ends) = open(INTERACTOR, &mut reactor)?;
    let Ends {
        writer_stdout: contestant_out,
        reader_stdin: interactor_in,
    } = interactor_ends;
    let Ends {
        writer_stdout: interactor_out,
        reader_stdin: contestant_in,
    } = contestant_ends;
    let (contestant_err, contestant_err_end) = channel::drained_pipe()?;
    let (interactor_err, interactor_err_end) = channel::drained_pipe()?;

    let folder = launch::working_folder();
    let order = |role, command: &Command, argv, given, limits, identity, stdio| Order {
        program: command.program.clone(),
        argv,
        given,
        limits,
        cpus: cpus.as_deref(),
        isolation: plan.isolation,
        require: &plan.require,
        identity,
        stdio,
        policy: Policy::of(role, command.profile),
        reads_writes: false,
    };
    let (jury, judged) = (&plan.interactor, &plan.contestant);
    let mut shown_to_jury = jury.command.reads.clone();
    let test_files = std::iter::once(&pass.input).chain(&jury.answer);
    // That device is in every sandbox.
    shown_to_jury.extend(test_files.filter(|p| *p != "/dev/null").cloned());
    let interactor = launch::begin(order(
        Role::Interactor,
        &jury.command,
        arguments(plan, &pass, &scratch),
        Given {
            read: shown_to_jury,
            write: Some(scratch.folder().to_owned()),
            folder: folder.clone(),
        },
        &jury.limits,
        identity(INTERACTOR),
        [interactor_in, interactor_out, interactor_err_end],
    ))?;
    let contestant = launch::begin(order(
        Role::Contestant,
        &judged.command,
        judged.command.argv.clone(),
        Given {
            read: judged.command.reads.clone(),
            write: None,
            folder,
        },
        &judged.limits,
        identity(CONTESTANT),
        [contestant_in, contestant_out, contestant_err_end],
    ))?;
    let interactor = match interactor.finish()? {
        Ok(sandbox) => sandbox,
        Err(failure) => return Ok(not_started(plan, Role::Interactor, failure, &pass, record)),
    };
    let contestant = match contestant.finish()? {
        Ok(sandbox) => sandbox,
        Err(failure) => return Ok(not_started(plan, Role::Contestant, failure, &pass, record)),
    };

    let pinned = cpus.as_deref().map(Pinned::to).transpose()?;
    let links = [to_interactor, to_contestant];
    for (side, link) in links.iter().enumerate() {
        if let Some(output) = link.readable() {
            reactor.register_readable(output, Source::Output(side).tag())?;
        }
        if let Some(room) = link.writable() {
            reactor.register_writable(room, Source::Room(side).tag())?;
        }
    }
    let mut tracer = Tracer::default();
    let parallel = cpus::count(cpus.as_deref());
    let mut warnings = contestant.warnings.clone();
    warnings.extend(
        interactor
            .warnings
            .iter()
            .filter(|w| !contestant.warnings.contains(w))
            .cloned(),
    );
    let mut participant = |role, sandbox: Sandbox, limits: &Limits, err| {
        Participant::new(
            role,
            sandbox,
            &mut tracer,
            limits,
            parallel,
            StderrDrain::new(err),
            None,
        )
    };
    let participants = [
        participant(Role::Contestant, contestant, &judged.limits, contestant_err),
        participant(Role::Interactor, interactor, &jury.limits, interactor_err),
    ];
    for (participant, command) in participants.iter().zip([&judged.command, &jury.command]) {
        if plan.explain {
            tracer.explain(participant.who, &command.program);
        }
    }
    for (side, participant) in participants.iter().enumerate() {
        if let Some(fd) = participant.stderr.descriptor() {
            reactor.register_readable(fd, Source::Stderr(side).tag())?;
        }
    }
    Ok(Set::Ready(Box::new(Session {
        plan,
        pass,
        reactor,
        tracer,
        participants,
        links,
        scratch,
        record,
        looks: Default::default(),
        relay: Relay::new(cpus.as_deref().is_some_and(|cpus| cpus.len() == 1)),
        warnings,
        more: false,
        next_check: Default::default(),
        decision: None,
        message: String::new(),
        next: None,
        deadlock: None,
        diagnosis: None,
        unflushed: Vec::new(),
        overtime: None,
        interrupted: None,
        held: Held {
            cpu,
            identities,
            _pinned: pinned,
        },
    })))
}

/// The interactor's arguments, as its protocol wants them.
fn arguments(plan: &Plan, pass: &Pass, scratch: &Scratch) -> Vec<OsString> {
    let interactor = &plan.interactor;
    let mut argv = interactor.command.argv.clone();
    argv.push(pass.input.clone().into());
    match interactor.protocol {
        Protocol::Testlib => {
            argv.push(scratch.argument().into());
            argv.extend(interactor.answer.clone().map(OsString::from));
        }
        Protocol::Icpc => {
            // Without an answer file such interactors are given one that is empty.
            argv.push(
                interactor
                    .answer
                    .clone()
                    .unwrap_or_else(|| "/dev/null".into())
                    .into(),
            );
            argv.push(scratch.argument().into());
        }
    }
    argv.extend(interactor.extra_args.iter().cloned());
    argv
}

/// The outcome of a run in which a program could not be started.
fn not_started<'a>(
    plan: &Plan,
    role: Role,
    failure: StartFailure,
    pass: &Pass,
    mut record: Record,
) -> Set<'a> {
    let failed = Some(End::NotStarted(failure));
    let (contestant, interactor) = match role {
        Role::Contestant => (failed, Some(End::Stopped)),
        Role::Interactor => (None, failed),
    };
    let evidence = Evidence {
        contestant: ContestantEvidence {
            end: contestant.clone(),
            ..Default::default()
        },
        interactor: InteractorEvidence {
            end: interactor.clone(),
            ..Default::default()
        },
        ..Default::default()
    };
    let judgement = pass.judged(judge(&evidence, &plan.policy));
    record.event(
        Default::default(),
        &crate::transcript::event::Event::verdict(&judgement),
    );
    let kept = record.finish(Default::default());
    let (judged, jury) = (&plan.contestant, &plan.interactor);
    Set::NotStarted(Box::new(Outcome {
        title: plan.title.clone(),
        judgement,
        evidence,
        contestant: ParticipantOutcome::unstarted(
            Role::Contestant,
            &judged.command,
            contestant,
            &judged.limits,
        ),
        interactor: ParticipantOutcome::unstarted(
            Role::Interactor,
            &jury.command,
            interactor,
            &jury.limits,
        ),
        message: String::new(),
        elapsed: Default::default(),
        checker: None,
        passes: Vec::new(),
        isolation: Vec::new(),
        diagnosis: None,
        recent: kept.recent,
        timeline: kept.timeline,
        warnings: kept.failed.into_iter().collect(),
        transcript: plan.transcript.clone(),
        interrupted: None,
    }))
}
