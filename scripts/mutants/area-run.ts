import type { Area } from "./areas.ts";
import { changesOf } from "./code-mutants.ts";
import { tryInDatabase, type Work } from "./database-run.ts";
import { describe, groupBy, type Mutant, readText } from "./mutant.ts";
import { namedWork } from "./named.ts";
import { runStryker, type TriedChange } from "./stryker.ts";

export interface Options {
  /** The area's. */
  readonly name: string;
  /** Only files whose path holds this. */
  readonly only: string | undefined;
  /** Only the changes that have a name. */
  readonly namedOnly: boolean;
  readonly write: (line: string) => void;
}

/** Tries every mutant of an area. */
export async function tryArea(root: string, area: Area, options: Options): Promise<Mutant[]> {
  const isChosen = (file: string) => options.only === undefined || file.includes(options.only);
  const textOf = (file: string) => readText(root, file);
  const files = new Set([...(area.pure?.files ?? []), ...(area.database ?? []).map(({ file }) => file)]);
  const named = namedWork(new Set([...files].filter(isChosen)), textOf);
  if (options.namedOnly) return tryInDatabase(root, options.name, named, options.write);
  const pure = await tryPure(root, area, isChosen, options.write);
  const survivors = area.further === undefined ? [] : pure.filter(({ status }) => status === "survived");
  const settled = pure.filter((tried) => !survivors.includes(tried));
  const work = workOf(textOf, area, survivors).filter(({ file }) => isChosen(file));
  const others = await tryInDatabase(root, options.name, [...named, ...work], options.write);
  return [
    ...settled.map((tried) => describe(tried.file, textOf(tried.file), tried, tried.status)),
    ...others,
  ];
}

function workOf(
  textOf: (file: string) => string,
  { further = [], database = [] }: Area,
  survivors: readonly TriedChange[],
): Work[] {
  const again = groupBy(survivors, ({ file }) => file);
  return [
    ...[...again].map(([file, changes]): Work => ({ file, tests: further, changes })),
    ...database.map((target): Work => ({ ...target, changes: changesOf(target.file, textOf(target.file)) })),
  ];
}

async function tryPure(
  root: string,
  { pure }: Area,
  isChosen: (file: string) => boolean,
  write: (line: string) => void,
): Promise<TriedChange[]> {
  const files = (pure?.files ?? []).filter((file) => file.includes("*") || isChosen(file));
  if (pure === undefined || files.every((file) => file.startsWith("!"))) return [];
  const tried = await runStryker(root, pure, files, write);
  return tried.filter(({ file }) => isChosen(file));
}
