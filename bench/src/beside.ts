import { parseArgs } from "node:util";
import { exportReport, postScan, productMap, varianceReport } from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import type { Floor } from "./rehearsal/counter.ts";
import {
  beginSession,
  endAndWait,
  inviteCounter,
  makeStore,
  type OpenStore,
  openStore,
} from "./rehearsal/store-floor.ts";
import { adminPassword, onScale, type Scale, shopOf } from "./report/at-scale.ts";
import { download } from "./report/download.ts";
import { fillScans } from "./report/fill-scans.ts";
import { memoryDuring } from "./report/processes.ts";
import { ScanSource, unsharedBarcodes } from "./scans/load.ts";
import { scanSteadily } from "./scans/steady.ts";
import { percentile } from "./times.ts";

const help = `How long a store's scans take, 200 a second, while the same server works for another store of 100,000 SKUs: quiet, then
beside its report of a million scans, its export and the start of its next session, one after the other and again.

  npm run bench:beside [-- --variants N --seconds N --rounds N]

  --variants N  variants of the shop (default 100000)
  --seconds N   of the quiet measure (default 15)
  --rounds N    of the heavy work (default 3)
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

/** A store whose session is over, with ten scans of each variant. */
async function countTheLarge({ admin, pool }: Scale): Promise<{ store: OpenStore; sessionId: string }> {
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
  const source = sourceOf({ floor, counter, barcodes });
  // The first scan of an area begins its pass, which is not what is measured.
  for (let made = 0; made < areasOf("S").length; made += 1)
    await counter.call(postScan, { body: source.next() });
  return { floor, counter, barcodes };
}

function sourceOf({ floor, barcodes }: Counting): ScanSource {
  return new ScanSource(floor, areasOf("S"), barcodes, 1);
}

/** Scans while `work` runs; prints what they took, and returns their p99. */
async function scanBeside(
  { product }: Scale,
  counting: Counting,
  name: string,
  work: () => Promise<void>,
): Promise<{ p99: number; peak: number }> {
  let isOver = false;
  let took: readonly number[] = [];
  const { peak } = await memoryDuring(product.process.pid ?? 0, async () => {
    const scanning = scanSteadily(
      counting.counter,
      () => sourceOf(counting),
      pace,
      () => isOver,
    );
    await work().finally(() => {
      isOver = true;
    });
    took = await scanning;
  });
  const p99 = percentile(took, 0.99);
  const times = `p50 ${percentile(took, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (aim ${aimMs})`;
  const most = `at most ${took.at(-1)?.toFixed(0)} ms`;
  say(`${name}: ${took.length} scans, ${times}, ${most}; the server held at most ${peak.toFixed(0)} MiB`);
  return { p99, peak };
}

/** The report, the export and the start of the next session of the large store, which is ended again. */
function heavyWork(
  scale: Scale,
  { store, sessionId }: { store: OpenStore; sessionId: string },
  rounds: number,
) {
  const { admin, product } = scale;
  const get = (path: string, packing: "identity" | "br") =>
    download(`${product.url}${path.replace(":sessionId", sessionId)}?view=all`, admin.cookie ?? "", packing);
  const times = { report: 0, export: 0, start: 0, end: 0 };
  const timed = async (name: keyof typeof times, work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    times[name] += (performance.now() - begun) / rounds;
  };
  return {
    times,
    run: async () => {
      for (let round = 0; round < rounds; round += 1) {
        await timed("report", () => get(varianceReport.path, "br"));
        await timed("export", () => get(exportReport.path, "identity"));
        let begun = "";
        await timed("start", async () => {
          begun = (await beginSession(admin, store)).sessionId;
        });
        await timed("end", () => endAndWait(admin, begun));
      }
    },
  };
}

async function measure(scale: Scale, seconds: number, rounds: number): Promise<void> {
  const large = await countTheLarge(scale);
  const counting = await openTheOther(scale.admin);
  const quiet = () => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1_000));
  await scanBeside(scale, counting, "warming up", quiet);
  await scanBeside(scale, counting, `quiet (${loadText()})`, quiet);
  const heavy = heavyWork(scale, large, rounds);
  const { p99, peak } = await scanBeside(scale, counting, "beside the heavy work", heavy.run);
  const each = Object.entries(heavy.times).map(
    ([name, milliseconds]) => `${name} ${milliseconds.toFixed(0)} ms`,
  );
  say(`  of it on average: ${each.join(", ")} (${loadText()})`);
  if (p99 > aimMs) say(`WRONG: the scans took ${p99.toFixed(1)} ms (p99), more than ${aimMs}`);
  if (peak > aimMebibytes) say(`WRONG: the server held ${peak.toFixed(0)} MiB, more than ${aimMebibytes}`);
  if (p99 > aimMs || peak > aimMebibytes) process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      variants: { type: "string", default: "100000" },
      seconds: { type: "string", default: "15" },
      rounds: { type: "string", default: "3" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    say(help);
    return;
  }
  say(`${machineText()}, ${values.variants} variants, ${loadText()} before`);
  await onScale(shopOf(Number(values.variants), { stocksBoth: true }), (serve) =>
    serve((scale) => measure(scale, Number(values.seconds), Number(values.rounds))),
  );
}

await main();
