import type { CountingSession } from "@stocktake/contract";
import type { Database } from "../database/pool.ts";
import { ApiError } from "../kernel/api-error.ts";
import { countText } from "../kernel/formats.ts";

/** Where a session is whose rows are in a file. */
export type SessionArchive = NonNullable<CountingSession["archived"]>;

/** By the ids of the sessions. */
export async function readArchives(database: Database): Promise<ReadonlyMap<string, SessionArchive>> {
  const rows = await database.selectFrom("sessionArchives").selectAll().execute();
  return new Map(
    rows.map(({ sessionId, archivedAt, fileName, units, skus }) => [
      sessionId,
      { at: archivedAt.toISOString(), file: fileName, scans: units, skus },
    ]),
  );
}

/** Whether the session's rows are in a file. */
export async function isArchived(reader: Database, sessionId: string): Promise<boolean> {
  const archive = await reader
    .selectFrom("sessionArchives")
    .select("sessionId")
    .where("sessionId", "=", sessionId)
    .executeTakeFirst();
  return archive !== undefined;
}

/**
 * Every call that reads or changes what a session is made of asks this first: a report of rows that are in a file would be an empty one.
 * @throws ApiError SESSION_ARCHIVED.
 */
export async function requireUnarchived(reader: Database, sessionId: string): Promise<void> {
  const archive = await reader
    .selectFrom("sessionArchives")
    .select(["archivedAt", "fileName"])
    .select(({ selectFrom, fn }) =>
      selectFrom("scans")
        .select(fn.countAll<number>().as("scans"))
        .where("scans.sessionId", "=", sessionId)
        .as("waiting"),
    )
    .where("sessionId", "=", sessionId)
    .executeTakeFirst();
  if (archive === undefined) return;
  const { archivedAt, fileName } = archive;
  const waiting = Number(archive.waiting);
  const came =
    waiting === 0
      ? ""
      : ` ${countText(waiting, "scan", "scans")} that came since wait here for it, none is lost.`;
  throw new ApiError(
    "SESSION_ARCHIVED",
    `This session was archived on ${archivedAt.toISOString().slice(0, 10)}: its counts and its report are in the file ${fileName}.${came} ` +
      `To see it, bring it back on the server: bring-back ${fileName}`,
  );
}
