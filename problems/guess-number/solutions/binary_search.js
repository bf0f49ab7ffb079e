// Binary search: halve the range until the reply is `equal`.
const readline = require("readline");

async function main() {
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const read = async () => (await lines.next()).value.trim();
  const n = Number(await read());
  let [low, high] = [1, n];
  for (;;) {
    const middle = Math.floor((low + high) / 2);
    process.stdout.write(`? ${middle}\n`);
    const reply = await read();
    if (reply === "equal") {
      process.stdout.write(`! ${middle}\n`);
      break;
    }
    if (reply === "bigger") low = middle + 1;
    else high = middle - 1;
  }
  // Ends the iterator and lets go of standard input, which would keep the program alive.
  process.stdin.destroy();
}

main();
