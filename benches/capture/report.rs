//! The figures as tables, as JSON, as plots, and against their bounds.

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use crate::harness::bounds::Bound;
use crate::harness::machine::Machine;
use crate::harness::places;
use crate::harness::plot::{Line, Plot};
use crate::harness::statistics::Spread;
use crate::methods::{Method, Writing};
use crate::sizes::{Figures, Size};

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// rejoinder's version.
    pub(crate) version: &'static str,
    pub(crate) machine: Machine,
    /// Load averages when everything had been measured.
    pub(crate) load_at_end: String,
    /// The file system in which regular files were made.
    pub(crate) file_system: String,
    pub(crate) sizes: Vec<Size>,
    /// What one call that writes costs, in microseconds of real time and of CPU time.
    pub(crate) writes: Vec<OneWrite>,
    pub(crate) bounds: Vec<Bound>,
}

/// What one call that writes a byte costs.
#[derive(Debug, Serialize)]
pub(crate) struct OneWrite {
    pub(crate) method: Method,
    pub(crate) real_us: f64,
    pub(crate) cpu_us: f64,
    pub(crate) coordinator_cpu_us: Option<f64>,
}

/// The cost of a call: the difference of the smallest and the largest size, whose starts and ends
/// cost the same, by the calls between them.
pub(crate) fn writes(sizes: &[Size]) -> Vec<OneWrite> {
    let unbuffered = || sizes.iter().filter(|s| s.writing == Writing::Unbuffered);
    let (Some(least), Some(most)) = (unbuffered().next(), unbuffered().next_back()) else {
        return Vec::new();
    };
    let calls = most.bytes.saturating_sub(least.bytes).max(1) as f64;
    let each = |more: Spread, less: Spread| (more.median - less.median) * 1e3 / calls;
    let one = |method: &Method| {
        let (less, more) = (least.of(*method)?, most.of(*method)?);
        let ours = more.coordinator_cpu_ms.zip(less.coordinator_cpu_ms);
        Some(OneWrite {
            method: *method,
            real_us: each(more.real_ms, less.real_ms),
            cpu_us: each(more.cpu_ms, less.cpu_ms),
            coordinator_cpu_us: ours.map(|(more, less)| each(more, less)),
        })
    };
    Method::ALL.iter().filter_map(one).collect()
}

/// What must hold, with what was measured, at the largest size of each way of writing.
pub(crate) fn bounds(sizes: &[Size]) -> Vec<Bound> {
    let largest = |writing| sizes.iter().rfind(|size| size.writing == writing);
    let ratio = |writing, method, value: fn(&Figures) -> Spread| {
        Some(value(largest(writing)?.of(method)?).median)
    };
    let cpu = |method| ratio(Writing::Buffered, method, |figures| figures.cpu_ratio);
    let real = |method| ratio(Writing::Unbuffered, method, |figures| figures.real_ratio);
    let bound = |what, unit, measured, at_most| Bound {
        what,
        unit,
        measured,
        at_most,
    };
    vec![
        bound("CPU time, tmpfs", "times file", cpu(Method::Tmpfs), 1.2),
        bound("CPU time, pipe", "times file", cpu(Method::Pipe), 1.3),
        bound(
            "CPU time, pipe-file",
            "times file",
            cpu(Method::PipeFile),
            1.3,
        ),
        bound(
            "CPU time, file in the sandbox",
            "times bare",
            cpu(Method::Bare).map(|bare| 1.0 / bare),
            1.2,
        ),
        bound(
            "one-byte writes, tmpfs",
            "times file",
            real(Method::Tmpfs),
            1.5,
        ),
    ]
}

impl Report {
    /// Writes JSON and plots; what was written.
    pub(crate) fn write(&self) -> Result<Vec<PathBuf>> {
        let mut written = vec![places::write_json("capture", self)?];
        for (writing, suffix) in [
            (Writing::Buffered, ""),
            (Writing::Unbuffered, "-unbuffered"),
        ] {
            let cpu = self.plot(writing, "CPU time", |figures| figures.cpu_ms);
            let real = self.plot(writing, "Real time", |figures| figures.real_ms);
            written.push(places::write(
                &format!("capture-cpu{suffix}.svg"),
                &cpu.svg(),
            )?);
            written.push(places::write(
                &format!("capture-real{suffix}.svg"),
                &real.svg(),
            )?);
        }
        Ok(written)
    }

    fn plot(&self, writing: Writing, time: &str, value: fn(&Figures) -> Spread) -> Plot {
        let how = match writing {
            Writing::Buffered => "printed through a buffer",
            Writing::Unbuffered => "written one by one",
        };
        let sizes = || self.sizes.iter().filter(|size| size.writing == writing);
        let points = |method: Method| {
            sizes().filter_map(move |size| {
                let figures = size.of(method)?;
                Some((size.bytes as f64, value(figures).median))
            })
        };
        let line = |method: &Method| Line {
            name: method.name().to_owned(),
            style: method.style(),
            points: points(*method).collect(),
        };
        Plot {
            title: format!("{time} of a program by the method that captures its output"),
            x_label: format!("one-byte zeros {how}"),
            y_label: format!("{time}, median"),
            lines: Method::ALL.iter().map(line).collect(),
        }
    }

    /// The report for a person.
    pub(crate) fn table(&self) -> String {
        let mut out = String::new();
        self.write_table(&mut out)
            .expect("writing to a string does not fail");
        out
    }

    fn write_table(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "rejoinder {} on {}, regular files in {}",
            self.version, self.machine, self.file_system
        )?;
        for writing in [Writing::Buffered, Writing::Unbuffered] {
            let how = match writing {
                Writing::Buffered => "printed through a buffer",
                Writing::Unbuffered => "written one by one",
            };
            let real = |figures: &Figures| Some(figures.real_ms.median);
            let cpu = |figures: &Figures| Some(figures.cpu_ms.median);
            let whole = |figures: &Figures| Some(figures.whole_ms.median);
            self.grid(out, writing, &format!("CPU time in ms, {how}"), cpu)?;
            self.grid(out, writing, &format!("real time in ms, {how}"), real)?;
            self.grid(out, writing, &format!("whole command in ms, {how}"), whole)?;
        }
        self.largest(out)?;
        writeln!(
            out,
            "\n{:<12} {:>12} {:>12} {:>17}",
            "one write", "real us", "CPU us", "coordinator CPU"
        )?;
        for write in &self.writes {
            writeln!(
                out,
                "{:<12} {:>12.2} {:>12.2} {:>17}",
                write.method.name(),
                write.real_us,
                write.cpu_us,
                write
                    .coordinator_cpu_us
                    .map_or_else(|| "-".to_owned(), |us| format!("{us:.2}"))
            )?;
        }
        writeln!(out)?;
        for bound in &self.bounds {
            writeln!(out, "{bound}")?;
        }
        Ok(())
    }

    /// One figure for all sizes and methods.
    fn grid(
        &self,
        out: &mut String,
        writing: Writing,
        title: &str,
        value: fn(&Figures) -> Option<f64>,
    ) -> fmt::Result {
        write!(out, "\n{title}\n{:>10}", "bytes")?;
        for method in Method::ALL {
            write!(out, " {:>10}", method.name())?;
        }
        writeln!(out)?;
        for size in self.sizes.iter().filter(|size| size.writing == writing) {
            write!(out, "{:>10}", size.bytes)?;
            for method in Method::ALL {
                let figure = size.of(method).and_then(value);
                let figure = figure.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2}"));
                write!(out, " {figure:>10}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// All figures of the largest size, with their quartiles.
    fn largest(&self, out: &mut String) -> fmt::Result {
        let last = |writing| self.sizes.iter().rfind(|size| size.writing == writing);
        for size in [last(Writing::Buffered), last(Writing::Unbuffered)]
            .into_iter()
            .flatten()
        {
            writeln!(
                out,
                "\n{} bytes, {:?}: median, then lower and upper quartile\n\
                 {:<12} {:>2}  {:<27} {:<22} {:<32} {:<22} {:>10} {:>10} {:>10}",
                size.bytes,
                size.writing,
                "",
                "n",
                "CPU ms",
                "times file",
                "real ms",
                "times file",
                "own CPU ms",
                "own KiB",
                "prog. KiB"
            )?;
            for figures in &size.figures {
                let median = |spread: Option<Spread>| {
                    spread.map_or_else(|| "-".to_owned(), |s| format!("{:.0}", s.median))
                };
                writeln!(
                    out,
                    "{:<12} {:>2}  {:<27} {:<22} {:<32} {:<22} {:>10} {:>10} {:>10}",
                    figures.method.name(),
                    figures.rounds,
                    figures.cpu_ms.to_string(),
                    figures.cpu_ratio.to_string(),
                    figures.real_ms.to_string(),
                    figures.real_ratio.to_string(),
                    median(figures.coordinator_cpu_ms),
                    median(figures.coordinator_memory_kib),
                    median(figures.program_memory_kib),
                )?;
            }
        }
        Ok(())
    }
}
