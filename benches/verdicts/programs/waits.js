// Asks three times, notes the time, and waits for an answer to nothing.
const fs = require("fs");
let asked = 0;
const ask = () => fs.writeSync(1, `? ${asked++}\n`);
require("readline").createInterface({ input: process.stdin }).on("line", () => {
  if (asked < 3) return ask();
  const milliseconds = performance.timeOrigin + performance.now();
  fs.writeSync(2, `${Math.round(milliseconds * 1000)}000\n`);
});
ask();
