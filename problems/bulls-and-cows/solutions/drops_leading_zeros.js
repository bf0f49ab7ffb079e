// Presentation error: takes codes for numbers, and prints 123 for 0123.
const readline = require("readline");

function* codes() {
  for (let number = 0; number < 10000; number++) {
    if (new Set(String(number).padStart(4, "0")).size === 4) yield number;
  }
}

async function main() {
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  await lines.next();
  for (const code of codes()) {
    console.log(`? ${code}`);
    const reply = (await lines.next()).value;
    if (reply === undefined || reply === "4 0") break;
  }
  process.stdin.destroy();
}

main();
