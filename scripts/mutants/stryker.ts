import { relative } from "node:path";
import { Stryker } from "@stryker-mutator/core";
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

/**
 * Has StrykerJS change those of an area's files that are chosen and run the tests that cover each change. Writes which
 * mutants ran out of time: a person looks whether that is the mutant's doing or the machine's.
 */
export async function runStryker(
  root: string,
  { folder, files, tests }: PureTarget,
  chosen: readonly string[],
  write: (line: string) => void,
): Promise<TriedChange[]> {
  // Read by vitest.config.ts beside this file, in Stryker's copy of the repository.
  process.env.MUTANTS_FOLDER = folder;
  process.env.MUTANTS_TESTS = JSON.stringify(tests.map((test) => relative(folder, test)));
  const stryker = new Stryker({
    mutate: [...chosen],
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "scripts/mutants/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    concurrency: 1,
    // A busy machine kills no mutant.
    timeoutMS: 15_000,
    reporters: ["dots"],
    ignorePatterns: ["/docs", "/e2e", "/bench", "**/dist"],
    // What it found of unchanged code and tests is kept from run to run, also of files that are not chosen.
    incremental: true,
    incrementalFile: `.stryker-tmp/kept/${files
      .join(" ")
      .replaceAll(/[^a-z]+/g, "-")
      .slice(-120)}.json`,
    tempDirName: ".stryker-tmp/copies",
  });
  const results = await stryker.runMutationTest();
  for (const result of results.filter(ranOutOfTime)) {
    const tried = triedChange(root, result);
    const { file, line, kind, change } = describe(tried.file, readText(root, tried.file), tried, "killed");
    write(`  ran out of time: ${file}:${line} ${kind}: ${change}`);
  }
  return results.map((result) => triedChange(root, result));
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
