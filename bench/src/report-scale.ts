import { parseArgs } from "node:util";
import {
  adjustCount,
  explainRow,
  exportReport,
  listToCountAgain,
  type ReportView,
  varianceReport,
} from "@stocktake/contract";
import type { OpenDatabase } from "@stocktake/server/database/pool.ts";
import type { BareServer } from "./bare-process.ts";
import { loadText, machineText } from "./machine.ts";
import { beginSession, endAndWait, type OpenStore, openStore } from "./rehearsal/store-floor.ts";
import { adminPassword, onScale, type Scale, shopOf } from "./report/at-scale.ts";
import { besideFloor, measureFloor, rowsOfReport, startBareBytes } from "./report/bare-floor.ts";
import { measureCertificate, measureOpen } from "./report/coverage.ts";
import { download, downloads } from "./report/download.ts";
import { fillScans } from "./report/fill-scans.ts";
import { reportInBrowser } from "./report/in-browser.ts";
import { measureNeverCounted } from "./report/never-counted.ts";
import { memoryDuring, processorTime } from "./report/processes.ts";
import { measureProductMap } from "./report/product-map.ts";
import { bareCopy, handOver } from "./report/snapshot-floor.ts";
import { median, timesOf } from "./times.ts";

const usage = `The report, the export and the start of a session at scale, on the built product.

  npm run bench:report [-- --variants N --times N --floors N]

  --variants N  variants of the shop, ten scans each (default 100000)
  --times N     times that each report is asked for (default 20)
  --floors N    times that the start of a session and its floors are measured (default 3)
`;

type Pool = OpenDatabase["pool"];

interface Measured extends Scale {
  readonly times: number;
  readonly bare: BareServer;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

interface Round {
  readonly handOver: number;
  readonly copy: number;
  readonly copyWork: number;
  readonly start: number;
  readonly startWork: number;
}

/** One start of a session beside its two floors, in turn, so that a machine that slows down slows all of them down. */
async function measureStart(
  scale: Measured,
  store: OpenStore,
): Promise<Round & { readonly sessionId: string }> {
  const work = () => processorTime(scale.product.process.pid ?? 0);
  const handed = await handOver(scale.shopifyUrl, store.shopifyLocationId);
  const idle = await work();
  const copy = await bareCopy(scale.pool, handed.lines);
  const copied = await work();
  const begun = performance.now();
  const { sessionId } = await beginSession(scale.admin, store);
  const start = performance.now() - begun;
  const startWork = (await work()) - copied;
  return { sessionId, handOver: handed.milliseconds, copy, copyWork: copied - idle, start, startWork };
}

interface Begun {
  readonly store: OpenStore;
  readonly sessionId: string;
}

/** An end beside the two floors of its reading, which were measured just before. */
async function measureEnd(scale: Measured, { store, sessionId }: Begun): Promise<string> {
  const handed = await handOver(scale.shopifyUrl, store.shopifyLocationId);
  const copy = await bareCopy(scale.pool, handed.lines);
  const [ending = 0] = await timesOf(1, () => endAndWait(scale.admin, sessionId));
  const floors = handed.milliseconds + copy;
  return (
    `session end ${ending.toFixed(0)} ms; hand-over + COPY ${floors.toFixed(0)} ms; ` +
    `end / (hand-over + COPY): ${(ending / floors).toFixed(2)} (aim 1.5, ${loadText()})`
  );
}

async function startAndMeasure(scale: Measured, times: number): Promise<Begun> {
  const codes = Array.from({ length: 100 }, (_value, index) => `A${index + 1}`);
  const store = await openStore(scale.admin, adminPassword, codes);
  const rounds: Round[] = [];
  let sessionId = "";
  for (let round = 0; round < times; round += 1) {
    if (round > 0) await endAndWait(scale.admin, sessionId);
    const measured = await measureStart(scale, store);
    sessionId = measured.sessionId;
    rounds.push(measured);
  }
  const of = (figure: keyof Round) => median(rounds.map((round) => round[figure]));
  const allowed = 1.5 * of("copy") + of("handOver");
  const ratio = median(rounds.map((round) => round.start / (1.5 * round.copy + round.handOver)));
  print(`session start (median of ${times}, ${loadText()})`);
  print(
    `  hand-over alone ${of("handOver").toFixed(0)} ms, bare COPY of its lines ${of("copy").toFixed(0)} ms`,
  );
  print(`  the product ${of("start").toFixed(0)} ms; 1.5 COPY + hand-over ${allowed.toFixed(0)} ms`);
  print(`  product / (1.5 COPY + hand-over): ${ratio.toFixed(2)}`);
  print(`  processor time: COPY ${of("copyWork")} ms, the product with its database ${of("startWork")} ms`);
  return { store, sessionId };
}

function addressOf({ product }: Measured, path: string, sessionId: string, view: ReportView): string {
  return `${product.url}${path.replace(":sessionId", sessionId)}?view=${view}`;
}

/** A report beside its floor. `aimMs` is for a shop of 100,000 variants whose answer is not packed. */
async function measureReport(
  scale: Measured,
  sessionId: string,
  view: ReportView,
  aimMs?: number,
): Promise<void> {
  const url = addressOf(scale, varianceReport.path, sessionId, view);
  for (const packing of ["identity", "br"] as const) {
    const once = () => download(url, scale.admin.cookie ?? "", packing);
    const { bytes } = await once();
    const floor = await measureFloor(scale.pool, scale.bare, rowsOfReport(sessionId, view), bytes);
    const before = await processorTime(scale.product.process.pid ?? 0);
    const { p50, p95 } = await downloads(scale.times, once);
    const work = ((await processorTime(scale.product.process.pid ?? 0)) - before) / scale.times;
    const took = `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, processor time ${work.toFixed(0)} ms`;
    const figures = `${took}, ${(bytes / 1e6).toFixed(2)} MB`;
    const aim = aimMs === undefined || packing !== "identity" ? "no aim" : `aim ${aimMs}`;
    print(`  report view=${view}, ${packing}: ${figures} (${aim}, ${loadText()})`);
    print(`    ${besideFloor(p50, floor)}`);
  }
}

async function measureExport(scale: Measured, sessionId: string): Promise<void> {
  const url = addressOf(scale, exportReport.path, sessionId, "all");
  for (let time = 0; time < 3; time += 1) {
    let took = { milliseconds: 0, bytes: 0 };
    const memory = await memoryDuring(scale.product.process.pid ?? 0, async () => {
      took = await download(url, scale.admin.cookie ?? "", "identity");
    });
    const figures = `${took.milliseconds.toFixed(0)} ms, ${(took.bytes / 1e6).toFixed(1)} MB`;
    const grown = `${memory.before.toFixed(0)} MiB before, at most ${memory.peak.toFixed(0)} MiB`;
    print(`  export view=all: ${figures} (aim 2000); memory of the server ${grown} (${loadText()})`);
    const floor = await measureFloor(scale.pool, scale.bare, rowsOfReport(sessionId, "all"), took.bytes);
    print(`    ${besideFloor(took.milliseconds, floor)}`);
  }
}

async function measureAdjusting({ admin, times }: Measured, sessionId: string): Promise<void> {
  const body = { sku: "SYN-1000006", newCount: 3, reason: "Found behind the till" };
  const took = await timesOf(times, () => admin.call(adjustCount, { params: { sessionId }, body }));
  print(`  a count by hand: p50 ${median(took).toFixed(1)} ms (${loadText()})`);
}

/** What a row's drawer asks for: SKUs from all over the shop, each for the first time. */
async function measureExplanations({ admin, pool, times }: Measured, sessionId: string): Promise<void> {
  const { rows } = await pool.query<{ sku: string }>(
    "select sku from session_items where session_id = $1 order by md5(sku) limit $2",
    [sessionId, times],
  );
  const took: number[] = [];
  for (const { sku } of rows) {
    const begun = performance.now();
    await admin.call(explainRow, { params: { sessionId }, query: { sku, limit: "50" } });
    took.push(performance.now() - begun);
  }
  const most = Math.max(...took).toFixed(0);
  print(`  why a row is what it is: p50 ${median(took).toFixed(0)} ms, at most ${most} ms (${loadText()})`);
}

/** What the report's page asks for beside the report: the first page of the list, which the whole list is worked out for. */
async function measureCountAgain({ admin, times }: Measured, sessionId: string): Promise<void> {
  const took: number[] = [];
  let rows: number | undefined;
  for (let time = 0; time < times; time += 1) {
    const begun = performance.now();
    const list = await admin.call(listToCountAgain, { params: { id: sessionId }, query: { limit: "50" } });
    took.push(performance.now() - begun);
    rows = list.total;
  }
  print(`  what to count again (${rows} SKUs): p50 ${median(took).toFixed(0)} ms (aim 1000, ${loadText()})`);
}

/** The page itself: the default view, and all rows. Once each before, so that the server has compressed its files. */
async function measurePage({ admin, product }: Measured, sessionId: string): Promise<void> {
  for (const show of ["counted", "counted", "all"]) {
    const page = await reportInBrowser(product.url, admin.cookie ?? "", sessionId, show);
    const worst = (times: readonly number[]) => Math.max(0, ...times).toFixed(0);
    print(`  in Chromium, show=${show} (${loadText()}): first row ${page.firstRow.toFixed(0)} ms (aim 1500)`);
    print(
      `    a keystroke: painted at most ${worst(page.painted)} ms (aim 50), its rows at most ${worst(page.rows)} ms`,
    );
    print(
      `    a drawer: median ${median(page.drawers).toFixed(0)} ms, at most ${worst(page.drawers)} ms (aim 200)`,
    );
  }
}

/** The bad case: a store in which nothing fits. */
async function makeAllVary(pool: Pool, sessionId: string): Promise<void> {
  await pool.query("update session_items set end_on_hand = end_on_hand + 40 where session_id = $1", [
    sessionId,
  ]);
  await pool.query("vacuum analyze");
}

async function countAndRead(scale: Measured, floors: number): Promise<string> {
  const begun = await startAndMeasure(scale, floors);
  const { sessionId } = begun;
  print(await measureNeverCounted(scale, sessionId));
  print(await measureOpen(scale, sessionId));
  const filled = await fillScans(scale.pool, { sessionId, varyingOneIn: 30 });
  print(`${filled.scans} scans in ${filled.totals} running totals`);
  print(await measureEnd(scale, begun));
  await measureReport(scale, sessionId, "variances", 500);
  await measureReport(scale, sessionId, "all", 800);
  await measureExplanations(scale, sessionId);
  await measureCountAgain(scale, sessionId);
  await measureAdjusting(scale, sessionId);
  await measurePage(scale, sessionId);
  print(await measureCertificate(scale, sessionId));
  return sessionId;
}

async function exportAndReadTheWorst(scale: Measured, sessionId: string): Promise<void> {
  print(await measureProductMap(scale, scale.bare));
  await measureExport(scale, sessionId);
  print("the bad case, in which every SKU varies");
  await makeAllVary(scale.pool, sessionId);
  await measureReport(scale, sessionId, "variances");
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      variants: { type: "string", default: "100000" },
      times: { type: "string", default: "20" },
      floors: { type: "string", default: "3" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return print(usage);
  print(`${machineText()}, ${values.variants} variants, ${loadText()}`);
  const [times, floors] = [Number(values.times), Number(values.floors)];
  const bare = await startBareBytes();
  try {
    await onScale(shopOf(Number(values.variants)), async (serve) => {
      const sessionId = await serve((scale) => countAndRead({ ...scale, times, bare }, floors));
      await serve((scale) => exportAndReadTheWorst({ ...scale, times, bare }, sessionId));
    });
  } finally {
    bare.stop();
  }
}

await main();
