import { sql } from "kysely";
import type { Database } from "../database/pool.ts";
import { largestCents } from "../kernel/money.ts";
import type { HeldLimits, HeldTolerance } from "./beyond-tolerance.ts";
import type { Session } from "./material-queries.ts";

/** Whose tolerance it is. */
export type ToleranceOf = { readonly storeId: string } | { readonly sessionId: string };

export type StoredTolerance = Pick<HeldTolerance, "over" | "short">;

const columns = [
  "overUnits",
  "overCents",
  "overStockShare",
  "overMoneyShare",
  "shortUnits",
  "shortCents",
  "shortStockShare",
  "shortMoneyShare",
] as const;

export async function readTolerance(database: Database, of: ToleranceOf): Promise<StoredTolerance | null> {
  const row = await database
    .selectFrom("tolerances")
    .select(columns)
    .where("storeId" in of ? "storeId" : "sessionId", "=", "storeId" in of ? of.storeId : of.sessionId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    over: {
      ...{ units: row.overUnits, cents: row.overCents },
      ...{ stockShare: row.overStockShare, moneyShare: row.overMoneyShare },
    },
    short: {
      ...{ units: row.shortUnits, cents: row.shortCents },
      ...{ stockShare: row.shortStockShare, moneyShare: row.shortMoneyShare },
    },
  };
}

/** The tolerance that holds in a session: its own, else its store's; null where no limit is set. */
export async function readHeldTolerance(
  database: Database,
  { id, storeId }: Pick<Session, "id" | "storeId">,
): Promise<HeldTolerance | null> {
  const held =
    (await readTolerance(database, { sessionId: id })) ?? (await readTolerance(database, { storeId }));
  if (held === null || (!hasLimit(held.over) && !hasLimit(held.short))) return null;
  const needsStock = held.over.moneyShare !== null || held.short.moneyShare !== null;
  return { ...held, stockCents: needsStock ? await readStockCents(database, id) : 0 };
}

function hasLimit(limits: HeldLimits): boolean {
  return Object.values(limits).some((limit) => limit !== null);
}

/** What a session's stock of known cost was worth at its start, in hundredths, at most the largest amount that is worked with. */
async function readStockCents(database: Database, sessionId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select least(coalesce(sum(start_on_hand::numeric * unit_cost_cents), 0), ${largestCents}::numeric)::bigint as cents
    from session_items where session_id = ${sessionId} and start_on_hand > 0`.execute(database);
  return rows[0]?.cents ?? 0;
}

/** The sessions that count, or one of them, as far as they or their stores have a tolerance. */
export function findJudgedSessions(database: Database, sessionId: string | null): Promise<Session[]> {
  return database
    .selectFrom("sessions")
    .selectAll()
    .where("status", "=", "active")
    .$if(sessionId !== null, (query) => query.where("id", "=", sessionId ?? ""))
    .where(
      sql<boolean>`exists (select from tolerances
        where tolerances.session_id = sessions.id or tolerances.store_id = sessions.store_id)`,
    )
    .execute();
}

/** Whether an area of a session's store was closed a moment ago. */
export async function hasJustClosed(database: Database, sessionId: string): Promise<boolean> {
  const { rows } = await sql`
    select from areas join sessions session on session.store_id = areas.store_id
    where session.id = ${sessionId} and areas.status = 'closed' and areas.closed_at > now() - interval '15 seconds'
    limit 1`.execute(database);
  return rows.length > 0;
}
