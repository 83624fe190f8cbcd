import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, it } from "vitest";

const folder = import.meta.dirname;
const forbidden = /^(react|react-dom|react-router|@tanstack\/.*|@mantine\/.*)$/;

/** What a file imports for more than its types. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?from "([^"]+)";/gms)].map(
    ([, specifier]) => specifier ?? "",
  );
}

// Where other features' code begins: this face offers hooks to the screens too.
const face = resolve(folder, "../../../offline/offline.ts");

/** Everything that the station reaches: files up to the face of the offline code, and packages by name. */
function reach(files: readonly string[]): Set<string> {
  const reached = new Set<string>(files);
  for (const file of reached) {
    if (!file.startsWith("/") || file === face) continue;
    for (const specifier of importsOf(file)) {
      reached.add(specifier.startsWith(".") ? resolve(dirname(file), specifier) : specifier);
    }
  }
  return reached;
}

it("the station and all that it imports get by without React", () => {
  const files = readdirSync(folder)
    .filter((name) => !name.includes(".test."))
    .map((name) => resolve(folder, name));
  expect(files.length).toBeGreaterThan(10);
  const reached = [...reach(files)];
  expect(reached).toContain("@stocktake/contract");
  expect(reached).toContain(face);
  const fromFace = files.flatMap(
    (file) =>
      /import \{([^}]*)\} from "[./]*offline\/offline\.ts"/.exec(readFileSync(file, "utf8"))?.[1] ?? "",
  );
  expect(fromFace.filter((names) => /\buse[A-Z]/.test(names))).toEqual([]);
  expect(reached.filter((name) => forbidden.test(name) || name.endsWith(".tsx"))).toEqual([]);
});
