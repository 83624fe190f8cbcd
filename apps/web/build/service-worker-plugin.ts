import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Plugin } from "vite";

const workerFile = "service-worker.js";
// Fonts of other scripts load when a text needs them; kept for offline are those that the pages' own words need.
const keptFont = /inter-latin(?:-ext)?-wght/;

function isKept(file: string): boolean {
  if (file === workerFile || file.endsWith(".map")) return false;
  return !file.endsWith(".woff2") || keptFont.test(file);
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join("/"),
    )
    .sort();
}

function versionOf(folder: string, files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest("hex").slice(0, 12);
}

/** Writes the list of the build's files, and a version that changes with any of them, into the built service worker. */
export function serviceWorkerFiles(): Plugin {
  return {
    name: "stocktake-service-worker-files",
    apply: "build",
    enforce: "post",
    writeBundle({ dir }) {
      if (dir === undefined) return;
      const files = filesUnder(dir).filter(isKept);
      const build = { version: versionOf(dir, files), files: files.map((file) => `/${file}`) };
      const worker = join(dir, workerFile);
      const code = readFileSync(worker, "utf8");
      if (!code.includes("__BUILD__"))
        throw new Error("The service worker has no place for the list of files.");
      writeFileSync(worker, code.replaceAll("__BUILD__", JSON.stringify(build)));
    },
  };
}
