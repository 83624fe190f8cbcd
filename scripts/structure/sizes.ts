import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesUnder, type SourceFile } from "./modules.ts";
import { isNode, nodesUnder } from "./syntax.ts";

const largestFolder = 25;
const longestFile = 300;
const functions = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];
const lined = /\.(?:tsx?|mjs|css)$/;
const exempt = /\/migrations\/|\/generated\//;

function linesOfFunctions({ program, text }: SourceFile): number[] {
  return [...nodesUnder(program)]
    .filter(({ type, body }) => functions.includes(type) && isNode(body) && body.type === "BlockStatement")
    .map(({ start, end }) => text.slice(start, end).split("\n").length);
}

/** Every function counts, a nested one by itself and with the one around it; arrows without a block are left out. */
export function measureFunctions(files: readonly SourceFile[]): {
  readonly median: number;
  readonly p90: number;
} {
  const lines = files.flatMap(linesOfFunctions).sort((a, b) => a - b);
  const at = (share: number) => lines[Math.min(lines.length - 1, Math.floor(lines.length * share))] ?? 0;
  return { median: at(0.5), p90: at(0.9) };
}

/** Folders with too many files of source, tests left out: "folder: files". */
export function findLargeFolders(files: readonly SourceFile[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { path } of files) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
  return new Map([...sizes].filter(([, size]) => size > largestFolder));
}

/** Files with too many lines, tests included, migrations and generated files apart. */
export function findLongFiles(root: string): Map<string, number> {
  const paths = ["apps", "packages", "e2e", "bench", "scripts"].flatMap((folder) => filesUnder(root, folder));
  return new Map(
    paths
      .filter((path) => lined.test(path) && !exempt.test(path) && !path.endsWith(".d.ts"))
      .map((path): [string, number] => [
        path,
        readFileSync(join(root, path), "utf8").trimEnd().split("\n").length,
      ])
      .filter(([, lines]) => lines > longestFile),
  );
}
