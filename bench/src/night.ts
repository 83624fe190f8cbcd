import { setMaxListeners } from "node:events";
import { cpus } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { productMap, sessionProgress, varianceReport } from "@stocktake/contract";
import { type Catalogue, syntheticCatalogue } from "@stocktake/shopify-emulator";
import { loadText, machineText } from "./machine.ts";
import { Figures } from "./night/figures.ts";
import { NightPhone } from "./night/phone.ts";
import type { Floor } from "./rehearsal/counter.ts";
import { beginSession, endAndWait, inviteWithDevices, makeStore } from "./rehearsal/store-floor.ts";
import { onScale, type Scale } from "./report/at-scale.ts";
import { memoryDuring, ownProcessorTime, processorTime } from "./report/processes.ts";
import { unsharedBarcodes } from "./scans/load.ts";

const help = `The night in which every store of a brand counts, on the built product, with a twentieth of its phones unless told: 25 stores, 500 phones
that each scan every two seconds, connections that drop, areas finished and reports read as often as so many stores do, the pages of
progress open. In the end every scan that was answered is there once. To open the stores takes as long as Shopify's limits let it: many of
them, or a large shop, take many minutes.

  npm run bench:night -- [--stores N] [--phones N] [--minutes N] [--variants N]

  --stores N    25 unless told
  --phones N    phones a store, 20 unless told, which is as many as one link lets in
  --minutes N   of counting, 1 unless told
  --variants N  variants of the shop, each stocked in every store; 240 unless told
`;

const pace = { scanEveryMs: 2_000, scansBetweenDrops: 150, offlineMs: 20_000 };
/** Of the whole night, a thousand stores: areas finished a minute, and reports read at a time, each for a minute or so. */
const [wholeStores, wholeFinishes, wholeReports] = [1_000, 200, 50];
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
  { stores, phonesOfStore }: { readonly stores: number; readonly phonesOfStore: number },
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
    const apis = await inviteWithDevices(admin, floor, `store-${place}`, phonesOfStore);
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
  stopped: AbortSignal,
): Promise<void> {
  const share = floors.length / wholeStores;
  let [turn, page] = [0, 0];
  await Promise.all([
    ...phones.map((phone) => phone.count()),
    every(60_000 / (wholeFinishes * share), stopped, async () => {
      phones[(turn++ * 13) % phones.length]?.finishSoon();
    }),
    every(60_000 / (wholeReports * share), stopped, async () => {
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
  readonly peak: number;
  /** Processor time of the server, and of its database. */
  readonly serverMs: number;
  readonly databaseMs: number;
}

function report(figures: Figures, night: Night, measured: Measured): void {
  const { seconds, peak, serverMs, databaseMs } = measured;
  say(
    `${night.floors.length} stores, ${night.phones.length} phones, ${seconds.toFixed(0)} s (${loadText()})`,
  );
  for (const line of figures.lines()) say(`  ${line}`);
  const rate = figures.stored / seconds;
  say(`  ${figures.stored} scans, ${rate.toFixed(0)} a second; ${figures.drops} connections dropped`);
  say(`  at most ${peak.toFixed(0)} MiB in the server; processor time, all of the night included:`);
  for (const [name, milliseconds] of [
    ["the server", serverMs],
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

async function measure(scale: Scale, stores: number, phonesOfStore: number, minutes: number): Promise<void> {
  const [figures, over] = [new Figures(), new AbortController()];
  // Every phone listens to it.
  setMaxListeners(0, over.signal);
  const night = await openNight(scale, figures, over.signal, { stores, phonesOfStore });
  say(`opened: ${loadText()}`);
  const pid = scale.product.process.pid ?? 0;
  const [before, ownBefore] = [await processorTime(pid), await ownProcessorTime(pid)];
  const began = performance.now();
  const ending = pause(minutes * 60_000).then(() => over.abort());
  const { peak } = await memoryDuring(pid, () => countTheNight(scale, night, figures, over.signal));
  await ending;
  const seconds = (performance.now() - began) / 1_000;
  const serverMs = (await ownProcessorTime(pid)) - ownBefore;
  const databaseMs = (await processorTime(pid)) - before - serverMs;
  report(figures, night, { seconds, peak, serverMs, databaseMs });
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
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    say(help);
    return;
  }
  const [stores, phones] = [Number(values.stores), Number(values.phones)];
  say(`${machineText()}, ${loadText()} before`);
  await onScale(chainOf(Number(values.variants), stores + 1), (serve) =>
    serve((scale) => measure(scale, stores, phones, Number(values.minutes))),
  );
}

await main();
