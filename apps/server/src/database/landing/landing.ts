import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../errors.ts";

/** Beside the migrations: the schema of the release that landed last, which servers may still run on during an update. */
export const landingFile = "previous-landing.txt";

/**
 * Migrations since the previous landing with which no server of that goes on. With one of these an update stops all servers first
 * (docs/OPERATIONS.md); `npm run landing` begins anew without them.
 */
export const unshared: ReadonlySet<number> = new Set();

/** The last migration of the previous landing; null for a folder without one. */
export async function readLanding(folder: string): Promise<number | null> {
  try {
    const text = await readFile(join(folder, landingFile), "utf8");
    const version = /^schema of migration (\d+)\r?\n/.exec(text)?.[1];
    if (version === undefined) {
      throw new Error(
        `${join(folder, landingFile)} does not begin with the migration whose schema it holds. Nothing was migrated. Restore the file ` +
          "as it was released.",
      );
    }
    return Number(version);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Which migration a server has to include to go on once this one has run; null where only those go on that include it. */
export function oldestServerOf(version: number, landed: number | null): number | null {
  if (landed === null || version <= landed || unshared.has(version)) return null;
  return landed;
}
