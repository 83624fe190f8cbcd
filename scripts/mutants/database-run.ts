import { batchOf, noMutant } from "./batch.ts";
import { bodyAround, EnteredFunctions } from "./coverage.ts";
import { DatabaseTests, readText } from "./in-database.ts";
import { applyChange, type Change, describe, type Mutant, type Status } from "./mutant.ts";
import { switchedText } from "./switched.ts";

/** A file, its changes and the tests that may notice them; from the root. */
export interface Work {
  readonly file: string;
  readonly tests: readonly string[];
  readonly changes: readonly Change[];
}

/** What each test file enters of the files under change. */
type Seen = ReadonlyMap<string, ReadonlySet<string>>;

type Write = (line: string) => void;

/** So many times a test file is run in one process. */
const batchSize = 25;

/** Tries the changes of files whose tests need a database. */
export async function tryInDatabase(root: string, work: readonly Work[], write: Write): Promise<Mutant[]> {
  if (work.length === 0) return [];
  const tests = await DatabaseTests.open(root, "apps/server");
  try {
    const seen = await see(root, tests, work, write);
    const mutants: Mutant[] = [];
    for (const each of work) mutants.push(...(await new FileRun(root, tests, each, seen, write).run()));
    return mutants;
  } finally {
    await tests.close();
  }
}

/** Runs every test of files with several once without a mutant. Throws where one fails. */
async function see(root: string, tests: DatabaseTests, work: readonly Work[], write: Write): Promise<Seen> {
  const functions = new EnteredFunctions();
  const wide = work.filter((each) => each.tests.length > 1);
  const files = new Set(wide.map(({ file }) => file));
  for (const file of files) tests.serve(file, functions.instrument(file, readText(root, file)));
  const seen = new Map<string, ReadonlySet<string>>();
  for (const test of new Set(wide.flatMap((each) => each.tests))) {
    const begun = performance.now();
    const { outcome, errors } = await tests.run(test);
    if (outcome !== "passed") throw new Error(`${test} fails without a mutant: ${errors.join("\n")}`);
    const duration = performance.now() - begun;
    seen.set(test, functions.take());
    write(`${test}: ${(duration / 1000).toFixed(1)} s without a mutant`);
  }
  for (const file of files) tests.serve(file, null);
  functions.remove();
  return seen;
}

class FileRun {
  private readonly tests: DatabaseTests;
  private readonly work: Work;
  private readonly seen: Seen;
  private readonly write: Write;
  private readonly text: string;
  private readonly settled = new Map<number, Status>();

  constructor(root: string, tests: DatabaseTests, work: Work, seen: Seen, write: Write) {
    this.tests = tests;
    this.work = work;
    this.seen = seen;
    this.write = write;
    this.text = readText(root, work.file);
  }

  async run(): Promise<Mutant[]> {
    const { file, changes } = this.work;
    const { text, ids } = switchedText(file, this.text, changes);
    this.write(`${file}: ${changes.length} changes`);
    this.tests.serve(file, text);
    for (const test of this.work.tests) await this.tryBatches(test, ids);
    for (const [id, change] of changes.entries()) {
      if (!ids.has(id)) this.settled.set(id, await this.tryAlone(change));
    }
    this.tests.serve(file, null);
    const mutants = changes.map((change, id) =>
      describe(file, this.text, change, this.settled.get(id) ?? "survived"),
    );
    for (const { status, line, kind, change } of mutants) {
      if (status !== "killed") this.write(`  ${status}: line ${line}, ${kind}: ${change}`);
    }
    return mutants;
  }

  /** Whether a test enters the function that is changed. */
  private enters(test: string, change: Change): boolean {
    const around = bodyAround(this.work.file, this.text, change.start);
    const seen = this.seen.get(test);
    return seen === undefined || around === null || seen.has(`${this.work.file} ${around}`);
  }

  private async tryBatches(test: string, ids: ReadonlySet<number>): Promise<void> {
    const open = [...ids].filter((id) => {
      const change = this.work.changes[id];
      return change !== undefined && !this.settled.has(id) && this.enters(test, change);
    });
    for (const batch of batchOf(open, batchSize)) {
      const outcomes = await this.tests.runBatch(test, [noMutant, ...batch]);
      if (outcomes.get(noMutant) !== "passed")
        throw new Error(`${test} can't be run several times in a process.`);
      for (const id of batch) this.settle(id, outcomes.get(id));
    }
    const left = open.filter((id) => !this.settled.has(id)).length;
    if (open.length > 0) this.write(`  ${test}: ${open.length - left} of ${open.length}`);
  }

  private settle(id: number, outcome: string | undefined): void {
    if (outcome === "failed") this.settled.set(id, "killed");
    if (outcome === "invalid") this.settled.set(id, "invalid");
  }

  private async tryAlone(change: Change): Promise<Status> {
    const { file } = this.work;
    this.tests.serve(file, applyChange(this.text, change));
    for (const test of this.work.tests) {
      if (!this.enters(test, change)) continue;
      const { outcome } = await this.tests.run(test);
      if (outcome !== "passed") return outcome === "failed" ? "killed" : "invalid";
    }
    return "survived";
  }
}
