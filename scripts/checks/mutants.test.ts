import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { areas } from "../mutants/areas.ts";
import { readEquivalent } from "../mutants/equivalent.ts";
import { namedWork } from "../mutants/named.ts";
import { root } from "./sources.ts";

const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test("what the mutants change, and the tests that are to notice, are where the areas say", () => {
  const named = Object.values(areas).flatMap(({ pure, further = [], database = [] }) => [
    ...[...(pure?.files ?? []), ...(pure?.tests ?? []), ...further],
    ...database.flatMap(({ file, tests }) => [file, ...tests]),
  ]);
  const missing = named.filter((path) => !path.includes("*") && !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});

test("each change with a name finds its place, and a test", () => {
  const files = new Set(
    Object.values(areas).flatMap(({ pure, database = [] }) => [
      ...(pure?.files ?? []),
      ...database.map(({ file }) => file),
    ]),
  );
  const missing = namedWork(files, textOf).flatMap(({ tests }) =>
    tests.filter((test) => !existsSync(join(root, test))),
  );
  expect(missing).toEqual([]);
});

test("each survivor that is explained is in a line that there is", () => {
  const gone = readEquivalent(root).filter(({ file, within }) => !textOf(file).includes(within));
  expect(gone).toEqual([]);
});
