import { setMaxListeners } from "node:events";
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { productMap, sessionProgress, varianceReport } from "@stocktake/contract";
import { type Catalogue, syntheticCatalogue } from "@stocktake/shopify-emulator";
import type { Product } from "@stocktake/testkit";
import { loadText, machineText } from "./machine.ts";
import { Figures } from "./night/figures.ts";
import { NightPhone } from "./night/phone.ts";
import { withOtherNodes } from "./other-nodes.ts";
import type { Floor } from "./rehearsal/counter.ts";
import { beginSession, endAndWait, inviteWithDevices, makeStore } from "./rehearsal/store-floor.ts";
import { onScale, type Scale } from "./report/at-scale.ts";
import { memoryDuring, ownProcessorTime, processorTime } from "./report/processes.ts";
import { unsharedBarcodes } from "./scans/load.ts";

const help = `The night in which every store of a brand counts, on the built product, with a twentieth of its phones unless told: 25 stores, 500 phones
that each scan every two seconds, connections that drop, areas finished and reports read as often as so many stores do, the pages of
progress open. In the end every scan that was answered is there once. To open the stores takes as long as Shopify's limits let it: many of
them, or a large shop, take many minutes.

  npm run bench:night -- [--stores N] [--phones N] [--minutes N] [--variants N] [--nodes N] [--reports N]

  --stores N    25 unless told
  --phones N    phones a store, 20 unless told, which is as many as one link lets in
  --minutes N   of counting, 1 unless told
  --variants N  variants of the shop, each stocked in every store; 240 unless told
  --nodes N     nodes on the one database, the phones of each store spread over them; 1 unless told
  --reports N   of all rows, read a minute by the whole night; 50 unless told
`;

const pace = { scanEveryMs: 2_000, scansBetweenDrops: 150, offlineMs: 20_000 };
/** Of the whole night: its stores, and areas finished a minute. */
const [wholeStores, wholeFinishes] = [1_000, 200];
const areasOfPhone = 8;
const say = (line: string) => process.stdout.write(`${line}\n`);

/** The same stock in so many locations. */
function chainOf(variants: number, stores: number): Catalogue {
  const catalogue = syntheticCatalogue(variants);
  return {
    ...catalogue,
    fingerprint: `chain-${variants}-${stores}`,
    locations: Array.from({ length: stores }, (_none, index) => ({ name: `Store ${index + 1}` })),
    products: catalogue.products.map((product) => ({
      ...product,
      variants: product.variants.map((variant) => ({
        ...variant,
        stock: Array.from({ length: stores }, (_none, index) => variant.stock?.[index % 2] ?? null),
      })),
    })),
  };
}

interface Plan {
  readonly stores: number;
  readonly phonesOfStore: number;
  readonly minutes: number;
  readonly nodes: number;
  /** Read a minute, by the whole night. */
  readonly reports: number;
}

interface Night {
  readonly floors: readonly Floor[];
  readonly phones: readonly NightPhone[];
  readonly endedSessionId: string;
}

const codeOf = (phone: number, area: number) => `P${phone + 1}-${area + 1}`;

/** Opens every store but the last, whose session is ended: its report is the one that is read. */
async function openNight(
  { admin }: Scale,
  figures: Figures,
  stopped: AbortSignal,
  { stores, phonesOfStore, urls }: Plan & { readonly urls: readonly string[] },
): Promise<Night> {
  const phoneNumbers = Array.from({ length: phonesOfStore }, (_none, index) => index);
  const areasOf = (phone: number) =>
    Array.from({ length: areasOfPhone }, (_none, area) => codeOf(phone, area));
  const codes = phoneNumbers.flatMap(areasOf);
  const [floors, phones]: [Floor[], NightPhone[]] = [[], []];
  let barcodes: string[] | undefined;
  for (let place = 0; place < stores; place += 1) {
    const floor = await beginSession(admin, await makeStore(admin, codes, place));
    barcodes ??= unsharedBarcodes(
      (await admin.call(productMap, { query: { storeId: floor.storeId } })).products,
    );
    const apis = await inviteWithDevices(admin, floor, `store-${place}`, phonesOfStore, urls);
    for (const [index, api] of apis.entries()) {
      phones.push(new NightPhone({ api, floor, areas: areasOf(index), barcodes, figures, pace, stopped }));
    }
    floors.push(floor);
  }
  const last = await beginSession(admin, await makeStore(admin, codes, stores));
  await endAndWait(admin, last.sessionId);
  return { floors, phones, endedSessionId: last.sessionId };
}

/** Does something again and again until it is over, each time so many milliseconds after it began the time before. */
async function every(milliseconds: number, stopped: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!stopped.aborted) {
    await pause(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
    if (!stopped.aborted) await work();
  }
}

async function countTheNight(
  { admin }: Scale,
  { floors, phones, endedSessionId }: Night,
  figures: Figures,
  { reports, stopped }: { readonly reports: number; readonly stopped: AbortSignal },
): Promise<void> {
  const share = floors.length / wholeStores;
  let [turn, page] = [0, 0];
  await Promise.all([
    ...phones.map((phone) => phone.count()),
    every(60_000 / (wholeFinishes * share), stopped, async () => {
      phones[(turn++ * 13) % phones.length]?.finishSoon();
    }),
    reports > 0 &&
      every(60_000 / (reports * share), stopped, async () => {
        const params = { sessionId: endedSessionId };
        await figures.timed("report", () => admin.call(varianceReport, { params, query: { view: "all" } }));
      }),
    every(1_000, stopped, async () => {
      const id = floors[page++ % floors.length]?.sessionId ?? "";
      await figures.timed("progress", () => admin.call(sessionProgress, { params: { id } }));
    }),
  ]);
}

async function storedScans({ admin }: Scale, { floors }: Night): Promise<number> {
  let stored = 0;
  for (const { sessionId } of floors) {
    const { devices } = await admin.call(sessionProgress, { params: { id: sessionId } });
    stored += devices.reduce((sum, { scans }) => sum + scans, 0);
  }
  return stored;
}

interface Measured {
  readonly seconds: number;
  /** What the nodes held at most, in mebibytes. */
  readonly peaks: readonly number[];
  /** Processor time of all nodes, and of their database. */
  readonly serverMs: number;
  readonly databaseMs: number;
}

function report(figures: Figures, night: Night, measured: Measured): void {
  const { seconds, peaks, serverMs, databaseMs } = measured;
  say(
    `${night.floors.length} stores, ${night.phones.length} phones, ${peaks.length === 1 ? "1 node" : `${peaks.length} nodes`}, ${seconds.toFixed(0)} s (${loadText()})`,
  );
  for (const line of figures.lines()) say(`  ${line}`);
  const rate = figures.stored / seconds;
  say(`  ${figures.stored} scans, ${rate.toFixed(0)} a second; ${figures.drops} connections dropped`);
  const held = peaks.map((peak) => peak.toFixed(0)).join(", ");
  say(`  at most ${held} MiB in a node; processor time, all of the night included:`);
  for (const [name, milliseconds] of [
    [peaks.length === 1 ? "the server" : "the nodes together", serverMs],
    ["the database", databaseMs],
  ] as const) {
    const cores = milliseconds / 1_000 / seconds;
    const aScan = ((milliseconds * 1_000) / figures.stored).toFixed(0);
    say(
      `    ${name}: ${cores.toFixed(2)} cores, ${aScan} µs a scan, so ${(night.phones.length / cores).toFixed(0)} phones a core`,
    );
  }
  const phones = (0.7 * cpus().length * night.phones.length * seconds * 1_000) / (serverMs + databaseMs);
  say(
    `  extrapolated: ${phones.toFixed(0)} phones on ${cpus().length} cores of which three tenths stay free`,
  );
}

/** What the nodes held at most while the work was done that is under way, in mebibytes. */
async function memoryOfEach(pids: readonly number[], underWay: Promise<void>): Promise<readonly number[]> {
  const uses = await Promise.all(pids.map((pid) => memoryDuring(pid, () => underWay)));
  return uses.map(({ peak }) => peak);
}

async function measure(scale: Scale, plan: Plan, others: readonly Product[]): Promise<void> {
  const [figures, over] = [new Figures(), new AbortController()];
  // Every phone listens to it.
  setMaxListeners(0, over.signal);
  const nodes = [scale.product, ...others];
  const urls = nodes.map(({ url }) => url);
  const night = await openNight(scale, figures, over.signal, { ...plan, urls });
  say(`opened: ${loadText()}`);
  const pids = nodes.map(({ process: { pid } }) => pid ?? 0);
  const [firstPid = 0] = pids;
  const ofNodes = async () =>
    (await Promise.all(pids.map(ownProcessorTime))).reduce((sum, spent) => sum + spent, 0);
  // The first node has started the database, whose processes work for all nodes.
  const ofDatabase = async () => (await processorTime(firstPid)) - (await ownProcessorTime(firstPid));
  const [nodesBefore, databaseBefore] = [await ofNodes(), await ofDatabase()];
  const began = performance.now();
  const ending = pause(plan.minutes * 60_000).then(() => over.abort());
  const { reports } = plan;
  const counting = countTheNight(scale, night, figures, { reports, stopped: over.signal });
  const peaks = await memoryOfEach(pids, counting);
  await ending;
  const seconds = (performance.now() - began) / 1_000;
  const serverMs = (await ofNodes()) - nodesBefore;
  const databaseMs = (await ofDatabase()) - databaseBefore;
  report(figures, night, { seconds, peaks, serverMs, databaseMs });
  const stored = await storedScans(scale, night);
  if (stored !== figures.stored) {
    say(`WRONG: ${figures.stored} scans were answered, ${stored} are there`);
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({
    options: {
      ...{ stores: text("25"), phones: text("20"), minutes: text("1"), variants: text("240") },
      ...{ nodes: text("1"), reports: text("50") },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    say(help);
    return;
  }
  const plan: Plan = {
    stores: Number(values.stores),
    phonesOfStore: Number(values.phones),
    minutes: Number(values.minutes),
    nodes: Number(values.nodes),
    reports: Number(values.reports),
  };
  say(`${machineText()}, ${loadText()} before`);
  await onScale(chainOf(Number(values.variants), plan.stores + 1), (serve) =>
    serve((scale) => withOtherNodes(scale, plan.nodes - 1, (others) => measure(scale, plan, others))),
  );
}

await main();
