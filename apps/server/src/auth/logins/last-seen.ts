import { sql } from "kysely";
import type { Database } from "../../database/pool.ts";

/** A list of logins is right to this; noting every call would make each of them write. */
export const lastSeenMinutes = 5;

/**
 * Notes that these logins are in use. One that somebody else is working on is left for its next call: nobody waits for a
 * note. Ends without an error where it could not be written, as it is no part of the call that it is about.
 */
export async function noteSeen(database: Database, tokenHashes: readonly Buffer[]): Promise<void> {
  await sql`update logins set last_seen_at = now() where token_hash in (
    select token_hash from logins where token_hash = any(${tokenHashes}::bytea[]) for no key update skip locked)`
    .execute(database)
    .catch(() => undefined);
}
