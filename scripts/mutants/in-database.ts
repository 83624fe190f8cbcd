import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { createVitest, type TestModule, type TestSuite, type Vitest } from "vitest/node";
import { batchTest, isPartOfBatch, mutantOfSuite, noMutant, partOf } from "./batch.ts";
import { testTimeout } from "./mutant.ts";

/*
 * Statements and transactions, where StrykerJS has no mutators and whose tests need a database: one vitest with one
 * PostgreSQL for a whole run, to which changed source is served in place of what is on the disk.
 */

// A first try that is too late may be the doing of a busy machine; the second, by itself, waits long.
const firstLimitMs = 30_000;
const secondLimitMs = 120_000;

/** What PostgreSQL says of a statement that is none: nothing was tested then. */
const noStatement = /syntax error at or near|must be type boolean|operator does not exist/;

/** Late: nothing failed but what took too long, which may be the machine's doing. */
type Outcome = "passed" | "failed" | "invalid" | "late";

export class DatabaseTests {
  private readonly root: string;
  private readonly vitest: Vitest;
  private readonly served: Map<string, string>;

  private constructor(root: string, vitest: Vitest, served: Map<string, string>) {
    this.root = root;
    this.vitest = vitest;
    this.served = served;
  }

  static async open(root: string, folder: string): Promise<DatabaseTests> {
    const served = new Map<string, string>();
    const load = (id: string) => (isPartOfBatch(id) ? readFileSync(partOf(id), "utf8") : served.get(id));
    const plugin: Plugin = { name: "serves-mutants", enforce: "pre", load: (id) => load(id) ?? null };
    const options = {
      root: join(root, folder),
      config: join(root, folder, "vitest.config.ts"),
      ...{ watch: false, maxWorkers: 1, reporters: [{}], silent: true },
      ...{ testTimeout: secondLimitMs, hookTimeout: secondLimitMs },
    };
    const vitest = await createVitest("test", options, { plugins: [plugin] });
    return new DatabaseTests(root, vitest, served);
  }

  /** Serves a text in place of a file; null: what is on the disk. */
  serve(file: string, text: string | null): void {
    const path = join(this.root, file);
    if (text === null) this.served.delete(path);
    else this.served.set(path, text);
    this.vitest.invalidateFile(path);
  }

  /** Runs a test file with what is served, until its first failure: where nothing comes to an end each test waits long. */
  async run(test: string): Promise<{ readonly outcome: Outcome; readonly errors: readonly string[] }> {
    this.serve(test, batchTest(join(this.root, test), [noMutant], secondLimitMs));
    try {
      const { module, unhandled } = await this.runModule(test);
      const errors = [...errorsOf(module), ...unhandled];
      const failed = !module.ok() || unhandled.length > 0;
      return { outcome: outcomeOf(failed, errors), errors };
    } finally {
      this.serve(test, null);
    }
  }

  /** Runs a test file once for each mutant that can be switched on, until its first failure. */
  async runBatch(test: string, ids: readonly number[]): Promise<Map<number, Outcome>> {
    this.serve(test, batchTest(join(this.root, test), ids, firstLimitMs));
    try {
      const { module } = await this.runModule(test);
      const suites = [...module.children.suites()].map(
        (suite) => [mutantOfSuite(suite.name), suite] as const,
      );
      return new Map(suites.map(([id, suite]) => [id, outcomeOf(!suite.ok(), errorsOf(suite))]));
    } finally {
      this.serve(test, null);
    }
  }

  private async runModule(test: string) {
    const path = join(this.root, test);
    const found = await this.vitest.globTestSpecifications([path]);
    if (found.length !== 1) throw new Error(`There is no test ${test}.`);
    const { testModules, unhandledErrors } = await this.vitest.runTestSpecifications(found);
    // Vitest also returns what it ran before.
    const module = testModules.find(({ moduleId }) => moduleId === path);
    if (module === undefined) throw new Error(`${test} was not run.`);
    return { module, unhandled: unhandledErrors.map(messageOf) };
  }

  /** A mutant's failures are no failures of the run. */
  async close(): Promise<void> {
    await this.vitest.close();
    process.exitCode = 0;
  }
}

function outcomeOf(failed: boolean, errors: readonly string[]): Outcome {
  if (errors.some((message) => noStatement.test(message))) return "invalid";
  if (!failed) return "passed";
  return errors.length > 0 && errors.every((message) => testTimeout.test(message)) ? "late" : "failed";
}

/** What a worker reports of an error is an object like it, without a prototype. */
function messageOf(error: unknown): string {
  const isLikeError = typeof error === "object" && error !== null && "message" in error;
  return isLikeError ? `${error.message}` : (JSON.stringify(error) ?? "");
}

function errorsOf(part: TestModule | TestSuite): string[] {
  const suites = [...part.children.allSuites()].flatMap((suite) => suite.errors());
  const tests = [...part.children.allTests("failed")].flatMap((test) => test.result().errors ?? []);
  return [...part.errors(), ...suites, ...tests].map(({ message }) => message);
}
