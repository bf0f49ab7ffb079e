//! `rejoinder doctor`: what this machine gives a sandbox, and how to have what it lacks.

use clap::Args;

use crate::doctor::{self, report};
use crate::error::Result;
use crate::spec::layer::Layer;

/// What the help says at its end.
const AFTER_HELP: &str = "\
Everything is really tried, by this user, here and now: a program is started behind each layer and \
taken away before its first instruction. Nothing is changed.

Exit status: 0 programs can be run here, with every required layer, 2 a mistake in the command \
line, 4 they cannot.";

/// Show what this machine gives a sandbox, what is missing, and how to have it
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Doctor {
    /// Layers that are to be had together, such as `landlock,cgroup`
    #[arg(long, value_name = "LAYERS", value_delimiter = ',', value_parser = Layer::named)]
    require: Vec<Layer>,
    /// Print one JSON object instead of the table (see docs/json.md)
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(super) fn execute(&self) -> Result<u8> {
        let examination = doctor::examine(&self.require);
        let text = match self.json {
            true => report::json(&examination) + "\n",
            false => report::render(&examination, super::width()),
        };
        super::print(&text)?;
        Ok(if examination.fits() { 0 } else { 4 })
    }
}
