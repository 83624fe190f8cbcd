import { join } from "node:path";
import { batchOf, noMutant } from "./batch.ts";
import { bodyAround, EnteredFunctions } from "./coverage.ts";
import { DatabaseTests } from "./in-database.ts";
import { Kept } from "./kept.ts";
import { applyChange, type Change, describe, type Mutant, readText, type Status } from "./mutant.ts";
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
const batchSize = 100;

interface Bench {
  readonly root: string;
  readonly tests: DatabaseTests;
  readonly kept: Kept;
  readonly write: Write;
}

/** Tries the changes of files whose tests need a database. What is found is kept under a name, for the next run. */
export async function tryInDatabase(
  root: string,
  keptAs: string,
  work: readonly Work[],
  write: Write,
): Promise<Mutant[]> {
  if (work.length === 0) return [];
  const tests = await DatabaseTests.open(root, "apps/server");
  // A file of its own for each area, so that two areas can be run beside each other.
  const kept = new Kept(join(root, `.stryker-tmp/kept/database-${keptAs}.json`));
  const bench = { root, tests, kept, write };
  try {
    const seen = await see(bench, work);
    const mutants: Mutant[] = [];
    for (const each of work) mutants.push(...(await new FileRun(bench, each, seen).run()));
    return mutants;
  } finally {
    await tests.close();
  }
}

/** Runs every test of files with several once without a mutant. Throws where one fails. */
async function see(bench: Bench, work: readonly Work[]): Promise<Seen> {
  const { root, tests } = bench;
  const functions = new EnteredFunctions();
  const wide = work.filter((each) => each.tests.length > 1);
  const files = [...new Set(wide.map(({ file }) => file))].sort();
  const texts = files.map((file) => readText(root, file));
  for (const [index, file] of files.entries())
    tests.serve(file, functions.instrument(file, texts[index] ?? ""));
  const seen = new Map<string, ReadonlySet<string>>();
  for (const test of new Set(wide.flatMap((each) => each.tests))) {
    const key = Kept.keyOf("entered", test, readText(root, test), ...files, ...texts);
    const entered = bench.kept.get(key) ?? (await runOnce(bench, test, functions));
    bench.kept.set(new Map([[key, entered]]));
    seen.set(test, new Set(Array.isArray(entered) ? entered.map(String) : []));
  }
  for (const file of files) tests.serve(file, null);
  functions.remove();
  return seen;
}

async function runOnce(
  { tests, write }: Bench,
  test: string,
  functions: EnteredFunctions,
): Promise<string[]> {
  const begun = performance.now();
  const { outcome, errors } = await tests.run(test);
  if (outcome !== "passed") throw new Error(`${test} fails without a mutant: ${errors.join("\n")}`);
  write(`${test}: ${((performance.now() - begun) / 1000).toFixed(1)} s without a mutant`);
  return [...functions.take()];
}

class FileRun {
  private readonly bench: Bench;
  private readonly work: Work;
  private readonly seen: Seen;
  private readonly text: string;
  private readonly settled = new Map<number, Status>();
  private readonly late = new Set<number>();

  constructor(bench: Bench, work: Work, seen: Seen) {
    this.bench = bench;
    this.work = work;
    this.seen = seen;
    this.text = readText(bench.root, work.file);
  }

  async run(): Promise<Mutant[]> {
    const { file, changes } = this.work;
    const { text, ids } = switchedText(file, this.text, changes);
    this.bench.write(`${file}: ${changes.length} changes`);
    this.bench.tests.serve(file, text);
    for (const test of this.work.tests) await this.tryBatches(test, ids);
    for (const [id, change] of changes.entries()) {
      if (!ids.has(id) || this.late.has(id)) await this.tryAlone(id, change);
    }
    this.bench.tests.serve(file, null);
    const mutants = changes.map((change, id) =>
      describe(file, this.text, change, this.settled.get(id) ?? "survived"),
    );
    for (const { status, line, kind, change } of mutants) {
      if (status !== "killed") this.bench.write(`  ${status}: line ${line}, ${kind}: ${change}`);
    }
    return mutants;
  }

  /** Whether a test enters the function that is changed. */
  private enters(test: string, change: Change): boolean {
    const around = bodyAround(this.work.file, this.text, change.start);
    const seen = this.seen.get(test);
    return seen === undefined || around === null || seen.has(`${this.work.file} ${around}`);
  }

  private keyOf(test: string, change: Change): string {
    const { start, end, replacement } = change;
    const testText = readText(this.bench.root, test);
    return Kept.keyOf(this.work.file, this.text, `${start} ${end}`, replacement, test, testText);
  }

  private async tryBatches(test: string, ids: ReadonlySet<number>): Promise<void> {
    const { tests, kept, write } = this.bench;
    const open = this.work.changes
      .map((change, id) => ({ id, key: this.keyOf(test, change), change }))
      .filter(({ id, change }) => ids.has(id) && !this.settled.has(id) && this.enters(test, change));
    for (const { id, key } of open) this.settle(id, kept.get(key));
    const untried = open.filter(({ key }) => kept.get(key) === undefined);
    for (const batch of batchOf(untried, batchSize)) {
      const outcomes = await tests.runBatch(test, [noMutant, ...batch.map(({ id }) => id)]);
      if (outcomes.get(noMutant) !== "passed")
        throw new Error(`${test} can't be run several times in a process.`);
      for (const { id } of batch) this.settle(id, outcomes.get(id));
      kept.set(new Map(batch.map(({ id, key }) => [key, outcomes.get(id)])));
    }
    const left = open.filter(({ id }) => !this.settled.has(id)).length;
    if (open.length > 0) write(`  ${test}: ${open.length - left} of ${open.length}`);
  }

  private settle(id: number, outcome: unknown): void {
    if (outcome === "failed") this.settled.set(id, "killed");
    if (outcome === "invalid") this.settled.set(id, "invalid");
    if (outcome === "late") this.late.add(id);
  }

  private async tryAlone(id: number, change: Change): Promise<void> {
    const { tests, kept } = this.bench;
    tests.serve(this.work.file, applyChange(this.text, change));
    for (const test of this.work.tests) {
      if (this.settled.has(id) || !this.enters(test, change)) continue;
      const key = Kept.keyOf("alone", this.keyOf(test, change));
      const outcome: unknown = kept.get(key) ?? (await tests.run(test)).outcome;
      kept.set(new Map([[key, outcome]]));
      this.settle(id, outcome === "late" ? "failed" : outcome);
      if (outcome === "late") this.writeLate(test, change);
    }
  }

  /** Twice too late, by itself as well: killed, but a person looks whether it was the mutant's doing. */
  private writeLate(test: string, change: Change): void {
    const { line, change: described } = describe(this.work.file, this.text, change, "killed");
    this.bench.write(`  ran out of time: line ${line}, ${change.kind}: ${described}: ${test}`);
  }
}
