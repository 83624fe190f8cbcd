import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import {
  type CallAnswer,
  deployReport,
  previewDeploy,
  productMap,
  rollbackReport,
  varianceReport,
} from "@stocktake/contract";
import {
  csvCatalogue,
  demoCatalogue,
  type EmulatorControl,
  emulatorControl,
  startEmulator,
} from "@stocktake/shopify-emulator";
import { ApiClient, startProduct } from "@stocktake/testkit";
import { machineText } from "./machine.ts";
import { type Floor, SimulatedCounter } from "./rehearsal/counter.ts";
import { Measures } from "./rehearsal/measures.ts";
import { Oracle, readOnHand } from "./rehearsal/oracle.ts";
import { type AreaPlan, planAreas } from "./rehearsal/plan.ts";
import { dice } from "./rehearsal/random.ts";
import { Till } from "./rehearsal/sales.ts";
import { beginSession, endAndWait, inviteCounter, openStore, untilDone } from "./rehearsal/store-floor.ts";

const usage = `A whole stocktake over HTTP, checked against arithmetic of its own.

  npm run rehearse -- [--catalog FILE] [--scans N] [--counters N] [--areas N] [--seed N]

  --catalog FILE  a Shopify product export, or a CSV of gtin,title,brand,category; else the demo brand
  --scans N       scans to make (default 2000)
  --counters N    counters at once (default 6)
  --areas N       areas (default 40)
  --seed N        the same seed makes the same choices (default 1)
`;

interface Options {
  readonly catalog: string | undefined;
  readonly scans: number;
  readonly counters: number;
  readonly areas: number;
  readonly seed: number;
}

function wholeNumber(name: string, value: string): number {
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  throw new Error(`--${name} must be a whole number from 1 on, not ${value}.`);
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      catalog: { type: "string" },
      scans: { type: "string", default: "2000" },
      counters: { type: "string", default: "6" },
      areas: { type: "string", default: "40" },
      seed: { type: "string", default: "1" },
    },
  });
  return {
    catalog: values.catalog,
    scans: wholeNumber("scans", values.scans),
    counters: wholeNumber("counters", values.counters),
    areas: wholeNumber("areas", values.areas),
    seed: wholeNumber("seed", values.seed),
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Every counter takes the next area that nobody has until none is left. */
async function countEverything(
  counters: readonly SimulatedCounter[],
  areas: readonly AreaPlan[],
): Promise<void> {
  const left = [...areas];
  const work = async (counter: SimulatedCounter): Promise<void> => {
    for (let area = left.shift(); area !== undefined; area = left.shift()) await counter.countArea(area);
  };
  await Promise.all(counters.map(work));
}

type Moved = Pick<CallAnswer<typeof rollbackReport>, "totalAdjustments" | "operation">;

async function whole(admin: ApiClient, { totalAdjustments, operation }: Moved): Promise<number> {
  if (operation !== undefined) await untilDone(admin, operation._id);
  return totalAdjustments;
}

/** Deploys, and confirms what goes to zero uncounted. */
async function deploy(admin: ApiClient, sessionId: string): Promise<number> {
  const params = { sessionId };
  const { uncounted } = await admin.call(previewDeploy, { params });
  const body = uncounted.confirmUnits === null ? {} : { confirmUnits: uncounted.confirmUnits };
  return whole(admin, await admin.call(deployReport, { params, body }));
}

async function rollBack(admin: ApiClient, sessionId: string): Promise<number> {
  return whole(admin, await admin.call(rollbackReport, { params: { sessionId } }));
}

/** Compares the shop's stock with what it must be, item by item. */
async function stockDifferences(control: EmulatorControl, locationId: string, wanted: Map<string, number>) {
  const actual = await readOnHand(control, locationId);
  return Array.from(wanted).flatMap(([itemId, quantity]) =>
    actual.get(itemId) === quantity
      ? []
      : [`${itemId}: on hand is ${actual.get(itemId)}, must be ${quantity}`],
  );
}

function verdict(what: string, differences: readonly string[]): void {
  print(`${what}: ${differences.length === 0 ? "exact" : `${differences.length} differences`}`);
  for (const difference of differences.slice(0, 20)) print(`  ${difference}`);
  if (differences.length > 0) process.exitCode = 1;
}

async function run(options: Options, emulatorUrl: string): Promise<void> {
  const measures = new Measures();
  const random = dice(options.seed);
  const adminPassword = random.uuid();
  const product = await startProduct({ shopifyUrl: emulatorUrl, adminPassword });
  try {
    await rehearse(
      new ApiClient(product.url),
      adminPassword,
      emulatorControl(emulatorUrl),
      options,
      measures,
    );
  } catch (error) {
    print(product.output().split("\n").slice(-20).join("\n"));
    throw error;
  } finally {
    await product.stop();
    for (const line of measures.lines()) print(line);
  }
}

async function rehearse(
  admin: ApiClient,
  password: string,
  control: EmulatorControl,
  options: Options,
  measures: Measures,
): Promise<void> {
  const random = dice(options.seed + 1);
  const codes = Array.from({ length: options.areas }, (_value, index) => `A${index + 1}`);
  const store = await openStore(admin, password, codes);
  const oracle = new Oracle(await control.snapshot(), store.shopifyLocationId);
  const plans = planAreas(oracle, codes, options.scans, random);
  const floor = await measures.step("session start", () => beginSession(admin, store));
  const till = new Till({
    control,
    oracle,
    locationId: store.shopifyLocationId,
    dice: dice(options.seed + 2),
  });
  const counters = await inviteAll(admin, floor, oracle, measures, options);
  till.open(10);
  await measures.step("counting", () => countEverything(counters, plans));
  await till.close();
  await measures.step("session end", () => endAndWait(admin, floor.sessionId));
  oracle.sessionEnded();
  till.open(10);
  await compareWithOracle(admin, control, floor.sessionId, store.shopifyLocationId, oracle, measures, till);
  print(`units sold meanwhile: ${till.sales}`);
}

async function inviteAll(
  admin: ApiClient,
  floor: Floor,
  oracle: Oracle,
  measures: Measures,
  { counters, seed }: Options,
): Promise<SimulatedCounter[]> {
  const made: SimulatedCounter[] = [];
  for (let number = 1; number <= counters; number += 1) {
    const api = await inviteCounter(admin, floor, `counter-${number}`);
    const deviceId = `device-${number}-rehearsal`;
    if (number === 1) {
      const query = { storeId: floor.storeId };
      const map = await measures.step("product map", () => api.call(productMap, { query }));
      print(`products on the devices: ${map.products.length}`);
    }
    made.push(
      new SimulatedCounter({ api, deviceId, floor, oracle, dice: dice(seed * 1000 + number), measures }),
    );
  }
  return made;
}

async function compareWithOracle(
  admin: ApiClient,
  control: EmulatorControl,
  sessionId: string,
  locationId: string,
  oracle: Oracle,
  measures: Measures,
  till: Till,
): Promise<void> {
  const params = { sessionId };
  const report = await measures.step("report, all rows", () =>
    admin.call(varianceReport, { params, query: { view: "all" } }),
  );
  verdict(`report of ${report.items.length} rows`, oracle.differencesFrom(report.items, report.summary));
  const moved = await measures.step("deploy", () => deploy(admin, sessionId));
  await till.close();
  verdict(
    `stock after deploying ${moved} SKUs`,
    await stockDifferences(control, locationId, oracle.onHandNow(true)),
  );
  till.open(10);
  const back = await measures.step("rollback", () => rollBack(admin, sessionId));
  await till.close();
  verdict(
    `stock after rolling ${back} SKUs back`,
    await stockDifferences(control, locationId, oracle.onHandNow(false)),
  );
}

async function main(): Promise<void> {
  if (process.argv.includes("--help")) {
    print(usage);
    return;
  }
  const options = readOptions();
  const catalogue =
    options.catalog === undefined
      ? demoCatalogue()
      : csvCatalogue(readFileSync(options.catalog, "utf8"), basename(options.catalog)).catalogue;
  const emulator = await startEmulator({ catalogue });
  print(machineText());
  print(
    `${options.scans} scans by ${options.counters} counters in ${options.areas} areas, seed ${options.seed}`,
  );
  try {
    await run(options, emulator.url);
  } finally {
    await emulator.close();
  }
}

await main();
