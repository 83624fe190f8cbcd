import { parseArgs } from "node:util";
import { limits, postScan, postScanBatch, productMap, type ScanPayload } from "@stocktake/contract";
import { startEmulator } from "@stocktake/shopify-emulator";
import { ApiClient, startProduct } from "@stocktake/testkit";
import { startBareServer } from "./bare-process.ts";
import { machineText } from "./machine.ts";
import { beginSession, inviteCounter, openStore } from "./rehearsal/store-floor.ts";
import { type BareStatements, startBareStatements } from "./scans/bare-statement.ts";
import {
  BatchSource,
  loadInProcess,
  loadOverHttp,
  type Rate,
  ScanSource,
  sendBatches,
  storeBatches,
  unsharedBarcodes,
} from "./scans/load.ts";
import { median } from "./times.ts";

/**
 * `npm run bench [-- --seconds N --rounds N]`: scans a second on the built product, each durable before its response,
 * beside two floors measured in the same run: bare HTTP, and one bare statement a scan in-process. Then batches from one client,
 * beside inserts of as many rows in-process.
 */

const concurrencies = [1, 50] as const;
/** One login may send 2,000 scans a second at most: as many as batches need. */
const logins = 60;
type Target = "bare HTTP" | "one statement in-process" | "product";

interface Bench {
  readonly url: string;
  readonly cookies: readonly string[];
  readonly bareUrl: string;
  readonly statements: BareStatements;
  readonly source: () => ScanSource;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function measure(bench: Bench, target: Target, concurrency: number, seconds: number): Promise<Rate> {
  const source = bench.source();
  switch (target) {
    case "bare HTTP":
      return loadOverHttp(bench.bareUrl, bench.cookies, source, concurrency, seconds);
    case "product":
      return loadOverHttp(`${bench.url}${postScan.path}`, bench.cookies, source, concurrency, seconds);
    case "one statement in-process":
      return loadInProcess((scan: ScanPayload) => bench.statements.run(scan), source, concurrency, seconds);
  }
}

function report(target: Target, rates: readonly Rate[]): number {
  const perSecond = median(rates.map((rate) => rate.perSecond));
  const p50 = median(rates.map((rate) => rate.p50));
  const p99 = median(rates.map((rate) => rate.p99));
  const figures = `${Math.round(perSecond)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  print(`  ${target.padEnd(26)}${figures}`);
  return perSecond;
}

async function runRounds(bench: Bench, rounds: number, seconds: number): Promise<void> {
  const targets: readonly Target[] = ["bare HTTP", "one statement in-process", "product"];
  for (const concurrency of concurrencies) {
    const rates = new Map<Target, Rate[]>(targets.map((target) => [target, []]));
    // In turn, so that a machine that slows down slows all of them down.
    for (let round = 0; round < rounds; round += 1) {
      for (const target of targets) {
        rates.get(target)?.push(await measure(bench, target, concurrency, seconds));
      }
    }
    print(`${concurrency} at a time (median of ${rounds} rounds of ${seconds} s)`);
    const [http = 0, statement = 0, product = 0] = targets.map((target) =>
      report(target, rates.get(target) ?? []),
    );
    print(`  product / bare HTTP: ${(product / http).toFixed(2)}`);
    print(`  product / one statement: ${(product / statement).toFixed(2)}`);
    for (const figure of ["mean", "p50"] as const) {
      const of = (target: Target) => median((rates.get(target) ?? []).map((rate) => rate[figure]));
      const ratio = of("product") / (of("bare HTTP") + of("one statement in-process"));
      print(`  product's ${figure} time / (bare HTTP + one statement): ${ratio.toFixed(2)}`);
    }
  }
}

async function runBatches(bench: Bench, rounds: number, seconds: number): Promise<void> {
  const [products, inserts]: [number[], number[]] = [[], []];
  const batches = () => new BatchSource(bench.source(), limits.scansPerCall);
  for (let round = 0; round < rounds; round += 1) {
    inserts.push(await storeBatches((scans) => bench.statements.runMany(scans), batches(), seconds));
    products.push(await sendBatches(`${bench.url}${postScanBatch.path}`, bench.cookies, batches(), seconds));
  }
  const [product, insert] = [median(products), median(inserts)];
  print(`${limits.scansPerCall} a call, one client (median of ${rounds} rounds of ${seconds} s)`);
  print(`  inserts of as many rows in-process  ${Math.round(insert)} scans a second`);
  print(`  product                             ${Math.round(product)} scans a second`);
  print(`  product / inserts: ${(product / insert).toFixed(2)}`);
}

/** A store of 25 areas in session on the product, a counter in it, and what the loads need of both. */
async function openFloor(admin: ApiClient, adminPassword: string) {
  const areas = Array.from({ length: 25 }, (_value, index) => `A${index + 1}`);
  const store = await openStore(admin, adminPassword, areas);
  const floor = await beginSession(admin, store);
  const counters: ApiClient[] = [];
  for (let number = 1; number <= logins; number += 1) {
    counters.push(await inviteCounter(admin, floor, `bench-${number}`));
  }
  const { products } = await admin.call(productMap, { query: { storeId: floor.storeId } });
  return { floor, areas, counters, barcodes: unsharedBarcodes(products) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: "string", default: "5" }, rounds: { type: "string", default: "3" } },
  });
  print(machineText());
  const emulator = await startEmulator();
  const adminPassword = "the bench's own password";
  const product = await startProduct({ shopifyUrl: emulator.url, adminPassword });
  const bare = await startBareServer(new URL("./scans/bare-http.ts", import.meta.url));
  const { floor, areas, counters, barcodes } = await openFloor(new ApiClient(product.url), adminPassword);
  const statements = await startBareStatements(floor.sessionId, barcodes, Math.max(...concurrencies));
  const bench: Bench = {
    url: product.url,
    cookies: counters.map(({ cookie }) => cookie ?? ""),
    bareUrl: `${bare.url}/api/scan`,
    statements,
    source: () => new ScanSource(floor, areas, barcodes),
  };
  try {
    await runRounds(bench, Number(values.rounds), Number(values.seconds));
    await runBatches(bench, Number(values.rounds), Number(values.seconds));
  } finally {
    await statements.close();
    bare.stop();
    await product.stop();
    await emulator.close();
  }
}

await main();
