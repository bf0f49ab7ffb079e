// What ordinary programs for Node.js do: see ../table.toml.
'use strict';

const readline = require('node:readline');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

function answer() {
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', (line) => console.log(String(2 * Number(line))));
}

function sum(first) {
  let total = 0;
  for (let i = 0; i < 1000000; i++) total += first + (i % 7);
  return total;
}

function threads() {
  let total = 0;
  let left = 4;
  for (let first = 0; first < 4; first++) {
    new Worker(__filename, { workerData: first }).on('message', (part) => {
      total += part;
      left -= 1;
      if (left === 0) console.log(String(total));
    });
  }
}

function exhaust() {
  const kept = [];
  for (;;) kept.push(new Array(1 << 17).fill(kept.length + 0.5));
}

if (!isMainThread) {
  parentPort.postMessage(sum(workerData));
} else {
  switch (process.argv[2]) {
    case 'hello':
      console.log('hello');
      break;
    case 'answer':
      answer();
      break;
    case 'threads':
      threads();
      break;
    case 'heap':
      console.log(String(Buffer.alloc(200 << 20, 1)[12345]));
      break;
    case 'crash':
      throw new Error('nobody catches this');
    case 'exhaust':
      exhaust();
      break;
    default:
      process.exitCode = 2;
  }
}
