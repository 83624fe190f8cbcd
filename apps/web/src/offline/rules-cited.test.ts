import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../../..");

it("every numbered rule of docs/SYNC.md is cited by the name of a test", () => {
  const rules = readFileSync(join(root, "docs/SYNC.md"), "utf8").matchAll(/^- \*\*(S\d+)\.\*\*/gm);
  const tests = ["apps/web/src", "e2e/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(test\.tsx?|spec\.ts)$/.test(file))
      .map((file) => join(folder, file)),
  );
  const text = tests.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
  const cited = new Set(
    [...text.matchAll(/(?:\(|rule: |^ {2})["`]((?:S\d+(?:, )?)+):/gm)].flatMap(
      ([, names]) => names?.split(", ") ?? [],
    ),
  );
  const uncited = [...rules].flatMap(([, rule]) => (rule === undefined || cited.has(rule) ? [] : [rule]));
  expect(uncited).toEqual([]);
});
