import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { adminLogin, exportReport, postScan, productMap, varianceReport } from "@stocktake/contract";
import { ApiClient } from "@stocktake/testkit";
import type { PhonesSaw } from "./beside/messages.ts";
import { type Phones, startPhones, startShop } from "./beside/programs.ts";
import { loadText, machineText } from "./machine.ts";
import { withOtherNodes } from "./other-nodes.ts";
import type { Floor } from "./rehearsal/counter.ts";
import {
  beginSession,
  endAndWait,
  inviteCounter,
  makeStore,
  type OpenStore,
  openStore,
} from "./rehearsal/store-floor.ts";
import { adminPassword, onShop, type Scale } from "./report/at-scale.ts";
import { download } from "./report/download.ts";
import { fillScans } from "./report/fill-scans.ts";
import { memoryDuring } from "./report/processes.ts";
import { ScanSource, unsharedBarcodes } from "./scans/load.ts";
import { risingTimes } from "./scans/steady.ts";
import { percentile } from "./times.ts";

const help = `How long a store's scans take, 200 a second, while the same server works for another store of 100,000 SKUs: quiet, then
beside its report of a million scans, its export, the start of its next session and the end of that, one after the other and again. The phones
and the stand-in for the shop are processes of their own; how late the phones themselves were is printed beside what their scans took.

  npm run bench:beside [-- --variants N --seconds N --rounds N --apart]

  --variants N  variants of the shop (default 100000)
  --seconds N   of the quiet measure (default 15)
  --rounds N    of the heavy work (default 3)
  --apart       another node on the same database does the heavy work; the scans stay at the first
`;

/** Two hundred scans a second: a hundred phones, each every half second. */
const pace = { phones: 100, everyMs: 500 };
/** What a scan may take, 99 of 100 times, and what the server may hold meanwhile. */
const [aimMs, aimMebibytes] = [25, 300];
const say = (line: string) => process.stdout.write(`${line}\n`);

const areasOf = (letter: string) => Array.from({ length: 50 }, (_none, index) => `${letter}${index + 1}`);

/** The store that is scanned in. */
interface Counting {
  readonly floor: Floor;
  readonly counter: ApiClient;
  readonly barcodes: readonly string[];
}

/** The store that the server works hard for. */
interface Large {
  readonly store: OpenStore;
  readonly sessionId: string;
}

interface Bench {
  readonly scale: Scale;
  readonly large: Large;
  readonly counting: Counting;
  readonly phones: Phones;
}

/** A store whose session is over, with ten scans of each variant. */
async function countTheLarge({ admin, pool }: Scale): Promise<Large> {
  const store = await openStore(admin, adminPassword, areasOf("L"));
  const { sessionId } = await beginSession(admin, store);
  const { scans } = await fillScans(pool, { sessionId, varyingOneIn: 30 });
  await endAndWait(admin, sessionId);
  say(`${scans} scans in the large store's session`);
  return { store, sessionId };
}

async function openTheOther(admin: ApiClient): Promise<Counting> {
  const floor = await beginSession(admin, await makeStore(admin, areasOf("S"), 1));
  const counter = await inviteCounter(admin, floor, "counter");
  const { products } = await admin.call(productMap, { query: { storeId: floor.storeId } });
  const barcodes = unsharedBarcodes(products.slice(0, 5_000));
  const source = new ScanSource(floor, areasOf("S"), barcodes, 1);
  // The first scan of an area begins its pass, which is not what is measured.
  for (let made = 0; made < areasOf("S").length; made += 1)
    await counter.call(postScan, { body: source.next() });
  return { floor, counter, barcodes };
}

/** Scans while `work` runs. */
function scanDuring(bench: Bench, work: () => Promise<void>): Promise<PhonesSaw> {
  const { floor, counter, barcodes } = bench.counting;
  const { url } = bench.scale.product;
  const areas = areasOf("S");
  const orders = { url, cookie: counter.cookie ?? "", floor, areas, barcodes: [...barcodes], pace };
  return bench.phones.during(orders, work);
}

/** "p50 2.1 ms, p99 8.0 ms (aim 25), at most 31 ms". */
function timesText(rising: readonly number[]): string {
  const times = `p50 ${percentile(rising, 0.5).toFixed(1)} ms, p99 ${percentile(rising, 0.99).toFixed(1)} ms (aim ${aimMs})`;
  return `${times}, at most ${rising.at(-1)?.toFixed(0)} ms`;
}

function lateText({ late }: PhonesSaw): string {
  const figures = `p50 ${late.p50.toFixed(1)} ms, p99 ${late.p99.toFixed(1)} ms, at most ${late.most.toFixed(0)} ms`;
  return `  the phones' own event loop was late by ${figures}`;
}

async function scanQuietly(bench: Bench, name: string, seconds: number): Promise<void> {
  const seen = await scanDuring(bench, () => pause(seconds * 1_000));
  say(`${name} (${loadText()}): ${seen.scans.length} scans, ${timesText(risingTimes(seen.scans))}`);
  say(lateText(seen));
}

/** One piece of the heavy work: when it ran, in milliseconds since the epoch, and the most that its server held meanwhile. */
interface Done {
  readonly kind: string;
  readonly began: number;
  readonly ended: number;
  readonly peak: number;
}

const now = () => performance.timeOrigin + performance.now();

type Worker = Pick<Scale, "admin" | "product">;

/** The report, the export and the start of the next session of the large store, which is ended again. */
async function workHard({ admin, product }: Worker, large: Large, rounds: number): Promise<Done[]> {
  const done: Done[] = [];
  const doOne = async (kind: string, work: () => Promise<unknown>) => {
    const began = now();
    const { peak } = await memoryDuring(product.process.pid ?? 0, work);
    done.push({ kind, began, ended: now(), peak });
  };
  const get = (path: string, packing: "identity" | "br") =>
    download(
      `${product.url}${path.replace(":sessionId", large.sessionId)}?view=all`,
      admin.cookie ?? "",
      packing,
    );
  for (let round = 0; round < rounds; round += 1) {
    await doOne("report", () => get(varianceReport.path, "br"));
    await doOne("export", () => get(exportReport.path, "identity"));
    let begun = "";
    await doOne("start", async () => {
      begun = (await beginSession(admin, large.store)).sessionId;
    });
    await doOne("end", () => endAndWait(admin, begun));
  }
  return done;
}

/** `worker` is the node that does the heavy work, whose memory is told. */
async function scanBesideWork(bench: Bench, worker: Worker, rounds: number): Promise<void> {
  let done: Done[] = [];
  const seen = await scanDuring(bench, async () => {
    done = await workHard(worker, bench.large, rounds);
  });
  const all = risingTimes(seen.scans);
  say(`beside the heavy work (${loadText()}): ${all.length} scans, ${timesText(all)}`);
  say(lateText(seen));
  for (const kind of new Set(done.map((piece) => piece.kind))) {
    const pieces = done.filter((piece) => piece.kind === kind);
    const took = pieces.reduce((sum, { began, ended }) => sum + ended - began, 0) / pieces.length;
    const scans = seen.scans.filter(({ sentAt }) =>
      pieces.some(({ began, ended }) => began <= sentAt && sentAt < ended),
    );
    const held = Math.max(...pieces.map(({ peak }) => peak)).toFixed(0);
    say(
      `  ${kind}, ${took.toFixed(0)} ms: ${timesText(risingTimes(scans))}; the server held at most ${held} MiB`,
    );
  }
  const [p99, peak] = [percentile(all, 0.99), Math.max(...done.map((piece) => piece.peak))];
  if (p99 > aimMs) say(`WRONG: the scans took ${p99.toFixed(1)} ms (p99), more than ${aimMs}`);
  if (peak > aimMebibytes) say(`WRONG: the server held ${peak.toFixed(0)} MiB, more than ${aimMebibytes}`);
  if (p99 > aimMs || peak > aimMebibytes) process.exitCode = 1;
}

interface Options {
  readonly seconds: number;
  readonly rounds: number;
  readonly isApart: boolean;
}

async function measure(scale: Scale, { seconds, rounds, isApart }: Options): Promise<void> {
  const large = await countTheLarge(scale);
  const counting = await openTheOther(scale.admin);
  const phones = startPhones();
  try {
    const bench = { scale, large, counting, phones };
    await scanQuietly(bench, "warming up", seconds);
    await scanQuietly(bench, "quiet", seconds);
    if (isApart) {
      await withOtherNodes(scale, 1, async ([product]) => {
        if (product === undefined) throw new Error("There is no other node.");
        const admin = new ApiClient(product.url);
        await admin.call(adminLogin, { body: { password: adminPassword } });
        await scanBesideWork(bench, { product, admin }, rounds);
      });
    } else await scanBesideWork(bench, scale, rounds);
  } finally {
    await phones.stop();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      variants: { type: "string", default: "100000" },
      seconds: { type: "string", default: "15" },
      rounds: { type: "string", default: "3" },
      apart: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    say(help);
    return;
  }
  say(`${machineText()}, ${values.variants} variants, ${loadText()} before`);
  const shop = await startShop({ variants: Number(values.variants) });
  const options = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    isApart: values.apart,
  };
  try {
    await onShop(shop.url, (serve) => serve((scale) => measure(scale, options)));
  } finally {
    await shop.stop();
  }
}

await main();
