import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyDocuments, deadLinksIn } from "../release/documents.ts";
import { root } from "./sources.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "stocktake-documents-"));
});
afterEach(() => rmSync(home, { recursive: true }));

test("every document that a document of the archive links to is in the archive", () => {
  copyDocuments(root, home);
  expect(deadLinksIn(home)).toEqual([]);
});

test("a link to what is not there is found, wherever the page is, and one to elsewhere is not looked for", () => {
  const folder = join(home, "docs/decisions");
  mkdirSync(folder, { recursive: true });
  const links = "[a](decisions/README.md#because) [b](https://example.com) [c](#below)";
  writeFileSync(join(home, "docs/GLOSSARY.md"), links);
  writeFileSync(join(folder, "README.md"), "[here](../GLOSSARY.md), [nowhere](../NOWHERE.md#at-all)");
  expect(deadLinksIn(home)).toEqual(["docs/decisions/README.md: ../NOWHERE.md"]);
});
