import { expect, test } from "vitest";
import { RareLines } from "./rare-lines.ts";

test("of lines of a kind there is one each ten seconds, which says how many were left out", () => {
  let now = 0;
  const written: unknown[] = [];
  const lines = new RareLines(() => now);
  const add = (kind: string) => lines.add(kind, (facts) => written.push([kind, facts]));
  for (const kind of ["a", "a", "b", "a"]) add(kind);
  expect(written).toEqual([
    ["a", {}],
    ["b", {}],
  ]);
  now = 10_000;
  add("a");
  expect(written.at(-1)).toEqual(["a", { omitted: 2 }]);
  now = 20_000;
  add("a");
  expect(written.at(-1)).toEqual(["a", {}]);
});

test("kinds that somebody makes up take no more room than a thousand do", () => {
  const lines = new RareLines(() => 0);
  let written = 0;
  for (let kind = 0; kind < 2_500; kind += 1) lines.add(`${kind}`, () => (written += 1));
  lines.add("2499", () => (written += 1));
  expect(written).toBe(2_500);
});
