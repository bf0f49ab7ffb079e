//! All solutions on all tests as JUnit XML, for the pages of a CI: a suite for each solution, a case
//! for each session.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::matrix::record::{Frame, Record};
use crate::matrix::summary::{Fate, Row, Summary};
use crate::report::matrix::surprise;

/// The document.
pub(crate) fn render(frame: &Frame, records: &[Record], summary: &Summary) -> String {
    let mut report = Report::new(frame.problem.as_str());
    report.add_test_suites(summary.rows.iter().map(|row| suite(row, records)));
    // A string can be written to, and names are escaped.
    report.to_string().unwrap_or_default()
}

fn suite(row: &Row, records: &[Record]) -> TestSuite {
    let mut suite = TestSuite::new(row.solution.as_str());
    let own = records
        .iter()
        .filter(|record| record.solution == row.solution);
    suite.add_test_cases(own.map(|record| {
        let status = match record.may_be() {
            true => TestCaseStatus::success(),
            false => failure(record.verdict.name(), &surprise(record)),
        };
        let name = match record.repeat {
            1 => record.test.clone(),
            repeat => format!("{}, time {repeat}", record.test),
        };
        let mut case = TestCase::new(name, status);
        case.set_classname(row.solution.as_str());
        case.set_time(Duration::from_secs_f64(record.elapsed_ms.max(0.0) / 1000.0));
        case
    }));
    // What no single session shows, such as that no test rejects a bad solution.
    let mut whole = TestCase::new(
        "as expected",
        match &row.fate {
            Fate::AsExpected | Fate::Open => TestCaseStatus::success(),
            Fate::Surprise(why) => failure("not as expected", why),
            Fate::Left(why) => {
                let mut skipped = TestCaseStatus::skipped();
                skipped.set_message(why.as_str());
                skipped
            }
        },
    );
    whole.set_classname(row.solution.as_str());
    suite.add_test_case(whole);
    suite
}

fn failure(message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message);
    status.set_description(description);
    status
}
