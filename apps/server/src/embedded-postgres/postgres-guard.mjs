// A process between the server and its PostgreSQL, so that PostgreSQL never outlives the server: when the channel to
// the server breaks, even by kill -9, it stops what it runs. It also holds the lock on the data folder (a socket that
// answers while somebody owns the folder), because PostgreSQL's own lock holds process ids only, and those mean
// nothing in another container that shares the folder. Plain JavaScript: it is started as a program of its own, from
// the source tree and from the build alike.
//
// node postgres-guard.mjs <folder to own> <address of the lock, relative to it>
import { spawn } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Far longer than it takes from finding a lock dead to removing it. */
const SETTLING_MS = 100;

/** Long enough for the news of the server's death, which came before the question, to be heard before the answer. */
const ANSWER_DELAY_MS = 100;

const [folder, address] = process.argv.slice(2);
const visitors = new Set();
let announcement = { state: "starting" };
let running;

function sendToServer(message) {
  // The server may be gone; then nobody is left to receive it.
  if (process.connected) process.send(message, () => {});
}

function announce(next) {
  announcement = next;
  for (const visitor of visitors) visitor.write(`${JSON.stringify(announcement)}\n`);
}

function welcome(visitor) {
  visitor.on("close", () => visitors.delete(visitor));
  visitor.on("error", () => visitor.destroy());
  setTimeout(() => {
    if (visitor.destroyed) return;
    visitors.add(visitor);
    visitor.write(`${JSON.stringify(announcement)}\n`);
  }, ANSWER_DELAY_MS);
}

/** Resolves with undefined once the lock is ours, else with the system's code of the refusal. */
function acquireLock() {
  return new Promise((resolve) => {
    const lock = createServer(welcome);
    lock.once("error", (error) => resolve(error.code));
    // Open to all: the folder lets in whom it may concern, and after root an ordinary user must be able to ask.
    lock.listen({ path: address, readableAll: true, writableAll: true }, () => resolve(undefined));
  });
}

/** Asks the lock's holder. "gone": nobody holds it (any more); otherwise what the holder announces. */
function askHolder() {
  return new Promise((resolve) => {
    const question = connect(address);
    const answer = (result) => {
      question.destroy();
      resolve(result);
    };
    let said = "";
    question.setEncoding("utf8").on("data", (text) => {
      said += text;
      const line = said.split("\n").at(-2);
      if (line === undefined) return;
      const holder = JSON.parse(line);
      // One that is stopping is waited for: its end closes the connection. The server bounds the wait.
      if (holder.state !== "stopping") answer(holder);
    });
    question.on("error", ({ code }) => answer(code === "EPERM" || code === "EACCES" ? {} : "gone"));
    question.on("close", () => answer("gone"));
  });
}

/**
 * Whether the lock just taken is still the one that others find. Of two that come upon the same dead lock at the same
 * moment, the slower removes what the faster has put in its place.
 */
async function keepsLock() {
  // A named pipe ends with its process and is never removed by another.
  if (process.platform === "win32") return true;
  const taken = inodeOf(address);
  await pause(SETTLING_MS);
  return taken !== undefined && inodeOf(address) === taken;
}

function inodeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

async function claim() {
  for (;;) {
    const refusal = await acquireLock();
    if (refusal === undefined) {
      if (await keepsLock()) return sendToServer({ kind: "owned" });
      continue;
    }
    // File systems without sockets exist (some mounts); PostgreSQL's own lock has to do there.
    if (refusal !== "EADDRINUSE") return sendToServer({ kind: "owned", unlocked: refusal });
    const holder = await askHolder();
    if (holder !== "gone") return sendToServer({ kind: "taken", connection: holder.connection });
    rmSync(address, { force: true });
  }
}

/** Hands the program's output on line by line, so that it arrives before the news of its end. */
function forwardLines(stream) {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) sendToServer({ kind: "line", line });
  });
  stream.on("end", () => rest !== "" && sendToServer({ kind: "line", line: rest }));
}

function run({ file, args, options, stop }) {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  running = { child, stop };
  forwardLines(child.stdout);
  forwardLines(child.stderr);
  child.once("error", (error) => sendToServer({ kind: "line", line: error.message }));
  child.once("close", (code, signal) => {
    running = undefined;
    sendToServer({ kind: "ended", code, signal });
    if (!process.connected) process.exit();
  });
}

/** Stops the running program the way the server laid down: by a signal, or by a command where signals only kill. */
function stopRunning() {
  if (running === undefined) return;
  const { child, stop } = running;
  if (stop.command === undefined) child.kill(stop.signal);
  else spawn(stop.command.file, stop.command.args, { ...stop.command.options, stdio: "ignore" }).unref();
}

process.on("message", (message) => {
  if (message.kind === "claim") void claim();
  if (message.kind === "run") run(message.command);
  if (message.kind === "announce") announce(message.announcement);
  if (message.kind === "stop") {
    announce({ state: "stopping" });
    stopRunning();
  }
  if (message.kind === "signal") running?.child.kill(message.signal);
});

process.on("disconnect", () => {
  announce({ state: "stopping" });
  if (running === undefined) process.exit();
  stopRunning();
});

// A signal to a whole service or group is the server's to answer: it stops the database after its last request.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

process.chdir(folder);
