use super::*;

#[track_caller]
fn says(stderr: &str, expected: &str) {
    assert_eq!(
        last_words(stderr.as_bytes()).as_deref(),
        Some(expected),
        "{stderr}"
    );
}

#[test]
fn the_c_library() {
    says(
        "a: a.c:5: main: Assertion `c==7 && \"x > 0\"' failed.\n",
        "assertion `c==7 && \"x > 0\"` failed at a.c:5",
    );
    says(
        "/usr/include/c++/12/bits/stl_vector.h:1123: std::vector<_Tp, _Alloc>::reference std::vector<_Tp, _Alloc>::operator[](size_type) [with _Tp = int]: Assertion '__n < this->size()' failed.\n",
        "assertion `__n < this->size()` failed at stl_vector.h:1123",
    );
    says(
        "free(): double free detected in tcache 2\n",
        "free(): double free detected in tcache 2: the heap was damaged, or freed wrongly",
    );
    says(
        "malloc(): corrupted top size\n",
        "malloc(): corrupted top size: the heap was damaged, or freed wrongly",
    );
    says(
        "*** stack smashing detected ***: terminated\n",
        "stack smashing detected: something wrote beyond the end of a local variable",
    );
}

#[test]
fn cpp() {
    says(
        "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)\n",
        "uncaught exception std::out_of_range: vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)",
    );
    says(
        "terminate called after throwing an instance of 'Own'\n",
        "uncaught exception Own",
    );
    says(
        "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n",
        "uncaught exception std::bad_alloc",
    );
    says(
        "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no\nline\n",
        "uncaught exception std::runtime_error: no",
    );
    says(
        "terminate called without an active exception\n",
        "terminate called without an active exception",
    );
}

#[test]
fn rust() {
    says(
        "\nthread 'main' (9526) panicked at c.rs:2:29:\nindex out of bounds: the len is 3 but the index is 5\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
        "panic: index out of bounds: the len is 3 but the index is 5, at c.rs:2",
    );
    says(
        "thread 'main' panicked at src/dir/c.rs:2:76:\ncalled `Option::unwrap()` on a `None` value\n",
        "panic: called `Option::unwrap()` on a `None` value, at c.rs:2",
    );
    says(
        "thread 'main' panicked at 'custom: [1, 2, 3]', c.rs:7:5\n",
        "panic: custom: [1, 2, 3], at c.rs:7",
    );
    says(
        "\nthread 'main' (9609) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n",
        "stack overflow",
    );
}

#[test]
fn python() {
    says(
        r#"Traceback (most recent call last):
  File "/tmp/said/d.py", line 14, in <module>
    solve(int(sys.argv[1]))
  File "/tmp/said/d.py", line 3, in solve
    if n==1: return [1][5]
                    ~~~^^^
IndexError: list index out of range
"#,
        "IndexError: list index out of range, in `solve` at d.py:3",
    );
    says(
        r#"Traceback (most recent call last):
  File "/tmp/said/d.py", line 4, in solve
    return json.loads("x")
  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)
"#,
        "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0), in `solve` at d.py:4",
    );
    says(
        r#"Traceback (most recent call last):
  File "/tmp/said/d.py", line 9, in solve
    try: 1/0
         ~^~
ZeroDivisionError: division by zero

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/tmp/said/d.py", line 14, in <module>
    solve(int(sys.argv[1]))
  File "/tmp/said/d.py", line 10, in solve
    except Exception as e: raise KeyError("k") from e
KeyError: 'k'
"#,
        "KeyError: 'k', in `solve` at d.py:10",
    );
    says(
        r#"Traceback (most recent call last):
  File "/tmp/said/d.py", line 5, in solve
    if n==3: return solve(n)
                    ^^^^^^^^
  [Previous line repeated 996 more times]
RecursionError: maximum recursion depth exceeded
"#,
        "RecursionError: maximum recursion depth exceeded, in `solve` at d.py:5",
    );
    says(
        "  File \"/tmp/said/e.py\", line 1\n    print(1\n         ^\nSyntaxError: '(' was never closed\n",
        "SyntaxError: '(' was never closed, at e.py:1",
    );
    says(
        "Traceback (most recent call last):\n  File \"/tmp/said/d.py\", line 14, in <module>\n    solve(int(sys.argv[1]))\nAssertionError\n",
        "AssertionError, at d.py:14",
    );
}

#[test]
fn java() {
    says(
        "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 6 out of bounds for length 3\n\tat F.solve(F.java:2)\n\tat F.main(F.java:2)\n",
        "ArrayIndexOutOfBoundsException: Index 6 out of bounds for length 3, in `F.solve` at F.java:2",
    );
    says(
        "Exception in thread \"main\" java.util.NoSuchElementException\n\tat java.base/java.util.Scanner.throwFor(Scanner.java:937)\n\tat java.base/java.util.Scanner.nextInt(Scanner.java:2212)\n\tat F.solve(F.java:2)\n",
        "java.util.NoSuchElementException, in `F.solve` at F.java:2",
    );
}

#[test]
fn node() {
    says(
        r"/tmp/said/g.js:1
function solve(n){ return undefined.x; }
                                    ^

TypeError: Cannot read properties of undefined (reading 'x')
    at solve (/tmp/said/g.js:1:46)
    at Object.<anonymous> (/tmp/said/g.js:2:1)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)

Node.js v20.20.2
",
        "TypeError: Cannot read properties of undefined (reading 'x'), in `solve` at g.js:1",
    );
    says(
        r#"
/tmp/said/g.js:1
function solve(n){ throw "text"; }
                   ^
text
(Use `node --trace-uncaught ...` to show where the exception was thrown)

Node.js v20.20.2
"#,
        "uncaught exception: text, at g.js:1",
    );
    says(
        r"<anonymous_script>:1
{

SyntaxError: Expected property name or '}' in JSON at position 1
    at JSON.parse (<anonymous>)
    at solve (/tmp/said/g.js:1:195)

Node.js v20.20.2
",
        "SyntaxError: Expected property name or '}' in JSON at position 1, in `solve` at g.js:1",
    );
}

#[test]
fn go() {
    says(
        "panic: runtime error: index out of range [5] with length 0\n\ngoroutine 1 [running]:\nmain.solve({0x7ffd6b965af2, 0x1})\n\t/tmp/said/h.go:3 +0x205\nmain.main()\n\t/tmp/said/h.go:4 +0x39\nexit status 2\n",
        "panic: index out of range [5] with length 0, in `solve` at h.go:3",
    );
    says(
        "panic: runtime error: index out of range [5] with length 1\n\ngoroutine 1 [running]:\nmain.pick(...)\n\t/tmp/said/h.go:3\nmain.main()\n\t/tmp/said/h.go:4 +0x1d\n",
        "panic: index out of range [5] with length 1, in `pick` at h.go:3",
    );
    says(
        "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.solve({0x7ffcaefe4af2, 0x1})\n\t/tmp/said/h.go:3 +0x19c\n",
        "all goroutines are asleep - deadlock!, in `solve` at h.go:3",
    );
    says(
        "panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x482cf5]\n\ngoroutine 1 [running]:\npanic({0x1, 0x2})\n\t/usr/lib/go/src/runtime/panic.go:884 +0x212\nmain.(*Tree).walk(...)\n\t/tmp/said/h.go:3 +0x95\n",
        "panic: invalid memory address or nil pointer dereference, in `(*Tree).walk` at h.go:3",
    );
}

#[test]
fn other_words_say_nothing() {
    for text in [
        "",
        "debug: n = 5\n",
        "Traceback",
        "panic: ",
        "Node.js v",
        "thread 'x' panicked at ",
        "    at x\nNode.js v1",
        "Exception in thread \"",
        ": Assertion ",
        "  File \"a\", line 1",
        "\u{1b}[31mterminate called",
    ] {
        assert_eq!(last_words(text.as_bytes()), None, "{text}");
    }
    let long = format!(
        "terminate called after throwing an instance of '{}'",
        "x".repeat(9999)
    );
    assert!(last_words(long.as_bytes()).unwrap().len() <= LONGEST + 3);
    assert_eq!(last_words(&[0xff; 100_000]), None);
    says(
        "terminate called after throwing an instance of '\u{1b}[31mE'\n",
        "uncaught exception [31mE",
    );
}

#[test]
fn an_error_that_a_thousand_frames_follow() {
    let frames = "\tat Main.search(Main.java:17)\n".repeat(1024);
    let said = format!("Exception in thread \"main\" java.lang.StackOverflowError\n{frames}");
    let sentence = last_words(said.as_bytes());
    let told = "StackOverflowError, in `Main.search` at Main.java:17";
    assert_eq!(sentence.as_deref(), Some(told));
}
