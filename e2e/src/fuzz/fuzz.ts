import { parseArgs } from "node:util";
import fc from "fast-check";
import "fake-indexeddb/auto";
import { openCallStage } from "./calls/call-stage.ts";
import { fuzzCalls } from "./calls/call-trial.ts";
import { openFuzzStage } from "./fuzz-stage.ts";
import { type Plan, plans } from "./plan.ts";
import { regressionPlans } from "./regression-plans.ts";
import { collectReports } from "./reports.ts";
import { openEnvironment } from "./shelf/environment.ts";
import { regressionShelves } from "./shelf/regression-shelves.ts";
import { addTallies, noTally } from "./shelf/shelf-oracle.ts";
import { type ShelfPlan, shelfPlans } from "./shelf/shelf-plan.ts";
import { ShelfTrial } from "./shelf/shelf-trial.ts";
import { Trial } from "./trial.ts";

const help = `Random counts, any number of them. Each has its own seed, S, S + 1 and so on; a failing one prints its plan,
which is then added to regression-plans.ts (phones) or shelf/regression-shelves.ts (shelf).

  npm run fuzz -- [phones|shelf|calls] [--runs N] [--seed S] [--minutes M] [--shrink]
  npm run fuzz -- [phones|shelf] --known

phones  (default) Four phones with the product's own engine and IndexedDB against the built server: requests lost, late and
        doubled, phones out of reach, crashing pages, undo, reset, finish, products found by hand, second counts, control
        samples, searches, areas given to others alone, people who come by the session code, a killed server. Every scan counts once, as its phone was told, and a coverage certificate is issued exactly where
        nothing is open.
shelf   What lies on a shelf, unit by unit, and people who count it, in simulated time against the product's servers and
        an emulated Shopify: sales before, during and after the count and between two pages of its start and its end, wrong
        clocks, a lagging search, restored backups, late scans, items that are not stocked, files of counts and count sheets
        that are entered once, twice, and again after a restore, RFID tags that several readers read in several areas, lost
        answers and unclear rows that a person settles. After a deploy Shopify has what is on the shelf, or the report names
        the SKU.
calls   Random requests of every call, made from its schema, against the built server: wrong types, huge values, odd texts,
        prototype names, broken bodies, queries and addresses, by everybody. Each answer is proper or a proper refusal.

--runs N     how many counts; 50 unless told
--seed S     the seed of the first; 1 unless told
--minutes M  stops after so many minutes
--shrink     reduces a failing plan to what it needs to fail
--known      plays each plan that once failed instead, of which the test run plays a slice
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "0" },
    shrink: { type: "boolean", default: false },
    known: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

/** Of each call, in a run of the calls. */
const requestsPerCall = 40;

/** One way to count at random, or to make calls. */
interface Simulation {
  readonly property: () => fc.IAsyncProperty<unknown>;
  /** The counts that once failed, each with what holds in it. */
  readonly known: readonly { readonly rule: string; readonly play: () => Promise<void> }[];
  /** What to say of all counts in the end. */
  readonly summary: () => string;
  readonly close: () => Promise<void>;
}

async function openPhones(): Promise<Simulation> {
  const stage = await openFuzzStage();
  let certificates = 0;
  const play = async (plan: Plan) => {
    const reports = collectReports();
    if (await Trial.run(stage, plan)) certificates += 1;
    reports.requireNone();
  };
  const property = () => fc.asyncProperty(plans, play);
  const known = regressionPlans.map(({ rule, plan }) => ({ rule, play: () => play(plan) }));
  const summary = () => `Coverage certificates issued: ${certificates}.\n`;
  return { property, known, summary, close: stage.close };
}

async function openShelf(): Promise<Simulation> {
  const environment = await openEnvironment();
  let total = noTally;
  const play = async (plan: ShelfPlan) => {
    const reports = collectReports();
    total = addTallies(total, await ShelfTrial.run(environment, plan));
    reports.requireNone();
  };
  const property = () => fc.asyncProperty(shelfPlans, play);
  const known = regressionShelves.map(({ rule, plan }) => ({ rule, play: () => play(plan) }));
  const summary = () =>
    `Figures after the first deploy: ${total.right} certain and right (of the certain ones ${total.moved} moved, ` +
    `${total.onPaper} with units counted on paper, ${total.tagged} with tags), ` +
    `${total.named} named, ${total.mistaken} within what people counted wrongly. ` +
    `Later ${total.settled} rows were settled by hand, and ${total.resumed} deploys and rollbacks resumed.\n`;
  return { property, known, summary, close: environment.close };
}

async function openCalls(): Promise<Simulation> {
  const stage = await openCallStage();
  let requests = 0;
  const property = () =>
    fc.asyncProperty(fc.noShrink(fc.integer({ min: 1 })), async (seed) => {
      requests += await fuzzCalls(stage, seed, requestsPerCall);
    });
  return { property, known: [], summary: () => `${requests} requests.\n`, close: stage.close };
}

const simulations: Readonly<Record<string, () => Promise<Simulation>>> = {
  phones: openPhones,
  shelf: openShelf,
  calls: openCalls,
};

async function runSeed({ property }: Simulation, seed: number): Promise<boolean> {
  const details = await fc.check(property(), { seed, numRuns: 1, endOnFailure: !values.shrink });
  if (!details.failed) return true;
  process.stdout.write(`\nseed ${seed}: ${JSON.stringify(details.counterexample)}\n`);
  process.stdout.write(`${details.errorInstance instanceof Error ? details.errorInstance.stack : ""}\n`);
  return false;
}

/** Returns whether none failed. */
async function runSeeds(simulation: Simulation): Promise<boolean> {
  const [runs, first, minutes] = [Number(values.runs), Number(values.seed), Number(values.minutes)];
  const deadline = minutes > 0 ? Date.now() + minutes * 60_000 : Number.POSITIVE_INFINITY;
  const failed: number[] = [];
  let done = 0;
  for (; done < runs && Date.now() < deadline; done += 1) {
    if (!(await runSeed(simulation, first + done))) failed.push(first + done);
    process.stdout.write(done % 50 === 49 ? `. ${done + 1}\n` : ".");
  }
  process.stdout.write(`\n${done} runs from seed ${first}; failed: ${failed.join(", ") || "none"}\n`);
  return failed.length === 0;
}

/** Returns whether none failed. */
async function runKnown({ known }: Simulation): Promise<boolean> {
  let failed = 0;
  for (const { rule, play } of known) {
    try {
      await play();
      process.stdout.write(`holds: ${rule}\n`);
    } catch (error) {
      failed += 1;
      process.stdout.write(`FAILED: ${rule}\n${error instanceof Error ? error.stack : String(error)}\n`);
    }
  }
  process.stdout.write(`${known.length} known plans; failed: ${failed}\n`);
  return failed === 0;
}

async function main(): Promise<void> {
  const simulation = await (simulations[positionals[0] ?? "phones"] ?? openPhones)();
  try {
    const hasPassed = await (values.known ? runKnown : runSeeds)(simulation);
    process.stdout.write(simulation.summary());
    if (!hasPassed) process.exitCode = 1;
  } finally {
    await simulation.close();
  }
}

if (values.help) process.stdout.write(help);
else await main();
