import { expect, test } from "vitest";
import { sourcesIn } from "./sources.ts";

// A worker loads each module once for all of its test files: one that a file replaces is replaced or not by their order.
test("no test replaces a module: what it needs another of is an argument", async () => {
  const sources = (
    await Promise.all(["apps", "packages"].map((folder) => sourcesIn(folder, ".ts", ".tsx")))
  ).flat();
  const replacing = sources.filter(({ text }) =>
    /\bvi\.(?:do)?(?:mock|unmock)\(|\bvi\.resetModules\(/i.test(text),
  );
  expect(replacing.map(({ path }) => path)).toEqual([]);
});
