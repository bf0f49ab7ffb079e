// Waits for a line as Node.js programs do; the last way wakes by itself and speaks first.
const fs = require("fs");
const way = process.argv[2];

const done = (got) => process.exit(got ? 0 : 8);

if (way === "data" || way === "timeout") {
  if (way === "timeout") setTimeout(() => fs.writeSync(1, "late\n"), 200);
  process.stdin.on("data", done);
  process.stdin.on("end", () => process.exit(8));
} else if (way === "readline") {
  require("readline").createInterface({ input: process.stdin }).on("line", done);
} else if (way === "sync") {
  done(fs.readSync(0, Buffer.alloc(100)));
} else {
  process.exit(7);
}
