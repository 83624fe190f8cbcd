import { relative } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { type Change, readText, type Status } from "./mutant.ts";

/** Files without a database, and the tests that Stryker runs of them; both from the root. */
export interface PureTarget {
  readonly folder: string;
  readonly files: readonly string[];
  readonly tests: readonly string[];
  /** Tests that take long: only what survives of the others meets them. */
  readonly longTests?: readonly string[];
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

/** Has StrykerJS change the files and run the tests that cover each change, the long ones last. */
export async function runStryker(root: string, target: PureTarget): Promise<TriedChange[]> {
  const { folder, files, tests, longTests = [] } = target;
  const tried = await tryAll(root, folder, files, tests);
  const survivors = tried.filter(({ status }) => status === "survived");
  if (longTests.length === 0 || survivors.length === 0) return tried;
  const lines = new Set(survivors.map((change) => linesOf(root, change)));
  const again = await tryAll(
    root,
    folder,
    [...lines].sort(),
    longTests,
    `long-${folder.replaceAll("/", "-")}`,
  );
  const killed = new Set(again.filter(({ status }) => status === "killed").map(keyOf));
  return tried.map((change) => (killed.has(keyOf(change)) ? { ...change, status: "killed" } : change));
}

function keyOf({ file, start, end, replacement }: TriedChange): string {
  return `${file} ${start} ${end} ${replacement}`;
}

/** The lines of a change as Stryker takes them in place of a file. */
function linesOf(root: string, { file, start, end }: TriedChange): string {
  const text = readText(root, file);
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  return `${file}:${lineAt(start)}-${lineAt(end)}`;
}

async function tryAll(
  root: string,
  folder: string,
  files: readonly string[],
  tests: readonly string[],
  name = files
    .join(" ")
    .replaceAll(/[^a-z]+/g, "-")
    .slice(-120),
): Promise<TriedChange[]> {
  // Read by vitest.config.ts beside this file, in Stryker's copy of the repository.
  process.env.MUTANTS_FOLDER = folder;
  process.env.MUTANTS_TESTS = JSON.stringify(tests.map((test) => relative(folder, test)));
  const stryker = new Stryker({
    mutate: [...files],
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "scripts/mutants/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    concurrency: 1,
    // A busy machine kills no mutant.
    timeoutMS: 15_000,
    reporters: ["dots"],
    ignorePatterns: ["/docs", "/e2e", "/bench", "**/dist"],
    // What it found of unchanged code and tests is kept from run to run.
    incremental: true,
    incrementalFile: `.stryker-tmp/kept/${name}.json`,
    tempDirName: ".stryker-tmp/copies",
  });
  const results = await stryker.runMutationTest();
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
