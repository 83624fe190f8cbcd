import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { postScan, productMap, varianceReport } from "@stocktake/contract";
import type { ApiClient } from "@stocktake/testkit";
import { gigabytes, growTo, type Model } from "./growth/closed-sessions.ts";
import { type Curve, plot } from "./growth/plot.ts";
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
import { ScanSource, unsharedBarcodes } from "./scans/load.ts";
import { median, timesOf } from "./times.ts";

const help = `What a scan, a report and the start of a session of one store cost beside more and more closed sessions of another: a
million snapshot rows, then ten times as many, and so on. Draws docs/growth.svg.

  npm run bench:growth -- [--rows N] [--variants N]

  --rows N      snapshot rows at the end (default 100000000, about 55 GB of disk and half an hour)
  --variants N  variants of the shop (default 20000)
`;

const drawing = fileURLToPath(new URL("../../docs/growth.svg", import.meta.url));
const say = (line: string) => process.stdout.write(`${line}\n`);
const areasOf = (letter: string) => Array.from({ length: 20 }, (_none, index) => `${letter}${index + 1}`);

/** The store that is measured: a session that is over, and one that counts. */
interface Measured {
  readonly closedSessionId: string;
  readonly store: OpenStore;
  readonly scanned: Floor;
  readonly counter: ApiClient;
  readonly source: ScanSource;
}

const kinds = ["a scan", "the report", "start of a session"] as const;
type Kind = (typeof kinds)[number];

/** The first location's store has a report and starts sessions, the second's has the closed ones, and is scanned in. */
async function open({ admin, pool }: Scale): Promise<{ readonly measured: Measured; readonly model: Model }> {
  const store = await openStore(admin, adminPassword, areasOf("A"));
  const { sessionId: closedSessionId } = await beginSession(admin, store);
  await fillScans(pool, { sessionId: closedSessionId, varyingOneIn: 30 });
  await endAndWait(admin, closedSessionId);
  const other = await makeStore(admin, areasOf("B"), 1);
  const { sessionId } = await beginSession(admin, other);
  await endAndWait(admin, sessionId);
  const { rows } = await pool.query<{ items: number }>("select items from sessions where id = $1", [
    sessionId,
  ]);
  const scanned = await beginSession(admin, other);
  const counter = await inviteCounter(admin, scanned, "counter");
  const { products } = await admin.call(productMap, { query: { storeId: scanned.storeId } });
  const source = new ScanSource(scanned, areasOf("B"), unsharedBarcodes(products.slice(0, 5_000)), 1);
  return {
    measured: { closedSessionId, store, scanned, counter, source },
    model: { sessionId, rows: rows[0]?.items ?? 0 },
  };
}

/** The median of each kind of work, in milliseconds. */
async function measure({ admin, product }: Scale, of: Measured): Promise<Record<Kind, number>> {
  const report = `${product.url}${varianceReport.path.replace(":sessionId", of.closedSessionId)}?view=variances`;
  const scan = () => of.counter.call(postScan, { body: of.source.next() });
  const read = () => download(report, admin.cookie ?? "", "identity");
  // What is read for the first time after so much was written comes from the disk.
  await timesOf(40, scan);
  await read();
  const starts: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const begun = performance.now();
    const { sessionId } = await beginSession(admin, of.store);
    starts.push(performance.now() - begun);
    await endAndWait(admin, sessionId);
  }
  return {
    "a scan": median(await timesOf(300, scan)),
    "the report": median(await timesOf(9, read)),
    "start of a session": median(starts),
  };
}

async function grow(scale: Scale, most: number): Promise<void> {
  const { measured, model } = await open(scale);
  const points: { readonly rows: number; readonly took: Record<Kind, number> }[] = [];
  for (let rows = model.rows * 5; ; rows = Math.min(most, rows * 10)) {
    const began = performance.now();
    await growTo(scale.pool, model, rows);
    const made = `${((performance.now() - began) / 1_000).toFixed(0)} s, ${(await gigabytes(scale.pool)).toFixed(1)} GB`;
    const took = await measure(scale, measured);
    points.push({ rows, took });
    const figures = kinds.map((kind) => `${kind} ${took[kind].toFixed(1)} ms`);
    say(`${rows.toLocaleString("en")} rows (${made}): ${figures.join(", ")} (${loadText()})`);
    if (rows === most) break;
  }
  const curves: Curve[] = kinds.map((name) => ({
    name,
    points: points.map(({ rows, took }) => ({ rows, milliseconds: took[name] })),
  }));
  await writeFile(drawing, plot(curves));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rows: { type: "string", default: "100000000" },
      variants: { type: "string", default: "20000" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    say(help);
    return;
  }
  say(`${machineText()}, ${values.variants} variants, ${loadText()} before`);
  await onScale(shopOf(Number(values.variants), { stocksBoth: true }), (serve) =>
    serve((scale) => grow(scale, Number(values.rows))),
  );
}

await main();
