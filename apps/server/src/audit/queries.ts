import type { CallRequest, exportAudit } from "@stocktake/contract";
import { type Selectable, sql } from "kysely";
import type { Database } from "../database/pool.ts";
import type { AuditEntriesTable } from "../database/tables.ts";
import { notFound } from "../kernel/api-error.ts";
import { NumberPosition, type Page, type PageRequest, readPage } from "../kernel/paging.ts";
import { chainOf } from "./chain.ts";

export type AuditRow = Selectable<AuditEntriesTable>;

export type AuditFilter = CallRequest<typeof exportAudit>["query"];

/** Throws NOT_FOUND where the filter names a session that is not there. */
export async function requireSession(database: Database, { sessionId }: AuditFilter): Promise<void> {
  if (sessionId === undefined) return;
  const session = await database
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (session === undefined) throw notFound("The session");
}

function entriesOf(database: Database, { sessionId, actor, action, from, to }: AuditFilter) {
  return database
    .selectFrom("auditEntries")
    .selectAll()
    .$if(sessionId !== undefined, (query) => query.where("chain", "=", chainOf(sessionId ?? null)))
    .$if(action !== undefined, (query) => query.where("action", "=", action ?? ""))
    .$if(from !== undefined, (query) => query.where("at", ">=", new Date(from ?? 0)))
    .$if(to !== undefined, (query) => query.where("at", "<", new Date(to ?? 0)))
    .$if(Boolean(actor), (query) =>
      query.where(sql<boolean>`strpos(lower(actor_name), lower(${actor})) > 0`),
    );
}

/** A page of the filter's entries, newest first. */
export function readEntries(
  database: Database,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Page<AuditRow>> {
  const entries = entriesOf(database, filter);
  return readPage(page, {
    position: NumberPosition,
    positionOf: ({ id }: AuditRow) => id,
    read: (before, count) =>
      entries
        .$if(before !== null, (query) => query.where("id", "<", before ?? 0))
        .orderBy("id", "desc")
        .limit(count)
        .execute(),
    async count() {
      const { found } = await entries
        .clearSelect()
        .select(({ fn }) => fn.countAll<number>().as("found"))
        .executeTakeFirstOrThrow();
      return Number(found);
    },
  });
}

/**
 * Every entry of the filter, oldest first, read page by page: the log may be longer than memory is large. Of several chains only in a
 * transaction that reads at one moment: an entry of one chain may be committed after a later one of another, when its page is passed.
 */
export async function* readAll(database: Database, filter: AuditFilter): AsyncGenerator<AuditRow> {
  const pageSize = 500;
  let after = 0;
  for (;;) {
    const page = await entriesOf(database, filter)
      .where("id", ">", after)
      .orderBy("id")
      .limit(pageSize)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.id;
  }
}

/** The hash that the session's chain ends with; null while it has no entry. */
export async function readLastHash(database: Database, sessionId: string): Promise<string | null> {
  const chain = await database
    .selectFrom("auditChains")
    .select("lastHash")
    .where("chain", "=", chainOf(sessionId))
    .executeTakeFirst();
  return chain?.lastHash ?? null;
}
