import { declarationOf, type SourceFile } from "./modules.ts";

export interface Sharing {
  readonly files: number;
  readonly exports: number;
  readonly exportsWithOneImporter: readonly string[];
  readonly filesWithOneImporter: readonly string[];
}

export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

function add(importers: Map<string, Set<string>>, key: string, importer: string): void {
  const known = importers.get(key);
  if (known === undefined) importers.set(key, new Set([importer]));
  else known.add(importer);
}

/** Who imports each file (by its path) and each export (as path#name), through re-exports. */
export function findImporters(sources: ReadonlyMap<string, SourceFile>): Importers {
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of sources.values()) {
    for (const { from, name } of imports.flatMap((imported) => declarationOf(sources, imported))) {
      if (from === path) continue;
      add(importers, from, path);
      add(importers, `${from}#${name}`, path);
    }
  }
  return importers;
}

export function measureSharing(files: readonly SourceFile[], importers: Importers): Sharing {
  const exported = files.flatMap(({ path, exports }) => exports.map((name) => `${path}#${name}`));
  const hasOneImporter = (key: string) => importers.get(key)?.size === 1;
  return {
    files: files.length,
    exports: exported.length,
    exportsWithOneImporter: exported.filter(hasOneImporter),
    filesWithOneImporter: files.map(({ path }) => path).filter(hasOneImporter),
  };
}

/** Every circle as the list of its members, in the order of Tarjan's algorithm. */
export function findCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const own = index.size;
    index.set(node, own);
    low.set(node, own);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) low.set(node, Math.min(low.get(node) ?? own, visit(next)));
      else if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? own, index.get(next) ?? own));
    }
    if (low.get(node) === own) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) circles.push(members);
    }
    return low.get(node) ?? own;
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return circles;
}

/** Which files a file reaches directly, re-exports included. */
export function fileEdges(files: readonly SourceFile[]): Map<string, Set<string>> {
  return new Map(
    files.map(({ path, imports, reExports }) => [
      path,
      new Set([...imports, ...reExports].map(({ from }) => from).filter((from) => from !== path)),
    ]),
  );
}
