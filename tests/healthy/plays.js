// One side of a dialogue, as plays.c has it: first|second ROUNDS READS WRITES SIZE MOVE[,MOVE...]
const fs = require("fs");
const { execFile } = require("child_process");
const { Worker } = require("worker_threads");
const [side, roundsText, reads, writes, sizeText, movesText] = process.argv.slice(2);
const rounds = Number(roundsText), size = Number(sizeText), moves = movesText.split(",");

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const MOVES = {
  timeout: pause,
  steps: async (ms) => {
    for (let i = 0; i < ms; i++) await pause(1);
  },
  interval: (ms) =>
    new Promise((done) => {
      let left = 4;
      const ticking = setInterval(() => {
        if (--left === 0) done(clearInterval(ticking));
      }, Math.max(1, ms / 4));
    }),
  busy: async (ms) => {
    for (const end = Date.now() + ms; Date.now() < end; );
  },
  worker: (ms) =>
    new Promise((done, failed) => {
      const code = `setTimeout(() => require("worker_threads").parentPort.postMessage(1), ${ms})`;
      const worker = new Worker(code, { eval: true });
      worker.on("message", () => done(worker.terminate()));
      worker.on("error", failed);
    }),
  started: (ms) =>
    new Promise((done, failed) =>
      execFile("/bin/sleep", [String(ms / 1000)], (error) => (error ? failed(error) : done()))),
  atomics: async (ms) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
};

const waiting = [], lines = [];
let rest = [];
if (reads === "data") {
  process.stdin.on("data", (bytes) => {
    rest.push(bytes);
    if (bytes[bytes.length - 1] !== 10) return;
    arrived(Buffer.concat(rest).toString());
    rest = [];
  });
} else {
  require("readline").createInterface({ input: process.stdin }).on("line", arrived);
}

function arrived(line) {
  if (waiting.length > 0) waiting.shift()(line);
  else lines.push(line);
}

const take = () =>
  lines.length > 0 ? Promise.resolve(lines.shift()) : new Promise((done) => waiting.push(done));

function write(text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += fs.writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

async function say(round) {
  const text = `${round} `.padEnd(size, "x") + "\n";
  if (writes === "stream") {
    await new Promise((done) => process.stdout.write(text, done));
  } else if (writes === "halves") {
    write(text.slice(0, text.length >> 1));
    await pause(5);
    write(text.slice(text.length >> 1));
  } else {
    write(text);
  }
}

async function check(round) {
  if ((await take()).split(" ")[0] !== String(round)) process.exit(5);
}

(async () => {
  for (let round = 0; round < rounds; round++) {
    if (side === "second") await check(round);
    const [name, ms] = moves[round % moves.length].split(":");
    await MOVES[name](Number(ms));
    await say(round);
    if (side === "first") await check(round);
  }
  process.exit(0);
})();
