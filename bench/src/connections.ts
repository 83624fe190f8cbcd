import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { health } from "@stocktake/contract";
import { ApiClient, type Product } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import { proveOnProduct } from "./on-product.ts";
import { memoryDuring, residentMemory } from "./report/processes.ts";
import { percentile } from "./times.ts";

const help = `What many connections take that each ask for a file many times and read nothing, and whether somebody honest is still served
meanwhile, on the built product. They come from several addresses of this machine, as one may have 2,400. After each round the
server's descriptors and its memory have to be back where they were.

  npm run bench:connections -- [--connections N] [--requests N] [--rounds N]
`;

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "8000" },
    requests: { type: "string", default: "30" },
    rounds: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

const perAddress = 2_000;
const requestsEach = Number(values.requests);
/** Who reads nothing is cut off after 30 s. */
const watchedForMs = 45_000;
/** What the server may hold more than before, in mebibytes: while it lasts, and after the last round beside the first. */
const [mayHold, mayKeep] = [500, 50];
/** Descriptors that may be open for something else: a poll of Shopify, a connection to the database. */
const mayStayOpen = 10;
const settlesWithinMs = 30_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** A client that writes its requests at once and reads nothing; null where it was not let in. */
async function ask(url: URL, file: string, index: number): Promise<Socket | null> {
  const localAddress = `127.0.0.${2 + Math.floor(index / perAddress)}`;
  const socket = connect({ host: url.hostname, port: Number(url.port), localAddress });
  // Being ended is what is measured.
  socket.on("error", () => undefined);
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  if (socket.destroyed) return null;
  socket.write(`GET ${file} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`.repeat(requestsEach));
  return socket;
}

/** The largest script of the app. */
async function findFile(url: string): Promise<string> {
  const page = await (await fetch(url)).text();
  const file = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  if (file === undefined) throw new Error("The app has no script.");
  return file;
}

async function askHonestly(url: string, until: () => boolean): Promise<number[]> {
  const visitor = new ApiClient(url);
  const took: number[] = [];
  while (!until()) {
    const began = performance.now();
    await visitor.call(health);
    took.push(performance.now() - began);
    await pause(200);
  }
  return took;
}

interface Round {
  /** Mebibytes more than before, at the most. */
  readonly grown: number;
  /** What was held once all were gone: mebibytes, and open descriptors. */
  readonly after: number;
  readonly descriptors: number;
}

async function openDescriptors(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** How many are open once the server has seen that everybody is gone, which takes it a while on a busy machine. */
async function settledDescriptors(pid: number, mayBeOpen: number): Promise<number> {
  const until = performance.now() + settlesWithinMs;
  await pause(2_000);
  for (;;) {
    const open = await openDescriptors(pid);
    if (open <= mayBeOpen || performance.now() > until) return open;
    await pause(500);
  }
}

async function runRound(product: Product, file: string, mayBeOpen: number): Promise<Round> {
  const url = new URL(product.url);
  const pid = product.process.pid ?? 0;
  let isOver = false;
  const sockets: Socket[] = [];
  const honest = askHonestly(product.url, () => isOver);
  const memory = await memoryDuring(pid, async () => {
    const count = Number(values.connections);
    for (let made = 0; made < count; made += 200) {
      const opened = await Promise.all(
        Array.from({ length: Math.min(200, count - made) }, (_none, index) => ask(url, file, made + index)),
      );
      sockets.push(...opened.filter((socket) => socket !== null));
    }
    say(`${sockets.length} connections with ${requestsEach} requests for ${file} each`);
    await pause(watchedForMs);
  });
  isOver = true;
  const took = (await honest).toSorted((left, right) => left - right);
  for (const socket of sockets) socket.destroy();
  const descriptors = await settledDescriptors(pid, mayBeOpen);
  const after = await residentMemory(pid);
  say(
    `  memory ${memory.before.toFixed(0)} MiB before, ${memory.peak.toFixed(0)} MiB at most, ${after.toFixed(0)} MiB after; ${descriptors} descriptors after`,
  );
  say(
    `  somebody honest was served ${took.length} times, p50 ${percentile(took, 0.5).toFixed(0)} ms, longest ${(took.at(-1) ?? 0).toFixed(0)} ms`,
  );
  return { grown: memory.peak - memory.before, after, descriptors };
}

async function prove(product: Product): Promise<string[]> {
  const file = await findFile(product.url);
  const before = await openDescriptors(product.process.pid ?? 0);
  say(`${before} descriptors before`);
  const rounds: Round[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1)
    rounds.push(await runRound(product, file, before + mayStayOpen));
  const most = Math.max(...rounds.map(({ grown }) => grown));
  const kept = (rounds.at(-1)?.after ?? 0) - (rounds[0]?.after ?? 0);
  const open = Math.max(...rounds.map(({ descriptors }) => descriptors)) - before;
  return [
    ...(most <= mayHold ? [] : [`more than ${mayHold} MiB were taken`]),
    ...(kept <= mayKeep
      ? []
      : [`${kept.toFixed(0)} MiB more were kept after the last round than after the first`]),
    ...(open <= mayStayOpen ? [] : [`${open} descriptors more than before stayed open`]),
  ];
}

async function main(): Promise<void> {
  say(`${machineText()}, ${loadText()} before`);
  await proveOnProduct("the bench's own password", prove);
}

if (values.help) process.stdout.write(help);
else await main();
