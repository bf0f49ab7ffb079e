//! Tests of the terminal report: what a person sees, to the byte.

use insta::assert_snapshot;

use super::*;
use crate::outcome::Explanation;
use crate::report::samples;

pub(in crate::report) fn plain(outcome: &Outcome, width: usize) -> String {
    let styled = render(outcome, width, &Options::default());
    let text = anstream::adapter::strip_str(&styled).to_string();
    for line in text.lines() {
        assert!(escape::width(line) <= width, "{line:?} is too wide");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
    assert!(text.ends_with('\n') && !text.ends_with("\n\n") && !text.contains("\n\n\n"));
    text
}

#[test]
fn accepted() {
    assert_snapshot!(plain(&samples::accepted(), 80), @"
    guess-number, test 02, solutions/binary_search.py

     seconds  contestant                          interactor
              · 14 earlier messages
       0.018                                      100
       0.020  ? 50
                                                  <
              ? 25
                                                  >
       0.021  ! 37

       AC  accepted                                            27.9 ms
      The interactor accepted, and the contestant ended with exit code 0.

      the interactor said
      │ guessed 37 with 3 questions

                  contestant                interactor
      end         exit code 0               exit code 0
      cpu         21.4 ms of 1 s            1.3 ms of 10 s
      own turns   22.2 ms of 10 s           2.1 ms of 60 s
      memory      9 MiB of 256 MiB          3.5 MiB of 1 GiB
      output      37 B of 64 MiB            37 B of 256 MiB
      tasks       1 of 64                   1 of 64

      isolation   seccomp, ptrace, namespaces, cgroup
      transcript  runs/02.jsonl
    ");
}

#[test]
fn accepted_on_a_narrow_terminal() {
    assert_snapshot!(plain(&samples::accepted(), 40), @"
    guess-number, test 02,
    solutions/binary_search.py

     seconds  contestant      interactor
              · 14 earlier messages
       0.018                  100
       0.020  ? 50
                              <
              ? 25
                              >
       0.021  ! 37

       AC  accepted                  27.9 ms
      The interactor accepted, and the
      contestant ended with exit code 0.

      the interactor said
      │ guessed 37 with 3 questions

                  contestant
      end         exit code 0
      cpu         21.4 ms of 1 s
      own turns   22.2 ms of 10 s
      memory      9 MiB of 256 MiB
      output      37 B of 64 MiB
      tasks       1 of 64

                  interactor
      end         exit code 0
      cpu         1.3 ms of 10 s
      own turns   2.1 ms of 60 s
      memory      3.5 MiB of 1 GiB
      output      37 B of 256 MiB
      tasks       1 of 64

      isolation   seccomp, ptrace,
                  namespaces, cgroup
      transcript  runs/02.jsonl
    ");
}

#[test]
fn points() {
    let options = Options {
        messages: 0,
        details: false,
        ..Options::default()
    };
    assert_snapshot!(anstream::adapter::strip_str(&render(&samples::points(), 80, &options)), @r#"
    guess-number, test 02, solutions/binary_search.py

       PT  points 37.5                                         27.9 ms
      The interactor gave 37.5 points.

      the interactor said
      │ guessed 37 with 3 questions

      transcript  runs/02.jsonl
    "#);
}

#[test]
fn wrong_answer_with_long_messages() {
    assert_snapshot!(plain(&samples::wrong_answer(), 80), @r"
    guess-number, test 02, solutions/binary_search.py

     seconds  contestant                          interactor
       0.001                                      1 2
                                                  2 3
                                                  3 4
                                                  4 5
                                                  … 35 more lines
                                                  40 41
       0.002  ready
                                                  go
       1.730  1 2 3 4 5 6 7 8 9 10 11 12 13 14
              15 16 17 18 19 20 21 22 23 24 25
              … 19,307 more bytes

       WA  wrong answer                                        27.9 ms
      The interactor rejected the answer with exit code 1 before it was given end
      of input; that the contestant then died of SIGSEGV changes nothing, because
      what it printed came first.

      the interactor said
      │ the path visits vertex 17 twice: expected a simple path of 4,096 vertices,
      │ found 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 17 18
      │ first difference at position 18

                  contestant                interactor
      end         SIGSEGV                   exit code 1
      cpu         922 ms of 1 s             1.3 ms of 10 s
      own turns   22.2 ms of 10 s           2.1 ms of 60 s
      memory      9 MiB of 256 MiB          3.5 MiB of 1 GiB
      output      37 B of 64 MiB            37 B of 256 MiB
      tasks       1 of 64                   1 of 64

      refused     to the contestant: socket, io_uring_setup ×1,204
      stderr      contestant, the last 4 lines of 47.1 KiB
                  │ ...
                  │ length 4096
                  │ done
                  │ \x1b[1mwriting\x1b[0m the path
      isolation   seccomp, ptrace, namespaces, cgroup
    ");
}

#[test]
fn wrong_answer_on_a_narrow_terminal() {
    assert_snapshot!(plain(&samples::wrong_answer(), 40), @r"
    guess-number, test 02,
    solutions/binary_search.py

     seconds  contestant      interactor
       0.001                  1 2
                              2 3
                              3 4
                              4 5
                             … 35 more lines
                              40 41
       0.002  ready
                              go
       1.730  1 2 3 4 5 6 7
              8 9 10 11 12
              … 19,346 more bytes

       WA  wrong answer              27.9 ms
      The interactor rejected the answer
      with exit code 1 before it was given
      end of input; that the contestant
      then died of SIGSEGV changes
      nothing, because what it printed
      came first.

      the interactor said
      │ the path visits vertex 17 twice:
      │ expected a simple path of 4,096
      │ vertices, found 1 2 3 4 5 6 7 8 9 10
      │ 11 12 13 14 15 16 17 17 18
      │ first difference at position 18

                  contestant
      end         SIGSEGV
      cpu         922 ms of 1 s
      own turns   22.2 ms of 10 s
      memory      9 MiB of 256 MiB
      output      37 B of 64 MiB
      tasks       1 of 64

                  interactor
      end         exit code 1
      cpu         1.3 ms of 10 s
      own turns   2.1 ms of 60 s
      memory      3.5 MiB of 1 GiB
      output      37 B of 256 MiB
      tasks       1 of 64

      refused     to the contestant: socket,
                  io_uring_setup ×1,204
      stderr      contestant, the last 4
                  lines of 47.1 KiB
                  │ ...
                  │ length 4096
                  │ done
                  │ \x1b[1mwriting\x1b[0m
                  │ the path
      isolation   seccomp, ptrace,
                  namespaces, cgroup
    ");
}

#[test]
fn binary() {
    assert_snapshot!(plain(&samples::binary(), 80), @r"
    xor-oracle, test 1, solutions/bytes.c

     seconds  contestant                          interactor
              · 14 earlier messages
       0.000  \x00\x01\x02\xff\xfe (no newline)
                                                  \x80ok€
              \x90\x90\x90\x90\x90\x90\x90\x90
              \x90\x90\x90\x90\x90\x90\x90\x90
              … 684 more bytes

       AC  accepted                                            27.9 ms
      The interactor accepted, and the contestant ended with exit code 0.

      the interactor said
      │ guessed 37 with 3 questions

                  contestant                interactor
      end         exit code 0               exit code 0
      cpu         21.4 ms of 1 s            1.3 ms of 10 s
      own turns   22.2 ms of 10 s           2.1 ms of 60 s
      memory      9 MiB of 256 MiB          3.5 MiB of 1 GiB
      output      37 B of 64 MiB            37 B of 256 MiB
      tasks       1 of 64                   1 of 64

      isolation   seccomp, ptrace, namespaces, cgroup
      transcript  runs/02.jsonl
    ");
}

#[test]
fn escape_sequences() {
    assert_snapshot!(plain(&samples::hostile(), 80), @r"
    \x1b[2J\x1b]0;owned\x07\u{202e}\u{9b}31m AC

     seconds  contestant                          interactor
       0.000  \x1b[2J\x1b]0;owned\x07\u{202e}
              \u{9b}31m\rAC (no newline)
                                                  \x1b[2J\x1b]0;owned\x07\u{202e}
                                                  \u{9b}31m\rAC (no newline)

       WA  wrong answer                                        27.9 ms
      \x1b[2J\x1b]0;owned\x07\u{202e}\u{9b}31m AC

      the interactor said
      │ \x1b[2J\x1b]0;owned\x07\u{202e}\u{9b}31m AC

                  contestant                interactor
      end         exit code 0               exit code 1
      cpu         21.4 ms of 1 s            1.3 ms of 10 s
      own turns   22.2 ms of 10 s           2.1 ms of 60 s
      memory      9 MiB of 256 MiB          3.5 MiB of 1 GiB
      output      37 B of 64 MiB            37 B of 256 MiB
      tasks       1 of 64                   1 of 64

      refused     to the contestant: \x1b[2J\x1b]0;owned\x07\u{202e}\u{9b}31m AC ×2
      stderr      contestant
                  │ \x1b[2J\x1b]0;owned\x07\u{202e}\u{9b}31m\rAC
      warning     \x1b[2J\x1b]0;owned\x07\u{202e}\u{9b}31m AC
      isolation   seccomp, ptrace, namespaces, cgroup
      transcript  \x1b[2J\x1b]0;owned\x07\u{202e}\u{9b}31m AC
    ");
}

#[test]
fn an_exception_is_told_once() {
    let mut outcome = samples::judge_error();
    outcome.message = "KeyError: 7, at i.py:4".to_owned();
    assert!(plain(&outcome, 80).contains("the interactor said"));
    outcome.interactor.explanation = Some(Explanation {
        cause: Some(outcome.message.clone()),
        ..Explanation::default()
    });
    let text = plain(&outcome, 80);
    assert_eq!(text.matches("KeyError: 7").count(), 1, "{text}");
    // A checker has its own words.
    outcome.checker = Some(samples::accepted().interactor);
    outcome.message = "11 questions".to_owned();
    assert!(plain(&outcome, 80).contains("the checker said"));
}

#[test]
fn several_passes() {
    let mut outcome = samples::accepted();
    outcome.passes = vec![PassOutcome::of(&outcome); 3];
    let text = plain(&outcome, 80);
    let (_, text) = text.split_once("  passes").expect("a row");
    assert_snapshot!(&text[..text.find("\n\n").expect("an end")], @"
          3 in all, in which the contestant used 21.4 ms, 21.4 ms and 21.4
                  ms of CPU time; what else is told is of the last
    ");
    outcome.passes.truncate(1);
    assert!(!plain(&outcome, 80).contains("passes"));
}

#[test]
fn crashed() {
    assert_snapshot!(plain(&samples::crashed(), 80), @"
    guess-number, test 02, solutions/binary_search.py

     seconds  contestant                          interactor
       0.018                                      100
       0.020  ? 50
                                                  <
              ? 25
                                                  >
       0.021  ! 37

       RE  runtime error                                       27.9 ms
      the contestant died of signal 11 (SIGSEGV), an access outside its memory or
      a stack that grew too large

      contestant  stack overflow
                  in _int_malloc, malloc, called from `walk` at walk.cpp:12
                  `walk` at walk.cpp:12
                  `walk` at walk.cpp:12
                  ... 52,342 more of `walk` at walk.cpp:12
                  `main` at walk.cpp:30
      interactor  ValueError: no such vertex, in `judge` at interactor.py:7

                  contestant                interactor
      end         SIGSEGV                   stopped
      cpu         21.4 ms of 1 s            1.3 ms of 10 s
      own turns   22.2 ms of 10 s           2.1 ms of 60 s
      memory      9 MiB of 256 MiB          3.5 MiB of 1 GiB
      output      37 B of 64 MiB            37 B of 256 MiB
      tasks       1 of 64                   1 of 64

      isolation   seccomp, ptrace, namespaces, cgroup
    ");
}

#[test]
fn judge_error() {
    assert_snapshot!(plain(&samples::judge_error(), 80), @"
    guess-number, test 02, solutions/binary_search.py

     seconds  contestant                          interactor
       0.018                                      100
       0.020  ? 50
                                                  <
              ? 25
                                                  >
       0.021  ! 37

       JE  judge error                                        10.031 s
      The interactor used 10.003 s of CPU time on its own turn, and 10 s are
      allowed; the contestant was waiting for it.

                  contestant                interactor
      end         stopped                   over the cpu limit
      cpu         21.4 ms of 1 s            10.004 s of 10 s
      own turns   22.2 ms of 10 s           10.011 s of 60 s
      idle        0 ms of 2 s               3.1 ms of 10 s
      memory      9 MiB of 256 MiB          3.5 MiB of 1 GiB
      output      37 B of 64 MiB            37 B of 256 MiB
      tasks       1 of 64                   1 of 64

      stderr      interactor
                  │ reading test
                  │ searching for a counterexample ...
      warning     the memory limit is sampled, because no cgroup can be written here
      isolation   seccomp, ptrace, namespaces, cgroup
    ");
}

#[test]
fn interrupted_before_it_began() {
    assert_snapshot!(plain(&samples::internal_error(), 80), @"
    guess-number, test 02, solutions/binary_search.py

       IE  internal error
      The session was interrupted by SIGINT.

      isolation   seccomp, ptrace, namespaces, cgroup
    ");
}

#[test]
fn the_only_escape_sequences_are_our_styles() {
    for width in [0, 32, 40, 57, 80, 200] {
        let styled = render(&samples::hostile(), width, &Options::default());
        for sequence in styled.split('\x1b').skip(1) {
            let end = sequence.find('m').expect("a style ends with m");
            assert!(
                sequence[1..end].chars().all(|c| c.is_ascii_digit()),
                "{sequence:?}"
            );
        }
        assert!(!styled.contains(|c: char| c.is_control() && c != '\n' && c != '\x1b'));
    }
}

#[test]
fn styles() {
    let styled = render(&samples::deadlock(), 40, &Options::default());
    assert_snapshot!(styled.replace('\x1b', "^"), @r"
    ^[1mguess-number, test 02,^[0m
    ^[1msolutions/binary_search.py^[0m

    ^[2m seconds^[0m  ^[1m^[36mcontestant^[0m      ^[1m^[35minteractor^[0m
    ^[2m   0.018^[0m                  ^[35m100^[0m
    ^[2m          · both sides wait for input^[0m

      ^[1m^[7m^[33m IL ^[0m ^[1m^[33midleness limit^[0m^[2m            27.9 ms^[0m
      Both sides wait for each other's
      output, and the contestant holds 5
      bytes that it printed and did not
      flush: `? 50\n`.

      ^[2mwaiting^[0m     the contestant was given
                  the last message, after
                  19.5 ms; the contestant
                  waits in a read of its
                  standard input, the
                  interactor waits in a poll
                  of its standard input
      ^[2mexchange^[0m    the contestant said
                  `ready`, to which the
                  interactor answered `\xff`
                  after 19.5 ms
      ^[32mhint^[0m        let the contestant flush
                  after every message:
                  `print(..., flush=True)`,
                  or `sys.stdout.flush()`

                  ^[1m^[36mcontestant^[0m
      ^[2mend^[0m         ^[2mstopped^[0m
      ^[2mcpu^[0m         21.4 ms ^[2mof 1 s^[0m
      ^[2mown turns^[0m   22.2 ms ^[2mof 10 s^[0m
      ^[2mmemory^[0m      9 MiB ^[2mof 256 MiB^[0m
      ^[2mtasks^[0m       1 ^[2mof 64^[0m

                  ^[1m^[35minteractor^[0m
      ^[2mend^[0m         ^[2mstopped^[0m
      ^[2mcpu^[0m         1.3 ms ^[2mof 10 s^[0m
      ^[2mown turns^[0m   2.1 ms ^[2mof 60 s^[0m
      ^[2mmemory^[0m      3.5 MiB ^[2mof 1 GiB^[0m
      ^[2moutput^[0m      37 B ^[2mof 256 MiB^[0m
      ^[2mtasks^[0m       1 ^[2mof 64^[0m

      ^[2misolation^[0m   seccomp, ptrace,
                  namespaces, cgroup
    ");
}

#[path = "turns_tests.rs"]
mod turns;
