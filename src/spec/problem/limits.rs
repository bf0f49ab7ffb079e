//! The `[limits]` and `[interactor-limits]` of a problem.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde::de::{Deserializer, Visitor};
use toml::Spanned;

use crate::error::Result;
use crate::evidence::Role;
use crate::spec::document::Document;
use crate::spec::limits::Limits;
use crate::units::{parse_duration, parse_size};

/// One table of limits; what it leaves out has its default.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsWritten {
    cpu: Option<Spanned<Quantity>>,
    wall: Option<Spanned<Quantity>>,
    idle: Option<Spanned<Quantity>>,
    memory: Option<Spanned<Quantity>>,
    #[serde(rename = "address-space")]
    address_space: Option<Spanned<Quantity>>,
    output: Option<Spanned<Quantity>>,
    tasks: Option<Spanned<i64>>,
    stack: Option<Spanned<Quantity>>,
}

impl LimitsWritten {
    /// The limits of a role, with the defaults filled in.
    pub(super) fn check(&self, role: Role, document: &Document) -> Result<Limits> {
        let time = |key, written: &Option<Spanned<Quantity>>, default: Duration| {
            read(document, key, written, parse_duration).map(|time| time.unwrap_or(default))
        };
        let size = |key, written| read(document, key, written, parse_size);
        let default = Limits::default_for(role);
        let tasks = match &self.tasks {
            None => default.tasks,
            Some(tasks) => u32::try_from(*tasks.get_ref())
                .ok()
                .filter(|tasks| *tasks > 0)
                .ok_or_else(|| {
                    let message = format!(
                        "tasks: {} is not a number of processes and threads: write at least 1",
                        tasks.get_ref()
                    );
                    document.error(&tasks.span(), message)
                })?,
        };
        Ok(Limits {
            cpu: time("cpu", &self.cpu, default.cpu)?,
            wall: time("wall", &self.wall, default.wall)?,
            idle: time("idle", &self.idle, default.idle)?,
            memory: size("memory", &self.memory)?.unwrap_or(default.memory),
            address_space: size("address-space", &self.address_space)?.or(default.address_space),
            output: size("output", &self.output)?.unwrap_or(default.output),
            tasks,
            stack: size("stack", &self.stack)?.or(default.stack),
        })
    }
}

fn read<T>(
    document: &Document,
    key: &str,
    written: &Option<Spanned<Quantity>>,
    parse: fn(&str) -> std::result::Result<T, String>,
) -> Result<Option<T>> {
    let Some(written) = written else {
        return Ok(None);
    };
    let value = written.get_ref().read(key, parse);
    value
        .map(Some)
        .map_err(|message| document.error(&written.span(), message))
}

/// A number with a unit, or a bare number, which is taken here to be refused with its own words.
pub(super) struct Quantity(String);

impl Quantity {
    /// Reads it; the message names the key.
    pub(super) fn read<T>(
        &self,
        key: &str,
        parse: fn(&str) -> std::result::Result<T, String>,
    ) -> std::result::Result<T, String> {
        parse(&self.0).map_err(|message| format!("{key}: {message}"))
    }
}

impl<'de> Deserialize<'de> for Quantity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Quantity;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text such as \"1s\" or \"256MiB\"")
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<Quantity, E> {
                Ok(Quantity(text.to_owned()))
            }

            fn visit_i64<E>(self, number: i64) -> std::result::Result<Quantity, E> {
                Ok(Quantity(number.to_string()))
            }

            fn visit_f64<E>(self, number: f64) -> std::result::Result<Quantity, E> {
                Ok(Quantity(number.to_string()))
            }
        }

        deserializer.deserialize_any(Text)
    }
}
