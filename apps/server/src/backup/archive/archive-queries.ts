import { sql } from "kysely";
import type { Transaction } from "../../database/pool.ts";
import { TransferError } from "../transfer-format.ts";
import type { ListedSession } from "./what-speaks-against.ts";

/** The installation's name in archives: of a key that backups hold, so that a restored server recognises its archives. */
export async function readInstallation(transaction: Transaction): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select encode(sha256('stocktake-archive-1'::bytea || row_key), 'hex') as name from installation`.execute(
    transaction,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("The database has no installation.");
  return row.name;
}

/** Sessions, the one that ended first at the beginning. */
export async function listSessions(transaction: Transaction): Promise<ListedSession[]> {
  return transaction
    .selectFrom("sessions")
    .innerJoin("stores", "stores.id", "sessions.storeId")
    .select(["sessions.id", "stores.name as store", "sessions.name", "sessions.status", "sessions.restored"])
    .select(["sessions.startedAt", "sessions.endedAt"])
    .orderBy("sessions.endedAt")
    .orderBy("sessions.id")
    .execute();
}

/** By its ID, or the end of it that pages show. @throws TransferError where it is of none or of several. */
export async function findSessionBy(transaction: Transaction, ending: string): Promise<ListedSession> {
  const found = (await listSessions(transaction)).filter(({ id }) => id.endsWith(ending));
  const [session, another] = found;
  if (session !== undefined && another === undefined) return session;
  throw new TransferError(
    session === undefined
      ? `This database has no session with the ID ${ending}. Check the ID, and DATABASE_URL or DATA_DIR.`
      : `Several sessions have an ID that ends with ${ending}. Give the whole ID: it is in the report's address.`,
  );
}

/** Where a session is archived; undefined where it is not. */
export function findArchive(transaction: Transaction, sessionId: string) {
  return transaction
    .selectFrom("sessionArchives")
    .selectAll()
    .where("sessionId", "=", sessionId)
    .executeTakeFirst();
}

/**
 * Holds the session's row, which whoever changes what it is made of takes first; what was matched with its products on any server is
 * matched anew.
 */
export async function holdForArchive(transaction: Transaction, sessionId: string): Promise<void> {
  await sql`
    update sessions set catalogue_version = catalogue_version + 1 where id = ${sessionId}`.execute(
    transaction,
  );
}
