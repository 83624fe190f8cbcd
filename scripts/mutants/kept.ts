import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * What earlier runs found, by a digest of all texts that it was found of: a run that was broken off goes on where it was,
 * and one after a new test tries only that.
 */
export class Kept {
  private readonly path: string;
  private readonly values: Map<string, unknown>;

  constructor(path: string) {
    this.path = path;
    const stored: unknown = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
    this.values = new Map(Object.entries(typeof stored === "object" && stored !== null ? stored : {}));
  }

  static keyOf(...texts: readonly string[]): string {
    const digest = createHash("sha256");
    for (const text of texts) digest.update(`${text.length} ${text}`);
    return digest.digest("base64url").slice(0, 24);
  }

  get(key: string): unknown {
    return this.values.get(key);
  }

  /** Written at once: a run takes hours. */
  set(entries: ReadonlyMap<string, unknown>): void {
    for (const [key, value] of entries) this.values.set(key, value);
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, JSON.stringify(Object.fromEntries(this.values)));
  }
}
