//! Programs to which nothing may be refused.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::harness::identity::Identity;
use crate::harness::run;
use crate::harness::stage;
use crate::{Programs, refused};

/// A program that does what every program does. No call may be refused to it, or a report would
/// show refusals that are not the author's doing.
pub(crate) struct Honest {
    pub(crate) file: &'static str,
    text: &'static str,
    pub(crate) tools: &'static [&'static str],
}

pub(crate) const ALL: [Honest; 4] = [
    Honest {
        file: "Honest.java",
        text: "import java.util.*;
            public class Honest {
                public static void main(String[] words) throws Exception {
                    Thread other = new Thread(() -> System.gc());
                    other.start();
                    other.join();
                    Scanner input = new Scanner(System.in);
                    while (input.hasNext()) System.out.println(input.next());
                    System.out.println(new Random().nextInt());
                }
            }",
        tools: &["java", "javac"],
    },
    Honest {
        file: "honest.js",
        text: "const lines = require('readline').createInterface({ input: process.stdin });
            lines.on('line', (line) => console.log(line));
            lines.on('close', () => setTimeout(() => console.log(Math.random()), 1));",
        tools: &["node"],
    },
    Honest {
        file: "honest.py",
        text: "import gc, random, sys, threading\n\
            other = threading.Thread(target=gc.collect)\n\
            other.start()\n\
            other.join()\n\
            for line in sys.stdin: print(line, end='', flush=True)\n\
            print(random.random())\n",
        tools: &["python3"],
    },
    Honest {
        file: "honest.sh",
        text: "while read -r line; do echo \"$line\" | cat; done\necho $RANDOM\n",
        tools: &["bash"],
    },
];

impl Honest {
    pub(crate) fn run(&self, programs: &Programs, identity: Identity) -> Result<(), String> {
        let home = programs.stage.home(identity);
        let file = self.write(programs, identity).map_err(|e| e.to_string())?;
        let ran = run::invoke(&programs.stage, identity, &home, None, |_| {
            let words = "exec --json --cpu 10s --wall 20s --memory 1GiB --stdin";
            let mut argv: Vec<String> = words.split(' ').map(str::to_owned).collect();
            let program = file.to_string_lossy().into_owned();
            argv.extend([program.clone(), "--".to_owned(), program]);
            argv
        })?;
        let report = ran.reports()?.pop().unwrap_or_default();
        let mut wrong = Vec::new();
        if report["verdict"] != "ok" {
            wrong.push(format!("the verdict is {}", report["verdict"]));
        }
        let refused = refused(&report["program"]);
        if !refused.is_empty() {
            wrong.push(format!("refused to an honest program: {refused:?}"));
        }
        programs.verdict(wrong, &ran)
    }

    /// Its source, in a folder that no other trial uses. It is its own input as well.
    fn write(&self, programs: &Programs, identity: Identity) -> io::Result<PathBuf> {
        let folder = format!("honest-{}", identity.name());
        let file = programs.stage.program_folder(&folder)?.join(self.file);
        fs::write(&file, self.text)?;
        stage::set_mode(&file, 0o644)?;
        Ok(file)
    }
}
