import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { adjustCount, createCounter, productMap } from "@stocktake/contract";
import { ApiClient, type Product } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import { proveOnProduct } from "./on-product.ts";
import { beginSession, endAndWait, inviteCounter, openStore } from "./rehearsal/store-floor.ts";
import { unsharedBarcodes } from "./scans/load.ts";
import { leaveAndReturn } from "./soak/away.ts";
import { compareWithReport } from "./soak/comparison.ts";
import { growthOf, highest, type Sample, sampleOf } from "./soak/samples.ts";
import { countAgainAndAgain, listenAndReconnect, readReports, type Soak, signInAndOut } from "./soak/work.ts";

const help = `Counting, reports, exports, logins, reconnecting pages, and phones that go away and come back with a queue, at a moderate rate,
for as long as it is let; memory, handles, database connections and p99 by quarter hour. In the end every answered scan is in the report
once. Fails on a lost scan, a refusal, and on what grows.

  npm run soak -- [--minutes N] [--rate S]

--minutes N   60 unless told
--rate S      scans a second, about, beside those of the phones that go away; 30 unless told
`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    rate: { type: "string", default: "30" },
    help: { type: "boolean", default: false },
  },
});

const phones = 6;
const leavingPhones = 4;
const scansOfRound = 9;
const sampleEveryMs = 5_000;
/** What a run may hold more in its last quarter than in its second. */
const mayGrow = { memory: 64, handles: 20, connections: 8 } as const;

const password = "the soak's own password";
const say = (line: string) => process.stdout.write(`${line}\n`);

interface Part {
  readonly scans: number[];
  readonly samples: Sample[];
}

/** The figures of one part of the run after the other. */
class Figures {
  readonly samples: Sample[] = [];
  readonly tally = new Map<string, number>();
  #part: Part = { scans: [], samples: [] };
  #parts = 0;

  readonly scanned = (milliseconds: number): void => void this.#part.scans.push(milliseconds);
  readonly did = (what: string): void => void this.tally.set(what, (this.tally.get(what) ?? 0) + 1);

  sample(sample: Sample): void {
    this.samples.push(sample);
    this.#part.samples.push(sample);
  }

  endPart(minutes: number): void {
    const { scans, samples } = this.#part;
    this.#part = { scans: [], samples: [] };
    this.#parts += 1;
    const ordered = scans.toSorted((left, right) => left - right);
    const at = (share: number) => (ordered[Math.floor(ordered.length * share)] ?? 0).toFixed(0);
    say(
      `to minute ${Number((this.#parts * minutes).toFixed(2))}: memory at most ${highest(samples, "memory").toFixed(0)} MiB, ` +
        `handles ${highest(samples, "handles")}, database connections ${highest(samples, "connections")}, ` +
        `scans p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${loadText()})`,
    );
  }
}

/** Ends a first session, whose report is read, and begins the one that is counted. */
async function openFloor(product: Product) {
  const admin = new ApiClient(product.url);
  const codes = Array.from({ length: phones }, (_nothing, index) => `S${index + 1}`);
  const leaving = Array.from({ length: leavingPhones }, (_nothing, index) => `L${index + 1}`);
  const store = await openStore(admin, password, [...codes, ...leaving]);
  const first = await beginSession(admin, store);
  await endAndWait(admin, first.sessionId);
  const { products } = await admin.call(productMap, { query: { storeId: store.storeId } });
  const params = { sessionId: first.sessionId };
  await admin.call(adjustCount, { params, body: { sku: products[0]?.sku ?? "", newCount: 3 } });
  const account = { username: "soak", password: "the soak's counter" };
  await admin.call(createCounter, { body: account });
  return {
    ...{
      admin,
      codes,
      leaving,
      barcodes: unsharedBarcodes(products),
      account,
      endedSessionId: first.sessionId,
    },
    floor: await beginSession(admin, store),
  };
}

async function watch(product: Product, figures: Figures, minutes: number): Promise<void> {
  const partMinutes = Math.min(15, minutes / 4);
  const began = performance.now();
  let parts = 0;
  while (performance.now() - began < minutes * 60_000) {
    await pause(sampleEveryMs);
    figures.sample(await sampleOf(product));
    const due = Math.floor((performance.now() - began) / (partMinutes * 60_000));
    if (due > parts) {
      parts = due;
      figures.endPart(partMinutes);
    }
  }
}

function grown({ samples }: Figures): string[] {
  return (["memory", "handles", "connections"] as const).flatMap((what) => {
    const growth = growthOf(samples, what);
    say(`${what} in the last quarter against the second: ${growth >= 0 ? "+" : ""}${growth.toFixed(0)}`);
    return growth > mayGrow[what] ? [`${what} grew by ${growth.toFixed(0)}, more than ${mayGrow[what]}`] : [];
  });
}

async function soakFor(product: Product, minutes: number, rate: number): Promise<string[]> {
  const { codes, leaving, ...opened } = await openFloor(product);
  const [figures, over] = [new Figures(), new AbortController()];
  // Everybody who pauses listens to it.
  setMaxListeners(0, over.signal);
  const soak: Soak = { ...opened, stopped: over.signal, scanned: figures.scanned, did: figures.did };
  const clients = new Map<string, ApiClient>();
  for (const code of [...codes, ...leaving])
    clients.set(code, await inviteCounter(opened.admin, opened.floor, `soak-${code}`));
  const clientOf = (code: string) => clients.get(code) ?? opened.admin;
  const pauseMs = (1_000 * phones * scansOfRound) / rate;
  const counting = [
    ...codes.map((code) => countAgainAndAgain(soak, clientOf(code), code, pauseMs)),
    ...leaving.map((code) => leaveAndReturn(soak, clientOf(code), code)),
  ];
  const work = Promise.all([
    Promise.all(counting),
    ...codes.map((code, index) => listenAndReconnect(soak, clientOf(code), 10_000 + 4_000 * index)),
    readReports(soak, 15_000),
    signInAndOut(soak, 20_000),
  ]);
  // What fails ends the run.
  await Promise.race([watch(product, figures, minutes), work]);
  over.abort();
  const [counted] = await work;
  say(Array.from(figures.tally, ([what, count]) => `${count} ${what}`).join(", "));
  const answered = new Map([...codes, ...leaving].map((code, index) => [code, counted[index] ?? 0]));
  return [...(await compareWithReport(soak, answered)), ...grown(figures)];
}

async function main(): Promise<void> {
  const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
  say(`${machineText()}, ${loadText()} before; ${minutes} minutes at about ${rate} scans a second`);
  await proveOnProduct(password, (product) => soakFor(product, minutes, rate));
}

if (values.help) process.stdout.write(help);
else await main();
