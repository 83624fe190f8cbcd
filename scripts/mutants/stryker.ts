import { join, relative } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { Kept } from "./kept.ts";
import { type Change, describe, readText, type Status, testTimeout } from "./mutant.ts";

/** Files without a database, and the tests that Stryker runs of them; both from the root. */
export interface PureTarget {
  readonly folder: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

export interface TriedChange extends Change {
  readonly file: string;
  readonly status: Status;
}

type Result = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

const statuses: Readonly<Partial<Record<Result["status"], Status>>> = {
  Killed: "killed",
  Timeout: "killed",
  Survived: "survived",
  NoCoverage: "survived",
};

/** A test that runs out of its own time fails, so that StrykerJS takes its mutant for killed. */
function ranOutOfTime({ status, statusReason = "" }: Result): boolean {
  return status === "Timeout" || (status === "Killed" && testTimeout.test(statusReason));
}

// A first try that is too late may be the doing of a busy machine; the second waits long.
const firstLimitMs = 15_000;
const secondLimitMs = 60_000;

/**
 * Has StrykerJS change those of an area's files that are chosen and run the tests that cover each change. What runs out of
 * time is tried again; what is late then counts as killed and is written down: a person looks whose doing it was.
 */
export async function runStryker(
  root: string,
  target: PureTarget,
  chosen: readonly string[],
  write: (line: string) => void,
): Promise<TriedChange[]> {
  // What it found of unchanged code and tests is kept from run to run, also of files that are not chosen.
  const kept = `.stryker-tmp/kept/${target.files
    .join(" ")
    .replaceAll(/[^a-z]+/g, "-")
    .slice(-120)}.json`;
  const first = await runOnce(target, chosen, {
    timeoutMS: firstLimitMs,
    incremental: true,
    incrementalFile: kept,
  });
  const late = first.filter(ranOutOfTime);
  const second = await tryAgain(root, target, late);
  const results = first.map((result) =>
    ranOutOfTime(result) ? (second.get(keyOf(root, result)) ?? result) : result,
  );
  for (const result of results.filter(ranOutOfTime)) {
    const tried = triedChange(root, result);
    const { file, line, kind, change } = describe(tried.file, readText(root, tried.file), tried, "killed");
    write(
      `  ran out of time: ${file}:${line} ${kind}: ${change} (${result.statusReason ?? "no reason given"})`,
    );
  }
  write(`  ${late.length} were late at first.`);
  return results.map((result) => triedChange(root, result));
}

/** What came of the mutants that were late, by a longer limit. Of each that is late once more a minute's wait is remembered. */
async function tryAgain(
  root: string,
  target: PureTarget,
  late: readonly Result[],
): Promise<ReadonlyMap<string, Result>> {
  const kept = new Kept(join(root, ".stryker-tmp/kept/late.json"));
  const keptKeyOf = (result: Result) =>
    Kept.keyOf("late twice", keyOf(root, result), readText(root, relative(root, result.fileName)));
  const untried = late.filter((result) => kept.get(keptKeyOf(result)) === undefined);
  const ranges = [...new Set(untried.map((result) => rangeOf(root, result)))];
  const again = ranges.length === 0 ? [] : await runOnce(target, ranges, { timeoutMS: secondLimitMs });
  kept.set(new Map(again.filter(ranOutOfTime).map((result) => [keptKeyOf(result), true])));
  return new Map(again.map((result) => [keyOf(root, result), result]));
}

/** Lines count from 1 and columns from 0 there. */
function rangeOf(root: string, { fileName, location: { start, end } }: Result): string {
  const file = relative(root, fileName).replaceAll("\\", "/");
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

function keyOf(root: string, result: Result): string {
  return `${rangeOf(root, result)} ${result.mutatorName} ${result.replacement ?? ""}`;
}

async function runOnce(
  { folder, tests }: PureTarget,
  mutate: readonly string[],
  options: NonNullable<ConstructorParameters<typeof Stryker>[0]>,
): Promise<Result[]> {
  // Read by vitest.config.ts beside this file, in Stryker's copy of the repository.
  process.env.MUTANTS_FOLDER = folder;
  process.env.MUTANTS_TESTS = JSON.stringify(tests.map((test) => relative(folder, test)));
  const stryker = new Stryker({
    mutate: [...mutate],
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "scripts/mutants/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    concurrency: 1,
    reporters: ["dots"],
    ignorePatterns: ["/docs", "/e2e", "/bench", "**/dist"],
    tempDirName: ".stryker-tmp/copies",
    ...options,
  });
  return stryker.runMutationTest();
}

function triedChange(root: string, result: Result): TriedChange {
  const { fileName, location, replacement = "", mutatorName: kind, status } = result;
  const file = relative(root, fileName).replaceAll("\\", "/");
  const text = readText(root, file);
  const [start, end] = [offsetOf(text, location.start), offsetOf(text, location.end)];
  return { file, start, end, replacement, kind, status: statuses[status] ?? "invalid" };
}

/** Lines and columns count from 1. */
function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}
