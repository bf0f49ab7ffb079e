use super::*;

fn frame(function: &str, file: Option<&str>, line: u32) -> Frame {
    Frame {
        address: 0x1234,
        function: Some(function.to_owned()),
        file: file.map(str::to_owned),
        line: file.map(|_| line),
        module: Some("libc.so.6".to_owned()),
        inlined: false,
        own: file.is_some_and(|file| file == "a.cpp"),
    }
}

fn of(frames: &[(&str, Option<&str>, u32)]) -> Stack {
    Stack {
        frames: frames
            .iter()
            .map(|(name, file, line)| frame(name, *file, *line))
            .collect(),
        ..Stack::default()
    }
}

#[test]
fn the_first_own_frame_and_what_it_called() {
    let stack = of(&[
        ("raise", None, 0),
        ("abort", None, 0),
        ("std::vector<int>::at", Some("stl_vector.h"), 1126),
        ("solve", Some("a.cpp"), 12),
        ("main", Some("a.cpp"), 20),
        ("__libc_start_main", None, 0),
    ]);
    assert_eq!(stack.first_own().unwrap().line, Some(12));
    assert_eq!(
        stack.place().unwrap(),
        "in raise, abort, std::vector<int>::at, called from `solve` at a.cpp:12"
    );
    assert_eq!(
        stack.lines(),
        [
            "`raise` of libc.so.6",
            "`abort` of libc.so.6",
            "`std::vector<int>::at` at stl_vector.h:1126",
            "`solve` at a.cpp:12",
            "`main` at a.cpp:20",
        ]
    );
    assert_eq!(
        stack.told(),
        [
            "in raise, abort, std::vector<int>::at, called from `solve` at a.cpp:12",
            "`main` at a.cpp:20",
        ]
    );
    assert!(of(&[("raise", None, 0)]).told().is_empty());
    let stack = of(&[("main", Some("a.cpp"), 3)]);
    assert_eq!(stack.place().unwrap(), "in `main` at a.cpp:3");
    assert_eq!(of(&[("raise", None, 0)]).place(), None);
}

#[test]
fn equal_calls_are_counted() {
    let mut stack = of(&[("f", Some("a.cpp"), 7); 10]);
    stack.frames.push(frame("main", Some("a.cpp"), 9));
    stack.omitted = Some(Omitted {
        before: 8,
        count: 12_340,
    });
    let f = "`f` at a.cpp:7";
    let more = "... 12,347 more of `f` at a.cpp:7";
    assert_eq!(stack.lines(), [f, f, f, more, "`main` at a.cpp:9"]);
}

#[test]
fn a_recursion_of_two_functions() {
    let mut stack = of(&[("f", Some("a.cpp"), 7), ("g", Some("a.cpp"), 8)].repeat(2));
    stack.omitted = Some(Omitted {
        before: 2,
        count: 1000,
    });
    stack.cut = true;
    let (f, g) = ("`f` at a.cpp:7", "`g` at a.cpp:8");
    let lines = [
        f,
        g,
        "... 1,000 more calls",
        f,
        g,
        "... and what called that",
    ];
    assert_eq!(stack.lines(), lines);
}

#[test]
fn what_is_not_known_is_left_out() {
    let mut unknown = frame("f", None, 0);
    (unknown.function, unknown.module) = (None, None);
    assert_eq!(unknown.to_string(), "0x1234");
}

#[test]
fn a_task_that_is_gone_has_no_stack() {
    let registers = Registers {
        r15: 0,
        r14: 0,
        r13: 0,
        r12: 0,
        rbp: 0,
        rbx: 0,
        r11: 0,
        r10: 0,
        r9: 0,
        r8: 0,
        rax: 0,
        rcx: 0,
        rdx: 0,
        rsi: 0,
        rdi: 0,
        orig_rax: 0,
        rip: 0,
        cs: 0,
        eflags: 0,
        rsp: 0,
        ss: 0,
        fs_base: 0,
        gs_base: 0,
        ds: 0,
        es: 0,
        fs: 0,
        gs: 0,
    };
    let stack = stack(i32::MAX, &registers, Path::new("/no/such/program"));
    assert!(stack.frames.is_empty() && stack.cut);
}
