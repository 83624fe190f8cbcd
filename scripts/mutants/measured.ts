import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Area } from "./areas.ts";
import { groupBy, type Mutant, readText } from "./mutant.ts";

/** What the last whole run of one file of an area came to. */
export interface Measured {
  readonly area: string;
  readonly file: string;
  readonly date: string;
  readonly killed: number;
  /** Without those that are equivalent. */
  readonly survived: number;
  readonly equivalent: number;
}

const measuredFile = "scripts/mutants/measured.json";

export function readMeasured(root: string): Measured[] {
  const list: unknown = JSON.parse(readText(root, measuredFile));
  if (!Array.isArray(list) || !list.every(isMeasured)) {
    throw new Error(`${measuredFile} must hold an area, a file, a date and three figures in each entry.`);
  }
  return list;
}

function isMeasured(value: unknown): value is Measured {
  const fields: Record<string, unknown> = { ...(typeof value === "object" ? value : null) };
  return (
    ["area", "file", "date"].every((name) => typeof fields[name] === "string") &&
    ["killed", "survived", "equivalent"].every((name) => typeof fields[name] === "number")
  );
}

/** Keeps the figures of the files that were tried, in place of those of earlier runs. `unlisted`: survivors without a reason. */
export function keepMeasured(
  root: string,
  area: string,
  mutants: readonly Mutant[],
  unlisted: readonly Mutant[],
): void {
  const date = new Date().toISOString().slice(0, 10);
  const tried = [...groupBy(mutants, ({ file }) => file)].map(([file, own]): Measured => {
    const count = (status: Mutant["status"]) => own.filter((mutant) => mutant.status === status).length;
    const survived = unlisted.filter((mutant) => mutant.file === file).length;
    return {
      ...{ area, file, date, killed: count("killed"), survived },
      equivalent: count("survived") - survived,
    };
  });
  const files = new Set(tried.map(({ file }) => file));
  const others = readMeasured(root).filter((entry) => entry.area !== area || !files.has(entry.file));
  const all = [...others, ...tried].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  writeFileSync(join(root, measuredFile), `${JSON.stringify(all, null, 2)}\n`);
}

function keyOf({ area, file }: Measured): string {
  return `${area} ${file}`;
}

/** Every file that an area changes. */
export function filesOf({ pure, database = [] }: Area): string[] {
  return [...(pure?.files ?? []), ...database.map(({ file }) => file)];
}
