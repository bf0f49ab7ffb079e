"""`oj test-reactive` of online-judge-tools."""

import shlex

from adapter import Compiled, Installed


class Oj(Compiled, Installed):
    name = "online-judge-tools"
    package = "online-judge-tools>=11.5.1"
    program = "oj"
    how = "pipes, no limits"

    def command(self, folder):
        judge = f"{shlex.quote(str(self.interactor))} {shlex.quote(str(self.input))}"
        return [self.tool(), "test-reactive", "-c", shlex.quote(str(self.contestant)), judge]

    def read(self, ended, folder):
        # "[SUCCESS] AC", "[FAILURE] WA: judge returns 1", and both of two failures.
        marks = ("[SUCCESS] ", "[FAILURE] ")
        said = [
            line.split("] ", 1)[1].split(":")[0]
            for line in ended.output.splitlines()
            if line.startswith(marks)
        ]
        return [" and ".join(said)] if said else []
