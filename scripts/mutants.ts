import { fileURLToPath } from "node:url";
import { tryArea } from "./mutants/area-run.ts";
import { areas } from "./mutants/areas.ts";
import { findUnlisted, type Listed, readEquivalent } from "./mutants/equivalent.ts";
import { keepMeasured } from "./mutants/measured.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { writeTable } from "./mutants/table.ts";

/*
 * Changes the code of the areas where a wrong figure would begin, one place at a time, and runs the tests that should
 * notice: `npm run mutants`, `npm run mutants -- passes planning`, or of one area only the files whose path holds a word:
 * `npm run mutants -- passes --only=undo`, or only the changes of scripts/mutants/named.ts: `npm run mutants -- --named`. Fails where a mutant survives that scripts/mutants/equivalent.json does not
 * explain, or where an explanation has no survivor. What was tried is kept by file (scripts/mutants/measured.json), and
 * docs/MUTANTS.md renewed: a row there is the sum of an area's files, whether they were tried at once or one after the other.
 */

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const given = process.argv.slice(2);
const only = given.find((argument) => argument.startsWith("--only="))?.slice("--only=".length);
const namedOnly = given.includes("--named");
const isPart = only !== undefined || namedOnly;
const named = given.filter((argument) => !argument.startsWith("--"));
const chosen = named.length > 0 ? named : Object.keys(areas);

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "100%" : `${((part / whole) * 100).toFixed(1)}%`;
}

function report(name: string, mutants: readonly Mutant[], equivalent: readonly Listed[]): boolean {
  const count = (status: Mutant["status"]) => mutants.filter((mutant) => mutant.status === status).length;
  const { unlisted, outdated } = findUnlisted(mutants, equivalent);
  const [killed, survived] = [count("killed"), count("survived")];
  const explained = survived - unlisted.length;
  write(
    `${name}: ${killed} of ${killed + survived - explained} killed (${percent(killed, killed + survived - explained)}), ` +
      `${explained} equivalent, ${count("invalid")} invalid.`,
  );
  for (const { file, line, within, kind, change } of unlisted) {
    write(`  survived: ${file}:${line} ${kind}`);
    write(`    ${JSON.stringify({ file, within, change })}`);
  }
  const gone = isPart ? [] : outdated;
  for (const { file, within, change } of gone)
    write(`  explained, yet no survivor: ${JSON.stringify({ file, within, change })}`);
  if (!namedOnly) {
    keepMeasured(root, name, mutants, unlisted);
    writeTable(root);
  }
  return unlisted.length === 0 && gone.length === 0;
}

let allExplained = true;
for (const name of chosen) {
  const area = areas[name];
  if (area === undefined) throw new Error(`There is no area ${name}: ${Object.keys(areas).join(", ")}.`);
  const mutants = await tryArea(root, area, { name, only, namedOnly, write });
  const files = new Set(mutants.map(({ file }) => file));
  const equivalent = readEquivalent(root).filter(({ file }) => files.has(file));
  if (!report(name, mutants, equivalent)) allExplained = false;
}
process.exitCode = allExplained ? 0 : 1;
