import type { Work } from "./database-run.ts";
import { type Change, groupBy } from "./mutant.ts";
import named from "./named.json" with { type: "json" };

/**
 * Changes that once survived, by name, and the test of each that must notice; most of them are none that the general ones
 * make. `find` occurs once in its file.
 */
export function namedWork(files: ReadonlySet<string>, textOf: (file: string) => string): Work[] {
  const chosen = named.filter(({ file }) => files.has(file));
  return [...groupBy(chosen, ({ file, test }) => `${file} ${test}`).values()].flatMap((alike) => {
    const [first] = alike;
    if (first === undefined) return [];
    const names = new Set(alike.map(({ name }) => name));
    const changes = namedChanges(first.file, textOf(first.file)).filter(({ kind }) => names.has(kind));
    return [{ file: first.file, tests: [first.test], changes }];
  });
}

function namedChanges(file: string, text: string): Change[] {
  return named
    .filter((change) => change.file === file)
    .map(({ name, find, replacement }) => {
      const start = text.indexOf(find);
      if (start < 0 || text.indexOf(find, start + 1) >= 0) {
        throw new Error(`"${name}" must change one place of ${file}: ${find}`);
      }
      return { start, end: start + find.length, replacement, kind: name };
    });
}
