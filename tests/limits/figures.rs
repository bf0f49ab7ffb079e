//! The figures of a report, and what they must be like whatever the run.

use serde_json::Value;

/// A report with its figures.
pub(crate) struct Figures(Value);

/// What the report's times are rounded to, in milliseconds, added up generously.
const ROUNDING_MS: f64 = 0.01;

impl Figures {
    pub(crate) fn new(report: Value) -> Figures {
        Figures(report)
    }

    /// A figure by its path, such as `contestant/cpu_ms`; NaN, which no comparison passes, if it
    /// is not there.
    pub(crate) fn get(&self, path: &str) -> f64 {
        let value = self.0.pointer(&format!("/{path}"));
        value.and_then(Value::as_f64).unwrap_or(f64::NAN)
    }

    pub(crate) fn text(&self, path: &str) -> &str {
        let value = self.0.pointer(&format!("/{path}"));
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// How often calls of this name were refused.
    pub(crate) fn refused(&self, role: &str, call: &str) -> f64 {
        let list = self.0.pointer(&format!("/{role}/refused"));
        let of = |entry: &&Value| entry["call"] == call;
        let found = list.and_then(Value::as_array);
        let entry = found.and_then(|list| list.iter().find(of));
        entry.map_or(0.0, |entry| entry["count"].as_f64().unwrap_or(f64::NAN))
    }

    /// The numbers that a program wrote behind this word, added up.
    pub(crate) fn said(&self, role: &str, word: &str) -> f64 {
        let lines = self.text(&format!("{role}/stderr/head")).lines();
        let of = |line: &str| line.strip_prefix(word)?.trim().parse::<f64>().ok();
        lines.filter_map(of).sum()
    }

    /// The excess is the one that was wanted, and more than what was allowed.
    pub(crate) fn over(&self, role: &str, limit: &str) -> Result<(), String> {
        let end = |field: &str| format!("{role}/end/{field}");
        let named = self.text(&end("limit"));
        if named != limit {
            let kind = self.text(&end("kind"));
            return Err(format!(
                "the {role} ended by `{kind}` `{named}`, not by the limit `{limit}`"
            ));
        }
        let (used, allowed) = (self.get(&end("used")), self.get(&end("allowed")));
        let unit = self.text(&end("unit"));
        let (wanted_unit, of_limits) = match limit {
            "cpu" | "wall" | "idle" => ("ms", self.get(&format!("{role}/limits/{limit}_ms"))),
            "memory" => {
                let kib = self.get(&format!("{role}/limits/memory_kib"));
                ("bytes", kib * 1024.0)
            }
            "output" => ("bytes", self.get(&format!("{role}/limits/output_bytes"))),
            _ => ("ms", allowed),
        };
        // The kernel refuses the first page beyond, so exactly all of the memory is used then.
        let exceeds = used > allowed || (limit == "memory" && used == allowed);
        match exceeds && allowed == of_limits && unit == wanted_unit {
            true => Ok(()),
            false => Err(format!(
                "{used} {unit} of {allowed} used, where the limit is {of_limits} {wanted_unit}"
            )),
        }
    }

    /// What holds in every run.
    pub(crate) fn plausible(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let elapsed = self.get("elapsed_ms");
        for role in ["contestant", "interactor"] {
            let get = |field: &str| self.get(&format!("{role}/{field}"));
            let mut at_most = |less: (&str, f64), more: (&str, f64)| {
                if !(0.0 <= less.1 && less.1 <= more.1 + ROUNDING_MS) {
                    wrong.push(format!(
                        "the {role}'s {} is {}, its {} {}",
                        less.0, less.1, more.0, more.1
                    ));
                }
            };
            let wall = ("wall_ms", get("wall_ms"));
            at_most(("turn_ms", get("turn_ms")), wall);
            at_most(("idle_ms", get("idle_ms")), wall);
            at_most(wall, ("elapsed_ms of the session", elapsed));
            let (user, system) = (get("user_ms"), get("system_ms"));
            at_most(
                ("user and system", user + system),
                ("cpu_ms", get("cpu_ms")),
            );
        }
        wrong
    }
}

/// Turns a comparison into a sentence when it fails.
pub(crate) fn holds(
    what: &str,
    found: f64,
    within: std::ops::RangeInclusive<f64>,
) -> Result<(), String> {
    match within.contains(&found) {
        true => Ok(()),
        false => Err(format!(
            "{what} is {found}, not from {} to {}",
            within.start(),
            within.end()
        )),
    }
}

/// CPU time as the program's own processes read it from the kernel, within 3 % or 10 ms.
pub(crate) fn cpu_is_what_it_says(role: &str, figures: &Figures) -> Result<(), String> {
    let said = figures.said(role, "used ") / 1000.0;
    let tolerance = (said * 0.03).max(10.0);
    let cpu = figures.get(&format!("{role}/cpu_ms"));
    holds(
        &format!("the {role}'s cpu_ms"),
        cpu,
        said - tolerance..=said + tolerance,
    )
}
