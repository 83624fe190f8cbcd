import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Source, sourcesIn } from "./sources.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const code = (
  await Promise.all(
    ["apps", "packages", "e2e", "bench", "scripts"].map((folder) => sourcesIn(folder, ".ts", ".tsx")),
  )
).flat();
const pages = await sourcesIn(".", ".md");

function headingsOf(page: string): Set<string> {
  const text = pages.find(({ path }) => path === page)?.text ?? "";
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading));
}

function specificationSections(): Set<string> {
  const text = pages
    .filter(({ path }) => path.startsWith("docs/SPECIFICATION-"))
    .map((page) => page.text)
    .join("\n");
  return new Set([...text.matchAll(/^\| [\w.]+ \| (\d+) /gm)].map(([, section = ""]) => section));
}

/** Where each match of a pattern is, with the first group. */
function cited({ path, text }: Source, pattern: RegExp): { readonly path: string; readonly name: string }[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => ({ path, name }));
}

describe("what comments and pages cite is in this repository", () => {
  test("a section of a page", async () => {
    const found = code.flatMap(({ path, text }) =>
      [...text.matchAll(/\b(docs\/[\w/-]+\.md), "([^"]+)"/g)].map(([, page = "", heading = ""]) => ({
        path,
        page,
        heading,
      })),
    );
    const unknown = found.filter(({ page, heading }) => !headingsOf(page).has(heading));
    expect(found.length).toBeGreaterThan(0);
    expect(unknown).toEqual([]);
  });

  test("docs/API.md for a rule of the contract, which is no document", () => {
    expect(code.flatMap((source) => cited(source, /\b(contract)(?=, ")/gi))).toEqual([]);
  });

  test("a section of the specification, which docs/SPECIFICATION-*.md hold sentence by sentence", () => {
    const sections = specificationSections();
    const found = code
      .flatMap((source) => cited(source, /specification, sections? ([\d, and]+)/gi))
      .flatMap(({ path, name }) => [...name.matchAll(/\d+/g)].map(([section]) => ({ path, section })));
    expect(found.filter(({ section }) => !sections.has(section))).toEqual([]);
  });

  test("a file that a page links to", () => {
    const found = pages.flatMap((page) => cited(page, /\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g));
    expect(found.filter(({ path, name }) => !existsSync(join(root, dirname(path), name)))).toEqual([]);
  });

  test("a document that a comment names", () => {
    const found = code.flatMap((source) => cited(source, /\b(docs\/[\w./-]+\.(?:md|json))\b/g));
    expect(found.filter(({ name }) => !existsSync(join(root, name)))).toEqual([]);
  });
});
