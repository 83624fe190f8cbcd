import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const passedOver = new Set(["node_modules", "dist", ".git", ".stryker-tmp", "data"]);

export interface Source {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every file under a folder of the repository whose name ends so. */
export async function sourcesIn(folder: string, ...endings: readonly string[]): Promise<Source[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<Source[]> => {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return passedOver.has(entry.name) ? [] : sourcesIn(path, ...endings);
      if (!endings.some((ending) => entry.name.endsWith(ending))) return [];
      return [{ path, text: await readFile(join(root, path), "utf8") }];
    }),
  );
  return found.flat();
}
