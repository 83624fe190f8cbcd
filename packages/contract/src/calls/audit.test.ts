import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { AuditAction } from "./audit.ts";

/** The actions in the first column of the table "What is recorded". */
async function documentedActions(): Promise<string[]> {
  const page = await readFile(new URL("../../../../docs/AUDIT.md", import.meta.url), "utf8");
  const [, table = ""] = page.split("## What is recorded");
  const firstCells = table
    .split("\n")
    .flatMap((line) => (line.startsWith("| `") ? [line.split("|")[1]] : []));
  return firstCells.flatMap((cell = "") =>
    [...cell.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, name = ""]) => name),
  );
}

test("docs/AUDIT.md says of every action what its entry holds, and of no other", async () => {
  expect((await documentedActions()).toSorted()).toEqual(AuditAction.options.toSorted());
});
